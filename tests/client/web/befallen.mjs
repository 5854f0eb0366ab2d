// What befell the reader of a race, in words: the news since an answer, and what that was.
import { readFileSync } from "node:fs";
import { board } from "../../../client/web/board_hurry_cup.js";
import { befallen, glance, linesOf, spoken, storyOf, whatBefell } from "../../../client/web/story.js";
import { textsOf } from "../../../client/web/texts.js";

const { catalogues, me, names, stories } = JSON.parse(readFileSync(0, "utf-8"));
const told = (texts) =>
  stories.map(({ news, did = null, answered = [0], late = [], left = false }) => {
    const chairs = names.map((name) => ({ name, stand_in: false, left }));
    const table = { info: { game: "hurry-cup", number: 1, chairs }, newsMissed: false, chat: [{ name: names[0], text: "!" }], seat: me, me: chairs[me], result: null, news, timedOut: new Map(late) };
    const befell = new Set(whatBefell(table, 0, board.befalls, did).befell);
    const story = { number: 1, told: linesOf(table, 0, board, texts, befell), answered };
    const again = storyOf(table, story.told, texts, { ...story, told: [...story.told, spoken({ name: names[0], text: "!" })] });
    return { befell: befallen(story), again: befallen(again), glance: glance(story).map(({ text }) => text) };
  });
console.log(JSON.stringify(Object.fromEntries(Object.entries(catalogues).map(([language, each]) => [language, told(textsOf(each))]))));
