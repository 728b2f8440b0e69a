import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cases } from "../../bench/input-growth-cases.mjs";
import { generate } from "../../src/index.js";
import { findDeepestChain } from "../../src/load/refs/reference-cycles.js";
import { scratch } from "../write/tree.js";

async function outcomeOf(document: unknown, options = {}): Promise<string> {
  const folder = scratch();
  const path = join(folder, "openapi.json");
  writeFileSync(path, JSON.stringify(document));
  const { ok, plan, diagnostics } = await generate(path, undefined, options);
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (!ok) return `${error?.code} ${error?.location?.pointer}`;
  return plan && plan.tools.length > 0 ? "served" : "nothing";
}

describe("chains of named parts are served, or refused with a place", () => {
  const chains = cases.filter(([name]) => name.includes("chain"));
  test.each(chains.map(([name, , create]) => ({ name, create })))("$name", async ({ create }) => {
    expect(await outcomeOf(create(1_000).document)).toBe("served");
    expect(await outcomeOf(create(2_500).document)).toMatch(/^served$|^load-too-deep #\/./);
  });
});

test.each([
  ["a chain of workflows", 40, /^served$/],
  // Those beyond the limit are left out with a warning.
  ["a long chain of workflows", 1_000, /^served$/],
])("%s of %i", async (_, length, want) => {
  for (const isReversed of [false, true]) {
    const folder = scratch();
    const workflows = Array.from({ length }, (_unused, i) => ({
      workflowId: `w${i}`,
      steps: [
        i + 1 < length
          ? { stepId: "s", workflowId: `w${i + 1}` }
          : { stepId: "s", operationId: "a" },
      ],
    }));
    const source = { name: "a", url: "./openapi.json", type: "openapi" };
    const path = join(folder, "arazzo.json");
    writeFileSync(
      path,
      JSON.stringify({
        arazzo: "1.0.1",
        info: { title: "t", version: "1" },
        sourceDescriptions: [source],
        workflows: isReversed ? workflows.toReversed() : workflows,
      }),
    );
    const paths = { "/a": { get: { operationId: "a", responses: { 204: { description: "" } } } } };
    const info = { title: "t", version: "1" };
    const document = { openapi: "3.1.0", info, servers: [{ url: "https://a.example" }], paths };
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    const result = await generate(join(folder, "openapi.json"), undefined, { workflows: [path] });
    const error = result.diagnostics.find(({ severity }) => severity === "error");
    expect(result.ok ? "served" : `${error?.code} ${error?.location?.pointer}`).toMatch(want);
  }
});

describe("the deepest chain", () => {
  const schemas = (links: Readonly<Record<string, readonly string[]>>): object => ({
    components: {
      schemas: Object.fromEntries(
        Object.entries(links).map(([name, to]) => [
          name,
          { anyOf: to.map((target) => ({ $ref: `#/components/schemas/${target}` })) },
        ]),
      ),
    },
  });
  test.each([
    ["a row", { a: ["b"], b: ["c"], c: [] }, "#/components/schemas/a", 3],
    ["two rows", { a: ["b"], b: [], c: ["d"], d: ["a"] }, "#/components/schemas/c", 4],
    ["a missing part", { a: ["x"] }, "#/components/schemas/a", 1],
  ] as const)("of %s", (_, links, pointer, length) => {
    expect(findDeepestChain(schemas(links))).toEqual({ pointer, length });
  });

  test("of a cycle ends", () => {
    expect(findDeepestChain(schemas({ a: ["b"], b: ["a"] }))?.length).toBe(2);
  });

  test("of a hundred thousand parts", () => {
    const links = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`s${i}`, [`s${i + 1}`]]),
    );
    expect(findDeepestChain(schemas(links))?.length).toBe(100_000);
  });
});
