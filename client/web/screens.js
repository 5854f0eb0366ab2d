/** The screens: what a visit looks like at a moment. They draw, and hand taps to the app; they keep nothing. */

import { choices, picked, settled } from "./choosing.js";
import { asked, gameName, hintWords, lesson, levelWords, moveWords, namesOf, optionWords, outcome, playedWords, rules, sentence, settledOptions, tournamentPhase, tournamentRules, tournamentWord, valueWords } from "./news.js";
import { h } from "./render.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Entry} Entry */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */
/** @typedef {import("./news.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

const PACES = { relaxed: {}, steady: { decision: 60, bank: 60 }, quick: { decision: 20, bank: 20 } };
const DRAG_FROM = 8;
const WATCHING = ["public", "everything", "nobody"];

/** @param {string} label @param {() => void} action @param {string} [kind] @param {Plain} [more] */
const button = (label, action, kind = "", more = {}) => h("button", { type: "button", class: kind, onClick: action, ...more }, label);

/** A button with a sign that is seen and a name that is heard. @param {string} sign @param {string} name @param {() => void} action @param {Plain} [more] */
const icon = (sign, name, action, more = {}) =>
  h("button", { type: "button", class: "quiet icon", onClick: action, ...more }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "unseen" }, name));

/** @param {string} label @param {any} value @param {{value: any, label: string}[]} options @param {(value: any) => void} choose @param {string} [about] */
function select(label, value, options, choose, about = "") {
  const change = (/** @type {Event} */ event) => choose(options[/** @type {HTMLSelectElement} */ (event.target).selectedIndex].value);
  const items = options.map((each) => h("option", { selected: each.value === value }, each.label));
  return h("label", { class: "field" }, h("span", null, label), h("select", { onChange: change }, items), about && h("small", null, about));
}

/** A form with one line of text. @param {string} label @param {string} done @param {(text: string) => void} send @param {Plain} [more] */
function ask(label, done, send, more = {}) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("text"));
    if (input.value.trim() === "") return;
    send(input.value);
    if (!more.kept) input.value = "";
  };
  const { kept: _, ...attributes } = more;
  return h("form", { class: "line", onSubmit: submit },
    h("label", { class: "field" }, h("span", null, label), h("input", { name: "text", autocomplete: "off", maxLength: 300, ...attributes })),
    h("button", { type: "submit" }, done));
}

// The whole page

/** @param {App} app @returns {Child} */
export function page(app) {
  return [screen(app), sure(app), toast(app)];
}

/** @param {App} app @returns {Child} */
function screen(app) {
  if (app.halted !== null) return halted(app);
  if (app.client === null || app.client.welcome === null || app.games.length === 0) return door(app);
  const { table } = app;
  if (table !== null && table.view !== null && table.info.stage !== "gathering") return game(app, table);
  if (table !== null) return gathering(app, table);
  if (app.large) return frame(app, "Parlour", h("p", { class: "lead" }, app.texts("web.nothing_to_watch")));
  if (app.route.screen === "tournaments") return tournaments(app);
  if (app.route.screen === "tournament" && app.tournament !== null) return tournament(app, app.tournament);
  if (app.route.screen === "replays") return replays(app);
  if (app.route.screen === "replay" && app.replay !== null) return replay(app, app.replay);
  if (app.route.screen === "new") return newTable(app);
  if (app.route.screen === "bots") return againstBots(app);
  return lobby(app);
}

/** @param {App} app @param {Child} title @param {Child} body @param {Child} [tools] */
function frame(app, title, body, tools = null) {
  return [
    h("header", { class: "top" }, h("h1", null, title), connection(app), tools),
    banners(app),
    h("main", { class: "sheetlike", id: "main" }, body),
  ];
}

/** @param {App} app @returns {Child} */
function banners(app) {
  const { texts } = app;
  return [
    app.client?.state === "lost" && h("p", { class: "banner alarm", role: "status" }, `${texts("play.stale")}. ${lost(app)}`),
    app.reloadable && h("p", { class: "banner" }, texts("web.another_build"), " ", button(texts("web.reload"), () => location.reload())),
  ];
}

/** @param {App} app */
function lost(app) {
  const since = app.client?.lostAt ?? performance.now();
  return app.texts("connection.lost", { seconds: Math.round((performance.now() - since) / 1000) });
}

/** @param {App} app @returns {Child} */
function connection(app) {
  const { client, texts } = app;
  const open = client?.state === "open";
  const label = open ? texts("web.connected") : client?.state === "lost" ? lost(app) : texts("connection.opening");
  return h("span", { class: `dot ${open ? "fine" : "poor"}`, role: "img", "aria-label": label, title: label });
}

/** @param {App} app @returns {Child} */
function toast(app) {
  return app.notice !== "" && h("p", { class: "toast", role: "status", "aria-live": "off", onClick: () => app.say("") }, app.notice);
}

/** @param {App} app @returns {Child} */
function sure(app) {
  if (app.sure === null) return null;
  const { question, yes } = app.sure;
  const close = () => ((app.sure = null), app.update());
  return h("dialog", { key: "sure", class: "small", "aria-label": question, onClose: close },
    h("p", null, question),
    h("div", { class: "row" },
      button(app.texts("menu.no"), close, "main", { autofocus: true }),
      button(app.texts("menu.yes"), () => (close(), yes()))));
}

