/** Tournaments: the list, the page of one while it is entered and played, its games, and its report. They draw only. */

import { CALLING, OPEN, OVER } from "./entrant.js";
import { gameName } from "./options.js";
import { ask, askSure, back, backToGame, button, callLeft, frame, icon, isolated, missedWords } from "./parts.js";
import { h } from "./render.js";
import { capital } from "./texts.js";
import { FAILURES, tieBreaks, tournamentPhase, tournamentRules, tournamentWord } from "./tournament_words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

/** What its organiser may do in each phase: the word and where it leads. @type {{[phase: string]: [string, string][]}} */
const STEERING = {
  announced: [["open", "open"], ["start", "start"], ["cancel", "cancel"]],
  registration: [["start", "start"], ["cancel", "cancel"]],
  check_in: [["begin", "start"], ["cancel", "cancel"]],
  running: [["pause", "pause"], ["cancel", "cancel"]],
  paused: [["resume", "resume"], ["cancel", "cancel"]],
};

/** @param {App} app @returns {Child} */
export function tournaments(app) {
  const { texts } = app;
  return frame(app, texts("tournaments.title"), h("div", { class: "choices" },
    app.tournaments.length === 0 && h("p", { class: "lead" }, texts("tournaments.none"), " ", texts("web.no_tournaments")),
    h("ul", { class: "tables" }, app.tournaments.map((info) => h("li", { key: info.tournament, class: "tablecard" },
      h("div", null,
        h("strong", null, isolated(info.name)),
        h("p", null, h("span", { class: `phase ${info.phase}` }, tournamentPhase(info, texts))),
        h("p", { class: "faint" }, kind(info, texts))),
      button(texts("web.look"), () => app.go("tournament", info.tournament), "main")))),
    h("p", { class: "faint" }, texts("web.tournament_made"), " ", h("code", null, `parlour tournament create examples/league.toml ${location.protocol === "https:" ? "wss://" : ""}${location.host}`))), back(app));
}

/** What is played, how, by how many, and whose it is. @param {Plain} info @param {Texts} texts */
const kind = (info, texts) =>
  texts("tournaments.kind", { game: gameName(info.game, texts), format: tournamentWord("format", info.format, texts), count: info.entrants, organiser: info.organiser });

/** @param {App} app @param {Plain} known @returns {Child} */
export function tournament(app, known) {
  const { texts } = app;
  const { info } = known;
  const part = (/** @type {string} */ title, /** @type {Child} */ body) => h("section", { "aria-label": title }, h("h2", null, title), body);
  const fold = (/** @type {string} */ title, /** @type {Child} */ body, open = false) => h("details", { class: "fold", open }, h("summary", null, title), body);
  return frame(app, isolated(info.name), h("div", { class: "tournament" },
    h("p", { class: "lead", role: "status" }, h("span", { class: `phase ${info.phase}` }, tournamentPhase(info, texts))),
    h("p", { class: "faint" }, kind(info, texts)),
    own(app, known),
    part(texts("tournaments.pairings"), round(app, known, known.rounds.at(-1))),
    part(texts("tournaments.standings"), standings(app, known)),
    known.crosstable.length > 0 && part(texts("tournaments.crosstable"), [h("p", { class: "faint" }, texts("web.cross_about")), crosstable(app, known)]),
    known.results.length > 0 && button(texts("web.report"), () => app.go("report", info.tournament), "wide"),
    h("div", { class: "folds" },
      known.rounds.slice(0, -1).reverse().map((/** @type {Plain} */ each) => fold(texts("tournaments.round", { round: each.round }), round(app, known, each))),
      fold(texts("tournaments.entrants"), entrants(app, known), known.rounds.length === 0),
      fold(texts("tournaments.rules"), tournamentRules(known.rules, texts).map((line) => h("p", null, line))))), icon("←", texts("menu.back"), () => app.go("tournaments")));
}

