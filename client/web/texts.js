/** Texts of one language, out of the catalogues that all clients share: by their keys, with plurals and numbers as that language has them. */

/** @typedef {import("./parlour.js").Plain} Plain */
/**
 * Texts of one language by their keys: `texts("lobby.seats", {taken: 1, seats: 2})`.
 * @typedef {{
 *   (key: string, facts?: Plain): string,
 *   language: string,
 *   languages: {[code: string]: string},
 *   has: (key: string) => boolean,
 *   orElse: (key: string, otherwise: string, facts?: Plain) => string,
 *   listed: (words: string[]) => string,
 *   rules: Texts,
 * }} Texts
 */

/** @param {{language: string, languages: {[code: string]: string}, texts: Plain, rules: Plain}} catalogue @returns {Texts} */
export function textsOf({ language, languages, texts: known, rules }) {
  const plural = new Intl.PluralRules(language);
  const lookUp = (/** @type {Plain} */ all) => {
    const texts = /** @type {Texts} */ ((key, facts = {}) => {
      const found = Object.hasOwn(all, key) ? all[key] : key;
      const text = typeof found === "string" ? found : (found[plural.select(facts.count)] ?? Object.values(found).at(-1));
      return text.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => {
        if (name in facts) return String(facts[name]);
        console.error(`${key} wants ${name}`); // a fault of ours, which tests look for
        return whole;
      });
    });
    texts.language = language;
    texts.languages = languages;
    texts.has = (key) => Object.hasOwn(all, key);
    texts.orElse = (key, otherwise, facts) => (texts.has(key) ? texts(key, facts) : otherwise);
    texts.listed = (words) =>
      words.length < 2 ? words.join("") : texts("list.last", { before: words.slice(0, -1).join(texts("list.between")), last: words.at(-1) });
    return texts;
  };
  const texts = lookUp(known);
  texts.rules = lookUp(rules);
  return texts;
}

/** @param {string[]} sentences @param {Texts} texts */
export const inARow = (sentences, texts) => sentences.reduce((told, more) => texts("list.sentences", { told, more }));

/** What begins a sentence. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** A number as programs write it, with the decimal mark of this language. @param {string} number @param {Texts} texts */
export const decimal = (number, texts) => number.replace(".", texts("list.point"));

/** Seconds since 1970 as this machine tells the time. @param {number} when @param {Texts} texts */
export const time = (when, texts) => new Date(when * 1000).toLocaleString(texts.language, { dateStyle: "medium", timeStyle: "short" });
