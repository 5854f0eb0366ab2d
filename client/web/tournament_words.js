/** What is said of tournaments: their rules, and where one stands. */

import { gameName } from "./options.js";
import { decimal, time } from "./texts.js";

/** @typedef {import("./parlour.js").Plain} Plain */
/** @typedef {import("./texts.js").Texts} Texts */

/** Ways to fail in a game. */
export const FAILURES = ["late", "crashed", "absent", "illegal"];

/** @param {string} kind @param {string} word @param {Texts} texts */
export const tournamentWord = (kind, word, texts) => texts.orElse(`tournament.${kind}.${word}`, word.replaceAll("_", " "));

/** What whoever enters should know, a sentence each. @param {Plain} rules @param {Texts} texts @returns {string[]} */
export function tournamentRules(rules, texts) {
  const { entry, clocks } = rules;
  return [
    texts("tournament.rule.tables", { game: gameName(rules.game, texts), seats: rules.seats, count: rules.games }),
    rules.rounds === null ? texts("tournament.rule.rounds_follow") : texts("tournament.rule.rounds", { count: rules.rounds }),
    clocks.decision == null ? texts("tournament.rule.no_clock") : texts("tournament.rule.clock", { seconds: decimal(String(clocks.decision), texts) }),
    texts(`tournament.who.${entry.who}`, { names: entry.names.join(texts("list.between")) }),
    ...(entry.invitation ? [texts("tournament.rule.invitation")] : []),
    ...(entry.one_per_address ? [texts("tournament.rule.one_per_address")] : []),
    texts("tournament.rule.field", { least: Math.max(entry.least, rules.seats), most: entry.most }),
    entry.late ? texts("tournament.rule.late", { round: entry.late }) : texts("tournament.rule.no_late"),
    ...(rules.starts ? [texts("tournament.rule.starts", { time: time(rules.starts, texts) })] : []),
    texts("tournament.rule.no_hints"),
    ...failing(rules, texts),
    texts(`tournament.bye.${rules.bye}`),
    ...(rules.format === "knockout" ? [] : [texts("tournament.rule.tie_breaks", { breaks: tieBreaks(rules, texts) })]),
    texts("tournament.rule.seed", { seed: rules.seed }),
  ];
}

/** What decides between equal points. @param {Plain} rules @param {Texts} texts */
export const tieBreaks = (rules, texts) => rules.tie_breaks.map((/** @type {string} */ each) => tournamentWord("tie_break", each, texts)).join(texts("list.between"));

/** What comes of each way to fail. @param {Plain} rules @param {Texts} texts @returns {string[]} */
function failing({ clocks, failures }, texts) {
  const some = (/** @type {string} */ remedy) => FAILURES.some((kind) => failures[kind] === remedy);
  return [
    ...FAILURES.map((kind) => texts(`tournament.rule.failing.${kind}`, { remedy: texts(`tournament.remedy.${failures[kind]}`) })),
    ...(some("default") ? [texts("tournament.rule.default")] : []),
    ...(clocks.decision == null ? [] : [texts(`tournament.rule.thrice.${clocks.late ?? "stand_in"}`)]),
    ...(some("strike") ? [texts("tournament.rule.strikes", { count: failures.strikes })] : []),
  ];
}

/** Where a tournament stands, in a few words, and why it came to that. @param {Plain} info @param {Texts} texts */
export function tournamentPhase(info, texts) {
  const phase = phaseWords(info, texts);
  const why = info.cause ? texts(`tournaments.cause.${info.cause}`) : info.why;
  return why ? texts("tournaments.because", { phase, why }) : phase;
}

/** @param {Plain} info @param {Texts} texts */
function phaseWords(info, texts) {
  const phase = tournamentWord("phase", info.phase, texts);
  const { round, rounds } = info;
  if (["running", "paused"].includes(info.phase) && round > 0) return texts(rounds === null ? "tournaments.in_round" : "tournaments.in_round_of", { phase, round, rounds });
  if (info.phase === "check_in") return texts("tournaments.in_check_in", { phase, there: info.checked_in, entrants: info.entrants });
  return info.starts !== null && ["announced", "registration"].includes(info.phase) ? texts("tournaments.starts", { phase, time: time(info.starts, texts) }) : phase;
}
