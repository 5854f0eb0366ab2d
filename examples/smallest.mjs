// The smallest bot in JavaScript, against one of the server's own: node smallest.mjs [URL [GAME]]
// Node 20 needs --experimental-websocket. parlour.js is also at http://HOST:PORT/parlour.js.
import { connect } from "../client/web/parlour.js";

const SEATS = { "balloon-cup": 2, butterflies: 2, "hurry-cup": 3 };
const [url = "ws://localhost:21925", game = "balloon-cup"] = process.argv.slice(2);
const client = await connect(url, { name: `Small ${Math.floor(Math.random() * 1e6)}`, bot: true });
const { table, seat } = await client.ask("create_table", { game, seats: SEATS[game] });
for (let bots = 1; bots < SEATS[game]; bots++) await client.ask("add_bot", { table });
await client.ask("start", { table });
const { winners, reason } = await client.play(table, (decision) => decision.pick());
console.log(`${winners.includes(seat) ? "won" : "not won"}: ${reason}`);
await client.close();
