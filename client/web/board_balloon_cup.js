/** The board of Balloon Cup: tiles between two players, their cubes and trophies, and the hand. Draws only. */

import { LETTERS, size } from "./cards.js";
import { offers } from "./choosing.js";
import { h } from "./render.js";
import { amounts, called, inOrder, parts, PRICES, trophiesOf } from "./words_balloon_cup.js";

/** @typedef {import("./boards.js").Scene} Scene */
/** @typedef {import("./boards.js").Flight} Flight */
/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./render.js").Child} Child */

const COLOURS = Object.keys(LETTERS);

const ENVELOPE = "M22 3C33 3 40 11 40 21c0 8-6 14-10 19H14C10 35 4 29 4 21 4 11 11 3 22 3z";
/** A pattern for each colour, for eyes that cannot tell colours apart: on the balloon's skin. @type {{[colour: string]: string}} */
const PATTERNS = {
  red: "M14 5c-4 10-4 24 2 35M30 5c4 10 4 24-2 35M22 3v37",
  yellow: "M5 16h34M4 25h36M9 34h26",
  green: "M8 9l30 20M4 18l28 20M17 4l22 15M40 15L14 38M34 7L6 29M26 4L4 19",
  blue: "M11 12l.1 0M22 9l.1 0M33 12l.1 0M8 23l.1 0M36 23l.1 0M14 33l.1 0M30 33l.1 0M22 36l.1 0",
  grey: "M5 20l6-6 6 6 6-6 6 6 6-6 5 5M7 30l6-6 6 6 6-6 6 6 6-6",
};

/** A card: a balloon with its number, its letter in the corner. @param {string} card @returns {Child} */
function face(card) {
  const [colour, value] = parts(card);
  return h("svg", { class: `face ${colour}`, viewBox: "0 0 44 60", "aria-hidden": "true" },
    h("rect", { class: "paper", x: 0.5, y: 0.5, width: 43, height: 59, rx: 5 }),
    h("path", { class: "skin", d: ENVELOPE }),
    h("path", { class: `pattern p-${colour}`, d: PATTERNS[colour] }),
    h("path", { class: "ropes", d: "M15 40l3 8M29 40l-3 8" }),
    h("rect", { class: "basket", x: 17, y: 48, width: 10, height: 7, rx: 1.5 }),
    h("circle", { class: "disc", cx: 22, cy: 21, r: 12 }),
    h("text", { class: "value", x: 22, y: 27 }, value),
    h("text", { class: "letter", x: 5, y: 56 }, LETTERS[colour]));
}

/** Where a card of this colour is still missing. @param {string} colour @returns {Child} */
const gap = (colour) =>
  h("svg", { class: `gap ${colour}`, viewBox: "0 0 44 60", "aria-hidden": "true" },
    h("rect", { x: 2, y: 2, width: 40, height: 56, rx: 5 }), h("text", { x: 22, y: 35 }, LETTERS[colour]));

/** @param {string} colour @returns {Child} */
const cube = (colour) =>
  h("svg", { class: `cube ${colour}`, viewBox: "0 0 20 20", "aria-hidden": "true" },
    h("path", { class: "skin", d: "M10 1l8 4v10l-8 4-8-4V5z" }),
    h("path", { class: "edge", d: "M2 5l8 4 8-4M10 9v10" }),
    h("circle", { class: "disc", cx: 10, cy: 10, r: 5.6 }),
    h("text", { x: 10, y: 13.2 }, LETTERS[colour]));

/** A trophy. @returns {Child} */
const cup = () =>
  h("svg", { class: "cup", viewBox: "0 0 20 20", "aria-hidden": "true" },
    h("path", { d: "M5 2h10v2h3c0 5-2 7-4 7.500-1 1.500-2 2-3 2.300V16h3v2H6v-2h3v-2.200c-1-.3-2-.8-3-2.300C4 11 2 9 2 4h3zM3.600 5.500c.2 2.500 1 3.500 1.800 4C5 8 5 7 5 5.500zm12.800 0H15c0 1.500 0 2.500-.4 4 .8-.5 1.600-1.500 1.800-4z" }));

