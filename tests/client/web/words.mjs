// News, choices and rules in words: catalogues and what to tell are given, the sentences come back.
import { readFileSync } from "node:fs";
import { board, unasked } from "../../../client/web/board_butterflies.js";
import { choices, narrowed } from "../../../client/web/choosing.js";
import { hintWords, inOrderOfFields, moveWords } from "../../../client/web/moves.js";
import { sentence } from "../../../client/web/news.js";
import { unusual } from "../../../client/web/options.js";
import { statistics } from "../../../client/web/replays.js";
import { rules } from "../../../client/web/rules.js";
import { textsOf } from "../../../client/web/texts.js";
import { tournamentPhase, tournamentRules } from "../../../client/web/tournament_words.js";

const { catalogues, news = [], questions = [], tables = [], hints = [], tournaments = [], phases = [], players = [], games = [], rows = [], declared = [] } = JSON.parse(readFileSync(0, "utf-8"));
const inAll = (tell) => Object.fromEntries(Object.entries(catalogues).map(([language, each]) => [language, tell(textsOf(each))]));
console.log(
  JSON.stringify({
    news: inAll((texts) => news.map(({ game, names, plain, me }) => sentence(game, plain, names, texts, me))),
    questions: inAll((texts) =>
      questions.map(({ legal, ...context }) => choices(narrowed(inOrderOfFields(context.game, legal))).map((choice) => [choice.fields, moveWords(choice.fields, { ...context, texts })])),
    ),
    hints: inAll((texts) => hints.map(({ ranked, ...context }) => hintWords(ranked, { ...context, texts }))),
    tournaments: inAll((texts) => tournaments.map((each) => tournamentRules(each, texts))),
    phases: inAll((texts) => phases.map((each) => tournamentPhase(each, texts))),
    unusual: inAll((texts) => tables.map(({ game, options }) => unusual(game, options, texts))),
    unasked: rows.map(({ view, legal }) => unasked(view, legal)),
    wins: declared.map(({ view, action }) => board.wins(view, action)),
    statistics: players.map((name) => statistics(games, name)),
    rules: inAll((texts) => tables.map(({ game, options }) => rules(game, options, texts))),
  }),
);
