// Which taps do nothing: for each story of what is asked and what is tapped, in milliseconds, whether each tap is stray.
import { readFileSync } from "node:fs";
import { Taps } from "../../../client/web/taps.js";

const stories = JSON.parse(readFileSync(0, "utf-8"));
const lived = stories.map((story) => {
  const taps = new Taps();
  const asked = new Map();
  return story.flatMap(({ at, asks, answers, taps: met, x = 0, inGame = true }) => {
    if (answers !== undefined) asked.get(answers).answered = true;
    if (asks !== undefined) {
      if (asks !== null) asked.set(asks.name, asks);
      taps.asks(asks, at);
    }
    return met === undefined ? [] : [taps.stray({ x, y: 0, at, on: met, inGame })];
  });
});
console.log(JSON.stringify(lived));
