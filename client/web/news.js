/**
 * What is said: news, moves, refusals and results as sentences, out of the catalogues that all clients
 * share. The page has no text of its own; tests hold these sentences to those of the terminal.
 */

import { same, whole } from "./choosing.js";
import { gameName } from "./options.js";
import { decimal, inARow, time } from "./texts.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/**
 * Whoever news is told to: `about` says what somebody did, by its key in a section `news`; of the reader it stands
 * in the section `you`. `who` is somebody in a list, where no verb goes with the name.
 * @typedef {{names: string[], texts: Texts, me: number|null, about: (key: string, seat: number, facts?: Plain) => string, who: (seat: number) => string}} Reader
 */
/** @typedef {(news: Plain, reader: Reader) => string} Tell */
/** What words about a move need to know. @typedef {{game: string, me: number|null, names: string[], view: Plain, texts: Texts}} Context */

/** @param {Table} table */
export const namesOf = (table) => table.info.chairs.map((chair) => chair?.name ?? "?");

/** One piece of news as a sentence; nothing for a kind that a later server may have. @param {string} game @param {Plain} news @param {string[]} names @param {Texts} texts @param {number|null} me @param {boolean} [seen] beside a board that shows where it was: without numbers of cells */
export function sentence(game, news, names, texts, me, seen = false) {
  return SENTENCES[game]?.[news.type]?.(news, readerOf(names, texts, me, seen)) ?? "";
}

/** What befell the reader of a race: a pawn that was left, with its die; a drive without a choice. @param {Plain} news @param {Plain[]} before the news before it @param {string} told the same as news @param {Texts} texts */
export function befallenWords({ type, pawn }, before, told, texts) {
  if (type === "car_moved" || type === "car_stayed") return texts("list.sentences", { told: texts("web.no_choice"), more: told });
  const values = before.findLast(({ dice: seen }) => Array.isArray(seen))?.dice;
  return type === "pawn_taken" && values ? texts("web.pawn_left", { pawn: texts("hurry.die", { colour: pawnColour(pawn, texts), value: values[PAWNS.indexOf(pawn)] }) }) : told;
}

/** The cells that news is about, as they are typed in the terminal. @param {Plain} news */
export const cellsOf = (news) => [news.from, news.to ?? news.at].filter(Array.isArray).map((at) => at.join(",")).join(" → ");

/** @param {string[]} names @param {Texts} texts @param {number|null} me @param {boolean} [seen] @returns {Reader} */
function readerOf(names, texts, me, seen = false) {
  const about = (/** @type {string} */ news, /** @type {number} */ seat, /** @type {Plain} */ facts = {}) => {
    const key = seat === me ? news.replace(".news.", ".you.") : news;
    const told = { who: names[seat], ...facts };
    return seen ? texts.orElse(`web.seen.${key}`, texts(key, told), told) : texts(key, told);
  };
  return { names, texts, me, about, who: (seat) => (seat === me ? texts("list.you") : names[seat]) };
}

/** @param {string} key @returns {Tell} */
const ofASeat = (key) => (news, { about }) => about(key, news.seat);

// Balloon Cup

/** The same in every language, so that players of several can talk about a card. @type {{[colour: string]: string}} */
export const LETTERS = { red: "R", yellow: "Y", green: "G", blue: "B", grey: "E" };
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