/** @param {App} app @param {string} question @param {() => void} yes */
const askSure = (app, question, yes) => ((app.sure = { question, yes }), app.update());

/** @param {App} app @returns {Child} */
function language(app) {
  const options = Object.entries(app.texts.languages).map(([value, label]) => ({ value, label }));
  return select(app.texts("web.language"), app.texts.language, options, (value) => app.speak(value));
}

// Before the lobby

/** @param {App} app @returns {Child} */
function door(app) {
  const { texts } = app;
  const opening = app.client !== null;
  const label = app.code === null ? texts("web.enter") : texts("web.enter_code", { code: app.code });
  return frame(app, "Parlour", h("div", { class: "door" },
    balloons(),
    h("p", { class: "lead" }, texts("web.lead")),
    opening
      ? h("p", { role: "status" }, app.client?.state === "lost" ? lost(app) : texts("connection.opening"))
      : ask(texts("start.type_name"), label, (name) => app.enter(name), { defaultValue: app.name, maxLength: 24, kept: true, spellcheck: false }),
    language(app)));
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
function halted(app) {
  const { texts } = app;
  const reason = app.client?.over?.reason ?? "";
  const why = app.halted === "tab" ? texts("web.other_tab") : reason === "replaced" ? texts("web.replaced") : texts.orElse(`refused.${reason}`, reason);
  return frame(app, "Parlour", h("div", { class: "door" }, balloons(), h("p", null, why), button(texts("web.play_here"), () => app.connect(), "main", { autofocus: true })));
}

// The lobby

/** @param {App} app @returns {Child} */
function lobby(app) {
  const { texts, client } = app;
  const tables = [...(client?.lobby?.values() ?? [])];
  const mine = new Set([...(client?.tables.values() ?? [])].filter((table) => table.seat !== null).map((table) => table.id));
  const order = ["gathering", "playing", "finished", "closed"];
  const others = tables.filter((info) => !mine.has(info.table)).sort((one, other) => order.indexOf(one.stage) - order.indexOf(other.stage));
  return frame(app, texts("lobby.title"), h("div", { class: "lobby" },
    h("section", { class: "doors", "aria-label": texts("web.begin") },
      button(texts("web.against_bots"), () => app.go("bots"), "main wide"),
      button(texts("lobby.new"), () => app.go("new"), "wide"),
      button(texts("tournaments.title"), () => app.go("tournaments"), "wide"),
      button(texts("lobby.replays"), () => app.go("replays"), "wide"),
      ask(texts("lobby.code"), texts("web.sit"), (code) => app.join({ code: code.trim() }), { maxLength: 6, autocapitalize: "characters", spellcheck: false })),
    h("section", { "aria-label": texts("web.tables") },
      h("h2", null, others.length + mine.size === 0 ? texts("lobby.no_tables") : texts("lobby.open_tables", { count: others.length + mine.size })),
      h("ul", { class: "tables" },
        [...(client?.tables.values() ?? [])].filter((table) => mine.has(table.id)).map((table) => tableCard(app, table.info, button(texts("web.go_back"), () => app.go("table", table.id), "main"))),
        others.map((info) => tableCard(app, info, doorOf(app, info))))),
    h("section", { "aria-label": texts("web.talk") },
      h("h2", null, texts("web.talk")),
      h("div", { class: "story", tabindex: 0, role: "log", "aria-label": texts("web.talk") }, client?.lobbyChat.map((line) => said(line.name, line.text))),
      ask(texts("lobby.say"), texts("web.send"), (text) => app.ask("say", { text }))),
    h("section", { class: "me", "aria-label": texts("web.you") }, h("p", null, texts("web.you_are", { name: app.name })), language(app))));
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
  return h("li", { key: info.table, class: "tablecard" },
    h("div", null,
      h("strong", null, gameName(info.game, texts)),
      h("span", { class: "faint" }, ` ${texts("lobby.seats", { taken: taken.length, seats: info.chairs.length })} · ${texts(`lobby.stage_${info.stage}`)}`),
      h("p", null, names)),
    door);
}

/** @param {string|null} who @param {string} text @returns {Child} */
const said = (who, text) => who === null
  ? h("p", null, text)
  : h("p", { class: "said" }, h("b", null, isolated(who), ": "), isolated(text));

/** What somebody has written, on which no letter around it depends: Hebrew or Arabic would turn them round. @param {string} text */
const isolated = (text) => h("bdi", null, text);

// A new table

/** @param {App} app @returns {Child} */
function againstBots(app) {
  const { texts } = app;
  const levels = [...new Set(app.games.flatMap((info) => info.strategies))].map((value) => ({ value, label: levelWords(value, texts) }));
  const play = (/** @type {Plain} */ info, practice = false) => {
    const seats = Math.min(...info.seats);
    app.create({ game: info.game, seats, public: false, practice }, seats - 1);
  };
  return frame(app, texts("web.against_bots"), h("div", { class: "choices" },
    h("p", { class: "lead" }, texts("start.which_game")),
    app.games.map((info) => gameCard(app, info, () => play(info))),
    app.games.filter((info) => info.game === "hurry-cup").map((info) => h("button", { type: "button", class: "gamecard", onClick: () => play(info, true) }, h("strong", null, texts("start.practice", { game: gameName(info.game, texts) })), h("span", null, texts("start.practice_about")))),
    select(texts("web.bots"), app.level, levels, (value) => ((app.level = value), app.update()), texts("start.bots_about"))), back(app));
}

/** @param {App} app @param {Plain} info @param {() => void} action @returns {Child} */
function gameCard(app, info, action) {
  const about = app.texts.orElse(`new.game.${info.game}`, "");
  return h("button", { type: "button", key: info.game, class: `gamecard ${info.game}`, onClick: action }, h("strong", null, gameName(info.game, app.texts)), h("span", null, about));
}

/** @param {App} app @returns {Child} */
const back = (app) => button(app.texts("menu.back"), () => app.go("lobby"), "quiet");

/** @param {App} app @returns {Child} */
function newTable(app) {
  const { texts, plan } = app;
  const info = app.games.find((each) => each.game === app.route.id);
  if (info === undefined) {
    return frame(app, texts("lobby.new"), h("div", { class: "choices" }, h("p", { class: "lead" }, texts("start.which_game")), app.games.map((each) => gameCard(app, each, () => app.go("new", each.game)))), back(app));
  }
  if (plan.game !== info.game) app.plan = { game: info.game, seats: Math.min(...info.seats), options: {}, pace: "relaxed", public: true, bots: true, hints: true, watching: "public" };
  const set = (/** @type {string} */ field) => (/** @type {any} */ value) => ((app.plan[field] = value), app.update());
  const now = app.plan;
  const one = (/** @type {string} */ label, /** @type {string} */ field, /** @type {any[]} */ values, /** @type {(value: any) => string} */ words) =>
    select(label, now[field], values.map((value) => ({ value, label: words(value) })), set(field));
  const { pace, ...fields } = now;
  const open = () => app.create({ ...fields, clocks: PACES[/** @type {"relaxed"} */ (pace)] });
  return frame(app, texts("new.title", { game: gameName(info.game, texts) }), h("div", { class: "plan" },
    button(texts("new.open"), open, "main wide"),
    one(texts("web.seats"), "seats", info.seats, (count) => texts("new.seats", { count })),
    one(texts("web.pace"), "pace", Object.keys(PACES), (value) => texts(`new.pace_${value}`)),
    one(texts("web.who_may_come"), "public", [true, false], (value) => texts(value ? "new.public" : "new.private")),
    one(texts("web.bots"), "bots", [true, false], (value) => texts(value ? "new.bots" : "new.no_bots")),
    one(texts("web.watching"), "watching", WATCHING, (value) => texts(`new.watching_${value}`)),
    one(texts("web.hints"), "hints", [true, false], (value) => texts(value ? "new.hints" : "new.no_hints")),
    h("h2", null, texts("web.options")),
    info.options.map((/** @type {Plain} */ option) => optionField(app, option)),
    button(texts("menu.rules"), () => ((app.sheet = "rules"), app.update())),
    rulesSheet(app, info.game, now.options)), back(app));
}

/** @param {App} app @param {Plain} option @returns {Child} */
function optionField(app, option) {
  const { texts, plan } = app;
  const words = optionWords(plan.game, option.option, texts);
  /** @type {any[]} */
  const all = option.values ?? Array.from({ length: option.most - option.least + 1 }, (_, place) => option.least + place);
  const values = option.option === "first" ? all.filter((value) => typeof value !== "number" || value < plan.seats) : all;
  const now = (/** @type {Plain} */ given) => settledOptions(plan.game, given)[option.option] ?? option.default;
  const set = (/** @type {any} */ value) => {
    const { [option.option]: _, ...others } = app.plan.options;
    app.plan.options = value === now(others) ? others : { ...others, [option.option]: value };
    app.update();
  };
  const labelled = values.map((value) => ({ value, label: valueWords(plan.game, option.option, value, texts) }));
  return select(words.name, now(plan.options), labelled, set, words.about);
}

// Tournaments

/** @param {App} app @returns {Child} */
function tournaments(app) {
  const { texts } = app;
  return frame(app, texts("tournaments.title"), h("div", { class: "choices" },
    app.tournaments.length === 0 && h("p", { class: "lead" }, texts("tournaments.none"), " ", texts("tournaments.hint")),
    h("ul", { class: "tables" }, app.tournaments.map((info) => h("li", { key: info.tournament, class: "tablecard" },
      h("div", null,
        h("strong", null, info.name),
        h("span", { class: "faint" }, ` ${tournamentPhase(info, texts)}`),
        h("p", null, texts("tournaments.kind", { game: gameName(info.game, texts), format: tournamentWord("format", info.format, texts), count: info.entrants, organiser: info.organiser }))),
      button(texts("web.look"), () => app.go("tournament", info.tournament), "main"))))), back(app));
}

/** @param {App} app @param {Plain} known @returns {Child} */
function tournament(app, known) {
  const { texts } = app;
  const { info } = known;
  const id = info.tournament;
  const me = known.entrants.find((/** @type {Plain} */ each) => each.name === app.name);
  const open = ["registration", "check_in"].includes(info.phase) || (info.phase === "running" && known.rules.entry.late >= info.round);
  const status = me === undefined ? "" : me.gone ? texts("tournaments.you_gone") : me.checked_in ? texts("tournaments.you_there") : texts(["check_in", "running"].includes(info.phase) ? "tournaments.you_must" : "tournaments.you");
  const enter = known.rules.entry.invitation
    ? ask(texts("tournaments.type_code"), texts("tournaments.enter"), (code) => app.ask("enter", { tournament: id, code: code.trim() }))
    : button(texts("tournaments.enter"), () => app.ask("enter", { tournament: id }), "main");
  const withdraw = () => askSure(app, texts("tournaments.sure_withdraw"), () => app.ask("withdraw", { tournament: id }));
  const mine = [...(app.client?.tables.values() ?? [])].filter((table) => table.info.tournament === id && table.seat !== null && table.result === null);
  const steps = info.organiser === app.name ? (STEERING[info.phase] ?? []) : [];
  const part = (/** @type {string} */ title, /** @type {Child} */ body) => h("section", { "aria-label": title }, h("h2", null, title), body);
  return frame(app, info.name, h("div", { class: "tournament" },
    h("p", { class: "lead", role: "status" }, tournamentPhase(info, texts)),
    status && h("p", null, status),
    h("div", { class: "row" },
      mine.map((table) => button(texts("web.go_back"), () => app.go("table", table.id), "main")),
      open && (me === undefined || me.gone) && enter,
      ["check_in", "running"].includes(info.phase) && me !== undefined && !me.gone && !me.checked_in && button(texts("tournaments.check_in"), () => app.ask("check_in", { tournament: id, nonce: app.nonce() }), "main"),
      me !== undefined && !me.gone && !["finished", "cancelled"].includes(info.phase) && button(texts("tournaments.withdraw"), withdraw, "quiet")),
    steps.length > 0 && h("div", { class: "row" }, steps.map(([word, to]) => button(texts(`tournaments.steer.${word}`), () => (to === "cancel" ? askSure(app, texts("tournaments.sure_cancel"), () => app.ask("steer", { tournament: id, to })) : app.ask("steer", { tournament: id, to })), to === "cancel" ? "quiet" : ""))),
    part(texts("tournaments.pairings"), pairings(app, known)),
    part(texts("tournaments.standings"), standingsTable(app, known)),
    known.crosstable.length > 0 && part(texts("tournaments.crosstable"), crosstable(app, known)),
    part(texts("tournaments.entrants"), known.entrants.length === 0 ? h("p", null, texts("tournaments.nobody")) : h("ul", { class: "names" }, known.entrants.map((/** @type {Plain} */ each) => h("li", { key: each.name }, each.name, each.bot && h("span", { class: "faint" }, ` ${texts("records.bot")}`), (each.gone || each.checked_in) && h("span", { class: "faint" }, ` ${texts(each.gone ? "tournaments.is_gone" : "tournaments.is_there")}`))))),
    part(texts("tournaments.rules"), tournamentRules(known.rules, texts).map((line) => h("p", null, line)))), icon("←", texts("menu.back"), () => app.go("tournaments")));
}

/** What its organiser may do in each phase: the word and where it leads. @type {{[phase: string]: [string, string][]}} */
const STEERING = {
  announced: [["open", "open"], ["start", "start"], ["cancel", "cancel"]],
  registration: [["start", "start"], ["cancel", "cancel"]],
  check_in: [["begin", "start"], ["cancel", "cancel"]],
  running: [["pause", "pause"], ["cancel", "cancel"]],
  paused: [["resume", "resume"], ["cancel", "cancel"]],
};

/** @param {App} app @param {Plain} known @returns {Child} */
function pairings({ texts }, known) {
  const round = known.rounds.at(-1);
  if (round === undefined) return h("p", null, texts("tournaments.not_paired"));
  const done = (/** @type {Plain} */ table) => known.results.filter((/** @type {Plain} */ each) => each.round === round.round && each.table === table.number).length;
  return [
    h("p", { class: "faint" }, texts("tournaments.round", { round: round.round })),
    h("ol", { class: "names" }, round.tables.map((/** @type {Plain} */ table) => h("li", { key: table.number }, table.players.join(" – "), table.stake && ` ${texts(`tournaments.stake.${table.stake}`)}`, h("span", { class: "faint" }, ` ${done(table)}/${known.rules.games}`)))),
    round.byes.length > 0 && h("p", null, texts("tournaments.byes", { names: round.byes.join(texts("list.between")) })),
  ];
}

/** @param {number} value */
const points = (value) => String(Math.round(value * 10) / 10);

/** @param {App} app @param {Plain} known @returns {Child} */
function standingsTable({ texts, name }, known) {
  if (known.standings.length === 0) return h("p", null, texts("tournaments.no_standings"));
  const head = ["name", "points", "games"].map((word) => h("th", { scope: "col" }, texts(`tournaments.column.${word}`)));
  return h("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": texts("tournaments.standings") }, h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "#"), head)),
    h("tbody", null, known.standings.map((/** @type {Plain} */ each) => h("tr", { key: each.name, class: each.name === name ? "own" : "" }, h("td", null, each.rank), h("th", { scope: "row" }, each.name), h("td", null, points(each.points)), h("td", null, each.games))))));
}

