// A spectator that prints a game as it goes on: node watch_game.mjs [URL [TABLE]]
import { connect } from "../client/web/parlour.js";

const [url = "ws://localhost:21925", wanted] = process.argv.slice(2);
const client = await connect(url, { name: `Spectator ${Math.floor(Math.random() * 1e6)}` });
if (wanted === undefined) await client.ask("watch_lobby", { on: true });
const going = () => [...client.lobby.values()].find((info) => info.stage === "playing" && info.watching !== "nobody");
let id = wanted;
while (id === undefined) {
  id = going()?.table;
  if (id === undefined) await client.changed();
}
await client.ask("watch", { table: id });
let told = 0;
for (;;) {
  const table = client.tables.get(id);
  for (const news of table?.news.slice(told) ?? []) console.log(JSON.stringify(news));
  told = table?.news.length ?? 0;
  if (table?.result) {
    const names = table.result.winners.map((seat) => table.info.chairs[seat]?.name ?? "?");
    console.log(`won: ${names.join(", ") || "nobody"} (${table.result.reason})`);
    break;
  }
  await client.changed();
}
await client.close();