/** @param {any} pile */
export const size = (pile) => (typeof pile === "number" ? pile : (pile ?? []).length);

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
const BALLOON = {
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

// Hurry' Cup

export const PAWNS = ["red", "yellow", "green", "blue", "white", "black"];
/** @type {{[section: number]: string}} */
const ENDS = { 0: "start", 37: "finish" };

/** `to section 5`, `on section 5`, `from section 5`. @param {"to"|"on"|"origin"} way @param {number} section @param {Texts} texts */
const where = (way, section, texts) => texts(`hurry.${way}.${ENDS[section] ?? "section"}`, { section });

/** @param {string} token @param {Texts} texts */
const bonus = (token, texts) => texts.orElse(`hurry.bonus.${token}`, token);

/** @param {string} pawn @param {Texts} texts */
export const pawnColour = (pawn, texts) => texts(`hurry.colour.${pawn}`);

/** @param {number[]} values @param {Texts} texts */
const dice = (values, texts) => texts.listed(values.map((value, place) => texts("hurry.die", { colour: pawnColour(PAWNS[place], texts), value })));

/** @param {string} key @returns {Tell} */
const toASection = (key) => (news, { about, texts }) => about(key, news.seat, { to: where("to", news.section, texts) });

/** @type {{[type: string]: Tell}} */
const HURRY = {
  race_begun: (news, { about }) => about("hurry.news.race_begun", news.starter, { race: news.race }),
  round_begun: (news, { about }) => about("hurry.news.round_begun", news.starter, { round: news.round }),
  tank_emptied: ofASeat("hurry.news.tank_emptied"),
  lantern_used: toASection("hurry.news.lantern_used"),
  lantern_unused: ofASeat("hurry.news.lantern_unused"),
  boosted: toASection("hurry.news.boosted"),
  token_skipped: (news, { about, texts }) => about("hurry.news.token_skipped", news.seat, { bonus: bonus(news.token, texts) }),
  accelerator_rolled: (news, { texts }) => texts("hurry.news.accelerator_rolled", { value: news.value }),
  honked: (news, { about }) => about(`hurry.news.honked.${news.via}`, news.seat),
  quiet_kept: ofASeat("hurry.news.quiet_kept"),
  cup_lifted: (news, { about, texts }) =>
    news.dice === null
      ? about("hurry.news.cup_lifted.unseen", news.seat)
      : about("hurry.news.cup_lifted.seen", news.seat, { dice: dice(news.dice, texts) }),
  dice_opened: (news, { texts }) => texts("hurry.news.dice_opened", { dice: dice(news.dice, texts) }),
  pawn_taken: (news, { about, texts }) => about("hurry.news.pawn_taken", news.seat, { pawn: texts(`hurry.pawn.${news.pawn}`) }),
  ranking_sealed: (news, { about, texts }) =>
    news.pawns === null
      ? about("hurry.news.ranking_sealed.unseen", news.seat)
      : about("hurry.news.ranking_sealed.seen", news.seat, {
          pawns: news.pawns.map((/** @type {string} */ pawn) => pawnColour(pawn, texts)).join(texts("list.between")),
        }),
  rankings_opened: (news, { texts, who }) =>
    texts("hurry.news.rankings_opened", { order: texts.listed(news.order.map(who)) }),
  pawns_swapped: (news, { about, me, names }) =>
    news.with === me ? about("hurry.news.your_pawn_swapped", news.seat) : about("hurry.news.pawns_swapped", news.seat, { other: names[news.with] }),
  helmet_put_on: (news, { about }) => about(`hurry.news.helmet_put_on.${news.via}`, news.seat),
  die_rerolled: (news, { about, texts }) =>
    about("hurry.news.die_rerolled", news.seat, { colour: pawnColour(news.pawn, texts), value: news.value }),
  car_moved: (news, { about, texts }) => {
    const facts = { count: news.entered.length, to: where("to", news.entered.at(-1) ?? news.from, texts) };
    if (news.detour === null) return about("hurry.news.car_moved", news.seat, facts);
    return about("hurry.news.car_detoured", news.seat, { ...facts, origin: where("origin", news.detour, texts) });
  },
  car_stayed: (news, { about, texts }) =>
    about(`hurry.news.car_stayed.${news.second_chance ? "consoled" : "alone"}`, news.seat, {
      origin: where("origin", news.section, texts),
    }),
  nitro_used: (news, { about, texts }) => about(`hurry.news.nitro_used.${news.via}`, news.seat, { to: where("to", news.section, texts) }),
  oil_spilled: (news, { about, texts }) => about("hurry.news.oil_spilled", news.seat, { on: where("on", news.section, texts) }),
  bonus_taken: (news, { about, texts }) =>
    about("hurry.news.bonus_taken", news.seat, { bonus: bonus(news.token, texts), on: where("on", news.section, texts) }),
  car_finished: (news, { about, texts }) =>
    about("hurry.news.car_finished", news.seat, { place: texts.orElse(`hurry.place.${news.place}`, String(news.place)) }),
  lantern_given: (news, { about, texts }) =>
    news.seat === null ? texts("hurry.news.lantern_left") : about("hurry.news.lantern_given", news.seat),
  race_scored: (news, { texts, who }) =>
    texts("hurry.news.race_scored", {
      race: news.race,
      points: texts.listed(news.points.map((/** @type {number} */ points, /** @type {number} */ seat) => texts("hurry.scored", { who: who(seat), points }))),
    }),
  race_over: (news, { texts }) => texts("hurry.news.race_over", { race: news.race }),
};

// Butterflies

/** @param {string} word @param {Texts} texts */
export const named = (word, texts) => texts(`butterflies.word.${word}`);

/** `monarch-red` as people say it: `red monarch`. @param {string} card @param {Texts} texts */
export function butterfly(card, texts) {
  const [species, colour] = card.split("-");
  return texts("butterflies.card", { species: named(species, texts), colour: named(colour, texts) });
}

/** @param {string} key @returns {Tell} */
const laid = (key) => (news, { about, texts }) => about(key, news.seat, { card: butterfly(news.card, texts), at: news.at.join(",") });

/** @type {{[type: string]: Tell}} */
const BUTTERFLIES = {
  goals_dealt: (news, { about, texts }) => {
    const seen = [news.colour, news.species].filter((word) => word !== null).map((word) => named(word, texts));
    if (seen.length === 0) return about("butterflies.news.goals_dealt.unseen", news.seat);
    return about("butterflies.news.goals_dealt.seen", news.seat, { goals: texts.listed(seen) });
  },
  hand_dealt: (news, { about, texts }) =>
    typeof news.cards === "number"
      ? about("butterflies.news.hand_dealt.unseen", news.seat, { count: news.cards })
      : about("butterflies.news.hand_dealt.seen", news.seat, {
          cards: texts.listed(news.cards.map((/** @type {string} */ card) => butterfly(card, texts))),
        }),
  first_chosen: ofASeat("butterflies.news.first_chosen"),
  card_played: laid("butterflies.news.card_played"),
  card_drawn: (news, { about, texts }) =>
    news.card
      ? about("butterflies.news.card_drawn.seen", news.seat, { card: butterfly(news.card, texts) })
      : about("butterflies.news.card_drawn.unseen", news.seat),
  card_turned: (news, { about, texts }) => about("butterflies.news.card_turned", news.seat, { card: butterfly(news.card, texts) }),
  card_placed: laid("butterflies.news.card_placed"),
  card_moved: (news, { about, texts }) =>
    about("butterflies.news.card_moved", news.seat, {
      card: butterfly(news.card, texts),
      origin: news.from.join(","),
      to: news.to.join(","),
    }),
  token_placed: (news, { about, texts }) =>
    about(`butterflies.news.token_placed.${news.token}`, news.seat, { card: butterfly(news.card, texts), at: news.at.join(",") }),
  goal_declared: (news, { about, me, names, texts }) => {
    const met = news.met ? "met" : "missed";
    const goal = named(news.word, texts);
    if (news.owner === news.seat) return about(`butterflies.news.goal_declared.${met}`, news.seat, { goal });
    if (news.owner === me) return about(`butterflies.news.your_goal_declared.${met}`, news.seat, { goal });
    return about(`butterflies.news.partner_goal_declared.${met}`, news.seat, { goal, partner: names[news.owner] });
  },
  turn_passed: ofASeat("butterflies.news.turn_passed"),
  game_won: (news, { me, names, texts }) => {
    const others = news.seats.filter((/** @type {number} */ seat) => seat !== me).map((/** @type {number} */ seat) => names[seat]);
    if (others.length === 0) return texts("butterflies.you.game_won");
    if (others.length < news.seats.length) return texts("butterflies.news.your_team_won", { who: texts.listed(others) });
    return texts("butterflies.news.game_won", { who: texts.listed(others), count: others.length });
  },
  game_drawn: (news, { texts }) => texts("butterflies.news.game_drawn", { count: news.quiet }),
};

/** @type {{[game: string]: {[type: string]: Tell}}} */
const SENTENCES = { "balloon-cup": BALLOON, "hurry-cup": HURRY, butterflies: BUTTERFLIES };

// Moves

/** How the value of a field is written; the other fields that are told with it come second. @typedef {(value: any, fields: Plain, context: Context) => string} Write */

/** @type {Write} */
function goal(value, fields, { me, names, view, texts }) {
  const owner = fields.seat ?? me ?? 0;
  const word = view.goals[owner][value];
  const told = word ? texts(`butterflies.word.${word}`) : texts(`moves.goals.${value}`);
  return owner === me ? told : texts("moves.goal_of", { goal: told, name: names[owner] });
}

/** A goal that one knows is asked about only where its row is there; of another nobody can tell. @param {Plain} goal @param {Context} context */
const declared = (goal, { view }) => (view.goals[goal.seat][goal.goal] === null ? "moves.declare" : "moves.declare_row");

/** @type {Write} */
const cell = (value) => value.join(",");

/** @type {Write} */
function pawn(value, _, { view, texts }) {
  const die = view.dice?.[value];
  return `${texts(`hurry.colour.${value}`)}${die ? ` ${die}` : ""}`;
}

/** @type {{[game: string]: {[field: string]: Write}}} */
const FIELDS = {
  "balloon-cup": {
    card: (value) => short(value),
    cards: (value) => value.map(short).join(" "),
    tile: (value, _, { texts }) => texts("moves.tile", { number: value }),
    side: (value, _, { me, texts }) => (value === me ? texts("moves.own_side") : texts("moves.other_side")),
    replaces: (value, _, { texts }) => `${texts("moves.instead_of")} ${short(value)}`,
    trophy: (value, _, { texts }) => texts(`balloon.colour.${value}`),
    give: (value, _, { texts }) => texts(`balloon.colour.${value}`),
    take: (value, _, { texts }) => `→ ${texts(`balloon.colour.${value}`)}`,
    trades: (value, { trophy }, { texts }) => {
      const given = Object.entries(value).map(([colour, triples]) => texts(`balloon.amount.${colour}`, { count: 3 * triples }));
      if (trophy) {
        const own = PRICES[trophy] - Object.values(value).reduce((sum, triples) => sum + triples, 0);
        return texts("moves.paid", { amount: texts.listed([...(own ? [texts(`balloon.amount.${trophy}`, { count: own })] : []), ...given]) });
      }
      return given.length ? texts("moves.traded", { amount: texts.listed(given) }) : texts("moves.untraded");
    },
  },
  "hurry-cup": {
    pawn,
    pawns: (value, fields, context) => value.map((/** @type {string} */ each) => pawn(each, fields, context)).join(" "),
    with: (value, _, { names }) => names[value],
    via: (value, fields, { texts }) => (value === "assist" ? texts("moves.assisted") : "type" in fields ? "" : texts.orElse(`hurry.token.${value}`, value)),
    steps: (value, { detour }, { me, view, texts }) => {
      if (value === 0) return texts(me !== null && view.second_chance[me] ? "moves.stay_here" : "moves.stay_for_chance");
      const drive = texts("moves.steps", { count: value });
      // With a detour there are two ways, which end in different places.
      if (me === null || detour === undefined || !view.bonuses[me].includes("detour")) return drive;
      const end = driveEnd(view, me, { steps: value, detour });
      const told = detour === null ? drive : texts("moves.with_detour", { drive, section: detour });
      return texts(String(end) in view.hidden ? "line.drive_to_star" : "line.drive_to", { drive: told, where: where("to", end, texts) });
    },
    detour: (value, fields, { texts }) => ("steps" in fields ? "" : value === null ? texts("moves.no_detour") : texts("moves.detour", { section: value })),
    section: (value, _, { texts }) => texts("moves.section", { section: value }),
  },
  butterflies: {
    card: (value, _, { texts }) => butterfly(value, texts),
    at: cell,
    from: cell,
    to: cell,
    declare: (value, fields, context) =>
      value === null ? context.texts("moves.declare_nothing") : context.texts(declared(value, context), { goal: goal(value.goal, { ...fields, seat: value.seat }, context) }),
    goal,
    seat: (value, fields, { names }) => ("goal" in fields ? "" : names[value]),
  },
};

/** The patterns with their fields in the order in which a person thinks of them: maps that travel have none. @param {string} game @param {import("./parlour.js").Pattern[]} legal */
export function inOrderOfFields(game, legal) {
  const order = Object.keys(FIELDS[game] ?? {});
  return legal.map((pattern) => Object.fromEntries(Object.entries(pattern).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))));
}

