// What the page says beside its screens, task by task: prints what can be heard after each.
import { readFileSync } from "node:fs";
import { Notices } from "../../../client/web/notices.js";

const { tasks, hidden } = JSON.parse(readFileSync(0, "utf-8"));
const regions = { told: { textContent: "" }, turn: { textContent: "" } };
globalThis.document = { hidden, getElementById: (id) => regions[id] };
/** As on phones, where pages may ask, but only their workers notify. */
globalThis.Notification = class {
  static permission = "granted";
  constructor() {
    throw new TypeError("Illegal constructor");
  }
};
const notices = new Notices({ update: () => {} });
const heard = [];
for (const task of tasks) {
  for (const [how, ...given] of task) notices[how](...given);
  await null;
  heard.push({ told: regions.told.textContent, turn: regions.turn.textContent });
}
clearTimeout(notices.timer);
console.log(JSON.stringify(heard));
