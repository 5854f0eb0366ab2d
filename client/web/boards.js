/** Which games have a board, and what a board is. */

import { board as balloonCup } from "./board_balloon_cup.js";
import { board as butterflies } from "./board_butterflies.js";
import { board as hurryCup } from "./board_hurry_cup.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** @typedef {import("./texts.js").Texts} Texts */
/** What a board is given to draw; `asked` is what was legal before anything was chosen, `news` all that is known of the game so far. @typedef {{view: Plain, news: Plain[], me: number|null, names: string[], texts: Texts, asked: Pattern[], legal: Pattern[], chosen: Plain, picked: any[], last: Plain|null, fresh: Plain[], awaited: number[], touch: (wanted: Plain) => void, drag: (down: PointerEvent, on: boolean, choose: () => void, drop: (place: string) => void) => void, who: (seat: number, more?: any) => any, tell: (text: string) => void, large?: boolean}} Scene */
/** Something that moves: what, from where (or else from where), along which places, and where to if it does not stay. @typedef {{id?: string, from: string, or?: string, along?: string[], to?: string, like?: string}} Flight */
/**
 * A game's board: `draw` gives what is seen, what is held and what the reader has just found, `touched` lists the kinds of action that are
 * chosen by touching it, `places` the fields that must be touched even if nothing else is possible, `sign` stands for an action where its words are many, `again`
 * what a second touch of a place adds, `order` where a pattern stands among those that are offered in words, `dear` the kinds that use something up
 * and need a second touch, `spends` other actions that do, `unasked` leaves out what nobody would choose, `wins` tells an action that is sure to win, `sure` what is asked before one that is not, and `flights` says what moved in a piece
 * of news; `seat` names a seat by what stands for it; `home` says to a player who has nothing more to do how that came out; `lately` puts into a view what happened a moment ago and is gone from it, `ended` gives the view of a round after its last news, from those before and after; `befalls` tells of news of the reader whether it befell the reader, or is what the reader did; null if it is no such news. Kinds of news that `matter` stay in sight, `minor` ones only follow others; those that `decide` a game are told where it has ended, from the last of the first of these kinds on; where news of the kind `rounds`
 * begins a round, they go with the next one, and those in `passing` with their own.
 * @typedef {{draw: (scene: Scene) => {board: any, hand: any, found?: {said: string, note: any}|null}, touched: string[], places: string[], sign?: (action: Plain) => string|null, again?: Plain, order?: (pattern: Pattern) => number, dear?: string[], spends?: (action: Plain) => boolean, rounds?: string, passing?: string[], matter: string[], minor: string[], decide?: string[], unasked?: (view: Plain, legal: Pattern[]) => Pattern[], wins?: (view: Plain, action: Plain) => boolean, sure?: (view: Plain, action: Plain, texts: Texts) => string|null, flights: (news: Plain) => Flight[], seat?: (seat: number, texts: Texts) => string, home?: (view: Plain, seat: number, texts: Texts) => string|null, lately?: (view: Plain, recent: Recent[]) => Plain, ended?: (before: Plain, after: Plain, news: Plain[]) => Plain|null, befalls?: (news: Plain, did: Plain|null) => boolean|null}} Board
 */
/** An update of a moment ago: the view before it, its news, and when it is no longer shown. @typedef {{before: Plain, news: Plain[], until: number}} Recent */

/** Those that have a board; others are played from their choices in words. @type {[game: string, board: Board][]} */
export const BOARDS = [
  ["balloon-cup", balloonCup],
  ["hurry-cup", hurryCup],
  ["butterflies", butterflies],
];