/** A value as it travels, without brackets and quotation marks. @param {any} value @returns {string} */
const asSent = (value) => (Array.isArray(value) ? value.map(asSent).join(" ") : typeof value === "string" ? value : JSON.stringify(value));

/** A choice in words: a kind of action, values of fields, or a whole action. @param {Plain} fields @param {Context} context */
export function moveWords(fields, context) {
  const { game, texts } = context;
  const told = Object.entries(fields).map(([name, value]) => {
    if (name === "type" && value === "move" && fields.steps === 0) return ""; // whoever stays does not drive
    if (name === "type") return texts.orElse(`web.moves.${game}.${value}`, texts.orElse(`moves.${game}.${value}`, value.replaceAll("_", " ")));
    const write = FIELDS[game]?.[name];
    return write === undefined ? asSent(value) : write(value, fields, context);
  });
  return told.filter(Boolean).join(" ");
}

/** Of a whole action, by its kind: the fields that are told though it has no other like it. @type {{[game: string]: {[type: string]: string[]}}} */
const WHOLE = { "hurry-cup": { move: ["steps", "detour"] } };

/** A choice in words; of a whole action also what it does. @param {import("./choosing.js").Choice} choice @param {Context} context */
export function choiceWords({ fields, legal }, context) {
  const kinds = WHOLE[context.game];
  const action = kinds === undefined ? null : whole(legal);
  const more = action === null ? [] : (kinds[action.type] ?? []);
  return moveWords({ ...fields, ...Object.fromEntries(more.map((name) => [name, action?.[name]])) }, context);
}

