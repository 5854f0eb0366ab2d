/** A card that is dragged to its place. */

const DRAG_FROM = 8;

/** Dragging is the same choice made in one go: the card, and the place where it is dropped. @param {PointerEvent} down @param {boolean} on @param {() => void} choose @param {(place: string) => void} drop */
export function drag(down, on, choose, drop) {
  const card = /** @type {HTMLElement} */ (down.currentTarget);
  let dragging = false;
  const move = (/** @type {PointerEvent} */ event) => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!dragging && Math.hypot(x, y) > DRAG_FROM) {
      dragging = true;
      if (!on) choose();
      card.dataset.dragged = ""; // no class: the next drawing sets those anew
    }
    if (!dragging) return;
    card.style.transform = `translate(${x}px, ${y}px)`;
    mark(placeAt(event, card));
  };
  /** Shows where the card will land. @param {Element|null|undefined} place */
  const mark = (place) => {
    for (const each of document.querySelectorAll("[data-over]")) if (each !== place) each.removeAttribute("data-over");
    if (place?.getAttribute("aria-disabled") === "false") place.setAttribute("data-over", "");
  };
  const end = (/** @type {PointerEvent} */ event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    const place = placeAt(event, card)?.getAttribute("data-place");
    mark(null);
    delete card.dataset.dragged;
    card.style.transform = "";
    if (!dragging) return;
    // A mouse clicks at the end: on the card, or on whatever both it and the place lie in.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (event.type === "pointerup" && place) drop(place);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** @param {Event} event */
const swallow = (event) => event.stopPropagation();

/** The place that is seen under a finger: a notice covers none, but what else lies over a place is none. @param {PointerEvent} event @param {Element} card */
function placeAt({ clientX: x, clientY: y }, card) {
  const seen = document.elementsFromPoint(x, y).find((each) => !card.contains(each) && each.closest(".toast") === null);
  return seen?.closest("[data-place]");
}
