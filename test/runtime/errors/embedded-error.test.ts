import { expect, test } from "vitest";
import { isEmbeddedError } from "../../../src/runtime/errors/embedded-error.js";

const errors = [{ message: "Cannot query field" }];
const result = (...fields: string[]) => ({
  type: "object",
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
});

test.each<readonly [given: string, value: unknown, schema: object | undefined, want: boolean]>([
  ["GraphQL's errors without data", { errors, data: null }, result("data", "errors"), true],
  ["the same, undocumented", { errors }, result("pets"), true],
  ["the same without a schema", { errors }, undefined, true],
  ["errors beside data", { errors, data: { pet: 1 } }, result("data", "errors"), false],
  ["errors that were asked for", { errors }, result("errors"), false],
  [
    "a refusal where errors are documented, too",
    { ok: false, error: "no" },
    result("errors"),
    true,
  ],
  ["success: false without a reason", { success: false }, result("success"), false],
  ["a list", [{ errors }], undefined, false],
  ["nothing", null, undefined, false],
])("%s", (_given, value, schema, want) => {
  expect(isEmbeddedError(value, schema as never)).toBe(want);
});
