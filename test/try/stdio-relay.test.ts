/** The connection of a client to a server that is late. */
import { PassThrough } from "node:stream";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { afterEach, expect, test, vi } from "vitest";
import { REVISIONS, StdioRelay } from "../../src/try/stdio-relay.js";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 7,
  method: "initialize",
  params: { protocolVersion: "2025-06-18" },
};
const LIST = { jsonrpc: "2.0", id: 8, method: "tools/list" };
const OWN_ANSWER = {
  jsonrpc: "2.0",
  id: 7,
  result: { serverInfo: { name: "clinic" }, instructions: "Read first." },
};
const LISTED = { jsonrpc: "2.0", id: 8, result: { tools: [] } };
const DELAY_MS = 1_000;

afterEach(() => void vi.useRealTimers());

/** A client, a relay, and a server that can be connected. */
function start() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = { stdin: new PassThrough(), stdout: new PassThrough() };
  const relay = new StdioRelay({ input, output }, { delayMs: DELAY_MS, version: "1.0.0" });
  const linesOf = (stream: PassThrough): readonly unknown[] =>
    String(stream.read() ?? "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  return {
    relay,
    server,
    client: input,
    send: (stream: PassThrough, ...messages: readonly object[]) =>
      stream.write(messages.map((message) => `${JSON.stringify(message)}\n`).join("")),
    received: () => linesOf(output),
    served: () => linesOf(server.stdin),
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a late server: initialize is answered, and nothing is lost or answered twice", async () => {
  const { relay, server, client, send, received, served } = start();
  send(client, INITIALIZE);
  await settle();
  expect(received()).toEqual([]);
  vi.advanceTimersByTime(DELAY_MS);
  await settle();
  expect(received()).toMatchObject([
    {
      id: 7,
      result: { protocolVersion: "2025-06-18", capabilities: { tools: {}, resources: {} } },
    },
  ]);
  send(client, LIST);
  await settle();
  relay.connect(server);
  await settle();
  expect(served()).toEqual([INITIALIZE, LIST]);
  send(server.stdout, OWN_ANSWER, LISTED);
  await settle();
  expect(received()).toEqual([LISTED]);
  send(client, { ...LIST, id: 9 });
  send(server.stdout, { ...LISTED, id: 9 });
  await settle();
  expect([served(), received()]).toEqual([[{ ...LIST, id: 9 }], [{ ...LISTED, id: 9 }]]);
});

test("a server in time answers itself, with its instructions", async () => {
  const { relay, server, client, send, received } = start();
  send(client, INITIALIZE);
  relay.connect(server);
  send(server.stdout, OWN_ANSWER);
  await settle();
  vi.advanceTimersByTime(2 * DELAY_MS);
  await settle();
  expect(received()).toEqual([OWN_ANSWER]);
});

test("a client that comes late is answered at once", async () => {
  const { client, send, received } = start();
  vi.advanceTimersByTime(DELAY_MS);
  const text = `${JSON.stringify(INITIALIZE)}\n`;
  client.write(text.slice(0, 20));
  await settle();
  client.write(text.slice(20));
  await settle();
  expect(received()).toMatchObject([{ id: 7 }]);
  send(client, INITIALIZE);
  await settle();
  expect(received()).toEqual([]);
});

test("another first message waits for the server", async () => {
  const { relay, server, client, send, received } = start();
  send(client, { ...LIST, method: "server/discover" });
  vi.advanceTimersByTime(DELAY_MS);
  await settle();
  expect(received()).toEqual([]);
  relay.connect(server);
  send(server.stdout, LISTED, OWN_ANSWER);
  await settle();
  expect(received()).toEqual([LISTED, OWN_ANSWER]);
});

test("an unknown revision gets the latest, and the end of the client reaches the server", async () => {
  const { relay, server, client, send, received } = start();
  vi.advanceTimersByTime(DELAY_MS);
  send(client, { ...INITIALIZE, params: { protocolVersion: "1999-01-01" } });
  client.end();
  await settle();
  expect(received()).toMatchObject([{ result: { protocolVersion: REVISIONS[0] } }]);
  relay.connect(server);
  await settle();
  expect(server.stdin.writableEnded).toBe(true);
});

test("the revisions are those of the SDK", () => {
  expect(REVISIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});
