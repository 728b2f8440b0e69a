/**
 * Every key of `mcp-gen.schema.json`: a configuration has it, `plan` carries it over, a typo in it
 * is an error that names it, and the documents describe it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { describe, expect, test } from "vitest";
import { parseConfiguration } from "../../src/configuration/parse-configuration.js";
import { mcpGen } from "../cli/built.js";
import { plant, scratch } from "../write/tree.js";
import { schemaKeys as keys } from "./schema-keys.js";

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
const FULL = {
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
    rawRequests: true,
    runSteps: true,
    readBack: ["zoo_add_pet"],
    bulkReads: false,
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
const FORMS = {
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

/** Keys that no rule above can have, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  apis: "in place of `spec`; its keys are those of the top level",
  ...Object.fromEntries(
    ["links", "links[].input", "links[].from", "links[].match"].map((key) => [
      key,
      "beside `apis`: test/apis/plan.test.ts",
    ]),
  ),
};

const keysInUse = (value: unknown, path: string, keys: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) keysInUse(item, `${path}[]`, keys);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const own = path === "" ? name : `${path}.${name}`;
      for (const known of [own, `${path}.*`]) {
        keys.add(known);
        keysInUse(member, known, keys);
      }
    }
};

interface Configured {
  readonly tools: object;
}

/** The configuration that `plan` writes for a folder with another one. */
async function proposalOf(configuration: object): Promise<string> {
  const root = scratch();
  plant(root, {
    "pets.json": JSON.stringify(DOCUMENT),
    "tasks.arazzo.yaml": ARAZZO,
    "fix.yaml":
      "overlay: 1.0.0\ninfo: {title: Fix, version: '1'}\nactions: [{target: $.info, update: {description: Animals}}]\n",
    "templates/files/NOTICE.hbs": "n\n",
    "mcp-gen.yaml": stringify(configuration),
  });
  const { out, err } = await mcpGen(["plan"], root);
  if (err !== "") throw new Error(err);
  return out;
}

describe("every key of the schema", () => {
  test("is in the configuration of this test", () => {
    const inUse = new Set<string>();
    keysInUse(FULL, "", inUse);
    expect(keys.filter((key) => !inUse.has(key) && !(key in ELSEWHERE))).toEqual([]);
  });

  test.each<readonly [string, Configured]>([
    ["all keys", FULL],
    ["other forms of values", FORMS],
  ])("is carried over by plan, with its value: %s", async (_, configuration) => {
    const { tools, ...head } = parse(await proposalOf(configuration)) as Configured;
    const { tools: given, ...givenHead } = configuration;
    expect(head).toEqual(givenHead);
    expect(tools).toMatchObject(given);
  });

  test("is described in the documents", () => {
    const reference = readFileSync("docs/configuration-reference.md", "utf8");
    const unknown = keys.filter((key) => !reference.includes(`| \`${key}\` |`));
    expect(unknown).toEqual([]);
    const names = new Set(keys.map((key) => key.split(".").at(-1)!));
    const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
    const texts = pages
      .filter((name) => !name.includes("reference"))
      .map((name) => readFileSync(join("docs", name), "utf8"))
      .join("\n");
    expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(texts))).toEqual([]);
  });
});

type Path = readonly (string | number)[];

/** Paths of the keys that the schema names, in the configuration. */
function* namedKeys(value: unknown, path: Path): Generator<Path> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const own = [...path, Array.isArray(value) ? Number(name) : name];
    if (!Array.isArray(value) && namesKeys(path)) yield own;
    yield* namedKeys(member, own);
  }
}

/** False for an object whose keys are names that the owner chooses. */
function namesKeys(path: Path): boolean {
  const [last, ...before] = path.toReversed();
  const isMap =
    /^(tools|parameters|errors|packages|headers|merge|inputs|rename|call)$/.test(String(last)) &&
    before[0] !== "budget";
  return !isMap && last !== "annotations";
}

