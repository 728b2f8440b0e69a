import { purposeOnly } from "../../src/plan/text/parts.js";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import type { PlannedTool, ToolPlan } from "../../src/plan/types.js";

const place = { pointer: "#/paths" };
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

const pet = {
  type: "object",
  description: "An animal of the clinic.",
  properties: {
    id: { type: "string", description: "Never changes." },
    name: { type: "string" },
    status: { type: "string", enum: ["active", "archived"] },
    owner: { $ref: "#/$defs/Owner" },
    mother: { anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] },
  },
  required: ["id", "name"],
} as const;

const owner = {
  type: "object",
  properties: { id: { type: "string" }, "e-mail": { type: ["string", "null"] } },
} as const;

const findPets: PlannedTool = {
  text: purposeOnly(""),
  definition: {
    name: "find_pets",
    title: "Find pets",
    description: "Find pets by status. Returns id, name and status of each.",
    annotations,
    inputSchema: {
      type: "object",
      properties: {
        status: {
          type: "string",
          enum: ["active", "archived"],
          description: "Only pets of this status.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 100,
          description: "Most pets to return, 1 to 100. Default 20.",
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "string" }, name: { type: "string" } },
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
          path: "/pets",
          query: { status: "status", limit: "limit" },
          accept: ["application/json"],
        },
        response: { wrap: "items" },
      },
    ],
  },
  toolset: "pets",
  identifier: "findPets",
  inputs: [
    {
      name: "status",
      description: "Only pets of this status.",
      required: false,
      type: { type: "string", enum: ["active", "archived"] },
    },
    {
      name: "limit",
      description: "Most pets to return, 1 to 100. Default 20.",
      required: false,
      type: { type: "integer", minimum: 1, maximum: 100 },
    },
  ],
  output: {
    type: "object",
    properties: { items: { type: "array", items: { $ref: "#/$defs/Pet" } } },
    required: ["items"],
  },
  operations: [{ operationId: "listPets", method: "GET", path: "/pets", location: place }],
  reasons: [],
};

const deletePet: PlannedTool = {
  text: purposeOnly(""),
  definition: {
    name: "delete_pet",
    title: "Delete pet",
    description: "Delete a pet and its history.",
    annotations: { ...annotations, readOnlyHint: false, destructiveHint: true },
    inputSchema: {
      type: "object",
      properties: {
        pet_id: { type: "string", description: "ID of the pet. Get it from find_pets." },
      },
      required: ["pet_id"],
      additionalProperties: false,
    },
    operations: [
      {
        whenProvided: [],
        request: { method: "DELETE", path: "/pets/{petId}", pathParams: { petId: "pet_id" } },
        response: {},
      },
    ],
    onError: {
      404: "No pet has pet_id {pet_id}. Call find_pets to get a valid one.",
      "5XX": "Try again later.",
    },
    timeoutMs: 5000,
  },
  toolset: "pets",
  identifier: "deletePet",
  inputs: [
    {
      name: "pet_id",
      description: "ID of the pet. Get it from find_pets.",
      required: true,
      type: { type: "string" },
    },
  ],
  operations: [{ method: "DELETE", path: "/pets/{petId}", location: place }],
  reasons: [],
};

const ping: PlannedTool = {
  text: purposeOnly(""),
  definition: {
    name: "ping",
    title: "Ping",
    description: "Check that the API answers.",
    annotations,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    operations: [{ whenProvided: [], request: { method: "GET", path: "/ping" }, response: {} }],
  },
  toolset: "other",
  identifier: "ping",
  inputs: [],
  operations: [{ operationId: "ping", method: "GET", path: "/ping", location: place }],
  reasons: [],
};

function operation(part: Pick<Operation, "method" | "path"> & Partial<Operation>): Operation {
  return {
    tags: [],
    deprecated: false,
    parameters: [],
    responses: [{ status: "200", description: "Done.", contents: [], headers: [] }],
    location: place,
    ...part,
  };
}

function parameter(
  name: string,
  where: "path" | "query",
  schema: JsonSchema,
): Operation["parameters"][number] {
  const style = where === "path" ? "simple" : "form";
  return {
    name,
    in: where,
    description: "Some text.",
    required: where === "path",
    deprecated: false,
    schema,
    style,
    explode: where === "query",
    allowReserved: false,
    location: place,
  };
}

/**
 * A plan as the planner would make it for three operations of a clinic; every kind of file and most
 * kinds of view are in it.
 */
export const clinicPlan: ToolPlan = {
  packageName: "clinic-mcp-server",
  source: "clinic.yaml",
  api: {
    name: "clinic",
    title: "Clinic API",
    version: "1.4.0",
    instructions: "Pets, their owners and visits.",
    envPrefix: "CLINIC",
    servers: [{ url: "https://clinic.example/v1" }],
    securitySchemes: { key: { kind: "apiKey", in: "header", name: "X-Key", env: "CLINIC_KEY" } },
    security: [{ key: [] }],
  },
  summary: "Pets, their owners and visits.",
  environment: [
    { name: "CLINIC_KEY", description: "API key of the clinic.", required: true, secret: true },
    {
      name: "CLINIC_BASE_URL",
      description: "Base URL of the API.",
      required: false,
      secret: false,
      example: "https://clinic.example/v1",
    },
  ],
  toolsets: [
    { name: "pets", title: "Pets", description: "The patients." },
    { name: "other", title: "Other" },
  ],
  tools: [findPets, deletePet, ping],
  types: [
    { name: "Owner", schema: owner },
    { name: "Pet", schema: pet },
  ],
  sharedSchemas: [],
  omitted: [],
  budget: {
    limits: { tools: 80, listTokens: 25_000, resultTokens: 8_000 },
    instructionTokens: 0,
    listBytes: 0,
    listTokens: 0,
    costs: [],
    exceeded: [],
    mode: "tools",
    listed: [],
    advice: [],
  },
  mock: {
    operations: [
      operation({
        operationId: "listPets",
        method: "GET",
        path: "/pets",
        parameters: [
          parameter("status", "query", { type: "string", enum: ["active", "archived"] }),
          parameter("limit", "query", { type: "integer", minimum: 1, maximum: 100 }),
        ],
        responses: [
          {
            status: "200",
            description: "Pets.",
            contents: [
              {
                mediaType: "application/json",
                schema: { type: "array", items: { $ref: "#/$defs/Pet" } },
                examples: [[{ id: "1", name: "Rex" }], []],
                location: place,
              },
            ],
            headers: [],
          },
        ],
      }),
      operation({
        method: "DELETE",
        path: "/pets/{petId}",
        parameters: [parameter("petId", "path", { type: "string" })],
      }),
      operation({ operationId: "ping", method: "GET", path: "/ping" }),
    ],
    schemas: { Owner: owner, Pet: pet },
    securitySchemes: {
      key: { kind: "apiKey", in: "header", name: "X-Key", description: "Ask the front desk." },
    },
  },
  lint: [],
  diagnostics: [],
};
