/** Games that were played here: the list, one shown again through anybody's eyes, and what came of them in numbers. They draw only. */

import { outcomeWords, playedWords } from "./ending.js";
import { sentence } from "./news.js";
import { gameName } from "./options.js";
import { back, banners, button, connection, frame, icon, isolated, select, turnBars } from "./parts.js";
import { h } from "./render.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./render.js").Child} Child */

const RUN = h("svg", { class: "run", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("circle", { cx: 12, cy: 12, r: 10.500 }), h("path", { d: "M9.500 7v10l7.500-5z" }));
const STOP = h("svg", { class: "run", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("circle", { cx: 12, cy: 12, r: 10.500 }), h("path", { d: "M8.500 7.500h2.500v9H8.500zM13 7.500h2.500v9H13z" }));

/** @param {App} app @returns {Child} */
export function replays(app) {
  const { texts } = app;
  return frame(app, texts("replays.title"), h("div", { class: "choices" },
    app.archive.played.length === 0 ? h("p", { class: "lead" }, texts("replays.none")) : button(texts("web.stats"), () => app.go("stats"), "wide"),
    h("ul", { class: "tables" }, app.archive.played.map((game) => h("li", { key: game.id, class: `tablecard ${game.game}` },
      h("div", null, h("p", null, playedWords(game, app.name, texts))),
      button(texts("web.look"), () => app.go("replay", game.id), "main"))))), back(app));
}

/** A game that was played, entry by entry, through anybody's eyes. @param {App} app @param {NonNullable<App["archive"]["replay"]>} shown @returns {Child} */
export function replay(app, shown) {
  const { texts } = app;
  const { id, game, names, total, at, eyes } = shown;
  const { runs } = app.archive;
  const entry = shown.entries.get(at) ?? shown.before;
  const seek = (/** @type {number} */ to) => app.archive.seek(id, Math.max(0, Math.min(total - 1, to)), eyes);
  const seers = [{ value: null, label: texts("replay.seen_by_all") }, ...names.map((who, seat) => ({ value: seat, label: texts("replay.seen_by", { who }) }))];
  const slide = (/** @type {Event} */ event) => seek(Number(/** @type {HTMLInputElement} */ (event.target).value));
  const told = (entry?.news ?? []).map((/** @type {Plain} */ news) => sentence(game, news, names, texts, null, app.boards.has(game))).filter(Boolean);
  if (at === total - 1) told.push(outcomeWords(shown.result, names, texts));
  const scene = entry !== null && {
    view: entry.view, me: eyes, names, texts, last: entry.news.find((/** @type {Plain} */ news) => "card" in news && news.type !== "card_drawn") ?? null, fresh: entry.news, news: entry.news,
    asked: [], legal: [], chosen: {}, picked: [], awaited: entry.view.to_act, drag: () => {}, touch: () => {},
    who: (/** @type {number} */ seat, /** @type {Child} */ more = null) => [h("b", null, isolated(names[seat])), more],
    tell: (/** @type {string} */ text) => app.notices.say(text),
  };
  const drawn = scene && app.boards.get(game)?.draw(scene);
  return [
    h("header", { class: "top" }, h("h1", null, gameName(game, texts)), connection(app), icon("←", texts("menu.back"), () => app.archive.leave())),
    banners(app),
    turnBars(app),
    h("main", { class: `game again ${game}`, id: "main" },
      h("section", { class: "hands", "aria-label": texts("web.move_of", { move: at, last: total - 1 }) },
        drawn && drawn.hand && h("div", { class: "hand", role: "group", "aria-label": texts("web.hand") }, drawn.hand),
        h("div", { class: "told", role: "status", tabindex: 0 }, told.map((/** @type {string} */ line) => h("p", null, line))),
        h("div", { class: "seeker" },
          icon(runs ? STOP : RUN, texts(runs ? "web.play_stop" : "web.play_on"), () => (runs ? app.archive.halt() : app.archive.run()), { "data-runs": "" }),
          icon("◀", texts("web.step_back"), () => seek(at - 1)),
          h("input", { type: "range", min: 0, max: total - 1, value: at, "aria-label": texts("web.move"), "aria-valuetext": texts("web.move_of", { move: at, last: total - 1 }), onInput: slide }),
          icon("▶", texts("web.step_on"), () => seek(at + 1))),
        h("div", { class: "seers" },
          h("span", { class: "faint where" }, texts("web.move_of", { move: at, last: total - 1 })),
          select(texts("web.eyes"), eyes, seers, (value) => app.archive.seek(id, at, value)))),
      h("section", { class: "board", tabindex: 0, "aria-label": texts("web.board") }, drawn && drawn.board)),
  ];
}

/** What came of the games that one has played here. @param {App} app @returns {Child} */
export function stats(app) {
  const { texts } = app;
  const mine = statistics(app.archive.played, app.name);
  const share = (/** @type {{games: number, wins: number}} */ { games, wins }) => `${Math.floor((100 * wins) / games)}%`;
  const figure = (/** @type {string} */ label, /** @type {string|number} */ value) => h("div", null, h("dt", null, label), h("dd", null, value));
  const bar = (/** @type {{games: number, wins: number, drawn: number}} */ { games, wins, drawn }) =>
    h("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("rect", { class: "all", width: 100, height: 8 }), h("rect", { class: "level", width: (100 * (wins + drawn)) / games, height: 8 }), h("rect", { class: "won", width: (100 * wins) / games, height: 8 }));
  return frame(app, texts("web.stats"), mine.games === 0 ? h("p", { class: "lead" }, texts("replays.none")) : h("div", { class: "stats" },
    h("dl", { class: "figures" },
      figure(texts("stats.games"), mine.games), figure(`${texts("stats.won")} ${share(mine)}`, mine.wins), figure(texts("stats.drawn"), mine.drawn),
      figure(texts("stats.in_a_row"), mine.streak), figure(texts("stats.best"), mine.best_streak)),
    h("h2", null, texts("stats.by_game")),
    h("ul", { class: "tallies" }, mine.by_game.map((each) => h("li", { key: each.game }, h("span", null, gameName(each.game, texts)), bar(each), h("b", null, `${each.wins} / ${each.games}`)))),
    h("h2", null, texts("stats.head")),
    h("ul", { class: "tallies" }, mine.against.map((each) => h("li", { key: each.name }, h("span", null, isolated(each.name)), bar({ games: each.games, wins: each.ahead, drawn: each.level }), h("b", null, `${each.ahead} : ${each.behind}`))))),
    icon("←", texts("menu.back"), () => app.go("replays", "", true)));
}

/** What came of games for one of their players, counted as `parlour stats` counts. @param {Plain[]} games the newest first @param {string} name */
export function statistics(games, name) {
  const mine = { games: 0, wins: 0, drawn: 0, streak: 0, best_streak: 0 };
  /** @type {Map<string, {game: string, games: number, wins: number, drawn: number}>} */
  const byGame = new Map();
  /** @type {Map<string, {name: string, games: number, ahead: number, behind: number, level: number}>} */
  const against = new Map();
  for (const { game, names, places, winners } of games.toReversed()) {
    const seat = names.indexOf(name);
    if (seat < 0) continue;
    const tally = byGame.get(game) ?? { game, games: 0, wins: 0, drawn: 0 };
    byGame.set(game, tally);
    const won = winners.includes(seat);
    for (const counted of [mine, tally]) {
      counted.games += 1;
      counted.wins += Number(won);
      counted.drawn += Number(winners.length === 0);
    }
    mine.streak = won ? mine.streak + 1 : 0;
    mine.best_streak = Math.max(mine.best_streak, mine.streak);
    names.forEach((/** @type {string} */ rival, /** @type {number} */ other) => {
      if (rival === name) return;
      const met = against.get(rival) ?? { name: rival, games: 0, ahead: 0, behind: 0, level: 0 };
      against.set(rival, met);
      met.games += 1;
      met[places[seat] < places[other] ? "ahead" : places[seat] > places[other] ? "behind" : "level"] += 1;
    });
  }
  const byName = (/** @type {string} */ one, /** @type {string} */ other) => (one < other ? -1 : 1);
  return {
    ...mine,
    by_game: [...byGame.values()].sort((one, other) => other.games - one.games || byName(one.game, other.game)),
    against: [...against.values()].sort((one, other) => other.games - one.games || byName(one.name, other.name)),
  };
}
