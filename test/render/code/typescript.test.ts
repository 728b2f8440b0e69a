import fc from "fast-check";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import {
  docComment,
  fileName,
  filePath,
  identifier,
  lineComment,
  literal,
  memberKey,
  propertyKey,
  stringLiteral,
  uniqueIdentifier,
} from "../../../src/render/code/index.js";
import { anyText, forAll } from "../hostile-strings.js";
import { calls, evaluate, onlyStatement, parse } from "../parse.js";

test.each<readonly [given: string, want: string]>([
  ["plain", '"plain"'],
  ['say "hi" \\ there', '"say \\"hi\\" \\\\ there"'],
  ["two\nlines", '"two\\nlines"'],
  ["ends\u2028here\u2029", '"ends\\u2028here\\u2029"'],
  ["\u202eright to left\u200b", '"\\u202eright to left\\u200b"'],
  ["tag \u{e0041}", '"tag \\udb40\\udc41"'],
  ["lone \ud800", '"lone \\ud800"'],
  ["naïve 🐈", '"naïve 🐈"'],
])("string literal of %j", (given, want) => {
  expect(stringLiteral(given)).toBe(want);
});

test.each<readonly [given: string, want: string]>([
  ["name", "name"],
  ["pet_id2", "pet_id2"],
  ["404", "404"],
  ["0", "0"],
  ["007", '"007"'],
  ["4XX", '"4XX"'],
  ["X-Key", '"X-Key"'],
  ["class", "class"],
  ["größe", '"größe"'],
  ["", '""'],
  ["__proto__", '["__proto__"]'],
])("property key %j", (given, want) => {
  expect(propertyKey(given)).toBe(want);
});

describe("literal", () => {
  test.each<readonly [name: string, given: unknown, want: string]>([
    ["scalars", null, "null"],
    ["what JSON has not", Number.POSITIVE_INFINITY, "null"],
    ["empty", { a: {}, b: [] }, "{ a: {}, b: [] }"],
    ["short: one line", { name: "x", limit: 5 }, '{ name: "x", limit: 5 }'],
    ["undefined members are left out", { a: undefined, b: 1, c: undefined }, "{ b: 1 }"],
    ["only undefined members", { a: undefined }, "{}"],
    [
      "the prototype is a member like any other",
      JSON.parse('{"__proto__": {"x": 1}}'),
      '{ ["__proto__"]: { x: 1 } }',
    ],
    [
      "names of Object's members",
      { toString: { kind: "apiKey" }, valueOf: "a" },
      '{ toString: { kind: "apiKey" } as const, valueOf: "a" }',
    ],
    ["no prototype", Object.assign(Object.create(null) as object, { a: 1 }), "{ a: 1 }"],
    [
      "long: a member per line",
      { first: "a".repeat(60), second: "b".repeat(60) },
      `{\n  first: "${"a".repeat(60)}",\n  second: "${"b".repeat(60)}",\n}`,
    ],
    [
      "long lists of scalars are filled",
      Array.from({ length: 30 }, (_, i) => i + 1000),
      `[\n  ${numbers(1000, 1016)},\n  ${numbers(1016, 1030)},\n]`,
    ],
    [
      "long lists of objects are not",
      [{ a: "x".repeat(60) }, { b: "y".repeat(60) }],
      `[\n  { a: "${"x".repeat(60)}" },\n  { b: "${"y".repeat(60)}" },\n]`,
    ],
    [
      "what is inside keeps to one line",
      { deep: { a: 1, b: [1, 2] }, text: "z".repeat(100) },
      `{\n  deep: { a: 1, b: [1, 2] },\n  text: "${"z".repeat(100)}",\n}`,
    ],
  ])("%s", (_, given, want) => {
    expect(literal(given)).toBe(want);
  });

  test("lines are at most 100 columns long, unless one string is longer", () => {
    const value = {
      properties: Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [
          `p${i}`,
          { type: "string", maxLength: i, description: "d".repeat(i) },
        ]),
      ),
    };
    const long = literal(value, 2, 15)
      .split("\n")
      .filter((line) => line.length > 101);
    expect(long).toEqual([]);
  });

  test("a line that is full stays one, a longer one breaks", () => {
    const text = (length: number): string => literal({ a: "x".repeat(length) });
    expect(text(91)).toHaveLength(100);
    expect(text(91)).not.toContain("\n");
    expect(text(92)).toContain("\n");
  });

  test("later lines are indented", () => {
    expect(literal({ a: "x".repeat(60), b: "y".repeat(60) }, 4)).toBe(
      `{\n      a: "${"x".repeat(60)}",\n      b: "${"y".repeat(60)}",\n    }`,
    );
  });

  test("deep nesting beyond the last column is that value", () => {
    let value: unknown = { list: [], object: {}, text: "x" };
    for (let i = 0; i < 100; i++) value = { a: [value] };
    expect(JSON.stringify(evaluate(literal(value)))).toBe(JSON.stringify(value));
  });

  test("endless nesting is refused", () => {
    let value: unknown = 1;
    for (let i = 0; i < 600; i++) value = [value];
    expect(() => literal(value)).toThrow("deeper than 500");
  });
});

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => i + from).join(", ");
}

