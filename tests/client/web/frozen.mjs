// A node that is frozen takes lines and says nothing: prints where lines are opened, at first and when it is asked for a word in vain.
import { mock } from "node:test";
import { Client, pack, unpack } from "../../../client/web/parlour.js";

mock.timers.enable({ apis: ["setTimeout"] });
const nodes = ["oak", "elm"].map((node) => ({ node, url: `ws://${node}.lan/` }));
const opened = [];
let frozen = null;

class Socket {
  readyState = 1;
  constructor(url) {
    opened.push((this.url = url));
    queueMicrotask(() => this.onopen?.());
  }
  send(frame) {
    if (this.url === frozen) return;
    const { type, id } = unpack(frame);
    const { node } = nodes.find(({ url }) => url === this.url);
    const answer = type === "hello" ? { type: "welcome", last_id: 0, token: "t", you: { name: "Anna" }, tables: [], elsewhere: [], node, nodes, heartbeat: 15 } : { type: "ok", id, result: {} };
    queueMicrotask(() => this.onmessage?.({ data: pack(answer).buffer }));
  }
  close() {}
}

const settle = async () => {
  for (let step = 0; step < 40; step++) await null;
};
const client = new Client(nodes[0].url, { name: "Anna", WebSocket: Socket });
client.open();
await settle();
frozen = nodes[0].url;
client.wake();
for (let second = 0; second < 5 && opened.length < 2; second++) {
  await settle();
  mock.timers.tick(1000);
}
await settle();
console.log(JSON.stringify([opened.slice(0, 2), client.state]));
process.exit(0);
