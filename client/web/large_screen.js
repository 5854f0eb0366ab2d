/** The large screen of a living room: which game it follows, and how long it stays with the end of one. */

import { absent } from "./absence.js";
import { copyOf } from "./playback.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */

/** Milliseconds that the large screen stays at least with the end of a game. */
const END_STAYS = 15_000;

export class LargeScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The table that the large screen follows. @type {string|null} */
    this.followed = null;
    /** The end of the game that it followed last, as it was then, and how long it stays whatever else begins. @type {{table: Table, until: number}|null} */
    this.ended = null;
    /** Those that it has left because somebody was away. @type {Set<string>} */
    this.deserted = new Set();
  }

  /** Another screen is looked at: the end of a game is kept no longer. */
  closed() {
    this.ended = null;
  }

  /** Back from the large screen to the lobby. */
  leave() {
    const { app } = this;
    if (this.followed !== null) app.client?.ask("leave", { table: this.followed }).catch(() => null);
    this.followed = this.ended = null;
    app.go("lobby");
  }

  /** The large screen stays with a game to its end, shows that for a while, and then goes to the next; from one whose players have left the house to one that goes on. */
  follow() {
    const { app, deserted } = this;
    app.update();
    if (!app.large || performance.now() < (this.ended?.until ?? 0)) return;
    const table = app.client?.tables.get(this.followed ?? "") ?? null;
    const goesOn = table?.info.stage === "playing";
    if (goesOn) this.ended = null;
    if (goesOn && absent(table).length === 0) return;
    if (goesOn) deserted.add(table.id); // the lobby does not tell who is away
    const games = [...(app.client?.lobby?.values() ?? [])].filter((info) => info.stage === "playing" && info.watching !== "nobody");
    const next = games.find((info) => !deserted.has(info.table)) ?? (table === null ? games[0] : undefined);
    if (next === undefined && !goesOn) deserted.clear(); // they may be back by then
    if (next === undefined && table === null) this.followed = this.ended = null; // the table is closed: others may begin elsewhere
    if (next === undefined || next.table === this.followed) return;
    if (table !== null) app.client?.ask("leave", { table: table.id }).catch(() => null);
    this.followed = next.table;
    this.ended = null;
    app.ask("watch", { table: next.table });
  }

  /** Keeps the end of the game that the large screen follows: its players may leave the table, or play again. @param {Table} table */
  keepEnd(table) {
    this.ended = { table: copyOf(table), until: performance.now() + END_STAYS };
    setTimeout(() => this.follow(), END_STAYS);
  }
}
