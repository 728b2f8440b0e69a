import { expect, test } from "vitest";
import type { ApiCall } from "../../../src/runtime/request/types.js";
import { ExecutionLog } from "../../../src/runtime/workflow/steps.js";

const headers = new Headers({ "content-type": "application/json" });

test.each<readonly [string, string, number, unknown, "none" | "done" | "maybe"]>([
  ["a write", "POST", 200, { id: 1 }, "done"],
  ["a write with a code of success", "POST", 200, { code: 0, message: "ok", data: null }, "done"],
  [
    "an error inside a 200",
    "POST",
    200,
    { code: 1, message: "padID does not exist", data: null },
    "none",
  ],
  ["a refused write", "POST", 409, {}, "none"],
  ["a write after which the API failed", "POST", 500, {}, "maybe"],
  ["a read", "GET", 200, { id: 1 }, "none"],
])("the effect of %s", (_, method, status, value, want) => {
  const log = new ExecutionLog();
  const body = new TextEncoder().encode(JSON.stringify(value));
  const response = { status, statusText: "", headers, body, size: body.length, url: "" };
  const call = { mapping: { method, path: "/" } } as ApiCall;
  log.add({ id: "a", target: `${method} /` }, call, response as never, () => undefined);
  expect(log.entries.map(({ effect }) => effect)).toEqual([want]);
});
