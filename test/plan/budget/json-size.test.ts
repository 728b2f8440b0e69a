import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSize } from "../../../src/plan/budget/json-size.js";
import { seed } from "../../seed.js";

const sizeOf = (value: unknown): number => jsonSize(value, new Map());

test.each<readonly [unknown, string]>([
  [{}, "{}"],
  [[], "[]"],
  [{ a: undefined, b: [null, true, 1e21] }, '{"b":[null,true,1e+21]}'],
  [{ "é\u2028": '"\\' }, '{"é\u2028":"\\"\\\\"}'],
  [JSON.parse('{"__proto__": [1]}'), '{"__proto__":[1]}'],
])("%j", (value, json) => expect(sizeOf(value)).toBe(Buffer.byteLength(json)));

test("any JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const twice = [value, { value }];
      expect(sizeOf(twice)).toBe(Buffer.byteLength(JSON.stringify(twice)));
    }),
    { seed },
  );
});

test("an object in several places is measured once", () => {
  let reads = 0;
  const shared = {
    get title() {
      reads++;
      return "Owner";
    },
  };
  expect(sizeOf([shared, shared])).toBe(37);
  expect(reads).toBe(1);
});
