import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../src/runtime/data/canonical-json.js";
import { referenceCanonicalJson } from "../../reference-fingerprint.js";
import { seed } from "../../seed.js";

const shared = { b: [{ d: 1, c: 2 }], a: 'é\u2028"' };

const cases: readonly (readonly [object, string])[] = [
  [{}, "{}"],
  [[], "[]"],
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ b: undefined, a: [null, true, 1e21, -0, 0.1] }, '{"a":[null,true,1e+21,0,0.1]}'],
  [{ 9: 1, 10: 2, a: 3 }, '{"10":2,"9":1,"a":3}'],
  [{ x: { "9": 1, "10": 2 }, a: 3 }, '{"a":3,"x":{"10":2,"9":1}}'],
  [
    JSON.parse('{"b": 1, "__proto__": {"d": 1, "c": 2}}') as object,
    '{"__proto__":{"c":2,"d":1},"b":1}',
  ],
  [{ a: () => 1, b: [() => 1] }, '{"b":[null]}'],
  [
    { z: shared, y: [shared, shared] },
    '{"y":[{"a":"é\u2028\\"","b":[{"c":2,"d":1}]},{"a":"é\u2028\\"","b":[{"c":2,"d":1}]}],"z":{"a":"é\u2028\\"","b":[{"c":2,"d":1}]}}',
  ],
  [
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`k${String(29 - i).padStart(2, "0")}`, i]),
    ),
    `{${Array.from({ length: 30 }, (_, i) => `"k${String(i).padStart(2, "0")}":${29 - i}`).join(",")}}`,
  ],
];

test.each(cases)("%j", (value, want) => {
  expect(canonicalJson(value)).toBe(want);
});

test("any JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(canonicalJson([value, { value }])).toBe(referenceCanonicalJson([value, { value }]));
    }),
    { seed },
  );
});