/** @param {App} app @param {Plain} known @returns {Child} */
function crosstable({ texts }, known) {
  const names = known.standings.map((/** @type {Plain} */ each) => each.name);
  const cells = new Map(known.crosstable.map((/** @type {Plain} */ each) => [`${each.one}\n${each.other}`, each]));
  return h("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": texts("tournaments.crosstable") }, h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, texts("tournaments.column.name")), names.map((/** @type {string} */ _, /** @type {number} */ place) => h("th", { scope: "col" }, place + 1)))),
    h("tbody", null, names.map((/** @type {string} */ one, /** @type {number} */ place) => h("tr", { key: one }, h("th", { scope: "row" }, `${place + 1} ${one}`), names.map((/** @type {string} */ other) => {
      const cell = cells.get(`${one}\n${other}`);
      return h("td", null, one === other ? "–" : cell === undefined ? "" : points(cell.points));
    }))))));
}

// Replays

/** @param {App} app @returns {Child} */
function replays(app) {
  const { texts } = app;
  return frame(app, texts("replays.title"), h("div", { class: "choices" },
    app.played.length === 0 && h("p", { class: "lead" }, texts("replays.none")),
    h("ul", { class: "tables" }, app.played.map((game) => h("li", { key: game.id, class: "tablecard" },
      h("div", null, h("p", null, playedWords(game, app.name, texts))),
      button(texts("web.look"), () => app.go("replay", game.id), "main"))))), back(app));
}

