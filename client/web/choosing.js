/**
 * From legal patterns and a choice that is half made to what may come next. Nothing here knows a game.
 *
 * A step offers whole actions if these are few, otherwise kinds of action, otherwise the values of the next
 * open field; a subset is picked one by one and ended, an order is picked one by one.
 */

import { count, every } from "./parlour.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./parlour.js").Pattern} Pattern */
/** What can be chosen next: the fields that it settles, and what is legal after it. @typedef {{fields: Plain, legal: Pattern[], picked?: boolean, ends?: boolean}} Choice */

const MOST = 9;

/** @param {any} value */
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {any} field */
const isSeveral = (field) => isMap(field) && ("subset" in field || "order" in field);
/** @param {any} field */
const isOpen = (field) => isMap(field) && ("one_of" in field || isSeveral(field));
/** Whether it needs a step of its own: several values are picked, or it can be left out. @param {any} field */
const isApart = (field) => isSeveral(field) || (isMap(field) && Array.isArray(field.one_of) && field.one_of.includes(null));
/** @param {any} one @param {any} other @returns {boolean} */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** @param {any} field @returns {any[]} */
const values = (field) => (isOpen(field) ? field.one_of : [field]);

/** What a field of a pattern may be, if the pattern has it. @param {any} field @returns {any[]} */
export const valuesOf = (field) => (field == null ? [] : (field.one_of ?? [field]));

/** Settles fields of one possible value. @param {Pattern[]} legal @returns {Pattern[]} */
export const narrowed = (legal) =>
  legal.map((pattern) => Object.fromEntries(Object.entries(pattern).map(([name, field]) => [name, isMap(field) && field.one_of?.length === 1 ? field.one_of[0] : field])));

/** @param {Pattern[]} legal @param {string} name */
const isSettled = (legal, name) => !isOpen(legal[0][name]) && legal.every((pattern) => same(pattern[name], legal[0][name]));
/** @param {Pattern[]} legal */
const openField = (legal) => Object.keys(legal[0]).find((name) => !isSettled(legal, name));

/** The part of the action that is certain by now, for a board to mark. @param {Pattern[]} legal @returns {Plain} */
export const settled = (legal) => (legal.length === 0 ? {} : Object.fromEntries(Object.entries(legal[0]).filter(([name]) => isSettled(legal, name))));

/** The subset or order that is chosen next, if it is the turn of one. @param {Pattern[]} legal */
function picking(legal) {
  if (legal.length === 0 || legal.some((pattern) => pattern.type !== legal[0].type)) return null;
  const name = openField(legal);
  return name !== undefined && isSeveral(legal[0][name]) ? name : null;
}

/** What was picked so far of the subset or order that is being chosen. @param {Pattern[]} legal @returns {any[]} */
export function picked(legal) {
  const name = picking(legal);
  return name === null ? [] : (legal[0][name].picked ?? []);
}

/** The whole action, once nothing is left to choose. @param {Pattern[]} legal */
export function whole(legal) {
  return picking(legal) === null && count(legal) === 1 ? [...every(legal)][0] : null;
}

/** What can be chosen next. @param {Pattern[]} legal @returns {Choice[]} */
export function choices(legal) {
  if (legal.length === 0) return [];
  const name = picking(legal);
  if (name !== null) return picks(legal, name);
  const kinds = [...new Set(legal.map((pattern) => pattern.type))];
  const apart = legal.some((pattern) => Object.values(pattern).some(isApart));
  if (count(legal) <= MOST && !apart) return actions(legal, kinds);
  return kinds.length > 1 ? byKind(legal, kinds) : split({ fields: {}, legal });
}

/** A choice for each action, told by the fields in which it differs from others of its kind. @param {Pattern[]} legal @param {string[]} kinds @returns {Choice[]} */
function actions(legal, kinds) {
  if (count(legal) === 1) {
    const [only] = every(legal);
    return [{ fields: Object.fromEntries(Object.entries(only).filter(([, value]) => value !== null)), legal: [only] }];
  }
  return kinds.flatMap((kind) => {
    const mine = legal.filter((pattern) => pattern.type === kind);
    const settled = kinds.length > 1 ? toldBesideOthers(mine) : {};
    const telling = Object.keys(mine[0]).filter((name) => name in settled || !isSettled(mine, name));
    return [...every(mine)].map((action) => ({ fields: Object.fromEntries(telling.map((name) => [name, action[name]])), legal: [action] }));
  });
}

