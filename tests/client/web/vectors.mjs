// Holds the library to the published vectors: prints a list of what is wrong.
import { readFileSync } from "node:fs";
import { BadFrame, DEALS, Luck, commitment, pack, seed, unpack, verifyDeal } from "../../../client/web/parlour.js";

const given = JSON.parse(readFileSync(0, "utf-8"));
const wrong = [];
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const sorted = (value) =>
  Array.isArray(value) ? value.map(sorted)
  : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).sort().map(([key, each]) => [key, sorted(each)]))
  : value;
const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const check = (name, holds) => holds || wrong.push(name);

for (const { name, json, msgpack } of given.messages) {
  check(`reads ${name}`, same(unpack(bytes(msgpack)), json));
  check(`writes ${name}`, same(unpack(pack(json)), json));
}
for (const { name, msgpack } of given.broken) {
  try {
    unpack(bytes(msgpack));
    wrong.push(`takes ${name}`);
  } catch (why) {
    check(`${name}: ${why}`, why instanceof BadFrame);
  }
}
for (const { name, secret, nonces, ...fair } of given.fair) {
  check(`commitment of ${name}`, commitment(secret) === fair.commitment);
  check(`seed of ${name}`, seed(secret, nonces) === fair.seed);
}
for (const { name, seed, stream, index, ...luck } of given.chance) {
  const asked = () => {
    const made = new Luck(seed);
    made.asked.set(stream, index);
    return made;
  };
  check(`number of ${name}`, asked().next(stream) === BigInt(`0x${luck.number}`));
  for (const [size, outcome] of Object.entries(luck.roll)) check(`roll of ${name}`, asked().roll(stream, Number(size)) === outcome);
  for (const [size, outcome] of Object.entries(luck.draw)) check(`draw of ${name}`, asked().draw(stream, [...Array(Number(size)).keys()]) === outcome);
  for (const [size, outcome] of Object.entries(luck.shuffle)) check(`shuffle of ${name}`, same(asked().shuffle(stream, [...Array(Number(size)).keys()]), outcome));
}
for (const { name, game, seats, secret, nonces, position, options } of given.deals) {
  const view = { ...position, options };
  const dealt = DEALS[game](new Luck(seed(secret, nonces)), seats, view);
  for (const [field, value] of Object.entries(dealt)) {
    const shown = field === "tiles" ? position.tiles.map(({ sides, ...tile }) => tile) : position[field];
    check(`${field} of ${name}`, same(value, shown));
  }
  const promise = { commitment: commitment(secret), nonces };
  const verdict = (changes) => verifyDeal({ game, promise, secret, nonces, view, ...changes });
  check(`${name} is fair`, same(verdict({}), []));
  check(`${name} with another secret`, same(verdict({ secret: secret.replace(/.$/, "1") }), ["commitment", "deal"]));
  check(`${name} with another nonce`, same(verdict({ nonces: nonces.map(() => "x") }), ["nonces", "deal"]));
}
console.log(JSON.stringify(wrong));
