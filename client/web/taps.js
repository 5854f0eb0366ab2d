/**
 * Taps that were meant for what stood there before: they do nothing, wherever they meet what has come instead. Keys are
 * not looked at here: whoever presses one has read, or heard, what it does.
 */

/** Milliseconds for which a tap chooses nothing once a question was taken away: so long a finger is on its way, and an eye finds out. */
const DEAD = 600;
/** Milliseconds: taps that follow each other so soon go on meaning what the first of them met. */
const SERIES = 400;
/** Milliseconds after which it was seen what has come: whoever still taps means that. */
const SEEN = 1000;
/** Milliseconds for which a tap cannot be meant for a scramble that follows the reader's answer to another one: others are not held back by it, so it is no longer than a quick hand needs. */
const QUICKEST = 350;
/** Milliseconds and pixels: a tap so soon after another, and so near to it, was meant for what that one met. */
const [AGAIN, BESIDE] = [600, 24];

/** What stands under the thumb: its name, whether others may end it at any moment, whether the reader has answered, and whether it is the end of a game, which comes whatever the reader does and begins the next one by a tap. @typedef {{name: string, scramble?: boolean, answered?: boolean, over?: boolean}} Asked */
/** A tap: where and when, the words of what it meets, and whether that is part of a game. @typedef {{x: number, y: number, at: number, on: string, inGame: boolean}} Tap */
/** The last tap; if there were more at that spot, with the words and the time of the first of them. @typedef {Tap & {first: number}} Last */

export class Taps {
  constructor() {
    /** What was asked last. @type {Asked|null} */
    this.asked = null;
    /** Whether it is gone, and nothing else has come yet. */
    this.gone = true;
    /** When it last changed what is asked, and until when no tap is meant for that. */
    this.changed = this.dead = -Infinity;
    /** When the taps began that follow each other. */
    this.began = -Infinity;
    /** @type {Last|null} */
    this.last = null;
  }

  /** What is asked from a moment on. @param {Asked|null} next @param {number} now */
  asks(next, now) {
    const { asked, gone } = this;
    const again = next !== null && next.name === asked?.name;
    if (next === null ? gone : again && !gone) return void (this.asked = next ?? asked);
    const taken = asked !== null && !gone && (asked.scramble || !asked.answered);
    // What came in the dead time was not looked at either; but in a scramble others do not wait for us.
    if (taken || next?.over || (now < this.dead && !next?.scramble)) this.dead = now + DEAD;
    if (next?.scramble && asked?.answered) this.dead = Math.min(this.dead, now + QUICKEST);
    this.changed = now;
    if (again) this.changed = this.dead = -Infinity; // somebody was quicker, and the same is asked of us once more
    this.gone = next === null;
    this.asked = next ?? asked;
  }

  /** Whether a tap was meant for something that is gone. @param {Tap} tap */
  stray(tap) {
    const { last, changed } = this;
    const seen = tap.at > changed + SEEN;
    if (!last?.inGame || tap.at > last.at + SERIES || seen) this.began = tap.at;
    const again = last !== null && tap.at < last.at + AGAIN && Math.hypot(tap.x - last.x, tap.y - last.y) < BESIDE && !(seen && last.first < changed);
    this.last = again ? { ...tap, on: last.on, first: last.first } : { ...tap, first: tap.at }; // whoever goes on tapping means what the first tap met
    return (again && last.on !== tap.on) || (tap.inGame && (tap.at < this.dead || this.began < changed));
  }
}
