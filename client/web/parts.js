/** What screens are made of: buttons, fields, the frame of a page, and what opens over it. */

import { gameName } from "./options.js";
import { namesOf } from "./reader.js";
import { h } from "./render.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./render.js").Child} Child */

/** Milliseconds that a first line may take before it is called lost. */
const OPENING = 4000;
/** Seconds that are so few that they are shown in another colour. */
const HURRY = 6;

/** @param {string} label @param {() => void} action @param {string} [kind] @param {Plain} [more] */
export const button = (label, action, kind = "", more = {}) => h("button", { type: "button", class: kind, onClick: action, ...more }, label);

/** A button with a sign that is seen and a name that is heard. @param {Child} sign @param {string} name @param {() => void} action @param {Plain} [more] */
export const icon = (sign, name, action, more = {}) =>
  h("button", { type: "button", class: "quiet icon", onClick: action, ...more }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "unseen" }, name));

/** @param {string} label @param {any} value @param {{value: any, label: string}[]} options @param {(value: any) => void} choose @param {string} [about] */
export function select(label, value, options, choose, about = "") {
  const change = (/** @type {Event} */ event) => choose(options[/** @type {HTMLSelectElement} */ (event.target).selectedIndex].value);
  const items = options.map((each) => h("option", { selected: each.value === value }, each.label));
  return h("label", { class: "field" }, h("span", null, label), h("select", { onChange: change }, items), about && h("small", null, about));
}

/** @param {App} app @returns {Child} */
export function language(app) {
  const options = Object.entries(app.texts.languages).map(([value, label]) => ({ value, label }));
  return select(app.texts("web.language"), app.texts.language, options, (value) => app.speak(value));
}

/** A form with one line of text; `kept` leaves it there, `wanted` says so where there is none. @param {string} label @param {string} done @param {(text: string) => void} send @param {Plain} [more] */
export function ask(label, done, send, more = {}) {
  const { kept: held, wanted, ...attributes } = more;
  const typed = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).setCustomValidity("");
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("text"));
    if (input.value.trim() === "") {
      input.setCustomValidity(wanted ?? "");
      return void input.reportValidity();
    }
    send(input.value);
    if (!held) input.value = "";
  };
  // What stands there is a suggestion, or is to be replaced: typing does. Later, for the tap itself sets the caret.
  const all = (/** @type {FocusEvent} */ event) => setTimeout(() => /** @type {HTMLInputElement} */ (event.target).select());
  return h("form", { class: "line", onSubmit: submit },
    h("label", { class: "field" }, h("span", null, label), h("input", { name: "text", autocomplete: "off", maxLength: 300, onFocus: held ? all : undefined, onInput: typed, ...attributes })),
    h("button", { type: "submit" }, done));
}

/** @param {App} app @param {Child} title @param {Child} body @param {Child} [tools] */
export function frame(app, title, body, tools = null) {
  return [
    h("header", { class: "top" }, h("h1", null, title), connection(app), tools),
    banners(app),
    turnBars(app),
    h("main", { class: "sheetlike", id: "main" }, body),
  ];
}

/** The most urgent first: over a game there is room for one. @param {App} app @returns {Child} */
export function banners(app) {
  const { texts } = app;
  const { called, missed } = app.entrant;
  const looksAt = app.route.screen === "tournament" ? app.route.id : null;
  const over = app.table?.view != null; // a game, whose menu is not to be covered
  const calls = over ? "web.check_in_over" : "web.check_in";
  return [
    app.client?.state === "lost" && app.client.welcome !== null && h("p", { class: "banner alarm", role: "status" }, `${texts("play.stale")}. ${lost(app)}`),
    called !== null && looksAt !== called.info.tournament && offer([isolated(texts(calls, { name: called.info.name })), callLeft(app, called, over)], texts("tournaments.check_in"), () => app.entrant.checkIn(called.info.tournament)),
    missed !== null && looksAt !== missed.tournament && h("aside", { key: "missed", class: "banner missed", role: "status" }, missedWords(app, missed)),
    app.reloadable && offer(texts("web.another_build"), texts("web.reload"), () => location.reload(), icon("✕", texts("web.close"), () => ((app.reloadable = false), app.update()))),
  ];
}

/** That a tournament began without the reader, until they have read so. @param {App} app @param {{name: string}} missed @returns {Child} */
export const missedWords = (app, { name }) => [h("span", null, app.texts("tournaments.you_missed", { name })), icon("✕", app.texts("web.close"), () => app.entrant.miss(null))];

/** What a notice says, until it goes by itself or is tapped. @param {App} app @returns {Child} */
export function toast(app) {
  return app.notices.text !== "" && h("p", { class: `toast ${app.notices.high ? "high" : ""}`, role: "status", "aria-live": "off", onClick: () => app.notices.say("") }, app.notices.text);
}

/** A banner with a button. @param {Child} text @param {string} label @param {() => void} action @param {Child} [close] */
const offer = (text, label, action, close = null) => h("aside", { key: label, class: "banner", "aria-label": label }, h("span", { class: "offered" }, text), " ", button(label, action, "main"), close);

