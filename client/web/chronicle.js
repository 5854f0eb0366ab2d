/** What has happened at each table, as its story tells it, and how far the board has shown it. */

import { outcome } from "./ending.js";
import { point } from "./motion.js";
import { gameName } from "./options.js";
import { copyOf, Playback } from "./playback.js";
import { heard, linesOf, MINOR, storyOf, whatBefell } from "./story.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./boards.js").Flight} Flight */
/** @typedef {import("./boards.js").Recent} Recent */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./playback.js").Step} Step */
/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Told} Told */

/** Events before a reload: half of what a server keeps at least. */
const LOOKS_BACK = 32;
/** Milliseconds: as long as what is gone stands on a board, unless the reader does something. */
const LINGER = 2500;

/** @param {Table} table @param {Partial<Table>} then @param {Plain|null} before @param {Plain[]} news @param {number} told @returns {Step} */
const stepOf = (table, then, before, news, told) => ({ table: copyOf(table, then), before, news, told, stays: 0 });

export class Chronicle {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, Story>} */
    this.stories = new Map();
    /** Where the reader sat in the last game of each table. @type {Map<string, {number: number, seat: number}>} */
    this.sat = new Map();
    this.playback = new Playback((step) => this.present(step));
    /** The news of the last update of each table that is shown. @type {Map<string, Plain[]>} */
    this.fresh = new Map();
    /** What each table was last told to do for the reader, until that is news. @type {Map<string, Plain>} */
    this.did = new Map();
    /** How many decisions in a row time has made for the reader at each table, since we are there. @type {Map<string, number>} */
    this.late = new Map();
    /** News of the reader that no tap of the reader's has brought. @type {WeakSet<Plain>} */
    this.befell = new WeakSet();
    /** The game of each table whose last events were asked for. @type {Map<string, number>} */
    this.lookedBack = new Map();
    /** What has just happened at each table. @type {Map<string, Recent[]>} */
    this.recent = new Map();
    /** @type {Flight[]} */
    this.flights = [];
  }

  /** @param {string} id */
  snapshot(id) {
    const { app } = this;
    const table = app.client?.tables.get(id);
    if (table === undefined) return;
    if (id === app.table?.id) this.playback.skip();
    this.late.delete(id);
    if (this.stories.get(id)?.number !== table.info.number) this.retell(table);
    this.lookBack(table);
    app.entrant.openOwn(table);
    this.tellSeat(table);
    app.refresh(table);
    app.tableChanged(id);
  }

  /** @param {Plain} update */
  updated(update) {
    const { app } = this;
    const table = app.client?.tables.get(update.table);
    if (table === undefined) return;
    const { game } = table.info;
    if (table.result !== null && app.large && table.id === app.largeScreen.followed) app.largeScreen.keepEnd(table);
    if (table.result !== null && table.seat !== null) {
      if (table !== app.table && table.info.tournament == null) app.notices.say(`${gameName(game, app.texts)}: ${outcome(table, app.texts)}`);
      app.guide.learn(game);
      for (const each of app.client?.tables.values() ?? []) app.entrant.openOwn(each);
    }
    this.tellSeat(table);
    const from = table.news.length - update.news.length;
    this.noteBefallen(table, from);
    this.noteLate(table, from);
    const told = linesOf(table, from, app.boards.get(game), app.texts, this.befell);
    this.tell(table.id, told);
    const steps = this.steps(table, update);
    if (table.id === app.table?.id) this.playback.add(steps, told.some(({ weight }) => weight > MINOR), table.asked && table.question?.scramble);
    else for (const step of steps) this.present(step);
    if (table.id === app.route.id) app.notices.announce("told", told.map(heard).join(" "));
    app.refresh(table);
  }

  /** Notes what befell the reader, who has done something, or nothing. @param {Table} table @param {number} from where the news begin */
  noteBefallen(table, from) {
    const { id, info, me, result } = table;
    const befalls = this.app.boards.get(info.game)?.befalls;
    const { befell, done } = befalls === undefined ? { befell: [], done: false } : whatBefell(table, from, befalls, this.did.get(id) ?? null);
    for (const each of befell) this.befell.add(each);
    if (done || me?.left || result !== null) this.did.delete(id);
  }

  /** Counts what time has decided for the reader, and says after the second time in a row what a third one brings. @param {Table} table @param {number} from where the news begin */
  noteLate({ id, info, seat, timedOut, result }, from) {
    const { app } = this;
    if (seat === null || ![...timedOut].some(([place, seats]) => place >= from && seats.includes(seat))) return;
    const times = (this.late.get(id) ?? 0) + 1;
    this.late.set(id, times);
    if (times === 2 && result === null && id === app.table?.id) app.notices.say(app.texts(`web.twice_late.${info.clocks.late}`), false, () => this.late.get(id) === times);
  }

  /** Says in a rematch what stands for the reader's new seat on the board, where anything does. @param {Table} table */
  tellSeat({ id, info, seat, view }) {
    const { app } = this;
    if (seat === null || view === null) return;
    const before = this.sat.get(id);
    this.sat.set(id, { number: info.number, seat });
    if (before === undefined || before.number === info.number || before.seat === seat || id !== app.table?.id) return;
    const named = app.boards.get(info.game)?.seat?.(seat, app.texts);
    if (named !== undefined) app.notices.say(app.texts("web.moved_on", { seat: named }));
  }

  /** The moments of an update: where a new round begins with it, what came before that is seen by itself. @param {Table} table @param {Plain} update @returns {Step[]} */
  steps(table, { view, news }) {
    const board = this.app.boards.get(table.info.game);
    const told = this.stories.get(table.id)?.told.length ?? 0;
    const split = news.findIndex((/** @type {Plain} */ { type }) => type === board?.rounds);
    const before = split > 0 && table.before !== null ? (board?.ended?.(table.before, view, news.slice(0, split)) ?? null) : null;
    if (before === null) return [stepOf(table, {}, table.before, news, told)];
    const later = linesOf(table, table.news.length - news.length + split, board, this.app.texts).length;
    const earlier = { view: before, result: null, news: table.news.slice(0, table.news.length - news.length + split) };
    return [stepOf(table, earlier, table.before, news.slice(0, split), told - later), stepOf(table, {}, before, news.slice(split), told)];
  }

  /** A moment comes to be seen. @param {Step} step */
  present({ table, before, news }) {
    const { app } = this;
    const board = app.boards.get(table.info.game);
    this.fresh.set(table.id, news);
    if (board?.lately !== undefined && before !== null) this.linger(table.id, before, news);
    if (table.id === app.table?.id) this.flights = news.flatMap((each) => board?.flights(each) ?? []);
    app.soon();
  }

  /** @param {string} id @param {Plain} before @param {Plain[]} news */
  linger(id, before, news) {
    const now = performance.now();
    const others = (this.recent.get(id) ?? []).filter(({ until }) => until > now);
    this.recent.set(id, [...others, { before, news, until: now + LINGER }]);
    setTimeout(() => this.app.update(), LINGER + 1);
  }

  /** What is to move with the next drawing, once. */
  takeFlights() {
    const { flights } = this;
    this.flights = [];
    return flights;
  }

  /** A table as its board shows it, and how much of its story goes with that. @param {Table} table @returns {{table: Table, told: number|undefined}} */
  seenAt(table) {
    const behind = this.playback.behind(table);
    return { table: behind?.table ?? table, told: behind?.told };
  }

  /** A view of a table with what was there a moment ago, until the reader does something. @param {Table} table @param {Plain} view @returns {Plain} */
  lingering({ id, info }, view) {
    const now = performance.now();
    const recent = (this.recent.get(id) ?? []).filter(({ until }) => until > now);
    return this.app.boards.get(info.game)?.lately?.(view, recent) ?? view;
  }

  /** The reader does something: what is gone from a board stands there no longer. */
  settle() {
    this.recent.clear();
  }

  /** Brings a board that is behind up to date; says whether something on it was meant. @param {EventTarget|null} target */
  catchUp(target) {
    const { table } = this.app;
    if (table === null || this.playback.behind(table) === null) return false;
    this.playback.skip();
    return target instanceof Element && target.closest(".board") !== null;
  }

  /** Shows on the board where something was, as far as it is still there. @param {string[]} things */
  point(things) {
    this.playback.skip();
    if (!point(things)) return;
    this.app.sheet = null;
    this.app.update();
  }

  /** Asks, once a game, for what happened before we came, or came back. @param {Table} table */
  lookBack({ id, info, news, newsMissed }) {
    const { app } = this;
    if (!newsMissed || news.length > 0 || this.lookedBack.get(id) === info.number) return;
    this.lookedBack.set(id, info.number);
    const retell = () => {
      const table = app.client?.tables.get(id);
      if (table !== undefined) this.retell(table);
      app.soon();
    };
    app.client?.lookBack(id, LOOKS_BACK).then((found) => found && retell(), () => null);
  }

  /** The story from what is known of a table: what was said comes last. @param {Table} table */
  retell(table) {
    const { app } = this;
    const told = linesOf(table, 0, app.boards.get(table.info.game), app.texts, this.befell);
    this.stories.set(table.id, storyOf(table, told, app.texts, this.stories.get(table.id)));
  }

  /** @param {string} id @param {Told[]} more */
  tell(id, more) {
    const { app } = this;
    const table = app.client?.tables.get(id);
    const number = table?.info.number ?? 0;
    const story = this.stories.get(id) ?? { number, told: [], answered: [] };
    if (story.number !== number) Object.assign(story, { number, told: [], answered: [] });
    story.told.push(...more);
    this.stories.set(id, story);
    for (const line of more) if (line.who !== null && id === app.route.id) app.notices.announce("told", `${line.who}: ${line.text}`);
  }

  /** The reader has answered: the newest is shown, and what comes next is the reader's doing. @param {Table} table @param {Plain} action */
  answered({ id }, action) {
    this.late.delete(id);
    const story = this.stories.get(id);
    if (story !== undefined) story.answered = [...story.answered, story.told.length].slice(-2);
    this.noteDone(id, action);
    this.playback.skip();
    this.playback.own = true;
  }

  /** Notes what a table is told to do for the reader. @param {string} id @param {Plain} action */
  noteDone(id, action) {
    this.did.set(id, action);
  }

  /** The table has refused it. @param {string} id */
  noteUndone(id) {
    this.did.delete(id);
  }

  /** Drops what was noted of tables that are gone. @param {{has: (id: string) => boolean}} tables */
  forget(tables) {
    for (const notes of [this.stories, this.fresh, this.lookedBack, this.recent, this.sat, this.did, this.late]) for (const id of notes.keys()) if (!tables.has(id)) notes.delete(id);
  }
}
