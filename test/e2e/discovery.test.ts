import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Mock, startMock } from "../../src/mock/index.js";
import { type AnyClient, clients } from "./clients.js";
import { generateProject, type Project, startHttp } from "./project.js";

/** A second same call is sent as given, also by another client of the server. */
let names = 0;
const newName = (): string => `Biscuit ${++names}`;

/**
 * The clinic sample with a budget of five tools. Its server lists tools that find, describe and
 * call the others, and those that most work starts with.
 */
let project: Project;
let mock: Mock;
let http: { readonly url: URL; readonly child: ChildProcess };
let env: Record<string, string>;

beforeAll(async () => {
  const configuration = {
    content: { version: 1 as const, budget: { tools: 5 } },
    locationOf: () => ({ pointer: "" }),
    settings: {},
  };
  project = await generateProject("samples/clinic/openapi.yaml", { configuration });
  await project.run("bundle");
  mock = await startMock(project.plan.mock, { basePath: "/v1" });
  const prefix = project.plan.api.envPrefix;
  const credentials = project.plan.environment
    .filter(({ secret }) => secret)
    .map(({ name }) => [name, "made-up"] as const);
  env = { ...Object.fromEntries(credentials), [`${prefix}_BASE_URL`]: mock.url };
  http = await startHttp(project.server, env);
});
afterAll(async () => {
  http?.child.kill();
  await mock?.close();
  await project?.remove();
});

const nameOf = (operationId: string): string =>
  project.plan.tools.find((tool) => tool.operations.some((one) => one.operationId === operationId))
    ?.definition.name ?? expect.fail(operationId);
const text = ({ content }: { readonly content?: unknown }): string => JSON.stringify(content);

test("exceeds its budget", () =>
  expect(project.plan.budget).toMatchObject({ exceeded: ["tools"], mode: "hybrid" }));

test("passes its own tests, which call every tool", async () => {
  await project.run("typecheck");
  expect(await project.run("test")).toMatch(/^# fail 0$|ℹ fail 0/mu);
});

const alwaysLoaded = async (client: AnyClient): Promise<readonly string[]> =>
  (await client.listTools()).tools
    .filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true)
    .map(({ name }) => name);

