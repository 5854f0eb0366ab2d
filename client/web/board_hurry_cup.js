/** The board of Hurry' Cup: the road around one's car, the whole track small, dice, pawns and tokens. Draws only. */

import { valuesOf } from "./choosing.js";
import { sentence } from "./news.js";
import { h } from "./render.js";
import { driveEnd, keptFrom, pawnColour, PAWNS, speedWords } from "./words_hurry_cup.js";

/** @typedef {import("./boards.js").Scene} Scene */
/** @typedef {import("./boards.js").Flight} Flight */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./render.js").Child} Child */
/** A section where it lies: headings are 0 east, 1 south, 2 west, 3 north. @typedef {{section: number, x: number, y: number, enters: number, leaves: number, limit: number|null, star: boolean}} Stop */

/** @type {{[pawn: string]: string}} */
const LETTERS = { red: "R", yellow: "Y", green: "G", blue: "B", white: "W", black: "K" };
const CARS = "ABCDEF";
const AHEAD = [[1, 0], [0, 1], [-1, 0], [0, -1]];
const TURNED = /** @type {{[turn: string]: number}} */ ({ straight: 0, right: 1, left: 3 });
/** Sections shown before and behind one's own: as far as a die goes, and one more. */
const [BEHIND, BEFORE] = [1, 7];
/** How far the end of the road is beyond what the reader may touch or has the fuel for: one section, whose sign stops faster cars. */
const BEYOND = 1;
const SLOW = 70;
/** How far the line at the start and at the finish is from the middle of its section. */
const LINE = 21;
/** Where cars stand in a straight section, and how long they are: along the road and to the right of its middle, in sections. @type {{long: number, spots: [along: number, across: number][]}[]} */
const PARKED = [
  { long: 0.84, spots: [[0, 0]] },
  { long: 0.64, spots: [[0.12, -0.19], [-0.12, 0.19]] },
  { long: 0.56, spots: [[0.27, -0.19], [0.27, 0.19], [-0.27, -0.19], [-0.27, 0.19]] },
  { long: 0.48, spots: [[0.25, -0.29], [0.25, 0], [0.25, 0.29], [-0.25, -0.29], [-0.25, 0], [-0.25, 0.29]] },
];
/** In a bend: how far round it they are, from 0 to 1, and outwards of its middle. So none comes near the sign at its outer corner. @type {typeof PARKED} */
const PARKED_IN_BENDS = [
  { long: 0.84, spots: [[0.5, 0]] },
  { long: 0.6, spots: [[0.64, 0.19], [0.36, -0.19]] },
  { long: 0.5, spots: [[0.76, 0.19], [0.5, -0.2], [0.24, 0.19]] },
  { long: 0.46, spots: [[0.78, 0.19], [0.88, -0.19], [0.22, 0.19], [0.12, -0.19]] },
  { long: 0.42, spots: [[0.8, 0.26], [0.84, 0], [1, -0.26], [0.2, 0.26], [0.16, 0], [0, -0.26]] },
];
/** In sections: how far the sign of a bend is from its middle, towards the outer corner, and its number from the sign. */
const [OUTER, BELOW] = [0.38, 0.37];
/** Tokens that every driver begins with. */
const TRUMPS = ["helmet", "nitro", "horn"];
/** What is no token, or works by itself, whether or not a token was used in this round. */
const UNSPENT = ["lantern", "tank_due", "empty_tank"];
/** What stands for a token where its name has no room. @type {{[token: string]: string}} */
const SIGNS = {
  helmet: "M2.500 12.500v-1.500a5.500 5.500 0 0 1 11 0v1.500zM7.500 8.500h6",
  nitro: "M9 1.500L3.500 9h4l-1 5.500 6-8h-4z",
  horn: "M2 6.500h2.500l6-4v11l-6-4H2zM13 6c1 1 1 3 0 4",
  second_chance: "M13 8.500a5 5 0 1 1-1.500-4M13 1.500v3.500H9.500",
  detour: "M3 14.500V8c0-3 2-4 4-4h6M10 1l3 3-3 3",
  boost: "M3 3l5 5-5 5M8 3l5 5-5 5",
  assist: "M8 2.500v11M2.500 8h11",
  oil: "M8 1.500c3 4 4.500 6 4.500 8.300a4.500 4.500 0 0 1-9 0C3.500 7.500 5 5.500 8 1.500z",
  swap: "M2 5.500h11M10 2.500l3 3M14 10.500H3M6 13.500l-3-3",
  empty_tank: "M3 2.500h7v11H3zM10 6h2.500v6M1 15L14 1",
  tank_due: "M3 2.500h7v11H3zM10 6h2.500v6M1 15L14 1",
  lantern: "M6 2.500h4M8 2.500V4.500M5 4.500h6v7H5zM6 14h4M8 6.500v3",
};

