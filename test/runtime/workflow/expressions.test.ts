import { describe, expect, test } from "vitest";
import { JsonPathLimitError } from "../../../src/runtime/workflow/json-path-query.js";
import { stopAtStep } from "../../../src/runtime/workflow/explain-stop.js";
import {
  replaceSelected,
  selectAll,
  selectOne,
  selectsAny,
} from "../../../src/runtime/workflow/json-path.js";
import {
  applyReplacements,
  concatText,
  embedInJson,
  embedInJsonPath,
  embedInQuery,
  embedInXml,
  equals,
  greaterOrEqual,
  greaterThan,
  isTruthy,
  lessOrEqual,
  lessThan,
  matchesPattern,
} from "../../../src/runtime/workflow/values.js";

/**
 * Arazzo 1.1.0, "Condition Evaluation": without regard to case, numbers in texts count, null equals
 * only itself.
 */
test.each([
  ["Ready", "ready", true],
  ["ä", "Ä", true],
  ["a", "b", false],
  ["", "", true],
  [1, 1, true],
  ["1", 1, true],
  [1, "1.0", true],
  ["1", "1.0", false],
  ["1e2", 100, true],
  ["", 0, false],
  [" 5 ", 5, true],
  ["0x10", 16, false],
  [null, null, true],
  [undefined, null, true],
  [null, 0, false],
  [null, "", false],
  [null, false, false],
  ["null", null, false],
  [true, true, true],
  [true, 1, false],
  [true, "true", false],
  [{ a: [1] }, { a: [1] }, true],
  [{ a: 1 }, { a: 2 }, false],
  [[1, 2], [1], false],
  [[], {}, false],
  [{ a: 1 }, '{"a":1}', false],
])("%j equals %j: %s", (a, b, want) => {
  expect([equals(a, b), equals(b, a)]).toEqual([want, want]);
});

test.each([
  [1, 2, "<"],
  [2, 1, ">"],
  [1, 1, "="],
  ["10", 9, ">"],
  ["10", "9", ">"],
  ["a", "B", "<"],
  ["B", "a", ">"],
  ["A", "a", "="],
  [null, 1, ""],
  [undefined, 1, ""],
  ["x", 1, ""],
  [true, 0, ""],
  [{}, 1, ""],
])("%j against %j: %s", (a, b, want) => {
  const result = [
    lessThan(a, b) && "<",
    greaterThan(a, b) && ">",
    lessOrEqual(a, b) && greaterOrEqual(a, b) && "=",
  ]
    .filter(Boolean)
    .join("");
  expect(result).toBe(want);
  expect([lessOrEqual(a, b), greaterOrEqual(a, b)]).toEqual([
    want === "<" || want === "=",
    want === ">" || want === "=",
  ]);
});

test.each([
  [true, true],
  ["x", true],
  [1, true],
  [false, false],
  [null, false],
  [undefined, false],
  ["", false],
  [0, false],
])("%j holds: %s", (value, want) => {
  expect(isTruthy(value)).toBe(want);
});

test.each([
  [204, "^2\\d{2}$", true],
  [404, "^2\\d{2}$", false],
  ["pending", "^pend", true],
  [null, ".*", false],
  [undefined, ".*", false],
  ["x", "(", false],
  [{ a: 1 }, '"a":1', true],
  ["Ä", "^\\p{Lu}$", true],
])("%j matches %s: %s", (value, pattern, want) => {
  expect(matchesPattern(value, pattern)).toBe(want);
});

test("a very long text of digits is compared as text", () => {
  expect(equals(`${"0".repeat(1_000_000)}x`, 0)).toBe(false);
});

test("a pattern over its budget does not match", () => {
  expect(matchesPattern(`${"a".repeat(60)}!`, "^(a+)+$")).toBe(false);
});

