/** The screens: what a visit looks like at a moment. They draw, and hand taps to the app; they keep nothing. */

import { absent, absenceWords, forAbsent, forOneself } from "./absence.js";
import { choices, picked, settled, whole } from "./choosing.js";
import { decision, inPlaces, outcome, scoreWords } from "./ending.js";
import { adviceWords, choiceWords, hintWords, whereTo } from "./moves.js";
import { asked, beforehand } from "./news.js";
import { forPeople, gameName, harder, levelWords, optionWords, settledOptions, unusual, valueWords } from "./options.js";
import { ask, askSure, back, backToGame, banners, button, clock, connection, connectionWords, frame, icon, isolated, said, select, sheet, timer, turnBars } from "./parts.js";
import { namesOf } from "./reader.js";
import { h } from "./render.js";
import { replay, replays, stats } from "./replays.js";
import { leadOf, rules } from "./rules.js";
import { againstBotsAlone } from "./seats.js";
import { befallen, glance, missed } from "./story.js";
import { report, tournament, tournaments } from "./tournaments.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Entry} Entry */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

const PACES = { relaxed: {}, steady: { decision: 60, bank: 60 }, quick: { decision: 20, bank: 20 } };
const DRAG_FROM = 8;
/** Names by which a machine only reaches itself. */
const OWN = /^(localhost|127\..*|\[::1\])$/;
const WATCHING = ["public", "everything", "nobody"];

// The whole page

/** @param {App} app @returns {Child} */
export function page(app) {
  return [screen(app), sure(app), !inGame(app) && toast(app)];
}

/** Whether a game is shown: there a notice stands above what is under the thumb. @param {App} app */
const inGame = (app) => app.halted === null && app.table !== null && app.table.view !== null && app.table.info.stage !== "gathering" && !app.large;

/** @param {App} app @returns {Child} */
function screen(app) {
  if (app.halted !== null) return halted(app);
  if (app.client === null || app.client.welcome === null || app.games.length === 0) return door(app);
  const { table } = app;
  if (table !== null && table.view !== null && table.info.stage !== "gathering") return game(app, table);
  if (table !== null) return gathering(app, table);
  if (app.large) return nothingToWatch(app);
  if (app.route.screen === "tournaments") return tournaments(app);
  if (app.route.screen === "tournament" && app.entrant.known !== null) return tournament(app, app.entrant.known);
  if (app.route.screen === "report" && app.entrant.known !== null) return report(app, app.entrant.known);
  if (app.route.screen === "replays") return replays(app);
  if (app.route.screen === "stats") return stats(app);
  if (app.route.screen === "replay" && app.archive.replay !== null) return replay(app, app.archive.replay);
  if (app.route.screen === "new") return newTable(app);
  if (app.route.screen === "bots") return againstBots(app);
  return lobby(app);
}

/** @param {App} app @returns {Child} */
function toast(app) {
  return app.notices.text !== "" && h("p", { class: `toast ${app.notices.high ? "high" : ""}`, role: "status", "aria-live": "off", onClick: () => app.notices.say("") }, app.notices.text);
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
      ? h("p", { role: "status" }, connectionWords(app))
      : ask(texts("start.type_name"), label, (name) => app.enter(name), { defaultValue: app.name, maxLength: 24, kept: true, spellcheck: false }),
    language(app)));
}

/** The large screen while there is nothing on it: how to change that. @param {App} app @returns {Child} */
function nothingToWatch(app) {
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
      goingOn(app),
      button(texts("web.against_bots"), () => app.go("bots"), "main wide"),
      button(texts("lobby.new"), () => app.go("new"), "wide"),
      button(app.entrant.open > 0 ? texts("web.tournaments_open", { count: app.entrant.open }) : texts("tournaments.title"), () => app.go("tournaments"), "half"),
      button(texts("lobby.replays"), () => app.go("replays"), "half"),
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

/** The way back to games of one's own that go on. @param {App} app @returns {Child} */
function goingOn(app) {
  const mine = [...(app.client?.tables.values() ?? [])].filter((table) => table.seat !== null && table.view !== null && table.result === null);
  return mine.map((table) => backToGame(app, table));
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
      h("p", null, names)),
    door);
}

// A new table

