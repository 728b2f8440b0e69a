import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mcpGen } from "../cli/built.js";
import { blocksOf } from "../docs/snippets.js";

const samples = join(import.meta.dirname, "../../samples");

/** The tasks of the samples, 15 for each, can be done with the servers of the samples. */
test.each(["clinic", "library", "github"])("agents can do the tasks of %s", async (name) => {
  const folder = join(samples, name);
  const source = readdirSync(folder).includes("mcp-gen.yaml") ? [] : ["openapi.yaml"];
  const { code, out } = await mcpGen(["eval", ...source], folder);
  expect({ code, end: out.trimEnd().split("\n").at(-2), out }).toMatchObject({
    code: 0,
    end: "15 of 15 tasks can be done as they stand.",
  });
  if (name === "clinic") expect(out.startsWith(firstTaskInDocs())).toBe(true);
});

/** What docs/eval.md shows as the output for the first task of the clinic. */
function firstTaskInDocs(): string {
  const [shown = ""] = blocksOf("docs/eval.md", "text");
  const task = shown.split("\n\n")[0]!.trim();
  expect(task).toContain("search: find_pets");
  return task;
}
