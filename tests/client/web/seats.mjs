// Where the page finds its reader seated, after each welcome of a server; and which tables it leaves before another one.
import { readFileSync } from "node:fs";
import { Seats } from "../../../client/web/seats.js";

/** The tables that are left by somebody who sits at all of these. */
async function left({ tables, most, all }) {
  const gone = [];
  const ask = async (_, { table }) => gone.push(table);
  const sat = tables.map(({ id, stage = "finished", others = [], tournament = null }) => [id, { id, seat: 0, info: { stage, tournament, chairs: [{ bot: false }, ...others] } }]);
  await new Seats({ client: { tables: new Map(sat), welcome: { limits: { tables_each: most } }, ask } }).makeRoom(all);
  return gone;
}

const { welcomes = [], table, sitting = [] } = JSON.parse(readFileSync(0, "utf-8"));
const seats = new Seats({});
const found = welcomes.map((welcome) => (seats.welcomed(welcome), seats.has(table)));
console.log(JSON.stringify({ found, left: await Promise.all(sitting.map(left)) }));
