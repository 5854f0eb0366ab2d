/** Moves in words: what is chosen, what a hint recommends, and what that is good for. */

import { whole } from "./choosing.js";
import { decimal } from "./texts.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./words.js").Context} Context */

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
