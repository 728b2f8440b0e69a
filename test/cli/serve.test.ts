import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { cli, mcpGen } from "./built.js";
import { quoteForUser } from "../../src/cli/terminal.js";

const PETS = `openapi: 3.1.0
info: {title: Pets, version: '1'}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: listPets
      responses: {'200': {description: Pets, content: {application/json: {schema: {type: array, items: {type: object, properties: {name: {type: string}}}}}}}}
`;

/** An API, which records its requests and the keys that it gets. */
function startApi(name: string) {
  const [keys, requests]: [unknown[], string[]] = [[], []];
  const server = createServer((request, response) => {
    keys.push(request.headers["x-key"]);
    requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify([{ name }]));
  });
  const listen = async (): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return { keys, requests, listen, close: () => void server.close() };
}

const [upstream, other] = [startApi("Rex"), startApi("Ada")];
const { keys } = upstream;
let [baseUrl, otherUrl] = ["", ""];

beforeAll(async () => {
  [baseUrl, otherUrl] = await Promise.all([upstream.listen(), other.listen()]);
});
afterAll(() => {
  upstream.close();
  other.close();
});

test("a client calls a tool of the real API over stdio, and nothing is left behind", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS, ".env": `PETS_API_KEY=of-the-file\n`, "tmp/": "" });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, "serve", "pets.yaml", "--base-url", baseUrl],
      cwd: root,
      env: { PATH: process.env.PATH ?? "", TMPDIR: join(root, "tmp") },
      stderr: "ignore",
    }),
  );
  const result = await client.callTool({ name: "list_pets", arguments: {} });
  await client.close();
  expect(result.structuredContent).toEqual({ items: [{ name: "Rex" }] });
  expect(keys).toEqual(["of-the-file"]);
  await expect.poll(() => readdirSync(join(root, "tmp"))).toEqual([]);
  expect(readdirSync(root).sort()).toEqual([".env", "pets.yaml", "tmp"]);
});

test("a large document is planned in another process, and nothing is left behind", async () => {
  const root = scratch();
  const large = PETS.replace(
    "title: Pets,",
    `title: Pets, description: "${"Much text. ".repeat(20_000)}",`,
  );
  plant(root, {
    "pets.yaml": large,
    ".env": "PETS_API_KEY=of-the-file\n",
    "tmp/": "",
    "cache/": "",
  });
  for (const isCached of [false, true]) {
    expect(readdirSync(join(root, "cache")).length > 0).toBe(isCached);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, "serve", "pets.yaml", "--base-url", baseUrl],
        cwd: root,
        env: {
          PATH: process.env.PATH ?? "",
          TMPDIR: join(root, "tmp"),
          XDG_CACHE_HOME: join(root, "cache"),
        },
        stderr: "ignore",
      }),
    );
    const result = await client.callTool({ name: "list_pets", arguments: {} });
    await client.close();
    expect(result.structuredContent).toEqual({ items: [{ name: "Rex" }] });
    await expect.poll(() => readdirSync(join(root, "tmp"))).toEqual([]);
  }
});

test("credentials come from the file that --env-file names", async () => {
  const root = scratch();
  plant(root, { "apis/pets.yaml": PETS, "apis/.env": "PETS_API_KEY=x\n", "here/": "" });
  const args = ["serve", "../apis/pets.yaml", "--base-url", baseUrl, "--env-file", "../apis/.env"];
  const { code, err } = await mcpGen(args, join(root, "here"));
  expect(code).toBe(0);
  expect(err).not.toContain("Not set");
});

test.each<readonly [string, readonly string[], string, number, string]>([
  ["works", ["--call", "list_pets"], "x", 0, '{"items":[{"name":"Rex"}]}\n'],
  [
    "has an input",
    ["--call", "list_pets", "--input", "{}"],
    "x",
    0,
    '{"items":[{"name":"Rex"}]}\n',
  ],
  [
    "lacks credentials",
    ["--call", "list_pets"],
    "",
    1,
    "Set PETS_API_KEY, or PETS_AUTH=none to call without any, in the environment",
  ],
  ["names no tool", ["--call", "list_cats"], "x", 2, 'Unknown tool "list_cats"'],
  ["has a wrong input", ["--call", "list_pets", "--input", "5"], "x", 2, "must be a JSON object"],
])("a call that %s", async (_, args, key, code, want) => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const env = { PETS_API_KEY: key };
  const named = key === "" ? [] : ["--env", "PETS_API_KEY"];
  const run = ["serve", "pets.yaml", "--base-url", baseUrl, ...named, ...args];
  const called = await mcpGen(run, root, "", env);
  expect(called.code).toBe(code);
  expect(code === 0 ? called.out : called.err).toContain(want);
});

test.each([
  [["--call", "list_pets", "--login"], "Choose one of --call and --login."],
  [["--status", "--http"], "Choose one of --status and --http."],
  [["--input", "{}"], "--input needs --call."],
  [["--device", "--status"], "--device needs --login."],
  [["--scheme", "key"], "--scheme needs --login, --logout or --status."],
])("serve %j is a usage error", async (args, message) => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const { code, err } = await mcpGen(["serve", "pets.yaml", ...args], root);
  expect([code, err]).toEqual([2, expect.stringContaining(`error: ${message}`)]);
});

