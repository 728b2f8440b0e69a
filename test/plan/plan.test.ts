import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { load } from "../../src/load/index.js";
import { buildModel } from "../../src/model/index.js";
import type { ApiModel } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { PlanOptions } from "../../src/plan/options.js";
import type { PlannedTool, ToolPlan } from "../../src/plan/types.js";
import type { RequestMapping, ParameterSource } from "../../src/runtime/types.js";
import { digestOf } from "../corpus/documents.js";
import { schemaFaults } from "../corpus/schema-faults.js";
import { api, codesOf, inputsOf, ok, operation, parameter, planned, send } from "./fixtures.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared");

async function modelOf(file: string): Promise<ApiModel | undefined> {
  const loaded = await load(file, {});
  return loaded.document && buildModel(loaded.document).model;
}

/**
 * Available documents by name, without copies. Packages are always there, the shared folder is
 * optional.
 */
function documents(): readonly (readonly [name: string, file: string])[] {
  const examples = path.dirname(
    createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"),
  );
  const folders = [
    path.join(examples, "3.0/json"),
    path.join(examples, "3.1/json"),
    path.join(shared, "hostile"),
    ...inside(path.join(shared, "corpus")),
  ];
  const all = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => /\.(json|ya?ml)$/.test(file))
          .sort()
          .map((file) => [`${path.basename(folder)}/${file}`, path.join(folder, file)] as const)
      : [],
  );
  return [...new Map(all.map((document) => [digestOf(document[1]), document])).values()];
}

const inside = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.join(folder, entry.name))
        .sort()
    : [];

/** Properties of a tool that a host could reject. */
function faults({ definition, identifier, inputs, toolset, operations }: PlannedTool): string[] {
  const { name, title, description, inputSchema, outputSchema } = definition;
  const found: string[] = [];
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(name)) found.push(`name ${name}`);
  if (!/^[a-z][a-zA-Z0-9_]*$/.test(identifier)) found.push(`identifier ${identifier}`);
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(toolset)) found.push(`toolset ${toolset}`);
  if (title === "" || title.length > 80 || description === "" || description.length > 1000)
    found.push(`text of ${name}`);
  if (/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/.test(title + description))
    found.push(`hidden characters in ${name}`);
  for (const input of inputs)
    if (!/^[a-zA-Z0-9_]{1,64}$/.test(input.name)) found.push(`input ${input.name}`);
  if (JSON.stringify(inputSchema).length > 40_000) found.push(`size of ${name}`);
  if (operations.length === 0) found.push(`operations of ${name}`);
  for (const schema of [inputSchema, ...(outputSchema ? [outputSchema] : [])]) {
    if (schema.type !== "object" || schema.anyOf || schema.oneOf || schema.allOf)
      found.push(`root of ${name}`);
    found.push(...schemaFaults(schema).map((fault) => `${name}: ${fault}`));
  }
  return found;
}

const twice = (names: readonly string[]): string[] =>
  names.filter((name, i) => names.indexOf(name) !== i);

/** Inputs that requests of a tool use. */
function boundInputs(tool: PlannedTool): string[] {
  return [
    ...new Set(
      tool.definition.operations.flatMap(({ request: one, whenProvided, included, countOnly }) => [
        ...whenProvided,
        ...(included ? [included.input] : []),
        ...(countOnly ? [countOnly.input] : []),
        ...sentInputs(one),
      ]),
    ),
  ].sort();
}

function sentInputs({
  pathParams,
  query,
  headers,
  cookies,
  querystring,
  body,
}: RequestMapping): string[] {
  const wires: ParameterSource[] = [pathParams, query, headers, cookies, body?.fields].flatMap(
    (part) => Object.values(part ?? {}),
  );
  const sources = [...wires, ...(querystring ? [querystring] : [])].flatMap((wire) =>
    typeof wire === "string" ? [wire] : "from" in wire ? [wire.from] : [],
  );
  const filenames = Object.values(body?.encoding ?? {}).flatMap(
    (encoding) => encoding.filenameInput ?? [],
  );
  return [...sources, ...filenames, ...(body?.from === undefined ? [] : [body.from])];
}

/** Options of the plans. The largest documents are planned once, for the sake of time. */
function optionsFor(file: string): readonly PlanOptions[] {
  const all: readonly PlanOptions[] = [
    { includeDeprecated: true, output: "strict" },
    { granularity: "operation" },
  ];
  return statSync(file).size > LARGE ? all.slice(0, 1) : all;
}

/** Size in bytes from which on a document is large. */
const LARGE = 2_000_000;

describe("documents of every kind", () => {
  it.each(documents())("%s", async (_, file) => {
    const model = await modelOf(file);
    if (!model) return;
    for (const options of optionsFor(file)) {
      const made = plan(model, options);
      expect(made.tools.flatMap(faults)).toEqual([]);
      expect(twice(made.tools.map((tool) => tool.definition.name))).toEqual([]);
      expect(twice(made.tools.map((tool) => tool.identifier))).toEqual([]);
      expect(twice(made.environment.map((variable) => variable.name))).toEqual([]);
      expect(made.tools.flatMap((tool) => tool.operations).length + made.omitted.length).toBe(
        model.operations.length,
      );
      expect(made.tools.map(boundInputs)).toEqual(
        made.tools.map(({ inputs }) => inputs.map(({ name }) => name).sort()),
      );
      expect(references(made)).toEqual([]);
    }
  });
});

