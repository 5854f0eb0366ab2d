/** What Hurry' Cup says: dice, pawns and sections, its news and moves, what a race teaches, and how fast a car is. */

import { ofASeat } from "./reader.js";
import { inARow } from "./texts.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./reader.js").Tell} Tell */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./words.js").Write} Write */

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
const NEWS = {
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

/** The section where a drive ends. @param {Plain} view @param {number} me @param {Plain} action @returns {number} */
export function driveEnd(view, me, { steps, detour }) {
  let at = view.cars[me];
  for (let step = 0; step < steps; step += 1) at = at === detour ? view.detours[at] : at + 1;
  return at;
}

/** Why no drive leads to a section: what stands on the first one on the way that the car could not enter, although it has the fuel. What may be entered is known from `reach` alone. @param {Plain} view @param {number} seat @param {number} section @param {number[]} reach @param {Texts} texts */
export function keptFrom({ cars, fuel, speeds, track, oil }, seat, section, reach, texts) {
  const far = cars[seat] + fuel[seat];
  for (let at = cars[seat] + 1; at <= Math.min(section, far); at += 1) {
    if (reach.includes(at)) continue;
    const { limit = null } = track[at - 1] ?? {};
    if (oil === at) return texts("web.too_fast_oil", { speed: speeds[seat], section: at });
    if (limit !== null) return texts("web.too_fast", { speed: speeds[seat], section: at, limit });
  }
  return section > far ? texts("web.too_far", { fuel: fuel[seat] }) : texts("hurry.practice.drive");
}

/** @type {Write} */
function pawn(value, _, { view, texts }) {
  const die = view.dice?.[value];
  return `${pawnColour(value, texts)}${die ? ` ${die}` : ""}`;
}

/** @type {{[field: string]: Write}} */
const FIELDS = {
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
};

/** The phase as people know it: where crews are ranked in secret, nobody grabs. @param {Plain} view @returns {string} */
const phaseOf = (view) => (view.phase === "grab" && view.options.grab === "sealed" ? "rank" : view.phase);

/** The fuel of whoever drives, and the speed that is compared with the signs; empty if nobody does. @param {Plain} view @param {Texts} texts */
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

/** What happens now and what the choices mean, less in a race that is not for practice; where people race each other, a line to be read at a glance. @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts @param {boolean} practice @param {boolean} hurried @returns {string[]} */
function lesson(view, news, me, texts, practice, hurried) {
  const phase = phaseOf(view);
  const done = news.some((each) => each.seat === me && DONE[phase]?.includes(each.type));
  const asks = me !== null && view.to_act.includes(me);
  const met = practice && asks && phase === "drive" ? firstMet(view, news, me, texts) : [];
  if (view.round > LEARNT && (done || !practice || !asks)) return met;
  if (!asks) return [texts.orElse(`hurry.practice_wait.${phase}`, "")].filter(Boolean);
  const dry = view.tank_due === me && ["look", "grab", "rank"].includes(phase);
  const raced = !practice && ["horn", "grab"].includes(phase);
  const now = dry ? texts("hurry.does.tank_due", { fuel: view.options.empty_tank }) : raced ? texts(`web.raced.${phase}`) : texts.orElse(`hurry.practice.${phase}`, "");
  if (raced && hurried) return [now];
  const tokens = phase !== "drive" ? "" : view.token_used[me] ? texts("hurry.practice_token.used") : view.trumps[me].includes("helmet") ? texts("hurry.practice_token.helmet") : "";
  const begins = view.round === 1 && view.pawns[me] === null;
  const sum = phase === "drive" && met.length === 0 ? sumWords(view, me, texts) : "";
  return [begins ? texts("hurry.practice_first.aim") : "", sum, ...met, tokens ? inARow([now, tokens], texts) : now].filter(Boolean);
}

/** What a driver meets for the first time: somebody else's swap, and a sign that is lower than the speed right ahead, with the tokens that are for it. @param {Plain} view @param {Plain[]} news @param {number} me @param {Texts} texts */
function firstMet(view, news, me, texts) {
  const round = news.findLastIndex((each) => each.type === "round_begun");
  const swaps = news.flatMap((each, place) => (each.type === "pawns_swapped" && each.with === me ? [place] : []));
  const swapped = swaps.length === 1 && swaps[0] > round ? [texts("web.lesson.hurry_swapped", { fuel: view.fuel[me] })] : [];
  const { limit = null } = view.track[view.cars[me]] ?? {}; // of the next section
  if (limit === null || limit >= view.speeds[me] || view.token_used[me]) return swapped;
  const did = (/** @type {string} */ type) => news.some((each) => each.seat === me && each.type === type);
  const helmet = view.trumps[me].includes("helmet") && !did("helmet_put_on") ? texts("web.lesson.hurry_frees") : "";
  const chance = view.second_chance[me] ? (did("die_rerolled") ? "" : texts("web.lesson.hurry_chance")) : did("car_stayed") ? "" : texts("web.lesson.hurry_stuck");
  return [...swapped, chance, helmet].filter(Boolean);
}

/** A pawn that was left, with its die; a drive without a choice. @param {Plain} news @param {Plain[]} before the news before it @param {string} told the same as news @param {Texts} texts */
function befallen({ type, pawn }, before, told, texts) {
  if (type === "car_moved" || type === "car_stayed") return texts("list.sentences", { told: texts("web.no_choice"), more: told });
  const values = before.findLast(({ dice: seen }) => Array.isArray(seen))?.dice;
  return type === "pawn_taken" && values ? texts("web.pawn_left", { pawn: texts("hurry.die", { colour: pawnColour(pawn, texts), value: values[PAWNS.indexOf(pawn)] }) }) : told;
}

/** As the terminal tells it, without the places, which stand below it on the page. @param {Plain} view @param {Plain} result @param {import("./reader.js").Reader} reader @returns {string} */
function decision(view, { winners, reason }, { about }) {
  if (winners.length !== 1) return "";
  const [winner] = winners;
  const points = view.points[winner];
  return reason === "points" ? about("hurry.news.won_points", winner, { points, count: points }) : about("hurry.news.won_race", winner);
}

/** @param {Plain} view @param {number} seat @param {Texts} texts */
function score(view, seat, texts) {
  if (view.options.races > 1) return texts("hurry.points", { points: view.points[seat], count: view.points[seat] });
  return view.finished.includes(seat) ? texts("hurry.finish") : texts("moves.section", { section: view.cars[seat] });
}

/** Where a drive leads, and what a die is worth. @param {Plain} action @param {import("./words.js").Context} context */
function reason(action, { me, view, texts }) {
  if (action.type === "move" && me !== null && action.steps) {
    const there = driveEnd(view, me, action);
    const before = view.cars.filter((/** @type {number} */ section, /** @type {number} */ seat) => seat !== me && (view.finished.includes(seat) || section > there));
    const place = view.finished.includes(me) ? view.finished.indexOf(me) + 1 : before.length + 1;
    return texts("hurry.why.drive", { to: where("to", there, texts), place, count: view.cars.length });
  }
  const fuel = view.dice[action.pawn];
  return fuel ? texts("hurry.why.pawn", { fuel, accelerator: view.accelerator }) : "";
}

/** @type {import("./words.js").Words} */
export const words = {
  news: NEWS,
  fields: FIELDS,
  facts: { pawn: (value, texts) => texts.orElse(`hurry.colour.${value}`, String(value)) },
  whole: { move: ["steps", "detour"] },
  // Whoever stays does not drive.
  unsaid: ({ type, steps }) => type === "move" && steps === 0,
  asked: (view, _, texts) => speedWords(view, texts) || texts.orElse(`web.asked.hurry-cup.${phaseOf(view)}`, "") || texts.orElse(`hurry.asked.${phaseOf(view)}`, texts("play.your_turn")),
  beforehand: (texts) => [texts("hurry.practice_first.aim"), texts("hurry.practice.horn"), texts("hurry.practice.drive")],
  lesson,
  befallen,
  practised: true,
  pace: (texts) => texts("web.hurries"),
  reason,
  decision,
  score,
};
