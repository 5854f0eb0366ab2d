/** What each game says, by its name: what tells news, moves and results asks here, and names no game. */

import { words as balloonCup } from "./words_balloon_cup.js";
import { words as butterflies } from "./words_butterflies.js";
import { words as hurryCup } from "./words_hurry_cup.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./reader.js").Reader} Reader */
/** @typedef {import("./reader.js").Tell} Tell */
/** @typedef {import("./texts.js").Texts} Texts */
/** What words about a move need to know. @typedef {{game: string, me: number|null, names: string[], view: Plain, texts: Texts}} Context */
/** How the value of a field is written; the other fields that are told with it come second. @typedef {(value: any, fields: Plain, context: Context) => string} Write */
/**
 * `fields` are in the order in which a person thinks of them; `facts` are those of a refusal. `whole` has, by the
 * kind of a whole action, the fields that are told though it has no other like it; the kind of an action that is
 * `unsaid` is not told. `picked` names what is picked up. `tip` is the key of what is still to be learnt after the
 * first game, `befallen` tells what befell the reader, and `reason` what an action is good for: empty where nothing
 * is to be said; `side` is the team of a seat, where there are teams. A game that is `practised` is offered for practice as well; `pace` says what no choice of a pace changes.
 * @typedef {{
 *   news: {[type: string]: Tell},
 *   fields: {[field: string]: Write},
 *   facts: {[name: string]: (value: any, texts: Texts) => string},
 *   whole?: {[type: string]: string[]},
 *   unsaid?: (fields: Plain) => boolean,
 *   asked: (view: Plain, legal: Pattern[], texts: Texts) => string,
 *   beforehand: (texts: Texts) => string[],
 *   lesson: (view: Plain, news: Plain[], me: number|null, texts: Texts, practice: boolean, hurried: boolean) => string[],
 *   tip?: (view: Plain, news: Plain[], me: number|null) => string|null,
 *   befallen?: (news: Plain, before: Plain[], told: string, texts: Texts) => string,
 *   picked?: (chosen: Plain, view: Plain, texts: Texts) => string|null,
 *   practised?: boolean,
 *   pace?: (texts: Texts) => string,
 *   advice?: (action: Plain, context: Context) => string|null,
 *   reason: (action: Plain, context: Context) => string,
 *   decision: (view: Plain, result: Plain, reader: Reader) => string,
 *   side?: (options: Plain, seat: number, texts: Texts) => string|null,
 *   score: (view: Plain, seat: number, texts: Texts) => string,
 * }} Words
 */

/** @type {Map<string, Words>} */
const WORDS = new Map([
  ["balloon-cup", balloonCup],
  ["hurry-cup", hurryCup],
  ["butterflies", butterflies],
]);

/** Nothing for a game that a later server may have. @param {string} game @returns {Words|undefined} */
export const wordsOf = (game) => WORDS.get(game);

/** The team of a seat; null where there are none. @param {{game: string, options: Plain}} info @param {number} seat @param {Texts} texts @returns {string|null} */
export const teamWords = ({ game, options }, seat, texts) => wordsOf(game)?.side?.(options, seat, texts) ?? null;
