// A server that for a while can store nothing, a hello neither: prints how the client is when its line was lost,
// when its hello was refused so, and when the server is well again.
import { mock } from "node:test";
import { Client, pack, unpack } from "../../../client/web/parlour.js";

mock.timers.enable({ apis: ["setTimeout"] });
const settle = async () => {
  for (let step = 0; step < 20; step++) await null;
};
let well = true;
/** @type {Socket} */
let last;

class Socket {
  readyState = 1;
  constructor() {
    last = this;
    queueMicrotask(() => this.onopen?.());
  }
  send(frame) {
    if (unpack(frame).type !== "hello") return;
    const refused = { type: "error", code: "not_kept", facts: {}, retry_after: 1 };
    const answer = well ? { type: "welcome", last_id: 0, token: "t", you: { name: "Anna" }, tables: [], heartbeat: 15 } : refused;
    queueMicrotask(() => {
      this.onmessage?.({ data: pack(answer).buffer });
      if (answer === refused) this.onclose?.({ code: 4000 });
    });
  }
  close() {}
}

const client = new Client("ws://nowhere", { name: "Anna", WebSocket: Socket, stubborn: true });
const told = [];
const tell = async () => (await settle(), told.push([client.state, client.over?.reason ?? null]));
client.open();
await settle();
well = false;
last.onclose({ code: 1012 });
await tell();
mock.timers.tick(1000);
await tell();
well = true;
mock.timers.tick(20000);
await tell();
console.log(JSON.stringify(told));
