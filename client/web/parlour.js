/**
 * The Parlour protocol in one file, for Node (20 or newer) and for browsers: no dependency, no page, no texts.
 *
 * `connect` opens a line to a server and keeps it: after a loss it comes back by the recipe of PROTOCOL.md,
 * with nothing lost and nothing done twice. `Client` sends commands and knows the tables, `Decision` is what
 * a seat is asked, `count`, `pick` and `every` read legal patterns, `pack` and `unpack` are the bytes, and
 * `verifyDeal` holds the luck of a game to what the server promised before it.
 */

/** A message, or any map inside one. @typedef {{[key: string]: any}} Plain */
/** An action, complete. @typedef {Plain} Action */
/** An action in which fields may be left open. @typedef {Plain} Pattern */
/** @typedef {{turn: number, phase: string, scramble: boolean, legal: Pattern[]}} Question */
/** @typedef {{now: number, ends: (number|null)[], banks: number[], graces: number[]}} Clock */
/** @typedef {{winners: number[], places: number[], reason: string, secret: string|null, nonces: (string|null)[], head: string|null}} Result */
/** @typedef {{name: string, bot: boolean, here: boolean, ready: boolean, stand_in: boolean, left: boolean, nonce: string|null, away_since?: number|null, substitute?: string|null, strategy?: string|null}} Chair */
/** @typedef {{name: string, bot: boolean, text: string, at: number}} Line */
/**
 * @typedef {{
 *   table: string, game: string, options: Plain, chairs: (Chair|null)[], host: string|null,
 *   stage: "gathering"|"playing"|"finished"|"closed", public: boolean, bots: boolean, watching: string,
 *   clocks: Plain, reaction: number, watchers: number, number: number, commitment: string, kicked?: string[],
 *   tournament?: string|null, hints?: boolean, practice?: boolean
 * }} TableInfo
 */

/** What a legal pattern leaves open, in JavaScript's eyes: a map that is not a list. @param {any} value */
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Bytes: msgpack, as far as the profile of the protocol goes

const DEEPEST = 16;
const UTF8 = new TextEncoder();
const FROM_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A frame, or a value for one, breaks the profile of PROTOCOL.md. */
export class BadFrame extends Error {}

/**
 * Writes a message as msgpack.
 * @param {any} message
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function pack(message) {
  /** @type {number[]} */
  const bytes = [];
  packValue(bytes, message, 1);
  return Uint8Array.from(bytes);
}

/** @param {number[]} bytes @param {any} value @param {number} depth */
function packValue(bytes, value, depth) {
  if (value === null || value === undefined) bytes.push(0xc0);
  else if (value === true || value === false) bytes.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number") packNumber(bytes, value);
  else if (typeof value === "string") packText(bytes, value);
  else if (typeof value === "object") packGroup(bytes, value, depth);
  else throw new BadFrame(`a ${typeof value} cannot be sent`);
}

/** @param {number[]} bytes @param {number} value */
function packNumber(bytes, value) {
  const scratch = new DataView(new ArrayBuffer(8));
  if (!Number.isFinite(value)) throw new BadFrame(`${value} cannot be sent`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new BadFrame(`${value} is too large`);
  if (!Number.isInteger(value) || Object.is(value, -0)) {
    scratch.setFloat64(0, value);
    pushAll(bytes, 0xcb, scratch, 8);
  } else if (value >= -32 && value < 128) bytes.push(value & 0xff);
  else if (value >= -(2 ** 31) && value < 2 ** 31) {
    scratch.setInt32(0, value);
    pushAll(bytes, 0xd2, scratch, 4);
  } else {
    scratch.setBigInt64(0, BigInt(value));
    pushAll(bytes, 0xd3, scratch, 8);
  }
}

/** @param {number[]} bytes @param {number} head @param {DataView} scratch @param {number} size */
function pushAll(bytes, head, scratch, size) {
  bytes.push(head);
  for (let place = 0; place < size; place++) bytes.push(scratch.getUint8(place));
}

/** @param {number[]} bytes @param {string} text */
function packText(bytes, text) {
  const coded = UTF8.encode(text);
  if (coded.length < 32) bytes.push(0xa0 | coded.length);
  else packSize(bytes, 0xda, coded.length);
  for (const byte of coded) bytes.push(byte);
}

/** A size in 16 bits, or in 32 under the next head. @param {number[]} bytes @param {number} head @param {number} size */
function packSize(bytes, head, size) {
  if (size < 2 ** 16) bytes.push(head, size >> 8, size & 0xff);
  else bytes.push(head + 1, size >>> 24, (size >> 16) & 0xff, (size >> 8) & 0xff, size & 0xff);
}

/** @param {number[]} bytes @param {any} group @param {number} depth */
function packGroup(bytes, group, depth) {
  if (depth > DEEPEST) throw new BadFrame(`nested deeper than ${DEEPEST}`);
  if (Array.isArray(group)) {
    if (group.length < 16) bytes.push(0x90 | group.length);
    else packSize(bytes, 0xdc, group.length);
    for (const each of group) packValue(bytes, each, depth + 1);
    return;
  }
  const entries = Object.entries(group).filter(([, value]) => value !== undefined);
  if (entries.length < 16) bytes.push(0x80 | entries.length);
  else packSize(bytes, 0xde, entries.length);
  for (const [key, value] of entries) {
    packText(bytes, key);
    packValue(bytes, value, depth + 1);
  }
}

/**
 * Reads the one map of a frame; throws BadFrame if the frame breaks the profile.
 * @param {ArrayBuffer|Uint8Array} frame
 * @returns {Plain}
 */
export function unpack(frame) {
  const reader = new Reader(frame instanceof Uint8Array ? frame : new Uint8Array(frame));
  let message;
  try {
    message = reader.value(1);
  } catch (wrong) {
    throw wrong instanceof BadFrame ? wrong : new BadFrame("the frame is cut short or not UTF-8");
  }
  if (!reader.ended) throw new BadFrame("there is more after the map");
  if (!isMap(message)) throw new BadFrame("a frame holds one map");
  return message;
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  get ended() {
    return this.at === this.bytes.length;
  }

  /** Moves on and gives the place before. @param {number} size */
  skip(size) {
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) throw new BadFrame("the frame is cut short");
    return start;
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    const head = this.data.getUint8(this.skip(1));
    if (head < 0x80) return head;
    if (head < 0x90) return this.map(head & 0x0f, depth);
    if (head < 0xa0) return this.list(head & 0x0f, depth);
    if (head < 0xc0) return this.text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xca: return this.number(this.data.getFloat32(this.skip(4)));
      case 0xcb: return this.number(this.data.getFloat64(this.skip(8)));
      case 0xcc: return this.size(1);
      case 0xcd: return this.size(2);
      case 0xce: return this.size(4);
      case 0xcf: return this.whole(this.data.getBigUint64(this.skip(8)));
      case 0xd0: return this.data.getInt8(this.skip(1));
      case 0xd1: return this.data.getInt16(this.skip(2));
      case 0xd2: return this.data.getInt32(this.skip(4));
      case 0xd3: return this.whole(this.data.getBigInt64(this.skip(8)));
      case 0xd9: return this.text(this.size(1));
      case 0xda: return this.text(this.size(2));
      case 0xdb: return this.text(this.size(4));
      case 0xdc: return this.list(this.size(2), depth);
      case 0xdd: return this.list(this.size(4), depth);
      case 0xde: return this.map(this.size(2), depth);
      case 0xdf: return this.map(this.size(4), depth);
    }
    throw new BadFrame("binary and extension types are not in the profile");
  }

  /** @param {1|2|4} width */
  size(width) {
    const place = this.skip(width);
    if (width === 1) return this.data.getUint8(place);
    return width === 2 ? this.data.getUint16(place) : this.data.getUint32(place);
  }

  /** @param {number} found */
  number(found) {
    if (!Number.isFinite(found)) throw new BadFrame("NaN and infinity are not in the profile");
    return found;
  }

  /** @param {bigint} found */
  whole(found) {
    if (!Number.isSafeInteger(Number(found))) throw new BadFrame("a whole number is too large");
    return Number(found);
  }

  /** @param {number} size */
  text(size) {
    const start = this.skip(size);
    return FROM_UTF8.decode(this.bytes.subarray(start, this.at));
  }

  /** @param {number} size @param {number} depth */
  list(size, depth) {
    if (depth > DEEPEST) throw new BadFrame(`nested deeper than ${DEEPEST}`);
    const found = [];
    for (let place = 0; place < size; place++) found.push(this.value(depth + 1));
    return found;
  }

  /** @param {number} size @param {number} depth */
  map(size, depth) {
    if (depth > DEEPEST) throw new BadFrame(`nested deeper than ${DEEPEST}`);
    /** @type {Map<string, any>} */
    const found = new Map();
    for (let place = 0; place < size; place++) {
      const key = this.value(depth + 1);
      if (typeof key !== "string") throw new BadFrame("a key is not a text");
      if (found.has(key)) throw new BadFrame("a key stands twice");
      found.set(key, this.value(depth + 1));
    }
    return Object.fromEntries(found); // defines fields, so that "__proto__" is one like any other
  }
}