/** @param {App} app @returns {Child} */
function againstBots(app) {
  const { texts } = app;
  const levels = forPeople([...new Set(app.games.flatMap((info) => info.strategies))]).map((value) => ({ value, label: levelWords(value, texts) }));
  const players = [...new Set(app.games.flatMap((info) => info.seats))].sort((one, other) => one - other).map((value) => ({ value, label: texts("new.seats", { count: value }) }));
  const seatsOf = (/** @type {Plain} */ info) => Math.max(Math.min(...info.seats), Math.min(app.players, Math.max(...info.seats)));
  const play = (/** @type {Plain} */ info, practice = false) => {
    const seats = seatsOf(info);
    app.seats.create({ game: info.game, seats, public: false, practice }, seats - 1);
  };
  return frame(app, texts("web.against_bots"), h("div", { class: "choices" },
    goingOn(app),
    select(texts("web.bots"), app.level, levels, (value) => ((app.level = value), app.update()), texts("start.bots_about")),
    select(texts("web.seats"), app.players, players, (value) => ((app.players = value), app.update())),
    h("p", { class: "lead" }, texts("start.which_game")),
    app.games.map((info) => {
      const cards = [gameCard(app, info, () => play(info), seatsOf(info) === app.players ? "" : texts("new.seats", { count: seatsOf(info) })), info.game === "hurry-cup" && practiceCard(app, info, () => play(info, true))];
      return app.guide.knows(info.game) ? cards : cards.reverse(); // whoever is new is offered to practise first
    })), back(app));
}

/** @param {App} app @param {Plain} info @param {() => void} action @returns {Child} */
function practiceCard({ texts }, info, action) {
  return h("button", { type: "button", key: "practice", class: `gamecard ${info.game}`, onClick: action }, h("strong", null, texts("start.practice", { game: gameName(info.game, texts) })), h("span", null, texts("start.practice_about")));
}

