/** Group D over stdio: clients that violate the protocol, and high concurrency. */
import { expect } from "vitest";
import type { StdioProcess, WireMessage } from "../runtime/support/fixture.js";
import { fixtureServers } from "../runtime/support/servers.js";
import { type Answer, reply } from "../runtime/support/upstream.js";
import { readResult } from "./support/generated.js";
import { peakOf } from "./support/memory.js";
import { scenario, type RecordText } from "./support/transcript.js";

const servers = fixtureServers({ LOG_LEVEL: "error" });
const { upstream, connected } = servers;

const hang: Answer = () => {};
const slow =
  (ms: number): Answer =>
  (response, request, count) =>
    void setTimeout(() => reply(200, { id: 1 })(response, request, count), ms);
const getPet = { name: "get_pet", arguments: { pet_id: "1" } };
const expectAlive = async (server: StdioProcess): Promise<void> =>
  expect(await server.request("ping")).toMatchObject({ result: {} });
const describeError = ({ id, error }: WireMessage): string =>
  `${error?.code} (id ${JSON.stringify(id)}): ${error?.message}`;

/** Writes an invalid line and reads the error response. */
async function errorFor(
  server: StdioProcess,
  line: string,
  record: RecordText,
  situation: string,
): Promise<WireMessage> {
  const before = server.lines.length;
  server.write(line);
  const error = await server.message(
    (message) =>
      message.error !== undefined &&
      server.lines.findIndex((one) => one === JSON.stringify(message)) >= before,
  );
  record(describeError(error), situation);
  return error;
}

scenario("D01", "lines that are not messages (stdio)", async (record) => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["broken JSON", "{bad\n", -32700],
    ["a text", '"x"\n', -32600],
    ["an empty list", "[]\n", -32600],
    ["bytes", "\u0000\u0001\ufffd\n", -32700],
  ];
  for (const [label, line, code] of cases) {
    const server = await connected();
    expect(await errorFor(server, line, record, label)).toMatchObject({
      id: null,
      error: { code },
    });
    await expectAlive(server);
  }
});

scenario("D02", "a batch (stdio)", async (record) => {
  const server = await connected();
  expect(
    await errorFor(server, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', record, ""),
  ).toMatchObject({ error: { code: -32600 } });
  await expectAlive(server);
});

scenario("D03", "11 MB in one line (stdio)", async (record) => {
  const server = await connected();
  expect(
    await errorFor(
      server,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(11 * 1024 * 1024)}"}}\n`,
      record,
      "",
    ),
  ).toMatchObject({ error: { code: -32600 } });
  await expectAlive(server);
});

scenario("D04", "unknown methods and tools (stdio)", async (record) => {
  const server = await connected();
  const cases: readonly (readonly [string, object, number])[] = [
    ["tools/nonsense", {}, -32601],
    ["tools/call", { name: "get_pets" }, -32602],
    ["tools/call", {}, -32602],
  ];
  for (const [method, params, code] of cases) {
    const response = await server.request(method, params);
    record(describeError({ ...response, id: "…" }), `${method} ${JSON.stringify(params)}`);
    expect(response.error?.code).toBe(code);
  }
});

scenario("D05", "odd IDs (stdio)", async (record) => {
  const server = await connected();
  for (const id of ["null", "{}", "1.5"])
    expect(
      await errorFor(
        await connected(),
        `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`,
        record,
        `id ${id}`,
      ),
    ).toMatchObject({ error: { code: -32600 } });
  servers.answer = (response, request, count) =>
    reply(200, { id: Number(request.url.split("/").at(-1)) })(response, request, count);
  for (const pet_id of ["7", "8"])
    server.write({
      jsonrpc: "2.0",
      id: "same",
      method: "tools/call",
      params: { name: "get_pet", arguments: { pet_id } },
    });
  const structuredResults = (): unknown[] =>
    server.lines
      .map((line) => JSON.parse(line) as WireMessage)
      .filter(({ id }) => id === "same")
      .map(({ result }) => result?.["structuredContent"]);
  await expect.poll(() => structuredResults().length).toBe(2);
  expect(structuredResults()).toEqual(expect.arrayContaining([{ id: 7 }, { id: 8 }]));
});

scenario("D06", "cancellation (stdio)", async () => {
  servers.answer = hang;
  const server = await connected();
  for (const requestId of ["never", undefined, {}])
    server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  server.write({ jsonrpc: "2.0", id: "c", method: "tools/call", params: getPet });
  await expect.poll(() => upstream.open()).toBe(1);
  server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } });
  await expect.poll(() => upstream.open()).toBe(0);
  await expectAlive(server);
  expect(server.lines.some((line) => line.includes('"c"'))).toBe(false);
});

