/** The board of Butterflies: the growing grid, what each player has, goals and the hand. Draws only. */

import { LETTERS, size } from "./cards.js";
import { valuesOf } from "./choosing.js";
import { h } from "./render.js";
import { butterfly, laidOut, longest, MOVING_FROM, named, ROW, sideLetter } from "./words_butterflies.js";

/** @typedef {import("./boards.js").Scene} Scene */
/** @typedef {import("./boards.js").Flight} Flight */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./render.js").Child} Child */
/** @typedef {[number, number]} At */

/** As in the terminal, so that players of both can talk about a card. @type {{[species: string]: string}} */
const SPECIES = { monarch: "M", swallowtail: "S", morpho: "O", peacock: "P" };
const TOKENS = ["net", "web"];
/** Pixels: of a fingertip, of cells that it hits without help, and of those beyond which nobody zooms. */
const [FINGER, EASY, LARGEST] = [44, 36, 160];
/** How many times as wide as high cards may lie, to have more room between words at their sides than above them. */
const ASIDE = 1.5;
/** Pixels by which a place must be nearer to a tap than any other, to be the one that was meant. */
const CLEARLY = 8;

/** The left wings of each species, upper and lower; the right ones are their reflection. @type {{[species: string]: string[]}} */
const WINGS = {
  monarch: ["M21 21C16 7 5 3 3 9c-2 6 5 13 18 13z", "M21 22C11 21 5 26 7 33c2 6 11 4 14-10z"],
  swallowtail: ["M21 20C17 9 8 2 3 4c0 9 6 16 18 17z", "M21 21C13 21 8 24 9 31l-4 10 7-7c4 0 8-3 9-12z"],
  morpho: ["M21 21C19 8 8 1 4 7c-3 5 0 14 17 15z", "M21 22C12 20 4 24 6 31c3 9 13 5 15-8z"],
  peacock: ["M21 21C18 9 9 4 5 5l1 4-4 2 4 3-1 4c4 3 10 4 16 3z", "M21 22C14 21 8 23 7 27l3 2-2 4 4 1 1 4c5-1 8-7 8-15z"],
};
/** What is drawn on the left wings. @type {{[species: string]: string}} */
const MARKS = {
  monarch: "M20 21L6 9M20 21L4 14M20 23L9 33M20 23L13 35",
  swallowtail: "M17 14L7 9M18 17L7 14M16 24l-5 7M19 24l-4 9",
  morpho: "M18 17C14 9 10 7 7 9M18 25c-4-1-8 1-9 5",
  peacock: "M9 11.500a3 3 0 1 0 .1 0M12 28a2.500 2.500 0 1 0 .1 0",
};

/** A card: a butterfly with the letter of its species at the left and that of its colour at the right. @param {string} card @returns {Child} */
function face(card) {
  const [species, colour] = card.split("-");
  const half = [WINGS[species].map((wing) => h("path", { class: "skin", d: wing })), h("path", { class: "veins", d: MARKS[species] })];
  return h("svg", { class: `face wings ${colour} ${species}`, viewBox: "0 0 44 48", "aria-hidden": "true" },
    h("rect", { class: "paper", x: 0.5, y: 0.5, width: 43, height: 47, rx: 5 }),
    h("g", { transform: "translate(.5 1) scale(.98)" }, half, h("g", { transform: "translate(43 0) scale(-1 1)" }, half),
      h("path", { class: "body", d: "M21.500 15v15M21.500 15c-1-4-3-6-5-7M21.500 15c1-4 3-6 5-7" })),
    h("text", { class: "letter", x: 3, y: 46 }, SPECIES[species]),
    h("text", { class: "letter end", x: 41, y: 46 }, LETTERS[colour]));
}

