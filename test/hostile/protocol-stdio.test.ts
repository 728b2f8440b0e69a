/** Group D over stdio: clients that do not keep to the protocol, and many at once. */
import { expect } from "vitest";
import type { StdioProcess, WireMessage } from "../runtime/support/fixture.js";
import { fixtureServers } from "../runtime/support/servers.js";
import { type Answer, reply } from "../runtime/support/upstream.js";
import { told } from "./support/generated.js";
import { peakOf } from "./support/memory.js";
import { row, type Say } from "./support/transcript.js";

const servers = fixtureServers({ LOG_LEVEL: "error" });
const { upstream, connected } = servers;

const hang: Answer = () => {};
const slow =
  (ms: number): Answer =>
  (response, request, count) =>
    void setTimeout(() => reply(200, { id: 1 })(response, request, count), ms);
const getPet = { name: "get_pet", arguments: { pet_id: "1" } };
const lives = async (server: StdioProcess): Promise<void> =>
  expect(await server.request("ping")).toMatchObject({ result: {} });
const words = ({ id, error }: WireMessage): string =>
  `${error?.code} (id ${JSON.stringify(id)}): ${error?.message}`;

/** Writes a line that is no good, and reads the answer to it. */
async function answered(
  server: StdioProcess,
  line: string,
  say: Say,
  situation: string,
): Promise<WireMessage> {
  const before = server.lines.length;
  server.write(line);
  const error = await server.message(
    (message) =>
      message.error !== undefined &&
      server.lines.findIndex((one) => one === JSON.stringify(message)) >= before,
  );
  say(words(error), situation);
  return error;
}

row("D01", "lines that are no messages (stdio)", async (say) => {
  const cases: readonly (readonly [string, string, number])[] = [
    ["broken JSON", "{bad\n", -32700],
    ["a text", '"x"\n', -32600],
    ["an empty list", "[]\n", -32600],
    ["bytes", "\u0000\u0001\ufffd\n", -32700],
  ];
  for (const [what, line, code] of cases) {
    const server = await connected();
    expect(await answered(server, line, say, what)).toMatchObject({ id: null, error: { code } });
    await lives(server);
  }
});

row("D02", "a batch (stdio)", async (say) => {
  const server = await connected();
  expect(
    await answered(server, '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', say, ""),
  ).toMatchObject({ error: { code: -32600 } });
  await lives(server);
});

row("D03", "11 MB in one line (stdio)", async (say) => {
  const server = await connected();
  expect(
    await answered(
      server,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(11 * 1024 * 1024)}"}}\n`,
      say,
      "",
    ),
  ).toMatchObject({ error: { code: -32600 } });
  await lives(server);
});

row("D04", "unknown methods and tools (stdio)", async (say) => {
  const server = await connected();
  const cases: readonly (readonly [string, object, number])[] = [
    ["tools/nonsense", {}, -32601],
    ["tools/call", { name: "get_pets" }, -32602],
    ["tools/call", {}, -32602],
  ];
  for (const [method, params, code] of cases) {
    const got = await server.request(method, params);
    say(words({ ...got, id: "…" }), `${method} ${JSON.stringify(params)}`);
    expect(got.error?.code).toBe(code);
  }
});

row("D05", "odd IDs (stdio)", async (say) => {
  const server = await connected();
  for (const id of ["null", "{}", "1.5"])
    expect(
      await answered(
        await connected(),
        `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`,
        say,
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
  const sames = (): unknown[] =>
    server.lines
      .map((line) => JSON.parse(line) as WireMessage)
      .filter(({ id }) => id === "same")
      .map(({ result }) => result?.["structuredContent"]);
  await expect.poll(() => sames().length).toBe(2);
  expect(sames()).toEqual(expect.arrayContaining([{ id: 7 }, { id: 8 }]));
});

row("D06", "cancelling (stdio)", async () => {
  servers.answer = hang;
  const server = await connected();
  for (const requestId of ["never", undefined, {}])
    server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  server.write({ jsonrpc: "2.0", id: "c", method: "tools/call", params: getPet });
  await expect.poll(() => upstream.open()).toBe(1);
  server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } });
  await expect.poll(() => upstream.open()).toBe(0);
  await lives(server);
  expect(server.lines.some((line) => line.includes('"c"'))).toBe(false);
});

