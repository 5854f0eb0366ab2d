// A tournament and the reader's part in it: events and pictures come in, what the reader is told comes out.
import { readFileSync } from "node:fs";
import { Entrant } from "../../../client/web/entrant.js";

const stories = JSON.parse(readFileSync(0, "utf-8"));
const steps = {
  picture: (entrant, picture) => entrant.know(picture),
  event: (entrant, event) => entrant.changed(event),
  entered: (_, id) => localStorage.setItem("parlour.entered", id),
  reloads: (entrant) => Object.assign(entrant, new Entrant(entrant.app)),
};

function lived({ name, story }) {
  const stored = new Map();
  globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) };
  const heard = [];
  const texts = Object.assign((key, facts) => `${key} ${JSON.stringify(facts)}`, { listed: (all) => all });
  const entrant = new Entrant({ name, texts, notices: { alert: (text) => heard.push(text), say: (text) => heard.push(text) }, update: () => {} });
  for (const step of story) for (const [what, given] of Object.entries(step)) steps[what](entrant, given);
  const [table, { known }] = [{ id: "T2", info: { tournament: "CUP", chairs: [{ name: "Ben" }, { name: "Ann" }] }, seat: 1 }, entrant];
  return { heard, game: entrant.gameWords(table), bye: known && entrant.byeWords(known), missed: entrant.missed?.name ?? null, absentees: entrant.known?.absentees ?? null };
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

console.log(JSON.stringify({ lived: stories.lived.map(lived), asked: await Promise.all(stories.asked.map(asked)) }));
