import { expect, test } from "vitest";
import { selectFields } from "../../../src/runtime/call/select-fields.js";
import { toolOf } from "../support/clinic.js";

const outputSchema = { type: "object", properties: { a: { type: "string" } } };
const tool = toolOf({ outputSchema });
const [operation] = tool.operations;

/* A message of a few megabytes must not exhaust time or memory, whatever the names are. */
test.each<readonly [name: string, fields: string, want: RegExp]>([
  ["too many names", Array.from({ length: 501 }, (_, i) => `f${i}`).join(), /more than 500 fields/],
  ["a path of many steps", `a${".b".repeat(1_000)}`, /a name of more than 1000 characters/],
  ["a path of many lists", `a${"[]".repeat(1_000)}`, /a name of more than 1000 characters/],
])("%s are refused", (_, fields, want) => {
  for (const isOpen of [true, undefined]) {
    const selection = { input: "fields", kept: [], ...(isOpen && { isOpen }) };
    const binding = { ...operation!, response: { fields: selection } };
    const selected = selectFields(tool, binding, { fields });
    expect(selected).toMatchObject({ ok: false, problems: [{ problem: want }].map(matching) });
  }
});

const matching = ({ problem }: { readonly problem: RegExp }): object => ({
  input: "fields",
  problem: expect.stringMatching(problem) as string,
});

test("the same name counts once", () => {
  const selection = { input: "fields", kept: [], isOpen: true as const };
  const binding = { ...operation!, response: { fields: selection } };
  expect(selectFields(tool, binding, { fields: "a,".repeat(10_000) })).toMatchObject({ ok: true });
});