/** The road on a grid, from start to finish; it begins eastward. @param {Plain[]} track @returns {Stop[]} */
function laid(track) {
  const plain = { turn: "straight", limit: null, star: false };
  let [x, y, heading] = [0, 0, 0];
  return [plain, ...track, plain].map(({ turn, limit, star }, section) => {
    const stop = { section, x, y, enters: heading, leaves: (heading + TURNED[turn]) % 4, limit, star };
    heading = stop.leaves;
    x += AHEAD[heading][0];
    y += AHEAD[heading][1];
    return stop;
  });
}

/** The same road with its paper turned, so that a high one lies. @param {Stop[]} road @returns {Stop[]} */
const turned = (road) => road.map((stop) => ({ ...stop, x: -stop.y, y: stop.x, enters: (stop.enters + 1) % 4, leaves: (stop.leaves + 1) % 4 }));

/** @param {Stop[]} road */
function extent(road) {
  const [left, top] = [Math.min(...road.map(({ x }) => x)), Math.min(...road.map(({ y }) => y))];
  return { left, top, across: Math.max(...road.map(({ x }) => x)) - left + 1, down: Math.max(...road.map(({ y }) => y)) - top + 1 };
}

/** @param {Stop[]} road @returns {Stop[]} */
function lying(road) {
  const { across, down } = extent(road);
  return down > across ? turned(road) : road;
}

/** A place in a section, from its middle to the right and down: given along the way into it and to the right of that. All in sections. @param {number} heading @param {number} along @param {number} aside @returns {[x: number, y: number]} */
function placed(heading, along, aside) {
  const [[x, y], [right, down]] = [AHEAD[heading], AHEAD[(heading + 1) % 4]];
  return [x * along + right * aside, y * along + down * aside];
}

/** @param {number} x @param {number} y @returns {Plain} */
const styled = (x, y) => ({ left: `${50 + 100 * x}%`, top: `${50 + 100 * y}%` });
/** @param {number} heading @param {number} along @param {number} aside @returns {Plain} */
const spot = (heading, along, aside) => styled(...placed(heading, along, aside));

/** @param {{enters: number, leaves: number}} stop */
const turnsRight = ({ enters, leaves }) => leaves === (enters + 1) % 4;

/** Where in a section its sign and its number stand: beside the road, where no car covers them, and together, so that nobody takes a sign for that of the section beside it. @param {Stop} stop */
function besides({ enters, leaves, limit }) {
  if (enters === leaves) return { sign: spot(enters, -0.2, 0.43), number: limit === null ? spot(enters, 0, -0.43) : spot(enters, 0.19, 0.43) };
  const outside = turnsRight({ enters, leaves }) ? -1 : 1;
  if (limit === null) return { sign: {}, number: spot(enters, 0.38, 0.38 * outside) };
  const [x, y] = placed(enters, OUTER, OUTER * outside);
  return { sign: styled(x, y), number: styled(x, y - Math.sign(y) * BELOW) };
}

/** Where and how a car stands that has others beside it. @param {Stop} stop @param {number} place @param {number} count @returns {{style: Plain, heading: number}} */
function parked({ enters, leaves }, place, count) {
  const bends = enters !== leaves;
  const { long, spots } = (bends ? PARKED_IN_BENDS : PARKED).find((each) => each.spots.length >= count) ?? PARKED[0];
  const [along, across] = spots[place];
  const width = `${100 * long}%`;
  if (!bends) return { style: { ...spot(enters, along, across), width }, heading: enters };
  const inside = turnsRight({ enters, leaves }) ? 1 : -1;
  const [angle, radius] = [(along * Math.PI) / 2, 0.5 + across];
  return { style: { ...spot(enters, radius * Math.sin(angle) - 0.5, inside * (0.5 - radius * Math.cos(angle))), width }, heading: enters + inside * along };
}

