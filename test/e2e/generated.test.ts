import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLock } from "../../src/diff/index.js";
import { referenceFingerprint } from "../reference-fingerprint.js";
import { type Mock, startMock } from "../../src/mock/index.js";
import { type AnyClient, clients } from "./clients.js";
import { generateProject, type Project, startHttp } from "./project.js";

/** A second same call is sent as given, also by another client of the server. */
let names = 0;
const newName = (): string => `Biscuit ${++names}`;

/**
 * The clinic sample as a user gets it: generated to disk, checked, bundled, started as a process,
 * and called by real clients.
 */
let project: Project;
let mock: Mock;
let http: { readonly url: URL; readonly child: ChildProcess };
let env: Record<string, string>;

beforeAll(async () => {
  project = await generateProject("samples/clinic/openapi.yaml");
  await project.run("bundle");
  mock = await startMock(project.plan.mock, {
    basePath: "/v1",
    respond: (request) =>
      request.parameters.get("petId") === "pet_000000"
        ? {
            status: 404,
            body: { title: "Not Found", status: 404, detail: "No pet has the ID pet_000000." },
          }
        : undefined,
  });
  env = { ...credentials(project), [`${project.plan.api.envPrefix}_BASE_URL`]: mock.url };
  http = await startHttp(project.server, env);
});
afterAll(async () => {
  http?.child.kill();
  await mock?.close();
  await project?.remove();
});

function credentials({ plan }: Project): Record<string, string> {
  return Object.fromEntries(
    plan.environment
      .filter((variable) => variable.secret)
      .map((variable) => [variable.name, "made-up"]),
  );
}

describe("the generated project", () => {
  test("can be imported by other programs", async () => {
    await project.run("build:library");
    const { name } = JSON.parse(readFileSync(join(project.folder, "package.json"), "utf8")) as {
      readonly name: string;
    };
    const program = `
      import { createHandler, tools } from "${name}";
      import { nodeHandler } from "${name}/runtime/node";
      import { findPets } from "${name}/tools/pets/find_pets";
      const handle = createHandler({ env: process.env, path: "*", authenticate: () => ({ id: "me" }) });
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: {
        name: findPets.name, arguments: { perPage: 2 } } };
      const response = await handle(new Request("http://localhost/any", { method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify(message) }));
      console.log(tools.length, typeof nodeHandler, response.status, await response.text());
    `;
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: project.folder,
      env: { ...process.env, ...env },
    });
    expect(stdout).toMatch(/^15 function 200 [^]*"structuredContent":\{"items"/);
  });
  test("passes its own tests", async () => {
    expect(await project.run("test")).toMatch(/^# fail 0$|ℹ fail 0/mu);
  });
});

const nameOf = (operationId: string): string => {
  const tool = project.plan.tools.find((t) =>
    t.operations.some((o) => o.operationId === operationId),
  );
  if (!tool) throw new Error(`no tool stands for ${operationId}`);
  return tool.definition.name;
};
const text = (result: { readonly content?: unknown }): string => JSON.stringify(result.content);

