/** A tournament that is looked at, and the reader's part in it: entering, check-in, and games that open by themselves. */

import { keep, kept } from "./memory.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */

/** Phases in which those who have entered must say that they are there. */
const CALLING = ["check_in", "running"];
/** A check-in lasts a minute: more than this is left only by a clock that is wrong. */
const LONGEST_CALL = 120;
/** Phases of a tournament that has begun. */
const BEGUN = ["running", "paused", "finished"];
/** Milliseconds until the list of tournaments is asked for again, by the screen that shows it: nobody tells of new ones. @type {{[screen: string]: number}} */
const ASKED_AGAIN = { tournaments: 4000, lobby: 20_000 };
/** Milliseconds that the end of a game stays in sight before the next one opens. */
const END_SEEN = 4000;

export class Entrant {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** All that is known of the tournament. @type {Plain|null} */
    this.known = null;
    /** The game that opens next, and when. @type {{table: Table, at: number}|null} */
    this.next = null;
    /** A tournament that has begun without the reader, until they have read so. @type {{tournament: string, name: string}|null} */
    this.missed = JSON.parse(kept("missed") ?? "null");
    /** When the list was last asked for. */
    this.listedAt = -Infinity;
  }

  /** @param {string} id */
  async lookAt(id) {
    if (this.known !== null && this.known.info.tournament !== id) {
      this.app.client?.ask("watch_tournament", { tournament: this.known.info.tournament, on: false }).catch(() => null);
      this.known = null;
    }
    const known = await this.app.ask("watch_tournament", { tournament: id });
    if (known === undefined) return this.app.go("tournaments");
    this.know(known);
    this.app.update();
  }

  /** Takes a picture of a tournament in: whoever has entered here, and is not in it once it has begun, has missed check-in. @param {Plain} known */
  know(known) {
    const [{ info, entrants }, before] = [known, this.known];
    known.absentees = before !== null && before.info.tournament === info.tournament ? before.absentees : [];
    this.known = known;
    const there = entrants.some((/** @type {Plain} */ { name }) => name === this.app.name);
    if (kept("entered") === info.tournament && BEGUN.includes(info.phase) && !there) this.miss(info);
  }

  /** Notes that a tournament has begun without the reader, who may look elsewhere just then. @param {Plain|null} info */
  miss(info) {
    this.missed = info === null ? null : { tournament: info.tournament, name: info.name };
    keep("missed", this.missed && JSON.stringify(this.missed));
    if (info === null) return this.app.update();
    keep("entered", null);
    const text = this.app.texts("tournaments.you_missed", { name: info.name });
    this.app.notices.alert(text, text, info.tournament);
  }

  /** @param {Plain} event */
  changed(event) {
    const known = this.known;
    if (known === null || known.info.tournament !== event.tournament || event.seq <= known.seq) return;
    if (event.seq > known.seq + 1) return void this.lookAt(event.tournament);
    known.seq = event.seq;
    const others = (/** @type {string} */ list, /** @type {(each: Plain) => boolean} */ same) => known[list].filter((/** @type {Plain} */ each) => !same(each));
    if (event.type === "tournament_changed") {
      const begins = known.info.phase === "check_in" && event.info.phase === "running";
      if (begins && this.called === known) this.miss(event.info);
      if (begins) {
        // Whoever has not checked in by then is no entrant any more.
        known.absentees = known.entrants.filter((/** @type {Plain} */ each) => !each.checked_in).map((/** @type {Plain} */ { name }) => name);
        known.entrants = known.entrants.filter((/** @type {Plain} */ each) => each.checked_in);
      }
      known.info = event.info;
      // Check-in ended with too few: next time all must check in again.
      if (event.info.phase === "registration") for (const each of known.entrants) each.checked_in = false;
      const called = this.app.texts("web.check_in", { name: event.info.name });
      if (this.called !== null) this.app.notices.alert(called, called, event.tournament);
    }
    else if (event.type === "tournament_entrant") {
      known.entrants = others("entrants", (each) => each.name === event.entrant.name);
      if (!event.withdrawn) known.entrants.push(event.entrant);
      else if (event.entrant.name === this.app.name) keep("entered", null);
      const here = known.entrants.filter((/** @type {Plain} */ each) => !each.gone);
      known.info = { ...known.info, entrants: here.length, checked_in: here.filter((/** @type {Plain} */ each) => each.checked_in).length };
    } else if (event.type === "tournament_round") {
      known.rounds = [...others("rounds", (each) => each.round === event.round.round), event.round].sort((one, other) => one.round - other.round);
      const bye = this.byeWords(known);
      if (bye !== "") this.app.notices.say(bye);
    }
    else if (event.type === "tournament_result") known.results.push(event.result);
    else if (event.type === "tournament_standings") Object.assign(known, { standings: event.standings, crosstable: event.crosstable, ratings: event.ratings });
  }

  /** One's own game of a tournament opens by itself, as soon as no other one is being played and its end has been seen. @param {Table} table @param {boolean} [seen] */
  openOwn(table, seen = false) {
    const { table: here, large, route } = this.app;
    if (table.info.tournament == null || table.seat === null || table.result !== null || route.id === table.id || large) return;
    const mine = here !== null && here.seat !== null && here.view !== null;
    if (mine && here.result === null) return;
    if (mine && here.info.tournament != null && !seen) return void (this.next ??= { table, at: performance.now() + END_SEEN });
    const text = this.gameWords(table) ?? this.app.texts("tournaments.next_game");
    this.app.notices.alert(text, text, table.id);
    this.app.go("table", table.id);
  }

  /** Which game of a tournament the reader plays at a table, and against whom, as far as that is known. @param {Table} table @returns {string|null} */
  gameWords({ id, info, seat }) {
    const [{ known }, { texts, name }] = [this, this.app];
    const round = known?.info.tournament === info.tournament ? known?.rounds.at(-1) : undefined;
    const names = info.chairs.map((chair) => chair?.name ?? "");
    const paired = round?.tables.find((/** @type {Plain} */ { players }) => names.every((each) => players.includes(each)));
    if (known === null || paired === undefined || seat === null) return null;
    const over = known.results.filter((/** @type {Plain} */ each) => each.round === round.round && each.table === paired.number);
    const here = over.find((/** @type {Plain} */ { replay }) => replay?.startsWith(id));
    const [games, game] = [known.rules.games, (here?.game ?? over.length) + 1];
    return texts("web.cup_game", { name: known.info.name, round: round.round, game: Math.min(game, games), games, names: texts.listed(names.filter((each) => each !== name)) });
  }

  /** That the reader has no opponent in the round that is being played, and what that brings; empty if they have one. @param {Plain} known */
  byeWords({ rounds, rules }) {
    const { texts, name } = this.app;
    const round = rounds.at(-1);
    if (round === undefined || round.secret !== null || !round.byes.includes(name)) return "";
    return texts("web.no_opponent", { round: round.round, worth: texts(`tournament.bye.${rules.bye}`) });
  }

  /** The tournament whose check-in waits for the reader, who may look at something else. @returns {Plain|null} */
  get called() {
    const known = this.known;
    const me = known?.entrants.find((/** @type {Plain} */ each) => each.name === this.app.name);
    return known !== null && CALLING.includes(known.info.phase) && me !== undefined && !me.gone && !me.checked_in ? known : null;
  }

  /** Seconds until check-in ends, as far as that can be told. @returns {number|null} */
  get callLeft() {
    const until = this.known?.info.phase === "check_in" ? this.known.info.until : null;
    const left = until == null ? -1 : until - Date.now() / 1000;
    return left < 0 || left > LONGEST_CALL ? null : left;
  }

  /** @param {string} id @param {string|null} code */
  async enter(id, code) {
    if ((await this.app.ask("enter", { tournament: id, code })) === undefined) return;
    keep("entered", id);
    if (this.missed?.tournament === id) this.miss(null);
    if (CALLING.includes(this.known?.info.phase)) await this.checkIn(id);
  }

  /** @param {string} id */
  checkIn(id) {
    return this.app.ask("check_in", { tournament: id, nonce: this.app.nonce() });
  }

  /** After a reload, or a look at another one: turns to the tournament that the reader has entered, until it is over. */
  async comeBack() {
    const id = kept("entered");
    if (id === null || this.known?.info.tournament === id) return;
    const before = this.known;
    const known = await this.app.client?.ask("watch_tournament", { tournament: id }).catch(() => null);
    if (known == null || ["finished", "cancelled"].includes(known.info.phase)) keep("entered", null);
    else if (this.known === before) this.know(known);
    this.app.update();
  }

  /** Asks which tournaments there are. */
  async list() {
    this.listedAt = performance.now();
    const found = await this.app.client?.ask("tournaments").catch(() => null);
    if (found == null) return; // what is known stays
    this.app.tournaments = found.tournaments;
    this.app.update();
  }

  /** How many tournaments one may enter now. */
  get open() {
    return this.app.tournaments.filter(({ phase }) => ["registration", "check_in"].includes(phase)).length;
  }

  /** What time alone brings about. */
  tick() {
    const { next, app } = this;
    const again = ASKED_AGAIN[app.route.screen];
    if (again !== undefined && app.client?.state === "open" && !document.hidden && performance.now() >= this.listedAt + again) this.list();
    if (next === null || performance.now() < next.at) return;
    this.next = null;
    this.openOwn(next.table, true);
  }
}
