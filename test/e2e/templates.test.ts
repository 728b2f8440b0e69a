import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateProject, type Project } from "./project.js";

const sample = "samples/branded";
let project: Project;

beforeAll(async () => {
  project = await generateProject(`${sample}/openapi.yaml`, { templates: `${sample}/templates` });
});
afterAll(() => project?.remove());

test("a custom template, partial and file are in the output", () => {
  const read = (path: string): string => readFileSync(join(project.folder, path), "utf8");
  expect(read("src/main.ts")).toMatch(/SPDX-License-Identifier: MIT/);
  expect(read("README.md")).toMatch(
    /^- \*\*Books\*\*: What can be borrowed\.\n {2}- `find_books` /m,
  );
  expect(read("src/tool-names.ts")).toMatch(
    /"find_books", \/\/ only reads\n {2}"\w+",\n\] as const;/,
  );
  expect(read(".mcp-gen/manifest.json")).toContain("src/tool-names.ts");
});

test("the project type-checks, and its contract tests call every tool", async () => {
  await project.run("typecheck");
  expect(await project.run("test")).toMatch(/fail 0/);
});
