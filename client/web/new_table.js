/** What opens a table: a game against bots, or a table with its options. */

import { forPeople, gameName, levelWords, optionWords, settledOptions, valueWords } from "./options.js";
import { back, button, frame, goingOn, select } from "./parts.js";
import { h } from "./render.js";
import { rulesSheet } from "./sheets.js";
import { capital } from "./texts.js";
import { wordsOf } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./render.js").Child} Child */

const PACES = { relaxed: {}, steady: { decision: 60, bank: 60 }, quick: { decision: 20, bank: 20 } };
const TEAM_SEATS = 4;
const WATCHING = ["public", "everything", "nobody"];

/** @param {App} app @returns {Child} */
export function againstBots(app) {
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
      const cards = [gameCard(app, info, () => play(info), seatsOf(info) === app.players ? "" : texts("new.seats", { count: seatsOf(info) })), wordsOf(info.game)?.practised && practiceCard(app, info, () => play(info, true))];
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
export function newTable(app) {
  const { texts, plan } = app;
  const info = app.games.find((each) => each.game === app.route.id);
  if (info === undefined) {
    return frame(app, texts("lobby.new"), h("div", { class: "choices" }, h("p", { class: "lead" }, texts("start.which_game")), app.games.map((each) => gameCard(app, each, () => app.go("new", each.game)))), back(app));
  }
  if (plan.game !== info.game) app.plan = { game: info.game, seats: Math.min(...info.seats), options: {}, pace: "relaxed", public: true, bots: true, hints: true, watching: "public" };
  const set = (/** @type {string} */ field) => (/** @type {any} */ value) => ((app.plan[field] = value), field === "seats" && fitTeams(app, "seats"), app.update());
  const now = app.plan;
  const one = (/** @type {string} */ label, /** @type {string} */ field, /** @type {any[]} */ values, /** @type {(value: any) => string} */ words, about = "") =>
    select(label, now[field], values.map((value) => ({ value, label: words(value) })), set(field), about);
  const { pace, ...fields } = now;
  const open = () => app.seats.create({ ...fields, clocks: PACES[/** @type {"relaxed"} */ (pace)] });
  return frame(app, texts("new.title", { game: gameName(info.game, texts) }), h("div", { class: "plan" },
    button(texts("new.open"), open, "main wide"),
    one(texts("web.seats"), "seats", info.seats, (count) => texts("new.seats", { count })),
    one(texts("web.pace"), "pace", Object.keys(PACES), (value) => texts(`new.pace_${value}`), wordsOf(info.game)?.pace?.(texts)),
    one(texts("web.who_may_come"), "public", [true, false], (value) => texts(value ? "new.public" : "new.private")),
    one(texts("web.bots"), "bots", [true, false], (value) => texts(value ? "new.bots" : "new.no_bots")),
    one(texts("web.watching"), "watching", WATCHING, (value) => texts(`new.watching_${value}`)),
    one(texts("web.hints"), "hints", [true, false], (value) => texts(value ? "new.hints" : "new.no_hints")),
    h("h2", null, texts("web.options")),
    info.options.map((/** @type {Plain} */ option) => optionField(app, option)),
    button(texts("menu.rules"), () => ((app.sheet = "rules"), app.update())),
    rulesSheet(app, info.game, now.options)), back(app));
}

/** Seats follow whoever chooses teams, and teams go where there are other seats: no table could be opened with both. @param {App} app @param {string} chosen */
function fitTeams({ plan, notices, texts }, chosen) {
  if (plan.options.teams !== "on" || plan.seats === TEAM_SEATS) return;
  if (chosen === "seats") delete plan.options.teams;
  else plan.seats = TEAM_SEATS;
  notices.say(capital(texts("refused.options.teams")));
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
    fitTeams(app, option.option);
    app.update();
  };
  const labelled = values.map((value) => ({ value, label: valueWords(plan.game, option.option, value, texts) }));
  return select(words.name, now(plan.options), labelled, set, words.about);
}