// Legal actions

/** @param {number} from @param {number} chosen */
function combinations(from, chosen) {
  let found = chosen < 0 || chosen > from ? 0 : 1;
  for (let step = 1; step <= chosen; step++) found = (found * (from - chosen + step)) / step;
  return found;
}

/** @param {number} size @returns {number} */
const factorial = (size) => (size < 2 ? 1 : size * factorial(size - 1));

/** How many values a field may have. @param {any} value @returns {number} */
function ways(value) {
  if (!isMap(value)) return 1;
  if (Array.isArray(value.one_of)) return value.one_of.length;
  if (Array.isArray(value.order)) return factorial(value.order.length);
  if (!Array.isArray(value.subset)) return 1;
  let found = 0;
  for (let size = value.min; size <= value.max; size++) found += combinations(value.subset.length, size);
  return found;
}

/** @param {Pattern} pattern */
const patternSize = (pattern) => Object.values(pattern).reduce((size, value) => size * ways(value), 1);

/** How many actions are legal. @param {Pattern[]} legal */
export function count(legal) {
  return legal.reduce((sum, pattern) => sum + patternSize(pattern), 0);
}

/**
 * Any legal action, each as likely as the others.
 * @param {Pattern[]} legal
 * @param {() => number} [random] from 0 up to, not including, 1
 */
export function pick(legal, random = Math.random) {
  return nth(legal, Math.floor(random() * count(legal)));
}

/** All legal actions: look at `count` first, there may be thousands. @param {Pattern[]} legal @returns {Generator<Action>} */
export function* every(legal) {
  for (const pattern of legal) {
    const size = patternSize(pattern);
    for (let index = 0; index < size; index++) yield filled(pattern, index);
  }
}

/** The legal action of this number, from 0 to `count` - 1. @param {Pattern[]} legal @param {number} index */
export function nth(legal, index) {
  let left = index;
  for (const pattern of legal) {
    const size = patternSize(pattern);
    if (left >= 0 && left < size) return filled(pattern, left);
    left -= size;
  }
  throw new RangeError(`there are ${count(legal)} legal actions, and no number ${index}`);
}

/** The numbers run as those of a clock do: the last field changes first. @param {Pattern} pattern @param {number} index */
function filled(pattern, index) {
  /** @type {Action} */
  const action = { ...pattern };
  let left = index;
  for (const [name, value] of Object.entries(pattern).reverse()) {
    const size = ways(value);
    action[name] = chosen(value, left % size);
    left = Math.floor(left / size);
  }
  return action;
}

/** @param {any} value @param {number} index */
function chosen(value, index) {
  if (!isMap(value)) return value;
  if (Array.isArray(value.one_of)) return value.one_of[index];
  if (Array.isArray(value.order)) return ordered(value.order, index);
  return Array.isArray(value.subset) ? someOf(value.subset, value.min, value.max, index) : value;
}

/** @param {any[]} values @param {number} index */
function ordered(values, index) {
  const left = [...values];
  return values.map((_, place) => {
    const rest = factorial(values.length - place - 1);
    const next = Math.floor(index / rest) % left.length;
    return left.splice(next, 1)[0];
  });
}

/** @param {any[]} values @param {number} least @param {number} most @param {number} index */
function someOf(values, least, most, index) {
  let size = least;
  while (size < most && index >= combinations(values.length, size)) index -= combinations(values.length, size++);
  /** @type {any[]} */
  const found = [];
  values.forEach((value, place) => {
    const withIt = combinations(values.length - place - 1, size - found.length - 1);
    if (index < withIt) found.push(value);
    else index -= withIt;
  });
  return found;
}

// What a client knows

/** The server's `error` as the answer to a command. */
export class Refused extends Error {
  /** @param {Plain} error */
  constructor(error) {
    super(`${error.code} ${JSON.stringify(error.facts ?? {})}`);
    /** @type {string} */
    this.code = error.code;
    /** @type {Plain} */
    this.facts = error.facts ?? {};
    /** @type {number|null} */
    this.retryAfter = error.retry_after ?? null;
  }
}

/** There is no connection and there will be none: `reason` is an error code, or a word of this file. */
export class Gone extends Error {
  /** @param {string} reason @param {Plain} [facts] */
  constructor(reason, facts = {}) {
    super(reason);
    this.reason = reason;
    this.facts = facts;
  }
}

const KEPT_LINES = 50;
/** Seconds left, below which a question that ends has ended because of the clock. */
const NO_TIME = 1;
const seconds = () => performance.now() / 1000;

/** What is known of one table: the latest of everything, and the news of this game so far. */
export class Table {
  /** @param {Plain} snapshot */
  constructor(snapshot) {
    /** @type {string} */
    this.id = snapshot.table;
    /** The number of the last event that was taken in. @type {number} */
    this.seq = snapshot.seq;
    /** Null: watching. @type {number|null} */
    this.seat = snapshot.seat;
    /** @type {string|null} */
    this.code = snapshot.code;
    /** @type {TableInfo} */
    this.info = snapshot.info;
    /** @type {Plain|null} */
    this.view = snapshot.view;
    /** @type {number[]} */
    this.awaited = snapshot.awaited;
    /** @type {Question|null} */
    this.question = snapshot.question;
    /** @type {Clock|null} */
    this.clock = snapshot.clock;
    /** @type {Result|null} */
    this.result = snapshot.result;
    /** @type {Line[]} */
    this.chat = snapshot.chat;
    /** When the clock arrived, by this machine's clock. */
    this.heardAt = seconds();
    /** @type {Plain[]} */
    this.news = [];
    /** Some news was missed; the view has all that came of it. */
    this.newsMissed = snapshot.view !== null;
    /** By the place of a news: the seats whose time was up, so that it was done for them. @type {Map<number, number[]>} */
    this.timedOut = new Map();
    /** The view before the last update. @type {Plain|null} */
    this.before = null;
    /** The turn that was answered and has no word from the server yet. @type {number|null} */
    this.sent = null;
    /** What the server promised before the deal. @type {{commitment: string, nonces: (string|null)[]}|null} */
    this.promise = null;
    /** The view with which this game began, if it was seen. @type {Plain|null} */
    this.dealt = null;
    /** What `unfair` has found. @type {string[]|null} */
    this.verdict = null;
    /** The highest number that arrived, whether or not it was the next. @type {number} */
    this.newest = snapshot.seq;
    /** What was missed has been asked for. */
    this.resuming = false;
    this.notePromise();
  }

  /** Goes on from what was known of the table before this snapshot. @param {Table} known */
  follow(known) {
    this.code ??= known.code;
    this.resuming = known.resuming;
    if (known.info.number !== this.info.number) return;
    this.sent = known.sent;
    this.promise ??= known.promise;
    this.dealt = known.dealt;
    if (this.view === null) return;
    this.news = known.news;
    this.timedOut = known.timedOut;
    this.newsMissed = known.newsMissed || known.seq !== this.seq;
  }

  /** Notes the commitment while it still binds, and the nonces as all see them. */
  notePromise() {
    const nonces = this.info.chairs.map((chair) => chair?.nonce ?? null);
    if (this.info.stage === "gathering") this.promise = { commitment: this.info.commitment, nonces };
    else if (this.promise !== null && this.dealt === null) this.promise.nonces = nonces;
  }