/** @param {string} token @returns {Child} */
const tokenSign = (token) =>
  h("svg", { class: `token ${token}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("circle", { class: "disc", cx: 12, cy: 12, r: 11 }),
    token === "net"
      ? h("path", { d: "M12 3a6.500 6.500 0 1 0 .1 0M12 16v6M7 6l10 7M17 6L7 13M12 3v13M5.500 9.500h13" })
      : h("path", { d: "M12 2v20M2 12h20M5 5l14 14M19 5L5 19M12 7l3.500 1.500L17 12l-1.500 3.500L12 17l-3.500-1.500L7 12l1.500-3.500zM12 3.500l6 2.500 2.500 6-2.500 6-6 2.500-6-2.500-2.500-6L6 6z" }));

const key = (/** @type {number[]} */ at) => at.join(",");

/** What touching each cell chooses, by its key. A card of the hand is laid once it is raised, even the last one: whoever may do something else is asked for that. @param {Scene} scene @returns {Map<string, Plain>} */
function touchable({ view, legal, chosen }) {
  const found = new Map();
  if (TOKENS.includes(chosen.type)) return new Map([[key(view.last.at), { type: chosen.type }]]);
  const picked = chosen.card !== undefined || chosen.from !== undefined;
  for (const pattern of legal) {
    if (!picked) for (const from of valuesOf(pattern.from)) found.set(key(from), { from });
    if (chosen.from !== undefined) found.set(key(chosen.from), { from: chosen.from }); // to let go of it
    if (chosen.from !== undefined) for (const to of valuesOf(pattern.to)) found.set(key(to), { to });
    if (pattern.card === chosen.card) for (const at of valuesOf(pattern.at)) found.set(key(at), { at });
  }
  return found;
}

/** The cards of the grid that may be moved, whatever is chosen. @param {Scene} scene @returns {At[]} */
const movable = ({ asked }) => asked.flatMap(({ type, from }) => (type === "move" ? valuesOf(from) : []));

/** The cards of the grid that may be moved instead of what is chosen, by their keys; beside a token that is about to be put a tap means that. @param {Scene} scene @param {Map<string, Plain>} open @returns {Map<string, Plain>} */
function instead(scene, open) {
  const others = TOKENS.includes(scene.chosen.type) ? [] : movable(scene).filter((from) => !open.has(key(from)));
  return new Map(others.map((from) => [key(from), { from }]));
}

/** The cards as they will lie once what is chosen is done. @param {Scene} scene @returns {Plain[]} */
function gridToBe({ view, chosen }) {
  const placed = chosen.type === "play" ? chosen.card && chosen.at : chosen.type === "move" ? chosen.from && chosen.to : chosen.at;
  return (placed && laidOut(chosen, view)) || view.grid;
}

/** The rows of the reader's goals that are there once what is chosen is done. @param {Scene} scene @returns {string[]} */
function rowsToBe(scene) {
  const { view, me } = scene;
  const grid = gridToBe(scene);
  if (me === null || grid === view.grid) return [];
  return Object.values(view.goals[me]).map((word) => longest(grid, word)).filter((row) => row.length >= ROW).flat();
}

/** Why a card of the grid cannot be moved when one is to be chosen, or takes no token; undefined if that is not the question. @param {Scene} scene @param {Plain|undefined} card */
function whyNot(scene, card) {
  const { view, chosen, texts } = scene;
  if (TOKENS.includes(chosen.type)) return texts("web.why.token_on_last");
  if (card === undefined || chosen.card !== undefined || chosen.from !== undefined) return undefined;
  if (view.phase === "place") return texts("web.why.turned_up");
  if (Math.min(...view.played) < MOVING_FROM) return texts("why.too_early", { needed: MOVING_FROM, count: MOVING_FROM });
  if (view.last?.how === "laid" && key(view.last.at) === key(card.at)) return texts("web.why.just_laid");
  if (card.token) return texts("web.why.has_token");
  return movable(scene).length > 0 ? texts("web.why.would_split") : undefined;
}

/** @param {Scene} scene @returns {Child} */
function grassland(scene) {
  const { view, texts, chosen, touch } = scene;
  const cards = new Map(view.grid.map((/** @type {Plain} */ each) => [key(each.at), each]));
  const open = touchable(scene);
  const others = instead(scene, open);
  const crowned = TOKENS.includes(chosen.type);
  const target = crowned ? view.last.at : (chosen.at ?? chosen.to);
  const moved = chosen.from === undefined ? null : cards.get(key(chosen.from))?.card;
  const laid = chosen.card ?? moved ?? (view.phase === "place" ? view.turned : null);
  const held = chosen.from === undefined ? null : key(chosen.from);
  const won = view.won === null ? rowsToBe(scene) : longest(view.grid, view.goals[view.won.seat][view.won.goal]);
  const spots = [...cards.keys(), ...open.keys(), "0,0"].map((spot) => spot.split(",").map(Number));
  // For a player with the cells around the cards, whoever's turn it is, so that the grid does not jump when it is theirs.
  const around = scene.me === null || view.won !== null ? [] : view.grid.flatMap((/** @type {Plain} */ { at }) => [[at[0] - 1, at[1] - 1], [at[0] + 1, at[1] + 1]]);
  const all = [...spots, ...around];
  const [left, top] = [0, 1].map((axis) => Math.min(...all.map((at) => at[axis])));
  const [across, down] = [left, top].map((least, axis) => Math.max(...all.map((at) => at[axis])) - least + 1);
  const where = (/** @type {string} */ spot) => {
    const [x, y] = spot.split(",").map(Number);
    return { gridColumn: x - left + 1, gridRow: y - top + 1 };
  };
  const cell = (/** @type {string} */ spot) => {
    const card = cards.get(spot);
    const wanted = open.get(spot) ?? others.get(spot);
    const ghost = target !== undefined && key(target) === spot;
    const place = texts("line.cell", { card: card ? butterfly(card.card, texts) : texts("web.free_cell"), at: spot });
    const label = card?.token ? texts("line.with_token", { cell: place, token: texts(`butterflies.token.${card.token}`) }) : place;
    const last = view.last !== null && key(view.last.at) === spot;
    const look = view.won === null ? last || ghost : won.includes(spot);
    const marks = [card ? "taken" : "free", spot === held && "picked", open.has(spot) && "lit", wanted?.from && "movable", ghost && "ghost", last && "last", won.includes(spot) && "complete"];
    const press = ghost && !crowned ? () => touch(chosen.at === undefined ? { to: target } : { at: target }) : () => wanted && touch(wanted);
    const disabled = others.has(spot) ? undefined : String(!wanted && !ghost); // what is but another choice is no place that a finger means from beside it
    return h("button", {
      key: spot, type: "button", class: `cell ${marks.filter(Boolean).join(" ")}`, style: where(spot), "aria-disabled": disabled, tabindex: wanted || ghost ? 0 : -1,
      onClick: press, onPointerDown: (/** @type {PointerEvent} */ event) => wanted?.from && dragCard(event, scene, wanted.from), "data-place": `cell:${spot}`, "data-name": card ? butterfly(card.card, texts) : texts("web.free_cell"), "data-why": wanted || ghost ? undefined : whyNot(scene, card), "data-look": look ? "" : undefined,
    },
      h("span", { class: "unseen" }, label),
      card && h("span", { class: "slot", "data-id": `cell:${spot}` }, face(card.card), card.token && tokenSign(card.token)),
      ghost && laid && h("span", { class: "slot" }, face(laid)),
      ghost && crowned && tokenSign(chosen.type));
  };
  const shown = [...new Set([...cards.keys(), ...open.keys(), ...(target === undefined ? [] : [key(target)])])].sort();
  return h("div", { class: "lawn" },
    // Once somebody has won, all see that row anew, however they looked at it before.
    h("div", { key: view.won === null ? "open" : "won", class: "grassland", ref: watched, onTouchStart: pinch, onTouchMove: pinch, onTouchEnd: pinch, onWheel: wheel, onClickCapture: (/** @type {PointerEvent} */ event) => tapped(event, () => scene.tell(texts("web.once_more"))), tabindex: -1 },
      h("div", { class: "meadow", style: { "--across": across, "--down": down } }, shown.map(cell))),
    scene.large && turnedUp(scene),
    h("button", { type: "button", class: "icon fit", onClick: (/** @type {MouseEvent} */ event) => showAll(/** @type {Element} */ (event.currentTarget).previousElementSibling) }, h("span", { "aria-hidden": "true" }, "⤢"), h("span", { class: "unseen" }, texts("web.fit"))));
}

/** A card of the grid is dragged to another cell; with two fingers, or where it is the meadow that a finger moves, none is. @param {PointerEvent} event @param {Scene} scene @param {At} from */
function dragCard(event, { chosen, texts, touch, drag, tell }, from) {
  const zoomed = event.currentTarget instanceof Element && event.currentTarget.closest("[data-hides]") !== null;
  if (!event.isPrimary || (zoomed && event.pointerType !== "mouse")) return;
  const on = chosen.from !== undefined && key(chosen.from) === key(from);
  drag(event, on, () => fingers === null && touch({ from }), (place) => {
    if (fingers !== null) return;
    const free = document.querySelector(`[data-place="${place}"]`)?.matches(".free.lit");
    if (free) touch({ to: cellOf(place) });
    else tell(texts("web.not_there"));
  });
}

/** @param {string} place @returns {At} */
const cellOf = (place) => /** @type {At} */ (place.replace("cell:", "").split(",").map(Number));

// Nearer and farther

/** Looks to the middle of the meadow, and to what matters, whenever it or its room has another size. @param {HTMLElement|null} lawn */
function watched(lawn) {
  if (lawn === null) return; // what is gone is not watched any more
  const sizes = new ResizeObserver(() => centre(lawn));
  for (const each of [lawn, ...lawn.children]) sizes.observe(each);
}

/** Leaves it to whoever has chosen what to look at. @param {HTMLElement} lawn */
function centre(lawn) {
  noteHidden(lawn);
  if (lawn.hasAttribute("data-panned")) return;
  lawn.scrollTo((lawn.scrollWidth - lawn.clientWidth) / 2, (lawn.scrollHeight - lawn.clientHeight) / 2);
  for (const each of [...lawn.querySelectorAll("[data-look]")].reverse()) each.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Whether some of it is out of sight, which only happens to whoever has zoomed. @param {HTMLElement} lawn */
function noteHidden(lawn) {
  const meadow = /** @type {HTMLElement} */ (lawn.firstElementChild); // the lawn's own scroll size has the room that is left for the button
  lawn.toggleAttribute("data-hides", meadow.offsetWidth > lawn.clientWidth + 1 || meadow.offsetHeight > lawn.clientHeight + 1);
}

/** What was under the first point is under the second one afterwards; never smaller than all at once. @param {HTMLElement} lawn @param {number} times @param {number[]} from @param {number[]} [to] */
function zoom(lawn, times, from, to = from) {
  const meadow = /** @type {Element} */ (lawn.firstElementChild);
  const before = meadow.getBoundingClientRect();
  const now = Number(lawn.style.getPropertyValue("--zoom") || 1);
  const most = (LARGEST * now) / (meadow.firstElementChild?.getBoundingClientRect().width ?? LARGEST);
  lawn.style.setProperty("--zoom", String(Math.max(1, Math.min(most, now * times))));
  const after = meadow.getBoundingClientRect();
  lawn.scrollLeft += after.left + ((from[0] - before.left) * after.width) / before.width - to[0];
  lawn.scrollTop += after.top + ((from[1] - before.top) * after.height) / before.height - to[1];
  noteHidden(lawn);
}

/** @param {Element|null} lawn */
function showAll(lawn) {
  if (!(lawn instanceof HTMLElement)) return;
  lawn.style.removeProperty("--zoom");
  for (const mark of ["data-panned", "data-once", "data-hides"]) lawn.removeAttribute(mark);
}

/** Which place a finger means that came down there; null where that is as the browser sees it. @param {{x: number, y: number, lit: boolean}[]} places @param {number} x @param {number} y @returns {number|"unclear"|null} */
export function meant(places, x, y) {
  const away = places.map((each) => Math.hypot(each.x - x, each.y - y));
  const near = [...away.keys()].filter((place) => away[place] < FINGER / 2).sort((one, other) => away[one] - away[other]);
  const [best, second] = near.filter((place) => places[place].lit);
  if (best === undefined || away[best] - away[near[0]] > CLEARLY) return null;
  return second !== undefined && away[second] - away[best] < CLEARLY ? "unclear" : best;
}

/** On cells that are smaller than a finger the place is taken that was meant; if that is not clear, a second tap finds them large. @param {PointerEvent} event @param {() => void} onceMore */
function tapped(event, onceMore) {
  const lawn = /** @type {HTMLElement} */ (event.currentTarget);
  const lit = (/** @type {Element|null} */ cell) => cell?.getAttribute("aria-disabled") === "false";
  if (lawn.hasAttribute("data-once") && lit(/** @type {Element} */ (event.target).closest(".cell"))) return showAll(lawn); // that cell was aimed at
  if (event.detail === 0 || event.pointerType === "mouse") return;
  const cells = /** @type {HTMLElement[]} */ ([...lawn.querySelectorAll(".cell")]);
  if (cells.length === 0) return; // before the first card
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const [{ width }] = boxes;
  const found = width >= EASY ? null : meant(boxes.map((box, place) => ({ x: box.x + width / 2, y: box.y + width / 2, lit: lit(cells[place]) })), event.clientX, event.clientY);
  if (found === null) return;
  event.stopPropagation();
  if (found !== "unclear") return cells[found].click();
  lawn.setAttribute("data-panned", "");
  lawn.setAttribute("data-once", "");
  zoom(lawn, FINGER / width, [event.clientX, event.clientY]);
  onceMore();
}

/** @param {WheelEvent} event */
function wheel(event) {
  const lawn = /** @type {HTMLElement} */ (event.currentTarget);
  lawn.setAttribute("data-panned", "");
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoom(lawn, Math.exp(-event.deltaY / 300), [event.clientX, event.clientY]);
}

/** How far two fingers were apart, and what was between them, while there are two. @type {{apart: number, middle: number[]}|null} */
let fingers = null;

/** Two fingers: what is between them grows with their distance. One finger pans, as on any page. @param {TouchEvent} event */
function pinch(event) {
  const lawn = /** @type {HTMLElement} */ (event.currentTarget);
  if (event.type === "touchmove" && lawn.querySelector("[data-dragged]") === null) lawn.setAttribute("data-panned", "");
  const [one, other] = event.touches;
  const now = event.touches.length !== 2 ? null : {
    apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    middle: [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2],
  };
  if (now !== null) event.preventDefault();
  if (now !== null && fingers !== null && fingers.apart > 0) zoom(lawn, now.apart / fingers.apart, fingers.middle, now.middle);
  fingers = now;
}

// Players

/** A small butterfly of a goal: of its colour, or of its species. @param {string} word @param {boolean} on @param {number} place @returns {Child} */
function emblem(word, on, place) {
  const species = word in SPECIES ? word : "monarch";
  const wings = WINGS[species].map((wing) => h("path", { class: "skin", d: wing }));
  return h("svg", { key: place, class: `emblem ${on ? "on" : ""}`, viewBox: "0 0 43 43" }, wings, h("g", { transform: "translate(43 0) scale(-1 1)" }, wings));
}

/** @param {Scene} scene @param {number} seat @param {"colour"|"species"} goal @returns {Child} */
function goalOf(scene, seat, goal) {
  const { view, texts } = scene;
  const word = view.goals[seat][goal];
  if (word === null) return h("span", { key: goal, class: "goal hidden" }, texts(`butterflies.goal.${goal}`));
  const have = Math.min(longest(gridToBe(scene), word).length, ROW);
  const open = view.shown[seat].includes(goal);
  return h("span", { key: goal, class: `goal ${word} ${open ? "open" : ""} ${view.won?.seat === seat && view.won.goal === goal ? "met" : ""}` },
    h("b", null, named(word, texts)),
    h("span", { class: "steps", role: "img", "aria-label": texts("web.row", { have, whole: ROW }) }, Array.from({ length: ROW }, (_, place) => emblem(word, place < have, place))));
}

/** The team of a player; a tap names all who are in it. @param {Scene} scene @param {number} seat @returns {Child} */
function teamOf({ view, names, me, texts }, seat) {
  if (view.options.teams !== "on") return null;
  const together = names.filter((_, other) => sideLetter(other) === sideLetter(seat));
  const ours = me !== null && sideLetter(me) === sideLetter(seat);
  const team = texts("butterflies.team", { team: sideLetter(seat) });
  return h("span", { class: `team ${ours ? "ours" : ""}`, role: "img", "aria-label": team, "data-name": texts("web.team_of", { team, who: texts.listed(together) }), "data-letter": sideLetter(seat) }, team);
}

/** @param {Scene} scene @param {number} seat @returns {Child} */
function rack(scene, seat) {
  const { view, texts, me, awaited } = scene;
  const open = seat !== me && Array.isArray(view.hands[seat]); // to whoever sees everything
  const held = open
    ? h("span", { class: "seen" }, view.hands[seat].map((/** @type {string} */ card, /** @type {number} */ place) => h("span", { key: place, class: "slot", role: "img", "aria-label": butterfly(card, texts) }, face(card))))
    : seat !== me && h("span", { class: "backs", "data-id": `hand:${seat}`, role: "img", "aria-label": texts("board.cards", { count: size(view.hands[seat]) }) },
    Array.from({ length: size(view.hands[seat]) }, (_, place) => h("i", { key: place })));
  const goals = h("span", { class: "goals" }, goalOf(scene, seat, "colour"), goalOf(scene, seat, "species"));
  const tokens = TOKENS.map((token) => view.tokens[seat].includes(token) && h("span", { key: token, class: "has", role: "img", "aria-label": texts(`butterflies.token.${token}`), "data-name": texts(`web.token_about.${token}`, { needed: MOVING_FROM }) }, tokenSign(token)));
  const places = seat !== me && !scene.large && view.to_act.includes(seat); // in sight beside whoever has to place it; of one's own it is in the hand, and a large screen has its corner
  return h("div", { key: seat, class: `rack ${awaited.includes(seat) ? "acting" : ""}` },
    h("p", { class: "who" }, scene.who(seat), teamOf(scene, seat), held, tokens, places && turnedUp(scene)),
    seat === me
      ? h("details", { class: "secret", open: true }, h("summary", null, h("svg", { class: "eye", viewBox: "0 0 24 16", "aria-hidden": "true" }, h("path", { d: "M1 8c6-9 16-9 22 0-6 9-16 9-22 0z" }), h("circle", { cx: 12, cy: 8, r: 3.500 })), h("span", { class: "unseen" }, texts("web.goals"))), goals)
      : goals);
}

/** The card that was turned up and is still to be laid; whoever has to place it may drag it. @param {Scene} scene @returns {Child} */
function turnedUp({ view, me, asked, texts, touch, drag }) {
  const mine = me !== null && view.to_act.includes(me) && asked.length > 0;
  const dragged = (/** @type {PointerEvent} */ event) => mine && drag(event, true, () => {}, (place) => touch({ at: cellOf(place) }));
  return view.turned === null ? null : h("span", { key: "turned", class: "card turned on", onPointerDown: dragged, role: "img", "aria-label": `${texts("butterflies.turned")}: ${butterfly(view.turned, texts)}`, "data-id": "turned" }, face(view.turned));
}

/** @param {Scene} scene @returns {Child} */
function hand(scene) {
  const { view, me, texts, legal, chosen, touch } = scene;
  const turned = me !== null && view.to_act.includes(me) ? turnedUp(scene) : null; // that of others is not mine to place
  const cards = me === null || !Array.isArray(view.hands[me]) ? [] : view.hands[me];
  const open = scene.asked.flatMap((pattern) => valuesOf(pattern.card));
  const waits = turned !== null && scene.asked.length > 0;
  const choose = (/** @type {string} */ card) => (waits && !open.includes(card) ? scene.tell(texts("web.turned_first")) : touch({ card }));
  return [turned, ...cards.map((/** @type {string} */ card, /** @type {number} */ place) => {
    const on = chosen.card === card && cards.indexOf(card) === place;
    return h("button", {
      key: place, type: "button", class: `card ${on ? "on" : ""} ${legal.length > 0 && !open.includes(card) ? "dim" : ""}`, "aria-pressed": String(on), "data-id": `held:${card}`,
      onClick: () => choose(card), onPointerDown: (/** @type {PointerEvent} */ event) => scene.drag(event, on, () => choose(card), (place) => open.includes(card) && touch({ at: cellOf(place) })), // else it would be the card turned up that is placed
    }, h("span", { class: "unseen" }, butterfly(card, texts)), face(card));
  })];
}

/** Whether the cards become larger on a wide screen that has its words at their sides: else they would shrink when a row at their edge wins. @param {Plain[]} grid */
function high(grid) {
  const [across, down] = [0, 1].map((axis) => grid.map(({ at }) => at[axis])).map((places) => Math.max(...places) - Math.min(...places) + 1);
  return across <= ASIDE * down;
}

/** @param {Scene} scene */
function draw(scene) {
  const { view, me, texts } = scene;
  const seats = view.hands.map((/** @type {any} */ _, /** @type {number} */ seat) => seat);
  // Whoever plays after me comes first.
  const others = seats.map((/** @type {number} */ seat) => (seat + (me ?? -1) + 1) % seats.length).filter((/** @type {number} */ seat) => seat !== me);
  const quiet = view.quiet > 0 && ` · ${texts("butterflies.quiet", { quiet: view.quiet, most: view.options.quiet_limit })}`;
  const board = h("div", { class: `butterflies ${high(view.grid) ? "tall" : ""}` },
    h("div", { class: `others ${others.length > 1 ? "several" : ""}` }, others.map((/** @type {number} */ seat) => rack(scene, seat))),
    grassland(scene),
    h("div", { class: "below" }, me !== null && rack(scene, me), h("p", { class: "piles faint" }, h("span", { "data-id": "deck" }, texts("butterflies.deck", { count: size(view.deck) })), quiet)));
  return { board, hand: hand(scene) };
}

/** @param {Plain} news @returns {Flight[]} */
function flights(news) {
  switch (news.type) {
    case "card_played":
      return [{ id: `cell:${key(news.at)}`, from: `held:${news.card}`, or: `hand:${news.seat}` }];
    case "card_placed":
      return [{ id: `cell:${key(news.at)}`, from: "turned", or: "deck" }];
    case "card_moved":
      return [{ id: `cell:${key(news.to)}`, from: `cell:${key(news.from)}` }];
    case "token_placed":
      return [{ from: `hand:${news.seat}`, to: `cell:${key(news.at)}`, like: "trophy" }];
    case "card_turned":
      return [{ id: "turned", from: "deck" }];
    case "card_drawn":
      return news.card ? [{ id: `held:${news.card}`, from: "deck" }] : [{ from: "deck", to: `hand:${news.seat}`, like: "back" }];
    default:
      return [];
  }
}

// What is asked, and what is not

/** Whether the row of a goal is there; a goal that is face down may be any. @param {Plain[]} grid @param {string|null} word */
const isThere = (grid, word) => (word === null ? [...Object.keys(SPECIES), ...Object.keys(LETTERS)] : [word]).some((each) => longest(grid, each).length >= ROW);

/** The goals that may be declared whose row is there once this is done; all while a cell is open. @param {import("./parlour.js").Pattern} pattern @param {Plain} view @returns {Plain[]} */
function mayMeet(pattern, view) {
  const goals = valuesOf(pattern.declare).filter((each) => each !== null);
  const open = ["card", "at", "from", "to"].some((field) => pattern[field]?.one_of !== undefined);
  const after = open ? null : laidOut(pattern, view);
  return after === null ? goals : goals.filter((each) => isThere(after, view.goals[each.seat][each.goal]));
}

/** Without a question about goals whose rows are not there: nobody gains by declaring one. @type {NonNullable<import("./boards.js").Board["unasked"]>} */
export function unasked(view, legal) {
  const asked = legal.map((pattern) => {
    if (!pattern.declare?.one_of?.includes(null)) return pattern;
    const goals = mayMeet(pattern, view);
    return { ...pattern, declare: goals.length === 0 ? null : { one_of: [null, ...goals] } };
  });
  const others = asked.filter((pattern) => pattern.type !== "declare");
  const met = asked.filter((pattern) => pattern.type === "declare").flatMap((pattern) => {
    const goals = valuesOf(pattern.goal).filter((goal) => isThere(view.grid, view.goals[pattern.seat][goal]));
    return goals.length === 0 ? [] : [{ ...pattern, goal: { one_of: goals } }];
  });
  return others.length > 0 ? [...others, ...met] : asked;
}

/** The goal that it declares, if any. @param {Plain} action @returns {Plain|null} */
const declared = (action) => (action.type === "declare" ? action : (action.declare ?? null));

/** Whether it declares a goal that is known and whose row is there by then. @type {NonNullable<import("./boards.js").Board["wins"]>} */
function wins(view, action) {
  const goal = declared(action);
  const word = goal !== null ? view.goals[goal.seat][goal.goal] : null;
  return word !== null && isThere(laidOut(action, view) ?? view.grid, word);
}

/** What is asked before a goal is declared: one that is offered has its row, or is face down. @type {NonNullable<import("./boards.js").Board["sure"]>} */
function sure(view, action, texts) {
  const goal = declared(action);
  if (goal === null || wins(view, action)) return null;
  const word = view.goals[goal.seat][goal.goal];
  return word === null ? texts("play.sure_declare_unseen", { goal: texts(`moves.goals.${goal.goal}`) }) : texts("play.sure_declare_row", { goal: texts(`butterflies.word.${word}`) });
}

/** Whoever touches the cell again wins if that is possible, and otherwise lays without declaring. @type {import("./boards.js").Board} */
export const board = {
  draw, touched: ["play", "place", "move"], places: ["at", "from", "to"], again: { declare: null }, dear: ["net", "web"], unasked, wins, sure, flights,
  order: ({ type, declare }) => (declare?.goal !== undefined ? 0 : type === "declare" ? 2 : 1),
  matter: ["token_placed", "goal_declared", "game_won", "game_drawn"],
  minor: ["goals_dealt", "hand_dealt", "first_chosen", "card_drawn"],
};
