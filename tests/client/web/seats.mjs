// Where the page finds its reader seated, after each welcome of a server.
import { readFileSync } from "node:fs";
import { Seats } from "../../../client/web/seats.js";

const { welcomes, table } = JSON.parse(readFileSync(0, "utf-8"));
const seats = new Seats({});
console.log(JSON.stringify(welcomes.map((welcome) => (seats.welcomed(welcome), seats.has(table)))));
