import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { dockerComment, dockerString, shellWord, tomlKey } from "../../../src/render/code/index.js";
import { anyText, forAll } from "../hostile-strings.js";

test.each([
  ["plain", '"plain"'],
  ['a "b" \\ $HOME ${x}', '"a \\"b\\" \\\\ \\$HOME \\${x}"'],
  ["one\nRUN evil", '"one RUN evil"'],
  ["", '""'],
])("a Dockerfile's string of %j", (text, want) => expect(dockerString(text)).toBe(want));

test("a Dockerfile's string of any text is one, without variables", () => {
  forAll(anyText, (text) => {
    expect(dockerString(text)).toMatch(/^"(?:[^"\\$\r\n]|\\["\\$])*"$/);
    expect(dockerComment(text)).toMatch(/^#[^\r\n]*$/);
  });
});

test.each([
  ["NAME=value", "NAME=value"],
  ["a b", "'a b'"],
  ["it's $(evil)", `'it'\\''s $(evil)'`],
  ["", "''"],
])("a shell's word of %j", (text, want) => expect(shellWord(text)).toBe(want));

if (process.platform !== "win32") {
  test("a shell reads the words of any texts as they are written", () => {
    const texts: string[] = ["-n", "~", "*", "a;b", "`x`", "a\\"];
    forAll(anyText, (text) => void texts.push(text));
    const shown = texts.slice(0, 200).map((text) => text.replace(/[^\x20-\x7e]/g, "?"));
    const script = `printf '%s\\n' ${shown.map(shellWord).join(" ")}`;
    expect(
      execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\n").slice(0, -1),
    ).toEqual(shown.map((text) => text.replace(/ +/g, " ").trim()));
  });
}

test.each([
  ["CLINIC_TOKEN", "CLINIC_TOKEN"],
  ["a b", '"a b"'],
  ["a.b", '"a.b"'],
  ["", '""'],
])("a TOML key of %j", (text, want) => expect(tomlKey(text)).toBe(want));

test("a TOML key of any text is one line of valid escapes", () => {
  forAll(anyText, (text) =>
    expect(tomlKey(text)).toMatch(/^(?:[\w-]+|"(?:[^"\\\x00-\x1f\x7f]|\\["\\])*")$/u),
  );
});
