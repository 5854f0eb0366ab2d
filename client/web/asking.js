/** What is asked of the reader, in words, with buttons for what is not chosen by touching the board; and hints. */

import { choices, settled, whole } from "./choosing.js";
import { adviceWords, choiceWords, hintWords, whereTo } from "./moves.js";
import { asked } from "./news.js";
import { levelWords } from "./options.js";
import { button, icon, timer } from "./parts.js";
import { namesOf } from "./reader.js";
import { h } from "./render.js";
import { capital } from "./texts.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Entry} Entry */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

/** What is asked. @param {App} app @param {Table} table @returns {Child} */
export function prompt(app, table) {
  const { texts, entry } = app;
  const home = table.seat === null ? null : (app.boards.get(table.info.game)?.home?.(app.chronicle.seenAt(table).table.view ?? {}, table.seat, texts) ?? null);
  if (entry === null && home !== null) return atHome(app, table, home);
  if (entry === null) return h("div", { class: "asking" }, h("p", { class: "asks" }, app.waitingWords(table)));
  const { advice } = app;
  const declares = inWords(app, entry).some(({ fields }) => fields.declare);
  const advised = advice?.ranked && entry.shown !== undefined ? adviceWords(entry.shown, contextOf(table, texts)) : null;
  const question = advised !== null ? capital(advised) : entry.shown !== undefined ? texts("web.confirm") : declares ? texts("web.declare") : aims(app, entry) ? whereTo(settled(app.legal), table.info.game, table.view ?? {}, texts) : capital(asked(table.info.game, table.view ?? {}, entry.steps[0], texts));
  return h("div", { class: "asking" },
    h("p", { class: `asks mine ${advised === null ? "" : "advised"}` }, "▶ ", question),
    timer(table),
    advised !== null && icon("✓", texts("web.hint_play"), () => app.choose(app.legal), { class: "icon main" }),
    entry.steps.length > 1 && icon("✕", texts("web.let_go"), () => app.back()));
}

/** To a player who has nothing more to do: how to have the end at once, as far as it has been played, or to hear of it elsewhere. @param {App} app @param {Table} table @param {string} words @returns {Child} */
function atHome(app, table, words) {
  const { texts } = app;
  const { playback } = app.chronicle;
  return [
    h("div", { class: "asking" }, h("p", { class: "asks mine" }, words)),
    h("div", { class: "row words" },
      playback.behind(table) !== null && button(texts("web.to_end"), () => (playback.skip(), app.update()), "main"),
      button(texts("web.to_lobby"), () => app.go("lobby"))),
  ];
}

/** What is chosen in words: all that is not chosen by touching the board. @param {App} app @param {Entry} entry */
function inWords(app, entry) {
  const { legal } = app;
  const board = app.boards.get(app.table?.info.game ?? "");
  const touched = board?.touched ?? [];
  const order = (/** @type {Pattern} */ pattern) => board?.order?.(pattern) ?? 0;
  if (entry.shown !== undefined) return choices(legal).map((choice) => ({ ...choice, ends: true }));
  if (entry.steps.length === 1) return choices(legal.filter((pattern) => !touched.includes(pattern.type)).sort((one, other) => order(one) - order(other)));
  const all = choices(legal);
  if (!touched.includes(legal[0].type)) return all;
  if (all.some((choice) => choice.picked !== undefined)) return all.filter((choice) => choice.ends);
  return aims(app, entry) ? [] : all.sort((one, other) => order(one.legal[0]) - order(other.legal[0]));
}

/** Whether a card is picked up whose place is to be touched next. @param {App} app @param {Entry} entry */
function aims({ legal, table, boards }, entry) {
  const board = boards.get(table?.info.game ?? "");
  if (board === undefined || entry.steps.length === 1 || !board.touched.includes(legal[0].type)) return false;
  return board.places.some((name) => name in legal[0] && !(name in entry.said));
}

/** What is chosen in words. @param {App} app @param {Table} table @returns {Child} */
export function words(app, table) {
  const { texts, legal, entry } = app;
  const shown = entry === null || (app.advice?.ranked && entry.shown !== undefined) ? [] : inWords(app, entry);
  if (shown.length === 0) return null;
  const context = contextOf(table, texts);
  const signs = shown.map(({ legal }) => (entry?.shown === undefined && app.boards.get(table.info.game)?.sign?.(whole(legal) ?? {})) || null);
  const brief = signs.filter((sign) => sign !== null).length > 1; // one by itself would say too little
  const costs = shown.map(({ fields }) => texts.orElse(`web.costs.${table.info.game}.${fields.type}`, "")).filter(Boolean); // told before, for there is no second tap that could tell it
  return h("div", { class: "row words", role: "group", "aria-label": texts("web.choices"), "data-arrows": "" }, shown.map((choice, place) => {
    const fields = choice.ends ? { type: legal[0].type, ...choice.fields } : choice.fields;
    const label = entry?.shown === undefined ? `${choice.picked ? "✓ " : ""}${choiceWords({ ...choice, fields }, context)}` : `✓ ${adviceWords(entry.shown, context)}`;
    const sign = brief ? signs[place] : null;
    const lead = sign !== null && signs.findIndex((each) => each !== null) === place && h("span", { class: "kind", "aria-hidden": "true" }, choiceWords({ fields: { type: whole(choice.legal)?.type }, legal: [] }, context));
    return [lead, button(sign ?? label, () => app.choose(choice.legal), choice.ends || choice.fields.declare ? "main" : "", sign === null ? {} : { "aria-label": label })];
  }), entry?.shown === undefined && costs.map((cost) => h("p", { class: "cost" }, cost)));
}

const bulb = () => h("svg", { class: "bulb", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M8.500 16.500C7 14.500 5 13 5 9.500a7 7 0 0 1 14 0c0 3.500-2 5-3.500 7zM9 19.500h6M10.500 22h3" }));

/** Asks for a hint; where the table allows none, it is not there. @param {App} app @param {Table} table @returns {Child} */
export function hintButton(app, table) {
  if (table.seat === null || table.result !== null || table.info.hints === false || table.info.tournament != null) return null;
  return icon(bulb(), app.texts("web.hint"), () => app.askHint(table), { disabled: app.entry === null });
}

/** What a bot would play: one of it is shown on the board, with what speaks for it. @param {App} app @param {Table} table @returns {Child} */
export function hints(app, table) {
  const { texts, advice } = app;
  if (advice === null) return null;
  const strategy = levelWords("search", texts);
  if (advice.ranked === null) return h("div", { class: "hints" }, h("p", { role: "status" }, texts("hint.thinking", { strategy })));
  const told = hintWords(advice.ranked, contextOf(table, texts));
  return h("div", { class: "hints", role: "group", "aria-label": texts("web.hints"), "data-arrows": "" },
    h("h2", null, texts("hint.title", { strategy })),
    told.map(({ action }, place) => h("button", { type: "button", "aria-label": `${place + 1}: ${action}`, "aria-pressed": String(place === advice.at), onClick: () => app.showHint(place) }, bulb(), place + 1)), // a bare number would be a tile, or sections to drive
    h("p", { role: "status" }, told[advice.at].why));
}

/** @param {Table} table @param {Texts} texts */
const contextOf = (table, texts) => ({ game: table.info.game, me: table.seat, names: namesOf(table), view: table.view ?? {}, texts });