/** What is settled of a kind of action, and neither left out nor empty: beside other kinds nothing else tells it. @param {Pattern[]} legal @returns {Plain} */
function toldBesideOthers(legal) {
  const told = (/** @type {[string, any]} */ [name, value]) => isSettled(legal, name) && value !== null && !(typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(legal[0]).filter(told));
}

/** A choice for each kind, or one for each value of its first open field where there is room. @param {Pattern[]} legal @param {string[]} kinds @returns {Choice[]} */
function byKind(legal, kinds) {
  /** @type {Map<string, Choice[]>} */
  const groups = new Map(
    kinds.map((kind) => {
      const mine = legal.filter((each) => each.type === kind);
      return [kind, [{ fields: toldBesideOthers(mine), legal: mine }]];
    }),
  );
  const parts = new Map([...groups].map(([kind, [group]]) => [kind, split(group)]));
  for (const kind of [...kinds].sort((one, other) => (parts.get(one)?.length ?? 0) - (parts.get(other)?.length ?? 0))) {
    const part = parts.get(kind) ?? [];
    const now = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
    if (part.length > 0 && now - 1 + part.length <= MOST) groups.set(kind, part);
  }
  return kinds.flatMap((kind) => groups.get(kind) ?? []);
}

/** The choice by the values of its first open field; none if there is no such field. @param {Choice} choice @returns {Choice[]} */
function split({ fields, legal }) {
  const name = openField(legal);
  if (name === undefined || legal.some((pattern) => isSeveral(pattern[name]))) return [];
  if ("type" in fields && legal.some((pattern) => isApart(pattern[name]))) return [];
  /** @type {any[]} */
  const all = [];
  for (const value of legal.flatMap((pattern) => values(pattern[name]))) if (!all.some((each) => same(each, value))) all.push(value);
  return all.map((value) => ({ fields: { ...fields, [name]: value }, legal: withFields(legal, { [name]: value }) }));
}

/** @param {Pattern[]} legal @param {string} name @returns {Choice[]} */
function picks(legal, name) {
  const field = legal[0][name];
  const taken = field.picked ?? [];
  const after = (/** @type {any} */ value) => legal.map((pattern) => ({ ...pattern, [name]: value }));
  if ("order" in field) {
    const left = field.order.filter((/** @type {any} */ value) => !taken.includes(value));
    return left.map((/** @type {any} */ value) => {
      const rest = left.filter((/** @type {any} */ each) => each !== value);
      const next = rest.length <= 1 ? [...taken, value, ...rest] : { ...field, picked: [...taken, value] };
      return { fields: { [name]: [value] }, legal: after(next) };
    });
  }
  const offered = field.subset.filter((/** @type {any} */ value) => taken.includes(value) || taken.length < field.max);
  const found = offered.map((/** @type {any} */ value) => {
    const out = taken.includes(value);
    const kept = out ? taken.filter((/** @type {any} */ each) => each !== value) : [...taken, value];
    return { fields: { [name]: [value] }, legal: after({ ...field, picked: kept }), picked: out };
  });
  if (taken.length >= field.min && taken.length <= field.max) {
    const chosen = field.subset.filter((/** @type {any} */ value) => taken.includes(value));
    found.push({ fields: { [name]: chosen }, legal: after(chosen), ends: true });
  }
  return found;
}

/** Whether a whole action is among them; what is picked of several is not looked at. @param {Pattern[]} legal @param {Plain} action */
export const offers = (legal, action) =>
  legal.some((pattern) => Object.entries(action).every(([name, value]) => name in pattern && (isSeveral(pattern[name]) || values(pattern[name]).some((each) => same(each, value)))));

/** What is legal and has these values in these fields. @param {Pattern[]} legal @param {Plain} wanted @returns {Pattern[]} */
export function withFields(legal, wanted) {
  const allows = (/** @type {any} */ field, /** @type {any} */ value) => !isSeveral(field) && values(field).some((each) => same(each, value));
  return narrowed(
    legal.filter((pattern) => Object.entries(wanted).every(([name, value]) => name in pattern && allows(pattern[name], value))).map((pattern) => ({ ...pattern, ...wanted })),
  );
}
