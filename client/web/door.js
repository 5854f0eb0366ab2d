/** What is seen while there is nothing to play: the door, a large screen with nothing on it, and a visit that stands still. */

import { ask, banners, button, connectionWords, frame, icon, language } from "./parts.js";
import { h } from "./render.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./render.js").Child} Child */

/** Names by which a machine only reaches itself. */
const OWN = /^(localhost|127\..*|\[::1\])$/;

/** @param {App} app @returns {Child} */
export function door(app) {
  const { texts } = app;
  const opening = app.client !== null;
  const label = app.code === null ? texts("web.enter") : texts("web.enter_code", { code: app.code });
  return frame(app, "Parlour", h("div", { class: "door" },
    balloons(),
    h("p", { class: "lead" }, texts("web.lead")),
    opening
      ? h("p", { role: "status" }, connectionWords(app))
      : ask(texts("start.type_name"), label, (name) => app.enter(name), { defaultValue: app.name, maxLength: 24, kept: true, spellcheck: false }),
    language(app)));
}

/** The large screen while there is nothing on it: how to change that. @param {App} app @returns {Child} */
export function nothingToWatch(app) {
  const { texts } = app;
  return [
    banners(app),
    h("main", { class: "large idle", id: "main" },
      icon("✕", texts("menu.back"), () => app.largeScreen.leave(), { class: "icon corner" }),
      h("h1", null, "Parlour"),
      h("p", null, texts("web.nothing_to_watch")),
      !OWN.test(location.hostname) && [h("p", null, texts("web.join_at")), h("p", { class: "address" }, location.origin)],
      h("p", { class: "faint" }, texts("web.watch_shows"))),
  ];
}

/** Three balloons over a hill: what the door looks like. @returns {Child} */
function balloons() {
  const balloon = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ scale, /** @type {string} */ colour) =>
    h("g", { transform: `translate(${x} ${y}) scale(${scale})`, class: `drift ${colour}` },
      h("path", { class: "skin", d: "M0 -30c17 0 27 12 27 27 0 13-10 22-17 31h-20c-7-9-17-18-17-31 0-15 10-27 27-27z" }),
      h("path", { class: "gore", d: "M0 -30c8 0 11 12 11 27 0 13-4 22-7 31h-8c-3-9-7-18-7-31 0-15 3-27 11-27z" }),
      h("path", { class: "ropes", d: "M-9 28l4 10M9 28l-4 10" }),
      h("rect", { class: "basket", x: -6, y: 38, width: 12, height: 9, rx: 2 }));
  return h("svg", { class: "balloons", viewBox: "0 0 320 150", "aria-hidden": "true" },
    h("path", { class: "hill far", d: "M0 150V112c40-22 80-30 130-10s120 8 190-14v62z" }),
    balloon(70, 62, 1, "red"), balloon(168, 46, 0.72, "yellow"), balloon(252, 72, 0.86, "blue"),
    h("path", { class: "hill near", d: "M0 150v-18c60-16 110-14 170-4s110 0 150-12v34z" }));
}

/** @param {App} app @returns {Child} */
export function halted(app) {
  const { texts } = app;
  const reason = app.client?.over?.reason ?? "";
  const why = app.halted === "tab" ? texts("web.other_tab") : reason === "replaced" ? texts("web.replaced") : texts.orElse(`refused.${reason}`, reason);
  return frame(app, "Parlour", h("div", { class: "door" }, balloons(), h("p", null, why), button(texts("web.play_here"), () => app.connect(), "main", { autofocus: true })));
}