/** What is asked of somebody now, in a few words: tokens only where one can be used. @param {string} game @param {Plain} view @param {import("./parlour.js").Pattern[]} legal @param {Texts} texts */
export function asked(game, view, legal, texts) {
  if (game === "balloon-cup") return texts.orElse(`balloon.asked.${view.phase}`, view.phase);
  if (game === "hurry-cup") {
    const phase = view.phase === "grab" && view.options.grab === "sealed" ? "rank" : view.phase;
    return (phase === "drive" && speedWords(view, texts)) || texts.orElse(`hurry.asked.${phase}`, texts("play.your_turn"));
  }
  if (game === "butterflies") {
    const early = Math.min(...view.played) < MOVING_FROM;
    const tokens = legal.some(({ type }) => type === "net" || type === "web");
    return texts(`butterflies.asked.${view.phase === "place" ? "place" : early ? "begin" : tokens ? "act" : "move"}`);
  }
  return texts("play.your_turn");
}

/** The fuel of whoever drives in Hurry' Cup, and the speed that is compared with the signs; empty if nobody does. @param {Plain} view @param {Texts} texts */
export function speedWords(view, texts) {
  if (view.phase !== "drive") return "";
  const seat = view.to_act[0];
  return texts(view.helmet ? "hurry.speed_helmet" : "hurry.speed", { fuel: view.fuel[seat], speed: view.speeds[seat] });
}

