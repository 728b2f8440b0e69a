import { describe, expect, test } from "vitest";
import {
  decodeForm,
  decodeNothing,
  decodeUri,
  pairOf,
  type Raw,
  readPairs,
  readText,
  type Shape,
} from "../../src/mock/styles.js";
import type { Style } from "../../src/mock/types.js";

/**
 * Rows of OpenAPI 3.2 "Style Examples" for `color` = blue, [blue, black, brown], {R: 100, G: 200,
 * B: 150}.
 */
const list = ["blue", "black", "brown"];
const object = { R: "100", G: "200", B: "150" };

describe("one path segment or header value", () => {
  const rows: readonly [Style, boolean, Shape, string, unknown][] = [
    ["matrix", false, "scalar", ";color=blue", "blue"],
    ["matrix", false, "scalar", ";color", ""],
    ["matrix", false, "array", ";color=blue,black,brown", list],
    ["matrix", false, "object", ";color=R,100,G,200,B,150", object],
    ["matrix", true, "scalar", ";color=blue", "blue"],
    ["matrix", true, "array", ";color=blue;color=black;color=brown", list],
    ["matrix", true, "object", ";R=100;G=200;B=150", object],
    ["matrix", false, "scalar", "color=blue", undefined],
    ["matrix", false, "scalar", ";colour=blue", undefined],
    ["label", false, "scalar", ".blue", "blue"],
    ["label", false, "array", ".blue,black,brown", list],
    ["label", false, "object", ".R,100,G,200,B,150", object],
    ["label", true, "array", ".blue.black.brown", list],
    ["label", true, "object", ".R=100.G=200.B=150", object],
    ["label", false, "scalar", "blue", undefined],
    ["simple", false, "scalar", "blue", "blue"],
    ["simple", false, "array", "blue,black,brown", list],
    ["simple", false, "object", "R,100,G,200,B,150", object],
    ["simple", true, "array", "blue,black,brown", list],
    ["simple", true, "object", "R=100,G=200,B=150", object],
    ["simple", false, "object", "R,100,G", undefined],
    ["simple", false, "array", "a%2Cb,c%20d", ["a,b", "c d"]],
    ["simple", false, "scalar", "a+b%2Fc", "a+b/c"],
  ];
  test.each(rows)("%s explode=%s %s %s", (style, explode, shape, text, want) => {
    expect(plain(readText(text, "color", style, explode, shape, decodeUri))).toEqual(want);
  });

  test("headers are not percent-decoded, and may have spaces after commas", () => {
    expect(readText("a%20b, c", "X", "simple", false, "array", decodeNothing)).toEqual([
      "a%20b",
      "c",
    ]);
  });
});

describe("pairs of a query, a form or a cookie", () => {
  const rows: readonly [Style, boolean, Shape, string, unknown][] = [
    ["form", false, "scalar", "color=", ""],
    ["form", false, "scalar", "color=blue", "blue"],
    ["form", true, "scalar", "color=light+blue%2B", "light blue+"],
    ["form", false, "array", "color=blue,black,brown", list],
    ["form", false, "array", "color=a%2Cb,c", ["a,b", "c"]],
    ["form", false, "object", "color=R,100,G,200,B,150", object],
    ["form", true, "array", "color=blue&color=black&color=brown", list],
    ["form", true, "object", "R=100&G=200&B=150", object],
    ["form", false, "scalar", "color=blue&color=black", undefined],
    ["spaceDelimited", false, "array", "color=blue%20black%20brown", list],
    ["spaceDelimited", false, "object", "color=R%20100%20G%20200%20B%20150", object],
    ["pipeDelimited", false, "array", "color=blue%7Cblack%7Cbrown", list],
    ["pipeDelimited", false, "array", "color=blue|black|brown", list],
    ["pipeDelimited", false, "object", "color=R%7C100%7CG%7C200%7CB%7C150", object],
    ["deepObject", true, "object", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150", object],
    [
      "deepObject",
      true,
      "object",
      "color[a][b]=1&color[c][]=2&color[c][]=3",
      { a: { b: "1" }, c: ["2", "3"] },
    ],
    [
      "deepObject",
      true,
      "object",
      "color[a][0]=1&color[a][1]=2&color[0]=x",
      { a: ["1", "2"], 0: "x" },
    ],
    ["deepObject", true, "object", "colors[R]=1", undefined],
    ["form", true, "array", "other=1", undefined],
  ];
  test.each(rows)("%s explode=%s %s %s", (style, explode, shape, query, want) => {
    const read = readPairs(
      query.split("&").map(pairOf),
      "color",
      style,
      explode,
      shape,
      decodeForm,
      (name) => name in object,
    );
    expect(plain(read?.raw)).toEqual(want);
  });

  test("cookie style takes values as they are", () => {
    const pairs = ["color=blue%20ish", "color=black"].map(pairOf);
    expect(
      readPairs(pairs, "color", "cookie", true, "array", decodeNothing, () => false)?.raw,
    ).toEqual(["blue%20ish", "black"]);
  });

  test("says which pairs it used", () => {
    const pairs = ["a=1", "color=blue", "b=2"].map(pairOf);
    expect(
      readPairs(pairs, "color", "form", true, "scalar", decodeForm, () => false)?.used,
    ).toEqual([["color", "blue"]]);
  });
});

/** Maps as objects, to compare with. */
function plain(raw: Raw | undefined): unknown {
  if (raw instanceof Map)
    return Object.fromEntries(
      [...(raw as ReadonlyMap<string, Raw>)].map(([k, v]) => [k, plain(v)]),
    );
  return Array.isArray(raw) ? (raw as Raw[]).map(plain) : raw;
}
