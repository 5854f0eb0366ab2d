// A line that died while the machine slept, of which nothing tells: prints how the client is, and how many lines
// it has opened, at first, after waking beside a line that stands, after waking beside the dead one, and later.
import { mock } from "node:test";
import { Client, pack, unpack } from "../../../client/web/parlour.js";

mock.timers.enable({ apis: ["setTimeout"] });
let asleep = false;
let lines = 0;

class Socket {
  readyState = 1;
  dead = false;
  constructor() {
    lines += 1;
    queueMicrotask(() => this.onopen?.());
  }
  send(frame) {
    if (asleep || this.dead) return void (this.dead = true);
    const { type, id } = unpack(frame);
    const answer = type === "hello" ? { type: "welcome", last_id: 0, token: "t", you: { name: "Anna" }, tables: [], heartbeat: 15 } : { type: "ok", id, result: {} };
    queueMicrotask(() => this.onmessage?.({ data: pack(answer).buffer }));
  }
  close() {}
}

const settle = async () => {
  for (let step = 0; step < 20; step++) await null;
};
const client = new Client("ws://nowhere", { name: "Anna", WebSocket: Socket });
const told = [];
const tell = async () => (await settle(), told.push([client.state, lines]));
client.open();
await tell();
client.wake(); // the line stands
await settle();
mock.timers.tick(3000);
await tell();
asleep = true;
client.wake();
asleep = false; // but that line is dead
await tell();
mock.timers.tick(3000);
await tell();
console.log(JSON.stringify(told));
