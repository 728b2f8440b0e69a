/** Configurations that have every key, and the document that they are about. */
const ok = (name: string): object => ({
  description: "OK",
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
});
const id = { name: "petId", in: "path", required: true, schema: { type: "string" } };
const tenant = { name: "X-Tenant", in: "header", required: true, schema: { type: "string" } };
const query = (name: string, type = "string"): object => ({ name, in: "query", schema: { type } });
const text = { type: "string" };
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1.0.0" },
  servers: [{ url: "https://pets.example/v1" }],
  paths: {
    "/pets": {
      get: {
        operationId: "listPets",
        summary: "List pets",
        tags: ["pets"],
        parameters: [
          tenant,
          query("kind"),
          query("sort"),
          query("limit", "integer"),
          query("page", "integer"),
        ],
        responses: { 200: ok("Pets") },
      },
      post: {
        operationId: "createPet",
        summary: "Create a pet",
        tags: ["pets"],
        parameters: [tenant, query("pretty", "boolean")],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewPet" } } },
        },
        responses: { 201: ok("Pet") },
      },
    },
    "/pets/{petId}": {
      get: {
        operationId: "getPet",
        tags: ["pets"],
        parameters: [id],
        responses: { 200: ok("Pet") },
      },
      delete: {
        operationId: "deletePet",
        tags: ["pets"],
        parameters: [id],
        responses: { 204: { description: "Gone" } },
      },
    },
    "/pets/{petId}/visits": {
      get: {
        operationId: "listPetVisits",
        tags: ["pets"],
        parameters: [id],
        responses: { 200: ok("Pets") },
      },
    },
    "/pets/{petId}/walk": {
      post: {
        operationId: "walkPet",
        tags: ["pets"],
        parameters: [id, query("pace")],
        responses: { 200: ok("Pet") },
      },
    },
    "/pets/{petId}/rest": {
      post: {
        operationId: "restPet",
        tags: ["pets"],
        parameters: [id, query("pace", "integer")],
        responses: { 200: ok("Pet") },
      },
    },
    "/exports": {
      post: { operationId: "startExport", tags: ["exports"], responses: { 202: ok("Export") } },
    },
    "/nothing": {
      get: {
        operationId: "listNothing",
        tags: ["exports"],
        parameters: [query("offset", "integer"), query("limit", "integer")],
        responses: { 200: ok("Pets") },
      },
    },
    "/exports/{exportId}": {
      get: {
        operationId: "getExport",
        tags: ["exports"],
        parameters: [{ ...id, name: "exportId" }],
        responses: { 200: ok("Export") },
      },
    },
    "/reports": {
      get: { operationId: "listReports", tags: ["reports"], responses: { 200: ok("Pets") } },
    },
    "/reports/{reportId}": {
      get: {
        operationId: "getReport",
        tags: ["reports"],
        parameters: [{ ...id, name: "reportId" }],
        responses: { 200: ok("Pet") },
      },
    },
    "/internal": {
      get: { operationId: "internal", tags: ["internal"], responses: { 200: ok("Pet") } },
    },
  },
  components: {
    schemas: {
      Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
      Pet: {
        type: "object",
        properties: {
          id: text,
          name: text,
          kind: text,
          owner: { type: "object", properties: { name: text, city: text } },
        },
      },
      NewPet: {
        type: "object",
        required: ["name"],
        properties: { name: text, kind: text, note: text, chip: text, color: text, home: text },
      },
      Export: {
        type: "object",
        properties: { id: text, status: { type: "string", enum: ["running", "ready", "broken"] } },
      },
    },
  },
};

const ARAZZO = `arazzo: 1.0.1
info: {title: T, version: "1"}
sourceDescriptions: [{name: pets, url: ./pets.json, type: openapi}]
workflows:
  - workflowId: adopt
    steps: [{stepId: list, operationId: listPets, parameters: [{name: X-Tenant, in: header, value: a}], successCriteria: [{condition: $statusCode == 200}]}]
`;