  /** Applies the next event. @param {Plain} event */
  take(event) {
    this.seq = event.seq;
    if (event.type === "chat") {
      this.chat = [...this.chat, event.line].slice(-KEPT_LINES);
      return;
    }
    if (event.type === "update") this.noteTimeUps(event);
    this.clock = event.clock;
    this.heardAt = seconds();
    if (event.type === "table_changed") {
      if (event.info.number !== this.info.number) this.beginAnew();
      this.info = event.info;
      this.notePromise();
      return;
    }
    this.before = this.view;
    if (this.dealt === null && this.news.length === 0 && !this.newsMissed) this.dealt = event.view;
    Object.assign(this, {
      view: event.view,
      awaited: event.awaited,
      question: event.question,
      result: event.result,
      news: [...this.news, ...event.news],
    });
  }

  /** Notes whose time was up before the first news of what was done for them. @param {Plain} event */
  noteTimeUps(event) {
    for (const seat of event.result !== null ? [] : this.awaited) {
      const ends = this.clock?.ends[seat] ?? null;
      const passed = ends !== null && event.clock !== null && event.clock.now >= ends; // of other seats the server's clock alone tells
      const unanswered = seat === this.seat && this.question !== null && event.question?.turn !== this.question.turn;
      if (!passed && !(unanswered && ends !== null && (this.timeLeft() ?? 0) < NO_TIME)) continue;
      const first = event.news.findIndex((/** @type {Plain} */ news) => news.seat === seat);
      const place = this.news.length + Math.max(0, first);
      this.timedOut.set(place, [...(this.timedOut.get(place) ?? []), seat]);
    }
  }

  /** A copy without news that takes in the events before a snapshot, once they are asked for. */
  lookBack() {
    /** @type {Table} */
    const past = Object.assign(Object.create(Table.prototype), this);
    return Object.assign(past, { news: [], timedOut: new Map(), clock: null, promise: null });
  }

  /** Takes over the news from before the snapshot, unless there is newer already; says whether there was any. @param {Table} past */
  recall(past) {
    if (this.news.length > 0 || past.news.length === 0 || past.info.number !== this.info.number) return false;
    Object.assign(this, { news: past.news, timedOut: past.timedOut });
    return true;
  }

  beginAnew() {
    this.news = [];
    this.timedOut = new Map();
    this.newsMissed = false;
    this.promise = this.dealt = this.sent = this.verdict = null;
  }

  /** Whether the seat is asked something that it has not answered. */
  get asked() {
    return this.question !== null && this.question.turn !== this.sent;
  }

  /** Seconds until a seat's time is up; null if it has no limit, or its clock waits. @param {number|null} [seat] */
  timeLeft(seat = this.seat) {
    const ends = seat === null ? null : (this.clock?.ends[seat] ?? null);
    if (ends === null || this.clock === null) return null;
    return Math.max(0, ends - this.clock.now - (seconds() - this.heardAt));
  }

  /** @returns {Chair|null} */
  get me() {
    return this.seat === null ? null : this.info.chairs[this.seat];
  }

  get hosting() {
    return this.me !== null && this.me.name === this.info.host;
  }

  /**
   * After the end: what is wrong with the luck of this game, as `verifyDeal` says it; null if the secret was
   * not shown, or the table was not there before the deal.
   */
  unfair() {
    if (this.result?.secret == null || this.promise === null) return null;
    const { secret, nonces } = this.result;
    this.verdict ??= verifyDeal({ game: this.info.game, promise: this.promise, secret, nonces, view: this.dealt });
    return this.verdict;
  }
}

/** What a seat is asked: the position as it may know it, and what it may do. */
export class Decision {
  /** @param {Client} client @param {Table} table @param {Question} question */
  constructor(client, table, question) {
    this.client = client;
    this.table = table.id;
    this.game = table.info.game;
    this.options = table.info.options;
    this.seat = table.seat ?? 0;
    /** @type {Plain} */
    this.view = table.view ?? {};
    this.news = table.news;
    this.newsMissed = table.newsMissed;
    this.turn = question.turn;
    this.phase = question.phase;
    this.scramble = question.scramble;
    this.legal = question.legal;
    const left = table.timeLeft();
    this.until = left === null ? null : seconds() + left;
  }

  /** Null: there is no limit. */
  get secondsLeft() {
    return this.until === null ? null : Math.max(0, this.until - seconds());
  }

  get count() {
    return count(this.legal);
  }

  /** @param {() => number} [random] */
  pick(random) {
    return pick(this.legal, random);
  }

  every() {
    return every(this.legal);
  }

  /** @param {Action} action */
  act(action) {
    return this.client.act(this.table, this.turn, action);
  }
}

// The line to the server

/** How the line is: `lost` tries again by itself, `gone` does not. @typedef {"connecting"|"open"|"lost"|"gone"} State */
/** What a listener gets: a message of the server that took effect, `{type: "line", state}`, or `{type: "unreached", url}`: a node does not answer. @typedef {(change: Plain) => void} Listener */
/** Where the token of a name is kept. @typedef {{read: () => string|null, keep: (token: string, name: string) => void}} Credentials */
/**
 * @typedef {{
 *   name?: string|null, bot?: boolean, client?: string, features?: string[],
 *   credentials?: Credentials, WebSocket?: new (url: string, protocols: string[]) => any,
 *   stubborn?: boolean, patience?: number, waits?: number
 * }} Options
 * `stubborn` tries again even if the first try fails; `patience` is how many seconds it tries without a welcome;
 * `waits` is for how many seconds, all in all, a busy server may put a command off before that is a refusal.
 */
/**
 * A command without an answer. `sent`: the server may have got it; `moves`: how often it was sent on to another node.
 * @typedef {{command: Plain, waited: number, moves: number, sent: boolean, resolve: (result: any) => void, reject: (why: Error) => void}} Pending
 */

const SUBPROTOCOL = "parlour.v1";
const HEARTBEAT = 15;
/** Of the server's heartbeat: after how long of silence it is asked for a word, and how long one waits for that. */
const QUIET = 1 / 3;
const PATIENCE = 2 / 3;
const HELLO_WITHIN = 10;
const GOODBYE_WITHIN = 1;
const ANSWER_WITHIN = 3;
const FIRST_PAUSE = 0.2;
const LONGEST_PAUSE = 10;
/** Seconds: entering tournaments is allowed once in five. */
const WAITS = 10;
/** Of one connection: the old answer to them is not enough on a new one. */
const SUBSCRIPTIONS = ["watch", "watch_lobby", "watch_tournament"];
/** What tells a client where a table is. */
const ASKING = ["resume", ...SUBSCRIPTIONS];
/** Refusals of hello after which the same hello may do later. */
const LATER = ["too_many", "closing", "busy", "not_kept"];
/** Close codes after which nothing is gained by coming back. @type {{[code: number]: string}} */
const FINAL = { 1009: "too_large", 4000: "refused", 4001: "replaced", 4005: "errors" };
const FEATURES = ["chat", "lobby", "watch", "bots", "nonces", "rematch", "tournaments", "nodes"];
/** What another node, which does not know the old id, might do a second time. */
const NOT_TWICE = ["create_table", "add_bot", "substitute", "kick", "say", "create_tournament", "resign"];
/** How often a command is sent on to another node without a pause. */
const MOVES_AT_ONCE = 2;
/** Seconds until a node is asked again that does not answer, or sends a command back. */
const MOVE_AGAIN = 0.5;
/** Seconds for which a command follows its table: a node that died is replaced within ten. */
const FOLLOWS = 60;

/**
 * Connects, and gives a client that has been welcomed; throws Gone if that cannot be.
 * @param {string} url
 * @param {Options} [options]
 */
export async function connect(url, options = {}) {
  const client = new Client(url, options);
  client.open();
  while (client.welcome === null) await client.changed();
  return client;
}

/** A token that is kept nowhere but here. @returns {Credentials} */
function inMemory() {
  /** @type {string|null} */
  let kept = null;
  return { read: () => kept, keep: (token) => void (kept = token) };
}

/** The table or tournament that a command names. @param {Plain} command @returns {string|null} */
const subject = (command) => command.table ?? command.tournament ?? null;

