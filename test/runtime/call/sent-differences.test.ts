import { describe, expect, test } from "vitest";
import {
  differenceNote,
  differencesFrom,
  sentValue,
} from "../../../src/runtime/call/sent-differences.js";

const fieldsOf = (sent: unknown, value: unknown, isWhole = true): readonly string[] =>
  differencesFrom(sent, { value, isWhole }).map(({ field }) => field);

describe("a value that differs is named", () => {
  test.each<readonly [name: string, sent: unknown, read: unknown, fields: readonly string[]]>([
    ["a text", { state: "closed" }, { state: "open" }, ["state"]],
    ["a number", { port: 51830 }, { port: 51826 }, ["port"]],
    ["a sign", { offset: -5 }, { offset: 5 }, ["offset"]],
    ["a flag", { debug: true, safe: true }, { debug: false, safe: true }, ["debug"]],
    ["a flag as a number", { debug: true }, { debug: 0 }, ["debug"]],
    ["a value that stays empty", { name: "Rex" }, { name: null }, ["name"]],
    ["a value that stays", { name: null }, { name: "Rex" }, ["name"]],
    ["a field inside", { range: { from: 1, to: 9 } }, { range: { from: 1, to: 2 } }, ["range.to"]],
    ["a whole list", ["dummy"], [], ["$"]],
    ["a whole list in items", ["dummy"], { items: [] }, ["$"]],
    ["an item of a list", { tags: ["a", "b"] }, { tags: ["a", "c"] }, ["tags"]],
    ["a list that keeps an item", { tags: ["a"] }, { tags: ["a", "b"] }, ["tags"]],
    ["a list that is not emptied", { tags: [] }, { tags: ["a"] }, ["tags"]],
    ["an object of a list", { days: [{ day: 1 }] }, { days: [{ day: 2 }] }, ["days"]],
    [
      "an item with an action of its own",
      { rules: [{ action: "deny" }] },
      { rules: [{ action: "allow" }] },
      ["rules"],
    ],
    ["in an envelope of the read", { name: "Rex" }, { data: { name: "Bo" } }, ["name"]],
    ["in an envelope of the request", { pet: { name: "Rex" } }, { name: "Bo" }, ["name"]],
    ["in both", { pet: { name: "Rex" } }, { code: 0, data: { name: "Bo" } }, ["name"]],
    ["in a list of one", { name: "Rex" }, { items: [{ name: "Bo" }] }, ["name"]],
    [
      "the ID of another thing",
      { status_id: 5 },
      { status: { id: 3, name: "Open" } },
      ["status_id"],
    ],
    ["another day", { due: "2026-01-01" }, { due: "2026-01-02T00:00:00Z" }, ["due"]],
  ])("%s", (_, sent, read, fields) => {
    expect(fieldsOf(sent, read)).toEqual(fields);
  });
});