/** A car seen from above, with the letter of its seat; on the road it has room to turn. @param {number} seat @param {boolean} mine @param {number|null} heading @returns {Child} */
const car = (seat, mine, heading = null) =>
  h("svg", { key: seat, class: `car seat${seat} ${mine ? "mine" : ""}`, viewBox: heading === null ? "0 0 40 24" : "0 -8 40 40", "aria-hidden": "true" },
    h("g", { transform: `rotate(${90 * (heading ?? 0)} 20 12)` },
      h("path", { class: "wheels", d: "M7 1h6v4H7zM28 1h6v4h-6zM7 19h6v4H7zM28 19h6v4h-6z" }),
      h("path", { class: "skin", d: "M3 7c0-2 2-3 4-3h20c6 0 11 4 11 8s-5 8-11 8H7c-2 0-4-1-4-3z" }),
      h("circle", { class: "disc", cx: 19.500, cy: 12, r: 8 })),
    h("text", { x: 19.500, y: 16.700 }, CARS[seat]));

/** @param {string} token @returns {Child} */
const sign = (token) => h("svg", { class: `tokensign ${TRUMPS.includes(token) ? "" : "rare"}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, h("path", { d: SIGNS[token] }));

/** @returns {Child} */
const chequered = () => h("svg", { class: "homeflag", viewBox: "0 0 14 16", "aria-hidden": "true" }, h("path", { d: "M1 15V1.500h12v8H1zM1 1.500h4v4H1zM9 1.500h4v4H9zM5 5.500h4v4H5z", "fill-rule": "evenodd" }));

/** @param {number} value @param {string} colour @returns {Child} */
const die = (value, colour) =>
  h("svg", { class: `die ${colour}`, viewBox: "0 0 30 30", "aria-hidden": "true" },
    h("rect", { class: "skin", x: 1, y: 1, width: 28, height: 28, rx: 6 }), h("text", { x: 15, y: 21 }, value));

/** Asphalt from the side where a section is entered to that where it is left, with a line where the race starts and where it ends. @param {Stop} stop @param {number} finish @returns {Child} */
function asphalt({ section, enters, leaves }, finish) {
  const side = (/** @type {number} */ heading) => [30 + 30 * AHEAD[heading][0], 30 + 30 * AHEAD[heading][1]].join(" ");
  const way = `M${side((enters + 2) % 4)}Q30 30 ${side(leaves)}`;
  const line = section === 0 ? LINE : -LINE;
  return h("svg", { class: "asphalt", viewBox: "0 0 60 60", "aria-hidden": "true" },
    h("path", { class: "verge", d: way }), h("path", { class: "tar", d: way }), h("path", { class: "line", d: way }),
    (section === 0 || section === finish) && h("path", { class: "chequer", transform: `rotate(${90 * enters} 30 30) translate(${line} 0)`, d: "M24 6h6v6h-6zM30 12h6v6h-6zM24 18h6v6h-6zM30 24h6v6h-6zM24 30h6v6h-6zM30 36h6v6h-6zM24 42h6v6h-6zM30 48h6v6h-6z" }));
}

/** Whose road is looked at: the viewer's own, or that of whoever is to act. @param {Scene} scene */
function driver({ view, me }) {
  if (me !== null && !view.finished.includes(me)) return me;
  return view.to_act[0] ?? view.finished[0] ?? 0;
}


/** What touching a section chooses, by its number; where a drive without a detour ends, one with a detour has only its words. @param {Scene} scene @param {number} seat @returns {Map<number, Plain>} */
function touchable({ legal, view }, seat) {
  const found = new Map();
  for (const pattern of legal) {
    if (pattern.type === "advance" || pattern.type === "nitro") found.set(view.cars[seat] + 1, { type: pattern.type });
    if (pattern.type === "oil") for (const section of valuesOf(pattern.section)) found.set(section, { section });
  }
  const drives = legal.filter((pattern) => pattern.type === "move").sort((one, other) => Number(one.detour === null) - Number(other.detour === null));
  for (const { steps: all, detour } of drives) for (const steps of valuesOf(all)) if (steps > 0) found.set(driveEnd(view, seat, { steps, detour }), { steps, detour });
  return found;
}

/** @param {Scene} scene @returns {Child} */
function road(scene) {
  const { view, texts, me, names, touch, chosen } = scene;
  const honks = scene.fresh.filter((news) => news.type === "honked").map((news) => news.seat);
  const won = champions(view);
  const drove = won.length > 0 ? [] : scene.fresh.filter((news) => news.type === "car_moved").map((news) => news.seat);
  const here = view.cars[driver(scene)];
  const whole = lying(laid(view.track)); // as on the small map
  const finish = whole.length - 1;
  const drives = scene.legal.some((pattern) => pattern.type === "move");
  const open = touchable(scene, driver(scene));
  const reach = [...touchable({ ...scene, legal: scene.asked }, driver(scene)).keys()]; // whatever is chosen of it, the road stays where it is
  const aim = chosen.steps === undefined || chosen.detour === undefined ? null : driveEnd(view, driver(scene), { steps: chosen.steps, detour: chosen.detour });
  const found = lately(scene.news).filter((news) => news.type === "bonus_taken");
  const drivesNow = scene.asked.length > 0 && ["drive", "after"].includes(view.phase);
  const fuel = view.phase === "drive" ? (view.fuel[driver(scene)] ?? 0) : 0;
  const arrived = lately(scene.news).filter((news) => news.type === "car_finished");
  const far = drivesNow ? Math.max(here + fuel, ...reach) + BEYOND : here + BEFORE;
  const near = Math.min(here - BEHIND, ...reach);
  const stretch = whole.filter(({ section }) => section >= near && section <= far);
  const look = (/** @type {number} */ number) => number >= here || open.has(number); // the nearest most of all: the road ahead decides
  const aims = scene.asked.some((pattern) => pattern.type === "move") ? whole.filter(({ section }) => reach.includes(section)) : [];
  const { left, top, across, down } = extent(stretch);
  /** What is brought in sight before all sections: where a drive may end, and if they have no room together, the farthest. @param {Stop[]} stops */
  const sight = (stops) => {
    const { left: west, top: north, across: wide, down: high } = extent(stops);
    return h("i", { key: `sight:${stops.length}`, class: "sight", "data-look": "", "aria-hidden": "true", style: { gridColumn: `${west - left + 1} / span ${wide}`, gridRow: `${north - top + 1} / span ${high}` } });
  };
  const section = (/** @type {Stop} */ stop) => {
    const number = stop.section;
    const wanted = open.get(number);
    const cars = view.cars.flatMap((/** @type {number} */ at, /** @type {number} */ seat) => (at === number ? [seat] : []));
    const oil = view.oil === number;
    const { limit } = stop;
    const star = String(number) in view.hidden;
    const bonus = view.hidden[number] ?? null; // to whoever sees everything
    const parts = [
      number === 0 ? texts("hurry.start") : number === finish ? texts("hurry.finish") : texts("moves.section", { section: number }),
      limit !== null && texts(limit <= SLOW ? "web.limit_low" : "web.limit", { limit }),
      oil && texts("hurry.token.oil"),
      star && texts("web.star"),
      ...cars.map((/** @type {number} */ seat) => names[seat]),
    ];
    const places = besides(stop);
    const aimed = aim === number && number !== here;
    const label = parts.filter(Boolean).join(texts("list.between"));
    const touched = wanted && { type: "button", onClick: () => touch(wanted), "aria-disabled": "false" };
    const beyond = drives && number > here ? keptFrom(view, driver(scene), number, reach, texts) : "";
    const read = !wanted && (beyond || limit !== null) && { onClick: () => scene.tell(texts("list.sentences", { told: `${label}.`, more: beyond }).trim()) };
    return h(wanted ? "button" : "div", {
      ...touched, ...read, key: number, "data-look": look(number) ? "" : undefined, class: `section ${wanted ? "lit" : ""} ${oil ? "oily" : ""} ${aimed ? "aimed" : ""}`, style: { gridColumn: stop.x - left + 1, gridRow: stop.y - top + 1 }, "data-id": `section:${number}`,
    },
      h("span", { class: "unseen" }, label),
      asphalt(stop, finish),
      oil && h("b", { class: "puddle", "aria-hidden": "true" }, "≈"),
      h("small", { style: places.number, "aria-hidden": "true" }, number === 0 ? "S" : number === finish ? "F" : number),
      limit !== null && h("b", { class: `limit ${limit <= SLOW ? "slow" : ""}`, style: places.sign, "aria-hidden": "true" }, limit),
      stop.star && h("b", { class: `star ${star ? "" : "gone"}`, "aria-hidden": "true" }, "★"),
      bonus && h("b", { class: "under", "aria-hidden": "true" }, tokenName(bonus, texts)),
      h("span", { class: "cars", "aria-hidden": "true" }, cars.map((/** @type {number} */ seat, /** @type {number} */ place) => {
        const { style, heading } = parked(stop, place, cars.length);
        return h("span", { key: seat, class: `carspot ${honks.includes(seat) ? "honks" : ""} ${drove.includes(seat) ? "drove" : ""} ${won.includes(seat) ? "won" : ""}`, style, "data-id": `car:${seat}` }, car(seat, seat === me, heading));
      })));
  };
  const flag = (/** @type {Stop} */ stop) => {
    const taken = found.findLast((news) => news.section === stop.section);
    const aside = stop.x === left + across - 1 ? "west" : stop.x === left ? "east" : "";
    return taken && h("div", { key: `found:${stop.section}`, class: "flag", style: { gridColumn: stop.x - left + 1, gridRow: stop.y - top + 1 }, "aria-hidden": "true" },
      h("span", { class: `found ${aside} ${stop.section % 2 ? "low" : ""}` }, `★ ${tokenName(taken.token, texts)}`));
  };
  const home = (/** @type {Stop} */ stop) => stop.section === finish && arrived.length > 0 && h("div", { key: `home:${view.finished.length}`, class: "flag", style: { gridColumn: stop.x - left + 1, gridRow: stop.y - top + 1 }, "aria-hidden": "true" },
    h("span", { class: `found ${stop.x === left + across - 1 ? "west" : stop.x === left ? "east" : ""}` }, `🏁 ${texts.listed(arrived.map((news) => names[news.seat]))}`));
  return h("div", { class: "road", tabindex: 0 }, h("div", { class: `stretch ${open.size > 0 ? "" : "still"}`, style: { "--across": across, "--down": down } }, aims.length > 0 && sight(aims.slice(-1)), aims.length > 1 && sight(aims), stretch.map(section), stretch.map(flag), stretch.map(home))); // a flag flies once: a section that can be touched is another element, and would raise it anew
}

/** The whole track, small. @param {Scene} scene @returns {Child} */
function track({ view, me, names, texts }) {
  const whole = lying(laid(view.track));
  const { left, top, across, down } = extent(whole);
  const points = whole.map(({ x, y }) => `${x - left + 0.5} ${y - top + 0.5}`);
  /** @type {{stop: Stop, seat: number}[]} */
  const cars = view.cars.map((/** @type {number} */ section, /** @type {number} */ seat) => ({ stop: whole[section], seat }));
  const beside = (/** @type {number} */ seat) => {
    const together = cars.filter(({ stop }) => stop === whole[view.cars[seat]]).map((each) => each.seat);
    return 0.9 * (together.indexOf(seat) - (together.length - 1) / 2);
  };
  const told = cars.map(({ stop, seat }) => texts("hurry.scored", { who: names[seat], points: stop.section }));
  return h("svg", { class: "track", viewBox: `-.9 -.4 ${across + 1.8} ${down + 0.8}`, role: "img", "aria-label": texts.listed(told) },
    h("path", { class: "way", d: `M${points.join("L")}` }),
    h("circle", { class: "goalpost", cx: points.at(-1)?.split(" ")[0], cy: points.at(-1)?.split(" ")[1], r: 0.45 }),
    whole.filter(({ limit }) => limit !== null && limit <= SLOW).map(({ x, y, section }) => h("circle", { key: `slow${section}`, class: "slowdot", cx: x - left + 0.5, cy: y - top + 0.5, r: 0.2 })),
    [...cars].sort((one, other) => Number(one.seat === me) - Number(other.seat === me)).map(({ stop, seat }) => { // one's own on top
      const [x, y] = [stop.x - left + 0.5 + beside(seat), stop.y - top + 0.5];
      return h("g", { key: seat, class: `mark seat${seat} ${seat === me ? "mine" : ""}` }, h("circle", { class: "skin", cx: x, cy: y, r: 0.7 }), h("text", { x, y: y + 0.36 }, CARS[seat]));
    }));
}

/** A corner of the small map that the road leaves free. @param {Plain} view */
function corner(view) {
  const road = lying(laid(view.track));
  const { left, top, across, down } = extent(road);
  const near = (/** @type {number} */ place, /** @type {boolean} */ far) => (far ? place > 0.55 : place < 0.45);
  const free = (/** @type {string} */ name) => !road.some(({ x, y }) => near((x - left + 0.5) / across, name.includes("east")) && (name.includes("south") ? (y - top + 0.5) / down > 0.7 : (y - top + 0.5) / down < 0.3));
  return ["south east", "south west", "north west", "north east"].find(free) ?? "south east";
}

/** Who stands out once a race, or the last of several, is over. @param {Plain} view @returns {number[]} */
function champions({ phase, options, points, finished }) {
  if (phase !== "over") return [];
  return options.races > 1 ? points.flatMap((/** @type {number} */ each, /** @type {number} */ seat) => (each === Math.max(...points) ? [seat] : [])) : finished.slice(0, 1);
}

/** The round in which somebody came home in this race, as far as the news are known. @param {Plain[]} news @param {number} seat @returns {number|null} */
function homeIn(news, seat) {
  const home = news.findLastIndex((each) => each.type === "car_finished" && each.seat === seat);
  return home < news.findLastIndex((each) => each.type === "race_begun") ? null : (news.slice(0, Math.max(0, home)).findLast((each) => each.type === "round_begun")?.round ?? null);
}

/** All seats: the cars that are home in their order, then by section. @param {Plain} view */
function standings(view) {
  const racing = view.cars.map((/** @type {any} */ _, /** @type {number} */ seat) => seat).filter((/** @type {number} */ seat) => !view.finished.includes(seat));
  return [...view.finished, ...racing.sort((/** @type {number} */ one, /** @type {number} */ other) => view.cars[other] - view.cars[one])];
}

/** @param {Scene} scene @param {number} seat @returns {string[]} */
const held = ({ view }, seat) => [...view.trumps[seat], ...(view.second_chance[seat] ? ["second_chance"] : []), ...view.bonuses[seat], ...(view.tank_due === seat ? ["tank_due"] : []), ...(view.lantern === seat ? ["lantern"] : [])];

/** @param {Scene} scene @param {number} seat @param {number} place @returns {Child} */
function standing(scene, seat, place) {
  const { view, texts, me, names, awaited } = scene;
  const kit = held(scene, seat);
  const home = view.finished.includes(seat);
  const round = home ? homeIn(scene.news, seat) : null;
  const where = !home ? "" : round === null ? texts("hurry.home") : texts("web.home_in", { round });
  const explain = () => scene.tell([`${names[seat]}:`, ...(home ? [`${where}.`] : []), ...kit.map((token) => does(scene, token))].join(" "));
  const pawn = view.pawns[seat];
  const points = view.options.races > 1 && h("span", { class: "faint" }, texts("hurry.points_short", { points: view.points[seat], count: view.points[seat] }));
  return h("li", { key: seat, class: `standing ${awaited.includes(seat) ? "acting" : ""} ${seat === me ? "own" : ""} ${scene.chosen.with === seat ? "aimed" : ""}`, "data-id": `driver:${seat}`, onClick: kit.length > 0 || home ? explain : undefined },
    h("span", { class: "rank" }, place), car(seat, seat === me), h("span", { class: "who" }, scene.who(seat)), points,
    pawn && !home && h("span", { class: `pawn small ${pawn}`, role: "img", "aria-label": texts(`hurry.pawn.${pawn}`) }, LETTERS[pawn], view.dice[pawn] ?? ""),
    seat !== me && kit.length > 0 && h("span", { class: "kit faint", role: "img", "aria-label": texts.listed(kit.map((token) => tokenName(token, texts))) }, kit.map(sign)),
    home && !scene.large ? h("b", { class: "at", role: "img", "aria-label": where }, chequered(), round) : h("b", { class: "at" }, where || view.cars[seat]));
}

/** The cup, or the dice that were under it, and the speed of whoever drives. @param {Scene} scene @returns {Child} */
function dice({ view, texts, names, fresh, me, asked, tell }) {
  const mine = asked.length > 0 && view.to_act[0] === me; // then what is asked says it
  if (view.accelerator === null) return h("p", { class: "dicerow faint" }, texts("hurry.no_dice"));
  const hidden = Object.values(view.dice).every((value) => value === null);
  const lifted = fresh.some((news) => news.type === "dice_opened" || (news.type === "cup_lifted" && news.dice !== null));
  const fuel = Object.entries(view.dice).map(([pawn, value]) => texts("hurry.die", { colour: pawnColour(pawn, texts), value }));
  const speed = mine ? "" : speedWords(view, texts);
  return h("div", { class: "dicerow", onClick: () => tell(texts("web.about_speed")) },
    h("span", { class: "accelerator", role: "img", "aria-label": `${texts("hurry.accelerator")} ${view.accelerator}` }, die(view.accelerator, "plain"), h("small", { "aria-hidden": "true" }, `+${view.accelerator}0`)),
    hidden
      ? h("span", { class: "covered", role: "img", "aria-label": texts("line.hidden_dice") }, cup())
      : h("span", { class: `dice ${lifted ? "opened" : ""}`, role: "img", "aria-label": texts.listed(fuel) }, lifted && cup(), Object.entries(view.dice).map(([pawn, value]) => h("span", { key: pawn, class: view.pawns.includes(pawn) ? "gone" : "" }, die(/** @type {any} */ (value) ?? "?", pawn)))),
    speed && h("span", { class: "speed" }, texts("web.driving", { who: names[view.to_act[0]], speed })));
}

/** @returns {Child} */
const cup = () =>
  h("svg", { class: "dicecup", viewBox: "0 0 40 40", "aria-hidden": "true" },
    h("path", { class: "skin", d: "M9 5h22l5 30c0 2-7 4-16 4S4 37 4 35z" }), h("path", { class: "band", d: "M8 12h24M5 30h30" }), h("text", { x: 20, y: 27 }, "?"));

/** What happened in this round and in the one before. @param {Plain[]} news */
function lately(news) {
  const now = news.findLastIndex((each) => each.type === "round_begun");
  const before = news.findLastIndex((each, place) => each.type === "round_begun" && place < now);
  return news.slice(Math.max(0, before));
}

/** A token by its whole name, for which a screen of letters has no room. @param {string} token @param {import("./texts.js").Texts} texts */
const tokenName = (token, texts) => texts.orElse(`web.token.${token}`, "") || texts(`hurry.token.${token}`);

/** @param {Scene} scene @param {string} token */
const does = ({ view, texts }, token) => texts(`hurry.does.${token}`, { fuel: view.options.empty_tank });

/** The bonus that one has found lately, and what it does: to be read before it can be used; `said` is the line of the story that it takes in. @param {Scene} scene @returns {{said: string, note: Child}|null} */
function find(scene) {
  const { view, me, names, texts } = scene;
  const found = lately(scene.news).findLast((news) => news.type === "bonus_taken" && news.seat === me);
  if (me === null || found === undefined || !held(scene, me).includes(found.token)) return null;
  const idle = found.token !== "empty_tank" && view.fresh === found.token;
  const said = sentence("hurry-cup", found, names, texts, me);
  return { said, note: h("p", { key: `found:${found.token}`, class: "find" }, h("b", null, "★ ", said), " ", does(scene, found.token), " ", idle && texts("web.next_round")) };
}

/** One's tokens, by name: a touch tells what each does. @param {Scene} scene @returns {Child} */
function tokens(scene) {
  const { me, texts } = scene;
  if (me === null || held(scene, me).length === 0) return null;
  const spent = (/** @type {string} */ token) => scene.view.token_used[me] && !UNSPENT.includes(token);
  const used = held(scene, me).some(spent) && h("small", null, texts("hurry.practice_token.used"));
  const words = (/** @type {string} */ token) => [does(scene, token), spent(token) ? texts("hurry.practice_token.used") : ""].filter(Boolean).join(" ");
  return h("div", { class: "tokens", role: "group", "aria-label": texts("web.tokens") }, held(scene, me).map((token) => h("button", { key: token, type: "button", class: `tokenchip ${TRUMPS.includes(token) ? "" : "rare"} ${spent(token) ? "spent" : ""}`, "data-id": `token:${token}`, onClick: () => scene.tell(words(token)) }, sign(token), tokenName(token, texts))), used);
}

/** The pawns: each stays in its place, taken or not, so that a finger never meets another one. @param {Scene} scene @returns {Child} */
function hand(scene) {
  const { view, me, names, texts, legal, touch, picked } = scene;
  const ranking = legal.some((pattern) => pattern.type === "rank");
  const open = legal.flatMap((pattern) => (pattern.type === "grab" ? valuesOf(pattern.pawn) : (pattern.pawns?.order ?? [])));
  if (open.length === 0 || me === null) return null;
  return PAWNS.filter((pawn) => pawn in view.dice).map((pawn) => {
    const free = open.includes(pawn) && !picked.includes(pawn);
    const value = view.dice[pawn];
    const taker = view.pawns.indexOf(pawn);
    const called = value == null ? pawnColour(pawn, texts) : texts("hurry.die", { colour: pawnColour(pawn, texts), value });
    const gone = taker < 0 ? undefined : texts("web.pawn_gone", { who: names[taker], pawn: called });
    return h("button", { key: pawn, type: "button", class: `pawn ${pawn} ${free ? "" : "dim"}`, "aria-disabled": String(!free), "aria-pressed": String(picked.includes(pawn)), "data-name": gone, onClick: () => free && touch(ranking ? { pawns: pawn } : { pawn }) },
      h("span", { class: "unseen" }, gone ?? called),
      taker >= 0 && h("span", { class: "taker", "aria-hidden": "true" }, car(taker, taker === me), h("small", null, names[taker])),
      h("svg", { class: "figure", viewBox: "0 0 40 44", "aria-hidden": "true" },
        h("path", { class: "skin", d: "M20 2a9 9 0 0 1 5 16.500c3 4 5 10 6 15h3v9H6v-9h3c1-5 3-11 6-15A9 9 0 0 1 20 2z" }), h("text", { x: 20, y: 40 }, LETTERS[pawn])),
      h("b", { "aria-hidden": "true" }, value ?? ""));
  });
}

/** @param {Scene} scene */
function draw(scene) {
  const { view, texts } = scene;
  const race = view.options.races > 1 && `${texts("hurry.race", { race: view.race, races: view.options.races })} · `;
  const board = h("div", { class: "hurry" },
    h("div", { class: "overview" },
      h("ol", { class: "standings" }, standings(view).map((seat, place) => standing(scene, seat, place + 1))),
      h("div", { class: "map" }, track(scene), h("p", { class: `piles faint ${corner(view)}` }, race, texts("hurry.round", { round: view.round })))),
    road(scene),
    dice(scene),
    tokens(scene));
  return { board, hand: hand(scene), found: find(scene) };
}

/** @param {Plain} news @returns {Flight[]} */
function flights(news) {
  const drives = (/** @type {number} */ seat, /** @type {number[]} */ sections) => [{ id: `car:${seat}`, from: `car:${seat}`, along: sections.map((section) => `section:${section}`) }];
  switch (news.type) {
    case "car_moved":
      return drives(news.seat, [news.from, ...news.entered]);
    case "lantern_used":
    case "boosted":
    case "nitro_used":
      return drives(news.seat, [news.section]);
    case "bonus_taken":
      return [{ from: `section:${news.section}`, to: `driver:${news.seat}`, like: "trophy" }];
    default:
      return [];
  }
}

/** The round in which a car drove last of all: with its dice and speeds, which are gone from the view once the next one has begun. @type {NonNullable<import("./boards.js").Board["ended"]>} */
function ended(before, after, news) {
  const driven = news.findLast(({ type }) => type === "car_moved" || type === "car_stayed");
  return driven === undefined ? null : { ...before, phase: "drive", to_act: [driven.seat], cars: after.cars, finished: after.finished, hidden: after.hidden, oil: after.oil };
}

/** What befalls a driver, who may have done something else; what nobody chooses always does. @type {{[type: string]: (news: Plain, did: Plain|null) => boolean}} */
const BEFALLS = {
  pawn_taken: ({ pawn }, did) => did?.type !== "rank" && did?.pawn !== pawn,
  car_moved: (_, did) => did?.type !== "move",
  car_stayed: (_, did) => did?.type !== "move",
  die_rerolled: () => true,
  tank_emptied: () => true,
};

/** @type {import("./boards.js").Board} */
export const board = {
  draw, ended, befalls: (news, did) => BEFALLS[news.type]?.(news, did) ?? null, seat: (seat, texts) => texts(`web.car.${seat}`), home: (view, seat, texts) => (view.finished.includes(seat) ? texts("web.at_home", { place: texts(`hurry.place.${view.finished.indexOf(seat) + 1}`) }) : null), touched: ["grab", "rank"], places: [], flights, sign: ({ type, steps, detour }) => (type === "move" && detour === null && steps > 0 ? String(steps) : null),
  order: ({ type, detour }) => (type === "helmet" || type === "reroll" ? 1 : detour == null ? 0 : 2), spends: ({ detour }) => detour != null,
  dear: ["boost", "swap", "helmet", "reroll", "nitro", "oil"],
  rounds: "round_begun", passing: ["tank_emptied"],
  matter: ["bonus_taken", "tank_emptied", "pawns_swapped", "oil_spilled", "car_finished", "race_scored", "race_over"],
  minor: ["race_begun", "round_begun", "accelerator_rolled", "quiet_kept", "cup_lifted", "token_skipped", "lantern_unused", "lantern_given"],
};
