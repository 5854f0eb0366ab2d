/**
 * A visit: who is here, what is looked at, and what a tap does. State goes one way: a message of the server,
 * or a tap, changes the state; the screens draw it. Nothing is shown as done before the server has said so.
 */

import { away, takeSeatBack } from "./absence.js";
import { Archive } from "./archive.js";
import { BOARDS } from "./boards.js";
import { firstTexts, textsIn } from "./catalogues.js";
import { Chronicle } from "./chronicle.js";
import { choices, narrowed, offers, same, whole, withFields } from "./choosing.js";
import { Entrant } from "./entrant.js";
import { Guide } from "./guide.js";
import { LargeScreen } from "./large_screen.js";
import { keep, kept } from "./memory.js";
import { bringInSight, fly, pale, places } from "./motion.js";
import { inOrderOfFields } from "./moves.js";
import { asked, refusal } from "./news.js";
import { Notices } from "./notices.js";
import { gameName } from "./options.js";
import { Client, Gone, Refused } from "./parlour.js";
import { namesOf } from "./reader.js";
import { render } from "./render.js";
import { page } from "./screens.js";
import { Seats } from "./seats.js";
import { spoken } from "./story.js";
import { capital } from "./texts.js";
import { Taps } from "./taps.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./parlour.js").TableInfo} TableInfo */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./boards.js").Board} Board */
/** @typedef {{screen: string, id: string}} Route */
/** A choice that is half made: the patterns left after each step, and what was touched; `shown` is a whole action that waits for a second touch. `answered` is whether it was sent. @typedef {{name: string, turn: number, number: number, steps: Pattern[][], said: Plain, shown?: Plain, scramble: boolean, answered: boolean}} Entry */

const SCREENS = ["lobby", "new", "bots", "table", "watch", "tournaments", "tournament", "report", "replays", "replay", "stats"];
/** Those to which somebody's address leads out of a running game; on all others one would begin something new. */
const ELSEWHERE = ["table", "watch", "tournament", "report", "replay"];
const CODE = /^[0-9A-Z]{6}$/i;
/** That a tap may wait for a busy server: a longer silence would be taken for a fault. */
const BUSY_SECONDS = 3;
/** Screens that browsers go back to at most. */
const HISTORY = 50;
const ANSWER_OF_A_TAB = 250;
/** What a board is made of, and what can be said of it. */
const THINGS = '.board [aria-disabled], .board .section, .board .chip, .board .tile, .board [role="img"], .hand .pawn';
/** Refusals that a race brings about, and that need no words. */
const RACED = ["stale", "not_asked", "over"];

const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** @param {string} hash @returns {Route} */
function routeIn(hash) {
  const [screen, id = ""] = decodeURIComponent(hash.slice(1)).split("/");
  return { screen, id };
}

const addressOf = (/** @type {Route} */ { screen, id }) => (id === "" ? `#${screen}` : `#${screen}/${id}`);

