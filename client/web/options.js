/** Games and what they are played with: options, editions, and how strong a bot is. */

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */

/** @param {string} game @param {Texts} texts */
export const gameName = (game, texts) => texts.orElse(`game.${game}`, game);

/** @param {string} game @param {string} option @param {Texts} texts */
export function optionWords(game, option, texts) {
  const key = `options.${game}.${option}`;
  return { name: texts.orElse(`${key}.name`, option.replaceAll("_", " ")), about: texts.orElse(`${key}.about`, "") };
}

/** A value in words; seats count from 1, as at the table. @param {string} game @param {string} option @param {any} value @param {Texts} texts */
export function valueWords(game, option, value, texts) {
  if (option === "first" && typeof value === "number") return texts("options.values.seat", { seat: value + 1 });
  return texts.orElse(`options.${game}.${option}.${value}`, texts.orElse(`options.values.${value}`, String(value)));
}

/** How strong a built-in bot is, by the name of its strategy. @type {{[strategy: string]: string}} */
const LEVELS = { casual: "easy", greedy: "medium", search: "hard" };

/** The strategy of the next stronger bots among these, and what asks whether to try them. @param {string} strategy @param {string[]} offered @param {Texts} texts @returns {{strategy: string, question: string}|null} */
export function harder(strategy, offered, texts) {
  const all = Object.keys(LEVELS);
  const next = all[all.indexOf(strategy) + 1];
  return all.includes(strategy) && offered.includes(next) ? { strategy: next, question: texts(`over.harder.${LEVELS[next]}`) } : null;
}

/** The strategies that players are offered: random play only if there is nothing else. @param {string[]} strategies */
export const forPeople = (strategies) => (strategies.length > 1 ? strategies.filter((each) => each !== "random") : strategies);

/** @param {string} strategy @param {Texts} texts */
export const levelWords = (strategy, texts) => (Object.hasOwn(LEVELS, strategy) ? texts(`bots.${LEVELS[strategy]}`) : strategy);

/** @type {Plain} */
const USUAL = {
  "balloon-cup": { edition: "standard", tile_cap: 2, table_cap: "off", trade: "claim", paid_cubes: "box", opponent_side: "always", wind: "off", stuck_shows: "hand", first: "random" },
  "hurry-cup": { track: "random", grab: "race", finish: "all", races: 1, empty_tank: 1, first: "random" },
  butterflies: { teams: "off", declare: "manual", quiet_limit: 24, first: "random" },
};
/** What an edition sets; options that are given beside it win. @type {Plain} */
const EDITIONS = {
  italian: { tile_cap: "none", trade: "turn", paid_cubes: "bag", stuck_shows: "colours" },
  russian: { tile_cap: "none" },
  chinese: { tile_cap: 2, table_cap: "on" },
};

/** Every option: as it was given, else as the edition has it, else as usual. @param {string} game @param {Plain} given @returns {Plain} */
export const settledOptions = (game, given) => ({ ...USUAL[game], ...EDITIONS[given.edition], ...given });

/** The options of a table that are not as usual: the edition, and what is not as it has it. @param {string} game @param {Plain} given @param {Texts} texts @returns {string[]} */
export function unusual(game, given, texts) {
  const said = Object.entries(given).filter(([name, value]) => {
    const { [name]: _, ...others } = given;
    return JSON.stringify(settledOptions(game, others)[name]) !== JSON.stringify(value);
  });
  return said.map(([name, value]) => texts("new.option", { name: optionWords(game, name, texts).name, value: valueWords(game, name, Array.isArray(value) ? "own" : value, texts) }));
}
