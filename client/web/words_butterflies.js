/** What Butterflies says: its cards and goals, its news and moves, and the rows that lie on the grid. */

import { same } from "./choosing.js";
import { ofASeat } from "./reader.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./reader.js").Tell} Tell */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./words.js").Context} Context */
/** @typedef {import("./words.js").Write} Write */

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
const NEWS = {
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

/** The card that lies at a place, if one does. @param {Plain} view @param {number[]|undefined} at @returns {string|undefined} */
const cardAt = (view, at) => view.grid.find((/** @type {Plain} */ each) => same(each.at, at))?.card;

/** @type {Write} */
function goal(value, fields, { me, names, view, texts }) {
  const owner = fields.seat ?? me ?? 0;
  const word = view.goals[owner][value];
  const told = word ? named(word, texts) : texts(`moves.goals.${value}`);
  return owner === me ? told : texts("moves.goal_of", { goal: told, name: names[owner] });
}

/** A goal that one knows is asked about only where its row is there; of another nobody can tell. @param {Plain} goal @param {Context} context */
const declared = (goal, { view }) => (view.goals[goal.seat][goal.goal] === null ? "moves.declare" : "moves.declare_row");

/** @type {Write} */
const cell = (value) => value.join(",");

/** @type {{[field: string]: Write}} */
const FIELDS = {
  card: (value, _, { texts }) => butterfly(value, texts),
  at: cell,
  from: cell,
  to: cell,
  declare: (value, fields, context) =>
    value === null ? context.texts("moves.declare_nothing") : context.texts(declared(value, context), { goal: goal(value.goal, { ...fields, seat: value.seat }, context) }),
  goal,
  seat: (value, fields, { names }) => ("goal" in fields ? "" : names[value]),
};

/** What else than laying cards one does. */
const OTHERWISE = ["card_moved", "token_placed"];
/** Cards that everybody must have played before anybody moves one of the grid. */
export const MOVING_FROM = 3;
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

/** The cards once one is laid or moved; null if none is. @param {Plain} action @param {Plain} view @returns {Plain[]|null} */
export function laidOut(action, view) {
  if (action.type === "play") return [...view.grid, { at: action.at, card: action.card }];
  if (action.type === "place") return [...view.grid, { at: action.at, card: view.turned }];
  if (action.type !== "move") return null;
  const moved = view.grid.find((/** @type {Plain} */ each) => same(each.at, action.from));
  return [...view.grid.filter((/** @type {Plain} */ each) => each !== moved), { ...moved, at: action.to }];
}

/** What is asked: all that is legal, and nothing else. @param {Plain} view @param {import("./parlour.js").Pattern[]} legal @param {Texts} texts */
function asked(view, legal, texts) {
  if (view.phase === "place") return texts("butterflies.asked.place");
  const may = (/** @type {string[]} */ ...kinds) => legal.some(({ type }) => kinds.includes(type));
  const cards = ["play", "turn", "move"].filter((kind) => may(kind)).join("_");
  if (cards === "play" && legal.every(({ type, card }) => type === "play" && typeof card === "string")) return texts("web.where_to_with", { card: butterfly(legal[0].card, texts) }); // it is raised
  const told = cards === "" ? texts("play.your_turn") : texts(`web.asked.butterflies.${cards}`);
  return may("net", "web") ? texts("web.asked_or_token", { asked: told }) : told;
}

/** Cards can be moved for the first time. @param {Plain} view @param {Plain[]} news @param {number|null} me */
function tip({ played }, news, me) {
  if (me === null || Math.min(...played) < MOVING_FROM) return null;
  return news.some((each) => each.seat === me && OTHERWISE.includes(each.type)) ? null : "web.lesson.butterflies_more";
}

/** An action on a card, by the name of that card. @param {Plain} action @param {Context} context */
function advice(action, { view, texts }) {
  const at = action.from ?? (["net", "web"].includes(action.type) ? view.last?.at : undefined);
  const card = action.card ?? (action.type === "place" ? view.turned : cardAt(view, at));
  return card ? texts(`web.advice.butterflies.${action.type}`, { card: butterfly(card, texts) }) : null;
}

/** The name of the card that is laid or moved. @param {Plain} chosen @param {Plain} view @param {Texts} texts */
function picked({ card, from }, view, texts) {
  const found = from === undefined ? card : cardAt(view, from);
  return found === undefined ? null : butterfly(found, texts);
}

/** The longest row that grows. @param {Plain} action @param {Context} context */
function reason(action, { me, view, texts }) {
  const after = laidOut(action, view);
  if (after === null || me === null) return "";
  const rows = Object.values(view.goals[me]).map((word) => ({ word, row: longest(after, word).length, before: longest(view.grid, word).length }));
  const [best] = rows.filter(({ row, before }) => row > before).sort((one, other) => other.row - one.row);
  return best === undefined ? "" : texts("butterflies.why.row", { goal: named(best.word, texts), count: Math.min(best.row, ROW), row: ROW });
}

/** As the terminal tells it. @param {Plain} view @param {Plain} result @param {import("./reader.js").Reader} reader @returns {string} */
function decision(view, { winners }, reader) {
  const { about, me, names, texts } = reader;
  if (winners.length === 0 || view.won === null) return NEWS.game_drawn({ quiet: view.quiet }, reader);
  const word = view.goals[view.won.seat][view.won.goal];
  if (word === null) return NEWS.game_won({ seats: winners }, reader);
  const goal = named(word, texts);
  if (winners.length === 1) return about("butterflies.news.won_by_goal", view.won.seat, { goal });
  const told = { who: texts.listed(winners.map((/** @type {number} */ seat) => names[seat])), goal };
  return me === null ? texts("butterflies.team_won", told) : texts(`butterflies.news.your_team_${winners.includes(me) ? "won" : "lost"}_by_goal`, told);
}

/** Partners sit opposite each other. @param {number} seat */
export const sideLetter = (seat) => "AB"[seat % 2];

/** @type {import("./words.js").Words} */
export const words = {
  news: NEWS,
  fields: FIELDS,
  facts: { card: butterfly },
  asked,
  beforehand: (texts) => [texts("web.lesson.butterflies_aim")],
  lesson: (view, _, me, texts) => (me !== null && view.played[me] < 2 ? [texts("web.lesson.butterflies_aim")] : []),
  tip,
  advice,
  picked,
  reason,
  decision,
  side: ({ teams }, seat, texts) => (teams === "on" ? texts("butterflies.team", { team: sideLetter(seat) }) : null),
  score: (view, seat, texts) => Object.values(view.goals[seat]).filter((word) => word !== null).map((word) => named(word, texts)).join(texts("list.between")),
};
