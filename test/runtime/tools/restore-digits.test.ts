import { expect, it } from "vitest";
import { restoreDigits } from "../../../src/runtime/tools/number-inputs.js";
import type { RequestMapping } from "../../../src/runtime/types.js";

const FORM = "application/x-www-form-urlencoded";
const request = (more: Partial<RequestMapping>): RequestMapping => ({
  method: "POST",
  path: "/x",
  ...more,
});

it.each<{ reason: string; mapping: RequestMapping; text?: unknown; expected: unknown }>([
  { reason: "query", mapping: request({ query: { ts: "ts" } }), expected: "1.50" },
  { reason: "path", mapping: request({ pathParams: { ts: "ts" } }), expected: "1.50" },
  {
    reason: "form",
    mapping: request({ body: { contentType: FORM, fields: { ts: { from: "ts" } } } }),
    expected: "1.50",
  },
  {
    reason: "JSON field",
    mapping: request({ body: { contentType: "application/json", fields: { ts: "ts" } } }),
    expected: 1.5,
  },
  {
    reason: "JSON parameter",
    mapping: request({ query: { ts: { from: "ts", contentType: "application/json" } } }),
    expected: 1.5,
  },
  { reason: "number", mapping: request({ query: { ts: "ts" } }), text: 1.5, expected: 1.5 },
])("digits in $reason", ({ mapping, text = "1.50", expected }) => {
  const operations = [{ whenProvided: [], request: mapping, response: {} }];
  expect(restoreDigits({ ts: 1.5, a: 1 }, { ts: text, a: 1 }, operations)).toEqual({
    ts: expected,
    a: 1,
  });
});
