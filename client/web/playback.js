/**
 * What others do, shown one after the other: the board is a moment behind where much happens at once. What is asked of
 * the reader is always the newest and stands under the thumb at once; a tap anywhere brings the board up to date. Where
 * the reader is raced, what happened is in the story alone: whoever chooses a pawn needs the dice of this round.
 */

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** A moment of a game: its table as it was then, the view and the news that led to it, how long the story was, and the milliseconds that it wants to be seen. @typedef {{table: Table, before: Plain|null, news: Plain[], told: number, stays: number}} Step */

/** Milliseconds that what others do, or time does, wants to be seen, and what the reader has just done. */
const [THEIRS, OWN] = [950, 450];
/** Milliseconds: the shortest sight where much waits, and how far the board may be behind in all. */
const [LEAST, MOST] = [280, 4500];

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** A table as it is now, or was with something different. @param {Table} table @param {Partial<Table>} [then] @returns {Table} */
export const copyOf = (table, then = {}) => Object.assign(Object.create(Object.getPrototypeOf(table)), table, then);

export class Playback {
  /** @param {(step: Step) => void} show called with each moment as it comes to be seen */
  constructor(show) {
    this.show = show;
    /** Moments that are still to be seen. @type {Step[]} */
    this.waiting = [];
    /** What is seen now. @type {Step|null} */
    this.now = null;
    this.timer = 0;
    /** Whether the next moment is what the reader did. */
    this.own = false;
  }

  /** Takes in what happened, the oldest first, as it should be seen. @param {Step[]} steps @param {boolean} worthwhile whether there is anything to see @param {boolean} [raced] whether the reader is asked something for which others do not wait */
  add(steps, worthwhile, raced = false) {
    for (const step of steps) step.stays = worthwhile ? (this.own ? OWN : THEIRS) : 0;
    this.own = false;
    const idle = this.waiting.length === 0 && (this.timer === 0 || !worthwhile);
    this.waiting.push(...steps);
    if (calm.matches || document.hidden || raced) this.skip();
    else if (idle) this.goOn();
  }

  /** Shows the next moment, and with it those that need no time. */
  goOn() {
    let stays = 0;
    while (stays === 0 && this.waiting.length > 0) {
      this.now = /** @type {Step} */ (this.waiting.shift());
      this.show(this.now);
      stays = this.now.stays;
    }
    if (stays === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => ((this.timer = 0), this.goOn()), Math.max(LEAST, Math.min(stays, MOST / (this.waiting.length + 1))));
  }

  /** Brings the board up to date. */
  skip() {
    clearTimeout(this.timer);
    this.timer = 0;
    const last = this.waiting.pop();
    this.waiting = [];
    if (last !== undefined) this.show((this.now = last));
  }

  /** The moment that is seen at a table, if that is not the newest. @param {Table} table @returns {Step|null} */
  behind({ id, info }) {
    const { now } = this;
    return this.waiting.length > 0 && now !== null && now.table.id === id && now.table.info.number === info.number ? now : null;
  }
}
