import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { initialize, type StdioProcess, type WireMessage } from "../../support/fixture.js";
import { fixtureServers } from "../../support/servers.js";
import { type Answer, reply } from "../../support/upstream.js";

const servers = fixtureServers();
const { upstream } = servers;

interface Sketch {
  readonly answer?: Answer;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
}

function start({ answer = servers.answer, env, args }: Sketch = {}): StdioProcess {
  servers.answer = answer;
  return servers.start(env, args);
}

async function connected({
  answer = servers.answer,
  env,
  args,
}: Sketch = {}): Promise<StdioProcess> {
  servers.answer = answer;
  return servers.connected(env, args);
}

const getPet = { name: "get_pet", arguments: { pet_id: "1" } };

describe("lines that are not messages", () => {
  test.each<readonly [string, string, number, string | number | null]>([
    ["broken JSON", "{bad\n", -32700, null],
    ["bytes", "\u0000\u0001\ufffd\n", -32700, null],
    ["a text", '"x"\n', -32600, null],
    ["null", "null\n", -32600, null],
    ["an empty batch", "[]\n", -32600, null],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600, null],
    ["no version", '{"id":7,"method":"ping"}\n', -32600, 7],
    ["id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}\n', -32600, null],
    ["id 1.5", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', -32600, null],
    [
      "an id that is no safe integer",
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n',
      -32600,
      null,
    ],
    [
      "a progress token of null",
      '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"_meta":{"progressToken":null}}}\n',
      -32600,
      8,
    ],
    ["a method and a result", '{"jsonrpc":"2.0","id":9,"method":"ping","result":{}}\n', -32600, 9],
    ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', -32600, null],
    ["a number as method", '{"jsonrpc":"2.0","id":"a","method":5}\n', -32600, "a"],
    [
      "a number as params",
      '{"jsonrpc":"2.0","id":"c","method":"tools/list","params":5}\n',
      -32600,
      "c",
    ],
    [
      "a list as params",
      '{"jsonrpc":"2.0","id":"b","method":"tools/call","params":[]}\n',
      -32600,
      "b",
    ],
  ])("%s is answered, and the next request too", async (_, line, code, id) => {
    const server = await connected();
    server.write(line);
    expect(await server.message((message) => message.error !== undefined)).toMatchObject({
      id,
      error: { code },
    });
    expect(await server.request("ping")).toMatchObject({ result: {} });
  });

  test("a line of 11 MB is answered, and so is the next request", async () => {
    const server = await connected();
    server.write(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(11 * 1024 * 1024)}"}}\n`,
    );
    expect(await server.message((message) => message.error !== undefined)).toMatchObject({
      id: null,
      error: { code: -32600 },
    });
    expect(await server.request("ping")).toMatchObject({ result: {} });
  });

  test("empty lines, carriage returns and partial lines are accepted", async () => {
    const server = await connected();
    server.write('\n\r\n{"jsonrpc":"2.0",');
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.write('"id":"pieces","method":"ping"}\r\n');
    expect(await server.message(({ id }) => id === "pieces")).toMatchObject({ result: {} });
  });
});

describe("messages with unusual encoding", () => {
  const ping = '{"jsonrpc":"2.0","id":"own","method":"ping"';
  test.each<readonly [string, string]>([
    ["null for what is left out", `${ping},"params":null}\n`],
    ["null for the metadata", `${ping},"params":{"_meta":null}}\n`],
    ["a byte order mark", `\ufeff${ping}}\n`],
    ["spaces around", `  ${ping}} \r\n`],
  ])("%s", async (_, line) => {
    const server = await connected();
    server.write(line);
    expect(await server.message(({ id }) => id === "own")).toMatchObject({ result: {} });
  });

  test("a last line without a line feed", async () => {
    const server = await connected();
    server.write(
      '{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"get_pet","arguments":{"pet_id":"1"}}}',
    );
    server.child.stdin?.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.at(-1)).toContain('"id":"last"');
  });

  test("multi-byte characters that arrive byte by byte", async () => {
    const server = await connected();
    for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"Žofie 🐈","method":"ping"}\n'))
      server.child.stdin?.write(Buffer.of(byte));
    expect(await server.message(({ id }) => id === "Žofie 🐈")).toMatchObject({ result: {} });
  });
});

