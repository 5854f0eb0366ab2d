/** How a game ended: its outcome, what decided it, places and scores. */

import { gameName } from "./options.js";
import { namesOf, readerOf } from "./reader.js";
import { time } from "./texts.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */

/** Whether partners win and lose together. @param {{options?: Plain}} info */
export const inTeams = ({ options }) => options?.teams === "on";

/** How a game ended, in a sentence. @param {Table} table @param {Texts} texts */
export function outcome(table, texts) {
  const result = table.result ?? { winners: [], reason: "" };
  const won = result.winners.some((seat) => seat === table.seat);
  if (table.seat !== null && inTeams(table.info) && result.winners.length > 0) return texts(`over.your_team_${won ? "won" : "lost"}`, { why: reasonWords(result.reason, texts) });
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
