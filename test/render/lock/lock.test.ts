import { describe, expect, test } from "vitest";
import type { PlannedTool } from "../../../src/plan/types.js";
import { lockFile } from "../../../src/render/lock.js";
import { readLock } from "../../../src/diff/index.js";
import { plan } from "../../../src/plan/index.js";
import { api, json, ok, operation } from "../../plan/fixtures.js";
import { clinicPlan } from "../clinic-plan.js";

const [first] = clinicPlan.tools as readonly [PlannedTool, ...PlannedTool[]];

interface Entry {
  readonly name: string;
  readonly operations: readonly string[];
  readonly [field: string]: unknown;
}
const textOf = (tools: readonly PlannedTool[]): string =>
  lockFile({ ...clinicPlan, tools, sharedSchemas: [], budget: { mode: "tools" } }).content;
const read = (tools: readonly PlannedTool[]): readonly Entry[] =>
  (JSON.parse(textOf(tools)) as { tools: Entry[] }).tools;

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
      });
    }
  });

  test("shows which tools ask the user", () => {
    const asking = { ...first, text: { ...first.text, asksUser: true } };
    const typed = { ...asking, definition: { ...first.definition, approve: { type: "name" } } };
    const given = [first, asking, typed as PlannedTool];
    expect(given.map((tool) => read([tool])[0]!["approve"])).toEqual([undefined, true, "name"]);
  });

  test("shows invisible characters as escapes", () => {
    const description = "a\u202eb\u200b \ud800";
    const tool = { ...first, definition: { ...first.definition, description } };
    expect(textOf([tool])).toContain(String.raw`a\u202eb\u200b \ud800`);
    expect(read([tool])).toMatchObject([{ description }]);
  });

  test("of no tools is a lock, too", () => {
    expect(read([])).toEqual([]);
  });
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
  const { tools } = planned;
  const { content } = lockFile(planned);

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
    for (const definition of lock.tools) {
      const { inputSchema, outputSchema } = definitionOf.get(definition.name)!;
      expect(JSON.stringify([definition.inputSchema, definition.outputSchema])).toBe(
        JSON.stringify([inputSchema, outputSchema]),
      );
    }
  });

  test("small objects stand on one line", () => {
    expect(content).toContain('\n    "name": { "type": "string" },\n');
  });
});
