/** What Balloon Cup says: its cards, cubes and trophies, its news and moves, and what decided a game. */

import { LETTERS, size } from "./cards.js";
import { ofASeat } from "./reader.js";
import { inARow } from "./texts.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./reader.js").Tell} Tell */
/** @typedef {import("./texts.js").Texts} Texts */

const COLOURS = Object.keys(LETTERS);
/** What a trophy costs, as it is printed on it. @type {{[colour: string]: number}} */
export const PRICES = { red: 7, yellow: 6, green: 5, blue: 4, grey: 3 };

/** @param {string} card @returns {[string, number]} */
export function parts(card) {
  const [colour, value] = card.split("-");
  return [colour, Number(value)];
}

/** A card in as few letters as possible: `R13`. @param {string} card */
function short(card) {
  const [colour, value] = parts(card);
  return `${LETTERS[colour]}${value}`;
}

/** @param {string[]} cards */
export const inOrder = (cards) =>
  [...cards].sort((one, other) => COLOURS.indexOf(parts(one)[0]) - COLOURS.indexOf(parts(other)[0]) || parts(one)[1] - parts(other)[1]);

/** A card as the object of a sentence: `red 13`. @param {string} card @param {Texts} texts */
export function called(card, texts) {
  const [colour, value] = parts(card);
  return texts(`balloon.card.${colour}`, { value });
}

/** @param {string[]} cards */
const shorts = (cards) => inOrder(cards).map(short).join(" ");

/** @param {string} colour @param {number} count @param {Texts} texts */
const amount = (colour, count, texts) => texts(`balloon.amount.${colour}`, { count });

/** Colours with how many there are of each: `2 red and 1 blue`. @param {string[]} colours @param {Texts} texts */
export function amounts(colours, texts) {
  const many = (/** @type {string} */ colour) => colours.filter((each) => each === colour).length;
  return texts.listed(COLOURS.filter(many).map((colour) => amount(colour, many(colour), texts)));
}

/** Of a tile: the player's own, the reader's, or that of the player's opponent. @param {Plain} news @param {number|null} me */
const whoseSide = (news, me) => (news.side === news.seat ? "own" : news.side === me ? "yours" : "other");

/** @type {{[type: string]: Tell}} */
const NEWS = {
  tile_filled: (news, { texts }) =>
    texts(`balloon.news.tile_filled.${news.terrain}`, { tile: news.tile, cubes: amounts(news.cubes, texts) }),
  hand_dealt: (news, { about }) => about("balloon.news.hand_dealt", news.seat, { count: size(news.cards) }),
  first_chosen: ofASeat("balloon.news.first_chosen"),
  card_played: (news, { about, me, texts }) =>
    about(`balloon.news.card_played.${whoseSide(news, me)}`, news.seat, { card: called(news.card, texts), tile: news.tile }),
  wind_blew: (news, { about, me, texts }) =>
    about(`balloon.news.wind_blew.${whoseSide(news, me)}`, news.seat, {
      card: called(news.card, texts),
      replaced: called(news.replaced, texts),
      tile: news.tile,
    }),
  tile_scored: (news, { about, texts }) => {
    const told = about(`balloon.news.tile_scored.${news.terrain}`, news.winner, {
      tile: news.tile,
      sum: news.sums[news.winner],
      other: news.sums[1 - news.winner],
      cubes: amounts(news.cubes, texts),
    });
    return news.sums[0] === news.sums[1] ? texts("list.sentences", { told, more: texts("balloon.tied") }) : told;
  },
  tile_removed: (news, { texts }) => texts("balloon.news.tile_removed", { tile: news.tile }),
  trophy_taken: (news, { about, texts }) => {
    const paid = news.paid ? [amount(news.trophy, news.paid, texts)] : [];
    for (const [colour, triples] of Object.entries(news.trades)) paid.push(texts("balloon.traded", { amount: amount(colour, 3 * triples, texts) }));
    return about(`balloon.news.trophy_taken.${news.forced ? "forced" : "claimed"}`, news.seat, {
      trophy: texts(`balloon.colour.${news.trophy}`),
      paid: texts.listed(paid),
    });
  },
  claim_declined: ofASeat("balloon.news.claim_declined"),
  cubes_traded: (news, { about, texts }) =>
    about("balloon.news.cubes_traded", news.seat, { given: amount(news.give, 3, texts), taken: amount(news.take, 1, texts) }),
  hand_shown: (news, { about }) =>
    news.cards.length === 0
      ? about("balloon.news.nothing_shown", news.seat)
      : about("balloon.news.hand_shown", news.seat, { cards: shorts(news.cards) }),
  colours_shown: (news, { about, texts }) =>
    news.colours.length === 0
      ? about("balloon.news.nothing_shown", news.seat)
      : about("balloon.news.colours_shown", news.seat, { colours: amounts(news.colours, texts) }),
  cards_exchanged: (news, { about }) => about("balloon.news.cards_exchanged", news.seat, { cards: shorts(news.cards) }),
  deck_shuffled: (news, { texts }) => texts("balloon.news.deck_shuffled", { count: news.cards }),
  card_drawn: (news, { about, texts }) =>
    news.card
      ? about("balloon.news.card_drawn.seen", news.seat, { card: called(news.card, texts) })
      : about("balloon.news.card_drawn.unseen", news.seat),
  turn_passed: ofASeat("balloon.news.turn_passed"),
  game_won: ofASeat("balloon.news.game_won"),
  game_locked: (news, { texts, who }) => {
    const told = news.trophies.map((/** @type {number} */ trophies, /** @type {number} */ seat) =>
      texts("balloon.standing", {
        who: who(seat),
        trophies: texts("balloon.trophy_count", { count: trophies }),
        cubes: texts("balloon.cube_count", { count: news.cubes[seat] }),
      }),
    );
    return texts("balloon.news.game_locked", { standings: told.join(texts("list.between")) });
  },
};

