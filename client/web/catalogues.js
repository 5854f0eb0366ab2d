/** The texts of the page in the reader's language, as the server has them. */

import { kept } from "./memory.js";
import { textsOf } from "./texts.js";

/** @typedef {import("./texts.js").Texts} Texts */

const LANGUAGES = ["en", "ru", "it", "zh"];
/** Milliseconds between two tries to have the first texts. */
const AGAIN = 1000;

/** The language that the reader has chosen here, or else the first of the browser's that there is. */
function wanted() {
  const wishes = [kept("language") ?? "", ...navigator.languages].map((wish) => wish.slice(0, 2).toLowerCase());
  return wishes.find((wish) => LANGUAGES.includes(wish)) ?? "en";
}

/** @param {string} language @returns {Promise<Texts>} */
export async function textsIn(language) {
  const answer = await fetch(new URL(`texts/${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts in ${language}: ${answer.status}`);
  return textsOf(await answer.json());
}

/** Those of a first visit: without them nothing can be said, so it tries until they come. @returns {Promise<Texts>} */
export async function firstTexts() {
  for (;;) {
    try {
      return await textsIn(wanted());
    } catch (wrong) {
      await new Promise((done) => setTimeout(done, AGAIN));
      if (!(wrong instanceof TypeError)) location.reload(); // the server has another build by now
    }
  }
}