/** Whether one takes part, and what one may do about it; whoever organises it may steer. @param {App} app @param {Plain} known @returns {Child} */
function own(app, known) {
  const { texts } = app;
  const { info } = known;
  const id = info.tournament;
  const me = known.entrants.find((/** @type {Plain} */ each) => each.name === app.name);
  const there = me !== undefined && !me.gone;
  const begun = CALLING.includes(info.phase);
  const open = OPEN.includes(info.phase) || (info.phase === "running" && info.round < known.rules.entry.late);
  const steer = (/** @type {string} */ to) => app.ask("steer", { tournament: id, to });
  const placed = info.phase === "finished" && known.standings.find((/** @type {Plain} */ each) => each.name === app.name);
  const status = placed && !placed.gone ? texts("tournaments.you_placed", { rank: placed.rank, count: known.standings.length }) : me === undefined || (OVER.includes(info.phase) && !me.gone) ? "" : texts(`tournaments.${me.gone ? "you_gone" : me.checked_in ? "you_there" : begun ? "you_must" : "you"}`);
  const mine = [...(app.client?.tables.values() ?? [])].filter((table) => table.info.tournament === id && table.seat !== null && table.result === null);
  const steps = info.organiser === app.name ? (STEERING[info.phase] ?? []) : [];
  const bye = app.entrant.byeWords(known);
  return [
    bye && h("p", { class: "asks mine" }, bye),
    me === undefined && app.entrant.missed !== null && app.entrant.missed.tournament === id && h("div", { class: "missed asks", role: "status" }, missedWords(app, app.entrant.missed)),
    known.absentees.length > 0 && h("p", { class: "faint" }, texts("tournaments.absentees", { names: texts.listed(known.absentees) })),
    status && h("p", { class: there && begun && !me.checked_in ? "asks mine" : "" }, status, callLeft(app, known)),
    h("div", { class: "row" },
      mine.map((table) => backToGame(app, table)),
      open && me === undefined && (known.rules.entry.invitation
        ? ask(texts("tournaments.type_code"), texts("tournaments.enter"), (code) => app.entrant.enter(id, code.trim()), { kept: true, wanted: texts("web.code_first") })
        : button(texts("tournaments.enter"), () => app.entrant.enter(id, null), "main")),
      app.entrant.calls(known) && button(texts("tournaments.check_in"), () => app.entrant.checkIn(id), "main"),
      there && !OVER.includes(info.phase) && button(texts("tournaments.withdraw"), () => askSure(app, texts("tournaments.sure_withdraw"), () => app.ask("withdraw", { tournament: id })), "quiet")),
    steps.length > 0 && h("div", { class: "row" }, steps.map(([word, to]) =>
      button(texts(`tournaments.steer.${word}`), () => (to === "cancel" ? askSure(app, texts("tournaments.sure_cancel"), () => steer(to)) : steer(to)), to === "cancel" ? "quiet" : ""))),
  ];
}

// Rounds and their games

/** Who plays whom in a round, the reader first, with what is known of each game: to watch while it is played, to see again once the round is over. @param {App} app @param {Plain} known @param {Plain|undefined} paired @returns {Child} */
function round(app, known, paired) {
  const { texts } = app;
  if (paired === undefined) return h("p", null, texts("tournaments.not_paired"));
  const own = (/** @type {Plain} */ { players }) => players.includes(app.name);
  const tables = [...paired.tables.filter(own), ...paired.tables.filter((/** @type {Plain} */ table) => !own(table))];
  const results = (/** @type {Plain} */ table) => known.results.filter((/** @type {Plain} */ each) => each.round === paired.round && each.table === table.number);
  return [
    h("p", { class: "faint" }, texts("tournaments.round", { round: paired.round })),
    h("ol", { class: "pairings" }, tables.map((/** @type {Plain} */ table) => h("li", { key: table.number, value: table.number, class: own(table) ? "own" : "" },
      h("span", { class: "players" }, table.players.map((/** @type {string} */ name, /** @type {number} */ place) => [place > 0 && " – ", isolated(name)]), table.stake && ` ${texts(`tournaments.stake.${table.stake}`)}`),
      h("span", { class: "games" },
        results(table).map((/** @type {Plain} */ result) => played(app, result, table, paired.secret !== null)),
        watchable(app, known, table))))),
    paired.byes.length > 0 && h("p", null, texts("tournaments.byes", { names: texts.listed(paired.byes) })),
  ];
}