/** A line to one server: ids, what has no answer there, and the websocket. */
class ServerLine {
  /** @param {Client} client @param {string} url @param {string|null} [node] */
  constructor(client, url, node = null) {
    this.client = client;
    this.url = url;
    /** The node of a house that it leads to. */
    this.node = node;
    /** For the next hello, instead of the token. @type {string|null} */
    this.ticket = null;
    /** Welcome, and not lost since. */
    this.isOpen = false;
    /** @type {Plain|null} */
    this.welcome = null;
    /** @type {Map<number, Pending>} */
    this.pending = new Map();
    /** Asked for before the first welcome, and so without an id. @type {Pending[]} */
    this.early = [];
    this.lastId = 0;
    /** @type {any} */
    this.socket = null;
    this.heardAt = 0;
    /** Seconds that the server asked to wait before coming back. */
    this.rest = 0;
    /** The server has said that it ends: what has no answer then is not done. */
    this.ends = false;
    /** Cut because the server did not answer: it may be frozen, and take a connection all the same. */
    this.silent = false;
    /** @type {Plain|null} */
    this.refusal = null;
    /** @type {any} */
    this.timer = null;
  }

  open() {
    const WebSocket = this.client.options.WebSocket ?? globalThis.WebSocket;
    if (WebSocket === undefined) throw new Error("this Node has no WebSocket: give one in the options");
    this.refusal = null;
    const socket = new WebSocket(this.url, [SUBPROTOCOL]);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.send(this.client.hello(this));
    socket.onmessage = (/** @type {any} */ event) => this.receive(event.data);
    socket.onclose = (/** @type {any} */ event) => this.closed(event.code);
    // Mostly a close follows, which says all that there is to know; not in Node 20 where nobody listens at the address.
    socket.onerror = () => void (this.socket === socket && socket.readyState === 0 && this.closed(1006));
    this.socket = socket;
    this.later(HELLO_WITHIN, () => this.cut());
  }

  /** @param {Plain} message */
  send(message) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(pack(message));
    return true;
  }

  /** Runs something later, in the place of what was to run. @param {number} wait @param {() => void} what */
  later(wait, what) {
    clearTimeout(this.timer);
    this.timer = unheld(setTimeout(what, wait * 1000));
  }

  /** Drops a line that is of no use, without waiting for the other side. */
  cut() {
    const socket = this.socket;
    this.closed(1006);
    socket?.close();
  }

  /** @param {number} code */
  closed(code) {
    this.leaveSocket();
    this.client.closed(this, code);
  }

  leaveSocket() {
    clearTimeout(this.timer);
    if (this.socket === null) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket = null;
  }

  /** Asks for a word when nothing was heard, and cuts the line if there is none. @param {number} within */
  probe(within) {
    const before = this.heardAt;
    this.put({ command: { type: "ping" }, waited: 0, moves: 0, sent: false, resolve: () => {}, reject: () => {} });
    this.later(within, () => {
      if (this.heardAt > before) return this.beat();
      this.silent = true;
      this.cut();
    });
  }

  beat() {
    const heartbeat = this.welcome?.heartbeat ?? HEARTBEAT;
    const quiet = heartbeat * QUIET + this.heardAt - seconds();
    this.later(Math.max(0, quiet), () => {
      if (seconds() - this.heardAt < heartbeat * QUIET) this.beat();
      else this.probe(heartbeat * PATIENCE);
    });
  }

  /** @param {ArrayBuffer} frame */
  receive(frame) {
    let message;
    try {
      message = unpack(frame);
    } catch (wrong) {
      if (wrong instanceof BadFrame) return; // what was in it leaves a gap, and is asked for again
      throw wrong;
    }
    this.heardAt = seconds();
    this.client.receive(message, this);
  }

  /** Gives a command the next id, and sends it as soon as there is a line. @param {Pending} pending */
  put(pending) {
    if (this.welcome === null) return void this.early.push(pending);
    this.lastId += 1;
    this.write({ ...pending, command: { ...pending.command, id: this.lastId } });
  }

  /** @param {Pending} pending */
  write(pending) {
    this.pending.set(pending.command.id, { ...pending, sent: this.isOpen && this.send(pending.command) });
  }

  /** Sends again what has no answer. @param {Plain} welcome */
  begin(welcome) {
    const ours = welcome.last_id <= this.lastId; // else somebody else spoke in our name: ids mean other commands
    // Tables that are known, or named by the welcome, are resumed anyway.
    const isAsked = (/** @type {Pending} */ { command: { type, table } }) => type !== "resume" || !(this.client.tables.has(table) || welcome.tables.includes(table));
    const waiting = [...this.pending.values()].filter(isAsked);
    const early = this.early.splice(0).filter(isAsked);
    this.pending.clear();
    this.welcome = welcome;
    this.node = welcome.node ?? null;
    this.isOpen = true;
    this.ends = this.silent = false;
    this.rest = 0;
    this.lastId = Math.max(this.lastId, welcome.last_id);
    const again = (/** @type {Pending} */ { command }) => ours && !ASKING.includes(command.type);
    for (const pending of waiting.filter(again)) this.write(pending);
    for (const pending of [...waiting.filter((each) => !again(each)), ...early]) this.put(pending);
    this.beat();
  }

  /** Takes out what waits in vain for an answer on this line. @param {(pending: Pending) => boolean} which */
  take(which) {
    const found = [...this.pending.values(), ...this.early].filter(which);
    for (const { command } of found) this.pending.delete(command.id);
    this.early = this.early.filter((each) => !found.includes(each));
    return found;
  }
}

/** One player at a server, or at the nodes of a house: stays, comes back, and knows what it was told. */
export class Client {
  /** @param {string} url @param {Options} [options] */
  constructor(url, options = {}) {
    this.options = options;
    this.credentials = options.credentials ?? inMemory();
    /** @type {State} */
    this.state = "connecting";
    /** When the line was lost, by `performance.now`, or null. @type {number|null} */
    this.lostAt = null;
    /** Why there will be no connection any more. @type {Gone|null} */
    this.over = null;
    /** Gets the commands that name no table or tournament of another node. */
    this.home = new ServerLine(this, url);
    this.lines = [this.home];
    /** The addresses of all nodes of a house, by name. @type {Map<string, string>} */
    this.nodes = new Map();
    /** Where a table or tournament was seen last. @type {Map<string, ServerLine>} */
    this.places = new Map();
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    /** Copies of tables that take in the events before what is known of them. @type {Map<string, Table>} */
    this.past = new Map();
    /** The public tables, while the lobby is watched. @type {Map<string, TableInfo>|null} */
    this.lobby = null;
    /** What was said in the lobby while it was watched. @type {Line[]} */
    this.lobbyChat = [];
    /** Put off, to be asked again. @type {Set<Pending>} */
    this.postponed = new Set();
    /** @type {Set<Listener>} */
    this.listeners = new Set();
    this.tries = 1;
    /** Lines that are still to be tried with the token in this round. @type {ServerLine[]} */
    this.turns = [];
    /** @type {any} */
    this.timer = null;
  }

  get url() {
    return this.home.url;
  }

  /** @type {Plain|null} */
  get welcome() {
    return this.home.welcome;
  }

  /** @type {string|null} */
  get name() {
    return this.welcome?.you.name ?? this.options.name ?? null;
  }

  // For its owner

  /** Calls back with every change, until the function that this returns is called. @param {Listener} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Waits for the next change; throws Gone if nothing can change any more. @returns {Promise<Plain>} */
  changed() {
    if (this.over !== null) return Promise.reject(this.over);
    return new Promise((resolve, reject) => {
      const stop = this.listen((change) => {
        stop();
        if (this.over === null) resolve(change);
        else reject(this.over);
      });
    });
  }

  /**
   * Sends a command, again over a new line if it must be, and gives its result; throws Refused or Gone. A server
   * that is busy for a moment is asked again when it says so.
   * @param {string} type
   * @param {Plain} [fields]
   * @returns {Promise<any>}
   */
  ask(type, fields = {}) {
    if (this.over !== null) return Promise.reject(this.over);
    return new Promise((resolve, reject) => {
      const command = { type, ...fields };
      this.lineFor(command).put({ command, waited: 0, moves: 0, sent: false, resolve, reject });
    });
  }

  /**
   * Answers a question of a table once; after a refusal it is asked again.
   * @param {string} id
   * @param {number} turn
   * @param {Action} action
   */
  async act(id, turn, action) {
    const table = this.tables.get(id);
    if (table !== undefined) table.sent = turn;
    try {
      return await this.ask("act", { table: id, turn, action });
    } catch (wrong) {
      const now = this.tables.get(id);
      if (now !== undefined && now.sent === turn) now.sent = null;
      throw wrong;
    }
  }

  /** What a table asks of this player now, or null. @param {string} id */
  decision(id) {
    const table = this.tables.get(id);
    return table?.asked && table.question !== null ? new Decision(this, table, table.question) : null;
  }