/** How the speed of whoever drives comes about. @param {Plain} view @param {number} seat @param {Texts} texts */
function sumWords(view, seat, texts) {
  return view.helmet ? "" : texts("web.sum", { fuel: view.fuel[seat], more: view.accelerator, speed: view.speeds[seat] });
}

/** Rounds after which a first race explains nothing more, and one for practice only what is met for the first time. */
const LEARNT = 2;
/** News of what one has done in a phase. @type {{[phase: string]: string[]}} */
const DONE = { lantern: ["lantern_used", "lantern_unused"], boost: ["boosted", "token_skipped"], horn: ["honked", "quiet_kept"], look: ["pawn_taken"], grab: ["pawn_taken"], rank: ["ranking_sealed"], swap: ["pawns_swapped", "token_skipped"], drive: ["car_moved", "car_stayed"] };
/** What else than laying cards one does in Butterflies. */
const OTHERWISE = ["card_moved", "token_placed"];
/** Cards that everybody must have played before anybody moves one of the grid. */
export const MOVING_FROM = 3;

/** To whoever is new, and waits at a table: what can be read before a clock runs. @param {string} game @param {Texts} texts @returns {string[]} */
export function beforehand(game, texts) {
  if (game === "hurry-cup") return [texts("hurry.practice_first.aim"), texts("hurry.practice.horn"), texts("hurry.practice.drive")];
  if (game === "balloon-cup") return [texts("web.lesson.balloon_aim")];
  return game === "butterflies" ? [texts("web.lesson.butterflies_aim")] : [];
}

/** What is still to be learnt of a game after the first one, when it can be done for the first time: the key of its text, which is shown until it was read. @param {string} game @param {Plain} view @param {Plain[]} news @param {number|null} me @returns {string|null} */
export function laterTip(game, { played }, news, me) {
  if (game !== "butterflies" || me === null || Math.min(...played) < MOVING_FROM) return null;
  return news.some((each) => each.seat === me && OTHERWISE.includes(each.type)) ? null : "web.lesson.butterflies_more";
}

/** To whoever is new: at first the aim, then what happens now and what the choices mean; nothing for a game that has no lesson. Where people race each other there is a line to be read at a glance. @param {string} game @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts @param {boolean} [practice] @param {boolean} [hurried] @returns {string[]} */
export function lesson(game, view, news, me, texts, practice = false, hurried = false) {
  if (game === "hurry-cup") return lessonOfRace(view, news, me, texts, practice, hurried);
  if (game === "balloon-cup") return lessonOfBalloons(view, news, me, texts);
  return game === "butterflies" && me !== null && view.played[me] < 2 ? [texts("web.lesson.butterflies_aim")] : [];
}

/** Before one's first card the aim, before the second what beginners overlook. @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts */
function lessonOfBalloons(view, news, me, texts) {
  const played = news.filter((each) => each.type === "card_played" && each.seat === me).length;
  if (played === 0) return [texts("web.lesson.balloon_aim")];
  return played === 1 && view.options.opponent_side === "always" ? [texts("web.lesson.balloon_side")] : [];
}

