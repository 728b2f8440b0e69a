import { expect, test } from "vitest";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { FlowIndex } from "../../src/load/text/flow-index.js";
import { scanJson } from "../../src/load/text/scan-json.js";
import { LineTable, positionOfByte } from "../../src/load/text/position.js";
import { YamlIndex } from "../../src/load/text/yaml-index.js";

const blocks = `# a comment
openapi: 3.1.0
info: &info
  title: "Pets: the API"
  description: |
    paths:
      not: a key

    last
  "quoted \\"key\\"": 1
  'it''s': 2
tags:
- name: same indentation
  x: 1
-   name: wide
- - nested
  - list
-
  name: below
servers: [{url: /a}, {url: "/b",
  description: 'it''s b'}]
paths:
  /pets/{id}:   # another comment
    get:
      operationId: getPet
      tags: [a, b]
      200: ok
      empty:
      folded: >-
        x: y
      plain: one
        two three
      tagged: !!map
        a: 1
  "/x y": {get: {a: {b: [1, 2, {c: 3}]}}}
alias: *info
`;

const json = `{
  "a": {"b": [1, {"é": "ü", "c": "]}"}, [] ], "d\\"": null},
  "a~b/c" : { "x":true,
    "y": false }
}`;

const flow = `{
  # comment
  plain: {'it''s': [a, 'b, c', "d", {x: y}], url: http://x/y},
  last: text with spaces,
}`;

/** Positions of every key and element according to \`yaml\`, as an independent reference. */
function judged(text: string): [pointer: string[], line: number, column: number][] {
  const lines = new LineCounter();
  const found: [string[], number, number][] = [];
  const add = (path: string[], offset: number): void => {
    const { line, col } = lines.linePos(offset);
    found.push([path, line, col]);
  };
  const visit = (node: unknown, path: string[]): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const inner = [...path, isScalar(key) ? String(key.value) : ""];
        if (isScalar(key) && key.range) add(inner, key.range[0]);
        visit(value, inner);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        const range = (item as { range?: [number, number, number] }).range;
        if (range) add([...path, String(index)], range[0]);
        visit(item, [...path, String(index)]);
      }
    }
  };
  visit(parseDocument(text, { lineCounter: lines }).contents, []);
  return found;
}

test.each(judged(blocks).filter(([path]) => path.join() !== "tags,3"))(
  "YAML: %j",
  (path, line, column) => {
    expect(new YamlIndex(blocks).find(path)).toEqual({ line, column });
  },
);

for (const [name, text] of [
  ["JSON", json],
  ["flow style", flow],
] as const) {
  test.each(judged(text))(`${name}: %j`, (path, line, column) => {
    const bytes = Buffer.from(text);
    expect(positionOfByte(bytes, new FlowIndex(bytes).find(path))).toEqual({ line, column });
  });
}

const nearest: readonly { given: string[]; want: { line: number; column: number } }[] = [
  { given: [], want: { line: 2, column: 1 } },
  { given: ["missing"], want: { line: 2, column: 1 } },
  { given: ["paths", "/pets/{id}", "post", "x"], want: { line: 23, column: 3 } },
  { given: ["tags", "3"], want: { line: 18, column: 1 } },
  { given: ["tags", "9"], want: { line: 12, column: 1 } },
  { given: ["info", "description", "paths", "not"], want: { line: 5, column: 3 } },
  { given: ["paths", "/pets/{id}", "get", "plain", "two"], want: { line: 31, column: 7 } },
  { given: ["alias", "title"], want: { line: 36, column: 1 } },
  { given: ["servers", "7"], want: { line: 20, column: 1 } },
];

test.each(nearest)("the nearest ancestor of a missing part: $given", ({ given, want }) => {
  expect(new YamlIndex(blocks).find(given)).toEqual(want);
});

test("columns count UTF-16 units, also in long lines", () => {
  const text = `["${"é🐕".repeat(20_000)}", "here"]`;
  const bytes = Buffer.from(text);
  const table = new LineTable(bytes);
  expect(table.position(bytes.indexOf('"here"'))).toEqual({
    line: 1,
    column: text.indexOf('"here"') + 1,
  });
});

test("positions in and after long lines, asked for repeatedly", () => {
  const long = "x".repeat(40_000);
  const table = new LineTable(Buffer.from(`${long}\n${long}\nend`));
  const given = [39_999, 40_001, 80_002, 7, 80_003];
  const want = [
    { line: 1, column: 40_000 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 1, column: 8 },
    { line: 3, column: 2 },
  ];
  expect([...given, ...given].map((offset) => table.position(offset))).toEqual([...want, ...want]);
});

test("a long document is searched with the offsets of its scan", () => {
  const many = (n: number): object =>
    Object.fromEntries(
      Array.from({ length: n }, (_, i) => [
        `key${i}`,
        { text: `{"é": [${i}`, list: [i, { deep: [[]] }] },
      ]),
    );
  const bytes = Buffer.from(
    JSON.stringify({ first: many(300), second: many(300), last: { x: 1 } }, null, 1),
  );
  const { ends, marks } = scanJson(bytes);
  expect([ends.size > 1, marks.length > 5]).toEqual([true, true]);
  const noted = { index: new FlowIndex(bytes, ends), lines: new LineTable(bytes, marks) };
  for (const path of [
    ["first"],
    ["first", "key299", "list", "1", "deep"],
    ["second", "key7", "text"],
    ["last", "x"],
  ]) {
    const offset = noted.index.find(path);
    expect(offset).toBe(new FlowIndex(bytes).find(path));
    const before = bytes.subarray(0, offset).toString().split("\n");
    expect(noted.lines.position(offset)).toEqual({
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    });
    expect(new LineTable(bytes).position(offset)).toEqual(noted.lines.position(offset));
  }
});

test("unfinished text does not hang the search", () => {
  for (const text of [
    "{",
    "{a",
    "{a:",
    '{"a',
    "[",
    "[[",
    "{a: [",
    "{'a",
    "[,,",
    "{]}",
    "{a: b: c}",
  ])
    new FlowIndex(Buffer.from(text)).find(["a", "0", "b"]);
});
