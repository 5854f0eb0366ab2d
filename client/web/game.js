/** The table in a game: the board, who sits around it, and how it ended. */

import { absenceWords, absent, forOneself } from "./absence.js";
import { hintButton, hints, prompt, words } from "./asking.js";
import { picked, settled } from "./choosing.js";
import { drag } from "./dragging.js";
import { decision, inPlaces, inTeams, outcome, scoreWords } from "./ending.js";
import { gameName, harder } from "./options.js";
import { banners, button, clock, connection, icon, isolated, toast, turnBars } from "./parts.js";
import { namesOf } from "./reader.js";
import { h } from "./render.js";
import { againstBotsAlone } from "./seats.js";
import { menuSheet, rulesSheet, talkSheet } from "./sheets.js";
import { befallen } from "./story.js";
import { atAGlance, howItEnded, lastNews, story, talkLine } from "./telling.js";
import { teamWords } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

/** @param {App} app @param {Table} table @returns {Child} */
export function game(app, table) {
  const { texts } = app;
  const { info } = table;
  const board = app.boards.get(info.game);
  const { legal } = app;
  const waiting = app.client?.state !== "open" || (table.question !== null && !table.asked);
  const names = namesOf(table);
  const { table: shown } = app.chronicle.seenAt(table);
  const view = (app.entry === null ? shown : table).view ?? {};
  const sceneOf = (/** @type {Table} */ { view, news, awaited }, /** @type {Pattern[]} */ asked, /** @type {Pattern[]} */ legal) => ({
    view: app.chronicle.lingering(table, view ?? {}), me: table.seat, names, texts, news, asked, legal, chosen: settled(legal), picked: picked(legal), awaited, drag,
    last: news.findLast((each) => "card" in each && each.type !== "card_drawn") ?? null, fresh: app.chronicle.fresh.get(table.id) ?? [],
    who: (/** @type {number} */ seat, /** @type {Child} */ more = null) => whoSits(table, texts, seat, more),
    touch: (/** @type {Plain} */ wanted) => app.touch(wanted),
    tell: (/** @type {string} */ text) => app.notices.say(text, true), large: app.large,
  });
  const newest = sceneOf(table, app.entry?.steps[0] ?? [], legal);
  const drawn = board?.draw(shown === table ? newest : sceneOf(shown, [], [])) ?? { board: plain(shown), hand: null, found: null };
  if (app.large) return onLargeScreen(app, table, drawn.board);
  const near = shown === table || app.entry === null ? drawn : (board?.draw(newest) ?? drawn); // what is under the thumb
  const lessons = app.guide.words(app.entry === null ? shown : table);
  const befell = befallen(app.chronicle.stories.get(table.id), app.chronicle.seenAt(table).told);
  const menu = icon("☰", texts("play.menu"), () => ((app.sheet = "menu"), app.update()));
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
    rulesSheet(app, info.game, view.options ?? info.options, info),
  ];
}

/** The game in a living room: its board, and in words what happens or how it ended. @param {App} app @param {Table} table @param {Child} board @returns {Child} */
function onLargeScreen(app, table, board) {
  const { texts } = app;
  const { table: shown } = app.chronicle.seenAt(table);
  return h("main", { class: "game large", id: "main" },
    h("h1", { class: "unseen" }, gameName(table.info.game, texts)),
    icon("✕", texts("menu.back"), () => app.largeScreen.leave(), { class: "icon corner" }),
    h("section", { class: "board", tabindex: 0, "aria-label": texts("web.board") }, board),
    h("section", { class: "hands", "aria-label": texts("web.story") },
      shown.result === null
        ? [h("p", { class: "asks" }, app.waitingWords(table)), h("div", { class: "latest" }, atAGlance(app, table))]
        : [h("p", { class: "asks mine" }, decision(table, texts) || outcome(table, texts)), podium(table, texts)]));
}

/** Which game is played; in a tournament, which one of it, and against whom. @param {App} app @param {Table} table @returns {Child} */
function heading(app, table) {
  const cup = app.entrant.gameWords(table);
  return cup === null ? h("h1", null, gameName(table.info.game, app.texts)) : h("h1", { class: "cupgame" }, isolated(cup));
}

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

/** @param {App} app @param {Table} table @returns {Child} */
function result(app, table) {
  const { texts } = app;
  const unfair = table.unfair();
  const luck = unfair === null ? "" : unfair.length === 0 ? texts("web.fair") : texts("web.unfair", { what: unfair.join(", ") });
  const { game, practice } = table.info;
  const [places, won] = [table.result?.places ?? [], table.result?.winners.includes(table.seat ?? -1)];
  const place = table.seat !== null && places.length > 2 && !inTeams(table.info) && texts.orElse(`hurry.place.${places[table.seat]}`, String(places[table.seat]));
  const alone = againstBotsAlone(table);
  const next = alone && won && !practice && harder(app.level, app.games.find((each) => each.game === game)?.strategies ?? [], texts);
  return h("div", { class: "result" },
    h("p", { class: "asks mine" }, decision(table, texts) || outcome(table, texts)),
    howItEnded(app, table),
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
    h("b", null, `${places[seat]}.`), h("span", null, isolated(names[seat]), inTeams(table.info) && h("span", { class: "faint" }, ` ${teamWords(table.info, seat, texts)}`)), h("span", { class: "faint" }, scoreWords(table.info.game, table.view ?? {}, seat, texts)))));
}

/** The view of a game that has no board yet. @param {Table} table @returns {Child} */
function plain(table) {
  const empty = (/** @type {any} */ value) => value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0);
  const shown = Object.entries(table.view ?? {}).filter(([field, value]) => field !== "options" && !empty(value));
  return h("dl", { class: "listing" }, shown.map(([field, value]) => [h("dt", null, field.replaceAll("_", " ")), h("dd", null, JSON.stringify(value).replaceAll('"', "").replaceAll(",", ", "))]));
}