/** Less in a race that is not for practice. @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts @param {boolean} practice @param {boolean} hurried @returns {string[]} */
function lessonOfRace(view, news, me, texts, practice, hurried) {
  const phase = view.phase === "grab" && view.options.grab === "sealed" ? "rank" : view.phase;
  const done = news.some((each) => each.seat === me && DONE[phase]?.includes(each.type));
  const asks = me !== null && view.to_act.includes(me);
  if (view.round > LEARNT && (done || !practice || !asks)) return [];
  if (!asks) return [texts.orElse(`hurry.practice_wait.${phase}`, "")].filter(Boolean);
  const dry = view.tank_due === me && ["look", "grab", "rank"].includes(phase);
  const raced = !practice && ["horn", "grab"].includes(phase);
  const now = dry ? texts("hurry.does.tank_due", { fuel: view.options.empty_tank }) : raced ? texts(`web.raced.${phase}`) : texts.orElse(`hurry.practice.${phase}`, "");
  if (raced && hurried) return [now];
  const tokens = phase !== "drive" ? "" : view.token_used[me] ? texts("hurry.practice_token.used") : view.trumps[me].includes("helmet") ? texts("hurry.practice_token.helmet") : "";
  const begins = view.round === 1 && view.pawns[me] === null;
  return [begins ? texts("hurry.practice_first.aim") : "", phase === "drive" ? sumWords(view, me, texts) : "", tokens ? inARow([now, tokens], texts) : now].filter(Boolean);
}

// Refusals and results

const COUNTED = ["most", "needed", "pawns"];

/** @param {string} game @param {string} name @param {any} value @param {Texts} texts */
function fact(game, name, value, texts) {
  if (game === "balloon-cup" && name === "option") return texts.orElse(`balloon.closed.${value}`, "");
  if (game === "balloon-cup" && (name === "card" || name === "replaces")) return short(value);
  if (game === "hurry-cup" && name === "pawn") return texts.orElse(`hurry.colour.${value}`, String(value));
  if (game === "butterflies" && name === "card") return butterfly(value, texts);
  return Array.isArray(value) ? value.join(",") : value;
}

/** Why a server, or its rules, said no. @param {{code: string, facts: Plain}} wrong @param {Texts} texts @param {string} [game] */
export function refusal({ code, facts }, texts, game = "") {
  if (texts.has(`refused.name.${facts.rule}`)) return texts(`refused.name.${facts.rule}`, { most: facts.most ?? "?" });
  if (texts.has(`why.${facts.why}`)) {
    const key = facts.why === "token_used" && "token" in facts ? "why.token_spent" : `why.${facts.why}`;
    const told = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, fact(game, name, value, texts)]));
    return texts(key, { ...told, count: COUNTED.map((name) => facts[name]).find((value) => value !== undefined) ?? 0 });
  }
  return texts.orElse(`refused.${code}`, code);
}

/** How a game ended, in a sentence. @param {Table} table @param {Texts} texts */
export function outcome(table, texts) {
  const result = table.result ?? { winners: [], reason: "" };
  if (table.seat !== null && result.winners.length === 1 && result.winners[0] === table.seat) return texts("play.you_won", { why: reasonWords(result.reason, texts) });
  return outcomeWords(result, namesOf(table), texts);
}

/** What decided a game, in its own words; empty where only its outcome is to be told. @param {Table} table @param {Texts} texts */
export function decision(table, texts) {
  const { result, view, info } = table;
  if (result === null || view === null || result.reason === "forfeit") return "";
  return DECISIONS[info.game]?.(view, result, readerOf(namesOf(table), texts, table.seat)) ?? "";
}

/** As the terminal tells it, without the places, which stand below it on the page. @type {{[game: string]: (view: Plain, result: Plain, reader: Reader) => string}} */
const DECISIONS = {
  "balloon-cup": (view, { winners: [winner], reason }, { about, texts }) => {
    const counts = {
      trophies: [0, 1].map((seat) => Object.values(view.trophies).filter((owner) => owner === seat).length),
      cubes: [0, 1].map((seat) => total(view.cubes[seat])),
    };
    const locked = reason === "locked" ? [texts("balloon.locked")] : [];
    if (winner === undefined) return inARow([...locked, texts("balloon.level")], texts);
    const kind = counts.trophies[0] === counts.trophies[1] ? "cubes" : "trophies";
    return inARow([...locked, about(`balloon.news.won_by.${kind}`, winner, { count: counts[kind][winner], other: counts[kind][1 - winner] })], texts);
  },
  "hurry-cup": (view, { winners, reason }, { about }) => {
    if (winners.length !== 1) return "";
    const [winner] = winners;
    const points = view.points[winner];
    return reason === "points" ? about("hurry.news.won_points", winner, { points, count: points }) : about("hurry.news.won_race", winner);
  },
  butterflies: (view, { winners }, reader) => {
    const { about, texts } = reader;
    if (winners.length === 0 || view.won === null) return BUTTERFLIES.game_drawn({ quiet: view.quiet }, reader);
    const word = view.goals[view.won.seat][view.won.goal];
    if (winners.length > 1 || word === null) return BUTTERFLIES.game_won({ seats: winners }, reader);
    return about("butterflies.news.won_by_goal", view.won.seat, { goal: named(word, texts) });
  },
};