  /** Every decision of a game, one after the other, until it is over. @param {string} id @returns {AsyncGenerator<Decision>} */
  async *decisions(id) {
    for (;;) {
      const table = this.tables.get(id);
      if (table === undefined || table.result !== null) return;
      const decision = this.decision(id);
      if (decision !== null) yield decision;
      else await this.changed();
    }
  }

  /**
   * Plays a game to its end. Somebody quicker, or a line that was lost, is no fault: it asks again.
   * @param {string} id
   * @param {(decision: Decision) => Action|Promise<Action>} choose
   * @returns {Promise<Result|null>} null if the table is gone
   */
  async play(id, choose) {
    for await (const decision of this.decisions(id)) {
      const seq = this.tables.get(id)?.seq;
      try {
        await decision.act(await choose(decision));
      } catch (wrong) {
        if (!(wrong instanceof Refused) || !["taken", "stale", "not_asked", "over", "not_now"].includes(wrong.code)) throw wrong;
        // At a table for practice bots wait for people, whose move may have been told before the refusal.
        while (wrong.code === "not_now" && this.tables.get(id)?.seq === seq) await this.changed();
      }
    }
    return this.tables.get(id)?.result ?? null;
  }

  /** Looks whether the line still stands, as after sleep, or tries at once if it is lost. */
  wake() {
    if (this.state === "lost") {
      this.tries = 0;
      this.again(0);
    }
    for (const line of this.lines) if (line.isOpen) line.probe(ANSWER_WITHIN);
  }

  /** Says goodbye; seats are kept. */
  async close() {
    if (this.state === "open") {
      const patience = new Promise((resolve) => unheld(setTimeout(resolve, GOODBYE_WITHIN * 1000)));
      await Promise.race([this.ask("bye").catch(() => null), patience]);
    }
    this.end(new Gone("closed"));
  }

  // Opening, and opening again

  /** Says hello with the token, or the name: at home, or at the next node in turn. */
  open() {
    clearTimeout(this.timer);
    for (const line of this.lines) {
      if (line.isOpen) continue;
      line.leaveSocket();
      line.ticket = null;
    }
    (this.turns.shift() ?? this.home).open();
  }

  /** @param {ServerLine} line @returns {Plain} */
  hello(line) {
    const token = this.credentials.read();
    const { client = "parlour.js", features = FEATURES, name = null, bot = false } = this.options;
    const who = line.ticket !== null ? { ticket: line.ticket } : token === null ? { name, bot } : { token };
    return { type: "hello", versions: [1], client, features, ...who };
  }

  /** The lines to say hello on when none is open: first the one that is lost, unless it ends or is silent, then the other nodes. @param {ServerLine} lost */
  inTurn(lost) {
    const others = [...this.nodes].filter(([node]) => node !== lost.node).map(([node, url]) => this.lineTo(node, url));
    others.sort(() => Math.random() - 0.5); // all clients of a node that died must not go to the same one
    return lost.ends || lost.silent ? [...others, lost] : [lost, ...others];
  }

  /** A line has ended. While there is another, what was on it is asked for there. @param {ServerLine} line @param {number} code */
  closed(line, code) {
    if (this.over !== null) return;
    const { isOpen, ticket } = line;
    line.isOpen = false;
    line.ticket = null;
    const other = this.lines.find((each) => each.isOpen);
    if (other !== undefined) {
      if (isOpen) this.lostLine(line, other);
      else if (ticket !== null) unheld(setTimeout(() => this.notReached(line), MOVE_AGAIN * 1000));
      return;
    }
    if (ticket !== null && this.state === "lost") return; // the token is being tried
    const refusal = code === 4000 ? line.refusal : null;
    if (refusal !== null && !LATER.includes(refusal.code)) this.end(new Gone(refusal.code, refusal.facts));
    else if (refusal === null && code in FINAL) this.end(new Gone(FINAL[code]));
    else if (code === 1000) this.end(new Gone("closed"));
    else this.lost(line, refusal?.retry_after ?? line.rest);
  }

  /** @param {ServerLine} line @param {number} rest */
  lost(line, rest) {
    if (this.lostAt === null) this.turns = [];
    this.lostAt ??= performance.now();
    const patience = (this.options.patience ?? (this.options.stubborn ? Infinity : 120)) * 1000;
    const first = this.welcome === null && !this.options.stubborn;
    if (first || performance.now() - this.lostAt > patience) return this.end(new Gone("unreachable"));
    this.state = "lost";
    if (this.turns.length > 0) this.open();
    else {
      this.turns = this.inTurn(line);
      this.again(this.turns.length > 1 ? 0 : rest);
    }
    this.tell({ type: "line", state: this.state });
  }