/** A game that was played, entry by entry, through anybody's eyes. @param {App} app @param {NonNullable<App["replay"]>} shown @returns {Child} */
function replay(app, shown) {
  const { texts } = app;
  const { id, game, names, total, at, eyes } = shown;
  const entry = shown.entries.get(at) ?? null;
  const seek = (/** @type {number} */ to) => app.seek(id, Math.max(0, Math.min(total - 1, to)), eyes);
  const seers = [{ value: null, label: texts("replay.seen_by_all") }, ...names.map((who, seat) => ({ value: seat, label: texts("replay.seen_by", { who }) }))];
  const slide = (/** @type {Event} */ event) => seek(Number(/** @type {HTMLInputElement} */ (event.target).value));
  const told = (entry?.news ?? []).map((/** @type {Plain} */ news) => sentence(game, news, names, texts, null)).filter(Boolean);
  const scene = entry !== null && {
    view: entry.view, me: eyes, names, texts, last: entry.news.find((/** @type {Plain} */ news) => "card" in news && news.type !== "card_drawn") ?? null, fresh: entry.news,
    legal: [], chosen: {}, picked: [], awaited: entry.view.to_act, drag: () => {}, touch: () => {},
    who: (/** @type {number} */ seat, /** @type {Child} */ more = null) => [h("b", null, names[seat]), more],
    tell: (/** @type {string} */ text) => app.say(text),
  };
  const drawn = scene && app.boards.get(game)?.draw(scene);
  return [
    h("header", { class: "top" }, h("h1", null, gameName(game, texts)), connection(app), icon("←", texts("menu.back"), () => app.go("replays"))),
    banners(app),
    h("main", { class: "game", id: "main" },
      h("section", { class: "hands", "aria-label": texts("web.move_of", { move: at, last: total - 1 }) },
        h("div", { class: "prompt" },
          h("p", { class: "asks", role: "status" }, texts("web.move_of", { move: at, last: total - 1 })),
          h("div", { class: "seeker" },
            icon("◀", texts("web.step_back"), () => seek(at - 1)),
            h("input", { type: "range", min: 0, max: total - 1, value: at, "aria-label": texts("web.move"), onInput: slide }),
            icon("▶", texts("web.step_on"), () => seek(at + 1))),
          select(texts("web.eyes"), eyes, seers, (value) => app.seek(id, at, value))),
        drawn && drawn.hand && h("div", { class: "hand", role: "group", "aria-label": texts("web.hand") }, drawn.hand),
        h("div", { class: "latest" }, told.map((/** @type {string} */ line) => h("p", null, line)))),
      h("section", { class: "board", "aria-label": texts("web.board") }, drawn && drawn.board)),
  ];
}