row("D08", "the end of the input, and signals, in the middle of a call (stdio)", async () => {
  servers.answer = hang;
  const ended = await connected();
  ended.write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: getPet });
  ended.child.stdin?.end();
  expect(await ended.exit).toEqual({ code: 0, signal: null });
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

row("D09", "a client that is gone, and one that is slow to read (stdio)", async () => {
  const gone = await connected();
  gone.child.stdout?.destroy();
  for (let i = 0; i < 10; i++) gone.write({ jsonrpc: "2.0", id: i, method: "ping" });
  expect(await gone.exit).toEqual({ code: 0, signal: null });
  expect(gone.stderr()).toBe("");
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

row("D10", "whatever else prints (stdio)", async () => {
  const server = await connected({ NODE_OPTIONS: "--trace-warnings", LOG_LEVEL: "debug" });
  await server.request("tools/call", { name: "be_careless", arguments: {} });
  await lives(server);
  expect(
    server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === "2.0"),
  ).toBe(true);
  await expect.poll(() => server.stderr()).toContain("a line for stdout");
});

row(
  "D11",
  "10,000 calls in flight against a slow API (stdio)",
  async (say) => {
    let now = 0;
    let most = 0;
    servers.answer = (response, request, count) => {
      most = Math.max(most, ++now);
      setTimeout(() => (now--, reply(200, { id: 1 })(response, request, count)), 5);
    };
    const server = await connected({ CLINIC_TIMEOUT_MS: "300000" });
    for (let id = 0; id < 10_000; id++)
      server.write({ jsonrpc: "2.0", id, method: "tools/call", params: getPet });
    await expect.poll(() => server.lines.length, { timeout: 200_000, interval: 200 }).toBe(10_001);
    expect(server.lines.filter((line) => line.includes('"isError":true'))).toEqual([]);
    expect(most).toBeLessThanOrEqual(32);
    expect(peakOf(server.child)).toBeLessThan(700_000_000);
    // Nothing is answered before all others are refused: who gets the room of whom is another
    // question.
    const held: (() => void)[] = [];
    servers.answer = (response, request, count) =>
      void held.push(() => reply(200, { id: 1 })(response, request, count));
    const small = await connected({ CLINIC_MAX_QUEUE: "10" });
    for (let id = 0; id < 200; id++)
      small.write({ jsonrpc: "2.0", id, method: "tools/call", params: getPet });
    await expect.poll(() => small.lines.length, { timeout: 60_000 }).toBe(1 + 200 - 32 - 10);
    await expect.poll(() => held.length).toBe(32);
    servers.answer = reply(200, { id: 1 });
    for (const release of held) release();
    await expect.poll(() => small.lines.length, { timeout: 60_000 }).toBe(201);
    const busy = small.lines
      .map((line) => JSON.parse(line) as WireMessage)
      .filter(({ result }) => result?.["isError"] === true);
    expect(busy).toHaveLength(200 - 32 - 10);
    say(told(busy[0]!).text, "200 calls, of which 42 have room");
  },
  240_000,
);

row("D20", "an exception with secrets in its words (stdio)", async (say) => {
  const { text, raw } = told(
    await (await connected()).request("tools/call", { name: "be_careless", arguments: {} }),
  );
  say(text);
  expect(raw).not.toMatch(/secret|\/home/);
});

row("D21", "the list, a hundred times (stdio)", async () => {
  const server = await connected({ MANY_TOOLS: "5" });
  const lists = new Set<string>();
  for (let i = 0; i < 100; i++)
    lists.add(JSON.stringify((await server.request("tools/list", {}, `list${i}`)).result));
  expect(lists.size).toBe(1);
});
