/** The comparison of host forms finds every kind of loss that is made on purpose. */
import { expect, test } from "vitest";
import { createToolResult } from "../../src/runtime/response/tool-result.js";
import { toolOf } from "../runtime/support/clinic.js";
import { hostFormCounts, hostFormFaults } from "./result-forms.js";

type Result = Extract<ReturnType<typeof createToolResult>, { readonly ok: true }>["result"];
type Structured = Record<string, unknown>;

const pet = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, tags: { type: "array" } },
};
const tool = {
  definition: toolOf({ name: "get_pet", send: { path: "/pets" }, outputSchema: pet }),
};

/** The faults of results of which a function removes something. */
function faultsAfter(change: (result: Result) => Result): readonly string[] {
  return hostFormFaults(tool, (content, options) => {
    const built = createToolResult(content, options);
    return built.ok ? { ...built, result: change(built.result) } : built;
  });
}

const withStructure =
  (change: (structured: Structured) => Structured) =>
  (result: Result): Result =>
    result.structuredContent === undefined
      ? result
      : { ...result, structuredContent: change({ ...(result.structuredContent as Structured) }) };
const without = (key: string) =>
  withStructure((structured) =>
    Object.fromEntries(Object.entries(structured).filter(([name]) => name !== key)),
  );
const withTexts =
  (change: (text: string) => string | undefined) =>
  (result: Result): Result => ({
    ...result,
    content: result.content.flatMap((block): Result["content"] => {
      if (block.type !== "text") return [block];
      const text = change(block.text);
      return text === undefined ? [] : [{ ...block, text }];
    }),
  });

test("nothing is found where nothing is lost", () => {
  expect(faultsAfter((result) => result)).toEqual([]);
  expect(hostFormCounts.results).toBeGreaterThan(10);
});

test.each<readonly [loss: string, change: (result: Result) => Result, want: RegExp]>([
  ["notes of the structure", without("notes"), /a text: .*lost without the text|only in one form/],
  ["the location of the structure", without("location"), /nothing, after a creation: lost/],
  ["moved values of the structure", without("unexpected"), /text: lost without the text/],
  ["a field of the structure", without("name"), /as declared: lost without the text/],
  ["all structure but a mark", withStructure(() => ({ ok: true })), /lost without the text/],
  ["notes of the text", withTexts((text) => (/^Note: /.test(text) ? undefined : text)), /lost/],
  ["the text of the body", withTexts((text) => (/^Note: /.test(text) ? text : "Done.")), /lost/],
  [
    "one value of the text",
    withTexts((text) => text.replace(/1000\d/, "")),
    /without the structure/,
  ],
  ["files", (result) => ({ ...result, content: result.content.slice(0, 1) }), /lost|only in one/],
])("a loss of %s is found", (_, change, want) => {
  expect(faultsAfter(change).join("\n")).toMatch(want);
});
