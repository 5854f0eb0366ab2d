// For each list of patterns: how many actions, all of them, and the one that is picked by 0.5.
import { readFileSync } from "node:fs";
import { count, every, pick } from "../../../client/web/parlour.js";

const lists = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(lists.map((legal) => ({ count: count(legal), every: [...every(legal)], picked: pick(legal, () => 0.5) }))));
