import { expect, test } from "vitest";
import { describeOmissions } from "../../../src/runtime/response/notes.js";
import { stepPath } from "../../../src/runtime/response/step-paths.js";

/** Step 1 is quiet, and not in the result. */
const run = { steps: [{ step: 2, tool: "list_pets", result: { items: [] } }] };

test.each([
  [["steps", 0, "result", "items"], { step: 2, path: ["items"] }],
  [["steps", 0], { step: 2, path: [] }],
  [["steps", 0, "error"], undefined],
  [["steps", 7, "result"], undefined],
  [["items", 0], undefined],
])("the path %j is in a step: %j", (path, want) => {
  expect(stepPath(path, run)).toEqual(want);
});

test("notes count steps as references to them do", () => {
  const omission = { kind: "items", omitted: 3, total: 40 } as const;
  expect(describeOmissions([{ ...omission, ...{ step: 2, path: ["items"] } }])).toBe(
    "3 of 40 items in step 2",
  );
  expect(describeOmissions([{ ...omission, ...{ step: 2, path: ["pets"] } }])).toBe(
    "3 of 40 items of pets in step 2",
  );
});