// A table before a game

/** @param {App} app @param {Table} table @returns {Child} */
function gathering(app, table) {
  const { texts } = app;
  const { info, id } = table;
  const strategies = app.games.find((each) => each.game === info.game)?.strategies ?? [];
  const all = info.chairs.every((chair) => chair?.ready);
  const free = info.chairs.filter((chair) => chair === null).length;
  const waits = free > 0 ? texts("table.waits_for_players", { count: free }) : !all ? texts("table.waits_for_ready") : texts(table.hosting ? "table.can_start" : "table.waits_for_host");
  return frame(app, texts("table.title", { game: gameName(info.game, texts) }), h("div", { class: "gathering" },
    h("ol", { class: "seats" }, info.chairs.map((_, seat) => seatLine(app, table, seat))),
    h("p", { role: "status" }, waits),
    table.code !== null && invitation(app, table.code),
    h("div", { class: "row" },
      table.hosting && all && button(texts("table.start"), () => app.ask("start", { table: id }), "main"),
      table.me !== null && button(texts(table.me.ready ? "table.get_unready" : "table.get_ready"), () => app.ready(id, !table.me?.ready), all || table.me.ready ? "" : "main")),
    table.hosting && (info.kicked ?? []).length > 0 && h("div", { class: "row" }, info.kicked?.map((/** @type {string} */ name) => button(texts("table.let_back", { name }), () => app.ask("let_back", { table: id, name }), "quiet"))),
    table.hosting && free > 0 && info.bots && h("div", { class: "row" }, strategies.map((/** @type {string} */ each) => button(texts("table.add_bot", { level: levelWords(each, texts) }), () => app.addBot(id, each)))),
    h("div", { class: "row" },
      button(texts("menu.rules"), () => ((app.sheet = "rules"), app.update())),
      button(texts("table.leave"), () => app.leave(table))),
    talk(app, table),
    rulesSheet(app, info.game, info.options)), back(app));
}

