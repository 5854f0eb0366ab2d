/** Which screen a visit shows at a moment, with a notice or a question over it. Screens draw, and hand taps to the app; they keep nothing. */

import { door, halted, nothingToWatch } from "./door.js";
import { game } from "./game.js";
import { gathering } from "./gathering.js";
import { lobby } from "./lobby.js";
import { againstBots, newTable } from "./new_table.js";
import { button, toast } from "./parts.js";
import { h } from "./render.js";
import { replay, replays, stats } from "./replays.js";
import { report, tournament, tournaments } from "./tournaments.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./render.js").Child} Child */

/** @param {App} app @returns {Child} */
export function page(app) {
  return [screen(app), sure(app), !inGame(app) && toast(app)];
}

/** Whether a game is shown: there a notice stands above what is under the thumb. @param {App} app */
const inGame = (app) => app.halted === null && app.table !== null && app.table.view !== null && app.table.info.stage !== "gathering" && !app.large;

/** @param {App} app @returns {Child} */
function screen(app) {
  if (app.halted !== null) return halted(app);
  if (app.client === null || app.client.welcome === null || app.games.length === 0) return door(app);
  const { table } = app;
  if (table !== null && table.view !== null && table.info.stage !== "gathering") return game(app, table);
  if (table !== null) return gathering(app, table);
  if (app.large) return nothingToWatch(app);
  if (app.route.screen === "tournaments") return tournaments(app);
  if (app.route.screen === "tournament" && app.entrant.known !== null) return tournament(app, app.entrant.known);
  if (app.route.screen === "report" && app.entrant.known !== null) return report(app, app.entrant.known);
  if (app.route.screen === "replays") return replays(app);
  if (app.route.screen === "stats") return stats(app);
  if (app.route.screen === "replay" && app.archive.replay !== null) return replay(app, app.archive.replay);
  if (app.route.screen === "new") return newTable(app);
  if (app.route.screen === "bots") return againstBots(app);
  return lobby(app);
}

/** @param {App} app @returns {Child} */
function sure(app) {
  if (app.sure === null) return null;
  const { question, yes } = app.sure;
  const close = () => ((app.sure = null), app.update());
  return h("dialog", { key: "sure", class: "small", "aria-label": question, onClose: close },
    h("p", null, question),
    h("div", { class: "row" },
      button(app.texts("menu.no"), close, "main", { autofocus: true }),
      button(app.texts("menu.yes"), () => (close(), yes()))));
}
