import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import { plan } from "../../src/plan/index.js";
import { render } from "../../src/render/index.js";
import { api, ok, operation } from "../plan/fixtures.js";
import { typeErrors, writeProject } from "./project.js";

const temporary: string[] = [];
afterAll(() => temporary.forEach((folder) => rmSync(folder, { recursive: true })));

/** A large API: each toolset has schemas of its own, which refer to those of all toolsets. */
function largeApi(toolsets: number, size: number) {
  const schemas: Record<string, JsonSchema> = {
    Owner: objectOf(6, { default: { type: "string" } }),
    JsonSchema: objectOf(6, { owner: { $ref: "#/$defs/Owner" } }),
  };
  const operations = Array.from({ length: toolsets * size }, (_, i) => {
    const [toolset, n] = [`t${i % toolsets}`, Math.floor(i / toolsets)];
    schemas[`Thing${i}`] = objectOf(30, {
      owner: { $ref: `#/$defs/${n % 2 === 0 ? "Owner" : "JsonSchema"}` },
      before: i < toolsets ? { type: "null" } : { $ref: `#/$defs/Thing${i - toolsets}` },
    });
    return operation(`GET /${toolset}/${"a".repeat(n + 1)}/{id}`, {
      tags: [toolset],
      responses: [ok({ $ref: `#/$defs/Thing${i}` })],
    });
  });
  return plan(api(operations, { schemas }));
}

function objectOf(count: number, properties: Record<string, JsonSchema>): JsonSchema {
  const fields = Array.from({ length: count }, (_, i) => [`field_${i}_of_it`, { type: "string" }]);
  return { type: "object", properties: { ...Object.fromEntries(fields), ...properties } };
}

test("a small API has one file of schemas, a large one a file for each toolset", async () => {
  const paths = async (toolsets: number, size: number) =>
    (await render(largeApi(toolsets, size)))
      .map(({ path }) => path)
      .filter((path) => path.startsWith("src/schemas"));
  expect(await paths(2, 2)).toEqual(["src/schemas.ts"]);
  expect(await paths(3, 10)).toEqual([
    "src/schemas.ts",
    "src/schemas/shared.ts",
    "src/schemas/t0.ts",
    "src/schemas/t1.ts",
    "src/schemas/t2.ts",
  ]);
});

test("the files are well typed, and their tools are those of the plan", async () => {
  const made = largeApi(3, 10);
  const folder = writeProject(await render(made));
  temporary.push(folder);
  expect(await typeErrors(folder)).toEqual([]);
  const outfile = join(folder, "tools.mjs");
  const entry = join(folder, "src/tools/index.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node" });
  const { tools } = (await import(outfile)) as { tools: readonly Record<string, unknown>[] };
  const definitions = ({ inputSchema, outputSchema }: Record<string, unknown>) =>
    JSON.stringify({ inputSchema, outputSchema });
  expect(tools.map(definitions)).toEqual(
    made.tools.map(({ definition }) => definitions({ ...definition })),
  );
}, 60_000);
