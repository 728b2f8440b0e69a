import { describe, expect, test } from "vitest";
import { limitValues } from "../../../src/runtime/data/limit-values.js";

/* A list or object counts as one value, and each comma as another. */
describe("the first values of JSON", () => {
  test.each<readonly [given: string, max: number, want: string]>([
    ["[1,2,3]", 4, "[1,2,3]"],
    ["[1,2,3,4]", 4, "[1,2,3]"],
    ['{"a":1,"b":2,"c":[1]}', 3, '{"a":1,"b":2}'],
    ["[[1,2],[3,4]]", 4, "[[1,2]]"],
    ["[[1,2],[3,4]]", 5, "[[1,2],[]]"],
    ['["a,[\\"{",1,2]', 3, '["a,[\\"{",1]'],
    ['["\\\\",1,2]', 3, '["\\\\",1]'],
    [
      '{"items":[{"a":1},{"a":2}],"next":"x","n":{"a":1},"more":true}',
      4,
      '{"items":[{"a":1}],"next":"x","more":true}',
    ],
    ['{"items":[1,2,3] , "next" : "\\"," }', 3, '{"items":[1], "next" : "\\","}'],
    [",,,,,,", 2, ",,,,,,"],
    ["[[[[", 2, "[[]]"],
    ['"a', 1, '"a'],
  ])("%s with at most %i", (given, max, want) => {
    const { text, exceeded } = limitValues(given, max);
    expect({ text, exceeded }).toEqual({
      text: want,
      exceeded: want === given ? undefined : "values",
    });
  });
});

test.each([
  ["1", 0],
  ["[1]", 1],
  ['{"a":[[]],"b":[]}', 3],
])("nesting of %s", (given, want) => expect(limitValues(given).depth).toBe(want));
