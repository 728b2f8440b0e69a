import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { cli, mcpGen } from "./built.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example/v1'}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
      responses: {'200': {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string, examples: [Rex]}}}}}}}}
    post:
      operationId: createPet
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, examples: [Rex]}}}}}}
      responses: {'201': {description: The pet, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}}
  /pets/{id}/secret:
    get:
      operationId: getSecret
      parameters: [{name: id, in: path, required: true, schema: {type: string, examples: [p1]}}]
      responses: {'200': {description: Impossible, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}}}
`;

/** Runs `mcp-gen try` with a temporary folder of its own, which must be empty afterwards. */
async function tryIt(args: readonly string[], document = PETS) {
  const root = scratch();
  plant(root, { "pets.yaml": document, "tmp/": "" });
  const outcome = await mcpGen(["try", ...args], root, "", { TMPDIR: join(root, "tmp") });
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(["pets.yaml", "tmp"]);
  return outcome;
}

test("every tool is listed and called over stdio, one with invalid input", async () => {
  const { code, out, err } = await tryIt(["pets.yaml"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^Pets: 3 operations → 3 tools\n/);
  expect(out).toMatch(/Tools:\n {2}list_pets +\S/);
  expect(out).toMatch(
    /^✓ list_pets \{\}\n {4}GET \/api\/pets → 200\n {4}\{"items":\[\{"name":"Rex"\}\]\}$/m,
  );
  expect(out).toMatch(/^✓ create_pet \{"name":"Rex"\}\n {4}POST \/api\/pets → 201$/m);
  expect(out).toMatch(
    /A call without required inputs:\n✗ create_pet \{\}\n {4}no request was sent\n {4}Not sent: .*\n {4}- name: /,
  );
  expect(out).toMatch(
    /3 of 3 tools work, in \d+ calls\.\nAll temporary files were removed\. To generate: mcp-gen pets\.yaml -o server\n$/,
  );
});

test("one tool is called with given input", async () => {
  const { code, out } = await tryIt([
    "pets.yaml",
    "--tool",
    "list_pets",
    "--input",
    '{"limit": 7}',
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/✓ list_pets \{"limit":7\}\n {4}GET \/api\/pets\?limit=7 → 200\n/);
  expect(out).toMatch(/1 of 1 tool works, in 1 call\./);
});

test("a failing tool gives exit code 1 and shows the agent's result", async () => {
  const { code, out } = await tryIt([
    "pets.yaml",
    "--tool",
    "list_pets",
    "--input",
    '{"limit": 700}',
  ]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /✗ list_pets \{"limit":700\}\n {4}no request was sent\n {4}Not sent: .*\n {4}- limit: 700 is above the maximum of 100/,
  );
  expect(out).toMatch(/0 of 1 tool works, in 1 call\.\n {2}failing: list_pets\n/);
});

test("--json has the calls as data", async () => {
  const { code, out } = await tryIt(["pets.yaml", "--json"]);
  expect(code).toBe(0);
  const { ok, calls } = JSON.parse(out);
  expect(ok).toBe(true);
  expect(calls[0]).toEqual({
    tool: "list_pets",
    input: {},
    requests: [{ method: "GET", url: "/api/pets", status: 200, violations: [] }],
    result: { isError: false, text: expect.any(String), structured: { items: [{ name: "Rex" }] } },
    verdict: "works",
  });
});

test.each([
  [
    ["pets.yaml", "--tool", "list_pet"],
    2,
    /^error: Unknown tool list_pet; did you mean list_pets\?\n/,
  ],
  [["pets.yaml", "--input", "7"], 2, /Give a JSON object/],
  [["pets.yaml", "--input", "{"], 2, /Give a JSON object/],
  [["nowhere.yaml"], 3, /file does not exist/i],
])("%j is refused", async (args, want, says) => {
  const { code, out, err } = await tryIt(args);
  expect({ code, out }).toEqual({ code: want, out: "" });
  expect(err).toMatch(says);
});

test("a server that does not start is reported in one sentence", async () => {
  const root = scratch();
  plant(root, {
    "pets.yaml": PETS,
    "mine/src/main.ts.hbs": 'import "not-installed";\n',
    "tmp/": "",
  });
  const { code, err } = await mcpGen(["try", "pets.yaml", "--templates", "mine"], root, "", {
    TMPDIR: join(root, "tmp"),
  });
  expect(code).toBe(1);
  expect(err).toMatch(
    /^error: The server exited before it responded: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'not-installed'.*\n$/,
  );
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
});

test("Ctrl-C removes all temporary files", async () => {
  const root = scratch();
  const paths = Array.from(
    { length: 80 },
    (_, i) =>
      `  /things${i}:\n    get: {operationId: listThings${i}, responses: {'200': {description: x}}}\n`,
  ).join("");
  plant(root, { "pets.yaml": PETS + paths, "tmp/": "" });
  const child = spawn(process.execPath, [cli, "try", "pets.yaml"], {
    cwd: root,
    env: { ...process.env, TMPDIR: join(root, "tmp") },
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const first = !out.includes("✓");
    out += text;
    if (first && out.includes("✓")) child.kill("SIGINT");
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
  // It may have been done before it was told.
  expect(out.includes("then it was interrupted") ? code : 1).toBe(1);
});
