import { describe, expect, test } from "vitest";
import { serializeTool } from "../../../src/runtime/bundle.js";
import { fingerprintOf } from "../../../src/runtime/tools/fingerprint.js";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { referenceFingerprint } from "../../reference-fingerprint.js";
import { toolOf } from "../support/clinic.js";

const first = toolOf({
  name: "a",
  outputSchema: { type: "object" },
  description: "é \u202e \ud800",
});

describe("a fingerprint", () => {
  test("is the hash of the canonical definition, which clients can compute", async () => {
    const { name, title, description, annotations, inputSchema, outputSchema } = first;
    const definition = { outputSchema, inputSchema, annotations, description, title, name };
    expect(await fingerprintOf(first)).toBe(referenceFingerprint(definition));
    expect(await fingerprintOf(first)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test.each<readonly [string, Partial<ToolDefinition>, isOther: boolean]>([
    ["name", { name: "x" }, true],
    ["title", { title: "x" }, true],
    ["description", { description: "x" }, true],
    ["annotations", { annotations: { ...first.annotations, readOnlyHint: false } }, true],
    ["inputSchema", { inputSchema: { ...first.inputSchema, minProperties: 1 } }, true],
    ["outputSchema", { outputSchema: { type: "object", properties: {} } }, true],
    [
      "order of members",
      { inputSchema: Object.fromEntries(Object.entries(first.inputSchema).reverse()) },
      false,
    ],
    ["requests", { operations: [] }, false],
    ["onError", { onError: { 404: "x" } }, false],
    ["toolset", { toolset: "x" }, false],
  ])("of another %s", async (_, changed, isOther) => {
    const same = (await fingerprintOf({ ...first, ...changed })) === (await fingerprintOf(first));
    expect(same).toBe(!isOther);
  });

  test("is in the bundle, except for tools with functions", async () => {
    expect(await serializeTool(first)).toMatchObject({ fingerprint: await fingerprintOf(first) });
    expect(await serializeTool({ ...first, run: () => ({}) })).toBeUndefined();
  });
});
