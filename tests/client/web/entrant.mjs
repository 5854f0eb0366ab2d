// A tournament and the reader's part in it: events and pictures come in, what the reader is told comes out.
import { readFileSync } from "node:fs";
import { Entrant } from "../../../client/web/entrant.js";
import { Refused } from "../../../client/web/parlour.js";

const stories = JSON.parse(readFileSync(0, "utf-8"));
const TABLE = { id: "T2", info: { tournament: "CUP", chairs: [{ name: "Ben" }, { name: "Ann" }] }, seat: 1, result: null };
const steps = {
  draws: (entrant) => entrant.gameWords(TABLE),
  picture: (entrant, picture) => steps.looks(entrant, picture),
  looks: async ({ app }, picture) => {
    app.route = { screen: "tournament", id: picture.info.tournament };
    app.pictures.set(picture.info.tournament, picture);
    await app.entrant.lookAt(picture.info.tournament);
  },
  plays: ({ app }) => (app.route = { screen: "table", id: "T1" }),
  closes: ({ app }, id) => app.pictures.delete(id),
  event: (entrant, event) => entrant.changed(event),
  entered: (_, id) => localStorage.setItem("parlour.entered", id),
  reconnects: ({ app }) => app.entrant.comeBack(),
  reloads: ({ app }) => (app.entrant = new Entrant(app)),
};

async function lived({ name, story }) {
  const stored = new Map();
  globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) };
  const [heard, went, pictures] = [[], [], new Map()];
  const texts = Object.assign((key, facts) => `${key} ${JSON.stringify(facts)}`, { listed: (all) => all });
  const app = { name, texts, pictures, route: { screen: "lobby", id: "" }, notices: { alert: (text) => heard.push(text), say: (text) => heard.push(text) }, update: () => {}, go: (...where) => went.push(where) };
  app.ask = async (_, { tournament }) => pictures.get(tournament);
  app.client = {
    ask: async (_, { tournament }) => {
      if (!pictures.has(tournament)) throw new Refused("no_such_tournament", {});
      return pictures.get(tournament);
    },
  };
  app.entrant = new Entrant(app);
  for (const step of story) {
    for (const [what, given] of Object.entries(step)) await steps[what](app.entrant, given);
    await new Promise(setImmediate);
  }
  const { entrant } = app;
  const { known } = entrant;
  return { heard, went, game: entrant.gameWords(TABLE), bye: known && entrant.byeWords(known), called: entrant.called?.info.name ?? null, missed: entrant.missed?.name ?? null, absentees: known?.absentees ?? null };
}

/** How often the list is asked for, second by second, on these screens. */
async function asked(screens) {
  let [now, count] = [0, 0];
  globalThis.performance = { now: () => now };
  globalThis.document = { hidden: false };
  const client = { state: "open", ask: async () => (count++, { tournaments: [{ phase: "registration" }, { phase: "running" }] }) };
  const app = { client, route: {}, tournaments: [], update: () => {} };
  const entrant = new Entrant(app);
  for (const screen of screens) {
    app.route = { screen };
    entrant.tick();
    await null;
    now += 1000;
  }
  await new Promise((done) => setTimeout(done));
  return { count, open: entrant.open };
}

const told = [];
for (const each of stories.lived) told.push(await lived(each)); // each has the storage for itself
console.log(JSON.stringify({ lived: told, asked: await Promise.all(stories.asked.map(asked)) }));
