// A league of four bots in one script, from its rules to its standings: node league_of_four.mjs [URL]
import { connect } from "../client/web/parlour.js";

const [url = "ws://localhost:21925"] = process.argv.slice(2);
const run = Math.floor(Math.random() * 1e6); // a server gives each name to one player only
const rules = { name: "Four in a row", game: "butterflies", format: "round_robin", seed: "any" };
const organiser = await connect(url, { name: `Organiser ${run}` });
const { tournament } = await organiser.ask("create_tournament", { rules });
await organiser.ask("steer", { tournament, to: "open" });
const bots = await Promise.all(
  [1, 2, 3, 4].map((number) => connect(url, { name: `Bot ${number} ${run}`, bot: true })),
);

/** Takes part from the door to the end: games open by themselves. */
async function takePart(bot) {
  let phase = "registration";
  bot.listen((message) => {
    if (message.type === "tournament_changed") phase = message.info.phase;
  });
  await bot.ask("enter", { tournament });
  let checkedIn = false;
  while (phase !== "finished" && phase !== "cancelled") {
    if (phase === "check_in" && !checkedIn) {
      checkedIn = true;
      await bot.ask("check_in", { tournament });
    }
    const open = [...bot.tables].find(([, table]) => table.question !== null && table.result === null);
    if (open !== undefined) await bot.play(open[0], (decision) => decision.pick());
    else await bot.changed();
  }
}

const playing = bots.map(takePart);
const entrants = async () => (await organiser.ask("watch_tournament", { tournament })).info.entrants;
while ((await entrants()) < bots.length) await organiser.changed();
await organiser.ask("steer", { tournament, to: "start" }); // check-in ends as soon as all are there
await Promise.all(playing);
const { standings } = await organiser.ask("watch_tournament", { tournament });
for (const { rank, name, points } of standings) console.log(`${rank}. ${name}: ${points} points`);
await Promise.all([organiser, ...bots].map((each) => each.close()));
