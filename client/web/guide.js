/** What beginners are told in a game, and what they need not be told any more. */

import { keep, kept } from "./memory.js";
import { laterTip, lesson } from "./news.js";
import { againstBotsAlone } from "./seats.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Table} Table */

export class Guide {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Games that the reader has played to their end in this browser, or wants no guide for. */
    this.known = (kept("known") ?? "").split(" ");
    /** Tips that the reader had before them while they chose what to do. */
    this.read = (kept("read") ?? "").split(" ");
    /** Where each tip was read that was new in this visit: it stays for that game. @type {Map<string, string>} */
    this.readAt = new Map();
    /** Tables at which nothing more is explained. @type {Set<string>} */
    this.untaught = new Set();
  }

  /** @param {string} game */
  knows(game) {
    return this.known.includes(game);
  }

  /** @param {string} game */
  learn(game) {
    if (this.knows(game)) return;
    this.known.push(game);
    keep("known", this.known.join(" "));
  }

  /** What is told at a table as it is shown: the lesson to whoever is new or practises, and a tip that was not read in an earlier game. @param {Table} table @returns {string[]} */
  words(table) {
    const { info, view, news, seat, result } = table;
    if (result !== null || this.untaught.has(table.id)) return [];
    const taught = info.practice || (seat !== null && !this.knows(info.game));
    const lessons = taught ? lesson(info.game, view ?? {}, news, seat, this.app.texts, info.practice, !againstBotsAlone(table)) : [];
    const tip = laterTip(info.game, view ?? {}, news, seat);
    const told = tip === null || (this.read.includes(tip) && this.readAt.get(tip) !== gameOf(table));
    return told ? lessons : [...lessons, this.app.texts(tip)];
  }

  /** The reader has done something, or wants no more, with what is told before them. @param {Table} table */
  noteRead(table) {
    const tip = laterTip(table.info.game, table.view ?? {}, table.news, table.seat);
    if (tip === null || this.read.includes(tip)) return;
    this.read.push(tip);
    this.readAt.set(tip, gameOf(table));
    keep("read", this.read.join(" "));
  }

  /** Explains nothing more at this table, and in this game only where it is practised. @param {Table} table */
  stop(table) {
    this.untaught.add(table.id);
    this.learn(table.info.game);
    this.noteRead(table);
    this.app.update();
  }

  /** Drops what was noted of tables that are gone. @param {{has: (id: string) => boolean}} tables */
  forget(tables) {
    for (const id of this.untaught) if (!tables.has(id)) this.untaught.delete(id);
  }
}

/** @param {Table} table */
const gameOf = ({ id, info }) => `${id} ${info.number}`;
