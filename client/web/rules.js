/** The rules of a game with its options, paragraph by paragraph, each with its lead words. */

import { settledOptions } from "./options.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */

/** A paragraph of the rules as its lead words, `Your turn.` or `4. Horn.`, and what follows. @param {string} text @returns {[lead: string, rest: string]} */
export function leadOf(text) {
  const found = /^((?:\d\. )?(?:[^\s.:。：]+(?: [^\s.:。：]+)?)[.:。：])\s*(?=\S)/.exec(text);
  return found !== null && found[1].length <= MOST_LEAD ? [found[1], text.slice(found[0].length)] : ["", text];
}

/** Letters of lead words: more are a sentence. */
const MOST_LEAD = 24;

/** The rules with these options, paragraph by paragraph; none for a game that has no text here. @param {string} game @param {Plain} given @param {Texts} texts @returns {string[]} */
export function rules(game, given, texts) {
  const tell = RULES[game];
  if (tell === undefined) return [];
  const options = settledOptions(game, given);
  const rule = texts.rules;
  const first = options.first === "random" ? rule("common.first_random") : rule("common.first_seat", { seat: options.first + 1 });
  return tell(options, first, rule);
}

/** @type {{[game: string]: (options: Plain, first: string, rule: Texts) => string[]}} */
const RULES = {
  "balloon-cup": (options, first, rule) => [
    ...["goal", "cards", "trophies", "setup"].map((key) => rule(`balloon-cup.${key}`)),
    ...(options.tile_cap === "none" ? [] : [rule("balloon-cup.tile_cap")]),
    ...(options.table_cap === "on" ? [rule("balloon-cup.table_cap")] : []),
    first,
    ...["turn", "fit", `side_${options.opponent_side}`].map((key) => rule(`balloon-cup.${key}`)),
    ...(options.wind === "on" ? [rule("balloon-cup.wind")] : []),
    ...[`stuck_${options.stuck_shows}`, "score", "refill", "next", "forced"].map((key) => rule(`balloon-cup.${key}`)),
    ...[`trade_${options.trade}`, `paid_${options.paid_cubes}`, "end", "lock"].map((key) => rule(`balloon-cup.${key}`)),
    rule("common.clock"),
    rule("balloon-cup.default"),
    rule("common.leave_two"),
  ],
  "hurry-cup": (options, first, rule) => [
    ...["goal", "road"].map((key) => rule(`hurry-cup.${key}`)),
    rule(`hurry-cup.track_${typeof options.track === "string" && rule.has(`hurry-cup.track_${options.track}`) ? options.track : "own"}`),
    ...["crews", "dice", "order"].map((key) => rule(`hurry-cup.${key}`)),
    first,
    ...["lantern", "boost", "roll", "horn", `grab_${options.grab}`, "scramble", "swap", "drive", "stuck"].map((key) => rule(`hurry-cup.${key}`)),
    ...["bonus", "one_token", "trumps", "second_chance", "detour", "boost_token", "assist"].map((key) => rule(`hurry-cup.${key}`)),
    ...["oil", "swap_token"].map((key) => rule(`hurry-cup.${key}`)),
    rule("hurry-cup.empty_tank", { fuel: options.empty_tank }),
    ...["finish", `end_${options.races > 1 ? "first" : options.finish}`].map((key) => rule(`hurry-cup.${key}`)),
    options.races > 1 ? rule("hurry-cup.races", { races: options.races, count: options.races }) : rule("hurry-cup.race_alone"),
    rule("common.clock"),
    rule("hurry-cup.default"),
    rule("common.leave_many"),
  ],
  butterflies: (options, first, rule) => [
    ...["goal", "cards", "setup"].map((key) => rule(`butterflies.${key}`)),
    first,
    ...["turn", "later", "lay", "move", "net", "web", "tokens", "deck", "row"].map((key) => rule(`butterflies.${key}`)),
    rule(`butterflies.declare_${options.declare}`),
    rule(options.teams === "on" ? "butterflies.teams" : "butterflies.teams_none"),
    rule("butterflies.draw", { count: options.quiet_limit }),
    rule("common.clock"),
    rule("butterflies.default"),
    rule(options.teams === "on" ? "common.leave_teams" : "common.leave_some"),
  ],
};
