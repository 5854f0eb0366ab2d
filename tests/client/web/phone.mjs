// What a phone shows: boards drawn without a browser, what decided games, lead words, and the news at a glance.
import { readFileSync } from "node:fs";
import { board as balloonCup } from "../../../client/web/board_balloon_cup.js";
import { board as butterflies, meant } from "../../../client/web/board_butterflies.js";
import { board as hurryCup } from "../../../client/web/board_hurry_cup.js";
import { choices, narrowed, settled } from "../../../client/web/choosing.js";
import { decision } from "../../../client/web/ending.js";
import { adviceWords, choiceWords, inOrderOfFields, whereTo } from "../../../client/web/moves.js";
import { asked, laterTip, lesson } from "../../../client/web/news.js";
import { leadOf } from "../../../client/web/rules.js";
import { glance, linesOf, missed } from "../../../client/web/story.js";
import { textsOf } from "../../../client/web/texts.js";

const BOARDS = { "balloon-cup": balloonCup, "hurry-cup": hurryCup, butterflies };
const { catalogues, endings = [], scenes = [], advice = [], stories = [], paragraphs = [], questions = [], moments = [], guided = [], asks = [], taps = [], picks = [] } = JSON.parse(readFileSync(0, "utf-8"));
const inAll = (tell) => Object.fromEntries(Object.entries(catalogues).map(([language, each]) => [language, tell(textsOf(each))]));
const nothing = () => {};

/** All that is written or said by what was drawn. */
function written(drawn) {
  if (drawn === null || drawn === undefined || typeof drawn === "boolean") return [];
  if (Array.isArray(drawn)) return drawn.flatMap(written);
  if (typeof drawn !== "object") return [String(drawn)];
  const { "aria-label": label, children } = drawn.props;
  return [...(label === undefined ? [] : [label]), ...written(children)];
}

/** All that has a class of its own and answers to a tap. */
function tappable(drawn, named) {
  if (Array.isArray(drawn)) return drawn.flatMap((each) => tappable(each, named));
  if (drawn === null || typeof drawn !== "object") return [];
  const { class: classes = "", onClick, children } = drawn.props;
  return [...(onClick && classes.split(" ").includes(named) ? [drawn] : []), ...tappable(children, named)];
}

/** The classes of what is scrolled into sight. */
function looked(drawn) {
  if (Array.isArray(drawn)) return drawn.flatMap(looked);
  if (drawn === null || typeof drawn !== "object") return [];
  return [...(drawn.props["data-look"] === "" ? [drawn.props.class.trim()] : []), ...looked(drawn.props.children)];
}

/** The cells of a meadow, by their places: what each is, and why nothing can be done with it. */
const cellsOf = (drawn) => Object.fromEntries(tappable(drawn, "cell").map(({ props }) => [props["data-place"].replace("cell:", ""), { marks: props.class.split(" ").slice(1), why: props["data-why"] ?? "", open: props["aria-disabled"] !== "true" }]));

/** The classes of all that a drawn thing with this class lies in, from the outermost on. */
function around(drawn, named, outer = []) {
  if (Array.isArray(drawn)) return drawn.flatMap((each) => around(each, named, outer));
  if (drawn === null || typeof drawn !== "object") return [];
  const classes = (drawn.props.class ?? "").split(" ");
  return classes.includes(named) ? [outer] : around(drawn.props.children, named, [...outer, ...classes]);
}

/** What a tap on each section of a road says that no drive reaches. */
function beyond({ legal, ...asked }, texts) {
  const said = [];
  const drawn = drawnOf({ ...asked, legal: narrowed(inOrderOfFields(asked.game, legal)), tell: (text) => said.push(text) }, texts);
  for (const { props } of tappable(drawn, "section")) if (props["aria-disabled"] === undefined && Number(props["data-id"].split(":")[1]) > asked.view.cars[asked.me]) props.onClick();
  return said;
}

const tableOf = ({ game, me, names, view, news = [], result = null, timedOut = [] }) => ({ info: { game, chairs: names.map((name) => ({ name })) }, seat: me, view, result, news, timedOut: new Map(timedOut) });
const drawnOf = ({ game, me, names, view, news = [], legal = [], asked = legal, tell = nothing, large = false, picks = false }, texts) => {
  const { board, hand, found } = BOARDS[game].draw({ view, me, names, texts, news, fresh: [], last: null, asked, legal, chosen: picks ? settled(legal) : {}, picked: [], awaited: [], touch: nothing, drag: nothing, tell, who: (seat) => names[seat], large });
  return [board, hand, found?.note];
};
const draw = (scene, texts) => written(drawnOf(scene, texts));

console.log(
  JSON.stringify({
    endings: inAll((texts) => endings.map((each) => decision(tableOf(each), texts))),
    scenes: inAll((texts) => scenes.map((each) => draw(each, texts))),
    tips: guided.map(({ game, view, news = [], me }) => laterTip(game, view, news, me)),
    picks: picks.map(({ game, chosen, view }) => whereTo(chosen, game, view, textsOf(catalogues.en))),
    taps: taps.map(({ places, at }) => meant(places, ...at)),
    tall: scenes.map((each) => drawnOf(each, textsOf(catalogues.en))[0].props.class.split(" ").includes("tall")),
    turned: scenes.map((each) => around(drawnOf(each, textsOf(catalogues.en)), "turned")),
    looks: scenes.map((each) => looked(drawnOf(each, textsOf(catalogues.en)))),
    cells: scenes.map((each) => (each.game === "butterflies" ? cellsOf(drawnOf(each, textsOf(catalogues.en))) : {})),
    flags: scenes.map((each) => around(drawnOf(each, textsOf(catalogues.en)), "found")),
    advice: inAll((texts) => advice.map(({ action, ...context }) => adviceWords(action, { ...context, texts }))),
    leads: paragraphs.map(leadOf),
    choices: inAll((texts) => questions.map(({ legal, ...context }) => choices(narrowed(inOrderOfFields(context.game, legal))).map((choice) => choiceWords(choice, { ...context, texts })))),
    lessons: inAll((texts) => questions.map(({ game, view, me }) => lesson(game, view, [], me, texts, true).at(-1) ?? "")),
    guides: guided.map(({ game, view, news = [], me, practice = false, hurried = false }) => lesson(game, view, news, me, textsOf(catalogues.en), practice, hurried)),
    glances: inAll((texts) => stories.map(({ answered, ...each }) => glance({ told: linesOf(tableOf(each), 0, BOARDS[each.game], texts), answered }).map(({ text }) => text))),
    missed: stories.map(({ answered, ...each }) => missed({ told: linesOf(tableOf(each), 0, BOARDS[each.game], textsOf(catalogues.en)), answered })),
    asked: asks.map(({ game, view, legal }) => asked(game, view, legal, textsOf(catalogues.en))),
    beyond: inAll((texts) => questions.map((each) => beyond(each, texts))),
    lately: moments.map(({ view, recent }) => balloonCup.lately(view, recent).tiles),
    dear: Object.fromEntries(Object.entries(BOARDS).map(([game, { dear = [] }]) => [game, dear])),
  }),
);
