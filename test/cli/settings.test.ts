import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { mcpGen } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example/v1'}]
paths:
  /pets:
    get:
      operationId: listPets
      responses: {'200': {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A pet, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}}
    delete:
      operationId: deletePet
      deprecated: true
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Deleted}}
  /audit:
    get:
      operationId: audit
      x-internal: true
      responses: {'204': {description: Done}}
`;

/** Generates with a configuration, and reads files of the project. */
async function generated(configuration: string, ...paths: string[]) {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, "mcp-gen.yaml": configuration });
  const outcome = await mcpGen(["pets.yaml", "-o", "server"], root);
  return {
    ...outcome,
    files:
      outcome.code === 0
        ? paths.map((path) => readFileSync(join(root, "server", path), "utf8"))
        : [],
  };
}

test("every option of a project has a key in mcp-gen.yaml", async () => {
  const { code, out, files } = await generated(
    `version: 1
name: "@acme/pets"
baseUrl: https://staging.pets.example/v2
granularity: operation
outputSchemas: strict
includeDeprecated: true
deploy: [compose]
packages: {undici: 7.30.1, "@modelcontextprotocol/server": ^2.4.0}
refRoot: .
allowRemoteRefs: [schemas.example]
hosts: [https://uploads.pets.example]
server:
  name: acme-pets
  title: Pets of Acme
  instructions: Only for pets.
  headers: {X-Client: mcp, X-Team: {env: PETS_TEAM}}
`,
    "package.json",
    "src/api.ts",
    ".env.example",
  );
  expect(code).toBe(0);
  expect(out).toContain("3 tools");
  expect(JSON.parse(files[0]!)).toMatchObject({
    name: "@acme/pets",
    dependencies: { undici: "7.30.1", "@modelcontextprotocol/server": "^2.4.0" },
  });
  expect(files[1]).toContain('name: "acme-pets"');
  expect(files[1]).toContain('title: "Pets of Acme"');
  expect(files[1]).toContain('instructions: "Only for pets."');
  expect(files[1]).toContain("https://staging.pets.example/v2");
  expect(files[1]).toContain('hosts: ["https://uploads.pets.example"]');
  expect(files[1]).toMatch(/headers: \{\s*"X-Client": "mcp",\s*"X-Team": \{ env: "PETS_TEAM" \}/);
  expect(files[2]).toContain("# PETS_TEAM=");
});

test.each([
  ["baseUrl: ftp://pets.example", /mcp-gen\.yaml:2:1/],
  ["namespace: pets_", /mcp-gen\.yaml:2:1 .*`namespace` is "pets_"/],
  ["refRoot: absent", /mcp-gen\.yaml:2:1: absent is not a readable folder/],
  [
    "tools: {find_pets: {name: look_for_pets, operation: listPets}}",
    /Unknown key `name`\. The key of a rule is the name of its tool: rename the key\./,
  ],
  ["packages: {left-pad: 1.0.0}", /mcp-gen\.yaml:2:\d+.*left-pad/s],
  ["images: {postgres: postgres:17}", /mcp-gen\.yaml:2:\d+.*postgres/s],
  ["images: {node: 'node:24-alpine@sha256:0f'}", /mcp-gen\.yaml:2:\d+.*images\.node/s],
  ["images: {node: 'node:24 AS build'}", /mcp-gen\.yaml:2:\d+.*images\.node/s],
  ["packages: {undici: latest}", /mcp-gen\.yaml:2:\d+.*undici/s],
  ["allowRemoteRefs: schemas.example", /mcp-gen\.yaml:2:1.*allowRemoteRefs/s],
  ["hosts: [uploads.example/a]", /mcp-gen\.yaml:2:\d+.*hosts/s],
  ["granularity: both", /mcp-gen\.yaml:2:1.*granularity/s],
  ['server: {headers: {X-A: "a\\nb"}}', /mcp-gen\.yaml:2:\d+.*headers/s],
])("an error in %s points into the file", async (line, message) => {
  const { code, err } = await generated(`version: 1\n${line}\n`);
  expect(code).not.toBe(0);
  expect(err).toMatch(message);
});

/** A document with a reference, and the schema to which it refers. */
const referring = (ref: string): string => `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    get:
      operationId: listPets
      responses: {'200': {description: OK, content: {application/json: {schema: {$ref: '${ref}'}}}}}
`;
const pet = JSON.stringify({ type: "object", properties: { name: { type: "string" } } });

test.each([
  ["", true],
  ["refRoot: .", false],
])("%j decides about the files that references may name", async (line, isRefused) => {
  const root = scratch();
  plant(root, {
    "api/pets.yaml": referring("../common/pet.json"),
    "common/pet.json": pet,
    "mcp-gen.yaml": `version: 1\nspec: api/pets.yaml\n${line}\n`,
  });
  const { code, err } = await mcpGen(["--dry-run"], root);
  expect([code, err.includes("--ref-root. [load-ref-broken]")]).toEqual([0, isRefused]);
  // A printed proposal has the paths of the file that it replaces.
  const { out } = await mcpGen(["plan"], root);
  expect(out).toContain(`\nspec: ./api/pets.yaml\n`);
  expect(/^refRoot: "?\.\/?"?$/m.test(out)).toBe(line !== "");
});

test("the command line goes first, and --input and --quiet work", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, "mcp-gen.yaml": "version: 1\nname: from-file\n" });
  const outcome = await mcpGen(
    ["-i", "pets.yaml", "-o", "server", "--name", "from-option", "--quiet"],
    root,
  );
  expect(outcome).toMatchObject({ code: 0, out: "", err: "" });
  expect(readFileSync(join(root, "server/package.json"), "utf8")).toContain('"from-option"');
  const twice = await mcpGen(["-i", "pets.yaml", "pets.yaml", "-o", "other"], root);
  expect(twice.code).toBe(2);
});

test.each([
  ["deploy: [workers]", [], ["wrangler.jsonc"]],
  ["", ["--deploy", "compose,workers"], ["Caddyfile", "compose.yaml", "wrangler.jsonc"]],
  [
    "deploy: [workers]",
    ["--deploy", "compose", "--deploy", "kubernetes"],
    ["Caddyfile", "compose.yaml", "kubernetes.yaml"],
  ],
])("%j and %j write %j", async (line, options, want) => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, "mcp-gen.yaml": `version: 1\n${line}\n` });
  const { code } = await mcpGen(["pets.yaml", "-o", "server", ...options], root);
  expect(code).toBe(0);
  const all = ["Caddyfile", "compose.yaml", "kubernetes.yaml", "wrangler.jsonc"];
  expect(all.filter((path) => existsSync(join(root, "server", path)))).toEqual(want);
});

test("an unknown engine is answered with the known ones", async () => {
  const { code, err } = await mcpGen(
    ["pets.yaml", "-o", "server", "--deploy", "compose,nomad"],
    ".",
  );
  expect([code, err]).toEqual([2, expect.stringContaining("compose, kubernetes, prometheus")]);
});

test("plan writes the settings that were given", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const { code, out } = await mcpGen(
    [
      "plan",
      "pets.yaml",
      "--name",
      "acme-pets",
      "--granularity",
      "operation",
      "--include-deprecated",
    ],
    root,
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^name: acme-pets\ngranularity: operation\nincludeDeprecated: true$/m);
});
