/** `npm run bundle` serializes the tools of a project without changing their definitions. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLock } from "../../src/diff/index.js";
import { referenceFingerprint } from "../reference-fingerprint.js";
import { readConfiguration } from "../../src/configuration/index.js";
import { initialize, startProcess, type StdioProcess } from "../runtime/support/fixture.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { generateProject, type Project } from "./project.js";

const nasty = 'It\'s "so" `${x}` \\ \\u0041 </script> 猫 \u2028 é {{x}} */';

/** A get by ID, with texts and names that code must escape. */
function operation(operationId: string): object {
  const parameters = [
    { name: "id", in: "path", required: true, schema: { type: "string" }, description: nasty },
  ];
  const properties = JSON.parse(
    '{"__proto__": {"type": "string"}, "constructor": {"type": "integer", "minimum": 0.1}}',
  ) as object;
  return {
    operationId,
    summary: operationId,
    description: nasty,
    parameters,
    responses: {
      200: {
        description: nasty,
        content: { "application/json": { schema: { type: "object", properties } } },
      },
    },
  };
}

let folder: string;
let project: Project;
let upstream: Upstream;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-gen-packed-"));
  const paths = {
    "/cats/{id}": { get: operation("getCat") },
    "/dogs/{id}": { get: operation("getDog") },
  };
  await writeFile(
    join(folder, "api.json"),
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Nasty", version: "1" },
      servers: [{ url: "https://nasty.example" }],
      paths,
    }),
  );
  project = await generateProject(join(folder, "api.json"), { features: ["discovery"] });
  upstream = await startUpstream(reply(200, { constructor: 7 }));
});
afterAll(() =>
  Promise.all([rm(folder, { recursive: true, force: true }), project.remove(), upstream.close()]),
);

/** Starts a server and completes the handshake. */
async function start(
  server: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<StdioProcess> {
  const running = startProcess(server, env, args);
  await initialize(running);
  return running;
}

const byName = (a: Listed, b: Listed): number => (a.name < b.name ? -1 : 1);

/** The tools that a server lists, in the order of the lock. */
async function listed(server: StdioProcess): Promise<readonly Listed[]> {
  const { result } = await server.request("tools/list");
  // A tool of the server itself, which the lock lacks.
  return (result?.["tools"] as readonly Listed[])
    .filter(({ name }) => name !== "read_result")
    .sort(byName);
}

interface Listed {
  readonly name: string;
}

/** The definitions of a project's lock, in the form of a list. */
async function locked({ folder: at }: Project): Promise<readonly Listed[]> {
  const lock = readLock(await readFile(join(at, "mcp-gen.lock.json"), "utf8"));
  if (typeof lock !== "object") throw new Error(`The lock ${lock ?? "is not a lock"}`);
  return lock.tools
    .map(({ operations: _, requests: _requests, ...definition }) => ({
      ...definition,
      _meta: expect.objectContaining({
        "dev.mcp-gen/fingerprint": referenceFingerprint(definition),
      }) as object,
    }))
    .sort(byName);
}

/** True when a bundle contains a tool of the API as code. `send_request` has the path `/`. */
const asCode = async ({ server }: Project): Promise<boolean> =>
  /[{,]\s*operations:\s*\[\s*\{(?:\s*whenProvided:\s*\[[^\]]*\],)?\s*request:\s*\{[^{}]*\bpath:\s*"\/\w/.test(
    await readFile(server, "utf8"),
  );

async function expectServed(): Promise<void> {
  const server = await start(project.server, { NASTY_BASE_URL: upstream.url });
  expect(await listed(server)).toEqual(await locked(project));
  const { result } = await server.request("tools/call", {
    name: "get_dog",
    arguments: { id: "a/b" },
  });
  expect(result).toMatchObject({ structuredContent: { constructor: 7 } });
  expect(upstream.requests.at(-1)?.url).toBe("/dogs/a%2Fb");
  server.child.kill();
}

async function expectFound(): Promise<void> {
  const server = await start(project.server, {}, ["--mode", "discovery"]);
  const { result } = await server.request("tools/call", {
    name: "search_tools",
    arguments: { query: "dog" },
  });
  expect(result).toHaveProperty("structuredContent.tools.0.name", "get_dog");
  server.child.kill();
}

test("tools are serialized in the bundle, with unchanged definitions", async () => {
  await project.run("bundle");
  expect(await asCode(project)).toBe(false);
  await expectServed();
});

test("the bundle has the index of the search, which finds the tools", async () => {
  await project.run("bundle");
  expect(await readFile(project.server, "utf8")).toMatch(/"postings\\?":/);
  await expectFound();
});

test("the texts and the index of many tools are compressed", async () => {
  const runtime = join(project.folder, "src/runtime/bundle.ts");
  const code = await readFile(runtime, "utf8");
  await writeFile(runtime, code.replace("maxCharacters = 16_000_000", "maxCharacters = 0"));
  await project.run("bundle");
  await writeFile(runtime, code);
  expect(await readFile(project.server, "utf8")).not.toMatch(/"postings\\?":|"operations\\?":/);
  await expectServed();
  await expectFound();
});

test.each([
  [
    "has a tool outside a module",
    (code: string) => code.replace("  getCat,\n", "  Object.assign({ own: () => {} }, getCat),\n"),
  ],
  ["exports more than tools", (code: string) => `${code}\nexport const count = tools.length;\n`],
])("a tool list that %s is bundled as code", async (_, changed) => {
  const index = join(project.folder, "src/tools/index.ts");
  const code = await readFile(index, "utf8");
  await writeFile(index, changed(code));
  await project.run("bundle");
  await writeFile(index, code);
  expect(await asCode(project)).toBe(true);
  await expectServed();
});

test("workflow tools stay code between serialized tools", async () => {
  const { configuration } = await readConfiguration("samples/tickets/mcp-gen.yaml");
  const tickets = await generateProject(configuration?.settings.spec ?? "", {
    configuration,
    features: ["discovery"],
  });
  await tickets.run("bundle");
  expect(await asCode(tickets)).toBe(false);
  const server = await start(tickets.server);
  expect(await listed(server)).toEqual(await locked(tickets));
  server.child.kill();
  await tickets.remove();
});
