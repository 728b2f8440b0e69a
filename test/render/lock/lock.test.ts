import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PlannedTool } from "../../../src/plan/types.js";
import { lockFile, createLockEntries } from "../../../src/render/lock.js";
import { clinicPlan } from "../clinic-plan.js";
import { canonicalJson } from "./reference-canonical-json.js";

const [first] = clinicPlan.tools as readonly [PlannedTool, ...PlannedTool[]];
const withDefinition = (changed: Partial<PlannedTool["definition"]>): PlannedTool => ({
  ...first,
  definition: { ...first.definition, ...changed },
});

interface Entry {
  readonly name: string;
  readonly operations: readonly string[];
  readonly fingerprint: string;
  readonly [field: string]: unknown;
}
const read = (tools: readonly PlannedTool[]): readonly Entry[] =>
  (JSON.parse(lockFile(createLockEntries(tools)).content) as { tools: Entry[] }).tools;
const fingerprintOf = (tool: PlannedTool): string => createLockEntries([tool])[0]!.fingerprint;

describe("the lock", () => {
  test("has every tool by name, whole, with its operations", () => {
    const entries = read([...clinicPlan.tools].reverse());
    expect(entries.map(({ name }) => name)).toEqual(
      clinicPlan.tools.map(({ definition }) => definition.name).sort(),
    );
    for (const { definition, operations } of clinicPlan.tools) {
      const { name, title, description, annotations, inputSchema, outputSchema } = definition;
      expect(entries.find((one) => one.name === name)).toEqual({
        ...(JSON.parse(
          JSON.stringify({ name, title, description, annotations, inputSchema, outputSchema }),
        ) as object),
        operations: operations.map(({ method, path }) => `${method} ${path}`),
        fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      });
    }
  });

  test("has a fingerprint that anybody can compute from what tools/list says", () => {
    for (const { fingerprint, operations: _, ...definition } of read(clinicPlan.tools)) {
      expect(fingerprint).toBe(
        `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`,
      );
    }
  });

  test("shows what cannot be seen as escapes, without another fingerprint", () => {
    const tool = withDefinition({ description: "a\u202eb\u200b \ud800" });
    expect(lockFile(createLockEntries([tool])).content).toContain(
      String.raw`a\u202eb\u200b \ud800`,
    );
    const [{ fingerprint, operations: _, ...definition }] = read([tool]) as [Entry];
    expect(fingerprint).toBe(
      `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`,
    );
  });

  test("of no tools is a lock, too", () => {
    expect(read([])).toEqual([]);
  });
});

const changes: readonly (readonly [string, PlannedTool, changes: boolean])[] = [
  ["name", withDefinition({ name: "x" }), true],
  ["title", withDefinition({ title: "x" }), true],
  ["description", withDefinition({ description: "x" }), true],
  [
    "annotations",
    withDefinition({
      annotations: {
        ...first.definition.annotations,
        readOnlyHint: !first.definition.annotations.readOnlyHint,
      },
    }),
    true,
  ],
  [
    "inputSchema",
    withDefinition({ inputSchema: { ...first.definition.inputSchema, minProperties: 1 } }),
    true,
  ],
  ["outputSchema", withDefinition({ outputSchema: { type: "object" } }), true],
  [
    "order of members",
    withDefinition({
      inputSchema: Object.fromEntries(Object.entries(first.definition.inputSchema).reverse()),
    }),
    false,
  ],
  ["requests", withDefinition({ operations: [] }), false],
  ["onError", withDefinition({ onError: { 404: "x" } }), false],
  ["operations", { ...first, operations: [] }, false],
];

test.each(changes)("another %s: another fingerprint?", (_, tool, changed) => {
  expect(fingerprintOf(tool) !== fingerprintOf(first)).toBe(changed);
});
