import { expect, test } from "vitest";
import { missingBlocks, withMissingBlocks } from "../../../src/plan/text/blocks.js";

const code = '```json\n{"op": "replace", "path": "/name"}\n```';
const table = "| Value | Meaning |\n|---|---|\n| 1 | instant |\n| 2 | scheduled |";
const html = "<table><tr><td>score</td><td>relevance</td></tr></table>";

test.each([
  ["no blocks", "Add a pet | or two.", "", []],
  [
    "code, with the line that leads to it",
    `Patch it.\n\nSend:\n\n${code}\nDone.`,
    "",
    [`Send:\n\n${code}`],
  ],
  ["code below a heading", `## Example\n${code}`, "", [`## Example\n${code}`]],
  ["code after another paragraph", `Patch it.\n\n${code}`, "", [code]],
  ["code without its end", "~~~\nsize: 3", "", ["~~~\nsize: 3"]],
  ["code of which the words are known", code, "With op replace, and a path: name", []],
  ["a table", `Priority.\n\n${table}\n\nRest.`, "", [table]],
  ["a table of which the words are known", table, "1 = instant, 2 = scheduled. Value.", []],
  ["HTML", `Sort. ${html}`, "sort", [html]],
  [
    "preformatted text",
    "Query <pre>name:Rex AND age:3</pre>",
    "",
    ["<pre>name:Rex AND age:3</pre>"],
  ],
  ["a command", "```\ncurl -X GET https://api.example/pets?limit=3\n```", "", []],
  [
    "data of a command",
    "```\ncurl https://api.example -d '{\"name\": 1}'\n```",
    "",
    [expect.stringContaining("name")],
  ],
  ["a request line and headers", "```\nPOST /pets\nAuthorization: Bearer abc\n```", "", []],
  ["invisible characters", "```\nsi\u200bze\n```", "", ["```\nsize\n```"]],
] as const)("%s", (_, markdown, shown, want) => {
  expect(missingBlocks(markdown, shown)).toEqual(want);
});

test("adds the missing blocks to a plain text", () => {
  expect(withMissingBlocks("Priority.", `Priority.\n\n${table}`)).toBe(`Priority.\n\n${table}`);
  expect(withMissingBlocks("Priority.", "Priority.")).toBe("Priority.");
});
