/**
 * What is told while a game goes on, in its own words: news, what is asked, what a beginner should know, and why
 * something was refused. The page has no text of its own; tests hold these sentences to those of the terminal.
 */

import { readerOf } from "./reader.js";
import { capital } from "./texts.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */

/** One piece of news as a sentence; nothing for a kind that a later server may have. @param {string} game @param {Plain} news @param {string[]} names @param {Texts} texts @param {number|null} me @param {boolean} [seen] beside a board that shows where it was: without numbers of cells */
export function sentence(game, news, names, texts, me, seen = false) {
  return wordsOf(game)?.news[news.type]?.(news, readerOf(names, texts, me, seen)) ?? "";
}

/** What befell the reader without a tap, and what that means. @param {string} game @param {Plain} news @param {Plain[]} before the news before it @param {string} told the same as news @param {Texts} texts */
export const befallenWords = (game, news, before, told, texts) => wordsOf(game)?.befallen?.(news, before, told, texts) ?? told;

/** The cells that news is about, as they are typed in the terminal. @param {Plain} news */
export const cellsOf = (news) => [news.from, news.to ?? news.at].filter(Array.isArray).map((at) => at.join(",")).join(" → ");

/** What is asked of somebody now, in a few words. @param {string} game @param {Plain} view @param {import("./parlour.js").Pattern[]} legal @param {Texts} texts */
export const asked = (game, view, legal, texts) => wordsOf(game)?.asked(view, legal, texts) ?? texts("play.your_turn");

// For beginners

/** To whoever is new, and waits at a table: what can be read before a clock runs. @param {string} game @param {Texts} texts @returns {string[]} */
export const beforehand = (game, texts) => wordsOf(game)?.beforehand(texts) ?? [];

/** What is still to be learnt of a game after the first one, when it can be done for the first time: the key of its text, which is shown until it was read. @param {string} game @param {Plain} view @param {Plain[]} news @param {number|null} me @returns {string|null} */
export const laterTip = (game, view, news, me) => wordsOf(game)?.tip?.(view, news, me) ?? null;

/** To whoever is new: at first the aim, then what happens now and what the choices mean; nothing for a game that has no lesson. Where people race each other there is a line to be read at a glance. @param {string} game @param {Plain} view @param {Plain[]} news @param {number|null} me @param {Texts} texts @param {boolean} [practice] @param {boolean} [hurried] @returns {string[]} */
export const lesson = (game, view, news, me, texts, practice = false, hurried = false) => wordsOf(game)?.lesson(view, news, me, texts, practice, hurried) ?? [];

// Refusals

const COUNTED = ["most", "needed", "pawns"];

/** @param {string} game @param {string} name @param {any} value @param {Texts} texts */
function fact(game, name, value, texts) {
  const write = wordsOf(game)?.facts[name];
  return write !== undefined ? write(value, texts) : Array.isArray(value) ? value.join(",") : value;
}

/** Why a server, or its rules, said no, as a sentence of its own. @param {{code: string, facts: Plain}} wrong @param {Texts} texts @param {string} [game] */
export const refusal = (wrong, texts, game = "") => capital(reasonOf(wrong, texts, game));

/** @param {{code: string, facts: Plain}} wrong @param {Texts} texts @param {string} game */
function reasonOf({ code, facts }, texts, game) {
  if (texts.has(`refused.name.${facts.rule}`)) return texts(`refused.name.${facts.rule}`, { most: facts.most ?? "?" });
  if (code === "bad_options" && texts.has(`refused.options.${facts.where}`)) return texts(`refused.options.${facts.where}`);
  if (texts.has(`why.${facts.why}`)) {
    const key = facts.why === "token_used" && "token" in facts ? "why.token_spent" : `why.${facts.why}`;
    const told = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, fact(game, name, value, texts)]));
    return texts(key, { ...told, count: COUNTED.map((name) => facts[name]).find((value) => value !== undefined) ?? 0 });
  }
  return texts.orElse(`refused.${code}`, code);
}