/** @param {App} app @param {Plain} info @param {() => void} action @param {string} [seats] how many play, where that is not as was asked for @returns {Child} */
function gameCard(app, info, action, seats = "") {
  const about = app.texts.orElse(`new.game.${info.game}`, "");
  return h("button", { type: "button", key: info.game, class: `gamecard ${info.game}`, onClick: action }, h("strong", null, gameName(info.game, app.texts)), h("span", null, about), seats && h("span", { class: "faint" }, seats));
}

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
  const one = (/** @type {string} */ label, /** @type {string} */ field, /** @type {any[]} */ values, /** @type {(value: any) => string} */ words, about = "") =>
    select(label, now[field], values.map((value) => ({ value, label: words(value) })), set(field), about);
  const { pace, ...fields } = now;
  const open = () => app.seats.create({ ...fields, clocks: PACES[/** @type {"relaxed"} */ (pace)] });
  return frame(app, texts("new.title", { game: gameName(info.game, texts) }), h("div", { class: "plan" },
    button(texts("new.open"), open, "main wide"),
    one(texts("web.seats"), "seats", info.seats, (count) => texts("new.seats", { count })),
    one(texts("web.pace"), "pace", Object.keys(PACES), (value) => texts(`new.pace_${value}`), info.game === "hurry-cup" ? texts("web.hurries") : ""),
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

// A table before a game

/** @param {App} app @param {Table} table @returns {Child} */
function gathering(app, table) {
  const { texts } = app;
  const { info, id } = table;
  const strategies = forPeople(app.games.find((each) => each.game === info.game)?.strategies ?? []);
  const all = info.chairs.every((chair) => chair?.ready);
  const free = info.chairs.filter((chair) => chair === null).length;
  const waits = free > 0 ? texts("table.waits_for_players", { count: free }) : !all ? texts("table.waits_for_ready") : texts(table.hosting ? "table.can_start" : "table.waits_for_host");
  return frame(app, texts("table.title", { game: gameName(info.game, texts) }), h("div", { class: "gathering" },
    h("ol", { class: "seats" }, info.chairs.map((_, seat) => seatLine(app, table, seat))),
    h("p", { role: "status" }, waits),
    unusualWords(app, info.game, info.options) && h("p", { class: "unusual" }, unusualWords(app, info.game, info.options)),
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
  const marks = [
    seat === table.seat && texts("table.you"),
    chair.name === table.info.host && texts("table.host"),
    chair.bot && texts("table.bot"),
    chair.strategy != null && levelWords(chair.strategy, texts),
    table.info.stage === "gathering" && texts(chair.ready ? "table.ready" : "table.not_ready"),
    !chair.here && chair.away_since != null && texts("table.away"), // a bot that is still to come has not lost anything
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
      app.notices.say(app.texts("web.copied"));
    } catch {
      app.notices.say(address);
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
  const { table: shown } = app.seenAt(table);
  const view = (app.entry === null ? shown : table).view ?? {};
  const sceneOf = (/** @type {Table} */ { view, news, awaited }, /** @type {Pattern[]} */ asked, /** @type {Pattern[]} */ legal) => ({
    view: app.lingering(table, view ?? {}), me: table.seat, names, texts, news, asked, legal, chosen: settled(legal), picked: picked(legal), awaited, drag,
    last: news.findLast((each) => "card" in each && each.type !== "card_drawn") ?? null, fresh: app.fresh.get(table.id) ?? [],
    who: (/** @type {number} */ seat, /** @type {Child} */ more = null) => whoSits(table, texts, seat, more),
    touch: (/** @type {Plain} */ wanted) => app.touch(wanted),
    tell: (/** @type {string} */ text) => app.notices.say(text, true), large: app.large,
  });
  const newest = sceneOf(table, app.entry?.steps[0] ?? [], legal);
  const drawn = board?.draw(shown === table ? newest : sceneOf(shown, [], [])) ?? { board: plain(shown), hand: null, found: null };
  const near = shown === table || app.entry === null ? drawn : (board?.draw(newest) ?? drawn); // what is under the thumb
  const lessons = app.guide.words(app.entry === null ? shown : table);
  const befell = befallen(app.stories.get(table.id), app.seenAt(table).told);
  const menu = icon("☰", texts("play.menu"), () => ((app.sheet = "menu"), app.update()));
  if (app.large) {
    return h("main", { class: "game large", id: "main" },
      h("h1", { class: "unseen" }, gameName(info.game, texts)),
      icon("✕", texts("menu.back"), () => app.largeScreen.leave(), { class: "icon corner" }),
      h("section", { class: "board", tabindex: 0, "aria-label": texts("web.board") }, drawn.board),
      h("section", { class: "hands", "aria-label": texts("web.story") },
        shown.result === null
          ? [h("p", { class: "asks" }, app.waitingWords(table)), h("div", { class: "latest" }, atAGlance(app, table))]
          : [h("p", { class: "asks mine" }, decision(table, texts) || outcome(table, texts)), podium(table, texts)]));
  }
  return [
    h("header", { class: "top" }, heading(app, table), connection(app), hintButton(app, table), menu),
    banners(app),
    turnBars(app),
    h("main", { class: `game ${info.game} ${waiting ? "waiting" : ""} ${app.client?.state === "lost" ? "stale" : ""}`, id: "main" },
      h("section", { class: "hands", "aria-label": texts("web.your_turn") },
        forOneself(app, table),
        absenceWords(table, texts).map((line) => h("p", { class: "absence", role: "status" }, line)),
        shown.result === null ? prompt(app, table) : result(app, table),
        shown.result === null && h("div", { class: lessons.length > 0 ? "taught" : "" },
          lessons.length > 0 && h("div", { class: "lessons", role: "note", tabindex: 0 },
            icon("✕", texts("web.got_it"), () => app.guide.stop(table), { class: "quiet icon gotit" }), lessons.map((line) => h("p", null, line))),
          h("div", { class: "acts" },
            befell.map((text) => h("p", { key: text, class: "find" }, text)),
            near.found?.note,
            words(app, table),
            near.hand && h("div", { class: "hand", role: "group", "aria-label": texts("web.hand"), "data-arrows": "" }, near.hand))),
        hints(app, table),
        h("p", { class: "lastnews" }, lastNews(app, table, [...befell, near.found?.said])),
        toast(app)),
      h("section", { class: "board", tabindex: 0, "aria-label": texts("web.board"), "data-arrows": "" }, drawn.board),
      h("aside", { class: "side", "aria-label": texts("web.story") }, story(app, table), talkLine(app, table))),
    menuSheet(app, table),
    talkSheet(app, table),
    rulesSheet(app, info.game, view.options ?? info.options),
  ];
}

/** Which game is played; in a tournament, which one of it, and against whom. @param {App} app @param {Table} table @returns {Child} */
function heading(app, table) {
  const cup = app.entrant.gameWords(table);
  return cup === null ? h("h1", null, gameName(table.info.game, app.texts)) : h("h1", { class: "cupgame" }, isolated(cup));
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
  const gone = absent(table).some(([other]) => other === seat);
  return [
    h("span", { class: `dot ${gone ? "poor" : "fine"}`, "aria-hidden": "true" }),
    h("b", null, chair?.name ?? "?"),
    chair?.bot && h("span", { class: "faint isbot" }, texts("records.bot")),
    gone && h("span", { class: "faint" }, ` (${texts("table.away")})`),
    more,
    left !== null && h("time", null, left),
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

/** What is asked. @param {App} app @param {Table} table @returns {Child} */
function prompt(app, table) {
  const { texts, entry } = app;
  const home = table.seat === null ? null : (app.boards.get(table.info.game)?.home?.(app.seenAt(table).table.view ?? {}, table.seat, texts) ?? null);
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
  const { texts, playback } = app;
  return [
    h("div", { class: "asking" }, h("p", { class: "asks mine" }, words)),
    h("div", { class: "row words" },
      playback.behind(table) !== null && button(texts("web.to_end"), () => (playback.skip(), app.update()), "main"),
      button(texts("web.to_lobby"), () => app.go("lobby"))),
  ];
}

/** Asks for a hint; where the table allows none, it is not there. @param {App} app @param {Table} table @returns {Child} */
function hintButton(app, table) {
  if (table.seat === null || table.result !== null || table.info.hints === false || table.info.tournament != null) return null;
  const bulb = h("svg", { class: "bulb", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M8.500 16.500C7 14.500 5 13 5 9.500a7 7 0 0 1 14 0c0 3.500-2 5-3.500 7zM9 19.500h6M10.500 22h3" }));
  return icon(bulb, app.texts("web.hint"), () => app.askHint(table), { disabled: app.entry === null });
}

/** What a bot would play: one of it is shown on the board, with what speaks for it. @param {App} app @param {Table} table @returns {Child} */
function hints(app, table) {
  const { texts, advice } = app;
  if (advice === null) return null;
  const strategy = levelWords("search", texts);
  if (advice.ranked === null) return h("div", { class: "hints" }, h("p", { role: "status" }, texts("hint.thinking", { strategy })));
  const told = hintWords(advice.ranked, contextOf(table, texts));
  return h("div", { class: "hints", role: "group", "aria-label": texts("web.hints"), "data-arrows": "" },
    h("h2", null, texts("hint.title", { strategy })),
    told.map(({ action }, place) => h("button", { type: "button", "aria-label": `${place + 1}: ${action}`, "aria-pressed": String(place === advice.at), onClick: () => app.showHint(place) }, place + 1)),
    h("p", { role: "status" }, told[advice.at].why));
}

/** @param {Table} table @param {Texts} texts */
const contextOf = (table, texts) => ({ game: table.info.game, me: table.seat, names: namesOf(table), view: table.view ?? {}, texts });

/** What is chosen in words. @param {App} app @param {Table} table @returns {Child} */
function words(app, table) {
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

/** @param {string} text */
const capital = (text) => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** @param {App} app @param {Table} table @returns {Child} */
function result(app, table) {
  const { texts } = app;
  const unfair = table.unfair();
  const luck = unfair === null ? "" : unfair.length === 0 ? texts("web.fair") : texts("web.unfair", { what: unfair.join(", ") });
  const { game, practice } = table.info;
  const [places, won] = [table.result?.places ?? [], table.result?.winners.includes(table.seat ?? -1)];
  const place = table.seat !== null && places.length > 2 && texts.orElse(`hurry.place.${places[table.seat]}`, String(places[table.seat]));
  const alone = againstBotsAlone(table);
  const next = alone && won && !practice && harder(app.level, app.games.find((each) => each.game === game)?.strategies ?? [], texts);
  return h("div", { class: "result" },
    h("p", { class: "asks mine" }, decision(table, texts) || outcome(table, texts)),
    place && h("p", { class: "placed" }, texts("web.placed", { place, count: places.length })),
    podium(table, texts),
    h("div", { class: "row" },
      alone && practice && button(texts("web.real_race"), () => app.seats.playOn(table, app.level), "main"),
      next && button(next.question, () => app.seats.playOn(table, next.strategy)),
      table.seat !== null && table.info.tournament == null && button(texts("table.rematch"), () => app.seats.rematch(table), alone && practice ? "" : "main"),
      table.seat !== null && table.result?.head != null && button(texts("over.watch"), () => app.archive.watchAgain(table)),
      table.info.tournament != null && button(texts("tournaments.standings"), () => app.go("tournament", table.info.tournament ?? ""), "main"),
      button(texts("web.to_lobby"), () => app.go("lobby")),
      table.info.tournament == null && button(texts("table.leave"), () => app.seats.leave(table), "quiet")),
    luck && h("p", { class: unfair?.length ? "alarm" : "faint fair" }, luck));
}

/** All players in their places. @param {Table} table @param {Texts} texts @returns {Child} */
function podium(table, texts) {
  const [places, names] = [table.result?.places ?? [], namesOf(table)];
  return h("ol", { class: "podium" }, inPlaces(places).map((seat) => h("li", { key: seat, class: seat === table.seat ? "own" : "" },
    h("b", null, `${places[seat]}.`), h("span", null, isolated(names[seat])), h("span", { class: "faint" }, scoreWords(table.info.game, table.view ?? {}, seat, texts)))));
}

/** @param {App} app @param {Table} table @param {(string|undefined)[]} elsewhere what is told in another place @returns {Child} */
function lastNews(app, table, elsewhere) {
  const open = () => ((app.sheet = "talk"), app.update());
  const told = atAGlance(app, table, elsewhere);
  const more = missed(app.stories.get(table.id), app.seenAt(table).told);
  return told.length > 0 && h("button", { type: "button", class: "latest", onClick: open }, h("span", { class: "unseen" }, app.texts("web.story")), h("span", { class: "glance" }, told), more > 0 && h("span", { class: "more", "aria-hidden": "true" }, `+${more}`));
}

/** @param {App} app @param {Table} table @param {(string|undefined)[]} [elsewhere] @returns {Child[]} */
const atAGlance = (app, table, elsewhere = []) => glance(app.stories.get(table.id), app.seenAt(table).told).filter((line) => !elsewhere.includes(line.text)).map((line) => said(line.who, line.text, line.matters ? "matters" : ""));

/** @param {App} app @param {Table} table @returns {Child} */
function story(app, table) {
  const { told: all = [], answered = [] } = app.stories.get(table.id) ?? {};
  const told = all.slice(0, app.seenAt(table).told);
  const since = (/** @type {number} */ place) => place === answered.at(-1) && h("p", { class: "since" }, app.texts("web.since_move"));
  return h("div", { class: "story", tabindex: 0, role: "log", "aria-live": "off", "aria-label": app.texts("web.story") }, told.map((line, place) => [since(place), storyLine(app, line)]));
}

/** A line of the story; a touch shows on the board where it was, and whoever hears it is told the cells. @param {App} app @param {import("./story.js").Told} line */
function storyLine(app, { who, text, shows = [], cells }) {
  if (shows.length === 0) return said(who, text);
  return h("p", { class: "points", onClick: () => app.point(shows) }, text, cells && h("span", { class: "unseen" }, ` ${cells}`));
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

/** What is not as usual at this table, in a sentence; empty if nothing is. @param {App} app @param {string} game @param {Plain} options */
function unusualWords({ texts }, game, options) {
  const told = unusual(game, options, texts);
  return told.length === 0 ? "" : texts("options.unusual", { options: told.join(texts("list.apart")) });
}

/** @param {App} app @param {string} game @param {Plain} options @returns {Child} */
function rulesSheet(app, game, options) {
  const told = app.sheet === "rules" ? rules(game, options, app.texts) : [];
  const other = unusualWords(app, game, options);
  const paragraph = (/** @type {string} */ text) => {
    const [lead, rest] = leadOf(text);
    return h("p", null, lead && h("b", null, lead, " "), rest);
  };
  return sheet(app, "rules", app.texts("web.rules_of", { game: gameName(game, app.texts) }), h("div", { class: "rules", tabindex: 0, role: "document" }, other && h("p", { class: "unusual" }, other), told.map(paragraph)));
}

/** @param {App} app @param {Table} table @returns {Child} */
function talkSheet(app, table) {
  return app.sheet === "talk" && sheet(app, "talk", app.texts("web.story"), talk(app, table));
}

/** @param {App} app @param {Table} table @returns {Child} */
function menuSheet(app, table) {
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
    playing && button(texts("play.resign"), () => askSure(app, texts("play.sure_resign"), () => app.resign(table))),
    button(texts("table.leave"), leave),
    kicks));
}