describe.each(clients)("%s", (_, connect) => {
  describe.each(["stdio", "http"] as const)("over %s", (transport) => {
    let client: AnyClient;
    beforeAll(async () => {
      client = await connect(
        transport === "http"
          ? http.url
          : { command: process.execPath, args: [project.server], env },
      );
    });
    afterAll(() => client?.close());

    test("lists the definitions of the lock, with their fingerprints", async () => {
      const { tools } = await client.listTools();
      expect(tools.at(-1)?.name).toBe("read_result");
      const listed = tools.slice(0, -1).map(({ _meta, ...definition }) => ({
        ...definition,
        fingerprint: _meta?.["dev.mcp-gen/fingerprint"],
      }));
      const lock = readLock(readFileSync(`${project.folder}/mcp-gen.lock.json`, "utf8"));
      if (typeof lock !== "object") throw new Error(`The lock ${lock ?? "is not a lock"}`);
      expect(listed.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
        lock.tools.map(({ operations: _, ...definition }) => ({
          ...definition,
          fingerprint: referenceFingerprint(definition),
        })),
      );
    });

    test("lists the tools of the plan", async () => {
      const { tools } = await client.listTools();
      const planned = project.plan.tools.map((t) => t.definition.name);
      expect(tools.map((t) => t.name)).toEqual([...planned, "read_result"]);
    });
    test("calls a tool and gets the API's response", async () => {
      const result = await client.callTool({
        name: nameOf("listOwners"),
        arguments: { q: "brandt", limit: 2 },
      });
      expect(result).toMatchObject({
        structuredContent: { items: [{ name: "Ada Brandt" }] },
      });
      expect(mock.requests.at(-1)).toMatchObject({
        url: "/v1/owners?q=brandt&limit=2",
        status: 200,
        violations: [],
      });
    });
    test("gets an image", async () => {
      const result = await client.callTool({
        name: nameOf("getPetPhoto"),
        arguments: { petId: "pet_9TX3QA" },
      });
      expect(result).toMatchObject({
        content: expect.arrayContaining([
          expect.objectContaining({ type: "image", mimeType: "image/png" }),
        ]),
      });
    });
    test("gets validation errors without a request", async () => {
      const before = mock.requests.length;
      const result = await client.callTool({
        name: nameOf("createPet"),
        arguments: { ownerId: "own_4F7K2M", name: newName(), species: "dogs" },
      });
      expect(result.isError).toBe(true);
      expect(text(result)).toMatch(/species.*did you mean.*dog/u);
      expect(mock.requests.length).toBe(before);
    });
    test("gets the API's error and the next step", async () => {
      const result = await client.callTool({
        name: nameOf("getPet"),
        arguments: { petId: "pet_000000" },
      });
      expect(result.isError).toBe(true);
      expect(text(result)).toMatch(/404.*No pet has the ID pet_000000/u);
    });
    test("an unknown tool is a protocol error", async () => {
      await expect(client.callTool({ name: "get_pett", arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
    });
  });
});

describe("code evaluated from strings", () => {
  test("does not occur in the server", () => {
    expect(readFileSync(project.server, "utf8")).not.toMatch(
      /\bnew Function\b|\beval\(|\bFunction\(/u,
    );
  });

  test.each(clients)("is not needed: %s", async (_, connect) => {
    const client = await connect({
      command: process.execPath,
      args: ["--disallow-code-generation-from-strings", project.server],
      env,
    });
    const result = await client.callTool({
      name: nameOf("listOwners"),
      arguments: { q: "brandt", limit: 2 },
    });
    expect(result).toMatchObject({
      structuredContent: { items: [{ name: "Ada Brandt" }] },
    });
    expect(
      text(await client.callTool({ name: nameOf("createPet"), arguments: { species: "dogs" } })),
    ).toMatch(/did you mean.*dog/u);
    await client.close();
  });
});

describe("its command line", () => {
  /** Runs a command in the project's folder. */
  async function run(args: readonly string[], input = "") {
    const cwd = project.folder;
    const child = spawn(process.execPath, [project.server, ...args], {
      cwd,
      env: { ...process.env, ...env },
    });
    child.stdin.end(input);
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [stdout, stderr, code] = await Promise.all([
      readText(child.stdout),
      readText(child.stderr),
      exit,
    ]);
    return { stdout, stderr, code };
  }

  const pet = "pet_4K2M9A";
  const table = /^id +.*\n\S+ /;
  test.each([
    {
      args: ["tools", "pet photos"],
      out: /^name .*\n.*\n?get_pet_photo +read +Get a pet's photo\./m,
    },
    { args: ["describe", "delete_pet"], out: /delete_pet\(\{\n.*\n  petId: string \| string\[\];/ },
    { args: ["describe", "delete_pet", "--json"], out: /^\[\{"name":"delete_pet".*"inputSchema"/ },
    { args: ["call", "find_pets", "perPage=2", "--json"], out: /^\{.*\}\n$/ },
    { args: ["call", "find_pets", "-", "--table"], input: '{"perPage": 2}', out: table },
    { args: ["call", "get_pet_photo", `petId=${pet}`], out: /^Saved as \/.*get_pet_photo\.png\n$/ },
    {
      args: ["call", "upload_pet_photo", `petId=${pet}`, "photo=file:README.md"],
      out: /./,
    },
    { args: ["call", "find_pets", "perPage=x"], code: 1, err: /perPage: expected an integer/ },
    { args: ["call", "find_pet"], code: 2, err: /find_pets.*The command tools prints all\.\n$/ },
    { args: ["call", "find_pets", "[1]"], code: 2, err: /^The input must be a JSON object/ },
    { args: ["tools", "--http"], code: 2, err: /^tools and --http exclude each other/ },
  ])("$args", async ({ args, input, code = 0, out = /^$/, err }) => {
    const result = await run(args, input);
    expect(result).toMatchObject({
      code,
      stdout: expect.stringMatching(out),
      stderr: expect.stringMatching(err ?? /^(?:\{.*"audit":true.*\n)?$/),
    });
  });
});
