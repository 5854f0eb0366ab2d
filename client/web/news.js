/**
 * What is said: news, moves, refusals and results as sentences, out of the catalogues that all clients share. The page
 * has no text of its own; tests hold these sentences to those of the terminal.
 */

import { whole } from "./choosing.js";
import { gameName } from "./options.js";
import { namesOf, readerOf } from "./reader.js";
import { decimal, time } from "./texts.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./words.js").Context} Context */

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

// Moves

/** The patterns with their fields in the order in which a person thinks of them: maps that travel have none. @param {string} game @param {import("./parlour.js").Pattern[]} legal */
export function inOrderOfFields(game, legal) {
  const order = Object.keys(wordsOf(game)?.fields ?? {});
  return legal.map((pattern) => Object.fromEntries(Object.entries(pattern).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))));
}

/** A value as it travels, without brackets and quotation marks. @param {any} value @returns {string} */
const asSent = (value) => (Array.isArray(value) ? value.map(asSent).join(" ") : typeof value === "string" ? value : JSON.stringify(value));

/** A choice in words: a kind of action, values of fields, or a whole action. @param {Plain} fields @param {Context} context */
export function moveWords(fields, context) {
  const { game, texts } = context;
  const words = wordsOf(game);
  const told = Object.entries(fields).map(([name, value]) => {
    if (name === "type" && words?.unsaid?.(fields)) return "";
    if (name === "type") return texts.orElse(`web.moves.${game}.${value}`, texts.orElse(`moves.${game}.${value}`, value.replaceAll("_", " ")));
    const write = words?.fields[name];
    return write === undefined ? asSent(value) : write(value, fields, context);
  });
  return told.filter(Boolean).join(" ");
}

/** A choice in words; of a whole action also what it does. @param {import("./choosing.js").Choice} choice @param {Context} context */
export function choiceWords({ fields, legal }, context) {
  const kinds = wordsOf(context.game)?.whole;
  const action = kinds === undefined ? null : whole(legal);
  const more = action === null ? [] : (kinds?.[action.type] ?? []);
  return moveWords({ ...fields, ...Object.fromEntries(more.map((name) => [name, action?.[name]])) }, context);
}

/** Asks for the place of what is picked up, by its name where whoever looks at the places does not see it beside them. @param {Plain} chosen @param {string} game @param {Plain} view @param {Texts} texts */
export function whereTo(chosen, game, view, texts) {
  const picked = wordsOf(game)?.picked?.(chosen, view, texts) ?? null;
  return picked === null ? texts("web.where_to") : texts("web.where_to_with", { card: picked });
}

// Hints

/** An action that a hint recommends, in words that need no letters and no numbers of cells: the board shows the rest. @param {Plain} action @param {Context} context */
export function adviceWords(action, context) {
  const choice = { fields: Object.fromEntries(Object.entries(action).filter(([, value]) => value !== null)), legal: [action] };
  return wordsOf(context.game)?.advice?.(action, context) ?? choiceWords(choice, context);
}

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

/** Actions that a strategy likes, best first: each with what it is good for, and how good that is if it makes a difference. @param {Plain[]} ranked @param {Context} context @returns {{action: string, why: string}[]} */
export function hintWords(ranked, context) {
  const { texts } = context;
  const figures = ranked.map(({ measure, evaluation }) => `${measure} ${evaluation.toFixed(measure === "rounds" || measure === "rows" ? 1 : 2)}`);
  const equal = ranked.length > 1 && new Set(figures).size === 1;
  return ranked.map((hint) => {
    const reason = wordsOf(context.game)?.reason(hint.action, context) ?? "";
    const shared = reason && (hint.measure === "tried" || hint.measure === "chance");
    const judged = equal ? texts("hint.equal") : shared ? texts("hint.share", { share: Math.round(100 * hint.evaluation) }) : opinion(hint, texts);
    return { action: adviceWords(hint.action, context), why: reason ? texts("hint.reason", { reason, judged }) : judged };
  });
}

// Results

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
  return wordsOf(info.game)?.decision(view, result, readerOf(namesOf(table), texts, table.seat)) ?? "";
}

/** Seats in the order of their places. @param {number[]} places */
export const inPlaces = (places) => places.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);

/** What a player has come to, in a few words. @param {string} game @param {Plain} view @param {number} seat @param {Texts} texts */
export const scoreWords = (game, view, seat, texts) => wordsOf(game)?.score(view, seat, texts) ?? "";

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