/** References to types that the plan lacks. */
function references(made: ToolPlan): string[] {
  const known = new Set(made.types.map((type) => type.name));
  const used = JSON.stringify([
    made.types,
    made.tools.map((tool) => [tool.inputs.map((input) => input.type), tool.output]),
  ]).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
  return [...new Set([...used].map((match) => match[1] as string))].filter(
    (name) => !known.has(name),
  );
}

describe("headers of responses without a body", () => {
  const headers = ["X-Count", "Set-Cookie", "X-RateLimit-Limit", "x-count"].map((name) => ({
    name,
  }));
  it.each([
    {
      at: "HEAD /pets",
      contents: [
        { mediaType: "application/json", schema: { type: "object" }, location: { pointer: "#" } },
      ],
      want: ["X-Count"],
    },
    { at: "PUT /pets", contents: [], want: ["X-Count"] },
    {
      at: "GET /pets",
      contents: [
        { mediaType: "application/json", schema: { type: "object" }, location: { pointer: "#" } },
      ],
      want: undefined,
    },
  ])("$at: $want", ({ at, contents, want }) => {
    const { tool } = planned(operation(at, { responses: [{ status: "200", contents, headers }] }));
    expect(tool.definition.operations[0]?.response.headers).toEqual(want);
    expect(tool.definition.description.includes("Returns the header X-Count.")).toBe(
      want !== undefined,
    );
  });

  it("are all reported, and the text names six of them", () => {
    const names = Array.from({ length: 9 }, (_, i) => `X-Part-${i}`);
    const many = names.map((name) => ({ name }));
    const responses = [{ status: "200", contents: [], headers: many }];
    const { tool } = planned(operation("HEAD /pets", { responses }));
    expect(tool.definition.operations[0]?.response.headers).toEqual(names);
    expect(tool.definition.description).toContain("X-Part-5 and 3 more");
  });
});

describe("one tool", () => {
  it("is plain data in the expected form", () => {
    const { tool } = planned(
      operation("GET /pets/{petId}/visits", {
        operationId: "listVisits",
        summary: "List visits",
        tags: ["Visits"],
        parameters: [
          parameter("path petId", { description: "The pet" }),
          parameter("query limit", { schema: { type: "integer", maximum: 100 } }),
        ],
        responses: [ok({ type: "array", items: { $ref: "#/$defs/Visit" } })],
      }),
      {
        schemas: {
          Visit: {
            type: "object",
            properties: { id: { type: "string" }, at: { type: "string", format: "date" } },
          },
        },
      },
    );
    expect(tool).toMatchObject({
      definition: {
        name: "list_visits",
        title: "List visits",
        description: "List visits. Returns items with id and at.",
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        inputSchema: {
          type: "object",
          properties: {
            petId: { type: "string", description: "The pet" },
            limit: {
              type: "integer",
              maximum: 100,
              description: "Maximum number of items to return. At most 100.",
            },
          },
          required: ["petId"],
          additionalProperties: false,
        },
        outputSchema: {
          type: "object",
          properties: {
            items: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  id: { anyOf: [{ type: "string" }, { type: "number" }] },
                  at: { type: "string" },
                },
              },
            },
          },
          required: ["items"],
        },
        operations: [
          {
            whenProvided: [],
            request: {
              method: "GET",
              path: "/pets/{petId}/visits",
              pathParams: { petId: "petId" },
              query: { limit: "limit" },
              accept: ["application/json"],
            },
            response: { wrap: "items" },
          },
        ],
        toolset: "visits",
      },
      toolset: "visits",
      identifier: "listVisits",
      inputs: [
        { name: "petId", description: "The pet", required: true, type: { type: "string" } },
        {
          name: "limit",
          description: "Maximum number of items to return. At most 100.",
          required: false,
          type: { type: "integer", maximum: 100 },
        },
      ],
      output: {
        type: "object",
        properties: { items: { type: "array", items: { $ref: "#/$defs/Visit" } } },
        required: ["items"],
      },
      operations: [
        {
          operationId: "listVisits",
          method: "GET",
          path: "/pets/{petId}/visits",
          location: { pointer: "#/paths/~1pets~1{petId}~1visits/get" },
        },
      ],
      reasons: ["Named by its operationId listVisits."],
    });
  });

  it("is deterministic", () => {
    const given = api([
      operation("GET /pets"),
      operation("POST /pets/{id}/adopt"),
      operation("GET /owners/{id}"),
    ]);
    expect(JSON.stringify(plan(given))).toBe(JSON.stringify(plan(structuredClone(given))));
  });

  it("accepts names of JavaScript properties", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "prototype"];
    const { tool } = planned(
      operation("GET /x", { parameters: names.map((name) => parameter(`query ${name}`)) }),
      {
        schemas: JSON.parse(
          '{"constructor": {"type": "string"}, "toString": {}}',
        ) as ApiModel["schemas"],
      },
    );
    expect(Object.keys(inputsOf(tool))).toEqual(names);
    expect(Object.keys(send(tool).query ?? {})).toEqual(names);
  });

  it("reports paths that match the same requests", () => {
    expect(codesOf(plan(api([operation("GET /u/{id}"), operation("GET /u/{name}")])))).toEqual([
      "plan-ambiguous-path",
      "plan-name-clash",
    ]);
  });
});