/** A game that is over: its points in the order of the names; a touch shows it again. @param {App} app @param {Plain} result @param {Plain} table @param {boolean} open @returns {Child} */
function played(app, result, table, open) {
  const { texts } = app;
  const told = result.void ? "✕" : table.players.map((/** @type {string} */ name) => number(pointsOf(result, name), 1, texts)).join(" : ");
  const order = result.players.map((/** @type {string} */ name, /** @type {number} */ seat) => `${result.places[seat]}. ${name}`).sort().join(texts("list.between"));
  const label = texts(result.void ? "tournaments.void" : "tournaments.result", { round: result.round, table: result.table, game: result.game + 1, names: order });
  if (!open || result.replay === null) return h("span", { key: result.game, class: "score", role: "img", "aria-label": label }, told);
  return h("button", { key: result.game, type: "button", class: "score", onClick: () => app.go("replay", result.replay) }, h("span", { "aria-hidden": "true" }, `↻ ${told}`), h("span", { class: "unseen" }, label));
}

/** One for each opponent beaten, a half for each with the same place. @param {Plain} result @param {string} name */
function pointsOf(result, name) {
  const mine = result.places[result.players.indexOf(name)];
  return result.places.filter((/** @type {number} */ place) => place > mine).length + (result.places.filter((/** @type {number} */ place) => place === mine).length - 1) / 2;
}

/** @param {App} app @param {Plain} known @param {Plain} table @returns {Child} */
function watchable(app, known, table) {
  const info = [...(app.client?.lobby?.values() ?? [])].find((each) =>
    each.tournament === known.info.tournament && each.stage === "playing" && each.watching !== "nobody" && each.chairs.every((chair) => table.players.includes(chair?.name)));
  if (info === undefined || table.players.includes(app.name)) return null;
  return button(app.texts("web.watch"), () => app.watch(info.table), "quiet");
}

/** @param {App} app @param {Plain} known @returns {Child} */
function entrants({ texts }, known) {
  if (known.entrants.length === 0) return h("p", null, texts("tournaments.nobody"));
  return h("ul", { class: "names" }, known.entrants.map((/** @type {Plain} */ each) => h("li", { key: each.name },
    isolated(each.name),
    each.bot && h("span", { class: "faint" }, ` ${texts("records.bot")}`),
    (each.gone || each.checked_in) && h("span", { class: "faint" }, ` ${texts(each.gone ? "tournaments.is_gone" : "tournaments.is_there")}`))));
}

// Tables of numbers

/** A number with at most so many decimals, as this language writes it. @param {number|null} value @param {number} digits @param {Texts} texts */
const number = (value, digits, texts) => (value === null ? "–" : value.toLocaleString(texts.language, { maximumFractionDigits: digits }));

/** A mean, and below it the interval that holds the truth 95 times in 100. @param {Plain|undefined} mean @param {number} digits @param {Texts} texts @returns {Child} */
function ranged(mean, digits, texts) {
  if (mean === undefined || mean.mean === null) return "–";
  return [number(mean.mean, digits, texts), mean.low !== null && h("small", { class: "range" }, `${number(mean.low, digits, texts)} … ${number(mean.high, digits, texts)}`)];
}