describe("a typo in a key is an error that suggests the key", () => {
  const rows = [...namedKeys(FULL, [])].map((path) => [path.join(" "), path] as const);
  test.each(rows)("%s", (_, path) => {
    const wrong = structuredClone(FULL) as unknown as Record<string, unknown>;
    const name = String(path.at(-1));
    const owner = path
      .slice(0, -1)
      .reduce<Record<string, unknown>>(
        (node, step) => node[step] as Record<string, unknown>,
        wrong,
      );
    owner[`${name}x`] = owner[name];
    delete owner[name];
    const { content, diagnostics } = parseConfiguration(stringify(wrong), "mcp-gen.yaml");
    expect(content).toBeUndefined();
    const messages = diagnostics.map(({ message, hint = "" }) => `${message} ${hint}`).join("\n");
    expect(messages).toContain(`${name}x`);
    expect(messages).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

/** The object that has a key. */
function ownerOf(configuration: object, path: Path): Record<string, unknown> {
  return path
    .slice(0, -1)
    .reduce<unknown>(
      (node, step) => (node as Record<string | number, unknown>)[step],
      configuration,
    ) as Record<string, unknown>;
}

/** Paths of FULL by the key of the schema. */
const rows = [...namedKeys(FULL, [])].map((path) => [path.join(" "), path] as const);

/** Places for keys of other places: one of each kind of object, and its keys. */
const PLACES: readonly (readonly [place: readonly string[], keysAt: string])[] = [
  [[], ""],
  [["server"], "server."],
  [["budget"], "budget."],
  [["select"], "select."],
  [["tools", "a"], "tools.*."],
  [["tools", "a", "output"], "tools.*.output."],
  [["tools", "a", "inputs", "b"], "tools.*.inputs.*."],
];

const nested = (path: readonly string[], value: unknown): object =>
  path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;

describe("a key in a wrong place is one error at its line that names the right one", () => {
  const names = [...new Set(keys.map((key) => key.split(".").at(-1)!))].filter(
    (name) => name !== "*" && !name.endsWith("[]"),
  );
  const rowsOf = names.flatMap((name) =>
    PLACES.filter(([, at]) => !keys.includes(`${at}${name}`)).map(([place]) => [name, place]),
  ) as readonly (readonly [string, readonly string[]])[];
  test("is a row for every key", () => {
    expect(new Set(rowsOf.map(([name]) => name)).size).toBe(names.length);
  });

  test.each(names)("%s", (name) => {
    for (const [, place] of rowsOf.filter(([other]) => other === name)) {
      const path = [...place, name];
      const wrong = stringify({ version: 1, ...nested(path, true) });
      const { content, diagnostics, locationOf } = parseConfiguration(wrong, "mcp-gen.yaml");
      const [found, ...others] = diagnostics;
      expect([content, others], wrong).toEqual([undefined, []]);
      expect(found).toMatchObject({ code: "config-unknown-key", location: locationOf(path) });
      const says = `${found?.message} ${found?.hint}`;
      const [, named] = /its place is `([^`]+)`/.exec(says) ?? [];
      if (named !== undefined) expect(named.split(".").at(-1)).toBe(name);
      else expect(says).toMatch(/its place is the top level|did you mean \w+\?|rename the key/);
    }
  });
});

describe("a value of another type is one error at its line that says what it must be", () => {
  // Constants and defaults may have any type.
  const typed = rows.filter(([, path]) => !["fixed", "default"].includes(String(path.at(-1))));
  test.each(typed)("%s", (_, path) => {
    const [top, name] = path as [string, string];
    const { version, tools, ...others } = structuredClone(FULL) as Record<string, unknown>;
    const part =
      top === "tools" ? { [name]: (tools as Record<string, unknown>)[name] } : others[top];
    const wrong = { version, [top]: part };
    ownerOf(wrong, path)[path.at(-1)!] = 3.5;
    const { content, diagnostics, locationOf } = parseConfiguration(stringify(wrong), "f.yaml");
    const [found, ...more] = diagnostics;
    expect([content, more]).toEqual([undefined, []]);
    expect(found).toMatchObject({ location: locationOf(path) });
    expect(found?.message).toMatch(/ is not valid: it is 3\.5, and must be /);
  });
});
