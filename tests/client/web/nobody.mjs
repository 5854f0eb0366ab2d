// A server that is not there: prints why the client is gone, on a clock that stands still.
import { readFileSync } from "node:fs";
import { mock } from "node:test";
import { connect } from "../../../client/web/parlour.js";

mock.timers.enable({ apis: ["setTimeout"] });
const { url } = JSON.parse(readFileSync(0, "utf-8"));
const why = await connect(url, { name: "Ann" }).catch(({ reason }) => reason);
console.log(JSON.stringify(why));