/** @type {{[field: string]: import("./words.js").Write}} */
const FIELDS = {
  card: (value) => short(value),
  cards: (value) => value.map(short).join(" "),
  tile: (value, _, { texts }) => texts("moves.tile", { number: value }),
  side: (value, _, { me, texts }) => (value === me ? texts("moves.own_side") : texts("moves.other_side")),
  replaces: (value, _, { texts }) => `${texts("moves.instead_of")} ${short(value)}`,
  trophy: (value, _, { texts }) => texts(`balloon.colour.${value}`),
  give: (value, _, { texts }) => texts(`balloon.colour.${value}`),
  take: (value, _, { texts }) => `→ ${texts(`balloon.colour.${value}`)}`,
  trades: (value, { trophy }, { texts }) => {
    const given = Object.entries(value).map(([colour, triples]) => amount(colour, 3 * triples, texts));
    if (trophy) {
      const own = PRICES[trophy] - Object.values(value).reduce((sum, triples) => sum + triples, 0);
      return texts("moves.paid", { amount: texts.listed([...(own ? [amount(trophy, own, texts)] : []), ...given]) });
    }
    return given.length ? texts("moves.traded", { amount: texts.listed(given) }) : texts("moves.untraded");
  },
};

/** @type {{[name: string]: (value: any, texts: Texts) => string}} */
const FACTS = {
  option: (value, texts) => texts.orElse(`balloon.closed.${value}`, ""),
  card: (value) => short(value),
  replaces: (value) => short(value),
};

/** Before one's first card the aim, before the second what beginners overlook. @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts @returns {string[]} */
function lesson(view, news, me, texts) {
  const played = news.filter((each) => each.type === "card_played" && each.seat === me).length;
  if (played === 0) return [texts("web.lesson.balloon_aim")];
  return played === 1 && view.options.opponent_side === "always" ? [texts("web.lesson.balloon_side")] : [];
}

/** @param {{[key: string]: number}} counts */
const total = (counts) => Object.values(counts).reduce((sum, each) => sum + each, 0);

/** @param {Plain} view @param {number} seat */
export const trophiesOf = (view, seat) => Object.values(view.trophies).filter((owner) => owner === seat).length;

/** As the terminal tells it, without the places, which stand below it on the page. @param {Plain} view @param {Plain} result @param {import("./reader.js").Reader} reader @returns {string} */
function decision(view, { winners: [winner], reason }, { about, texts }) {
  const counts = {
    trophies: [0, 1].map((seat) => trophiesOf(view, seat)),
    cubes: [0, 1].map((seat) => total(view.cubes[seat])),
  };
  const locked = reason === "locked" ? [texts("balloon.locked")] : [];
  if (winner === undefined) return inARow([...locked, texts("balloon.level")], texts);
  const kind = counts.trophies[0] === counts.trophies[1] ? "cubes" : "trophies";
  return inARow([...locked, about(`balloon.news.won_by.${kind}`, winner, { count: counts[kind][winner], other: counts[kind][1 - winner] })], texts);
}

/** @param {Plain} view @param {number} seat @param {Texts} texts */
const score = (view, seat, texts) =>
  [texts("balloon.trophy_count", { count: trophiesOf(view, seat) }), texts("balloon.cube_count", { count: total(view.cubes[seat]) })].join(texts("list.between"));

/** The value of a card that helps neither who wants high cards nor who wants low ones. */
const MIDDLE = 7;

/** How a card changes a tile. @param {Plain} action @param {import("./words.js").Context} context */
function reason(action, { me, view, texts }) {
  if (action.type !== "play" || me === null) return "";
  const tile = view.tiles.find((/** @type {Plain} */ each) => each.number === action.tile);
  const sides = tile.sides.map((/** @type {string[]} */ cards, /** @type {number} */ side) => (side === action.side ? [...cards, action.card] : cards));
  const sum = (/** @type {string[]} */ cards) => cards.reduce((total, card) => total + parts(card)[1], 0);
  const [mine, theirs] = [sum(sides[me]), sum(sides[1 - me])];
  const mountain = tile.terrain === "mountain";
  const ahead = mountain ? mine > theirs : mine < theirs;
  const value = parts(action.card)[1];
  const forThem = value === MIDDLE ? "behind" : (value > MIDDLE) === mountain ? "helps" : "spoils";
  const completed = ahead ? "wins" : mine === theirs ? "wins_level" : "gives";
  const own = action.side === me;
  const open = sides.some((/** @type {string[]} */ cards) => cards.length === 0);
  const full = sides.every((/** @type {string[]} */ cards) => cards.length === tile.cubes.length);
  const kind = open ? (own ? "opens" : "opens_theirs") : full ? completed : own ? (ahead ? "keeps" : "behind") : forThem;
  return texts(`balloon.why.${kind}`, { tile: tile.number, mine, theirs });
}

/** @type {import("./words.js").Words} */
export const words = {
  news: NEWS,
  fields: FIELDS,
  facts: FACTS,
  asked: (view, _, texts) => texts.orElse(`balloon.asked.${view.phase}`, view.phase),
  beforehand: (texts) => [texts("web.lesson.balloon_aim")],
  lesson,
  advice: (action, { me, texts }) =>
    action.type === "play" ? texts(`web.advice.balloon-cup.${action.side === me ? "own" : "other"}`, { card: called(action.card, texts), tile: action.tile }) : null,
  reason,
  decision,
  score,
};
