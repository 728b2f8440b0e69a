import { expect, test } from "vitest";
import {
  fileName,
  uniqueIdentifier,
  identifier,
  filePath,
} from "../../../src/render/code/index.js";
import { anyText, forAll } from "../hostile-strings.js";
import { onlyStatement } from "../parse.js";

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
