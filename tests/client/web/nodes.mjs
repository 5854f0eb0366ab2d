// A player in a house of several nodes: URL, name and table are given. It plays the game of that table to its end
// and says who has won; lines that begin with `say ` on stdin are said at the table, and what became of each is told.
import { createInterface } from "node:readline";
import { connect } from "../../../client/web/parlour.js";

const [url, name, table] = process.argv.slice(2);
const client = await connect(url, { name });
while (!client.tables.has(table)) await client.changed();
console.log("there");
createInterface({ input: process.stdin }).on("line", async (line) => {
  try {
    await client.ask("say", { table, text: line.slice(4) });
    console.log("said");
  } catch (wrong) {
    console.log(wrong.code ?? wrong.reason);
  }
});
const result = await client.play(table, async (decision) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return decision.pick();
});
console.log(JSON.stringify({ winners: result?.winners ?? null, node: client.home.node, lines: client.lines.filter((line) => line.isOpen).length }));
await client.close();
process.exit(0);