/** @param {{[key: string]: number}} counts */
const total = (counts) => Object.values(counts).reduce((sum, each) => sum + each, 0);

/** Seats in the order of their places. @param {number[]} places */
export const inPlaces = (places) => places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);

/** What a player has come to, in a few words. @param {string} game @param {Plain} view @param {number} seat @param {Texts} texts */
export function scoreWords(game, view, seat, texts) {
  if (game === "balloon-cup") {
    const trophies = Object.values(view.trophies).filter((owner) => owner === seat).length;
    return [texts("balloon.trophy_count", { count: trophies }), texts("balloon.cube_count", { count: total(view.cubes[seat]) })].join(texts("list.between"));
  }
  if (game === "hurry-cup") {
    if (view.options.races > 1) return texts("hurry.points", { points: view.points[seat], count: view.points[seat] });
    return view.finished.includes(seat) ? texts("hurry.finish") : texts("moves.section", { section: view.cars[seat] });
  }
  if (game === "butterflies") return Object.values(view.goals[seat]).filter((word) => word !== null).map((word) => named(word, texts)).join(texts("list.between"));
  return "";
}

/** How a game ended, for whoever was not in it. @param {Plain} result @param {string[]} names @param {Texts} texts */
export function outcomeWords({ winners, reason }, names, texts) {
  const why = reasonWords(reason, texts);
  if (winners.length === 0) return texts("records.nobody_won", { why });
  return texts("records.won", { who: texts.listed(winners.map((/** @type {number} */ seat) => names[seat])), why, count: winners.length });
}

/** @param {string} reason @param {Texts} texts */
const reasonWords = (reason, texts) => texts.orElse(`reason.${reason}`, reason.replaceAll("_", " "));

/** A game that I have played, in a line. @param {Plain} game @param {string} name @param {Texts} texts */
export function playedWords(game, name, texts) {
  const seat = game.names.indexOf(name);
  const others = texts.listed(game.names.filter((/** @type {string} */ _, /** @type {number} */ other) => other !== seat));
  const sides = new Set(game.places).size === 2 && game.winners.length * 2 === game.names.length; // two players, or two teams
  const key = game.winners.length === 0 ? "drawn" : game.winners.includes(seat) ? "won" : sides ? "lost" : "place";
  const result = texts(`replays.${key}`, { why: reasonWords(game.reason, texts), place: game.places[seat], count: game.names.length });
  return texts("replays.game", { when: time(game.ended / 1000, texts), game: gameName(game.game, texts), others, result });
}

// Hints

/** What a strategy thinks of an action. @param {Plain} hint @param {Texts} texts */
function opinion({ measure, evaluation, games }, texts) {
  const share = Math.round(100 * evaluation);
  const number = decimal(evaluation.toFixed(1), texts);
  if (measure === "tried") return texts("hint.tried", { share, count: games });
  if (measure === "chance") return share >= 100 ? texts("hint.wins") : texts("hint.chance", { share });
  if (measure === "rounds") return texts("hint.rounds", { rounds: number });
  if (measure === "rows") return texts("hint.rows", { worth: evaluation < 0 ? number : `+${number}` });
  return texts(measure === "only" ? "hint.only" : "hint.any");
}

export const ROW = 4;
const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** The longest row of one colour or species, for the eye: across, down or on a diagonal; webbed cards are in none. @param {Plain[]} grid @param {string|null} word @returns {string[]} */
export function longest(grid, word) {
  if (word === null) return [];
  const cards = new Set(grid.filter((each) => each.token !== "web" && each.card.split("-").includes(word)).map((each) => each.at.join()));
  /** @type {string[]} */
  let best = [];
  for (const first of cards) {
    const [x, y] = first.split(",").map(Number);
    for (const [right, down] of WAYS) {
      const row = [];
      while (cards.has(`${x + right * row.length},${y + down * row.length}`)) row.push(`${x + right * row.length},${y + down * row.length}`);
      if (row.length > best.length) best = row;
    }
  }
  return best;
}

