import fc from "fast-check";
import { expect, test } from "vitest";
import {
  copyCommand,
  describeDefect,
  describeRefusal,
  npxCommand,
  quoteForUser,
  usesColors,
  withSlashes,
} from "../../src/cli/terminal.js";
import { seed } from "../seed.js";

const cases: readonly { given: unknown; want: RegExp }[] = [
  {
    given: new Error("x is undefined"),
    want: /^error: This is a bug in mcp-gen \(x is undefined\)\. Please report it .*--verbose/,
  },
  { given: new RangeError("Maximum call stack size exceeded"), want: /Maximum call stack/ },
  { given: "a string", want: /\(a string\)/ },
  { given: undefined, want: /\(undefined\)/ },
  { given: new Error("two\nlines"), want: /\(two\)/ },
  { given: new Error("\u001b[2Jevil"), want: /\(\[2Jevil\)/ },
];

for (const { given, want } of cases) {
  test(`${String(given)} is described in one sentence`, () => {
    const text = describeDefect(given, false);
    expect(text).toMatch(want);
    expect(text.trimEnd()).not.toContain("\n");
  });
}

test("--verbose adds the stack", () => {
  expect(describeDefect(new Error("x"), true)).toMatch(/^\s+at /m);
});

test.each([
  [
    { code: "EACCES", path: "t/README.md.hbs" },
    "error: t/README.md.hbs cannot be opened: permission was denied.\n",
  ],
  [{ code: "EIO", path: "lock" }, "error: lock cannot be opened: the system reported EIO.\n"],
  [
    { code: "ENOENT", syscall: "uv_cwd" },
    "error: The current folder no longer exists. Change to another one, then run mcp-gen there.\n",
  ],
  [{ code: "EACCES" }, undefined],
  [{ code: "ERR_INVALID_ARG_TYPE", path: 1 }, undefined],
  [{}, undefined],
])("what the system refuses is no defect: %j", (properties, want) => {
  expect(describeRefusal(Object.assign(new Error("x"), properties))).toBe(want);
});

test.each([
  ["a terminal", {}, true, true],
  ["a pipe", {}, false, false],
  ["NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["TERM=dumb", { TERM: "dumb" }, true, false],
  ["FORCE_COLOR into a pipe", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
])("colors: %s", (_, env, isTerminal, want) => expect(usesColors(env, isTerminal)).toBe(want));

test.each([
  ["server", "linux", "server"],
  ["my server", "linux", "'my server'"],
  [".\\server", "linux", "'.\\server'"],
  [".\\server", "win32", ".\\server"],
  ["C:\\my server", "win32", '"C:\\my server"'],
  ["a&b", "win32", '"a&b"'],
  ["C:\\my server\\", "win32", '"C:\\my server\\\\"'],
  ['a\\"b', "win32", '"a\\\\""b"'],
  ["a=b,c", "win32", '"a=b,c"'],
  ["", "win32", '""'],
])("to be typed: %s on %s", (given, platform, want) =>
  expect(quoteForUser(given, platform)).toBe(want),
);

test.each([
  ["linux", "npx", "cp"],
  ["darwin", "npx", "cp"],
  ["win32", "cmd /c npx", "copy"],
])("on %s a host starts %s, and a user types %s", (platform, npx, copy) =>
  expect([npxCommand(platform), copyCommand(platform)]).toEqual([npx, copy]),
);

test.each([
  [".\\api\\openapi.yaml", "\\", "./api/openapi.yaml"],
  ["--output=..\\server", "\\", "--output=../server"],
  ["a\\b.yaml", "/", "a\\b.yaml"],
])("a path for every system: %s where folders are separated by %s", (given, separator, want) =>
  expect(withSlashes(given, separator)).toBe(want),
);

/**
 * Splits a command line by the documented rules of `CommandLineToArgvW` and of the C runtime:
 * 2n backslashes and a quote are n backslashes and a delimiter, 2n + 1 are n and a quote, and two
 * quotes inside quotes are one.
 */
function argumentsOf(line: string): readonly string[] {
  const words: string[] = [];
  let [word, isQuoted, i]: [string | undefined, boolean, number] = [undefined, false, 0];
  while (i < line.length) {
    const [, slashes = "", quote = ""] = /^(\\*)("?)/.exec(line.slice(i)) as RegExpExecArray;
    i += slashes.length + quote.length;
    if (quote === "") {
      const next = slashes === "" ? line[i++]! : slashes;
      const isSpace = !isQuoted && /^[ \t]$/.test(next);
      if (isSpace && word !== undefined) words.push(word);
      word = isSpace ? undefined : (word ?? "") + next;
      continue;
    }
    word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
    if (slashes.length % 2 === 1) word += '"';
    else if (isQuoted && line[i] === '"') [word, i] = [`${word}"`, i + 1];
    else isQuoted = !isQuoted;
  }
  return word === undefined ? words : [...words, word];
}

/** The parts of a line outside of quotes. cmd.exe toggles at every quote, and knows no escapes. */
const unquotedParts = (line: string): string => line.replace(/"[^"]*"/g, "");

test.each([
  ['"a b" c', ["a b", "c"]],
  ['"ab\\"c" "\\\\" d', ['ab"c', "\\", "d"]],
  ['a\\\\\\b d"e f"g h', ["a\\\\\\b", "de fg", "h"]],
  ['a\\\\\\"b c d', ['a\\"b', "c", "d"]],
  ['a"b"" c d', ['ab" c d']],
])("Microsoft's example %s", (line, words) => expect(argumentsOf(line)).toEqual(words));

test("a word that is quoted for Windows is read as it was, and cmd.exe sees no operator", () => {
  const piece = fc.constantFrom(
    "a",
    "\\",
    '"',
    " ",
    "&",
    "|",
    "<",
    ">",
    "^",
    "(",
    ";",
    "'",
    "=",
    "ü",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.array(piece, { maxLength: 8 }),
      (one, two) => {
        const words = [one.join(""), two.join("")];
        const line = words.map((word) => quoteForUser(word, "win32")).join(" ");
        expect(argumentsOf(line)).toEqual(words);
        expect(unquotedParts(line)).not.toMatch(/[&|<>^();,='"]/);
      },
    ),
    { seed },
  );
});
