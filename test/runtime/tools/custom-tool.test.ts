import { expect, test } from "vitest";
import { defineCustomTool } from "../../../src/runtime/tools/definitions.js";

const tool = {
  name: "suggest_pet",
  title: "Suggest a pet",
  description: "Suggests a pet.",
  inputSchema: { type: "object" },
  run: () => "Rex",
};

test.each([
  ["none", undefined, [false, true, false, true]],
  ["only readOnlyHint", { readOnlyHint: true }, [true, false, false, true]],
  [
    "all",
    { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    [false, false, true, false],
  ],
])("annotations of a custom tool: %s given", (_, annotations, want) => {
  const defined = defineCustomTool({ ...tool, ...(annotations && { annotations }) }).annotations;
  expect([
    defined.readOnlyHint,
    defined.destructiveHint,
    defined.idempotentHint,
    defined.openWorldHint,
  ]).toEqual(want);
});
