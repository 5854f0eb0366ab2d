// What the board shows after each update: whether the reader is raced is given, and what is seen comes back.
import { readFileSync } from "node:fs";

globalThis.matchMedia = () => ({ matches: false });
globalThis.document = { hidden: false };
const { Playback } = await import("../../../client/web/playback.js");

const updates = JSON.parse(readFileSync(0, "utf-8"));
const seen = [];
const playback = new Playback(({ told }) => seen.push(told));
const table = { id: "T", info: { number: 1 } };
const shown = updates.map((raced, told) => {
  playback.add([{ table, before: null, news: [], told, stays: 0 }], true, raced);
  return [seen.at(-1), playback.behind(table) !== null];
});
playback.skip();
console.log(JSON.stringify(shown));
