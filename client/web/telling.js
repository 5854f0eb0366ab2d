/** The story of a game on the screen, and what players say to each other. */

import { sentence } from "./news.js";
import { ask, said } from "./parts.js";
import { namesOf } from "./reader.js";
import { h } from "./render.js";
import { glance, missed } from "./story.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./render.js").Child} Child */

/** Lines on how a game ended, for which there is room. */
const MOST_DECIDED = 3;

/** @param {App} app @param {Table} table @param {(string|undefined)[]} elsewhere what is told in another place @returns {Child} */
export function lastNews(app, table, elsewhere) {
  const open = () => ((app.sheet = "talk"), app.update());
  const told = atAGlance(app, table, elsewhere);
  const more = missed(app.chronicle.stories.get(table.id), app.chronicle.seenAt(table).told);
  return told.length > 0 && h("button", { type: "button", class: "latest", onClick: open }, h("span", { class: "unseen" }, app.texts("web.story")), h("span", { class: "glance" }, told), more > 0 && h("span", { class: "more", "aria-hidden": "true" }, `+${more}`));
}

/** @param {App} app @param {Table} table @param {(string|undefined)[]} [elsewhere] @returns {Child[]} */
export const atAGlance = (app, table, elsewhere = []) => glance(app.chronicle.stories.get(table.id), app.chronicle.seenAt(table).told).filter((line) => !elsewhere.includes(line.text)).map((line) => said(line.who, line.text, line.matters ? "matters" : ""));

/** What was last decided in a game that has ended, where it was played out. @param {App} app @param {Table} table @returns {Child[]} */
export function howItEnded({ boards, texts }, table) {
  const { info, news, result, seat } = table;
  const { decide: kinds = [] } = boards.get(info.game) ?? {};
  const told = result === null || result.reason === "forfeit" ? [] : news.filter(({ type }) => kinds.includes(type));
  const first = told.findLastIndex(({ type }) => type === kinds[0]);
  return told.slice(Math.max(0, first)).slice(-MOST_DECIDED).map((each) => h("p", { class: "how" }, sentence(info.game, each, namesOf(table), texts, seat, true)));
}

/** @param {App} app @param {Table} table @returns {Child} */
export function story(app, table) {
  const { told: all = [], answered = [] } = app.chronicle.stories.get(table.id) ?? {};
  const told = all.slice(0, app.chronicle.seenAt(table).told);
  const since = (/** @type {number} */ place) => place === answered.at(-1) && h("p", { class: "since" }, app.texts("web.since_move"));
  return h("div", { class: "story", tabindex: 0, role: "log", "aria-live": "off", "aria-label": app.texts("web.story") }, told.map((line, place) => [since(place), storyLine(app, line)]));
}

/** A line of the story; a touch shows on the board where it was, and whoever hears it is told the cells. @param {App} app @param {import("./story.js").Told} line */
function storyLine(app, { who, text, shows = [], cells }) {
  if (shows.length === 0) return said(who, text);
  return h("p", { class: "points", onClick: () => app.chronicle.point(shows) }, text, cells && h("span", { class: "unseen" }, ` ${cells}`));
}

/** @param {App} app @param {Table} table @returns {Child} */
export const talk = (app, table) => h("section", { class: "talk", "aria-label": app.texts("web.talk") }, story(app, table), talkLine(app, table));

/** @param {App} app @param {Table} table @returns {Child} */
export function talkLine(app, table) {
  if (table.seat === null) return h("p", { class: "faint" }, app.texts("lobby.watchers_listen"));
  return ask(app.texts("lobby.say"), app.texts("web.send"), (text) => app.ask("say", { table: table.id, text }));
}
