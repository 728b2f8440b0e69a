/** Proxies that the environment names. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDeadline } from "../../../src/runtime/client/limits.js";
import { sendFollowingRedirects } from "../../../src/runtime/client/send.js";
import type { ApiResponse, Failure } from "../../../src/runtime/request/types.js";
import { cert, key } from "../../hostile/support/certificate.js";
import { type RawUpstream, startRawUpstream } from "../support/raw-upstream.js";

const ok = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok";

let proxy: Server;
let api: RawUpstream;
const received: string[] = [];
const sockets = new Set<Socket>();

const port = (): number => (proxy.address() as AddressInfo).port;

/** Connects to the API, whatever the name of the host. */
function tunnel(_: IncomingMessage, client: Socket): void {
  const upstream = connect(api.port, "127.0.0.1", () => {
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.pipe(client).pipe(upstream);
  });
  sockets.add(upstream.on("error", () => client.destroy()));
}

beforeEach(async () => {
  vi.resetModules();
  received.length = 0;
  proxy = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end("by proxy");
  });
  proxy.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
  proxy.on("connect", ({ url }) => received.push(`CONNECT ${url}`));
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  api = await startRawUpstream((socket) => void socket.write(ok), { cert, key });
});

afterEach(() => {
  vi.unstubAllEnvs();
  proxy.close();
  api.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** Sends with a client that has read the environment anew. */
async function send(url: string, ms = 5_000): Promise<ApiResponse | Failure> {
  const { createNodeClient } = await import("../../../src/runtime/client/node-client.js");
  const deadline = startDeadline(ms);
  const outcome = await sendFollowingRedirects(
    { method: "GET", url, headers: [] },
    { deadline, maxBytes: 1000, isRepeatable: false, send: createNodeClient(() => false) },
  );
  deadline.dispose();
  return outcome;
}

test("a request to an http URL names the whole URL", async () => {
  vi.stubEnv("http_proxy", `http://127.0.0.1:${port()}`);
  expect(await send("http://api.test/pets?limit=1")).toMatchObject({ status: 200 });
  expect(received).toEqual(["GET http://api.test/pets?limit=1"]);
});

test("a request to an authorization server goes through the proxy", async () => {
  vi.stubEnv("http_proxy", `http://127.0.0.1:${port()}`);
  const client = await import("../../../src/runtime/client/node-client.js");
  const fetchByNode = client.createNodeFetch(client.createNodeClient(() => false));
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const response = await fetchByNode("http://id.test/token", { method: "POST", body });
  expect([response.status, await response.text()]).toEqual([200, "by proxy"]);
  expect(received).toEqual(["POST http://id.test/token"]);
});

test("a request to an https URL goes through a tunnel, with the certificate checked", async () => {
  proxy.on("connect", tunnel);
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port()}`);
  expect(await send("https://api.test/pets")).toMatchObject({
    cause: expect.stringContaining("the TLS certificate of the API is self-signed") as string,
    sent: false,
  });
  expect(received).toEqual(["CONNECT api.test:443"]);
});

test("a proxy without a scheme is one of HTTP", async () => {
  vi.stubEnv("HTTP_PROXY", `127.0.0.1:${port()}`);
  expect(await send("http://api.test/pets")).toMatchObject({ status: 200 });
  expect(received).toEqual(["GET http://api.test/pets"]);
});

test("a proxy whose address is not valid", async () => {
  vi.stubEnv("HTTP_PROXY", "http://proxy:no-port");
  expect(await send("http://api.test/")).toEqual({
    kind: "connection",
    cause: "the address of the proxy is not valid (HTTPS_PROXY, HTTP_PROXY)",
    sent: false,
    permanent: true,
  });
});

test.each([
  ["NO_PROXY", "x.test, api.test"],
  ["no_proxy", ".test"],
  ["NO_PROXY", "*"],
])("%s=%s keeps requests from the proxy", async (variable, value) => {
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port()}`);
  vi.stubEnv(variable, value);
  expect(await send("http://api.test/")).toMatchObject({
    cause: expect.stringContaining("DNS") as string,
  });
  expect(received).toEqual([]);
});

test.each(["127.0.0.1", "localhost"])("%s is reached without the proxy", async (host) => {
  vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port()}`);
  const plain = await startRawUpstream((socket) => void socket.write(ok));
  expect(await send(`http://${host}:${plain.port}/`)).toMatchObject({ body: "ok" });
  expect(received).toEqual([]);
  plain.close();
});

test.each<readonly [string, (client: Socket) => void]>([
  ["refuses the tunnel", (client) => void client.end("HTTP/1.1 403 Forbidden\r\n\r\n")],
  ["closes the connection", (client) => void client.destroy()],
])("a proxy that %s ends the request at once", async (_, answer) => {
  proxy.on("connect", (_request, client: Socket) => answer(client));
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port()}`);
  expect(await send("https://api.test/")).toEqual({
    kind: "connection",
    cause: "the proxy rejected the request",
    sent: false,
    permanent: true,
  });
  expect(received).toHaveLength(1);
});

test.each([
  ["HTTPS_PROXY", "http://127.0.0.1:1", "https://api.test/"],
  ["HTTP_PROXY", "http://127.0.0.1:1", "http://api.test/"],
  ["HTTPS_PROXY", "http://proxy.invalid:8080", "https://api.test/"],
])("an unreachable proxy: %s=%s", async (variable, value, url) => {
  vi.stubEnv(variable, value);
  expect(await send(url)).toEqual({
    kind: "connection",
    cause: "the proxy cannot be reached (HTTPS_PROXY, HTTP_PROXY)",
    sent: false,
    permanent: false,
  });
});
