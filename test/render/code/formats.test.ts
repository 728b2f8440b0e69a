import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import {
  codeSpan,
  commentOut,
  compactJson,
  envAssignment,
  envComment,
  json,
  markdown,
  markdownWithCode,
} from "../../../src/render/code/index.js";
import { anyText, forAll } from "../hostile-strings.js";

test("names of variables in a text are inline code in Markdown", () => {
  const names = new Set(["A_KEY", "A_KEY_2", "ID"]);
  expect(markdownWithCode("A_KEY, or A_KEY_2 and ID, not MY_ID (a_b)", names)).toBe(
    "`A_KEY`, or `A_KEY_2` and `ID`, not MY_ID (a_b)",
  );
});

test.each<readonly [given: string, want: string]>([
  ["Find pets by ID.", "Find pets by ID."],
  ["a | b", "a \\| b"],
  ["*bold* _it_ `code` ~x~", "\\*bold\\* \\_it\\_ \\`code\\` \\~x\\~"],
  ["a_b__c _d a_ é_é (a)_b", "a_b__c \\_d a\\_ é\\_é (a)\\_b"],
  ["<script>alert(1)</script> & co", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; co"],
  ["[x](javascript:y) ![i](z)", "\\[x\\](javascript:y) !\\[i\\](z)"],
  [
    "see https://evil.example or www.evil.example, a@b.c",
    "see https\\://evil.example or www\\.evil.example, a&#64;b.c",
  ],
  ["# heading", "\\# heading"],
  ["- item", "\\- item"],
  ["1. item", "1\\. item"],
  ["two\n\n# lines\u2028three", "two # lines three"],
  ["$x$ \\", "\\$x\\$ \\\\"],
  ["\u202ehidden\u200b", "hidden"],
])("Markdown of %j", (given, want) => {
  expect(markdown(given)).toBe(want);
});

test.each<readonly [given: string, want: string]>([
  ["find_pets", "`find_pets`"],
  ["a`b|c\nd", "`abc d`"],
  ["", ""],
])("code span of %j", (given, want) => {
  expect(codeSpan(given)).toBe(want);
});

test("Markdown of any text is one line without markup", () => {
  forAll(anyText, (text) => {
    const withoutWords = markdown(text).replace(/[A-Za-z\d]_+(?=[A-Za-z\d])/g, "");
    expect(withoutWords).not.toMatch(/[\r\n<>\u2028]|(?<!\\)(?:\\\\)*[`*_[\]|]|:\/\/(?<!\\:\/\/)/);
    expect(codeSpan(text)).toMatch(/^(`[^`|\r\n]+`)?$/);
  });
});

test("JSON is that value, in visible characters", () => {
  expect(json({ a: ["\u2028"], b: {} }, 2)).toBe(
    '{\n    "a": [\n      "\\u2028"\n    ],\n    "b": {}\n  }',
  );
  expect(compactJson({ a: "\u200b", b: undefined })).toBe('{"a":"\\u200b"}');
  forAll(anyText, (text) => {
    expect(JSON.parse(json({ [text]: text }))).toEqual(
      JSON.parse(JSON.stringify({ [text]: text })),
    );
    expect(JSON.parse(compactJson(text))).toBe(text);
  });
});

test.each<readonly [given: string, want: string]>([
  ["https://a.example/v1", "X=https://a.example/v1"],
  ["https://{branch}.a.example/v1?x=1", "X=https://{branch}.a.example/v1?x=1"],
  ["", "X="],
  ["two words", "X='two words'"],
  ["$(touch x) `y` $HOME", "X='$(touch x) `y` $HOME'"],
  ["it's", "X='its'"],
  ["a\nY=1", "X='a Y=1'"],
  ["# no comment", "X='# no comment'"],
])("assignment of %j", (given, want) => {
  expect(envAssignment("X", given)).toBe(want);
});

test("a variable must have a name", () => {
  expect(() => envAssignment("A B", "")).toThrow("cannot name");
  expect(() => envAssignment("A=1\nB", "")).toThrow("cannot name");
});

test("comments are wrapped at words", () => {
  const lines = envComment("word ".repeat(50)).split("\n");
  expect(lines.map((line) => line.length)).toEqual([96, 96, 61]);
  expect(lines.every((line) => line.startsWith("# word"))).toBe(true);
  expect(envComment("a\nB=1")).toBe("# a B=1");
  expect(commentOut(envAssignment("X", "two words"))).toBe("# X='two words'");
});

test("any text is one comment or one value of an .env file", () => {
  forAll(anyText, (text) => {
    expect(parseEnv(`${envComment(text)}\n`)).toEqual({});
    expect(
      Object.keys(parseEnv(`${envComment(text)}\n${envAssignment("X", text)}\nY=1\n`)),
    ).toEqual(["X", "Y"]);
  });
});