describe("nothing is said about", () => {
  test.each<readonly [name: string, sent: unknown, read: unknown]>([
    ["the same", { name: "Rex", tags: ["a", "b"] }, { name: "Rex", tags: ["b", "a"], age: 3 }],
    ["a field that the read lacks", { notify: true, name: "Rex" }, { name: "Rex" }],
    ["the ID of the thing", { ownerId: 5, kind_id: 2 }, { owner: { id: 5 }, kind: "cat" }],
    ["another type", { size: "42", on: "true", off: 0 }, { size: 42, on: true, off: false }],
    ["another precision", { price: "10.50" }, { price: 10.5 }],
    ["another form of a date", { at: "2026-01-01" }, { at: "2026-01-01T00:00:00.000Z" }],
    ["a time as a number", { at: 1_767_225_600 }, { at: "2026-01-01T00:00:00Z" }],
    ["case and spaces", { mail: " Ada@Example.org" }, { mail: "ada@example.org" }],
    ["punctuation", { phone: "+49 (30) 123-45" }, { phone: "+493012345" }],
    ["markup", { text: "three" }, { text: "<p>three</p>\n" }],
    ["a line end", { text: "onetwo" }, { text: "onetwo\n" }],
    ["an empty value", { note: "", tags: [], owner: null }, { note: null, tags: null, owner: "" }],
    ["a secret", { password: "a", apiToken: "b" }, { password: "x", apiToken: "y" }],
    ["a masked value", { card: "4111111111111111" }, { card: "************1111" }],
    ["a version", { version: 3, name: "Rex" }, { version: 4, name: "Rex" }],
    ["the time of a change", { updatedAt: "2020-01-01" }, { updatedAt: "2026-01-01" }],
    ["an ID that is shown as its thing", { owner: "u1" }, { owner: { id: "u1", name: "Ada" } }],
    ["IDs that are shown as their things", { tags: [1] }, { tags: [{ id: 1, name: "a" }] }],
    ["a code that is shown as a word", { state: 1 }, { state: "open" }],
    ["a list that is shown as a text", { tags: ["a"] }, { tags: "a" }],
    [
      "changes of items",
      { sets: [{ name: "www", changetype: "REPLACE" }] },
      { sets: [{ name: "mail" }, { name: "www" }] },
    ],
    [
      "the removal of an item",
      { lines: [{ id: 1, _destroy: true }] },
      { lines: [{ id: 2, text: "b" }] },
    ],
    ["changes instead of a thing", [{ op: "add", path: "/a" }], { a: 1 }],
    ["a text alone", "Rex", { name: "Bo" }],
    ["nothing sent", undefined, { name: "Bo" }],
    ["no name in common", { value: "0 5 * * *" }, { cron: null, name: "Bo" }],
    ["a name of every object", { __proto__: null, toString: "x" }, { name: "Bo" }],
  ])("%s", (_, sent, read) => {
    expect(fieldsOf(sent, read)).toEqual([]);
  });

  test("lists and texts that are not whole", () => {
    const read = { tags: ["a"], text: "begin… [200 more characters]", state: "open" };
    const sent = { tags: ["a", "b"], text: "begin and more", state: "closed" };
    expect(fieldsOf(sent, read, false)).toEqual(["state"]);
  });
});

test.each<readonly [name: string, sent: unknown, read: unknown, fields: readonly string[]]>([
  ["a text that is appended", { text: "Approved" }, { text: "Budget: 5\nApproved\n" }, []],
  ["items that are added", { tags: ["b"] }, { tags: ["a", "b"] }, []],
  ["no items", { tags: [] }, { tags: ["a"] }, []],
  ["a text that is not there", { text: "Approved" }, { text: "Budget: 5\n" }, ["text"]],
  ["an item that is not there", { tags: ["b"] }, { tags: ["a", "c"] }, ["tags"]],
])("a write that may add: %s", (_, sent, value, fields) => {
  const found = differencesFrom(sent, { value, isWhole: true, mayAdd: true });
  expect(found.map(({ field }) => field)).toEqual(fields);
});

test("the note has the values of five fields, and shortens them", () => {
  const [sent, read] = [{}, {}] as Record<string, unknown>[];
  for (const name of ["a", "b", "c", "d", "e", "f"]) [sent![name], read![name]] = [true, false];
  const many = differencesFrom(sent, { value: read, isWhole: true });
  expect(differenceNote(many)).toMatch(
    /^current differs from what was sent: a \(sent true, current false\), .* and 1 more\.$/,
  );
  const whole = differencesFrom(["x"], { value: { items: [] }, isWhole: true });
  expect(differenceNote(whole)).toBe(
    'current differs from what was sent (sent ["x"], current []).',
  );
  const long = differencesFrom(["x".repeat(500)], { value: [], isWhole: true });
  expect(differenceNote(long)!.length).toBeLessThan(250);
  expect(differenceNote([])).toBeUndefined();
});

describe("what was sent", () => {
  const json = "application/json";
  test.each<readonly [string | undefined, string | Uint8Array | undefined, unknown]>([
    [json, '{"a":1}', { a: 1 }],
    ["application/merge-patch+json; charset=utf-8", '{"a":null}', { a: null }],
    ["application/json-patch+json", "[]", undefined],
    ["application/x-www-form-urlencoded", "a=1&b=x%20y", { a: "1", b: "x y" }],
    ["text/plain", "a", undefined],
    [json, "broken", undefined],
    [json, new Uint8Array([123, 125]), undefined],
    [undefined, undefined, { q: "x y" }],
  ])("%s %s", (type, body, sent) => {
    const headers = type === undefined ? [] : [["Content-Type", type] as const];
    const url = "https://api.example/pets?q=x+y";
    expect(sentValue({ method: "PUT", url, headers, ...(body !== undefined && { body }) })).toEqual(
      sent,
    );
  });
});
