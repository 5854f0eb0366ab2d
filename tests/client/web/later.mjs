// A server of a later minor, and a frame that is none: prints what the library told of, and what it knows.
import { Client, pack } from "../../../client/web/parlour.js";

const you = { name: "Anna", mood: 1 };
const SAID = [
  { type: "weather", sun: [1, { very: null }] },
  { type: "toString" },
  { type: "__proto__" },
  { type: "welcome", last_id: 0, token: "t", you, tables: [], heartbeat: 15, moon: "full" },
];

class Socket {
  readyState = 1;
  constructor() {
    queueMicrotask(() => this.onopen());
  }
  send() {
    for (const message of SAID) this.onmessage({ data: pack(message).buffer });
    this.onmessage({ data: new Uint8Array([0xc1]).buffer });
  }
  close() {}
}

const client = new Client("ws://nowhere", { name: "Anna", WebSocket: Socket });
const heard = [];
client.listen((change) => heard.push(change.type));
client.open();
await client.changed();
console.log(JSON.stringify([heard, client.name, client.state]));
