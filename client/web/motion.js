/** What moves: things fly from where they were to where they are, for a moment. Nothing waits for them. */

/** @typedef {import("./boards.js").Flight} Flight */

const SECONDS = 0.22;
/** Milliseconds that something is pointed at. */
const POINTED = 2600;
/** Milliseconds that a button is pale. */
const PALE = 350;

/** @param {string} id */
const find = (id) => document.querySelector(`[data-id="${CSS.escape(id)}"]`);

/** Points at things for a moment; says whether any is there. @param {string[]} things */
export function point(things) {
  const found = things.flatMap((id) => find(id) ?? []);
  for (const each of found) {
    each.scrollIntoView({ block: "nearest", inline: "nearest" });
    const outline = "4px solid var(--glow)";
    each.animate([{ outline, outlineOffset: "1px", borderRadius: "8px" }, { outline, outlineOffset: "1px", borderRadius: "8px" }], { duration: POINTED });
  }
  return found.length > 0;
}

/** Scrolls to what is looked at first; that comes last, for what comes later may push it out of sight. */
export function bringInSight() {
  for (const each of [...document.querySelectorAll("[data-look]")].reverse()) each.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** A button that was not meant by a tap is pale for a moment, so that nobody takes it for pressed. @param {EventTarget|null} target */
export function pale(target) {
  if (target instanceof Element) target.closest("button")?.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration: PALE });
}

/** Where everything is that can move, or that something can come from. @returns {Map<string, DOMRect>} */
export function places() {
  const found = new Map();
  for (const each of document.querySelectorAll("[data-id]")) found.set(each.getAttribute("data-id"), each.getBoundingClientRect());
  return found;
}

/** Moves what changed its place, for a moment, from where it was. All is measured before anything moves. @param {Map<string, DOMRect>} before @param {Flight[]} flights */
export function fly(before, flights) {
  const moving = flights.flatMap(({ id, from, or, along, to, like }) => {
    const now = find(id ?? to ?? "");
    const start = (id !== undefined && before.get(id)) || before.get(from) || before.get(or ?? "") || find(from)?.getBoundingClientRect();
    if (now === null || start === undefined) return [];
    const end = now.getBoundingClientRect();
    const stops = along?.flatMap((place) => find(place)?.getBoundingClientRect() ?? []);
    return [() => (stops !== undefined ? drive(now, end, stops) : to === undefined ? glide(now, start, end) : send(start, end, like ?? ""))];
  });
  for (const move of moving) move();
}

/** @param {Element} element @param {DOMRect} start @param {DOMRect} end */
function glide(element, start, end) {
  if (end.width === 0) return;
  const [x, y] = [start.x + start.width / 2 - end.x - end.width / 2, start.y + start.height / 2 - end.y - end.height / 2];
  const transform = `translate(${x}px, ${y}px) scale(${Math.min(1.6, Math.max(0.6, start.width / end.width))})`;
  element.animate([{ transform, zIndex: 5, opacity: 0.9 }, { transform: "none", zIndex: 5, opacity: 1 }], { duration: SECONDS * 1000, easing: "cubic-bezier(.2,.8,.3,1)" });
}

/** Drives from place to place, those that can be seen. @param {Element} element @param {DOMRect} end @param {DOMRect[]} stops */
function drive(element, end, stops) {
  const [x, y] = [end.x + end.width / 2, end.y + end.height / 2];
  const frames = stops.map((stop) => ({ transform: `translate(${stop.x + stop.width / 2 - x}px, ${stop.y + stop.height / 2 - y}px)`, zIndex: 5 }));
  element.animate([...frames, { transform: "none", zIndex: 5 }], { duration: Math.min(SECONDS * 4, (SECONDS * (stops.length + 1)) / 2) * 1000, easing: "ease-in-out" });
}

/** Sends something that does not stay: a cube to its winner. @param {DOMRect} start @param {DOMRect} end @param {string} like */
function send(start, end, like) {
  const flier = document.createElement("div");
  flier.className = `flier ${like}`;
  flier.setAttribute("aria-hidden", "true");
  document.body.append(flier);
  const at = (/** @type {DOMRect} */ box) => `translate(${box.x + box.width / 2}px, ${box.y + box.height / 2}px)`;
  const moving = flier.animate([{ transform: at(start) }, { transform: `${at(end)} scale(.7)` }], { duration: SECONDS * 2000, easing: "ease-in-out" });
  moving.onfinish = moving.oncancel = () => flier.remove();
}
