/** The tables at which the reader sits: made, dealt, played again and left. */

import { keep } from "./memory.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */

/** Seconds for horn and grab against bots alone. */
const UNHURRIED = 60;
/** Bytes that we add to the luck of a deal. */
const NONCE = 16;

/** What makes a table like this one; a race that was for practice is followed by a real one. @param {TableInfo} info */
const sameAgain = ({ game, chairs, options, public: open, bots, watching, clocks, reaction, hints }) => ({ game, seats: chairs.length, options, public: open, bots, watching, clocks, reaction, hints });

/** @param {Table} table */
export const againstBotsAlone = ({ seat: me, info }) => me !== null && info.tournament == null && info.chairs.every((chair, seat) => seat === me || chair?.bot);

export class Seats {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Those at which the server has found the reader, at whichever node. @type {string[]} */
    this.found = [];
    /** A table that the reader is about to leave, which may be gone by it. @type {string|null} */
    this.leaving = null;
    /** Tables to be dealt as soon as all are ready. @type {Set<string>} */
    this.dealing = new Set();
  }

  /** Notes where the reader sits after a reload. @param {Plain} welcome */
  welcomed({ tables = [], elsewhere = [] }) {
    this.found = [...tables, ...elsewhere.map((/** @type {Plain} */ { table }) => table)];
    return this.found;
  }

  /** @param {string} table */
  has(table) {
    return this.found.includes(table);
  }

  /** Makes a table, and against bots alone lets them sit down and deals: there nobody waits for the reader. Says whether it could be made. @param {Plain} fields @param {number} [bots] */
  async create(fields, bots = 0) {
    await this.makeRoom();
    const made = await this.app.ask("create_table", bots > 0 ? { clocks: { scramble: UNHURRIED }, ...fields } : fields);
    if (made === undefined) return false;
    if (bots > 0) this.dealing.add(made.table);
    this.app.go("table", made.table);
    for (let number = 0; number < bots; number++) await this.addBot(made.table, this.app.level);
    if (bots > 0) await this.ready(made.table);
    return true;
  }

  /** Leaves tables whose games are over, before the reader sits down elsewhere: those against bots alone, and if a seat more would be too many, or `all` are to be left, the others, too. @param {boolean} [all] */
  async makeRoom(all = false) {
    const { client } = this.app;
    if (client === null) return;
    const mine = [...client.tables.values()].filter(({ seat, info }) => seat !== null && info.tournament == null);
    const over = mine.filter(({ info }) => info.stage === "finished");
    const full = mine.length >= (client.welcome?.limits.tables_each ?? Infinity);
    for (const { id } of full || all ? over : over.filter(againstBotsAlone)) await client.ask("leave", { table: id }).catch(() => null); // the next command says why
  }

  /** @param {string} table @param {string} strategy */
  async addBot(table, strategy) {
    this.app.level = strategy;
    keep("level", strategy);
    await this.app.ask("add_bot", { table, strategy });
  }

  /** @param {string} table @param {boolean} [on] */
  ready(table, on = true) {
    return this.app.ask("ready", { table, on, nonce: on ? this.nonce() : null });
  }

  /** What we add to the luck of a deal. */
  nonce() {
    return Array.from(crypto.getRandomValues(new Uint8Array(NONCE)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /** Deals a table against bots alone as soon as all are there. @param {string} id */
  deal(id) {
    const table = this.app.client?.tables.get(id);
    if (table === undefined || !this.dealing.has(id) || table.info.stage !== "gathering") return;
    if (!table.hosting || !table.info.chairs.every((chair) => chair?.ready)) return;
    this.dealing.delete(id);
    this.app.ask("start", { table: id });
  }

  /** @param {Table} table */
  async rematch(table) {
    if (againstBotsAlone(table)) this.dealing.add(table.id);
    if (table.info.stage === "gathering" || (await this.app.ask("rematch", { table: table.id })) !== undefined) await this.ready(table.id);
  }

  /** Leaves a table that is done with for a new one as it was, against bots alone. @param {Table} table @param {string} level */
  async playOn(table, level) {
    this.app.level = level;
    this.leaving = table.id;
    const left = (await this.app.ask("leave", { table: table.id })) !== undefined;
    if (left && !(await this.create(sameAgain(table.info), table.info.chairs.length - 1))) this.app.go("lobby");
    this.leaving = null;
  }

  /** @param {Table} table */
  async leave(table) {
    this.app.sheet = this.app.sure = null;
    this.leaving = table.id;
    if ((await this.app.ask("leave", { table: table.id })) !== undefined) this.app.go("lobby");
    this.leaving = null;
  }

  /** The table that is looked at is gone: nobody who is leaving it need be told. @param {Plain} change */
  gone({ table, reason }) {
    if (table === this.leaving || this.app.leaves) return;
    const { seen } = this.app;
    if (seen !== null && seen.table === table && seen.tournament != null) return this.app.go("tournament", seen.tournament);
    this.app.notices.say(this.app.texts(reason === "kicked" ? "connection.kicked" : "connection.table_gone"));
    this.app.go("lobby");
  }
}
