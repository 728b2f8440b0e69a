import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PlannedTool } from "../../../src/plan/types.js";
import { createLockEntries, type LockEntry, lockFile } from "../../../src/render/lock.js";
import { readLock } from "../../../src/diff/index.js";
import { plan } from "../../../src/plan/index.js";
import { api, json, ok, operation } from "../../plan/fixtures.js";
import { clinicPlan, fingerprintsOf } from "../clinic-plan.js";
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
const entriesOf = (tools: readonly PlannedTool[]): readonly LockEntry[] =>
  createLockEntries({ tools, fingerprints: fingerprintsOf(tools) });
const read = (tools: readonly PlannedTool[]): readonly Entry[] =>
  (JSON.parse(lockFile(entriesOf(tools), [], "tools").content) as { tools: Entry[] }).tools;
const fingerprintOf = (tool: PlannedTool): string => entriesOf([tool])[0]!.fingerprint;

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

  test("has a fingerprint that clients can compute from tools/list", () => {
    for (const { fingerprint, operations: _, ...definition } of read(clinicPlan.tools)) {
      expect(fingerprint).toBe(
        `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`,
      );
    }
  });

  test("shows invisible characters as escapes, with the same fingerprint", () => {
    const tool = withDefinition({ description: "a\u202eb\u200b \ud800" });
    expect(lockFile(entriesOf([tool]), [], "tools").content).toContain(
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

describe("shared schemas", () => {
  const fields = ["name", "email", "street", "city", "country", "telephone"];
  const schemas = {
    Owner: {
      type: "object",
      properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
    },
    Node: {
      type: "object",
      properties: { ...Object.fromEntries(fields.map((name) => [name, { type: "integer" }])) },
      required: ["children"],
    },
  };
  Object.assign(schemas.Node.properties, { children: { $ref: "#/$defs/Node" } });
  const body = (name: string) => json({ $ref: `#/$defs/${name}` });
  const planned = plan(
    api(
      [
        operation("GET /owners/{id}", { responses: [ok({ $ref: "#/$defs/Owner" })] }),
        operation("POST /owners", { ...body("Owner"), responses: [ok({ $ref: "#/$defs/Owner" })] }),
        operation("POST /nodes", body("Node")),
      ],
      { schemas },
    ),
  );
  const { tools, sharedSchemas } = planned;
  const { content } = lockFile(createLockEntries(planned), sharedSchemas, "tools");

  test("are written once, and tools refer to them", () => {
    const { schemas: written, tools: entries } = JSON.parse(content) as {
      schemas: Record<string, unknown>;
      tools: { outputSchema?: unknown }[];
    };
    expect(Object.keys(written)).toEqual(["Owner"]);
    expect(entries.flatMap(({ outputSchema }) => outputSchema ?? [])).toEqual([
      { $ref: "#/schemas/Owner" },
      { $ref: "#/schemas/Owner" },
    ]);
  });

  test("are read as the definitions of the tools", () => {
    const lock = readLock(content);
    if (typeof lock !== "object") throw new Error(lock);
    const definitionOf = new Map(tools.map((tool) => [tool.definition.name, tool.definition]));
    expect(lock.tools.length).toBe(tools.length);
    for (const { operations: _, fingerprint, ...definition } of lock.tools) {
      const { inputSchema, outputSchema } = definitionOf.get(definition.name)!;
      expect(JSON.stringify([definition.inputSchema, definition.outputSchema])).toBe(
        JSON.stringify([inputSchema, outputSchema]),
      );
      expect(fingerprint).toBe(
        `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`,
      );
    }
  });

  test("small objects stand on one line", () => {
    expect(content).toContain('\n    "name": { "type": "string" },\n');
  });
});
