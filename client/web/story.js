/** The story of a game: its news as lines, how much each matters, and what of them is seen at a glance. */

import { outcome } from "./ending.js";
import { befallenWords, cellsOf, sentence } from "./news.js";
import { namesOf } from "./reader.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Table} Table */
/** @typedef {import("./texts.js").Texts} Texts */
/** A line, and how much it matters; what on the board shows where it was, and the cells for whoever does not see that; whether the reader did it, whether a round begins with it, whether it is true in its round alone, whether the reader's next answer is enough to do without it, and whether it befell the reader, who has tapped nothing for it. @typedef {{who: string|null, text: string, weight: number, shows?: string[], cells?: string, own?: boolean, begins?: boolean, passing?: boolean, once?: boolean, befell?: boolean}} Told */
/** `answered` has how long the story was when the reader answered last, and the time before. @typedef {{number: number, told: Told[], answered: number[]}} Story */

/** How much a line matters. */
export const MINOR = 0;
/** `MINE` is what matters and is about the reader. */
const [ORDINARY, MATTERS, MINE] = [1, 2, 3];
/** Lines that are new to whoever only watches, or has just come. */
const RECENT = 12;

/** The news of a table from a place on as lines, and after the last of them how the game ended; `board` says which kinds matter, `befell` has what befell the reader. @param {Table} table @param {number} from @param {import("./boards.js").Board|undefined} board @param {Texts} texts @param {{has: (news: Plain) => boolean}} [befell] @returns {Told[]} */
export function linesOf(table, from, board, texts, befell = new Set()) {
  const names = namesOf(table);
  /** @param {number} seat @param {string} done what time did for it, as far as that can be told @returns {Told} */
  const timeUp = (seat, done) => {
    const mine = seat === table.seat;
    const lead = mine ? texts("play.time_up") : texts("play.time_up_for", { who: names[seat] });
    return { who: null, text: done === "" ? texts("replay.cause.time_up", { who: names[seat] }) : `${lead} ${done}`, weight: mine ? MINE : ORDINARY, once: mine };
  };
  /** @type {Told[]} */
  const told = table.news.slice(from).flatMap((each, place) => {
    // Between two, what matters is about both.
    const mine = table.seat !== null && (names.length === 2 || [each.seat, each.winner, each.with, each.owner].includes(table.seat));
    const weight = board?.minor.includes(each.type) ? MINOR : !board?.matter.includes(each.type) ? ORDINARY : mine ? MINE : MATTERS;
    const shows = weight === MINOR ? [] : (board?.flights(each) ?? []).flatMap(({ id, to }) => id ?? to ?? []);
    const line = { who: null, text: sentence(table.info.game, each, names, texts, table.seat, board !== undefined), shows, cells: cellsOf(each), weight, own: table.seat !== null && each.seat === table.seat, begins: each.type === board?.rounds, passing: board?.passing?.includes(each.type) };
    if (befell.has(each)) Object.assign(line, { text: befallenWords(table.info.game, each, table.news.slice(0, from + place), line.text, texts), weight: MINE, once: true, befell: true });
    const late = table.timedOut.get(from + place) ?? [];
    const others = late.filter((seat) => seat !== each.seat || line.text === "").map((seat) => timeUp(seat, ""));
    if (late.length === others.length) return [...others, line];
    const done = timeUp(each.seat, line.text);
    return [...others, { ...line, ...done, weight: Math.max(line.weight, done.weight) }];
  });
  if (table.result !== null) told.push({ who: null, text: outcome(table, texts), weight: MINE });
  return told.filter(({ text }) => text !== "");
}

