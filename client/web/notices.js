/** What the page says besides its screens: a notice that goes by itself, and words for whoever listens or looks elsewhere. */

/** @typedef {import("./app.js").App} App */

const NOTICE_SECONDS = 6;
const LETTERS_A_SECOND = 15;

export class Notices {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.text = "";
    /** Whether it stands at the top, where it covers nothing that is touched next. */
    this.high = false;
    /** Whether what it says is still so. */
    this.holds = () => true;
    this.timer = 0;
    /** What is to be heard once this task is done, by its region. @type {Map<string, string[]>} */
    this.unheard = new Map();
  }

  /** Says something until it is read, or no longer holds; what explains a tap stands high and goes with the next one. @param {string} text @param {boolean} [high] @param {() => boolean} [holds] */
  say(text, high = false, holds = () => true) {
    Object.assign(this, { text, high, holds });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say(""), Math.max(NOTICE_SECONDS, text.length / LETTERS_A_SECOND) * 1000);
    this.announce("told", text);
    this.app.update();
  }

  /** Takes back what was said. @param {boolean} now */
  hush(now) {
    if (now && this.text !== "") this.say("");
  }

  /** The reader has done what a high notice says. */
  heeded() {
    if (this.high) this.text = "";
  }

  /** Tells whoever listens, and briefly whoever looks elsewhere, that something waits for them. @param {string} text @param {string} body @param {string} tag */
  alert(text, body, tag) {
    this.announce("turn", text);
    if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
    try {
      new Notification("Parlour", { body, tag });
    } catch (wrong) {
      if (!(wrong instanceof TypeError)) throw wrong; // on phones only workers may notify
    }
  }

  /** Tells those who listen, all that is said in one task at once: later words would take the place of earlier ones. @param {"told"|"turn"} region @param {string} text */
  announce(region, text) {
    const said = this.unheard.get(region);
    if (said !== undefined) return void said.push(text);
    const all = [text];
    this.unheard.set(region, all);
    queueMicrotask(() => {
      this.unheard.delete(region);
      const live = document.getElementById(region);
      if (live !== null) live.textContent = all.filter(Boolean).join(" ");
    });
  }
}