export class App {
  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
    /** @type {Client|null} */
    this.client = null;
    this.name = kept("name") ?? this.guest();
    /** The code of a friend's table, from the address. @type {string|null} */
    this.code = null;
    /** @type {Route} */
    this.route = { screen: "start", id: "" };
    /** @type {Plain[]} */
    this.games = [];
    /** @type {Map<string, Board>} */
    this.boards = new Map(BOARDS);
    /** @type {Map<string, Entry>} */
    this.entries = new Map();
    /** The tournaments of the server, as they were last asked for. @type {Plain[]} */
    this.tournaments = [];
    this.entrant = new Entrant(this);
    this.seats = new Seats(this);
    this.chronicle = new Chronicle(this);
    this.guide = new Guide(this);
    this.archive = new Archive(this);
    this.largeScreen = new LargeScreen(this);
    /** The table that was drawn last. @type {TableInfo|null} */
    this.seen = null;
    /** What a bot would play at a question, once it has told, and which of it is shown. @type {{table: string, turn: number, ranked: Plain[]|null, at: number}|null} */
    this.hints = null;
    /** @type {string|null} */
    this.sheet = null;
    /** @type {{question: string, yes: () => void}|null} */
    this.sure = null;
    this.notices = new Notices(this);
    /** @type {Plain} */
    this.plan = {};
    /** Why this visit stands still: another tab, or a line that is gone. @type {"tab"|"gone"|null} */
    this.halted = null;
    this.reloadable = false;
    this.level = kept("level") ?? "greedy";
    /** Players of a game against bots; as few as can be until the reader says otherwise. */
    this.players = 2;
    /** The name that the reader had before another one was asked for, until that is given. @type {string|null} */
    this.formerly = null;
    /** How far down each screen was when it was left, by its address; `top` is where the next one begins. @type {Map<string, number>} */
    this.depths = new Map();
    this.shown = "";
    this.top = 0;
    /** Whether the finger that is down has brought the board up to date, and was meant for what stood there before. */
    this.overtaken = false;
    /** The address to which the page itself goes; another one is the browser's, or somebody has typed it. */
    this.going = location.hash;
    this.taps = new Taps();
    /** What was asked, or shown, when the board was last moved to what matters. @type {Entry|Plain|null} */
    this.looked = null;
    /** Whether the last thing that was done here was done with the keyboard. */
    this.byKeys = false;
    /** How many lines each story had when it was last scrolled to its end. @type {WeakMap<Element, number>} */
    this.scrolled = new WeakMap();
    this.tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("parlour") : null;
  }

  /** A name for somebody who has none yet. */
  guest() {
    return this.texts("web.guest", { number: 100 + Math.floor(Math.random() * 900) });
  }

  // Beginning

  async begin() {
    history.scrollRestoration = "manual";
    this.readAddress();
    addEventListener("hashchange", () => this.addressChanged());
    addEventListener("resize", bringInSight);
    addEventListener("online", () => this.client?.wake());
    document.addEventListener("visibilitychange", () => (document.hidden ? (this.chronicle.playback.skip(), this.frame > 0 && this.update()) : this.client?.wake()));
    document.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("click", (event) => this.tapped(event), { capture: true });
    document.addEventListener("pointerdown", ({ target }) => this.touched(target), { capture: true });
    setInterval(() => this.tick(), 1000);
    this.tabs?.addEventListener("message", (event) => {
      if (event.data === "who" && this.client !== null && this.client.over === null) this.tabs?.postMessage("here");
    });
    if (kept("token") === null) return this.large ? this.connect() : this.update(); // a television has no keys to type a name
    if (await this.otherTab()) {
      this.halted = "tab";
      return this.update();
    }
    this.connect();
  }

  /** Whether another tab of this browser plays here. @returns {Promise<boolean>} */
  otherTab() {
    const { tabs } = this;
    if (tabs === null) return Promise.resolve(false);
    return new Promise((resolve) => {
      const hear = (/** @type {MessageEvent} */ event) => event.data === "here" && resolve(true);
      tabs.addEventListener("message", hear);
      setTimeout(() => (tabs.removeEventListener("message", hear), resolve(false)), ANSWER_OF_A_TAB);
      tabs.postMessage("who");
    });
  }

  /** The browser's Back closes what is open, and asks in a running game of one's own; everything else goes where it says. */
  addressChanged() {
    const { table, route } = this;
    const playing = route.screen === "table" && table !== null && table.seat !== null && table.info.stage === "playing" && table.result === null;
    const open = document.querySelector("dialog") !== null;
    const { screen, id } = routeIn(location.hash);
    const stays = location.hash !== this.going && (open || playing) && !CODE.test(location.hash.slice(1));
    if (!stays && location.hash !== this.going) this.top = this.depths.get(location.hash) ?? 0;
    this.going = location.hash;
    if (!stays) {
      this.readAddress();
      if (this.large && this.client === null && this.halted === null) this.connect();
      return;
    }
    history.pushState(null, "", (this.going = addressOf(route)));
    if (open) this.sure = this.sheet = null;
    else if ((this.entry?.steps.length ?? 1) > 1) this.letGo();
    else if (ELSEWHERE.includes(screen) && id !== "") this.sure = { question: this.texts("web.sure_elsewhere"), yes: () => this.go(screen, id) };
    else this.sure = { question: this.texts("web.sure_lobby"), yes: () => this.go("lobby") };
    this.update();
  }

  /** Takes the route out of the address; a code stays there until the reader sits at its table, so that a reload keeps it. */
  readAddress() {
    const { screen, id } = routeIn(location.hash);
    if (CODE.test(screen) && !SCREENS.includes(screen)) {
      this.code = screen.toUpperCase();
      if (this.client?.welcome) this.join({ code: this.code });
    } else if (SCREENS.includes(screen)) {
      if (this.route.screen !== screen || this.route.id !== id) {
        this.sheet = this.sure = null;
        this.chronicle.playback.skip();
        this.letGo(); // whoever comes back does not remember what a second touch would do
      }
      this.route = { screen, id };
      if (!this.large) this.largeScreen.closed();
      if (this.client?.welcome) this.arrive();
    }
    this.update();
  }

  /** Goes to a screen: to its top, or back to where it was left. @param {string} screen @param {string} [id] @param {boolean} [back] */
  go(screen, id = "", back = false) {
    const hash = addressOf({ screen, id });
    this.top = back ? (this.depths.get(hash) ?? 0) : 0;
    if (location.hash === hash) return this.readAddress();
    this.going = hash;
    location.hash = hash;
  }

  /** Whether the address is on its way to another screen. */
  get leaves() {
    return this.going !== addressOf(this.route);
  }

  // The line

  connect() {
    this.halted = null;
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`;
    const credentials = {
      read: () => kept("token"),
      keep: (/** @type {string} */ token, /** @type {string} */ name) => {
        keep("token", token);
        keep("name", name);
      },
    };
    const client = new Client(url, { name: this.name, client: "parlour page", credentials, stubborn: true, waits: BUSY_SECONDS });
    this.client = client;
    client.listen((change) => this.heard(client, change));
    client.open();
    this.update();
  }

  /** Servers let pages connect that were opened at their own addresses, and perhaps no others. @param {Client} client @param {string} url */
  unreached(client, url) {
    const hosts = [...client.nodes.values(), url].map((node) => new URL(node).host);
    if (!hosts.includes(location.host)) this.notices.say(this.texts("web.other_address", { url: url.replace(/^ws/, "http") }));
  }

  /** @param {Client} client @param {Plain} change */
  heard(client, change) {
    if (client !== this.client || change.type === "ok" || change.type === "error") return; // whoever asked draws
    this.forget(client);
    HEARD[change.type]?.(this, client, change);
    this.notices.hush(!this.notices.holds());
    this.soon();
  }

  /** @param {Client} client */
  async welcomed(client) {
    const again = this.games.length > 0;
    this.name = client.name ?? this.name;
    if (this.formerly !== null && this.name !== this.formerly) keep("entered", null); // the old name entered
    this.formerly = null;
    if (again) this.lookForAnotherBuild();
    const seated = this.seats.welcomed(client.welcome ?? {});
    client.ask("watch_lobby", { on: true }).then(() => this.largeScreen.follow(), () => null);
    try {
      this.games = (await client.ask("games")).games;
    } catch {
      return;
    }
    this.entrant.comeBack();
    if (again) return this.arrive();
    if (this.code !== null) return this.join({ code: this.code });
    if (this.route.screen === "start") {
      const [only] = seated;
      if (seated.length === 1) this.go("table", only);
      else this.go("lobby");
    } else this.arrive();
    this.update();
  }

  /** @param {Gone} why */
  gone({ reason, facts }) {
    if (reason === "bad_token") {
      keep("token", null);
      return this.connect(); // the server has forgotten us: the name may be free again
    }
    const nameless = ["name_taken", "bad_name", "too_many", "too_many_names", "version"].includes(reason);
    if (nameless && this.formerly !== null) {
      this.be(this.formerly);
      this.formerly = null;
      this.notices.say(refusal({ code: reason, facts }, this.texts));
    } else if (reason === "name_taken" && this.large) this.enter(this.guest());
    else if (nameless) {
      this.client = null;
      this.route = { screen: "start", id: "" };
      this.notices.say(refusal({ code: reason, facts }, this.texts));
    } else this.halted = "gone";
  }

  /** Offers to load the page anew if the server has another one by now. */
  async lookForAnotherBuild() {
    const ours = document.querySelector('meta[name="build"]')?.getAttribute("content") ?? "";
    try {
      const theirs = await (await fetch("/", { cache: "no-cache" })).text();
      this.reloadable = theirs.includes('name="build"') && !theirs.includes(`content="${ours}"`);
    } catch {
      return;
    }
    this.update();
  }

  /** Sends a command; what is wrong is said, and undefined is given. @param {string} type @param {Plain} [fields] */
  async ask(type, fields = {}) {
    try {
      return await this.client?.ask(type, fields);
    } catch (wrong) {
      if (wrong instanceof Refused) this.notices.say(refusal(wrong, this.texts, this.table?.info.game));
      else if (!(wrong instanceof Gone)) throw wrong;
      return undefined;
    } finally {
      this.update();
    }
  }

  // Tables

  /** The table that is looked at. @returns {Table|null} */
  get table() {
    const { screen, id } = this.route;
    if (this.largeScreen.ended !== null) return this.largeScreen.ended.table;
    return screen === "table" || screen === "watch" ? (this.client?.tables.get(this.large ? (this.largeScreen.followed ?? "") : id) ?? null) : null;
  }

  /** Tables that wait for the reader, who looks at something else. @returns {Table[]} */
  get asking() {
    return [...(this.client?.tables.values() ?? [])].filter((table) => table !== this.table && table.seat !== null && table.asked && table.result === null);
  }

  /** After a change of the route, or a reload: asks for what the screen needs. */
  async arrive() {
    const { screen, id } = this.route;
    if (this.large) this.largeScreen.follow();
    if (screen === "tournaments" || screen === "lobby") this.entrant.list();
    if (screen === "tournament" || screen === "report") await this.entrant.lookAt(id);
    if (screen === "replays" || screen === "stats") await this.archive.list();
    if (screen === "replay" && this.archive.replay?.id !== id && !(await this.archive.seek(id, 0, null))) this.go("replays");
    if (screen === "watch" && id !== "" && this.table === null && (await this.ask("watch", { table: id })) === undefined) this.go("lobby");
    if (screen === "table" && this.table !== null) takeSeatBack(this, this.table);
    if (screen === "table" && this.table === null && !this.seats.has(id)) this.go("lobby");
    this.update();
  }

  /** Whether this is a screen for the living room: large, and with nothing to touch. */
  get large() {
    return this.route.screen === "watch" && this.route.id === "";
  }

  /** @param {Plain} where */
  async join(where) {
    this.code = null;
    await this.seats.makeRoom();
    const seat = await this.ask("join", where);
    const route = seat === undefined ? { screen: "lobby", id: "" } : { screen: "table", id: seat.table };
    if (!CODE.test(location.hash.slice(1))) return this.go(route.screen, route.id);
    history.replaceState(null, "", (this.going = addressOf(route))); // Back would come to the code again
    this.readAddress();
  }

  /** @param {string} table */
  watch(table) {
    this.go("watch", table);
  }

  /** @param {string} id */
  tableChanged(id) {
    this.seats.deal(id);
    if (id === this.largeScreen.followed) this.largeScreen.follow();
  }

  /** @param {Table} table */
  async resign({ id }) {
    this.sheet = null;
    this.chronicle.noteDone(id, { type: "resign" }); // a bot plays on at once
    if ((await this.ask("resign", { table: id })) === undefined) this.chronicle.noteUndone(id);
  }

  /** Drops what was noted of tables that are gone, so that a visit may last for years. @param {Client} client */
  forget(client) {
    const { tables } = client;
    for (const part of [this.chronicle, this.guide]) part.forget(tables);
    this.entrant.forgetGames(tables);
    for (const id of this.entries.keys()) if (!tables.has(id)) this.entries.delete(id);
  }

  /** Begins a choice anew if something new is asked. @param {Table} table */
  refresh(table) {
    const before = this.entries.get(table.id);
    const { question } = table;
    if (question === null) {
      if (table.id === this.route.id) this.notices.announce("turn", "");
      return;
    }
    const legal = this.offered(table, inOrderOfFields(table.info.game, question.legal));
    const known = before !== undefined && before.turn === question.turn && before.number === table.info.number;
    if (known && same(before.steps[0], legal)) return; // what was chosen stays chosen
    if (known && this.hints?.table === table.id && this.hints.ranked !== null) this.hints = null; // in a scramble others have taken something
    const name = `${table.id} ${table.info.number} ${question.turn}`;
    this.entries.set(table.id, { name, turn: question.turn, number: table.info.number, steps: [legal], said: {}, scramble: question.scramble, answered: false });
    if (known || table.id !== this.route.id) return;
    this.notices.alert([...new Set([this.texts("play.your_turn"), asked(table.info.game, table.view ?? {}, legal, this.texts)])].join(": "), this.texts("play.title_turn"), table.id);
  }

  // Choosing

  /** The choice that is half made at the table that is looked at. @returns {Entry|null} */
  get entry() {
    return (this.table !== null && this.table.asked && this.entries.get(this.table.id)) || null;
  }

  get legal() {
    return this.entry?.steps.at(-1) ?? [];
  }

  /** Whom the game waits for. @param {Table} table */
  waitingWords(table) {
    if (table.question !== null && !table.asked) return this.texts("web.sending");
    const names = namesOf(table);
    const [seen, now] = [this.chronicle.seenAt(table).table, table].map(({ awaited }) => awaited.filter((seat) => seat !== table.seat));
    const others = seen.length > 0 ? seen : now;
    if (others.length === 0) return table.me?.stand_in ? this.texts("web.for_you") : "…"; // time has just done it
    return `${this.texts("play.waiting")} ${this.texts.listed(others.map((seat) => names[seat]))}`;
  }

  /** What is legal without what nobody would choose. @param {Table} table @param {Pattern[]} legal */
  offered(table, legal) {
    const asked = narrowed(legal);
    return narrowed(this.boards.get(table.info.game)?.unasked?.(table.view ?? {}, asked) ?? asked);
  }

  /** Takes a step of a choice: sends the action as soon as it is whole. @param {Pattern[]} legal */
  choose(legal) {
    const { entry, table } = this;
    if (entry === null || table === null || legal.length === 0) return;
    this.chronicle.settle();
    const offered = this.offered(table, legal);
    const action = whole(offered);
    if (action === null) {
      entry.steps.push(offered);
      return this.update();
    }
    const board = this.boards.get(table.info.game);
    if ((board?.dear?.includes(action.type) || board?.spends?.(action)) && !same(entry.shown, action)) return (this.hints = null), this.show(action);
    const send = () => this.act(table, entry, action);
    const question = board?.sure?.(table.view ?? {}, action, this.texts) ?? null;
    if (question !== null) this.sure = { question, yes: send };
    else send();
    this.update();
  }

  /** Whether this is a whole action that is sure to win. @param {Pattern[]} legal */
  wins(legal) {
    const [action, { table }] = [whole(legal), this];
    return action !== null && table !== null && (this.boards.get(table.info.game)?.wins?.(table.view ?? {}, action) ?? false);
  }

  /** Shows a whole action on the board: the second touch, of its place or on its words, plays it. @param {Plain} action */
  show(action) {
    const { entry } = this;
    if (entry === null) return;
    entry.said = {};
    entry.shown = action;
    entry.steps.splice(1, Infinity, narrowed([action]));
    this.update();
  }

  /** @param {Table} table */
  async askHint(table) {
    const { entry } = this;
    this.sheet = null;
    if (entry === null) return this.update();
    this.letGo();
    const asked = (this.hints = { table: table.id, turn: entry.turn, ranked: null, at: 0 });
    const found = await this.ask("hint", { table: table.id });
    if (this.hints !== asked) return; // the reader has thought of something else
    const first = this.entry?.steps[0] ?? [];
    const ranked = (found?.ranked ?? []).filter((/** @type {Plain} */ { action }) => offers(first, action));
    if (found !== undefined && ranked.length === 0) this.notices.say(this.texts("hint.none"));
    this.hints = ranked.length === 0 ? null : { ...asked, turn: found?.turn, ranked };
    this.showHint(0);
  }

  /** The hints for what is asked now. */
  get advice() {
    const { hints, entry } = this;
    return hints !== null && entry !== null && hints.turn === entry.turn && hints.table === this.table?.id ? hints : null;
  }

  /** Shows one of the hints on the board. @param {number} at */
  showHint(at) {
    const { advice } = this;
    if (advice === null || advice.ranked === null) return this.update();
    advice.at = at;
    this.show(advice.ranked[at].action);
  }

  /** @param {Table} table @param {Entry} entry @param {Plain} action */
  async act(table, entry, action) {
    this.guide.noteRead(table);
    entry.steps.push(narrowed([action]));
    entry.answered = true;
    this.notices.heeded(); // what to tap instead
    this.chronicle.answered(table, action);
    this.update();
    try {
      await this.client?.act(table.id, entry.turn, action);
    } catch (wrong) {
      entry.steps.splice(1);
      entry.said = {};
      entry.answered = false;
      this.chronicle.noteUndone(table.id);
      entry.shown = undefined;
      if (wrong instanceof Refused && !RACED.includes(wrong.code)) this.notices.say(refusal(wrong, this.texts, table.info.game));
      else if (!(wrong instanceof Refused) && !(wrong instanceof Gone)) throw wrong;
    }
    this.soon();
  }

  /** A finger comes down: the board shows the newest position, and what was meant for an older one does nothing. @param {EventTarget|null} target */
  touched(target) {
    this.chronicle.settle();
    this.byKeys = false;
    this.overtaken = this.chronicle.catchUp(target);
  }

  /** Something on the board was touched: a card, a place. A second touch lets go. @param {Plain} wanted */
  touch(wanted) {
    const { entry, table } = this;
    if (entry === null && table !== null && table.result === null) {
      const words = this.waitingWords(table);
      this.notices.say(words, true, () => this.table === table && !table.asked && table.result === null && this.waitingWords(table) === words);
    }
    if (entry === null) return;
    this.chronicle.settle();
    if (this.hints?.ranked === null) this.hints = null;
    const { shown } = entry;
    const board = this.boards.get(table?.info.game ?? "");
    if (shown !== undefined) {
      const place = board?.places.findLast((name) => name in shown);
      const meant = Object.entries(wanted).every(([name, value]) => same(shown[name], value));
      if (meant && (place === undefined || place in wanted || "type" in wanted)) return this.choose([shown]);
      this.letGo();
      if (meant) return; // a card that is raised is let go
    }
    const toggled = choices(this.legal).find(({ fields }) => Object.entries(wanted).every(([name, value]) => Array.isArray(fields[name]) && same(fields[name], [value])));
    if (toggled !== undefined) {
      if (whole(toggled.legal) !== null) return this.choose(toggled.legal); // the last of an order
      entry.steps.splice(1, Infinity, toggled.legal);
      return this.update();
    }
    if (Object.entries(wanted).every(([name, value]) => same(entry.said[name], value))) {
      const placed = board?.places.findLast((name) => name in this.legal[0]);
      const best = choices(this.legal).find(({ legal }) => this.wins(legal))?.legal;
      const place = placed !== undefined && placed in wanted && board?.again !== undefined ? (best ?? withFields(this.legal, board.again)) : [];
      return place.length > 0 ? this.choose(place) : this.letGo();
    }
    const further = withFields(this.legal, wanted);
    if (further.length > 0) return this.touchOn(entry, further, wanted);
    const other = withFields(entry.steps[0], wanted);
    if (other.length === 0) return this.notices.say(this.texts("web.fits_nowhere"), true);
    this.letGo();
    this.touchOn(entry, other, wanted);
  }

  /** A tap on something of a game that does nothing says what was tapped, and what to tap instead; looked at before the tap has any effect. @param {MouseEvent} event */
  explain({ target }) {
    const thing = target instanceof Element && this.table !== null && !this.large ? target.closest(THINGS) : null;
    if (thing === null || (thing instanceof HTMLButtonElement && thing.getAttribute("aria-disabled") !== "true")) return;
    const name = thing.getAttribute("data-name") ?? thing.getAttribute("aria-label") ?? thing.querySelector(":scope > .unseen")?.textContent ?? "";
    const place = this.entry !== null && thing.matches("[data-place]");
    const { entry } = this;
    const reason = thing.getAttribute("data-why");
    const elsewhere = this.texts(entry?.steps.length === 1 ? "web.card_first" : "web.not_there");
    const why = !place ? "" : reason !== null ? `: ${reason}` : `. ${elsewhere}`;
    if (name !== "") this.notices.say(capital(`${name}${why}`), true, () => why === "" || this.entry === entry);
  }

  /** @param {Entry} entry @param {Pattern[]} legal @param {Plain} wanted */
  touchOn(entry, legal, wanted) {
    entry.said = { ...entry.said, ...wanted };
    const places = this.boards.get(this.table?.info.game ?? "")?.places ?? [];
    const untouched = places.some((name) => name in legal[0] && !(name in entry.said));
    if (!untouched) return this.choose(legal);
    entry.steps.push(legal);
    this.update();
  }

  /** What stands under the thumb: a question of one's own, what whoever is home may do, or what there is to do after the end. @returns {import("./taps.js").Asked|null} */
  get underThumb() {
    const { table, entry } = this;
    if (table === null || table.seat === null || entry !== null) return entry;
    const { view, result } = this.chronicle.seenAt(table).table;
    const name = `${table.id} ${table.info.number}`;
    if (result !== null) return { name: `${name} over`, over: true };
    const home = view !== null && this.boards.get(table.info.game)?.home?.(view, table.seat, this.texts);
    return home ? { name: `${name} home` } : null;
  }

  /** @param {MouseEvent} event */
  tapped(event) {
    if (this.stray(event)) {
      event.stopPropagation();
      event.preventDefault();
      pale(event.target);
    } else {
      this.notices.hush(this.notices.high);
      this.explain(event);
    }
  }

  /** Whether a finger that taps in a game meets something that it was not meant for, because the page has changed under it. @param {MouseEvent} event */
  stray({ clientX: x, clientY: y, detail, target, timeStamp: at }) {
    const { table } = this;
    const overtaken = this.chronicle.catchUp(target) || this.overtaken; // some clicks come without a finger
    this.overtaken = false;
    if (overtaken) return true;
    if (detail === 0 || table === null || table.seat === null || table.info.stage === "gathering") return false; // detail: not a key
    this.taps.asks(this.underThumb, performance.now()); // what is not drawn yet was not seen either
    const met = /** @type {Element|null} */ (target);
    return this.taps.stray({ x, y, at, on: met?.closest("button")?.textContent ?? "", inGame: met?.closest("main.game > section") != null });
  }

  letGo() {
    this.hints = null;
    this.entry?.steps.splice(1);
    if (this.entry !== null) Object.assign(this.entry, { said: {}, shown: undefined });
    this.update();
  }

  back() {
    const { entry } = this;
    if (entry === null) return;
    if (Object.keys(entry.said).length > 0 || entry.shown !== undefined) return this.letGo();
    if (entry.steps.length > 1) entry.steps.pop();
    this.update();
  }

  // Small things

  /** @param {string} language */
  async speak(language) {
    keep("language", language);
    try {
      this.texts = await textsIn(language);
    } catch {
      return this.lookForAnotherBuild(); // whose texts are elsewhere
    }
    for (const table of this.client?.tables.values() ?? []) this.chronicle.retell(table);
    this.update();
  }

  /** @param {string} name */
  enter(name) {
    this.name = name.trim();
    keep("name", this.name);
    this.connect();
  }

  /** Comes in again under a name, with its token if it was the reader's before. @param {string} name */
  be(name) {
    keep("token", kept(`token.${name}`));
    this.enter(name);
  }

  /** Takes another name. Seats and games stay with the old one, which stays the reader's. @param {string} wanted */
  async rename(wanted) {
    const [name, { client }] = [wanted.trim(), this];
    this.sheet = null;
    if (name === this.name || client === null) return this.update();
    await this.seats.makeRoom(true);
    const seated = [...client.tables.values()].some(({ seat, info }) => seat !== null && info.stage !== "finished") || (client.welcome?.elsewhere ?? []).length > 0;
    if (seated) return this.notices.say(this.texts("web.seated"));
    keep(`token.${this.name}`, kept("token"));
    this.formerly = this.name;
    this.client = null;
    client.end(new Gone("closed"));
    this.be(name);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    this.byKeys = true;
    this.chronicle.settle();
    if (this.chronicle.catchUp(document.activeElement) && ["Enter", " "].includes(event.key)) return event.preventDefault();
    if (event.key === "Escape" && this.large) this.largeScreen.leave();
    else if (event.key === "Escape" && this.sheet === null && this.sure === null) this.back();
    const ways = /** @type {{[key: string]: number[]}} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const way = ways[event.key];
    const from = document.activeElement;
    const group = from?.closest("[data-arrows]");
    if (way === undefined || !from || !group || from.matches("input, select, textarea")) return;
    const all = [...group.querySelectorAll("button")];
    const open = all.filter((each) => each.getAttribute("aria-disabled") !== "true");
    const next = nearest(from, open.length > 0 ? open : all, way);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  }

  tick() {
    this.entrant.tick();
    if (this.ticking) this.update();
  }

  /** Whether something on the screen changes with time alone. */
  get ticking() {
    return this.client?.state === "lost" || this.entrant.counting || this.asking.some((table) => table.timeLeft() !== null) || (this.table !== null && away(this.table).length > 0) || (this.table?.clock?.ends.some((ends) => ends !== null) ?? false);
  }

  // Drawing

  update() {
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Draws with the next frame, all that comes until then at once. A page that nobody sees has no frames, but a title. */
  soon() {
    if (document.hidden) this.update();
    else this.frame ||= requestAnimationFrame(() => this.draw());
  }

  waiting = false;
  frame = 0;

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const flights = this.chronicle.takeFlights();
    const moves = flights.length > 0 && !calm.matches && !document.hidden;
    const before = moves ? places() : null;
    document.documentElement.lang = this.texts.language;
    document.title = this.title;
    this.seen = this.table?.info ?? this.seen;
    const address = addressOf(this.route);
    if (address !== this.shown) this.noteDepth();
    render(page(this), /** @type {Element} */ (document.getElementById("page")));
    if (address !== this.shown) scrollTo(0, this.top);
    this.shown = address;
    this.taps.asks(this.underThumb, performance.now());
    for (const dialog of document.querySelectorAll("dialog")) if (!dialog.open) dialog.showModal();
    const look = this.entry?.shown ?? this.entry;
    if (flights.length > 0 || this.looked !== look) bringInSight();
    this.looked = look;
    if (before !== null) fly(before, flights);
    if (this.byKeys) this.lead();
    for (const story of document.querySelectorAll(".story")) {
      const lines = story.querySelectorAll(":scope > :not(.since)").length; // what divides them is no news
      if (this.scrolled.get(story) === lines) continue; // measuring takes time, and somebody may be reading
      this.scrolled.set(story, lines);
      story.scrollTop = story.scrollHeight;
    }
  }

  /** Notes how far down the screen was that is left. A browser's history keeps no more of them either, and each table is one. */
  noteDepth() {
    this.depths.delete(this.shown); // so that it stands last
    this.depths.set(this.shown, scrollY);
    const [first] = this.depths.keys();
    if (this.depths.size > HISTORY) this.depths.delete(first);
  }

  /** Leads the keyboard on: from a card to the places for it, and back to the hand when something is asked. */
  lead() {
    if (this.entry === null || document.querySelector("dialog") !== null) return;
    const from = document.activeElement;
    const lost = from === null || from === document.body || from.matches('.board [aria-disabled="true"], .hand [aria-disabled="true"]');
    if (!lost && from.closest(".hand") === null) return;
    const places = /** @type {HTMLElement|null} */ (document.querySelector('.board button[aria-disabled="false"]'));
    const first = /** @type {HTMLElement|null} */ (document.querySelector('.words button, .hand button:not([aria-disabled="true"])'));
    if (this.entry.steps.length > 1 && places !== null) places.focus();
    else if (lost) first?.focus();
  }

  get title() {
    const mine = [...(this.client?.tables.values() ?? [])].some((table) => table.asked && table.result === null);
    if (mine || this.entrant.called !== null) return this.texts("play.title_turn");
    const game = this.table === null ? "" : `${gameName(this.table.info.game, this.texts)} - `;
    return `${game}${this.texts("play.title_wait")}`;
  }
}

/** What each change brings about. @type {{[type: string]: (app: App, client: Client, change: any) => void}} */
const HEARD = {
  __proto__: /** @type {any} */ (null),
  welcome: (app, client) => void app.welcomed(client),
  line: (app, { over }) => over !== null && app.gone(over),
  unreached: (app, client, { url }) => app.unreached(client, url),
  snapshot: (app, _client, { table }) => app.chronicle.snapshot(table),
  update: (app, _client, update) => app.chronicle.updated(update),
  chat: (app, _client, { table, line }) => app.chronicle.tell(table, [spoken(line)]),
  table_changed: (app, _client, { table }) => app.tableChanged(table),
  lobby_table: (app) => app.largeScreen.follow(),
  lobby_gone: (app, _client, change) => {
    if (change.table === app.route.id) app.seats.gone(change);
    else if (change.table === app.largeScreen.followed) app.largeScreen.follow();
  },
  tournament_changed: (app, _client, event) => app.entrant.changed(event),
  tournament_entrant: (app, _client, event) => app.entrant.changed(event),
  tournament_round: (app, _client, event) => app.entrant.changed(event),
  tournament_result: (app, _client, event) => app.entrant.changed(event),
  tournament_standings: (app, _client, event) => app.entrant.changed(event),
};

// Keys and ears

/** @param {Element} from @param {Element[]} others @param {number[]} way @returns {HTMLElement|null} */
function nearest(from, others, [x, y]) {
  const middle = (/** @type {Element} */ each) => {
    const box = each.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [ourX, ourY] = middle(from);
  let [best, least] = [/** @type {Element|null} */ (null), Infinity];
  for (const each of others) {
    const [across, down] = [middle(each)[0] - ourX, middle(each)[1] - ourY];
    const ahead = across * x + down * y;
    const aside = Math.abs(across * y) + Math.abs(down * x);
    if (each === from || ahead <= 1) continue;
    if (ahead + 3 * aside < least) [best, least] = [each, ahead + 3 * aside];
  }
  return /** @type {HTMLElement|null} */ (best);
}

const app = new App(await firstTexts());
app.begin();