scenario("D08", "end of input and signals during a call (stdio)", async () => {
  servers.answer = hang;
  const inputClosed = await connected();
  inputClosed.write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: getPet });
  inputClosed.child.stdin?.end();
  expect(await inputClosed.exit).toEqual({ code: 0, signal: null });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    servers.answer = slow(300);
    const before = upstream.requests.length;
    const server = await connected();
    server.write({ jsonrpc: "2.0", id: "last", method: "tools/call", params: getPet });
    await expect.poll(() => upstream.requests.length).toBe(before + 1);
    server.child.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.lines.at(-1)).toContain('"id":"last"');
  }
});

scenario("D09", "a disconnected client and a slow reader (stdio)", async () => {
  const disconnected = await connected();
  disconnected.child.stdout?.destroy();
  for (let i = 0; i < 10; i++) disconnected.write({ jsonrpc: "2.0", id: i, method: "ping" });
  expect(await disconnected.exit).toEqual({ code: 0, signal: null });
  expect(disconnected.stderr()).toBe("");
  const slowReader = await connected({ MANY_TOOLS: "100" });
  slowReader.child.stdout?.pause();
  for (let i = 0; i < 3000; i++)
    slowReader.write({ jsonrpc: "2.0", id: `l${i}`, method: "tools/list" });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(peakOf(slowReader.child)).toBeLessThan(300_000_000);
  slowReader.child.stdout?.resume();
  await expect.poll(() => slowReader.lines.length, { timeout: 90_000 }).toBe(3001);
  expect(slowReader.stderr()).toBe("");
});

scenario("D10", "other output on stdout (stdio)", async () => {
  const server = await connected({ NODE_OPTIONS: "--trace-warnings", LOG_LEVEL: "debug" });
  await server.request("tools/call", { name: "be_careless", arguments: {} });
  await expectAlive(server);
  expect(
    server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === "2.0"),
  ).toBe(true);
  await expect.poll(() => server.stderr()).toContain("a line for stdout");
});

scenario(
  "D11",
  "10,000 calls in flight against a slow API (stdio)",
  async (record) => {
    let active = 0;
    let peak = 0;
    servers.answer = (response, request, count) => {
      peak = Math.max(peak, ++active);
      setTimeout(() => (active--, reply(200, { id: 1 })(response, request, count)), 5);
    };
    const server = await connected({ CLINIC_TIMEOUT_MS: "300000" });
    for (let id = 0; id < 10_000; id++)
      server.write({ jsonrpc: "2.0", id, method: "tools/call", params: getPet });
    await expect.poll(() => server.lines.length, { timeout: 200_000, interval: 200 }).toBe(10_001);
    expect(server.lines.filter((line) => line.includes('"isError":true'))).toEqual([]);
    expect(peak).toBeLessThanOrEqual(32);
    expect(peakOf(server.child)).toBeLessThan(700_000_000);
    // All responses are withheld until the surplus calls are rejected, so that no slot becomes
    // free.
    const pending: (() => void)[] = [];
    servers.answer = (response, request, count) =>
      void pending.push(() => reply(200, { id: 1 })(response, request, count));
    const smallQueue = await connected({ CLINIC_MAX_QUEUE: "10" });
    for (let id = 0; id < 200; id++)
      smallQueue.write({ jsonrpc: "2.0", id, method: "tools/call", params: getPet });
    await expect.poll(() => smallQueue.lines.length, { timeout: 60_000 }).toBe(1 + 200 - 32 - 10);
    await expect.poll(() => pending.length).toBe(32);
    servers.answer = reply(200, { id: 1 });
    for (const release of pending) release();
    await expect.poll(() => smallQueue.lines.length, { timeout: 60_000 }).toBe(201);
    const rejected = smallQueue.lines
      .map((line) => JSON.parse(line) as WireMessage)
      .filter(({ result }) => result?.["isError"] === true);
    expect(rejected).toHaveLength(200 - 32 - 10);
    record(readResult(rejected[0]!).text, "200 calls, of which 42 are accepted");
  },
  240_000,
);

scenario("D20", "an exception with secrets in its message (stdio)", async (record) => {
  const { text, raw } = readResult(
    await (await connected()).request("tools/call", { name: "be_careless", arguments: {} }),
  );
  record(text);
  expect(raw).not.toMatch(/secret|\/home/);
});

scenario("D21", "tools/list, a hundred times (stdio)", async () => {
  const server = await connected({ MANY_TOOLS: "5" });
  const lists = new Set<string>();
  for (let i = 0; i < 100; i++)
    lists.add(JSON.stringify((await server.request("tools/list", {}, `list${i}`)).result));
  expect(lists.size).toBe(1);
});
