/** A small API for tests of tasks, and changes of it. */
import { generate } from "../../src/generate.js";
import type { ToolPlan } from "../../src/plan/types.js";
import type { GeneratedFile } from "../../src/render/index.js";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pet = {
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string" },
    species: { type: "string", enum: ["dog", "cat"] },
  },
};

const rex = { id: "pet_1", name: "Rex", species: "dog" };

const json = (schema: object, example?: unknown) => ({
  "application/json": { schema, ...(example !== undefined && { example }) },
});

const ok = (schema: object, example?: unknown) => ({
  "200": { description: "Done.", content: json(schema, example) },
});

const petId = { name: "petId", in: "path", required: true, schema: { type: "string" } };

/** Data of any shape, which tests change. */
type Data = ReturnType<typeof JSON.parse>;

/** The document as plain data whose parts are changed apart. */
export function petsDocument(): Data {
  const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://pets.example/v1" }],
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          summary: "List pets",
          parameters: [{ name: "q", in: "query", schema: { type: "string" } }],
          responses: ok({ type: "array", items: pet }, [rex]),
        },
        post: {
          operationId: "createPet",
          summary: "Register a pet",
          requestBody: { required: true, content: json(pet) },
          responses: { "201": { description: "The pet.", content: json(pet, rex) } },
        },
      },
      "/pets/{petId}": {
        delete: {
          operationId: "deletePet",
          summary: "Delete a pet",
          parameters: [petId],
          responses: { "204": { description: "Deleted." } },
        },
      },
      "/visits": {
        post: {
          operationId: "bookVisit",
          summary: "Book a visit of a pet",
          requestBody: {
            required: true,
            content: json({
              type: "object",
              required: ["petId", "day"],
              properties: {
                petId: { type: "string", description: "ID of the pet." },
                day: { type: "string", format: "date" },
                reason: { type: "string" },
              },
              additionalProperties: false,
            }),
          },
          responses: ok(
            { type: "object", properties: { id: { type: "string" } } },
            { id: "vis_1" },
          ),
        },
      },
    },
  };
  return JSON.parse(JSON.stringify(document));
}

/** Generates the server of a document in memory. */
export async function generatePets(
  document: unknown = petsDocument(),
): Promise<{ readonly plan: ToolPlan; readonly files: readonly GeneratedFile[] }> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-eval-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(document));
    const { plan, files, diagnostics } = await generate(file, undefined, { features: ["all"] });
    if (!plan || !files) throw new Error(JSON.stringify(diagnostics));
    return { plan, files };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