  /** Tries again: at once the first time, then after growing pauses, never all clients at one moment. @param {number} rest */
  again(rest) {
    clearTimeout(this.timer);
    const growing = this.tries === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(this.tries, 10));
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), (rest + growing * (0.5 + Math.random() / 2)) * 1000);
  }

  /** @param {Gone} why */
  end(why) {
    if (this.over !== null) return;
    this.over = why;
    this.state = "gone";
    clearTimeout(this.timer);
    const waiting = [...this.postponed];
    for (const line of this.lines) {
      const socket = line.socket;
      line.leaveSocket();
      socket?.close();
      waiting.push(...line.take(() => true));
    }
    this.postponed.clear();
    for (const pending of waiting) pending.reject(why);
    this.tell({ type: "line", state: this.state });
  }

  // Lines to several nodes

  /** The line to the node that has what a command names. If it is lost, one asks for a table at home, and the rest waits. @param {Plain} command */
  lineFor(command) {
    const line = this.places.get(subject(command) ?? "") ?? this.home;
    if (line.isOpen || line.ticket !== null || !this.home.isOpen) return line;
    return this.tables.has(command.table) && !ASKING.includes(command.type) ? line : this.home;
  }

  /** The line to a node, which may not be open. @param {string} node @param {string} url */
  lineTo(node, url) {
    const known = this.lines.filter((line) => line.node === node);
    const line = known.find((each) => each.isOpen) ?? known[0] ?? new ServerLine(this, url, node);
    if (known.length === 0) this.lines.push(line);
    return line;
  }

  /** Never from a line that nobody overhears to one that all do. @param {any} url */
  isReachable(url) {
    return typeof url === "string" && (/^wss:/i.test(url) || (/^ws:/i.test(url) && !/^wss:/i.test(this.home.url)));
  }

  /** @param {ServerLine} line @param {ServerLine} other */
  lostLine(line, other) {
    if (this.home === line) {
      this.home = other;
      if (this.lobby !== null) this.ask("watch_lobby", { on: true }).catch(() => null);
    }
    this.askElsewhere(line);
    this.tell({ type: "line", state: this.state });
  }

  /** What was to go over a line that could not be opened, and what asks for a table there, goes home again. @param {ServerLine} line */
  notReached(line) {
    if (line.isOpen || line.ticket !== null) return; // meanwhile it is open, or tried again
    this.tell({ type: "unreached", url: line.url });
    for (const pending of line.take(({ command, sent, moves }) => !sent && (moves > 0 || ASKING.includes(command.type)))) this.home.put({ ...pending, waited: pending.waited + MOVE_AGAIN });
  }

  /** Asks at home for all that was on a line that is lost; what has no answer waits until it is known where to ask. @param {ServerLine} lost */
  askElsewhere(lost) {
    const resumes = lost.take(({ command }) => command.type === "resume");
    const watching = lost.take(({ command }) => SUBSCRIPTIONS.includes(command.type));
    const here = [...this.tables.values()].filter((table) => this.places.get(table.id) === lost);
    for (const table of here) this.askFor(table);
    const asked = resumes.filter(({ command }) => !here.some((table) => table.id === command.table));
    const others = lost.take(({ command }) => !here.some((table) => table.id === subject(command)));
    for (const pending of [...asked, ...watching, ...others]) this.sendOn(pending, lost, this.home);
  }

  /** @param {Table} table */
  askFor(table) {
    if (table.seat !== null) this.resume(table.id, table.seq);
    else this.ask("watch", table.code === null ? { table: table.id } : { code: table.code }).catch(() => null);
  }

  /** Sends a command to another node than the one that did not answer, unless it might be done twice. @param {Pending} pending @param {ServerLine} lost @param {ServerLine} line */
  sendOn(pending, lost, line) {
    if (NOT_TWICE.includes(pending.command.type) && pending.sent && !lost.ends) pending.reject(new Refused({ code: "unanswered", facts: {} }));
    else line.put({ ...pending, sent: false });
  }

  /** Notes where a table or tournament is, and sends there what waits on a line that is lost. @param {string} id @param {ServerLine} line */
  place(id, line) {
    const old = this.places.get(id);
    this.places.set(id, line);
    if (old === undefined || old === line || old.isOpen) return;
    for (const pending of old.take(({ command }) => subject(command) === id)) this.sendOn(pending, old, line);
  }

  /** Sends the answer to a question that is still open where its table is now: the node before may be frozen, and its line looks open. @param {Plain} snapshot @param {ServerLine} line */
  answerHere(snapshot, line) {
    const answers = (/** @type {Pending} */ { command }) => command.type === "act" && command.table === snapshot.table && command.turn === snapshot.question?.turn;
    for (const other of this.lines.filter((each) => each !== line && each.isOpen)) {
      for (const pending of other.take(answers)) line.put({ ...pending, sent: false });
    }
  }

  /** What waits for a table that is not there any more is refused as well. @param {string} id @param {Plain|null} [why] */
  forget(id, why = null) {
    const line = this.places.get(id);
    this.tables.delete(id);
    this.places.delete(id);
    if (line === undefined || line.isOpen || why === null) return;
    for (const pending of line.take(({ command }) => subject(command) === id)) pending.reject(new Refused(why));
  }

  /** @param {Plain[]} nodes */
  noteNodes(nodes) {
    this.nodes = new Map(nodes.filter(({ url }) => this.isReachable(url)).map(({ name, url }) => [name, url]));
  }

  /** Sends a command on to the node that has what it names; false if that makes no sense. @param {Pending} pending @param {Plain} facts @param {ServerLine} line */
  follow(pending, { node, url, ticket }, line) {
    if (typeof node !== "string" || typeof ticket !== "string" || !this.isReachable(url) || pending.waited >= FOLLOWS) return false;
    const there = this.lineTo(node, url);
    if (!there.isOpen) {
      there.url = url;
      there.ticket = ticket;
    }
    const id = subject(pending.command);
    if (id !== null) this.place(id, there);
    const moved = { ...pending, moves: pending.moves + 1, sent: false };
    if (there === line || (moved.moves > MOVES_AT_ONCE && there.isOpen)) this.postpone(moved, MOVE_AGAIN, there);
    else there.put(moved);
    if (there.ticket !== null && there.socket === null) there.open();
    return true;
  }

  // Messages

  /** @param {Plain} message @param {ServerLine} line */
  receive(message, line) {
    const take = TAKEN[message.type];
    if (take === undefined) this.passOver(message);
    else if (take(this, message, line)) this.tell(message);
  }

  /** Takes over the number of an event of a later server: it leaves no gap. @param {Plain} event */
  passOver(event) {
    const table = this.tables.get(event.table);
    if (table === undefined || event.seq !== table.seq + 1) return;
    table.seq = event.seq;
    table.newest = Math.max(table.newest, event.seq);
  }

  /** @param {Plain} change */
  tell(change) {
    for (const listener of [...this.listeners]) listener(change);
  }

  /** Sends again what has no answer, and asks for what was missed; true on the line that is home. @param {Plain} welcome @param {ServerLine} line */
  welcomed(welcome, line) {
    const byTicket = line.ticket !== null;
    const isHome = !byTicket || !this.home.isOpen; // which was lost while this line was being opened
    line.ticket = null;
    if (line.welcome !== null && line.node !== (welcome.node ?? null)) {
      // Another node has that address now: it knows nothing of what was sent there.
      for (const pending of line.take(({ command }) => NOT_TWICE.includes(command.type))) this.sendOn(pending, line, this.home);
      line.lastId = -1;
    }
    if (isHome) this.home = line;
    if (!byTicket) this.credentials.keep(welcome.token, welcome.you.name);
    for (const id of [...this.past.keys()]) if (this.places.get(id) === line) this.past.delete(id);
    this.state = "open";
    this.lostAt = null;
    this.tries = 0;
    this.turns = [];
    line.begin(welcome);
    if (welcome.nodes !== undefined) this.noteNodes(welcome.nodes);
    this.comeBack(welcome, line);
    if (!isHome) return false;
    for (const other of this.lines) if (!other.isOpen) this.askElsewhere(other);
    for (const { table } of welcome.elsewhere ?? []) if (!this.tables.has(table)) this.resume(table, null);
    return !byTicket;
  }

  /** @param {Plain} welcome @param {ServerLine} line */
  comeBack({ tables: seated, node = null }, line) {
    for (const table of [...this.tables.values()]) {
      if ((this.places.get(table.id) ?? line) !== line || seated.includes(table.id)) continue;
      if (table.seat === null || node !== null) this.askFor(table);
      else this.forget(table.id);
    }
    for (const id of seated) {
      this.place(id, line);
      this.resume(id, this.tables.get(id)?.seq ?? null);
    }
    if (this.lobby !== null && line === this.home) this.ask("watch_lobby", { on: true }).catch(() => null);
  }

  /** @param {string} id @param {number|null} after */
  resume(id, after) {
    const table = this.tables.get(id);
    if (table !== undefined) table.resuming = true;
    this.ask("resume", { table: id, after }).catch(() => null);
  }

  /** Asks for the last events before what is known of a table; says whether its news has theirs by then. @param {string} id @param {number} events */
  async lookBack(id, events) {
    const table = this.tables.get(id);
    if (table === undefined || table.view === null) return false;
    const past = table.lookBack();
    this.past.set(id, past);
    try {
      await this.ask("resume", { table: id, after: Math.max(0, past.seq - events) });
      return this.tables.get(id)?.recall(past) ?? false;
    } finally {
      if (this.past.get(id) === past) this.past.delete(id);
    }
  }

  /** Takes an event of a table if it is the next one; after a gap it asks for a snapshot. @param {Plain} event */
  inLine(event) {
    const table = this.tables.get(event.table);
    if (table === undefined) return false;
    table.newest = Math.max(table.newest, event.seq);
    const past = this.past.get(event.table);
    if (past !== undefined && event.seq <= past.newest) past.take(event);
    if (event.seq === table.seq + 1) {
      table.take(event);
      return true;
    }
    if (event.seq > table.seq && !table.resuming) this.resume(table.id, null);
    return false;
  }

  /** @param {Plain} answer @param {ServerLine} line */
  answered(answer, line) {
    if (answer.id == null) {
      line.refusal = answer;
      return true;
    }
    const pending = line.pending.get(answer.id);
    if (pending === undefined) return false;
    line.pending.delete(answer.id);
    if (answer.type === "ok") {
      const id = subject(pending.command);
      if (id !== null) this.place(id, line);
      this.done(pending.command, answer.result);
      pending.resolve(answer.result);
    } else if (answer.code === "moved" && this.follow(pending, answer.facts, line)) return false;
    else if (this.postpones(pending, answer, line)) return false;
    else {
      this.refused(pending.command, answer);
      pending.reject(new Refused(answer));
    }
    return true;
  }

  /** Asks again later if the server is only busy. Not what is said: lines would change places. @param {Pending} pending @param {Plain} error @param {ServerLine} line */
  postpones(pending, error, line) {
    const resumes = ASKING.includes(pending.command.type) && this.tables.has(pending.command.table);
    if (error.retry_after == null || pending.command.type === "say") return false;
    if (error.code !== "busy" && !(resumes && error.code === "not_kept")) return false;
    if (pending.waited + error.retry_after > (resumes ? FOLLOWS : (this.options.waits ?? WAITS))) return false;
    this.postpone(pending, error.retry_after, line);
    return true;
  }

  /** @param {Pending} pending @param {number} wait @param {ServerLine} line */
  postpone(pending, wait, line) {
    const again = { ...pending, waited: pending.waited + wait };
    this.postponed.add(again);
    setTimeout(() => this.postponed.delete(again) && (line.isOpen ? line : this.lineFor(again.command)).put(again), wait * 1000);
  }

  /** @param {Plain} command @param {any} result */
  done(command, result) {
    const table = this.tables.get(command.table);
    if (command.type === "act") {
      if (table !== undefined && table.question?.turn === command.turn) table.question = null;
    } else if (command.type === "leave") this.forget(command.table);
    else if (command.type === "watch_lobby") {
      /** @type {TableInfo[]} */
      const infos = result?.tables ?? [];
      this.lobby = command.on ? new Map(infos.map((info) => [info.table, info])) : null;
    } else if (command.type === "watch" && command.code != null) {
      const watched = this.tables.get(result.table);
      if (watched !== undefined) watched.code = command.code;
    } else if (command.type === "resume" && table !== undefined) {
      table.resuming = false;
      if (table.newest > table.seq && command.after !== null) this.resume(table.id, null);
    }
  }

  /** @param {Plain} command @param {Plain} why */
  refused(command, why) {
    if (command.type !== "resume" && command.type !== "watch") return;
    for (const table of [...this.tables.values()]) {
      if (table.id === command.table || (command.code != null && table.code === command.code)) this.forget(table.id, why);
    }
  }
}