describe("invalid requests", () => {
  test.each<readonly [string, object | undefined, number, string]>([
    ["tools/nonsense", {}, -32601, "Method not found"],
    ["logging/setLevel", { level: "debug" }, -32601, "Method not found"],
    ["prompts/list", {}, -32601, "Method not found"],
    ["tools/call", { name: "get_pets" }, -32602, 'Unknown tool "get_pets". Did you mean get_pet?'],
    ["tools/call", {}, -32602, "tools/call needs `name`, the name of a tool."],
    ["tools/call", undefined, -32602, "tools/call needs `name`, the name of a tool."],
    ["tools/call", { name: 5 }, -32602, "tools/call needs `name`, the name of a tool."],
    [
      "tools/list",
      { cursor: "x" },
      -32602,
      "Invalid cursor: pass the nextCursor of the previous page, or none for the first page.",
    ],
    [
      "tools/list",
      { cursor: 5 },
      -32602,
      "Invalid cursor: pass the nextCursor of the previous page, or none for the first page.",
    ],
  ])("%s %j", async (method, params, code, message) => {
    const server = await connected();
    expect(await server.request(method, params)).toMatchObject({ error: { code, message } });
  });

  test.each<readonly [unknown, string]>([
    [undefined, "- pet_id: is required"],
    [null, "- pet_id: is required"],
    [[], "the arguments must be an object, got a list of 0"],
    ["x", 'the arguments must be an object, got "x"'],
    [{ pet_id: ".." }, "- pet_id: "],
  ])("arguments %j are an answer that the agent can read", async (given, text) => {
    const server = await connected();
    const before = upstream.requests.length;
    expect(await server.request("tools/call", { name: "get_pet", arguments: given })).toMatchObject(
      { result: { isError: true, content: [{ text: expect.stringContaining(text) as string }] } },
    );
    expect(upstream.requests).toHaveLength(before);
  });
});

describe("stdout", () => {
  test("stdout has only messages, without output or exceptions of tools", async () => {
    const server = await connected({
      env: { NODE_OPTIONS: "--trace-warnings", LOG_LEVEL: "debug" },
    });
    const { result } = await server.request("tools/call", { name: "be_careless", arguments: {} });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(
      server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === "2.0"),
    ).toBe(true);
    await expect
      .poll(() => server.stderr())
      .toMatch(/a line for stdout[^]*and another one[^]*secret \/home\/u/);
  });

  test("log lines are JSON, one per call, without argument values", async () => {
    const server = await connected();
    await server.request("tools/call", {
      name: "get_pet",
      arguments: { pet_id: "value-of-the-user" },
    });
    await expect.poll(() => server.stderr()).toMatch(/get_pet.*\n$/);
    expect(
      server
        .stderr()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ level: "info", tool: "get_pet", outcome: "ok", status: 200, bytes: 8 }]);
    expect(server.stderr()).not.toContain("value-of-the-user");
  });
});

describe("batches (2025-03-26)", () => {
  const ping = (id: unknown): object => ({ jsonrpc: "2.0", id, method: "ping" });
  const lookUp = { jsonrpc: "2.0", id: "call", method: "tools/call", params: getPet };
  const cancel = {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "call" },
  };
  const ids = (line: string | undefined): unknown =>
    (JSON.parse(line ?? "null") as { id?: unknown }[]).map(({ id }) => id);

  test.each<readonly [string, readonly object[], readonly unknown[]]>([
    [
      "requests are answered together, when all are",
      [lookUp, ping("a"), ping(2)],
      ["a", 2, "call"],
    ],
    [
      "notifications are not answered",
      [{ jsonrpc: "2.0", method: "notifications/initialized" }, ping("a")],
      ["a"],
    ],
    ["what is no message is answered with the others", [ping(null), ping("a")], [null, "a"]],
    ["what is cancelled is not waited for", [lookUp, ping("a"), cancel], ["a"]],
  ])("%s", async (_, batch, answered) => {
    const server = start();
    await initialize(server, "2025-03-26");
    server.write(batch);
    await expect.poll(() => server.lines.length).toBe(2);
    expect(ids(server.lines[1])).toEqual(answered);
    expect(await server.request("ping")).toMatchObject({ result: {} });
  });

  test("a batch of notifications is not answered; empty and too large batches are rejected", async () => {
    const server = start();
    await initialize(server, "2025-03-26");
    server.write([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    for (const batch of [[], Array.from({ length: 101 }, (_, id) => ping(id))]) server.write(batch);
    await server.request("ping");
    expect(server.lines.slice(1, 3).map((line) => JSON.parse(line) as object)).toEqual(
      [1, 2].map(() => ({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "Invalid request: a batch must have 1 to 100 messages." },
      })),
    );
    expect(server.lines).toHaveLength(4);
  });
});

test.each<readonly [string, object, number]>([
  ["nothing at all", {}, -32602],
  ["no revision", { capabilities: {}, clientInfo: { name: "test", version: "1" } }, -32602],
  [
    "a number as revision",
    { protocolVersion: 5, capabilities: {}, clientInfo: { name: "test", version: "1" } },
    -32602,
  ],
])("initialize with %s is the client's fault", async (_, params, code) => {
  const server = start();
  expect(await server.request("initialize", params)).toMatchObject({
    error: {
      code,
      message: expect.stringMatching(
        /^Invalid initialize request: params\.protocolVersion: /,
      ) as string,
    },
  });
  expect((await initialize(server)).result).toMatchObject({ protocolVersion: "2025-06-18" });
});

