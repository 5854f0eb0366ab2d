// Players of one table in one process: URL, game and seats are given, and `practice` if all but the host are bots
// who wait for it. `cut NAME` on a line asks the test to cut that player's line; the last line has what each of
// them knows in the end.
import { connect } from "../../../client/web/parlour.js";

const [url, game, seats, kind] = process.argv.slice(2);
const practice = kind === "practice";
const [host, ...others] = await Promise.all([...Array(Number(seats)).keys()].map((seat) => connect(url, { name: `Player ${seat}`, bot: practice && seat > 0 })));
const people = [host, ...others];
const { table } = await host.ask("create_table", { game, seats: people.length, practice, reaction: 0 });
for (const person of others) await person.ask("join", { table });
for (const person of people) await person.ask("ready", { table, nonce: `of-${person.name.replace(" ", "-")}` });
await host.ask("start", { table });

// The same numbers every time, so that games are about as long every time.
let state = 7;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;

let losses = 0;
for (const person of people) person.listen((change) => void (losses += change.type === "line" && change.state === "lost"));
let moves = 0;
const results = await Promise.all(
  people.map((person) =>
    person.play(table, (decision) => {
      moves += 1;
      if (moves % 3 === 0) console.log(`cut ${people[moves % people.length].name}`);
      return decision.pick(random);
    }),
  ),
);
const unfair = people.map((person) => person.tables.get(table).unfair());
const views = people.map((person) => person.tables.get(table).view);
console.log(JSON.stringify({ results, unfair, views, losses, moves }));
for (const person of people) await person.close();
