import fc from "fast-check";
import { expect, test } from "vitest";
import { copyCommand, npxCommand, quoteForUser, withSlashes } from "../../src/cli/platform.js";
import { seed } from "../seed.js";

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