test.each(["1.0.0", "2026-07-28"])(
  "initialize with %s is answered with the newest revision that has sessions",
  async (revision) => {
    expect((await initialize(start(), revision)).result).toMatchObject({
      protocolVersion: "2025-11-25",
    });
  },
);

test("unknown JSON-RPC members are ignored", async () => {
  const server = await connected();
  server.write('{"jsonrpc":"2.0","id":"more","method":"ping","sentAt":1,"__proto__":{"a":1}}\n');
  expect(await server.message(({ id }) => id === "more")).toMatchObject({ result: {} });
});

describe("requests of 2026-07-28", () => {
  const of = (revision: string): object => ({
    _meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });

  test.each(["1999-01-01", "2025-11-25", "2999-01-01"])(
    "one that names %s is refused, also when others were served",
    async (revision) => {
      const server = start();
      for (const served of [
        await server.request("server/discover", of("2026-07-28")),
        await server.request("tools/list", of("2026-07-28")),
      ])
        expect(served.error).toBeUndefined();
      expect(await server.request("tools/list", of(revision))).toMatchObject({
        error: { code: -32022, data: { supported: ["2026-07-28"], requested: revision } },
      });
      expect(await server.request("tools/list", of("2026-07-28"), "last")).toMatchObject({
        result: { resultType: "complete" },
      });
    },
  );

  test.each<readonly [string, (server: StdioProcess) => void]>([
    ["the end of the input", ({ child }) => void child.stdin?.end()],
    ["SIGTERM", ({ child }) => void child.kill("SIGTERM")],
  ])("subscriptions are closed at %s", async (_, end) => {
    const server = start();
    server.write({
      jsonrpc: "2.0",
      id: "sub",
      method: "subscriptions/listen",
      params: { ...of("2026-07-28"), notifications: { toolsListChanged: true } },
    });
    await server.message(({ method }) => method === "notifications/subscriptions/acknowledged");
    end(server);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.map((line) => JSON.parse(line) as WireMessage).at(-1)).toMatchObject({
      id: "sub",
      result: {
        resultType: "complete",
        _meta: { "io.modelcontextprotocol/subscriptionId": "sub" },
      },
    });
  });
});

describe("calls in flight", () => {
  test("a cancelled call is not answered, and its API request is aborted", async () => {
    const server = await connected({ answer: () => {} });
    server.write({ jsonrpc: "2.0", id: "c", method: "tools/call", params: getPet });
    await expect.poll(() => upstream.open()).toBe(1);
    server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } });
    await expect.poll(() => upstream.open()).toBe(0);
    await server.request("ping");
    expect(server.lines.some((line) => line.includes('"c"'))).toBe(false);
  });

  test("cancelling an unknown request is ignored", async () => {
    const server = await connected();
    for (const requestId of ["never", 1, undefined, {}])
      server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    expect(await server.request("tools/call", getPet)).toMatchObject({
      result: { structuredContent: { id: 1 } },
    });
  });

  test("two requests with the same id are both answered", async () => {
    const server = await connected();
    server.write({ jsonrpc: "2.0", id: "same", method: "tools/call", params: getPet });
    server.write({ jsonrpc: "2.0", id: "same", method: "tools/call", params: getPet });
    await expect.poll(() => server.lines.filter((line) => line.includes('"same"')).length).toBe(2);
  });

  test("progress is sent to a client with a progress token", async () => {
    const server = await connected({
      answer: (response, request, count) =>
        reply(upstream.requests.filter(({ url }) => url === request.url).length > 1 ? 200 : 503, {
          id: 1,
        })(response, request, count),
    });
    await server.request("tools/call", {
      name: "get_pet",
      arguments: { pet_id: "progress" },
      _meta: { progressToken: "p" },
    });
    expect(server.lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "p", progress: 1, message: "Retrying in 1 s." },
    });
  });
});

test("progress after the result is not sent", async () => {
  const server = await connected({
    answer: (response, request, count) =>
      void setTimeout(() => reply(200, { id: 1 })(response, request, count), 50),
  });
  expect(
    await server.request("tools/call", {
      name: "be_quick",
      arguments: {},
      _meta: { progressToken: "p" },
    }),
  ).toMatchObject({ result: { content: [{ text: "Done." }] } });
  await server.request("tools/call", getPet);
  expect(server.lines.filter((line) => line.includes("notifications/progress"))).toEqual([
    expect.stringContaining("Nearly done.") as string,
  ]);
});

