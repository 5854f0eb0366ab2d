// A bot for Balloon Cup that looks at the tile after each of its plays: node looks_ahead.mjs [URL]
// It knows no rules but what a tile is worth: low sums win the plains, high ones the mountains.
import { connect } from "../client/web/parlour.js";

const [url = "ws://localhost:21925"] = process.argv.slice(2);
const client = await connect(url, { name: `Ahead ${Math.floor(Math.random() * 1e6)}`, bot: true });
const { table, seat } = await client.ask("create_table", { game: "balloon-cup", seats: 2 });
await client.ask("add_bot", { table });
await client.ask("start", { table });

const value = (card) => Number(card.split("-")[1]);
const sum = (cards) => cards.reduce((total, card) => total + value(card), 0);

/** How far we would be ahead at the tile, as its terrain counts, times the cubes that lie there. */
function worth(view, action) {
  if (action.type !== "play") return 0;
  const tile = view.tiles.find((each) => each.number === action.tile);
  const sums = tile.sides.map(sum);
  sums[action.side] += value(action.card);
  const ahead = sums[seat] - sums[1 - seat];
  return (tile.terrain === "mountain" ? ahead : -ahead) * tile.cubes.length;
}

const { winners, reason } = await client.play(table, (decision) => {
  const actions = [...decision.every()];
  return actions.reduce((best, each) => (worth(decision.view, each) > worth(decision.view, best) ? each : best));
});
console.log(`${winners.includes(seat) ? "won" : "not won"}: ${reason}`);
await client.close();