/** A table that scrolls sideways where it must. @param {string} title @param {Child[]} heads @param {{key: string, own: boolean, cells: Child[]}[]} rows @param {number} [named] which column has the name */
function grid(title, heads, rows, named = 0) {
  const cell = (/** @type {Child} */ inside, /** @type {number} */ place) => (place === named ? h("th", { scope: "row" }, inside) : h("td", null, inside));
  return h("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": title }, h("table", { class: named === 1 ? "ranked" : "" },
    h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", null, rows.map(({ key, own, cells }) => h("tr", { key, class: own ? "own" : "" }, cells.map(cell))))));
}

/** @param {Plain} each @param {Texts} texts @returns {Child} */
const standing = (each, texts) => [isolated(each.name), each.gone && h("small", null, ` ${texts("report.gone")}`)];

const NOTHING = { mean: null, low: null, high: null };

/** Those in the standings, and below them, with nothing so far, whoever has entered since they were worked out. @param {Plain} known @returns {Plain[]} */
function ranked({ standings, entrants }) {
  const here = standings.map((/** @type {Plain} */ { name }) => name);
  const rank = standings.find((/** @type {Plain} */ { points }) => points === 0)?.rank ?? standings.length + 1;
  const others = entrants.filter((/** @type {Plain} */ { name, gone }) => !gone && !here.includes(name));
  return [...standings, ...others.map((/** @type {Plain} */ { name }) => ({ rank, name, points: 0, games: 0, wins: 0, byes: 0, strikes: 0, gone: false, tie_breaks: {}, share: NOTHING, adjusted: NOTHING }))];
}

/** @param {App} app @param {Plain} known @returns {Child} */
function standings({ texts, name }, known) {
  if (known.rounds.length === 0) return h("p", null, texts("tournaments.no_standings"));
  const heads = ["rank", "name", "points", "games", "share"].map((word) => texts(`report.${word}`));
  const level = known.rules.format !== "knockout" && texts("web.level_points", { breaks: tieBreaks(known.rules, texts), bye: texts(`tournament.bye.${known.rules.bye}`) });
  return [h("p", { class: "faint" }, texts("web.standings_about"), level && ` ${level}`), grid(texts("tournaments.standings"), heads, ranked(known).map((/** @type {Plain} */ each) => ({
    key: each.name,
    own: each.name === name,
    cells: [each.rank, standing(each, texts), number(each.points, 1, texts), each.games, number(each.share.mean, 2, texts)],
  })), 1)];
}

/** @param {App} app @param {Plain} known @returns {Child} */
function crosstable({ texts, name }, known) {
  const names = ranked(known).map((/** @type {Plain} */ each) => each.name);
  const cells = new Map(known.crosstable.map((/** @type {Plain} */ each) => [JSON.stringify([each.one, each.other]), each]));
  const cell = (/** @type {string} */ one, /** @type {string} */ other) => {
    const found = cells.get(JSON.stringify([one, other]));
    return one === other ? "·" : found === undefined ? "" : `${number(found.points, 1, texts)}/${found.games}`;
  };
  const numbers = names.map((/** @type {string} */ _, /** @type {number} */ place) => place + 1);
  return grid(texts("tournaments.crosstable"), [texts("report.name"), ...numbers], names.map((/** @type {string} */ one, /** @type {number} */ place) => ({
    key: one,
    own: one === name,
    cells: [[`${place + 1}. `, isolated(one)], ...names.map((/** @type {string} */ other) => cell(one, other))],
  })));
}

// The report

/** All that can be said of what was played so far, in numbers. @param {App} app @param {Plain} known @returns {Child} */
export function report(app, known) {
  const { texts } = app;
  const { info } = known;
  const part = (/** @type {string} */ title, /** @type {string} */ note, /** @type {Child} */ body) => h("section", { "aria-label": title }, h("h2", null, title), note && h("p", { class: "faint" }, note), body);
  const counts = texts("report.played", {
    entrants: texts("report.entrants", { count: known.entrants.length }),
    rounds: texts("report.rounds", { count: known.rounds.length }),
    games: texts("report.games_played", { count: known.results.length }),
  });
  return frame(app, isolated(info.name), h("div", { class: "tournament" },
    h("p", { class: "lead" }, capital(tournamentPhase(info, texts))),
    h("p", null, `${tournamentWord("format", info.format, texts)} · ${counts}`),
    part(texts("report.standings"), texts("report.intervals"), fullStandings(app, known)),
    part(texts("report.means"), texts("report.means_note"), means(app, known)),
    known.crosstable.length > 0 && part(texts("report.crosstable"), texts("report.cross_note"), crosstable(app, known)),
    part(texts("report.time"), texts("report.time_note"), thinking(app, known)),
    part(texts("report.failures"), "", failures(app, known)),
    part(texts("report.secrets"), texts("report.secrets_note"), h("dl", { class: "secrets" }, [[texts("report.published"), info.published], ...known.rounds.map((/** @type {Plain} */ each) => [texts("report.round", { round: each.round }), each.secret])].map(([when, secret]) => [h("dt", null, when), h("dd", null, h("code", null, secret ?? "…"))])))),
    icon("←", texts("menu.back"), () => app.go("tournament", info.tournament)));
}

/** @param {App} app @param {Plain} known @returns {Child} */
function fullStandings({ texts, name }, known) {
  const breaks = known.rules.format === "knockout" ? [] : Object.keys(known.standings[0]?.tie_breaks ?? {});
  const ratings = new Map(known.ratings.map((/** @type {Plain} */ each) => [each.name, each]));
  const heads = [
    ...["rank", "name", "points"].map((word) => texts(`report.${word}`)),
    ...breaks.map((each) => capital(tournamentWord("tie_break", each, texts))),
    ...["games", "wins", "byes", "share", "adjusted", "rating"].map((word) => texts(`report.${word}`)),
  ];
  return grid(texts("report.standings"), heads, ranked(known).map((/** @type {Plain} */ each) => ({
    key: each.name,
    own: each.name === name,
    cells: [
      each.rank, standing(each, texts), number(each.points, 1, texts), ...breaks.map((one) => number(each.tie_breaks[one] ?? 0, 2, texts)),
      each.games, each.wins, each.byes, ranged(each.share, 3, texts), ranged(each.adjusted, 3, texts), ranged(ratings.get(each.name), 1, texts),
    ],
  })), 1);
}

/** Dots with the intervals around them, from 0 to 1. @param {App} app @param {Plain} known @returns {Child} */
function means({ texts }, known) {
  const rows = known.standings.filter((/** @type {Plain} */ each) => each.share.mean !== null);
  return h("ul", { class: "means" }, rows.map((/** @type {Plain} */ { name, share }) => h("li", { key: name },
    h("span", null, isolated(name)),
    h("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img", "aria-label": number(share.mean, 2, texts) },
      h("path", { class: "scale", d: "M0 6h100M50 1v10" }),
      share.low !== null && h("path", { class: "interval", d: `M${100 * share.low} 6H${100 * share.high}` }),
      h("path", { class: "mean", d: `M${100 * share.mean} 6h.01` })))));
}