describe("for any text", () => {
  test("a string literal is that text", () => {
    forAll(anyText, (text) => expect(evaluate(stringLiteral(text))).toBe(text));
  });

  test("a value is that value", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        anyText,
        fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => n + 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("any")),
        fc.dictionary(anyText, tie("any")),
      ),
    })).any;
    forAll(value, (given) => expect(canonical(evaluate(literal(given)))).toBe(canonical(given)));
  });

  test("a member key is that text", () => {
    forAll(anyText, (text) => {
      const declaration = onlyStatement(
        `interface X { ${memberKey(text)}: 1 }`,
      ) as ts.InterfaceDeclaration;
      expect(declaration.members.map((member) => (member.name as ts.StringLiteral).text)).toEqual([
        text,
      ]);
    });
  });
});

/** JSON, which tells an own `__proto__` and the order of members from others. */
function canonical(value: unknown): string {
  return JSON.stringify(value);
}

test.each<readonly [given: string, want: string]>([
  ["", ""],
  [" \n ", ""],
  ["Most pets to return.", "/** Most pets to return. */"],
  ["Ends */ here", "/** Ends *\\/ here */"],
  ["a\u200b*\u200b/b", "/** a*\\/b */"],
  ["@ts-expect-error", "/** \\@ts-expect-error */"],
  ["See {@link Pet}, a@b.c and @keep", "/** See {\\@link Pet}, a@b.c and \\@keep */"],
  ["# sourceMappingURL=x", "/** \\# sourceMappingURL=x */"],
  [
    "First line.\r\n\r\n\r\nSecond.\u2028Third.",
    "/**\n * First line.\n *\n * Second.\n * Third.\n */",
  ],
  ["\u0000\u001b[31mred", "/** [31mred */"],
])("JSDoc of %j", (given, want) => {
  expect(docComment(given)).toBe(want);
});

describe("JSDoc", () => {
  test("folds long lines at words, and indents", () => {
    const text = docComment("word ".repeat(40), 4);
    expect(text.split("\n").map((line) => line.length)).toEqual([3, 96, 96, 26, 7]);
    expect(
      text
        .split("\n")
        .slice(1)
        .every((line) => line.startsWith("     *")),
    ).toBe(true);
  });
  test("does not break words", () => {
    expect(docComment(`see ${"x".repeat(200)} there`)).toBe(
      `/**\n * see\n * ${"x".repeat(200)}\n * there\n */`,
    );
  });
  test("truncates very long text at a word", () => {
    const text = docComment("word ".repeat(1000));
    expect(text.length).toBeLessThan(700);
    expect(text).toContain("word…\n");
  });
  test("keeps generated tags", () => {
    expect(docComment("Old.", 0, true)).toBe("/**\n * Old.\n * @deprecated\n */");
    expect(docComment("", 0, true)).toBe("/** @deprecated */");
  });
});