/** The cards of Butterflies once one is laid or moved; null if none is. @param {Plain} action @param {Plain} view @returns {Plain[]|null} */
export function laidOut(action, view) {
  const without = (/** @type {number[]} */ at) => view.grid.filter((/** @type {Plain} */ each) => each.at.join() !== at.join());
  if (action.type === "play") return [...view.grid, { at: action.at, card: action.card }];
  if (action.type === "place") return [...view.grid, { at: action.at, card: view.turned }];
  if (action.type !== "move") return null;
  const moved = view.grid.find((/** @type {Plain} */ each) => each.at.join() === action.from.join());
  return [...without(action.from), { ...moved, at: action.to }];
}

/** The value of a card of Balloon Cup that helps neither who wants high cards nor who wants low ones. */
const MIDDLE = 7;

/** The section where a drive ends. @param {Plain} view @param {number} me @param {Plain} action @returns {number} */
export function driveEnd(view, me, { steps, detour }) {
  let at = view.cars[me];
  for (let step = 0; step < steps; step += 1) at = at === detour ? view.detours[at] : at + 1;
  return at;
}

/** What an action is good for, in the words of its game; empty where nothing is to be said. @type {{[game: string]: (action: Plain, context: Context) => string}} */
const REASONS = {
  "balloon-cup": (action, { me, view, texts }) => {
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
  },
  "hurry-cup": (action, { me, view, texts }) => {
    if (action.type === "move" && me !== null && action.steps) {
      const there = driveEnd(view, me, action);
      const before = view.cars.filter((/** @type {number} */ section, /** @type {number} */ seat) => seat !== me && (view.finished.includes(seat) || section > there));
      const place = view.finished.includes(me) ? view.finished.indexOf(me) + 1 : before.length + 1;
      return texts("hurry.why.drive", { to: where("to", there, texts), place, count: view.cars.length });
    }
    const fuel = view.dice[action.pawn];
    return fuel ? texts("hurry.why.pawn", { fuel, accelerator: view.accelerator }) : "";
  },
  butterflies: (action, { me, view, texts }) => {
    const after = laidOut(action, view);
    if (after === null || me === null) return "";
    const rows = Object.values(view.goals[me]).map((word) => ({ word, row: longest(after, word).length, before: longest(view.grid, word).length }));
    const [best] = rows.filter(({ row, before }) => row > before).sort((one, other) => other.row - one.row);
    return best === undefined ? "" : texts("butterflies.why.row", { goal: named(best.word, texts), count: Math.min(best.row, ROW), row: ROW });
  },
};

/** An action that a hint recommends, in words that need no letters and no numbers of cells: the board shows the rest. @param {Plain} action @param {Context} context */
export function adviceWords(action, context) {
  const { game, me, view, texts } = context;
  if (game === "balloon-cup" && action.type === "play") return texts(`web.advice.balloon-cup.${action.side === me ? "own" : "other"}`, { card: called(action.card, texts), tile: action.tile });
  const at = action.from ?? (["net", "web"].includes(action.type) ? view.last?.at : undefined);
  const card = game === "butterflies" && (action.card ?? (action.type === "place" ? view.turned : view.grid.find((/** @type {Plain} */ each) => same(each.at, at))?.card));
  if (card) return texts(`web.advice.butterflies.${action.type}`, { card: butterfly(card, texts) });
  return choiceWords({ fields: Object.fromEntries(Object.entries(action).filter(([, value]) => value !== null)), legal: [action] }, context);
}

/** Asks for the place of what is picked up, by its name where whoever looks at the places does not see it beside them. @param {Plain} chosen @param {string} game @param {Plain} view @param {Texts} texts */
export function whereTo({ card, from }, game, view, texts) {
  const picked = game !== "butterflies" ? undefined : from === undefined ? card : view.grid.find((/** @type {Plain} */ each) => same(each.at, from))?.card;
  return picked === undefined ? texts("web.where_to") : texts("web.where_to_with", { card: butterfly(picked, texts) });
}

/** Actions that a strategy likes, best first: each with what it is good for, and how good that is if it makes a difference. @param {Plain[]} ranked @param {Context} context @returns {{action: string, why: string}[]} */
export function hintWords(ranked, context) {
  const { texts } = context;
  const figures = ranked.map(({ measure, evaluation }) => `${measure} ${evaluation.toFixed(measure === "rounds" || measure === "rows" ? 1 : 2)}`);
  const equal = ranked.length > 1 && new Set(figures).size === 1;
  return ranked.map((hint) => {
    const reason = REASONS[context.game]?.(hint.action, context) ?? "";
    const shared = reason && (hint.measure === "tried" || hint.measure === "chance");
    const judged = equal ? texts("hint.equal") : shared ? texts("hint.share", { share: Math.round(100 * hint.evaluation) }) : opinion(hint, texts);
    return { action: adviceWords(hint.action, context), why: reason ? texts("hint.reason", { reason, judged }) : judged };
  });
}
