/** A seat of a table in a list: who sits there, and what can be done about it. */

import { levelWords } from "./options.js";
import { askSure, button } from "./parts.js";
import { h } from "./render.js";
import { teamWords } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./render.js").Child} Child */

/** @param {App} app @param {Table} table @param {number} seat @returns {Child} */
export function seatLine(app, table, seat) {
  const { texts } = app;
  const chair = table.info.chairs[seat];
  const team = teamWords(table.info, seat, texts);
  if (chair === null) {
    const free = table.seat !== null && table.info.stage === "gathering";
    return h("li", { key: seat, class: "seat free" }, h("span", null, [texts("table.free", { number: seat + 1 }), team].filter(Boolean).join(texts("list.between"))), free && button(texts("table.sit", { number: seat + 1 }), () => app.ask("sit", { table: table.id, seat }), "quiet"));
  }
  const marks = [
    team,
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
