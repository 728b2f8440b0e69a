import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { blocksOf, pages, root } from "./snippets.js";

/** Checks of the fenced blocks of a language, or the reason why a page's are not executed. */
const CHECKED: Readonly<Record<string, string>> = {
  sh: "shell.test.ts runs them",
  yaml: "yaml.test.ts reads the configurations",
  "docs/approvals.md": "test/runtime/approvals produces these texts",
  "docs/credentials.md ini": "credentials.test.ts reads the settings",
  "docs/library.md ts": "library.test.ts type-checks them",
  "docs/library.md js": "generated.test.ts imports a project as these lines do",
  "docs/hosts.md json": "below",
  ...Object.fromEntries(
    ["express", "fastify", "hono", "next"].map((page) => [
      `docs/${page}.md js`,
      "test/live/frameworks.test.ts runs it",
    ]),
  ),
  "docs/errors.md": "test/hostile/readme.test.ts produces these texts",
  "README.md": "the picture, which is below, and the tree of a generated project",
  "docs/eval.md text": "what mcp-gen eval prints; test/eval/samples.test.ts",
  "docs/regeneration.md":
    "what mcp-gen prints after a change; test/diff and test/write/keep.test.ts",
  "docs/regeneration.md ts": "a declaration with @keep, abridged; test/write/keep.test.ts",
  "docs/server.md json": "test/runtime/tools/run-steps.test.ts runs it",
  "docs/server.md dockerfile": "a layer that needs a container engine",
  "docs/server.md text": "what jq prints; bench/telemetry.mjs checks it",
  "docs/server.md ts": "hooks, abridged; samples/library has them whole",
  "docs/several-apis.md json": "a result of the search, abridged; test/apis/calls.test.ts",
  "docs/templates.md": "what mcp-gen prints for an unknown field; test/render/templates",
  "docs/workflows.md ts": "a compiled workflow, abridged; samples/tickets has it whole",
};

test.each(pages)("every fenced block of %s has its check", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const fences = [...text.matchAll(/^```(\w*)$[^]*?^```$/gm)].map(([, language = ""]) => language);
  const unchecked = fences.filter(
    (language) => !(language in CHECKED) && !(`${page} ${language}`.trim() in CHECKED),
  );
  expect(unchecked).toEqual([]);
});

test("docs/hosts.md shows an entry as `init` writes it", () => {
  const [block = ""] = blocksOf("docs/hosts.md", "json");
  const [entry] = Object.values(JSON.parse(block).mcpServers);
  expect(entry).toEqual({ command: "node", args: ["/path/to/server/dist/server.js"] });
});

test("the picture in the README shows tools of the sample", async () => {
  const { plan } = await generate("samples/clinic/openapi.yaml", undefined, { planOnly: true });
  const known = plan!.tools.map(({ definition: { name, inputSchema }, operations }) => ({
    name,
    operations: operations.map(({ method, path }) => `${method} ${path}`),
    inputs: Object.keys(inputSchema["properties"] as object),
  }));
  const [picture = ""] = blocksOf("README.md", "");
  const rows = picture.match(/^[A-Z]+ +\/[^]*?▶.*$/gm) ?? [];
  expect(rows.length).toBe(3);
  for (const row of rows) {
    const operations = [...row.matchAll(/^([A-Z]+) +(\/\S+)/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const [, name, inputs = ""] = /▶ +(\w+) +(.*)$/.exec(row) ?? [];
    expect(known).toContainEqual({ name, operations, inputs: inputs.split(", ") });
  }
});
