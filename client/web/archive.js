/** Games that were played, as they are shown again. */

import { same } from "./choosing.js";
import { namesOf } from "./reader.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */

/** Milliseconds that each entry is seen where they follow each other. */
const EACH_SEEN = 1000;
/** What ends that. */
const HALTING = ["pointerdown", "keydown", "hashchange"];

export class Archive {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The games that were played here, the newest first. @type {Plain[]} */
    this.played = [];
    /** A game that is shown again: what is known of its entries, where it stands, and through whose eyes; `before` is shown until what is asked for has come. @type {{id: string, game: string, names: string[], total: number, result: Plain, entries: Map<number, Plain>, at: number, eyes: number|null, before: Plain|null}|null} */
    this.replay = null;
    /** The table from which a game was last looked at again. @type {{game: string, table: string}|null} */
    this.again = null;
    /** Whether a game is shown entry after entry by itself. */
    this.runs = false;
    this.timer = 0;
    /** A touch, or a key, takes it into one's own hand; the button does so by itself. */
    this.interrupted = (/** @type {Event} */ { type, target }) => (type === "hashchange" || !(target instanceof Element && target.closest("[data-runs]"))) && this.halt();
  }

  /** Asks for the games that were played here. */
  async list() {
    this.played = (await this.app.ask("played"))?.games ?? [];
  }

  /** Shows an entry of a game that was played, and fetches it with its neighbours if it is not known yet. @param {string} id @param {number} at @param {number|null} eyes */
  async seek(id, at, eyes) {
    const { app } = this;
    const known = this.replay?.id === id ? this.replay : null;
    const before = known?.entries.get(known.at) ?? known?.before ?? null;
    if (known !== null) Object.assign(known, { at, eyes, before, entries: known.eyes === eyes ? known.entries : new Map() });
    app.update();
    if (known?.entries.has(at)) return true;
    const first = Math.max(0, at - 8);
    const page = await app.ask("replay_view", { game: id, eyes, first, count: 32 });
    if (page === undefined) return false;
    const now = this.replay?.id === id ? this.replay : null;
    if (now !== null && now.eyes !== eyes) return true; // asked otherwise since
    const entries = now?.entries ?? new Map();
    page.entries.forEach((/** @type {Plain} */ entry, /** @type {number} */ place) => entries.set(first + place, entry));
    this.replay = { id, game: page.game, names: page.names, total: page.total, result: page.result, entries, at: now?.at ?? at, eyes, before };
    app.update();
    return true;
  }

  /** Shows entry after entry, from the first one if all were seen, until the end, a touch, a key or another screen. */
  run() {
    const { replay } = this;
    if (replay === null || this.runs) return;
    this.runs = true;
    for (const each of HALTING) addEventListener(each, this.interrupted, { capture: true });
    this.later(replay.at >= replay.total - 1 ? 0 : replay.at + 1, 0);
  }

  /** @param {number} at @param {number} milliseconds */
  later(at, milliseconds) {
    this.timer = setTimeout(async () => {
      const { replay } = this;
      const shown = replay !== null && (await this.seek(replay.id, at, replay.eyes));
      if (!this.runs) return;
      if (shown && at < replay.total - 1) this.later(at + 1, EACH_SEEN);
      else this.halt();
    }, milliseconds);
  }

  halt() {
    if (!this.runs) return;
    this.runs = false;
    clearTimeout(this.timer);
    for (const each of HALTING) removeEventListener(each, this.interrupted, { capture: true });
    this.app.update();
  }

  /** Shows the game that has just ended at a table. @param {Table} table */
  async watchAgain(table) {
    const { app } = this;
    const games = (await app.ask("played"))?.games ?? [];
    const names = namesOf(table);
    const last = games.find((/** @type {Plain} */ each) => each.game === table.info.game && same(each.names, names));
    if (last === undefined) return app.notices.say(app.texts("over.not_kept"));
    this.again = { game: last.id, table: table.id };
    app.go("replay", last.id);
  }

  /** Back to where the game was found: the table where it was played, its tournament, or the list of one's own games. */
  leave() {
    const { again, app } = this;
    if (again !== null && again.game === this.replay?.id && app.client?.tables.has(again.table)) return app.go("table", again.table, true);
    const { known } = app.entrant;
    const ours = known?.results.some((/** @type {Plain} */ each) => each.replay === this.replay?.id);
    if (known !== null && ours) app.go("tournament", known.info.tournament, true);
    else app.go("replays", "", true);
  }
}
