/** Who has lost the connection in a game, since when, and what may be done about it. */

import { forPeople, levelWords } from "./options.js";
import { askSure, button, clock } from "./parts.js";
import { h } from "./render.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").Chair} Chair */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./render.js").Child} Child */

/** Seconds that a bot may take to come in: until then it has lost nothing. */
const COMING_IN = 5;

/** Whether time plays for this player, who may have the seat back. @param {Table} table */
const playedFor = (table) => table.info.stage === "playing" && table.result === null && table.me !== null && table.me.stand_in && !table.me.left;

/** Has the seat back if it is played for. @param {App} app @param {Table} table */
export function takeSeatBack(app, table) {
  if (playedFor(table)) app.client?.resume(table.id, table.seq);
}

/** Says to a player who is played for how to have the seat back. @param {App} app @param {Table} table @returns {Child} */
export function forOneself(app, table) {
  if (!playedFor(table)) return null;
  return h("div", { class: "absence own" }, h("p", { role: "alert" }, app.texts("absence.own")), button(app.texts("absence.own_back"), () => takeSeatBack(app, table), "main wide"));
}

/** The others in a running game who are not there, by their seats. @param {Table} table @returns {[number, Chair][]} */
export function away(table) {
  if (table.info.stage !== "playing" || table.result !== null) return [];
  return table.info.chairs.flatMap((chair, seat) => (chair !== null && !chair.here && !chair.left && seat !== table.seat && (chair.away_since ?? chair.substitute) != null ? [/** @type {[number, Chair]} */ ([seat, chair])] : []));
}

/** Those of them who have lost the connection. @param {Table} table */
export const absent = (table) => away(table).filter(([, chair]) => !chair.bot || awayFor(table, chair) > COMING_IN);

/** Seconds since somebody has lost the connection. @param {Table} table @param {Chair} chair */
function awayFor(table, chair) {
  if (table.clock === null || chair.away_since == null) return 0;
  return Math.max(0, Math.floor(table.clock.now + performance.now() / 1000 - table.heardAt - chair.away_since));
}

/** A sentence for each who is away. @param {Table} table @param {Texts} texts */
export function absenceWords(table, texts) {
  return absent(table).map(([, chair]) => {
    const time = clock(awayFor(table, chair));
    return texts(chair.substitute == null ? "absence.lost_since" : "absence.played_for_since", { name: chair.name, bot: chair.substitute, time });
  });
}

/** What the host may do about those who are away: a bot for them, or, after the grace, go on without them. @param {App} app @param {Table} table @returns {Child[]} */
export function forAbsent(app, table) {
  const { texts } = app;
  if (!table.hosting || table.info.tournament != null || app.client?.state !== "open") return [];
  const strategies = forPeople(app.games.find((each) => each.game === table.info.game)?.strategies ?? []);
  const done = (/** @type {string} */ command, /** @type {object} */ fields) => ((app.sheet = null), app.ask(command, { table: table.id, ...fields }));
  return absent(table).flatMap(([seat, chair]) => {
    const { name, substitute: bot } = chair;
    const put = bot != null
      ? [button(texts("absence.take_out", { bot, name }), () => done("substitute", { seat, strategy: null }))]
      : chair.bot ? [] : strategies.map((/** @type {string} */ strategy) => button(texts("absence.put_in", { name, level: levelWords(strategy, texts) }), () => done("substitute", { seat, strategy })));
    const clear = button(texts(table.info.chairs.length === 2 ? "absence.end" : "absence.go_on", { name }), () => askSure(app, texts("absence.sure", { name }), () => done("kick", { seat })));
    return [...(table.info.bots ? put : []), ...(awayFor(table, chair) > table.info.clocks.grace ? [clear] : [])];
  });
}