/** The news of a table from a place on that befell the reader, and whether the reader's own action is among them: what time or a bot did instead is told otherwise. @param {Table} table @param {number} from @param {NonNullable<import("./boards.js").Board["befalls"]>} befalls @param {Plain|null} did what the reader did last, until that is news @returns {{befell: Plain[], done: boolean}} */
export function whatBefell({ news, seat, me, timedOut }, from, befalls, did) {
  const found = { befell: /** @type {Plain[]} */ ([]), done: false };
  if (seat === null || me?.stand_in || me?.left || did?.type === "resign") return found;
  for (let place = from; place < news.length && !timedOut.get(place)?.includes(seat); place++) {
    const does = news[place].seat === seat ? befalls(news[place], found.done ? null : did) : null;
    if (does === true) found.befell.push(news[place]);
    found.done ||= does === false;
  }
  return found;
}

/** A line for whoever does not see the board. @param {Told} line */
export const heard = ({ text, cells }) => (cells ? `${text} ${cells}` : text);

/** What somebody has said. @param {Plain} line @returns {Told} */
export const spoken = (line) => ({ who: line.name, text: line.text, weight: ORDINARY });

/** What is known of a table that was not followed from its deal, or is told in another language, as its whole story; what the reader had answered is answered. @param {Table} table @param {Told[]} told @param {Texts} texts @param {Story} [before] @returns {Story} */
export function storyOf(table, told, texts, before) {
  const missed = table.newsMissed ? [{ who: null, text: texts("web.before"), weight: MINOR }] : [];
  const since = (/** @type {number} */ place) => (before?.told ?? []).slice(place).filter(({ who }) => who === null).length;
  const answered = before?.number === table.info.number ? before.answered.map((place) => Math.max(0, missed.length + told.length - since(place))) : [];
  return { number: table.info.number, told: [...missed, ...told, ...table.chat.map(spoken)], answered };
}

/** What came last, and above it what decided something since the reader's last answer, most of all what is about the reader, or else the move that led to it. What was decided before that stays, paler, where nothing has been since: until the reader has answered twice, or once if that is enough, and no longer than the next round. @param {Story|undefined} story @param {number} [length] how much of it is told by now @returns {(Told & {matters: boolean})[]} */
export function glance(story, length) {
  const { told: all, answered } = story ?? { told: [], answered: [] };
  const told = all.slice(0, length);
  const [before, now] = [0, 0, ...told.flatMap(({ begins }, place) => (begins ? [place] : []))].slice(-2);
  const since = Math.max(before, answered[0] ?? told.length - RECENT);
  const fresh = Math.max(since, answered.at(-1) ?? 0);
  const last = told.findLast((line) => line.weight !== MINOR);
  const decided = (/** @type {number} */ from, /** @type {number} */ least) =>
    told.findLast((line, place) => line !== last && line.weight === least && place >= Math.max(from, line.passing ? now : 0, line.once ? (answered.at(-1) ?? 0) : 0));
  const isNew = (/** @type {Told} */ line) => line.weight >= MATTERS && told.indexOf(line) >= fresh;
  const move = () => told.findLast(({ who, weight, own }, place) => who === null && weight === ORDINARY && !own && place >= fresh);
  const older = () => (last !== undefined && isNew(last) ? move() : (decided(since, MINE) ?? decided(since, MATTERS)));
  const head = decided(fresh, MINE) ?? decided(fresh, MATTERS) ?? older();
  return told.filter((line) => line === head || line === last).map((line) => ({ ...line, matters: isNew(line) }));
}

/** What befell the reader since the last answer: seldom more than a pawn that was left, and the drive that was left by it. @param {Story|undefined} story @param {number} [length] how much of it is told by now @returns {string[]} */
export const befallen = (story, length) =>
  (story?.told ?? []).slice(story?.answered.at(-1) ?? 0, length).filter(({ befell }) => befell).slice(-2).map(({ text }) => text);

/** How many lines about others have come since the reader's last answer, besides those that are seen at a glance. @param {Story|undefined} story @param {number} [length] how much of it is told by now */
export function missed(story, length) {
  const since = story?.answered.at(-1);
  if (story === undefined || since === undefined) return 0;
  const seen = glance(story, length).map(({ text }) => text);
  return story.told.slice(since, length).filter(({ weight, own, text }) => weight !== MINOR && !own && !seen.includes(text)).length;
}