/** @param {App} app @param {Plain} known @returns {Child} */
function thinking({ texts }, known) {
  /** @type {Map<string, {moves: number, seconds: number}>} */
  const all = new Map();
  for (const result of known.results) {
    result.players.forEach((/** @type {string} */ name, /** @type {number} */ seat) => {
      const before = all.get(name) ?? { moves: 0, seconds: 0 };
      all.set(name, { moves: before.moves + result.moves[seat], seconds: before.seconds + result.thinking[seat] });
    });
  }
  const told = [...all].filter(([, { moves }]) => moves > 0).sort(([, one], [, other]) => other.seconds - one.seconds);
  return h("ul", { class: "names" }, told.map(([name, { moves, seconds }]) => h("li", { key: name }, isolated(name), h("span", { class: "faint" }, ` ${number(seconds, 1, texts)} s · ${texts("report.seconds", { seconds: number(seconds / moves, 2, texts) })}`))));
}

/** @param {App} app @param {Plain} known @returns {Child} */
function failures({ texts, name }, known) {
  const failed = known.results.flatMap((/** @type {Plain} */ each) => each.failures);
  const forfeits = known.results.flatMap((/** @type {Plain} */ each) => each.forfeits);
  const times = (/** @type {string} */ who, /** @type {string} */ how) => failed.filter((/** @type {Plain} */ each) => each.name === who && each.kind === how).reduce((/** @type {number} */ sum, /** @type {Plain} */ each) => sum + each.times, 0);
  const rows = known.standings
    .map((/** @type {Plain} */ each) => ({ key: each.name, own: each.name === name, counts: [...FAILURES.map((how) => times(each.name, how)), forfeits.filter((/** @type {string} */ who) => who === each.name).length, each.strikes] }))
    .filter((/** @type {{counts: number[]}} */ { counts }) => counts.some((count) => count > 0));
  if (rows.length === 0) return h("p", null, texts("report.no_failures"));
  const heads = [texts("report.name"), ...FAILURES.map((how) => capital(texts(`tournament.failure.${how}`))), texts("report.forfeits"), texts("report.strikes")];
  return grid(texts("report.failures"), heads, rows.map((/** @type {Plain} */ { key, own, counts }) => ({ key, own, cells: [isolated(key), ...counts] })));
}
