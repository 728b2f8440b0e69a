/**
 * A server as the generator writes them, for tests that need a process: it is bundled by
 * `bundleFixture`.
 */
import { defineApi, defineCustomTool, defineTool } from "../../../src/runtime/index.js";
import { serve } from "../../../src/runtime/serve.js";

const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

const api = defineApi({
  name: "clinic",
  title: "Clinic",
  version: "1.2.3",
  instructions: "Pets and their owners.",
  envPrefix: "CLINIC",
  servers: [],
  securitySchemes: { token: { kind: "bearer", env: "CLINIC_TOKEN" } },
});

interface GetPetInput {
  readonly pet_id: string;
}

const getPet = defineTool<GetPetInput, { id?: number | null }>({
  name: "get_pet",
  title: "Get a pet",
  description: "Get a pet by its ID.",
  annotations,
  inputSchema: {
    type: "object",
    properties: { pet_id: { type: "string" } },
    required: ["pet_id"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { id: { type: ["integer", "null"] } } },
  operations: [
    {
      whenProvided: [],
      request: {
        method: "GET",
        path: "/pets/{petId}",
        pathParams: { petId: "pet_id" },
        security: [{ token: [] }, {}],
      },
      response: {},
    },
  ],
});

const noInput = { type: "object", properties: {}, additionalProperties: false };

/** Prints where it must not, and fails with what must not be told. */
const careless = defineCustomTool<Record<string, never>, string>({
  name: "be_careless",
  title: "Be careless",
  description: "Print to stdout, then fail.",
  annotations,
  inputSchema: noInput,
  run() {
    console.log("a line for stdout");
    process.stdout.write("and another one\n");
    throw new Error("secret /home/u");
  },
});

/** Tells how far it is, and has its answer at once. */
const quick = defineCustomTool<Record<string, never>, string>({
  name: "be_quick",
  title: "Be quick",
  description: "Tell of progress, and be done.",
  annotations,
  inputSchema: noInput,
  run(_, { progress }) {
    setTimeout(() => progress("Told too late."), 10);
    progress("Nearly done.");
    return "Done.";
  },
});

const many = Array.from({ length: Number(process.env["MANY_TOOLS"] ?? 0) }, (_, i) => ({
  ...getPet,
  name: `get_pet_${i}`,
}));

await serve({ api, tools: [getPet, ...many], custom: { tools: [careless, quick] } });
