import { expect, test } from "vitest";
import { measureGraph } from "../../src/load/limits.js";
import { parseYaml } from "../../src/load/text/parse-yaml.js";

const values: readonly { given: string; want: unknown }[] = [
  { given: "2024-01-01", want: "2024-01-01" },
  { given: "2024-01-01T00:00:00Z", want: "2024-01-01T00:00:00Z" },
  { given: "yes", want: "yes" },
  { given: "off", want: "off" },
  { given: "true", want: true },
  { given: "null", want: null },
  { given: "~", want: null },
  { given: "12", want: 12 },
  { given: "-3", want: -3 },
  { given: "0o17", want: 15 },
  { given: "0x1F", want: 31 },
  { given: "017", want: 17 },
  { given: "0b11", want: "0b11" },
  { given: "1_000", want: "1_000" },
  { given: "12:30:45", want: "12:30:45" },
  { given: "1.5e3", want: 1500 },
  { given: ".5", want: 0.5 },
  { given: "1.", want: 1 },
  { given: "3.1.0", want: "3.1.0" },
  { given: ".inf", want: ".inf" },
  { given: ".nan", want: ".nan" },
  { given: "1e999", want: "1e999" },
  { given: "9223372036854775807", want: 9223372036854775807 },
  { given: "- <<", want: ["<<"] },
  { given: "!!str 1", want: "1" },
  { given: "{a: 1, 'b': [x, \"y\",],}", want: { a: 1, b: ["x", "y"] } },
  { given: "200: ok\n3.5: half", want: { "200": "ok", "3.5": "half" } },
  {
    given: "base: &b {a: 1, b: 2}\nmore:\n  <<: *b\n  b: 3",
    want: { base: { a: 1, b: 2 }, more: { a: 1, b: 3 } },
  },
  { given: "%YAML 1.2\n---\na: 1\n...\n", want: { a: 1 } },
  { given: "---\na: 1\n---\n", want: { a: 1 } },
  { given: "# nothing\n", want: null },
];

test.each(values)("YAML 1.2, core schema: $given", async ({ given, want }) => {
  const { value, problem } = await parseYaml(given, "a.yaml");
  expect(problem).toBeUndefined();
  expect(value?.root ?? null).toEqual(want);
});

