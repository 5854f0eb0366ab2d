/** Whoever news is told to: what this reader did is told in the second person. */

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/**
 * `about` says what somebody did, by its key in a section `news`; of the reader it stands in the section `you`.
 * `who` is somebody in a list, where no verb goes with the name.
 * @typedef {{names: string[], texts: Texts, me: number|null, about: (key: string, seat: number, facts?: Plain) => string, who: (seat: number) => string}} Reader
 */
/** @typedef {(news: Plain, reader: Reader) => string} Tell */

/** @param {Table} table */
export const namesOf = (table) => table.info.chairs.map((chair) => chair?.name ?? "?");

/** `seen` is for a reader beside a board that shows where it was: without numbers of cells. @param {string[]} names @param {Texts} texts @param {number|null} me @param {boolean} [seen] @returns {Reader} */
export function readerOf(names, texts, me, seen = false) {
  const about = (/** @type {string} */ news, /** @type {number} */ seat, /** @type {Plain} */ facts = {}) => {
    const key = seat === me ? news.replace(".news.", ".you.") : news;
    const told = { who: names[seat], ...facts };
    return seen ? texts.orElse(`web.seen.${key}`, texts(key, told), told) : texts(key, told);
  };
  return { names, texts, me, about, who: (seat) => (seat === me ? texts("list.you") : names[seat]) };
}

/** @param {string} key @returns {Tell} */
export const ofASeat = (key) => (news, { about }) => about(key, news.seat);
