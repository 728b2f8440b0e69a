import { describe, expect, test } from "vitest";
import { fillReferences, referredSteps } from "../../../src/runtime/tools/step-references.js";

const results = [
  {
    items: [
      { id: 7, name: "Rex" },
      { id: 8, name: "Tom" },
      { id: 9, name: "Tom" },
    ],
    total: 3,
  },
  "plain text",
];

describe("references become values", () => {
  test.each<readonly [unknown, unknown]>([
    ["{{1.total}}", 3],
    ["{{ 1.total }}", 3],
    ["{{1.items[0].id}}", 7],
    ["{{1.items[name=Rex].id}}", 7],
    ["{{1.items[id=8].name}}", "Tom"],
    ["{{1.items[0]}}", { id: 7, name: "Rex" }],
    ["{{2}}", "plain text"],
    ["No. {{1.items[0].id}} is {{1.items[0].name}}.", "No. 7 is Rex."],
    [{ a: ["{{1.total}}", { b: "{{2}}" }] }, { a: [3, { b: "plain text" }] }],
    // Text in two braces that is not a reference belongs to the API.
    ["{{ $json.id }}", "{{ $json.id }}"],
    ["{{name}}", "{{name}}"],
    ["{{1+1}}", "{{1+1}}"],
    ["{{123.id}}", "{{123.id}}"],
    [12, 12],
    [null, null],
  ])("%j", (value, want) =>
    expect(fillReferences(value, results)).toEqual({ ok: true, value: want }),
  );
});

describe("a reference without a value has a reason", () => {
  test.each([
    ["{{1.id}}", "{{1.id}}: the result of step 1 has no id; it has items, total"],
    ["{{1.items.id}}", "{{1.items.id}}: items of the result of step 1 is a list of 3 items"],
    ["{{1.items[5].id}}", "{{1.items[5].id}}: items of the result of step 1 has 3 items"],
    ["{{1.total[0]}}", "{{1.total[0]}}: total of the result of step 1 is not a list"],
    ["{{2.id}}", "{{2.id}}: the result of step 2 has no fields"],
    [
      "{{1.items[0].constructor}}",
      "{{1.items[0].constructor}}: item 0 of items of the result of step 1 has no constructor; it has id, name",
    ],
    [
      "{{1.items[name=Max].id}}",
      '{{1.items[name=Max].id}}: items of the result of step 1 has no item whose name is "Max"',
    ],
    [
      "{{1.items[name=Tom].id}}",
      '{{1.items[name=Tom].id}}: items of the result of step 1 has 2 items whose name is "Tom"',
    ],
    ["Hi {{1.items}}", "{{1.items}} stands in a text, but is not a single value"],
    ["{{3.id}}", "{{3.id}}: the result of step 3 has no fields"],
  ])("%s", (value, problem) =>
    expect(fillReferences({ a: [value] }, results)).toEqual({ ok: false, problem }),
  );
});

test("finds the steps that a value refers to", () =>
  expect(referredSteps({ a: "{{2.id}}", b: ["x {{1}} {{4.a}}", 3], c: "{{x}}" })).toEqual([
    2, 1, 4,
  ]));