const problems: readonly {
  name: string;
  given: string;
  code: string;
  at: readonly [number, number];
  says: RegExp;
}[] = [
  {
    name: "an open quote",
    given: "a: 'x\n",
    code: "load-syntax",
    at: [2, 1],
    says: /missing closing 'quote/,
  },
  {
    name: "wrong indentation",
    given: "a:\n  b: c\n d: e\n",
    code: "load-syntax",
    at: [3, 1],
    says: /same column/,
  },
  {
    name: "a reserved character",
    given: "a: @x\n",
    code: "load-syntax",
    at: [1, 4],
    says: /reserved character @/,
  },
  { name: "a tab", given: "a:\n\tb: c\n", code: "load-syntax", at: [2, 1], says: /tab/ },
  {
    name: "an unknown tag",
    given: "a: !!js/function 'x'\n",
    code: "load-syntax",
    at: [1, 4],
    says: /tag "!!js\/function" is unknown/,
  },
  {
    name: "another unknown tag",
    given: "a: !Ref x\n",
    code: "load-syntax",
    at: [1, 4],
    says: /tag "!Ref" is unknown/,
  },
  { name: "an unknown alias", given: "a: *b\n", code: "load-syntax", at: [1, 4], says: /alias/ },
  {
    name: "several documents",
    given: "---\na: 1\n---\nb: 2\n",
    code: "load-multiple-documents",
    at: [3, 1],
    says: /2 YAML documents/,
  },
  {
    name: "deep flow collections",
    given: `a: ${"[".repeat(20_000)}`,
    code: "load-too-deep",
    at: [1, 203],
    says: /too deep/,
  },
  {
    name: "deep block collections",
    given: Array.from({ length: 300 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
    code: "load-too-deep",
    at: [200, 200],
    says: /too deep/,
  },
];

test.each(problems)("YAML problems: $name", async ({ given, code, at, says }) => {
  const { problem } = await parseYaml(given, "a.yaml");
  expect(problem).toMatchObject({ code, location: { file: "a.yaml", line: at[0], column: at[1] } });
  expect(problem?.message).toMatch(says);
});

/** Errors by kind, each on its second line. */
const errors: Readonly<Record<string, string>> = {
  "an open list": "x:\n  y: [1, 2\n",
  "an open object": "x:\n  y: {a: 1\n",
  "an open single quote": "x:\n  y: 'a\n",
  "an open double quote": 'x:\n  y: "a\n',
  "an unknown escape": 'x:\n  y: "\\q"\n',
  "a closing bracket": "x:\n  y: ]\n",
  "a missing comma": "x:\n  y: ['a' 'b']\n",
  "a mapping on one line": "x:\n  y: a: b\n",
  "a reserved character": "x:\n  y: `a`\n",
  "a tab": "x:\n\ty: 1\n",
  "an unknown alias": "x:\n  y: *nope\n",
  "an alias without a name": "x:\n  y: *\n",
  "an unknown tag": "x:\n  y: !!none 1\n",
  "an unknown handle": "x:\n  y: !a!b 1\n",
  "two anchors": "x:\n  y: &a &b 1\n",
  "two tags": "x:\n  y: !!str !!str 1\n",
  "a wrong indicator of a block": "x:\n  y: |x\n    a\n",
  "a merge of text": "x:\n  <<: text\n",
};
const fillers: Readonly<Record<string, (size: number) => string>> = {
  "at the start": () => "",
  "after many keys": (size) => keys(size),
  "after a long line": (size) => `long: ${"word ".repeat(size / 5)}\n`,
  "after a long list": (size) => `list: [${"1, ".repeat(size / 3)}]\n`,
  "after many lines of a text": (size) => `text: |\n${"  line\n".repeat(size / 7)}`,
};
const keys = (size: number): string =>
  Array.from({ length: size / 10 }, (_, i) => `k${i}: &a${i} 1\n`).join("");
const sizes = [1_000, 20_000];

test.each(
  Object.keys(errors).flatMap((kind) => Object.keys(fillers).map((place) => ({ kind, place }))),
)("YAML errors: $kind $place, in short and long texts", async ({ kind, place }) => {
  for (const size of sizes) {
    const start = fillers[place]!(size);
    const { problem } = await parseYaml(start + errors[kind]!, "a.yaml");
    expect(problem?.code).toBe("load-syntax");
    const line = (problem?.location?.line ?? 0) - start.split("\n").length + 1;
    expect([1, 2, 3], `line ${line} of the error`).toContain(line);
    expect(problem?.message.length).toBeLessThan(200);
  }
});

test("of duplicate keys the last one counts", async () => {
  const { value } = await parseYaml("a:\n  x: 1\n  x: 2\nb: {y: 1, 'y': 2}\n", "a.yaml");
  expect(value).toEqual({
    root: { a: { x: 2 }, b: { y: 2 } },
    duplicates: [
      { key: "x", line: 3, column: 3 },
      { key: "y", line: 4, column: 11 },
    ],
  });
});

test("a key called __proto__ is data", async () => {
  const { value } = await parseYaml(
    "__proto__: {polluted: 1}\nconstructor: 2\nb: &b {__proto__: {polluted: 1}}\nc: {<<: *b}\n",
    "a.yaml",
  );
  const root = value?.root as { c: object };
  expect(Object.keys(root)).toEqual(["__proto__", "constructor", "b", "c"]);
  expect(Object.hasOwn(root.c, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const bomb = [
  "a0: &a0 [x, x, x, x, x, x, x, x, x]",
  ...Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  ),
].join("\n");
const ladder = [
  "b0: &b0 [x]",
  ...Array.from({ length: 300 }, (_, n) => `b${n + 1}: &b${n + 1} [*b${n}]`),
].join("\n");
const graphs: readonly { name: string; given: string; want: string | undefined }[] = [
  {
    name: "legal anchors",
    given: `r: &r {x: 1}\n${Array.from({ length: 300 }, (_, n) => `p${n}: *r`).join("\n")}`,
    want: undefined,
  },
  { name: "an alias bomb", given: bomb, want: "expansion" },
  { name: "an alias that contains itself", given: "k: &a [*a]", want: "cycle" },
  { name: "a longer circle", given: "k: &a {b: {c: *a}}", want: "cycle" },
  { name: "aliases as a ladder", given: ladder, want: "depth" },
];

test.each(graphs)("surveyGraph: $name", async ({ given, want }) => {
  const { value } = await parseYaml(given, "a.yaml");
  const survey = measureGraph(value);
  expect("kind" in survey ? survey.kind : undefined).toBe(want);
});