/** Node would wait for a timer; nobody else has to. @template T @param {T} timer @returns {T} */
function unheld(timer) {
  /** @type {any} */ (timer).unref?.();
  return timer;
}

/** What to do with each message; true if it took effect. Those that are not listed are ignored. @type {{[type: string]: (client: Client, message: any, line: ServerLine) => boolean}} */
const TAKEN = {
  __proto__: /** @type {any} */ (null),
  welcome: (client, message, line) => client.welcomed(message, line),
  goodbye: (_client, message, line) => {
    line.rest = message.retry_after ?? 0;
    line.ends = message.reason === "restart";
    return true;
  },
  ok: (client, message, line) => client.answered(message, line),
  error: (client, message, line) => client.answered(message, line),
  nodes_changed: (client, message) => (client.noteNodes(message.nodes), true),
  table_at: (client, message, line) => {
    const { table, node } = message;
    const known = client.tables.get(table);
    if (known !== undefined && client.places.get(table)?.node === node) return false;
    const command = { type: "resume", table, after: known?.seq ?? null };
    return client.follow({ command, waited: 0, moves: 0, sent: false, resolve: () => {}, reject: () => {} }, message, line);
  },
  snapshot: (client, message, line) => {
    client.place(message.table, line);
    client.answerHere(message, line);
    const [table, known] = [new Table(message), client.tables.get(message.table)];
    if (known !== undefined) table.follow(known);
    client.tables.set(table.id, table);
    return true;
  },
  update: (client, message) => client.inLine(message),
  table_changed: (client, message) => client.inLine(message),
  chat: (client, message) => client.inLine(message),
  lobby_table: (client, message) => (client.lobby?.set(message.info.table, message.info), client.lobby !== null),
  lobby_gone: (client, message) => {
    client.forget(message.table);
    if (message.reason === "closed") client.lobby?.delete(message.table);
    return true;
  },
  lobby_chat: (client, message) => ((client.lobbyChat = [...client.lobbyChat, message.line].slice(-KEPT_LINES)), true),
  tournament_changed: () => true,
  tournament_entrant: () => true,
  tournament_round: () => true,
  tournament_result: () => true,
  tournament_standings: () => true,
};

// Fair luck

const hex = (/** @type {Uint8Array} */ bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311];
/** The constants of SHA-256 are the first bits behind the point of these roots. */
const SHA_ROUNDS = Uint32Array.from(PRIMES, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);
const SHA_START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32);

/** SHA-256: plain http is no secure context, in which a browser would do it. @param {Uint8Array} bytes */
export function sha256(bytes) {
  const size = (Math.floor((bytes.length + 8) / 64) + 1) * 64;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setBigUint64(size - 8, BigInt(bytes.length) * 8n);
  const hash = Uint32Array.from(SHA_START);
  const words = new Uint32Array(64);
  const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));
  for (let block = 0; block < size; block += 64) {
    for (let place = 0; place < 64; place++) {
      if (place < 16) words[place] = data.getUint32(block + place * 4);
      else {
        const [near, far] = [words[place - 2], words[place - 15]];
        const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
        const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
        words[place] = words[place - 16] + low + words[place - 7] + high;
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let place = 0; place < 64; place++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + SHA_ROUNDS[place] + words[place];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => (hash[place] += word));
  }
  const found = new DataView(new ArrayBuffer(32));
  hash.forEach((word, place) => found.setUint32(place * 4, word));
  return new Uint8Array(found.buffer);
}

const BLAKE_START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
/** The order in which each round takes the words of a block, in hexadecimal digits. */
const BLAKE_ORDER = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d", "2c6a0b834d75fe19",
  "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0", "0123456789abcdef", "ea489fd61c02b753",
].map((row) => [...row].map((digit) => parseInt(digit, 16)));
/** The columns of the state, and then its diagonals. */
const BLAKE_MIXED = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
const MASK = 2n ** 64n - 1n;
const turned = (/** @type {bigint} */ word, /** @type {bigint} */ by) => (word >> by) | ((word << (64n - by)) & MASK);

/**
 * BLAKE2b, with a key or without one.
 * @param {Uint8Array} bytes
 * @param {{key?: Uint8Array, size?: number}} [how]
 */
export function blake2b(bytes, { key = new Uint8Array(0), size = 64 } = {}) {
  const front = key.length > 0 ? 128 : 0;
  const length = front + bytes.length;
  const padded = new Uint8Array(Math.max(128, Math.ceil(length / 128) * 128));
  padded.set(key);
  padded.set(bytes, front);
  const data = new DataView(padded.buffer);
  const state = [...BLAKE_START];
  state[0] ^= BigInt(0x01010000 ^ (key.length << 8) ^ size);
  for (let block = 0; block < padded.length; block += 128) {
    const words = Array.from({ length: 16 }, (_, place) => data.getBigUint64(block + place * 8, true));
    const last = block + 128 >= padded.length;
    const mix = [...state, ...BLAKE_START];
    mix[12] ^= BigInt(last ? length : block + 128);
    if (last) mix[14] ^= MASK;
    for (const order of BLAKE_ORDER) {
      BLAKE_MIXED.forEach(([a, b, c, d], place) => {
        mix[a] = (mix[a] + mix[b] + words[order[2 * place]]) & MASK;
        mix[d] = turned(mix[d] ^ mix[a], 32n);
        mix[c] = (mix[c] + mix[d]) & MASK;
        mix[b] = turned(mix[b] ^ mix[c], 24n);
        mix[a] = (mix[a] + mix[b] + words[order[2 * place + 1]]) & MASK;
        mix[d] = turned(mix[d] ^ mix[a], 16n);
        mix[c] = (mix[c] + mix[d]) & MASK;
        mix[b] = turned(mix[b] ^ mix[c], 63n);
      });
    }
    state.forEach((_, place) => (state[place] ^= mix[place] ^ mix[place + 8]));
  }
  const found = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => found.setBigUint64(place * 8, word, true));
  return new Uint8Array(found.buffer, 0, size);
}

/** What the server publishes of a secret before the deal. @param {string} secret in hex, as everywhere here */
export const commitment = (secret) => hex(sha256(fromHex(secret)));

/** The seed of a game. @param {string} secret @param {(string|null)[]} nonces by seat */
export function seed(secret, nonces) {
  const said = UTF8.encode(nonces.map((nonce) => `\n${nonce ?? ""}`).join(""));
  return hex(sha256(Uint8Array.from([...fromHex(secret), ...said])));
}

/** All luck of a game, in the order in which it is asked for. */
export class Luck {
  /** @param {string} seed */
  constructor(seed) {
    this.key = fromHex(seed);
    /** @type {Map<string, number>} */
    this.asked = new Map();
  }

