// The board of a race, drawn without a browser: the sections of the road and which are lit, pawns by their names, cars that stand out, and where drivers are.
import { readFileSync } from "node:fs";
import { board } from "../../../client/web/board_hurry_cup.js";
import { narrowed } from "../../../client/web/choosing.js";
import { lesson } from "../../../client/web/news.js";
import { textsOf } from "../../../client/web/texts.js";

const { catalogue, scenes } = JSON.parse(readFileSync(0, "utf-8"));
const texts = textsOf(catalogue);
const nothing = () => {};
const every = (node, found = []) => {
  for (const each of [node].flat(9)) if (each?.props) every(each.props.children, (found.push(each), found));
  return found;
};
const words = (node) => (node?.props ? words(node.props.children) : Array.isArray(node) ? node.map(words).join("") : (node ?? ""));

const said = [];
const touched = (all) => {
  for (const { props } of all) props.onClick();
  return said.splice(0);
};

const seen = ({ me, names, view, news = [], fresh = [], asked = [], legal = asked }) => {
  const drawn = board.draw({ view, me, names, texts, news, fresh, last: null, asked: narrowed(asked), legal: narrowed(legal), chosen: {}, picked: [], awaited: [], touch: nothing, drag: nothing, tell: (text) => said.push(text), who: (seat) => names[seat], large: false });
  const all = every([drawn.board, drawn.hand]);
  const classed = (name) => all.filter(({ props }) => (props.class ?? "").split(" ").includes(name));
  return {
    road: classed("section").map(({ props }) => Number(props["data-id"].split(":")[1])),
    lesson: lesson("hurry-cup", view, news, me, texts, true),
    why: touched(classed("section").filter(({ type, props }) => type === "div" && props.onClick)),
    lit: classed("lit").map(({ props }) => Number(props["data-id"].split(":")[1])),
    pawns: classed("pawn").filter(({ type }) => type === "button").map(({ props }) => props["data-name"] ?? null),
    won: classed("won").map(({ props }) => Number(props["data-id"].split(":")[1])),
    drove: classed("drove").map(({ props }) => Number(props["data-id"].split(":")[1])),
    standing: touched(classed("standing").filter(({ props }) => props.onClick)),
    marks: classed("mark").map(words),
    at: classed("at").map((each) => each.props["aria-label"] ?? words(each)),
  };
};

console.log(JSON.stringify(scenes.map(seen)));
