// A tap of a finger on the meadow as somebody sees it: prints how many cells it has.
import { readFileSync } from "node:fs";
import { board } from "../../../client/web/board_butterflies.js";
import { textsOf } from "../../../client/web/texts.js";

const { catalogue, view } = JSON.parse(readFileSync(0, "utf-8"));
const scene = { view, me: null, names: ["Ann", "Ben"], texts: textsOf(catalogue), news: [], asked: [], legal: [], chosen: {}, picked: [], awaited: [], last: null, fresh: [], who: () => null };
const every = (node, found = []) => {
  for (const each of [node].flat()) if (each?.props) every(each.props.children, (found.push(each), found));
  return found;
};
const shown = every(board.draw(scene).board);
const cells = shown.filter(({ props }) => props.class?.startsWith("cell "));
const lawn = shown.find(({ props }) => props.class === "grassland");
const drawn = { hasAttribute: () => false, querySelectorAll: () => cells };
lawn.props.onClickCapture({ currentTarget: drawn, target: drawn, detail: 1, pointerType: "touch", clientX: 5, clientY: 5 });
console.log(JSON.stringify(cells.length));
