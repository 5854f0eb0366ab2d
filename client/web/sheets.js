/** What opens over a table: the menu, the rules, the story. */

import { forAbsent } from "./absence.js";
import { inTeams } from "./ending.js";
import { gameName, unusual } from "./options.js";
import { askSure, button, language, sheet } from "./parts.js";
import { h } from "./render.js";
import { leadOf, rules } from "./rules.js";
import { seatLine } from "./seat_line.js";
import { talk } from "./telling.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

/** The rules with these options; of a table also what was agreed there. @param {App} app @param {string} game @param {Plain} options @param {TableInfo|null} [info] @returns {Child} */
export function rulesSheet(app, game, options, info = null) {
  const told = app.sheet === "rules" ? rules(game, options, app.texts) : [];
  const other = info === null ? unusualWords(app, game, options) : terms(info, app.texts);
  const paragraph = (/** @type {string} */ text) => {
    const [lead, rest] = leadOf(text);
    return h("p", null, lead && h("b", null, lead, " "), rest);
  };
  return sheet(app, "rules", app.texts("web.rules_of", { game: gameName(game, app.texts) }), h("div", { class: "rules", tabindex: 0, role: "document" }, other && h("p", { class: "unusual" }, other), told.map(paragraph)));
}

/** What is not as usual at this table, in a sentence; empty if nothing is. @param {App} app @param {string} game @param {Plain} options */
export function unusualWords({ texts }, game, options) {
  const told = unusual(game, options, texts);
  return told.length === 0 ? "" : texts("options.unusual", { options: told.join(texts("list.apart")) });
}

/** What is agreed at a table, in a sentence; of the options only those that are not as usual. @param {TableInfo} info @param {Texts} texts */
export function terms({ game, options, clocks, practice, hints, watching }, texts) {
  const told = [...timeWords(game, clocks, practice, texts), texts(hints ? "terms.hints" : "terms.no_hints"), texts(`terms.watching_${watching}`), ...unusual(game, options, texts)];
  return texts("terms.line", { terms: told.join(texts("list.apart")) });
}

/** How long one may think at a table. @param {string} game @param {Plain} clocks @param {boolean|undefined} practice @param {Texts} texts @returns {string[]} */
export function timeWords(game, { decision, bank, scramble }, practice, texts) {
  const time = decision == null ? texts("terms.no_clock") : bank > 0 ? texts("terms.reserve", { seconds: decision, reserve: bank }) : texts("terms.clock", { seconds: decision });
  return wordsOf(game)?.pace !== undefined && !practice ? [time, texts("terms.scramble", { seconds: scramble })] : [time];
}

/** @param {App} app @param {Table} table @returns {Child} */
export function talkSheet(app, table) {
  return app.sheet === "talk" && sheet(app, "talk", app.texts("web.story"), talk(app, table));
}

/** @param {App} app @param {Table} table @returns {Child} */
export function menuSheet(app, table) {
  const { texts } = app;
  if (app.sheet !== "menu") return null; // not even to ask for permissions: the answer comes from another process
  const open = (/** @type {string} */ name) => () => ((app.sheet = name), app.update());
  const playing = table.seat !== null && table.result === null;
  const leave = () => (playing ? askSure(app, texts("table.sure_leave"), () => app.seats.leave(table)) : app.seats.leave(table));
  const mayNotify = window.isSecureContext && globalThis.Notification?.permission === "default";
  const kicks = table.info.stage === "finished" && h("ol", { class: "seats" }, table.info.chairs.map((_, seat) => seatLine(app, table, seat)));
  return sheet(app, "menu", texts("play.menu"), h("div", { class: "menu" },
    button(texts("play.go_on"), () => ((app.sheet = null), app.update()), "main"),
    forAbsent(app, table),
    button(texts("menu.rules"), open("rules")),
    button(texts("web.story"), open("talk")),
    table.code !== null && table.info.chairs.includes(null) && h("p", null, texts("table.code", { code: table.code })),
    mayNotify && button(texts("web.notify"), () => Notification.requestPermission().then(() => app.update())),
    language(app),
    table.info.tournament != null && button(texts("web.to_tournament"), () => app.go("tournament", table.info.tournament ?? "")),
    button(texts("play.to_lobby"), () => app.go("lobby")),
    playing && button(texts("play.resign"), () => askSure(app, texts(inTeams(table.info) ? "play.sure_resign_team" : "play.sure_resign"), () => app.resign(table))),
    button(texts("table.leave"), leave),
    kicks));
}