/** @param {App} app */
function lost(app) {
  const since = app.client?.lostAt ?? performance.now();
  return app.texts("connection.lost", { seconds: Math.round((performance.now() - since) / 1000) });
}

/** How the line is: one that was never there is being opened for a while before anybody calls it lost. @param {App} app */
export function connectionWords(app) {
  const { client, texts } = app;
  if (client?.state === "open") return texts("web.connected");
  const patient = client?.welcome === null && performance.now() - (client.lostAt ?? performance.now()) < OPENING;
  return client?.state === "lost" && !patient ? lost(app) : texts("connection.opening");
}

/** @param {App} app @returns {Child} */
export function connection(app) {
  const { client } = app;
  if (client === null) return null; // nobody has asked for a line yet
  const label = connectionWords(app);
  return h("span", { class: `dot ${client.state === "open" ? "fine" : "poor"}`, role: "img", "aria-label": label, title: label });
}

/** @param {App} app @param {string} question @param {() => void} yes */
export const askSure = (app, question, yes) => ((app.sure = { question, yes }), app.update());

/** @param {string|null} who @param {string} text @param {string} [kind] @returns {Child} */
export const said = (who, text, kind = "") => who === null
  ? h("p", { class: kind }, text)
  : h("p", { class: "said" }, h("b", null, isolated(who), ": "), isolated(text));

/** What somebody has written, on which no letter around it depends: Hebrew or Arabic would turn them round. @param {string} text */
export const isolated = (text) => h("bdi", null, text);

/** @param {App} app @returns {Child} */
export const back = (app) => icon("←", app.texts("menu.back"), () => app.go("lobby", "", true));

/** The way back to a game of one's own that goes on. @param {App} app @param {Table} table @returns {Child} */
export const backToGame = (app, table) =>
  button(app.texts("lobby.go_back", { game: gameName(table.info.game, app.texts), names: othersAt(app, table) }), () => app.go("table", table.id), "main wide", { key: table.id });

/** The way back to games of one's own that go on. @param {App} app @returns {Child} */
export function goingOn(app) {
  const mine = [...(app.client?.tables.values() ?? [])].filter((table) => table.seat !== null && table.view !== null && table.result === null);
  return mine.map((table) => backToGame(app, table));
}

/** @param {App} app @param {Table} table */
const othersAt = (app, table) => namesOf(table).filter((_, seat) => seat !== table.seat).join(app.texts("list.between"));

/** @param {number|null} left */
export const clock = (left) => (left === null ? null : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`);

/** How long check-in is still open. @param {App} app @param {Plain} known @param {boolean} [brief] @returns {Child} */
export function callLeft(app, known, brief = false) {
  const time = clock(app.entrant.callLeft(known));
  return time !== null && h("span", { role: "timer", class: "callleft" }, " ", brief ? time : app.texts("web.check_in_left", { time }));
}

/** What is left of the reader's time, beside what is asked. @param {Table} table @returns {Child} */
export function timer(table) {
  const left = table.timeLeft();
  return left !== null && h("time", { class: `left ${left < HURRY ? "short" : ""}`, role: "timer" }, clock(left));
}

/** Seconds that are left at a table. @param {Table} table */
const leftAt = (table) => table.timeLeft() ?? Number.MAX_VALUE;

/** Where it is the reader's turn while they look at something else: the ways back, and how long, the shortest time first. @param {App} app @returns {Child} */
export const turnBars = (app) => app.asking.sort((one, other) => leftAt(one) - leftAt(other)).map((table) => turnBar(app, table, () => app.go("table", table.id), app.entrant.gameWords(table) ?? app.texts("web.against", { names: othersAt(app, table) })));

/** @param {App} app @param {Table} table @param {() => void} action @param {string} [others] who sits there, where the table is not the one that is seen @returns {Child} */
const turnBar = (app, table, action, others = "") => h("button", { key: `turn:${table.id}`, type: "button", class: "turnbar", onClick: action }, h("span", { class: "turn" }, "▶ ", app.texts("play.your_turn")), others && h("span", { class: "elsewhere" }, isolated(others)), timer(table));

/** Whether a dialog was open and something beside it was tapped. @param {MouseEvent} event */
function beside({ target, currentTarget, clientX: x, clientY: y, detail }) {
  const { left, right, top, bottom } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
  return target === currentTarget && detail > 0 && (x < left || x > right || y < top || y > bottom);
}

/** What opens over a page; in a game its head says when it is the reader's turn, and how long. @param {App} app @param {string} name @param {string} title @param {Child} body @returns {Child} */
export function sheet(app, name, title, body) {
  if (app.sheet !== name) return null;
  const close = () => ((app.sheet = null), app.update());
  return h("dialog", { key: name, class: "sheet", "aria-label": title, onClose: close, onClick: (/** @type {MouseEvent} */ event) => beside(event) && close() },
    h("div", { class: "sheethead" }, h("h2", null, title),
      app.table !== null && app.entry !== null && turnBar(app, app.table, close),
      icon("✕", app.texts("web.close"), close, { autofocus: true })),
    body);
}