  /** @param {string} stream @param {number} index */
  number(stream, index) {
    return BigInt(`0x${hex(blake2b(UTF8.encode(`${stream}#${index}`), { key: this.key }))}`);
  }

  /** @param {string} stream */
  next(stream) {
    const index = this.asked.get(stream) ?? 0;
    this.asked.set(stream, index + 1);
    return this.number(stream, index);
  }

  /** @param {string} stream @param {number} sides */
  roll(stream, sides) {
    return Number(this.next(stream) % BigInt(sides)) + 1;
  }

  /** @template T @param {string} stream @param {T[]} values */
  draw(stream, values) {
    return values[Number(this.next(stream) % BigInt(values.length))];
  }

  /** @template T @param {string} stream @param {T[]} values */
  shuffle(stream, values) {
    const mixed = [...values];
    let number = this.next(stream);
    for (let last = mixed.length - 1; last > 0; last--) {
      const place = Number(number % BigInt(last + 1));
      number /= BigInt(last + 1);
      [mixed[last], mixed[place]] = [mixed[place], mixed[last]];
    }
    return mixed;
  }
}

/**
 * Holds the luck of a game to what was promised before it: a list of what is wrong, empty if all is well.
 * `commitment`: the secret is another one; `nonces`: they are not those that all saw; `deal`: the view with
 * which the game began does not follow from them. Without a view, or for a game that is not known here, the
 * deal is taken on trust.
 * @param {{game: string, promise: {commitment: string, nonces: (string|null)[]}, secret: string, nonces: (string|null)[], view: Plain|null}} played
 */
export function verifyDeal({ game, promise, secret, nonces, view }) {
  const wrong = [];
  if (commitment(secret) !== promise.commitment) wrong.push("commitment");
  if (JSON.stringify(nonces) !== JSON.stringify(promise.nonces)) wrong.push("nonces");
  const deal = Object.hasOwn(DEALS, game) ? DEALS[game] : null;
  if (view !== null && deal !== null) {
    const dealt = deal(new Luck(seed(secret, nonces)), nonces.length, view);
    if (!Object.entries(dealt).every(([field, value]) => agree(value, view[field]))) wrong.push("deal");
  }
  return wrong;
}

/** Whether a value is what a view shows: all of it, the size of a list, or nothing. @param {any} value @param {any} seen @returns {boolean} */
function agree(value, seen) {
  if (seen === null || seen === undefined) return true;
  if (Array.isArray(value) && typeof seen === "number") return value.length === seen;
  if (typeof value !== "object" || value === null) return value === seen;
  return typeof seen === "object" && Object.keys(value).every((key) => agree(value[key], seen[key]));
}

/** @param {Luck} luck @param {number} seats @param {Plain} options */
const firstSeat = (luck, seats, options) =>
  options.first === "random" ? luck.draw("first", [...Array(seats).keys()]) : options.first;

/** Each game's deal, by the streams of PROTOCOL.md: what its first view shows, with nothing
 * hidden. The view is looked at for what is no luck. @type {{[game: string]: (luck: Luck, seats: number, view: Plain) => Plain}} */
export const DEALS = {
  "balloon-cup": (luck, seats, { options }) => {
    const colours = ["red", "yellow", "green", "blue", "grey"];
    const prices = [7, 6, 5, 4, 3];
    const values = ["1 2 3 4 5 6 7 8 9 10 11 12 13", "1 2 3 5 6 7 8 9 11 12 13", "1 2 4 6 7 8 10 12 13", "1 3 5 7 9 11 13", "1 4 7 10 13"];
    const cards = colours.flatMap((colour, place) => values[place].split(" ").map((value) => `${colour}-${value}`));
    const bag = colours.flatMap((colour) => cards.filter((card) => card.startsWith(colour)).map(() => colour));
    /** @type {string[]} */
    const lying = [];
    const many = (/** @type {string[]} */ cubes, /** @type {string} */ colour) => cubes.filter((cube) => cube === colour).length;
    const tiles = [1, 2, 3, 4].map((number) => {
      const caps = colours.map((colour, place) =>
        Math.min(options.tile_cap === 2 ? 2 : 4, options.table_cap === "on" ? prices[place] - 1 - many(lying, colour) : 4));
      /** @type {string[]} */
      const cubes = [];
      const within = (/** @type {string} */ colour) => many(cubes, colour) < caps[colours.indexOf(colour)];
      while (cubes.length < number) {
        const cube = luck.draw("bag", bag);
        if (!within(cube) && bag.some(within)) continue;
        bag.splice(bag.indexOf(cube), 1);
        cubes.push(cube);
      }
      lying.push(...cubes);
      cubes.sort((one, other) => colours.indexOf(one) - colours.indexOf(other));
      return { number, terrain: number % 2 ? "plain" : "mountain", cubes };
    });
    const deck = luck.shuffle("deck", cards);
    const hands = [0, 8].map((from) => inOrder(deck.slice(from, from + 8), cards));
    return { tiles, hands, deck: deck.slice(16), to_act: [firstSeat(luck, seats, options)] };
  },
  "hurry-cup": (luck, seats, { options, track: laid }) => {
    const starter = firstSeat(luck, seats, options);
    const track = options.track === "random" ? layTrack(luck) : laid;
    const bonuses = luck.shuffle("bonuses/1", ["detour", "boost", "assist", "oil", "swap", "empty_tank"]);
    const accelerator = luck.roll("dice/1/1", 6);
    const pawns = ["red", "yellow", "green", "blue", "white", "black"].slice(0, seats);
    const dice = Object.fromEntries(pawns.map((pawn) => [pawn, luck.roll("dice/1/1", 6)]));
    const stars = track.flatMap((/** @type {Plain} */ section, /** @type {number} */ place) => (section.star ? [place + 1] : []));
    const hidden = Object.fromEntries(bonuses.slice(0, stars.length).map((bonus, place) => [stars[place], bonus]));
    return { starter, track, hidden, accelerator, dice };
  },
  butterflies: (luck, seats, { options }) => {
    const [colours, species] = [["red", "yellow", "green", "blue"], ["monarch", "swallowtail", "morpho", "peacock"]];
    const cards = species.flatMap((kind) => colours.flatMap((colour) => [`${kind}-${colour}`, `${kind}-${colour}`]));
    const [byColour, bySpecies] = [luck.shuffle("goals", colours), luck.shuffle("goals", species)];
    const goals = Array.from({ length: seats }, (_, seat) => ({ colour: byColour[seat], species: bySpecies[seat] }));
    const deck = luck.shuffle("deck", cards);
    const hands = goals.map((_, seat) => inOrder(deck.slice(2 * seat, 2 * seat + 2), cards));
    return { goals, hands, deck: deck.slice(2 * seats), to_act: [firstSeat(luck, seats, options)] };
  },
};

/** @param {string[]} cards @param {string[]} order */
const inOrder = (cards, order) => cards.sort((one, other) => order.indexOf(one) - order.indexOf(other));

/** A random track of 36 sections, whose turns lean so that the road never touches itself. @param {Luck} luck */
function layTrack(luck) {
  const straight = (/** @type {number|null} */ limit, star = false) => ({ turn: "straight", limit, star });
  const of = (/** @type {number} */ size, /** @type {any} */ item) => Array(size).fill(item);
  const limits = [...of(1, 60), ...of(5, 70), ...of(6, 80), ...of(4, 90)];
  const items = luck.shuffle("track/1", [
    ...of(6, straight(null, true)), ...of(10, straight(null)), ...of(2, straight(90)), ...limits, ...of(8, ["left", "right"]).flat(),
  ]);
  const leanings = items.filter((item) => typeof item === "string");
  const road = [straight(null), straight(null), ...items.filter((item) => typeof item !== "string")];
  const ahead = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  /** @type {Set<string>} */
  const taken = new Set();
  const cell = (/** @type {number} */ x, /** @type {number} */ y) => `${x},${y}`;

  /** Lays the section at this place of the road, start and finish included, and all behind it. @param {number} place @param {number} x @param {number} y @param {number} from @param {number} turns @returns {any[]|null} */
  function lay(place, x, y, from, turns) {
    const back = cell(x - ahead[from][0], y - ahead[from][1]);
    const beside = [[0, 0], ...ahead].map(([east, south]) => cell(x + east, y + south));
    if (beside.some((each) => each !== back && taken.has(each))) return null;
    if (place > road.length) return [];
    const section = place === 0 ? straight(null) : road[place - 1];
    const bends = typeof section === "number";
    const ways = bends ? [leanings[turns], leanings[turns] === "left" ? "right" : "left"] : ["straight"];
    taken.add(cell(x, y));
    for (const way of ways) {
      const heading = (from + { straight: 0, right: 1, left: 3 }[/** @type {"straight"} */ (way)]) % 4;
      const rest = lay(place + 1, x + ahead[heading][0], y + ahead[heading][1], heading, turns + Number(bends));
      if (rest !== null) return [bends ? { turn: way, limit: section, star: false } : section, ...rest];
    }
    taken.delete(cell(x, y));
    return null;
  }

  return (lay(0, 0, 0, 0, 0) ?? []).slice(1);
}