test("asks hosts that defer tools to load what most work starts with, also from the whole list", async () => {
  const connect = clients[0]?.[1] ?? expect.fail("no client");
  const client = await connect({
    command: process.execPath,
    args: [project.server],
    env: { ...env, [`${project.plan.api.envPrefix}_MODE`]: "tools" },
  });
  const { listed } = project.plan.budget;
  expect(await alwaysLoaded(client).finally(() => client.close())).toEqual(listed);
});

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

    test("lists the discovery tools, and those that most work starts with", async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "search_tools",
        "describe_tools",
        "call_read_tool",
        "call_tool",
        ...project.plan.budget.listed,
        "read_result",
      ]);
      expect(project.plan.budget.listed).toContain(nameOf("listPets"));
      expect(await alwaysLoaded(client)).toEqual(tools.map(({ name }) => name).slice(0, -1));
    });
    test("reads through call_read_tool, which refuses a write", async () => {
      const input = { name: nameOf("listOwners"), arguments: { q: "brandt", limit: 2 } };
      const read = await client.callTool({ name: "call_read_tool", arguments: input });
      expect(read).toEqual(await client.callTool({ name: "call_tool", arguments: input }));
      const sent = mock.requests.length;
      const write = { name: nameOf("createPet"), arguments: {} };
      expect(await client.callTool({ name: "call_read_tool", arguments: write })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("so call it with call_tool.") as string }],
      });
      expect(mock.requests.length).toBe(sent);
    });
    test("finds, describes and calls a tool", async () => {
      const found = await client.callTool({
        name: "search_tools",
        arguments: { query: "register a new pet for an owner" },
      });
      const [{ name, typescript, effect } = {}] = (
        found.structuredContent as {
          tools: { name?: string; typescript?: string; effect?: string }[];
        }
      ).tools;
      expect(name).toBe(nameOf("createPet"));
      expect(effect).toBe("write");
      expect(typescript).toMatch(/^create_pet\(\{$/m);
      expect(typescript).toMatch(/species: "dog" \| "cat"/);
      const described = await client.callTool({
        name: "describe_tools",
        arguments: { names: [name], format: "json_schema" },
      });
      expect(described.structuredContent).toMatchObject({
        tools: [{ name, inputSchema: { type: "object" }, outputSchema: { type: "object" } }],
      });
      const called = await client.callTool({
        name: "call_tool",
        arguments: { name: nameOf("listOwners"), arguments: { q: "brandt", limit: 2 } },
      });
      expect(called).toMatchObject({
        structuredContent: { items: [{ name: "Ada Brandt" }] },
      });
      expect(mock.requests.at(-1)).toMatchObject({
        url: "/v1/owners?q=brandt&limit=2",
        status: 200,
        violations: [],
      });
    });
    test("calls a tool by its own name, with the same result", async () => {
      const input = { q: "brandt", limit: 2 };
      const direct = await client.callTool({ name: nameOf("listOwners"), arguments: input });
      expect(direct).toEqual(
        await client.callTool({
          name: "call_tool",
          arguments: { name: nameOf("listOwners"), arguments: input },
        }),
      );
    });
    test("gets the validation errors of the called tool", async () => {
      const result = await client.callTool({
        name: "call_tool",
        arguments: {
          name: nameOf("createPet"),
          arguments: { ownerId: "own_4F7K2M", name: newName(), species: "dogs" },
        },
      });
      expect(result.isError).toBe(true);
      expect(text(result)).toMatch(/input of create_pet.*did you mean.*dog/u);
    });
    test("gets an image", async () => {
      const result = await client.callTool({
        name: "call_tool",
        arguments: { name: nameOf("getPetPhoto"), arguments: { petId: "pet_9TX3QA" } },
      });
      expect(result).toMatchObject({
        content: expect.arrayContaining([
          expect.objectContaining({ type: "image", mimeType: "image/png" }),
        ]) as unknown,
      });
    });
    test("an unknown tool is a protocol error when called directly, and a tool error through call_tool", async () => {
      await expect(client.callTool({ name: "get_pett", arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      expect(
        await client.callTool({ name: "call_tool", arguments: { name: "create_pett" } }),
      ).toMatchObject({
        isError: true,
        content: [{ text: 'Not called. Unknown tool "create_pett". Did you mean create_pet?' }],
      });
    });
  });
});

/** Runs the server until its input ends. */
function run(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly stderr: string; readonly stdout: string }> {
  const child = spawn(process.execPath, [project.server, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((ended) => child.on("close", (code) => ended({ code, stderr, stdout })));
}

describe("at startup", () => {
  const listed = async (...args: string[]): Promise<readonly string[]> => {
    const [, connect] = clients[0] as (typeof clients)[number];
    const client = await connect({
      command: process.execPath,
      args: [project.server, ...args],
      env,
    });
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name).filter((name) => name !== "read_result");
  };
  const planned = (fits: (tool: Project["plan"]["tools"][number]) => boolean): readonly string[] =>
    project.plan.tools.filter(fits).map((tool) => tool.definition.name);

  test("--mode tools lists all", async () =>
    expect(await listed("--mode", "tools")).toEqual(planned(() => true)));
  test("--toolsets lists their tools, which fit the budget", async () =>
    expect(await listed("--toolsets", "visits")).toEqual(
      planned(({ toolset }) => toolset === "visits"),
    ));
  test("--read-only --mode tools lists read-only tools", async () =>
    expect(await listed("--read-only", "--mode=tools")).toEqual(
      planned(({ definition }) => definition.annotations.readOnlyHint),
    ));
  test.each([
    [
      ["--mode", "tool"],
      '--mode (MAPLEWOOD_VETERINARY_MODE) must be tools, hybrid or discovery, not "tool"; did you mean tools?',
    ],
    [
      ["--toolsets", "pet"],
      '--toolsets (MAPLEWOOD_VETERINARY_TOOLSETS) names no toolset of this server: "pet"; did you mean pets?',
    ],
  ])("%j is rejected with one sentence", async (args, want) => {
    const { code, stderr, stdout } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.replace(/\(\w+_(MODE|TOOLSETS)\)/, "(MAPLEWOOD_VETERINARY_$1)")).toContain(want);
  });
  test("--help describes the options", async () => {
    const { stdout } = await run("--help");
    for (const words of [
      "--toolsets",
      "--read-only",
      "--mode",
      "_MODE (hybrid)",
      "--listed",
      "\nToolsets: owners, pets, visits, documents\n",
    ])
      expect(stdout).toContain(words);
  });
});