/** A configuration with every key, but those of several APIs and those that exclude another. */
export const FULL = {
  version: 1,
  spec: "./pets.json",
  output: "./server",
  overlays: ["./fix.yaml"],
  workflows: ["./tasks.arazzo.yaml"],
  namespace: "zoo",
  name: "zoo-server",
  baseUrl: "https://zoo.example/v2",
  granularity: "task",
  outputSchemas: "strict",
  includeDeprecated: true,
  refRoot: "./templates",
  allowRemoteRefs: ["schemas.example"],
  templates: "./templates",
  runtime: "copy",
  features: ["discovery"],
  packages: { undici: "7.30.5" },
  images: {
    node: "registry.example/node:24-alpine",
    caddy: `caddy:2-alpine@sha256:${"0f".repeat(32)}`,
    valkey: "valkey/valkey:8.1-alpine",
  },
  deploy: ["compose"],
  hosts: ["https://uploads.example.com"],
  server: {
    name: "zoo",
    title: "The zoo",
    instructions: "Ask first.",
    documentation: false,
    rawRequests: true,
    runSteps: true,
    readBack: ["zoo_add_pet"],
    bulkReads: false,
    bulkWrites: false,
    includeLists: false,
    countOnly: false,
    fields: true,
    followPages: false,
    lookUpNames: true,
    openWorld: false,
    strictInputs: true,
    headers: { "X-Client": "mcp", "X-Team": { env: "ZOO_TEAM" } },
  },
  security: [],
  approve: "destructive",
  budget: {
    tools: 40,
    listTokens: 9000,
    resultTokens: 5000,
    onExceed: "warn",
    listed: ["zoo_list_animals"],
  },
  select: {
    default: "include",
    rules: [
      { match: { tags: ["internal"] }, include: false },
      { match: { path: "/internal/**", method: "GET", operations: ["internal"] }, include: false },
    ],
  },
  parameters: {
    "X-Tenant": { env: "ZOO_TENANT", override: true },
    sort: { fixed: "name" },
    page: { hide: true },
  },
  errors: { "401": "Tell the user to check the token." },
  tools: {
    list_animals: {
      operation: "listPets",
      title: "List animals",
      description: "List animals.",
      useWhen: "the user asks for animals",
      notFor: "one animal; use {tool:get_animal}",
      examples: [{ say: "Which cats are there?", call: { species: "cat" } }],
      keywords: ["beast"],
      toolset: "animals",
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      inputs: {
        kind: {
          name: "species",
          description: "Kind of animal.",
          examples: ["cat"],
          default: "dog",
        },
        limit: { hide: true },
      },
      output: { pick: ["id", "name"], rename: { "owner.name": "keeper" }, allowUndocumented: true },
      pagination: { maxItems: 50 },
      timeoutMs: 5000,
      errors: { "404": "No {species}; use {tool:get_animal}." },
    },
    get_animal: {
      operation: "getPet",
      output: { drop: ["kind"], fields: ["id", "name"] },
      bulk: false,
      includeLists: false,
      lookUpNames: false,
    },
    add_pet: {
      operation: "createPet",
      inputs: {
        only: ["name", "note", "kind"],
        name: { ask: true },
        note: { required: true },
        kind: { env: "ZOO_KIND", override: true },
        chip: { fixed: "none" },
      },
    },
    move_animal: {
      merge: {
        walk: { operation: "walkPet", inputs: { pace: { name: "speed" } } },
        rest: "restPet",
      },
      choose: "activity",
      inputs: {
        petId: {
          resolve: {
            via: "list_animals",
            match: ["name", "id"],
            id: "id",
            url: "https://zoo.example/pets/{petId}",
          },
        },
      },
      approve: { type: "name" },
    },
    delete_pet: { include: false },
    find_reports: {
      merge: ["listReports", { operation: "getReport", inputs: { reportId: { name: "id" } } }],
    },
    export: {
      operation: "startExport",
      job: {
        state: "status",
        done: ["ready"],
        failed: ["broken"],
        id: "id",
        follow: "get_export",
        wait: 5,
      },
    },
    get_export: { operation: "getExport" },
    list_nothing: { operation: "listNothing", hidden: true, followPages: false },
    adopt_animal: { workflow: "adopt" },
  },
};
/** A configuration with the other forms of values: the opposites, names and lists. */
export const FORMS = {
  version: 1,
  spec: "./pets.json",
  output: "./server",
  granularity: "operation",
  outputSchemas: "tolerant",
  allowRemoteRefs: ["a.example", "b.example"],
  hosts: ["https://uploads.example.com", "https://files.example.com"],
  server: { readBack: false },
  approve: ["delete_pet"],
  budget: { onExceed: "error" },
  select: {
    default: "exclude",
    rules: [{ match: { tags: ["pets"] }, include: true }],
  },
  parameters: { pretty: { hide: false }, "X-Tenant": { env: "ZOO_TENANT" } },
  tools: {
    list_pets: {
      operation: "listPets",
      output: { fields: true },
    },
    read_pet: {
      operation: "getPet",
      inputs: { petId: { resolve: false } },
      includeLists: { visits: "list_pet_visits" },
    },
    create_pet: { inputs: { name: { required: false } } },
    walk_pet: { operation: "walkPet", inputs: { pace: { required: true } } },
    delete_pet: { inputs: { petId: { resolve: { via: "list_pets", match: "name" } } } },
  },
};

/** The files that the configurations name. */
export const FILES = {
  "pets.json": JSON.stringify(DOCUMENT),
  "tasks.arazzo.yaml": ARAZZO,
  "fix.yaml":
    "overlay: 1.0.0\ninfo: {title: Fix, version: '1'}\nactions: [{target: $.info, update: {description: Animals}}]\n",
  "templates/files/NOTICE.hbs": "n\n",
};