test("the start names the tools, the host's command and missing settings on stderr", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  // Standard input ends at once, and so does the server.
  const { code, out, err } = await mcpGen(["serve", "pets.yaml"], root, "");
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toContain("Pets: 1 operation → 1 tool, served over stdio.\n");
  expect(err).toMatch(/Connect a host: claude mcp add pets -- npx mcp-gen serve \/.*pets\.yaml\n/);
  expect(err).toContain(
    "Not set: PETS_BASE_URL (base URL of the API); PETS_API_KEY (credentials).",
  );
});

test.runIf(process.platform !== "win32")(
  "a signal at any moment of the start leaves nothing behind",
  async () => {
    const root = scratch();
    plant(root, { "pets.yaml": PETS, "tmp/": "" });
    const folder = join(root, "tmp");
    const child = spawn(process.execPath, [cli, "serve", "pets.yaml"], {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", TMPDIR: folder },
      stdio: ["pipe", "ignore", "ignore"],
    });
    const ended = once(child, "close");
    // The folder appears before the server runs, so the signal arrives early.
    while (readdirSync(folder).length === 0) await setImmediate();
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("several APIs are one server, which calls each at its address with its own key", async () => {
  const root = scratch();
  const people = PETS.replace("title: Pets", "title: People").replaceAll("ets", "eople");
  plant(root, { "pets.yaml": PETS, "people.yaml": people });
  const env = {
    APIS_SHOP_API_KEY: "of-shop",
    APIS_PEOPLE_API_KEY: "of-people",
    APIS_SHOP_BASE_URL: baseUrl,
    APIS_PEOPLE_BASE_URL: otherUrl,
  };
  const named = Object.keys(env).flatMap((name) => ["--env", name]);
  const run = ["serve", "shop=pets.yaml", "people.yaml", ...named, "--call"];
  const before = keys.length;
  for (const [tool, name] of [
    ["list_pets", "Rex"],
    ["list_people", "Ada"],
  ] as const) {
    const { out } = await mcpGen([...run, tool], root, "", env);
    expect(out).toBe(`{"items":[{"name":"${name}"}]}\n`);
  }
  expect(keys.slice(before)).toEqual(["of-shop"]);
  expect(other.keys).toEqual(["of-people"]);
  expect(upstream.requests.join("\n")).not.toContain("of-people");
  expect(other.requests.join("\n")).not.toContain("of-shop");
});

test("the host's command works from any folder, with the same options", async () => {
  const root = scratch();
  plant(root, {
    "api/pets.yaml": PETS,
    "mcp-gen.yaml": "version: 1\nspec: api/pets.yaml\n",
    "fix.yaml": `overlay: 1.0.0
info: {title: Fix, version: '1'}
actions: [{target: "$.paths['/pets'].get", update: {operationId: listAnimals}}]
`,
  });
  const args = ["serve", "--overlay", "fix.yaml", "--read-only", "--only", "GET /*"];
  const { code, err } = await mcpGen(args, root, "");
  expect(code).toBe(0);
  const [, line = ""] = /^Connect a host: (.*)$/m.exec(err) ?? [];
  const at = (path: string): string => quoteForUser(join(root, path));
  const options = `--config ${at("mcp-gen.yaml")} --overlay ${at("fix.yaml")} --only 'GET /*'`;
  expect(line).toBe(
    `claude mcp add pets -- npx mcp-gen serve ${at("api/pets.yaml")} ${options} --read-only`,
  );
});

test("over HTTP a host is connected to the port that is open, and to none that is not", async () => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const args = ["serve", "pets.yaml", "--http", "--env", "PETS_HTTP_TOKEN", "--port"];
  const env = { ...process.env, PETS_HTTP_TOKEN: "inbound-token-4c1e" };
  const child = spawn(process.execPath, [cli, ...args, "0"], { cwd: root, env });
  const closed = once(child, "close");
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  await expect.poll(() => err, { timeout: 60_000 }).toMatch(/Connect a host: .*\n/);
  const [, url = "", header] =
    /Connect a host: claude mcp add --transport http pets (\S+) (.*)\n/.exec(err) ?? [];
  expect(header).toBe('--header "Authorization: Bearer $PETS_HTTP_TOKEN"');
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  const second = await mcpGen([...args, new URL(url).port], root, "");
  child.kill("SIGTERM");
  await closed;
  expect(second.code).toBe(2);
  expect(second.err).toContain("another program uses the port");
  expect(second.err).not.toContain("Connect a host");
});

test.each([
  [["serve", "-"], PETS, 2, "Standard input belongs to the MCP client."],
  [["serve", "absent.yaml"], "", 3, "absent.yaml"],
  [["serve", "pets.yaml", "--port", "80"], "", 2, "--port needs --http"],
  [["serve", "pets.yaml", "--http", "--port", "abc"], "", 2, "a number from 0 to 65535"],
  [["serve", "pets.yaml", "--toolsets", "absent"], "", 2, "absent"],
])("%j is an error", async (args, stdin, code, message) => {
  const root = scratch();
  plant(root, { "pets.yaml": PETS });
  const outcome = await mcpGen(args, root, stdin);
  expect(outcome.code).toBe(code);
  expect(outcome.err).toContain(message);
  expect(outcome.out).toBe("");
});
