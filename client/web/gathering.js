/** A table before its game: who sits there, what it waits for, and how others find it. */

import { beforehand } from "./news.js";
import { forPeople, gameName, levelWords } from "./options.js";
import { back, button, frame } from "./parts.js";
import { h } from "./render.js";
import { seatLine } from "./seat_line.js";
import { rulesSheet, terms } from "./sheets.js";
import { talk } from "./telling.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./render.js").Child} Child */

/** @param {App} app @param {Table} table @returns {Child} */
export function gathering(app, table) {
  const { texts } = app;
  const { info, id } = table;
  const strategies = forPeople(app.games.find((each) => each.game === info.game)?.strategies ?? []);
  const all = info.chairs.every((chair) => chair?.ready);
  const free = info.chairs.filter((chair) => chair === null).length;
  const waits = free > 0 ? texts("table.waits_for_players", { count: free }) : !all ? texts("table.waits_for_ready") : texts(table.hosting ? "table.can_start" : "table.waits_for_host");
  return frame(app, texts("table.title", { game: gameName(info.game, texts) }), h("div", { class: "gathering" },
    h("ol", { class: "seats" }, info.chairs.map((_, seat) => seatLine(app, table, seat))),
    h("p", { role: "status" }, waits),
    h("p", { class: "unusual" }, terms(info, texts)),
    table.code !== null && free > 0 && invitation(app, table.code),
    table.code !== null && free === 0 && info.watching !== "nobody" && h("p", null, texts("table.code_watch", { code: table.code })),
    h("div", { class: "row" },
      table.hosting && all && button(texts("table.start"), () => app.ask("start", { table: id }), "main"),
      table.me !== null && button(texts(table.me.ready ? "table.get_unready" : "table.get_ready"), () => app.seats.ready(id, !table.me?.ready), all || table.me.ready ? "" : "main")),
    table.hosting && (info.kicked ?? []).length > 0 && h("div", { class: "row" }, info.kicked?.map((/** @type {string} */ name) => button(texts("table.let_back", { name }), () => app.ask("let_back", { table: id, name }), "quiet"))),
    table.hosting && free > 0 && info.bots && h("div", { class: "row" }, strategies.map((/** @type {string} */ each) => button(texts("table.add_bot", { level: levelWords(each, texts) }), () => app.seats.addBot(id, each)))),
    h("div", { class: "row" },
      button(texts("menu.rules"), () => ((app.sheet = "rules"), app.update())),
      button(texts("table.leave"), () => app.seats.leave(table))),
    table.seat !== null && !app.guide.knows(info.game) && beforehand(info.game, texts).map((line) => h("p", null, line)),
    talk(app, table),
    rulesSheet(app, info.game, info.options, info)), back(app));
}

/** @param {App} app @param {string} code @returns {Child} */
function invitation(app, code) {
  const address = `${location.origin}/#${code}`;
  const share = async () => {
    try {
      if (navigator.share !== undefined) await navigator.share({ url: address });
      else await navigator.clipboard.writeText(address);
      app.notices.say(app.texts("web.copied"));
    } catch {
      app.notices.say(address);
    }
  };
  return h("div", { class: "invitation" }, h("p", null, app.texts("table.code", { code })), h("output", { class: "code" }, code), h("p", { class: "faint" }, address), button(app.texts("web.share"), share));
}