/** @param {string} terrain @returns {Child} */
function landscape(terrain) {
  const mountain = terrain === "mountain";
  return h("svg", { class: `land ${terrain}`, viewBox: "0 0 160 60", preserveAspectRatio: "xMidYMax slice", "aria-hidden": "true" },
    h("circle", { class: "sun", cx: 132, cy: mountain ? 14 : 18, r: 9 }),
    mountain
      ? [
          h("path", { class: "far", d: "M-4 60L30 20l18 18L78 6l34 34 16-12 40 32z" }),
          h("path", { class: "snow", d: "M78 6l11 11-6 3-5-4-5 5-5-4zM30 20l8 8-5 2-4-3-6 2z" }),
          h("path", { class: "near", d: "M0 60L0 52l26-12 30 12 40-16 30 14 34-8v18z" }),
        ]
      : [
          h("path", { class: "far", d: "M0 60V42c30-10 60-8 90 0s50 2 70-6v24z" }),
          h("path", { class: "near", d: "M0 60v-8c40-10 80-2 110 0s40-2 50-4v12z" }),
          h("path", { class: "furrow", d: "M18 60c10-6 30-9 50-9M60 60c12-5 30-7 52-6" }),
        ]);
}

/** A balloon that rises over a tile that was won. @param {number} winner @returns {Child} */
const rising = (winner) =>
  h("svg", { class: `rising by${winner}`, viewBox: "0 0 44 60", "aria-hidden": "true" },
    h("path", { class: "skin", d: ENVELOPE }), h("path", { class: "ropes", d: "M15 40l3 8M29 40l-3 8" }), h("rect", { class: "basket", x: 17, y: 48, width: 10, height: 7, rx: 1.5 }));

/** @param {string[]} cards */
const sum = (cards) => cards.reduce((total, card) => total + parts(card)[1], 0);