test.each<readonly [given: string, want: string]>([
  ["Generated from a.yaml.", "// Generated from a.yaml."],
  ["a\nPWNED()", "// a PWNED()"],
  ["a\u2028b\u2029c\u0085d\re", "// a b c d e"],
  ["@ts-ignore", "// \\@ts-ignore"],
])("line comment of %j", (given, want) => {
  expect(lineComment(given)).toBe(want);
});

describe("for any text", () => {
  test("a comment contains no code", () => {
    const isTrivia = (comment: string): void => {
      const statement = onlyStatement(`${comment}\nlet x = 1;`);
      expect(statement.getText()).toBe("let x = 1;");
      expect(ts.getJSDocTags(statement).map((tag) => tag.getText())).toEqual([]);
      expect(calls(parse(comment))).toEqual([]);
    };
    forAll(anyText, (text) => {
      isTrivia(docComment(text));
      isTrivia(docComment(text, 8));
      isTrivia(lineComment(text));
    });
  });

  test("a comment has no directive of the compiler", () => {
    forAll(anyText, (text) =>
      expect(`${docComment(text)}\n${lineComment(text)}`).not.toMatch(
        /^[/*\s]*@ts-|(?<![\\\w])@(ts-|keep)/m,
      ),
    );
  });

  test("a comment is valid UTF-8 without unseen characters", () => {
    forAll(anyText, (text) =>
      expect(docComment(text) + lineComment(text)).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u,
      ),
    );
  });
});

test.each<readonly [given: string, want: string]>([
  ["pets", "pets"],
  ["Find Pets", "find_pets"],
  ["../../etc/passwd", "etc_passwd"],
  [".", "unnamed"],
  ["..", "unnamed"],
  ["", "unnamed"],
  [".env", "env"],
  ["-rf", "rf"],
  ["CON", "con_"],
  ["nul.txt", "nul_txt"],
  ["node_modules", "node_modules_"],
  ["lpt1", "lpt1_"],
  ["a\u0000b", "a_b"],
  ["C:\\Windows\\x", "c_windows_x"],
  ["x".repeat(300), "x".repeat(80)],
  ["größe", "gr_e"],
])("file name of %j", (given, want) => {
  expect(fileName(given)).toBe(want);
});

test("a path is literal parts and file names", () => {
  expect(filePath`src/tools/${fileName("../x")}/${fileName("Y")}.ts`).toBe("src/tools/x/y.ts");
});

test.each<readonly [given: string, taken: readonly string[], want: string]>([
  ["findPets", [], "findPets"],
  ["findPets", ["findPets"], "findPets_2"],
  ["class", [], "class_"],
  ["eval", ["eval_"], "eval_2"],
  ["string", [], "string_"],
  ["2nd", [], "_2nd"],
  ["a-b", [], "a_b"],
  ["", [], "_"],
])("free identifier %j beside %j", (given, taken, want) => {
  expect(uniqueIdentifier(given, new Set(taken))).toBe(want);
});

test("an invalid identifier throws", () => {
  expect(() => identifier("a b")).toThrow("not an identifier");
  expect(() => identifier("delete")).toThrow("not an identifier");
  expect(identifier("findPets")).toBe("findPets");
});

test("any text has a file name and an identifier", () => {
  forAll(anyText, (text) => {
    expect(fileName(text)).toMatch(/^[a-z0-9][a-z0-9_-]{0,80}$/);
    const name = uniqueIdentifier(text, new Set());
    expect(onlyStatement(`export const ${name} = 1;`).getText()).toBe(`export const ${name} = 1;`);
    expect(onlyStatement(`export interface ${name} {}`).getText()).toBe(
      `export interface ${name} {}`,
    );
  });
});
