// What is said where time decides for the reader again and again.
import { readFileSync } from "node:fs";

globalThis.matchMedia = () => ({ matches: true });
const { Chronicle } = await import("../../../client/web/chronicle.js");
const { table, steps } = JSON.parse(readFileSync(0, "utf-8"));
const said = [];
const notices = { say: (text, _, holds) => said.push({ text, holds }) };
const chronicle = new Chronicle({ table, texts: (key) => key, notices });
let news = 0;
for (const step of steps) {
  const timedOut = new Map(step.late === undefined ? [] : [[news, step.late]]);
  if (step.answered) chronicle.answered(table, {});
  else chronicle.noteLate({ ...table, timedOut }, news++);
}
console.log(JSON.stringify(said.map(({ text, holds }) => ({ text, holds: holds() }))));