/** The colours that a side of a tile still needs. @param {string[]} cubes @param {string[]} cards */
function missing(cubes, cards) {
  const left = [...cubes];
  for (const card of cards) {
    const place = left.indexOf(parts(card)[0]);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

/** A side of a tile in words. @param {Scene} scene @param {Plain} tile @param {number} side */
function sideWords({ me, names, texts }, tile, side) {
  const cards = tile.sides[side];
  const open = missing(tile.cubes, cards);
  const state = open.length > 0 ? texts("web.side_open", { sum: sum(cards), missing: amounts(open, texts) }) : texts("web.side_full", { sum: sum(cards) });
  return texts(side === me ? "web.side_own" : "web.side_other", { tile: tile.number, terrain: texts(`balloon.terrain.${tile.terrain}`), who: names[side], state });
}

/** @param {Scene} scene @param {Plain} tile @param {number} side @returns {Child} */
function sideOf(scene, tile, side) {
  const { me, legal, chosen, touch, last } = scene;
  const cards = inOrder(tile.sides[side]);
  const open = missing(tile.cubes, cards);
  const aimed = chosen.card !== undefined;
  const lit = aimed && legal.some((pattern) => pattern.tile === tile.number && allowed(pattern.side, side));
  const fits = lit ? open.indexOf(parts(chosen.card)[0]) : -1;
  const place = () => lit && touch({ tile: tile.number, side });
  return h("button", {
    type: "button", class: `place ${side === me ? "own" : ""} ${lit ? "lit" : ""}`, "aria-disabled": String(!lit), tabindex: lit ? 0 : -1, onClick: place,
    "data-place": `${tile.number}.${side}`, "data-look": lit ? "" : undefined,
  },
    h("span", { class: "unseen" }, sideWords(scene, tile, side)),
    cards.map((card) => h("span", { key: card, class: `slot ${last?.card === card ? "last" : ""}`, "data-id": `card:${card}` }, face(card))),
    open.map((colour, number) => h("span", { key: `open${number}`, class: `slot ${number === fits ? "fits" : ""}` }, gap(colour))));
}

/** @param {any} field @param {any} value */
const allowed = (field, value) => field === value || (Array.isArray(field?.one_of) && field.one_of.includes(value));

/** @param {Scene} scene @param {Plain} tile @param {number[]} order @returns {Child} */
function tileOf(scene, tile, order) {
  const { texts } = scene;
  const [theirs, ours] = order;
  const aim = texts(`balloon.aim.${tile.terrain}`);
  const told = texts("web.tile", { tile: tile.number, terrain: texts(`balloon.terrain.${tile.terrain}`), aim, cubes: amounts(tile.cubes, texts) });
  const won = scene.fresh.find((news) => news.type === "tile_scored" && news.tile === tile.number);
  return h("section", { key: tile.number, class: `tile ${tile.terrain} ${tile.winner === undefined ? "" : "scored"}`, "aria-label": told, "data-id": `tile:${tile.number}` },
    sideOf(scene, tile, theirs),
    h("div", { class: "middle", "aria-hidden": "true" },
      landscape(tile.terrain),
      h("b", { class: "number" }, tile.number),
      tile.winner === undefined
        ? h("span", { class: "aim" }, h("span", null, aim), h("span", { class: "cubes" }, tile.cubes.map((/** @type {string} */ colour) => cube(colour))))
        : h("span", { class: "aim" }, h("b", null, `★ ${scene.names[tile.winner]}`)),
      h("span", { class: "sums" }, h("span", { class: "sum" }, sum(tile.sides[theirs])), h("span", { class: "sum ours" }, sum(tile.sides[ours]))),
      won && rising(won.winner)),
    sideOf(scene, tile, ours));
}

/** Whether a trophy is offered for cubes. @param {Scene} scene */
const claims = ({ legal }) => legal.some(({ type }) => type === "claim");

/** What a claim leads to: its price alone would not speak for it. @param {Scene} scene @returns {{said: string, note: Child}|null} */
function prospect(scene) {
  const { view, me, texts } = scene;
  if (!claims(scene)) return null;
  const trophies = trophiesOf(view, /** @type {number} */ (me)) + 1;
  return { said: "", note: h("p", { class: "prospect" }, texts("web.claim_leads", { trophies: texts("balloon.trophy_count", { count: trophies }) })) };
}

/** A player's cubes and trophies. @param {Scene} scene @param {number} seat @returns {Child} */
function rack(scene, seat) {
  const { view, names, texts, me, awaited } = scene;
  const chips = COLOURS.map((colour) => {
    const have = view.cubes[seat][colour] ?? 0;
    const owner = view.trophies[colour];
    const colourWord = texts(`balloon.colour.${colour}`);
    const label = owner === seat ? texts("web.trophy_own", { colour: colourWord, have }) : texts(owner === undefined ? "web.cubes_of" : "web.cubes_lost", { colour: colourWord, have, price: PRICES[colour] });
    const kind = owner === seat ? "won" : owner !== undefined ? "lost" : have >= PRICES[colour] ? "enough" : "";
    const full = owner === undefined ? Math.min(1, have / PRICES[colour]) : 0;
    return h("li", { key: colour, class: `chip ${colour} ${kind}`, "data-id": `cubes:${seat}:${colour}`, style: { "--full": String(full) } },
      h("span", { class: "unseen" }, label),
      h("span", { class: "count", "aria-hidden": "true" }, cube(colour), owner === seat ? [cup(), have > 0 && h("b", null, have)] : [h("b", null, have), h("small", null, `/${PRICES[colour]}`)]));
  });
  const open = seat !== me && Array.isArray(view.hands[seat]); // to whoever sees everything
  const shown = open ? inOrder(view.hands[seat]) : seat === me ? [] : (view.seen?.[seat] ?? []);
  const held = seat === me || open ? 0 : size(view.hands[seat]);
  const asked = seat === me && claims(scene); // of what lies here
  return h("div", { class: `rack ${awaited.includes(seat) ? "acting" : ""}`, "data-look": asked ? "" : undefined },
    h("p", { class: "who" },
      scene.who(seat, h("span", { class: "backs", "data-id": `hand:${seat}`, role: held > 0 ? "img" : undefined, "aria-label": held > 0 ? texts("board.cards", { count: held }) : undefined }, Array.from({ length: held }, (_, place) => h("i", { key: place })))),
      shown.length > 0 && h("span", { class: "seen" }, shown.map((/** @type {string} */ card) => h("span", { key: card, class: "slot", role: "img", "aria-label": called(card, texts) }, face(card))))),
    h("ul", { class: "chips", "aria-label": texts("web.cubes_and_trophies", { who: names[seat] }) }, chips));
}

/** @param {Scene} scene @returns {Child} */
function hand(scene) {
  const { view, me, texts, legal, chosen, picked, touch } = scene;
  const cards = me === null ? [] : view.hands[me];
  if (!Array.isArray(cards)) return null;
  const all = scene.asked.flatMap((pattern) => [pattern.card?.one_of ?? pattern.card ?? [], pattern.cards?.subset ?? []].flat());
  const exchanging = legal.some((pattern) => pattern.cards !== undefined);
  const most = Math.max(...legal.map((pattern) => pattern.cards?.max ?? Infinity));
  /** Plays this card and no other, where it fits. */
  const drop = (/** @type {string} */ card, /** @type {string} */ place) => {
    const [number, side] = place.split(".").map(Number);
    if (exchanging || !all.includes(card)) return; // that was said when it was picked up
    if (offers(scene.asked, { card, tile: number, side })) return touch({ card, tile: number, side });
    const tile = view.tiles.find((/** @type {Plain} */ each) => each.number === number);
    scene.tell(`${tile === undefined ? "" : `${sideWords(scene, tile, side)}. `}${texts("web.not_there")}`);
  };
  return cards.map((card) => {
    const playable = legal.length === 0 || all.includes(card);
    const on = chosen.card === card || picked.includes(card);
    const choose = () => (!exchanging ? touch({ card }) : !on && picked.length >= most ? scene.tell(texts("web.cards_at_most", { count: most })) : touch({ cards: card }));
    return h("button", {
      key: card, type: "button", class: `card ${on ? "on" : ""} ${playable ? "" : "dim"}`, "aria-pressed": String(on), "aria-disabled": String(!playable),
      "data-id": `card:${card}`, onClick: choose, onPointerDown: (/** @type {PointerEvent} */ event) => scene.drag(event, on, choose, (place) => drop(card, place)),
    }, h("span", { class: "unseen" }, called(card, texts)), face(card));
  });
}

/** @param {Scene} scene */
function draw(scene) {
  const { view, me, texts } = scene;
  const ours = me ?? 0;
  const order = [1 - ours, ours];
  const tiles = view.tiles.length === 0 ? h("p", null, texts("balloon.no_tiles")) : view.tiles.map((/** @type {Plain} */ tile) => tileOf(scene, tile, order));
  const board = h("div", { class: "balloon" },
    rack(scene, order[0]),
    h("div", { class: `tiles ${scene.chosen.card === undefined ? "" : "aiming"}` }, tiles),
    h("div", { class: "below" },
      rack(scene, order[1]),
      h("p", { class: "piles faint" }, h("span", { "data-id": "deck" }, texts("balloon.piles", { deck: size(view.deck), discard: view.discard.length }).replace(/ {2,}/, " · ")), ` · ${texts("balloon.bag", { count: Object.values(view.bag).reduce((sum, each) => sum + each, 0) })}`)));
  return { board, hand: hand(scene), found: prospect(scene) };
}

const PLAYED = ["card_played", "wind_blew"];

/** The view with tiles that were scored a moment ago, as they stood. @type {NonNullable<import("./boards.js").Board["lately"]>} */
function lately(view, recent) {
  /** @type {Map<number, Plain>} */
  const standing = new Map();
  for (const { before, news } of recent) {
    for (const each of news) {
      if (each.type === "tile_scored") standing.set(each.tile, asItStood(before, news, each));
      else if (PLAYED.includes(each.type)) standing.delete(each.tile); // it would hide this card
    }
  }
  const others = view.tiles.filter((/** @type {Plain} */ { number }) => !standing.has(number));
  return { ...view, tiles: [...others, ...standing.values()].sort((one, other) => one.number - other.number) };
}

/** A tile with the card that completed it, and who won it. @param {Plain} before @param {Plain[]} news @param {Plain} scored @returns {Plain} */
function asItStood(before, news, scored) {
  const tile = before.tiles.find((/** @type {Plain} */ { number }) => number === scored.tile);
  const sides = tile.sides.map((/** @type {string[]} */ side) => [...side]);
  for (const { type, tile: number, side, card, replaced } of news) {
    if (!PLAYED.includes(type) || number !== scored.tile) continue;
    if (type === "wind_blew") sides[side].splice(sides[side].indexOf(replaced), 1);
    sides[side].push(card);
  }
  return { ...tile, sides, winner: scored.winner };
}

/** @param {Plain} news @returns {Flight[]} */
function flights(news) {
  switch (news.type) {
    case "card_played":
    case "wind_blew":
      return [{ id: `card:${news.card}`, from: `hand:${news.seat}` }];
    case "card_drawn":
      return news.card ? [{ id: `card:${news.card}`, from: "deck" }] : [{ from: "deck", to: `hand:${news.seat}`, like: "back" }];
    case "tile_scored":
      return news.cubes.map((/** @type {string} */ colour) => ({ from: `tile:${news.tile}`, to: `cubes:${news.winner}:${colour}`, like: `cube ${colour}` }));
    case "trophy_taken":
      return [{ from: "deck", to: `cubes:${news.seat}:${news.trophy}`, like: "trophy" }];
    default:
      return [];
  }
}

/** @type {import("./boards.js").Board} */
export const board = {
  draw, touched: ["play", "wind", "exchange"], places: ["tile", "side"], flights, lately,
  matter: ["tile_scored", "trophy_taken", "game_won", "game_locked"],
  decide: ["tile_scored", "cubes_traded", "trophy_taken"],
  minor: ["hand_dealt", "first_chosen", "tile_filled", "card_drawn", "deck_shuffled", "claim_declined"],
};
