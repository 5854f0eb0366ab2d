// A bot that asks somebody else and minds its clock: node patient.mjs [URL [GAME]]
import { connect } from "../client/web/parlour.js";

const SEATS = { "balloon-cup": 2, butterflies: 2, "hurry-cup": 3 };
const MARGIN = 0.5; // seconds to spare: an answer takes its time to the server
const [url = "ws://localhost:21925", game = "balloon-cup"] = process.argv.slice(2);
const client = await connect(url, { name: `Patient ${Math.floor(Math.random() * 1e6)}`, bot: true });
const clocks = { decision: 5.0 };
const { table, seat } = await client.ask("create_table", { game, seats: SEATS[game], clocks });
for (let bots = 1; bots < SEATS[game]; bots++) await client.ask("add_bot", { table });
await client.ask("start", { table });

/** The adviser here likes whatever comes first. */
async function advice(decision) {
  return decision.every().next().value;
}

/** What the adviser says, or anything legal when the time is nearly up. */
function choose(decision) {
  const left = client.tables.get(table)?.timeLeft() ?? null;
  if (left === null) return advice(decision);
  let alarm;
  const late = new Promise((done) => {
    alarm = setTimeout(() => done(decision.pick()), Math.max(0, left - MARGIN) * 1000);
  });
  return Promise.race([advice(decision), late]).finally(() => clearTimeout(alarm));
}

const { winners, reason } = await client.play(table, choose);
console.log(`${winners.includes(seat) ? "won" : "not won"}: ${reason}`);
await client.close();
