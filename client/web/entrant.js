/** A tournament that is looked at, and the reader's part in it: entering, check-in, and games that open by themselves. */

import { keep, kept } from "./memory.js";
import { Refused } from "./parlour.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */

/** Phases in which those who have entered must say that they are there. */
export const CALLING = ["check_in", "running"];
/** Phases in which anybody may enter. */
export const OPEN = ["registration", "check_in"];
/** Phases in which nothing comes any more. */
export const OVER = ["finished", "cancelled"];
/** Screens of one tournament. */
const LOOKING = ["tournament", "report"];
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
    /** All that is known of tournaments, by their ids: of the one that the reader has entered, and of the one looked at last. @type {Map<string, Plain>} */
    this.pictures = new Map();
    /** The one looked at last. */
    this.looked = "";
    /** The game that opens next, and when. @type {{table: Table, at: number}|null} */
    this.next = null;
    /** A tournament that has begun without the reader, until they have read so. @type {{tournament: string, name: string}|null} */
    this.missed = JSON.parse(kept("missed") ?? "null");
    /** Which game of its tournament is, or was, played at each table. @type {Map<string, Plain>} */
    this.games = new Map();
    /** When the list was last asked for. */
    this.listedAt = -Infinity;
  }

  /** The tournament that is looked at. @returns {Plain|null} */
  get known() {
    return this.pictures.get(this.looked) ?? null;
  }

  /** @param {string} id */
  async lookAt(id) {
    const [{ app }, before] = [this, this.looked];
    this.looked = id;
    if (before !== id && before !== kept("entered") && this.pictures.delete(before)) app.client?.ask("watch_tournament", { tournament: before, on: false }).catch(() => null);
    const picture = await app.ask("watch_tournament", { tournament: id });
    if (picture !== undefined) this.know(picture);
    else if (LOOKING.includes(app.route.screen) && app.route.id === id) app.go("tournaments");
    app.update();
  }

  /** Takes a picture of a tournament in: whoever has entered here, and is not in it once it has begun, has missed check-in. @param {Plain} picture */
  know(picture) {
    const { info, entrants } = picture;
    picture.absentees = this.pictures.get(info.tournament)?.absentees ?? [];
    this.pictures.set(info.tournament, picture);
    const there = entrants.some((/** @type {Plain} */ { name }) => name === this.app.name);
    if (kept("entered") === info.tournament && BEGUN.includes(info.phase) && !there) this.miss(info);
  }

  /** Asks for a picture anew, where something was missed; whoever looks elsewhere is told nothing of it. @param {string} id */
  async renew(id) {
    const picture = await this.app.client?.ask("watch_tournament", { tournament: id }).catch((why) => (why instanceof Refused ? null : undefined));
    if (picture === undefined) return; // the line is gone
    if (picture === null || OVER.includes(picture.info.phase)) this.forget(id);
    if (picture === null) this.pictures.delete(id);
    else if (id === this.looked || id === kept("entered")) this.know(picture);
    this.app.update();
  }

  /** The reader takes part in this tournament no more, if that is the one. @param {string} id */
  forget(id) {
    if (kept("entered") === id) keep("entered", null);
  }

  /** Notes that a tournament has begun without the reader, who may look elsewhere just then. @param {Plain|null} info */
  miss(info) {
    this.missed = info === null ? null : { tournament: info.tournament, name: info.name };
    keep("missed", this.missed && JSON.stringify(this.missed));
    if (info === null) return this.app.update();
    this.forget(info.tournament);
    const text = this.app.texts("tournaments.you_missed", { name: info.name });
    this.app.notices.alert(text, text, info.tournament);
  }

  /** @param {Plain} event */
  changed(event) {
    const known = this.pictures.get(event.tournament);
    if (known === undefined || event.seq <= known.seq) return;
    if (event.seq > known.seq + 1) return void this.renew(event.tournament);
    known.seq = event.seq;
    CHANGES[event.type]?.(this, known, event);
  }

  /** @param {Plain} known @param {Plain} info */
  wentOn(known, info) {
    const begins = known.info.phase === "check_in" && info.phase === "running";
    if (begins && this.calls(known)) this.miss(info);
    if (begins) {
      // Whoever has not checked in by then is no entrant any more.
      known.absentees = known.entrants.filter((/** @type {Plain} */ each) => !each.checked_in).map((/** @type {Plain} */ { name }) => name);
      known.entrants = known.entrants.filter((/** @type {Plain} */ each) => each.checked_in);
    }
    known.info = info;
    // Check-in ended with too few: next time all must check in again.
    if (info.phase === "registration") for (const each of known.entrants) each.checked_in = false;
    const called = this.app.texts("web.check_in", { name: info.name });
    if (this.calls(known)) this.app.notices.alert(called, called, info.tournament);
  }

  /** @param {Plain} known @param {Plain} entrant @param {boolean} withdrawn */
  entered(known, entrant, withdrawn) {
    known.entrants = [...known.entrants.filter((/** @type {Plain} */ { name }) => name !== entrant.name), ...(withdrawn ? [] : [entrant])];
    if (withdrawn && entrant.name === this.app.name) this.forget(known.info.tournament);
    const here = known.entrants.filter((/** @type {Plain} */ each) => !each.gone);
    known.info = { ...known.info, entrants: here.length, checked_in: here.filter((/** @type {Plain} */ each) => each.checked_in).length };
  }

  /** @param {Plain} known @param {Plain} round */
  paired(known, round) {
    const others = known.rounds.filter((/** @type {Plain} */ each) => each.round !== round.round);
    known.rounds = [...others, round].sort((one, other) => one.round - other.round);
    const bye = this.byeWords(known);
    if (bye !== "") this.app.notices.say(bye);
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
  gameWords(table) {
    const { texts, name } = this.app;
    const which = table.seat === null ? null : this.gameAt(table);
    const names = table.info.chairs.map((chair) => chair?.name ?? "").filter((each) => each !== name);
    return which && texts("web.cup_game", { ...which, names: texts.listed(names) });
  }

  /** Which game that is: what was found while it was played still holds when the next round is paired. @param {Table} table @returns {Plain|null} */
  gameAt({ id, info, result }) {
    const [known, before] = [this.pictures.get(info.tournament ?? ""), this.games.get(id) ?? null];
    if (known === undefined) return before;
    const { games } = known.rules;
    const over = known.results.find((/** @type {Plain} */ { replay }) => replay?.startsWith(id));
    if (over !== undefined) return { name: known.info.name, round: over.round, game: over.game + 1, games };
    const round = known.rounds.at(-1);
    const names = info.chairs.map((chair) => chair?.name ?? "");
    const paired = round?.tables.find((/** @type {Plain} */ { players }) => names.every((each) => players.includes(each)));
    if (before !== null || result !== null || paired === undefined) return before;
    const others = known.results.filter((/** @type {Plain} */ each) => each.round === round.round && each.table === paired.number);
    const found = { name: known.info.name, round: round.round, game: Math.min(others.length + 1, games), games };
    this.games.set(id, found);
    return found;
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
    return [...this.pictures.values()].find((each) => this.calls(each)) ?? null;
  }

  /** Whether check-in of this one waits for the reader. @param {Plain} known */
  calls({ info, entrants }) {
    const me = entrants.find((/** @type {Plain} */ { name }) => name === this.app.name);
    return CALLING.includes(info.phase) && me !== undefined && !me.gone && !me.checked_in;
  }

  /** Seconds until check-in ends, as far as that can be told. @param {Plain} known @returns {number|null} */
  callLeft({ info }) {
    const left = info.phase !== "check_in" || info.until == null ? -1 : info.until - Date.now() / 1000;
    return left < 0 || left > LONGEST_CALL ? null : left;
  }

  /** Whether the end of a check-in comes nearer. */
  get counting() {
    return [...this.pictures.values()].some((each) => this.callLeft(each) !== null);
  }

  /** @param {string} id @param {string|null} code */
  async enter(id, code) {
    if ((await this.app.ask("enter", { tournament: id, code })) === undefined) return;
    keep("entered", id);
    if (this.missed?.tournament === id) this.miss(null);
    if (CALLING.includes(this.pictures.get(id)?.info.phase)) await this.checkIn(id);
  }

  /** @param {string} id */
  checkIn(id) {
    return this.app.ask("check_in", { tournament: id, nonce: this.app.seats.nonce() });
  }

  /** After a reload, or on a new line: asks for the tournament that the reader has entered, until it is over, and for the one looked at last; the screen asks for its own. */
  async comeBack() {
    const { screen, id: here } = this.app.route;
    for (const id of new Set([kept("entered") ?? "", this.looked])) if (id !== "" && (!LOOKING.includes(screen) || id !== here)) await this.renew(id);
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
    return this.app.tournaments.filter(({ phase }) => OPEN.includes(phase)).length;
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

  /** Drops what is known of games at tables that are gone. @param {{has: (id: string) => boolean}} tables */
  forgetGames(tables) {
    for (const id of this.games.keys()) if (!tables.has(id)) this.games.delete(id);
  }
}

/** What each event changes in what is known of a tournament. @type {{[type: string]: (entrant: Entrant, known: Plain, event: Plain) => void}} */
const CHANGES = {
  __proto__: /** @type {any} */ (null),
  tournament_changed: (entrant, known, { info }) => entrant.wentOn(known, info),
  tournament_entrant: (entrant, known, event) => entrant.entered(known, event.entrant, event.withdrawn),
  tournament_round: (entrant, known, { round }) => entrant.paired(known, round),
  tournament_result: (_entrant, known, { result }) => known.results.push(result),
  tournament_standings: (_entrant, known, { standings, crosstable, ratings }) => Object.assign(known, { standings, crosstable, ratings }),
};