/** @param {App} app @param {Table} table @param {number} seat @returns {Child} */
function seatLine(app, table, seat) {
  const { texts } = app;
  const chair = table.info.chairs[seat];
  if (chair === null) {
    const free = table.seat !== null && table.info.stage === "gathering";
    return h("li", { key: seat, class: "seat free" }, h("span", null, texts("table.free", { number: seat + 1 })), free && button(texts("table.sit", { number: seat + 1 }), () => app.ask("sit", { table: table.id, seat }), "quiet"));
  }
  const level = app.bots.get(chair.name);
  const marks = [
    seat === table.seat && texts("table.you"),
    chair.name === table.info.host && texts("table.host"),
    chair.bot && texts("table.bot"),
    level !== undefined && levelWords(level, texts),
    table.info.stage === "gathering" && texts(chair.ready ? "table.ready" : "table.not_ready"),
    !chair.here && texts("table.away"),
  ];
  const told = marks.filter(Boolean).join(texts("list.between"));
  const kick = () => app.ask("kick", { table: table.id, seat });
  const mayKick = table.hosting && seat !== table.seat && table.info.stage !== "playing";
  return h("li", { key: seat, class: `seat ${chair.ready ? "ready" : ""} ${chair.here ? "" : "away"}` },
    h("span", null, texts("table.seat", { number: seat + 1, name: chair.name, told })),
    mayKick && button(texts("table.kick", { name: chair.name }), chair.bot ? kick : () => askSure(app, texts("table.sure_kick", { name: chair.name }), kick), "quiet"));
}

/** @param {App} app @param {string} code @returns {Child} */
function invitation(app, code) {
  const address = `${location.origin}/#${code}`;
  const share = async () => {
    try {
      if (navigator.share !== undefined) await navigator.share({ url: address });
      else await navigator.clipboard.writeText(address);
      app.say(app.texts("web.copied"));
    } catch {
      app.say(address);
    }
  };
  return h("div", { class: "invitation" }, h("p", null, app.texts("table.code", { code })), h("output", { class: "code" }, code), h("p", { class: "faint" }, address), button(app.texts("web.share"), share));
}

// A game

/** @param {App} app @param {Table} table @returns {Child} */
function game(app, table) {
  const { texts } = app;
  const { info } = table;
  const board = app.boards.get(info.game);
  const { legal } = app;
  const waiting = app.client?.state !== "open" || (table.question !== null && !table.asked);
  const names = namesOf(table);
  const view = table.view ?? {};
  const last = table.news.findLast((news) => "card" in news && news.type !== "card_drawn") ?? null;
  const fresh = app.fresh.get(table.id) ?? [];
  const scene = {
    view, me: table.seat, names, texts, last, fresh, legal, chosen: settled(legal), picked: picked(legal), awaited: table.awaited, drag,
    who: (/** @type {number} */ seat, /** @type {Child} */ more = null) => whoSits(table, texts, seat, more),
    touch: (/** @type {Plain} */ wanted) => app.touch(wanted),
    tell: (/** @type {string} */ text) => app.say(text),
  };
  const drawn = board?.draw(scene) ?? { board: plain(table), hand: null };
  const menu = icon("☰", texts("play.menu"), () => ((app.sheet = "menu"), app.update()));
  if (app.large) {
    return h("main", { class: "game large", id: "main" },
      h("h1", { class: "unseen" }, gameName(info.game, texts)),
      h("section", { class: "board", "aria-label": texts("web.board") }, drawn.board),
      h("section", { class: "hands", "aria-label": texts("web.story") },
        table.result === null ? h("p", { class: "asks" }, `${texts("play.waiting")} ${texts.listed(table.awaited.map((seat) => names[seat]))}`) : h("p", { class: "asks mine" }, outcome(table, texts)),
        h("div", { class: "latest" }, (app.stories.get(table.id)?.told ?? []).slice(-3).map((line) => said(line.who, line.text)))));
  }
  return [
    h("header", { class: "top" }, h("h1", null, gameName(info.game, texts)), connection(app), menu),
    banners(app),
    h("main", { class: `game ${waiting ? "waiting" : ""} ${app.client?.state === "lost" ? "stale" : ""}`, id: "main" },
      h("section", { class: "hands", "aria-label": texts("web.your_turn") },
        prompt(app, table),
        table.info.practice && table.result === null && h("p", { class: "lesson" }, lesson(info.game, view, table.seat, texts)),
        drawn.hand !== null && h("div", { class: "hand", role: "group", "aria-label": texts("web.hand"), "data-arrows": "" }, drawn.hand),
        h("p", { class: "lastnews" }, lastNews(app, table))),
      h("section", { class: "board", "aria-label": texts("web.board"), "data-arrows": "" }, drawn.board),
      h("aside", { class: "side", "aria-label": texts("web.story") }, story(app, table), talkLine(app, table))),
    menuSheet(app, table),
    hintSheet(app, table),
    talkSheet(app, table),
    rulesSheet(app, info.game, view.options ?? info.options),
  ];
}