describe("JSONPath", () => {
  const pets = { pets: [{ id: 1, status: "ready" }, { id: 2 }] };
  test.each([
    ["$.pets[*]", [{ id: 1, status: "ready" }, { id: 2 }]],
    ["$.pets[?@.status == 'ready'].id", [1]],
    ["$..id", [1, 2]],
    ["$.none", []],
    ["$[", []],
  ])("%s", (query, want) => {
    expect(selectAll(pets, query)).toEqual(want);
    expect(selectsAny(pets, query)).toBe(want.length > 0);
    expect(selectOne(pets, query)).toEqual(want[0]);
  });
  test("patterns over the budget of one text or of the whole query select nothing", () => {
    expect(selectsAny([`${"a".repeat(60)}!`], "$[?search(@, '^(a+)+$')]")).toBe(false);
    expect(
      selectAll(
        Array.from({ length: 20_000 }, () => `${" ".repeat(1400)}x`),
        "$[?match(@, '( +)* +x')]",
      ).length,
    ).toBeLessThan(20_000);
  });
  test("an absent value has no matches", () =>
    expect([selectsAny(null, "$"), selectsAny(undefined, "$")]).toEqual([false, false]));
  test("every selected value is replaced", () =>
    expect(replaceSelected(pets, "$.pets[*].id", 7)).toEqual({
      pets: [{ id: 7, status: "ready" }, { id: 7 }],
    }));
});

test.each<readonly [unknown, unknown]>([
  [concatText("a", 1, null, undefined, true, { b: [2] }), 'a1nulltrue{"b":[2]}'],
  [embedInXml('<a b="c"/>'), '<a b="c"/>'],
  [embedInXml("a < b & c"), "a &lt; b &amp; c"],
  [embedInQuery("a&b=c d"), "a%26b%3Dc%20d"],
  [embedInXml(`a "b" 'c'`), "a &quot;b&quot; &apos;c&apos;"],
  ...["'", '"'].flatMap((quote) =>
    ["x", "it's", 'say "hi"', "a\\", '\\"', "two\nlines\t", "é😀"].map((name) => {
      const query = `$[?@ == ${quote}${embedInJsonPath(name)}${quote}]`;
      return [selectAll([name, "other"], query), [name]] as const;
    }),
  ),
  [embedInJson(5), "5"],
  [embedInJson([5]), [5]],
  [embedInJson(undefined), undefined],
])("%#: a value embedded in a text", (got, want) => {
  expect(got).toEqual(want);
});

test.each([
  [{ a: { b: 1 } }, { "/a/b": 2 }, { a: { b: 2 } }],
  [{ a: [1, 2] }, { "/a/1": 9 }, { a: [1, 9] }],
  [{ a: [1] }, { "/a/-": 2 }, { a: [1, 2] }],
  [{}, { "/a/b": 1 }, { a: { b: 1 } }],
  [{ a: 1 }, { "": 5 }, 5],
  [{ a: [1] }, { "/a/7": 1 }, { a: [1] }],
  [{ a: 1, b: 2 }, { "/__proto__/x": 1 }, JSON.parse('{"a":1,"b":2,"__proto__":{"x":1}}')],
])("%j with %j", (payload, replacements, want) => {
  expect(applyReplacements(payload, replacements)).toEqual(want);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

test("many replacements copy each object once, and share none with the inserted values", () => {
  const payload = { list: Array.from({ length: 100_000 }, (_, i) => ({ i })) };
  const replaced = replaceSelected(payload, "$.list[*].i", 0) as typeof payload;
  expect(replaced.list.every(({ i }) => i === 0)).toBe(true);
  expect(payload.list[7]).toEqual({ i: 7 });
  const shared = { x: 1 };
  expect(applyReplacements({}, { "/a": shared, "/b": shared, "/a/x": 2 })).toEqual({
    a: { x: 2 },
    b: { x: 1 },
  });
  expect(shared).toEqual({ x: 1 });
});

test("a query that visits too many values stops the workflow at its step", () => {
  const step = { id: "find", target: "find_pets" };
  const limit = new JsonPathLimitError("The query visits too many values");
  expect(stopAtStep(limit, step)).toMatchObject({ stop: { step } });
  expect(stopAtStep(limit, undefined)).toBe(limit);
  expect(stopAtStep(new TypeError("other"), step)).toBeInstanceOf(TypeError);
});
