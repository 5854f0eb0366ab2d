/** What the cards of Balloon Cup and of Butterflies have in common. */

/** The same in every language, so that players of several can talk about a card. @type {{[colour: string]: string}} */
export const LETTERS = { red: "R", yellow: "Y", green: "G", blue: "B", grey: "E" };

/** How many cards are in a pile: whoever may not see them is told their number alone. @param {any} pile */
export const size = (pile) => (typeof pile === "number" ? pile : (pile ?? []).length);