/** Dragging is the same choice made in one go: the card, and the place where it is dropped. @param {PointerEvent} down @param {boolean} on @param {() => void} choose @param {(place: string) => void} drop */
function drag(down, on, choose, drop) {
  const card = /** @type {HTMLElement} */ (down.currentTarget);
  let dragging = false;
  const move = (/** @type {PointerEvent} */ event) => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!dragging && Math.hypot(x, y) > DRAG_FROM) {
      dragging = true;
      if (!on) choose();
      card.dataset.dragged = ""; // no class: the next drawing sets those anew
    }
    if (dragging) card.style.transform = `translate(${x}px, ${y}px)`;
  };
  const end = (/** @type {PointerEvent} */ event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    delete card.dataset.dragged;
    card.style.transform = "";
    if (!dragging) return;
    card.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => card.removeEventListener("click", swallow, { capture: true }));
    const place = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest("[data-place]")).find(Boolean)?.getAttribute("data-place");
    if (event.type === "pointerup" && place) drop(place);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** @param {Event} event */
const swallow = (event) => event.stopPropagation();

/** Who sits there: there or away, name, clock. @param {Table} table @param {Texts} texts @param {number} seat @param {Child} [more] @returns {Child} */
function whoSits(table, texts, seat, more = null) {
  const chair = table.info.chairs[seat];
  const left = clock(table.timeLeft(seat));
  return [
    h("span", { class: `dot ${chair?.here ? "fine" : "poor"}`, "aria-hidden": "true" }),
    h("b", null, chair?.name ?? "?"),
    chair?.bot && h("span", { class: "faint" }, texts("records.bot")),
    chair && !chair.here && h("span", { class: "faint" }, ` (${texts("table.away")})`),
    more,
    left !== null && h("time", null, left),
  ];
}

