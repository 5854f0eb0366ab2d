/** The lobby: what can be begun, the tables of the server, talk, and who the reader is. */

import { gameName } from "./options.js";
import { ask, button, frame, goingOn, language, said, sheet } from "./parts.js";
import { h } from "./render.js";
import { timeWords } from "./sheets.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */
/** @typedef {import("./render.js").Child} Child */

/** @param {App} app @returns {Child} */
export function lobby(app) {
  const { texts, client } = app;
  const tables = [...(client?.lobby?.values() ?? [])];
  const mine = new Set([...(client?.tables.values() ?? [])].filter((table) => table.seat !== null).map((table) => table.id));
  const order = ["gathering", "playing", "finished", "closed"];
  const others = tables.filter((info) => !mine.has(info.table)).sort((one, other) => order.indexOf(one.stage) - order.indexOf(other.stage));
  return frame(app, texts("lobby.title"), h("div", { class: "lobby" },
    h("section", { class: "doors", "aria-label": texts("web.begin") },
      goingOn(app),
      button(texts("web.against_bots"), () => app.go("bots"), "main wide"),
      button(texts("lobby.new"), () => app.go("new"), "wide"),
      button(app.entrant.open > 0 ? texts("web.tournaments_open", { count: app.entrant.open }) : texts("tournaments.title"), () => app.go("tournaments"), "half"),
      button(texts("lobby.replays"), () => app.go("replays"), "half"),
      ask(texts("lobby.code"), texts("web.sit"), (code) => app.join({ code: code.trim() }), { maxLength: 6, autocapitalize: "characters", spellcheck: false, kept: true, wanted: texts("web.code_first") })),
    h("section", { "aria-label": texts("web.tables") },
      h("h2", null, others.length + mine.size === 0 ? texts("lobby.no_tables") : texts("lobby.open_tables", { count: others.length + mine.size })),
      h("ul", { class: "tables" },
        [...(client?.tables.values() ?? [])].filter((table) => mine.has(table.id)).map((table) => tableCard(app, table.info, h("div", { class: "ways" },
          table.info.stage !== "playing" && table.info.tournament == null && button(texts("web.leave"), () => app.seats.leave(table), "quiet"),
          button(texts("web.go_back"), () => app.go("table", table.id), "main")))),
        others.map((info) => tableCard(app, info, doorOf(app, info))))),
    h("section", { "aria-label": texts("web.talk") },
      h("h2", null, texts("web.talk")),
      h("div", { class: "story", tabindex: 0, role: "log", "aria-label": texts("web.talk") }, client?.lobbyChat.map((line) => said(line.name, line.text))),
      ask(texts("lobby.say"), texts("web.send"), (text) => app.ask("say", { text }))),
    h("section", { class: "me", "aria-label": texts("web.you") },
      h("div", { class: "row" }, h("p", null, texts("web.you_are", { name: app.name })), button(texts("web.rename"), () => ((app.sheet = "name"), app.update()), "quiet")),
      language(app)),
    nameSheet(app)));
}

/** @param {App} app @returns {Child} */
function nameSheet(app) {
  const { texts } = app;
  return sheet(app, "name", texts("web.rename"), [
    ask(texts("start.type_name"), texts("web.rename_do"), (name) => app.rename(name), { defaultValue: app.name, maxLength: 24, kept: true, spellcheck: false }),
    h("p", { class: "faint" }, texts("web.rename_about")),
  ]);
}

/** @param {App} app @param {TableInfo} info @returns {Child} */
function doorOf(app, info) {
  const free = info.chairs.includes(null);
  if (info.stage === "gathering" && free) return button(app.texts("web.sit"), () => app.join({ table: info.table }), "main");
  return info.watching !== "nobody" && button(app.texts("web.watch"), () => app.watch(info.table));
}

/** @param {App} app @param {TableInfo} info @param {Child} door @returns {Child} */
function tableCard(app, info, door) {
  const { texts } = app;
  const taken = info.chairs.filter((chair) => chair !== null);
  const names = taken.map((chair) => (chair.bot ? `${chair.name} ${texts("records.bot")}` : chair.name)).join(texts("list.between"));
  return h("li", { key: info.table, class: "tablecard", "data-game": info.game },
    h("div", null,
      h("strong", null, gameName(info.game, texts)),
      h("span", { class: "faint" }, ` ${texts("lobby.seats", { taken: taken.length, seats: info.chairs.length })} · ${texts(`lobby.stage_${info.stage}`)}`),
      h("p", null, names),
      info.clocks.decision !== null && h("p", { class: "faint" }, timeWords(info.game, info.clocks, true, texts))),
    door);
}
