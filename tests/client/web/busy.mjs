// A server that is busy for as many answers as are given for each command: prints what became of each, with
// how often it was sent, and in the end what became of one that was still put off when the client was closed.
import { readFileSync } from "node:fs";
import { Client, Gone, pack, unpack } from "../../../client/web/parlour.js";

const cases = JSON.parse(readFileSync(0, "utf-8"));
let waits = [];
let sent = [];

class Socket {
  readyState = 1;
  constructor() {
    queueMicrotask(() => this.onopen());
  }
  send(frame) {
    const { type, id } = unpack(frame);
    if (type === "hello") return this.say({ type: "welcome", last_id: 0, token: "t", you: { name: "Anna" }, tables: [], heartbeat: 15 });
    sent.push(id);
    this.say(waits.length > 0 ? { type: "error", id, code: "busy", facts: {}, retry_after: waits.shift() } : { type: "ok", id, result: { done: type } });
  }
  say(message) {
    queueMicrotask(() => this.onmessage?.({ data: pack(message).buffer }));
  }
  close() {}
}

const client = new Client("ws://nowhere", { name: "Anna", WebSocket: Socket, waits: 1 });
client.open();
await client.changed();
const told = [];
for (const { command, busy } of cases) {
  [waits, sent] = [[...busy], []];
  const outcome = await client.ask(command).then(({ done }) => done, (why) => why.code);
  told.push([outcome, sent.length, new Set(sent).size]);
}
waits = [0.9];
const last = client.ask("enter").catch((why) => why.reason);
while (client.postponed.size === 0) await new Promise(queueMicrotask);
client.end(new Gone("closed"));
console.log(JSON.stringify([told, await last]));