/** @param {number|null} left */
const clock = (left) => (left === null ? null : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`);

/** What is chosen in words: all that is not chosen by touching the board. @param {App} app @param {Entry} entry */
function inWords(app, entry) {
  const { legal } = app;
  const board = app.boards.get(app.table?.info.game ?? "");
  const [touched, places] = [board?.touched ?? [], board?.places ?? []];
  const seldom = (/** @type {Pattern} */ pattern) => Number(board?.seldom?.includes(pattern.type) ?? false);
  if (entry.steps.length === 1) return choices(legal.filter((pattern) => !touched.includes(pattern.type)).sort((one, other) => seldom(one) - seldom(other)));
  const all = choices(legal);
  if (!touched.includes(legal[0].type)) return all;
  if (all.some((choice) => choice.picked !== undefined)) return all.filter((choice) => choice.ends);
  return places.some((name) => name in legal[0] && !(name in entry.said)) ? [] : all;
}

/** What is asked, and what of it is chosen in words. @param {App} app @param {Table} table @returns {Child} */
function prompt(app, table) {
  const { texts, legal, entry } = app;
  const { game } = table.info;
  if (table.result !== null) return result(app, table);
  if (entry === null) {
    const names = namesOf(table);
    const whom = table.awaited.filter((seat) => seat !== table.seat || !table.asked).map((seat) => names[seat]);
    const text = table.question !== null && !table.asked ? texts("web.sending") : `${texts("play.waiting")} ${texts.listed(whom)}`;
    return h("div", { class: "prompt" }, h("div", { class: "asking" }, h("p", { class: "asks" }, text)));
  }
  const context = { game, me: table.seat, names: namesOf(table), view: table.view ?? {}, texts };
  const first = entry.steps.length === 1;
  const shown = inWords(app, entry);
  const words = shown.map((choice) => {
    const fields = choice.ends ? { type: legal[0].type, ...choice.fields } : choice.fields;
    const label = `${choice.picked ? "✓ " : ""}${moveWords(fields, context)}`;
    return button(label, () => app.choose(choice.legal), choice.ends ? "main" : "");
  });
  return h("div", { class: "prompt" },
    h("div", { class: "asking" },
      h("p", { class: "asks mine" }, `▶ ${capital(asked(game, table.view ?? {}, texts))}`),
      !first && button(texts("web.let_go"), () => app.back(), "quiet")),
    words.length > 0 && h("div", { class: "row words", role: "group", "aria-label": texts("web.choices"), "data-arrows": "" }, words));
}

/** @param {string} text */
const capital = (text) => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** @param {App} app @param {Table} table @returns {Child} */
function result(app, table) {
  const { texts } = app;
  const unfair = table.unfair();
  const luck = unfair === null ? "" : unfair.length === 0 ? texts("web.fair") : texts("web.unfair", { what: unfair.join(", ") });
  return h("div", { class: "prompt result" },
    h("p", { class: "asks mine" }, outcome(table, texts)),
    luck && h("p", { class: unfair?.length ? "alarm" : "faint" }, luck),
    h("div", { class: "row" },
      table.seat !== null && table.info.tournament == null && button(texts("table.rematch"), () => app.rematch(table), "main"),
      table.info.tournament != null && button(texts("tournaments.standings"), () => app.go("tournament", table.info.tournament ?? ""), "main"),
      button(texts("web.to_lobby"), () => app.go("lobby")),
      table.info.tournament == null && button(texts("table.leave"), () => app.leave(table), "quiet")));
}

/** @param {App} app @param {Table} table @returns {Child} */
function lastNews(app, table) {
  const told = app.stories.get(table.id)?.told ?? [];
  const open = () => ((app.sheet = "talk"), app.update());
  return h("button", { type: "button", class: "latest", onClick: open }, h("span", { class: "unseen" }, app.texts("web.story")), told.slice(-2).map((line) => said(line.who, line.text)));
}

/** @param {App} app @param {Table} table @returns {Child} */
function story(app, table) {
  const told = app.stories.get(table.id)?.told ?? [];
  return h("div", { class: "story", tabindex: 0, role: "log", "aria-live": "off", "aria-label": app.texts("web.story") }, told.map((line) => said(line.who, line.text)));
}

/** @param {App} app @param {Table} table @returns {Child} */
function talkLine(app, table) {
  if (table.seat === null) return h("p", { class: "faint" }, app.texts("lobby.watchers_listen"));
  return ask(app.texts("lobby.say"), app.texts("web.send"), (text) => app.ask("say", { table: table.id, text }));
}

/** @param {App} app @param {Table} table @returns {Child} */
const talk = (app, table) => h("section", { class: "talk", "aria-label": app.texts("web.talk") }, story(app, table), talkLine(app, table));

/** The view of a game that has no board yet. @param {Table} table @returns {Child} */
function plain(table) {
  const empty = (/** @type {any} */ value) => value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0);
  const shown = Object.entries(table.view ?? {}).filter(([field, value]) => field !== "options" && !empty(value));
  return h("dl", { class: "listing" }, shown.map(([field, value]) => [h("dt", null, field.replaceAll("_", " ")), h("dd", null, JSON.stringify(value).replaceAll('"', "").replaceAll(",", ", "))]));
}

// Sheets

/** @param {App} app @param {string} name @param {string} title @param {Child} body @returns {Child} */
function sheet(app, name, title, body) {
  if (app.sheet !== name) return null;
  const close = () => ((app.sheet = null), app.update());
  return h("dialog", { key: name, class: "sheet", "aria-label": title, onClose: close },
    h("div", { class: "sheethead" }, h("h2", null, title), icon("✕", app.texts("web.close"), close, { autofocus: true })),
    body);
}

/** @param {App} app @param {string} game @param {Plain} options @returns {Child} */
function rulesSheet(app, game, options) {
  const told = app.sheet === "rules" ? rules(game, options, app.texts) : [];
  return sheet(app, "rules", gameName(game, app.texts), h("div", { class: "rules", tabindex: 0, role: "document" }, told.map((text) => h("p", null, text))));
}

/** @param {App} app @param {Table} table @returns {Child} */
function talkSheet(app, table) {
  return app.sheet === "talk" && sheet(app, "talk", app.texts("web.story"), talk(app, table));
}

/** What a bot would play; touching a line plays it. @param {App} app @param {Table} table @returns {Child} */
function hintSheet(app, table) {
  if (app.sheet !== "hint") return null;
  const { texts, entry } = app;
  const context = { game: table.info.game, me: table.seat, names: namesOf(table), view: table.view ?? {}, texts };
  const fresh = app.hints !== null && entry !== null && app.hints.turn === entry.turn ? app.hints.ranked : null;
  const strategy = levelWords("search", texts);
  const play = (/** @type {Plain} */ action) => () => ((app.sheet = null), app.letGo(), app.choose([action]));
  return sheet(app, "hint", texts("hint.title", { strategy }), h("div", { class: "menu" },
    fresh === null
      ? h("p", { role: "status" }, texts(app.hints === null ? "hint.thinking" : "hint.not_asked", { strategy }))
      : hintWords(fresh, context).map((line, place) => button(line, play(fresh[place].action))),
    h("p", { class: "faint" }, texts("hint.mind"))));
}

/** @param {App} app @param {Table} table @returns {Child} */
function menuSheet(app, table) {
  const { texts } = app;
  if (app.sheet !== "menu") return null; // not even to ask for permissions: the answer comes from another process
  const open = (/** @type {string} */ name) => () => ((app.sheet = name), app.update());
  const playing = table.seat !== null && table.result === null;
  const leave = () => (playing ? askSure(app, texts("table.sure_leave"), () => app.leave(table)) : app.leave(table));
  const resign = () => ((app.sheet = null), app.ask("resign", { table: table.id }));
  const mayNotify = window.isSecureContext && globalThis.Notification?.permission === "default";
  const kicks = table.info.stage === "finished" && h("ol", { class: "seats" }, table.info.chairs.map((_, seat) => seatLine(app, table, seat)));
  return sheet(app, "menu", texts("play.menu"), h("div", { class: "menu" },
    button(texts("play.go_on"), () => ((app.sheet = null), app.update()), "main"),
    button(texts("menu.rules"), open("rules")),
    button(texts("web.story"), open("talk")),
    table.asked && table.info.hints !== false && table.info.tournament == null && button(texts("web.hint"), () => app.askHint(table)),
    table.code !== null && table.info.chairs.includes(null) && h("p", null, texts("table.code", { code: table.code })),
    mayNotify && button(texts("web.notify"), () => Notification.requestPermission().then(() => app.update())),
    language(app),
    button(texts("play.to_lobby"), () => app.go("lobby")),
    playing && button(texts("play.resign"), () => askSure(app, texts("play.sure_resign"), resign)),
    button(texts("table.leave"), leave),
    kicks));
}