describe("shutdown", () => {
  test("end of input ends the process", async () => {
    const server = await connected();
    server.child.stdin?.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("end of input waits for requests in flight", async () => {
    const server = await connected();
    // The first request of a process takes its time, and a client that has gone waits for its
    // answers no longer than hosts do.
    await server.request("tools/call", getPet);
    servers.answer = (response, request, count) =>
      void setTimeout(() => reply(200, { id: 1 })(response, request, count), 50);
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    server.child.stdin?.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.at(-1)).toContain('"id":"last"');
  });

  test("end of input does not wait for an API that never responds", async () => {
    const server = await connected({ answer: () => {} });
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    server.child.stdin?.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("by %s lets calls in flight end", async (signal) => {
    const server = await connected({
      answer: (response, request, count) =>
        void setTimeout(() => reply(200, { id: 1 })(response, request, count), 300),
    });
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.at(-1)).toContain('"id":"last"');
  });

  test("a call is answered and logged when the grace period ends", async () => {
    const env = { CLINIC_SHUTDOWN_GRACE_MS: "200", LOG_LEVEL: "info" };
    const server = await connected({ answer: () => {}, env });
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill("SIGTERM");
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.at(-1)).toContain("get_pet was interrupted: this server is stopping");
    expect(server.stderr()).toContain('"outcome":"interrupted"');
  });

  test("a second signal ends the process at once", async () => {
    const server = await connected({ answer: () => {} });
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    await expect.poll(() => upstream.open()).toBe(1);
    // Two signals that come before the process looks are one; so they go on until it has ended.
    const again = setInterval(() => server.child.kill("SIGTERM"), 100);
    expect(await server.exit).toEqual({ code: 143, signal: null });
    clearInterval(again);
  });

  test("a closed output ends the process without an error", async () => {
    const server = await connected({ env: { LOG_LEVEL: "error" } });
    server.child.stdout?.destroy();
    for (let i = 0; i < 10; i++) server.write({ jsonrpc: "2.0", id: i, method: "ping" });
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe("");
  });
});

test("proxies of the file of variables are used", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-proxy-"));
  const file = join(folder, ".env");
  writeFileSync(file, `HTTP_PROXY=${upstream.url}\n`);
  const server = await connected({
    env: { CLINIC_BASE_URL: "http://api.test", CLINIC_ENV_FILE: file },
  });
  await server.request("tools/call", getPet);
  expect(upstream.requests.at(-1)?.url).toBe("http://api.test/pets/1");
  rmSync(folder, { recursive: true });
});

test("a closed stderr loses the log, and does not end the process", async () => {
  const server = await connected({ answer: reply(200, { id: 1 }) });
  server.child.stderr?.destroy();
  for (const id of ["one", "two", "three"])
    expect(await server.request("tools/call", getPet, id)).toMatchObject({
      result: { structuredContent: { id: 1 } },
    });
});

test("the tool list is deterministic", async () => {
  const server = await connected({ env: { MANY_TOOLS: "5" } });
  const lists = [];
  for (let i = 0; i < 100; i++)
    lists.push(JSON.stringify((await server.request("tools/list", {}, `list${i}`)).result));
  expect(new Set(lists).size).toBe(1);
});

describe("the command line", () => {
  test.each<readonly [readonly string[], number, string, string]>([
    [["--version"], 0, "1.2.3\n", ""],
    [["--nonsense"], 2, "", "Unknown option '--nonsense'; see --help.\n"],
    [
      ["login"],
      2,
      "",
      "There is nothing to sign in to: Clinic declares no scheme with a sign-in.\n",
    ],
  ])("%j", async (args, code, stdout, stderr) => {
    const server = start({ args });
    expect(await server.exit).toMatchObject({ code });
    expect(server.lines.map((line) => `${line}\n`).join("")).toBe(stdout);
    expect(server.stderr()).toBe(stderr);
  });

  test("--help lists every setting", async () => {
    const server = start({ args: ["--help"] });
    expect(await server.exit).toMatchObject({ code: 0 });
    for (const name of [
      "--http",
      "CLINIC_BASE_URL",
      "CLINIC_TIMEOUT_MS",
      "CLINIC_HTTP_TOKEN",
      "LOG_LEVEL",
    ])
      expect(server.lines.join("\n")).toContain(name);
  });

  test("an invalid setting prevents the start", async () => {
    const server = start({ env: { CLINIC_TIMEOUT_MS: "soon" } });
    expect(await server.exit).toMatchObject({ code: 2 });
    expect(server.stderr()).toBe("CLINIC_TIMEOUT_MS must be an integer from 1 to 3600000.\n");
  });

  test("--base-url sets the base URL", async () => {
    const server = await connected({
      env: { CLINIC_BASE_URL: "http://127.0.0.1:1" },
      args: ["--base-url", upstream.url],
    });
    expect(await server.request("tools/call", getPet)).toMatchObject({
      result: { structuredContent: { id: 1 } },
    });
  });
});
