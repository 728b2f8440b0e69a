import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { docComment, lineComment } from "../../../src/render/code/index.js";
import { anyText, forAll } from "../hostile-strings.js";
import { calls, onlyStatement, parse } from "../parse.js";

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
