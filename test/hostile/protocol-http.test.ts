/**
 * Group D over HTTP: clients that violate the protocol, unauthorized callers, and high concurrency.
 */
import { connect } from "node:net";
import { UnsecuredJWT } from "jose";
import { afterAll, beforeAll, expect } from "vitest";
import { audience, type Issuer, startIssuer } from "../runtime/transport/http/issuer.js";
import { fixtureServers } from "../runtime/support/servers.js";
import { reply } from "../runtime/support/upstream.js";
import { send, type ReceivedResponse, type RequestOptions } from "./support/http.js";
import { openFilesOf, rssOf } from "./support/memory.js";
import { scenario, type RecordText } from "./support/transcript.js";

const servers = fixtureServers();
const { upstream, serving: start, shared } = servers;
let issuer: Issuer;
/**
 * Status lines of the responses to incomplete requests. They arrive after half a minute, while the
 * other tests run.
 */
let lateAnswers: Promise<readonly string[]>;

beforeAll(async () => {
  issuer = await startIssuer();
  const url = await shared();
  lateAnswers = Promise.all(incompleteRequests.map(([, head]) => sendIncomplete(url, head)));
  lateAnswers.catch(() => {});
});
afterAll(() => issuer.close());

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const callOf = (pet_id: string, id: string | number = 1): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "get_pet", arguments: { pet_id } },
});

/** Sends each request, expects its status, and records the error message. */
async function expectStatuses(
  url: URL,
  cases: readonly (readonly [string, RequestOptions, number | readonly number[]])[],
  record: RecordText,
): Promise<void> {
  for (const [label, options, expected] of cases) {
    const response = await send(url, { body: list, ...options });
    record(
      `${response.status} ${response.status === 200 ? "" : messageOf(response)}`.trim(),
      label,
    );
    expect([label, response.status]).toEqual([
      label,
      [expected].flat().includes(response.status) ? response.status : expected,
    ]);
  }
}

function messageOf({ body }: ReceivedResponse): string {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1];
  return message ?? body.slice(0, 200);
}

scenario("D02", "a batch (HTTP)", async (record) => {
  await expectStatuses(
    await shared(),
    [
      ["a batch", { body: [list, list] }, 400],
      ["an empty batch", { body: [] }, 400],
      ["invalid JSON", { body: "{bad" }, 400],
    ],
    record,
  );
});

scenario("D03", "11 MB (HTTP)", async (record) => {
  const url = await shared();
  await expectStatuses(
    url,
    [
      [
        "with a Content-Length",
        { body: "x".repeat(11_000_000), headers: { "content-length": "11000000" } },
        [413, 0],
      ],
      [
        "chunked",
        { body: "x".repeat(11_000_000), headers: { "transfer-encoding": "chunked" } },
        [413, 0],
      ],
    ],
    record,
  );
  expect((await send(url, { body: list })).status).toBe(200);
});

scenario("D04", "unknown methods and tools (HTTP)", async (record) => {
  const url = await shared();
  const cases: readonly (readonly [string, object, number])[] = [
    ["tools/nonsense", {}, -32601],
    ["tools/call", { name: "get_pets" }, -32602],
    ["tools/call", {}, -32602],
  ];
  for (const [method, params, code] of cases) {
    const response = await send(url, { body: { jsonrpc: "2.0", id: 1, method, params } });
    record(`${code}: ${messageOf(response)}`, `${method} ${JSON.stringify(params)}`);
    expect(response.body).toContain(`"code":${code}`);
  }
  expect(await send(url, modern("tools/nonsense"))).toMatchObject({
    status: 404,
    body: expect.stringContaining("-32601") as string,
  });
});

/** 1,000 clients in all, fifty at a time. */
scenario(
  "D07",
  "clients that disconnect during a call (HTTP)",
  async () => {
    servers.answer = () => {};
    const { url, server } = await start({
      LOG_LEVEL: "info",
      NODE_OPTIONS: "--max-old-space-size=48",
      CLINIC_MAX_CONCURRENCY: "64",
    });
    const body = JSON.stringify(callOf("1"));
    const round = async (): Promise<void> => {
      const sockets = Array.from({ length: 50 }, () =>
        connect(Number(url.port), url.hostname).on("error", () => {}),
      );
      for (const socket of sockets)
        socket.write(
          `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      await expect.poll(() => upstream.open(), { interval: 2, timeout: 20_000 }).toBe(50);
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => upstream.open(), { interval: 2, timeout: 20_000 }).toBe(0);
    };
    for (let i = 0; i < 3; i++) await round();
    const before = { files: openFilesOf(server.child), rss: rssOf(server.child) };
    for (let i = 0; i < 17; i++) await round();
    // Connections to the API are kept alive, at most one per concurrent call. No other file stays
    // open.
    await expect.poll(() => openFilesOf(server.child)).toBeLessThanOrEqual(before.files + 50);
    expect(rssOf(server.child) - before.rss).toBeLessThan(60_000_000);
    servers.answer = reply(200, { id: 1 });
    expect((await send(url, { body: callOf("1") })).body).toContain('"structuredContent":{"id":1}');
  },
  240_000,
);

scenario("D08", "SIGTERM during a call (HTTP)", async () => {
  servers.answer = (response, request, count) =>
    void setTimeout(() => reply(200, { id: 1 })(response, request, count), 300);
  const { url, server } = await start();
  const before = upstream.requests.length;
  const last = send(url, { body: callOf("1") });
  await expect.poll(() => upstream.requests.length).toBe(before + 1);
  server.child.kill("SIGTERM");
  expect((await last).body).toContain('"structuredContent":{"id":1}');
  expect(await server.exit).toEqual({ code: 0, signal: null });
});

scenario("D12", "Origin and Host of other machines (HTTP)", async (record) => {
  const { url, server } = await start();
  expect(server.stderr()).toContain("http://127.0.0.1:");
  await expectStatuses(
    url,
    [
      ["no Origin", {}, 200],
      ["Origin http://evil.test", { headers: { origin: "http://evil.test" } }, 403],
      ["Origin null", { headers: { origin: "null" } }, 403],
      [
        "Origin http://localhost.evil.test",
        { headers: { origin: "http://localhost.evil.test" } },
        403,
      ],
      ["Host evil.test", { headers: { host: "evil.test" } }, [403, 421]],
    ],
    record,
  );
});

scenario("D13", "other machines without authentication (HTTP)", async (record) => {
  const server = servers.start({}, ["--http", "--port", "0", "--host", "0.0.0.0"]);
  expect(await server.exit).toMatchObject({ code: 2 });
  record(server.stderr().trim());
  expect(server.stderr()).toContain("--allow-unauthenticated");
});

scenario("D14", "access tokens (HTTP)", async (record) => {
  const { url } = await start({
    CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
    CLINIC_HTTP_PUBLIC_URL: audience,
    CLINIC_HTTP_OAUTH_SCOPES: "pets:read",
    CLINIC_ALLOWED_HOSTS: "mcp.example.com",
  });
  const now = Math.floor(Date.now() / 1000);
  const validToken = await issuer.token();
  const bearer = (token: string): RequestOptions => ({
    headers: { authorization: `Bearer ${token}` },
  });
  await expectStatuses(
    url,
    [
      ["none", {}, 401],
      ["expired", bearer(await issuer.token({ exp: now - 60 })), 401],
      [
        "for another audience",
        bearer(await issuer.token({ aud: "https://other.example.com" })),
        401,
      ],
      [
        "without a signature",
        bearer(
          new UnsecuredJWT({
            iss: issuer.url,
            aud: audience,
            scope: "pets:read",
            exp: now + 600,
          }).encode(),
        ),
        401,
      ],
      ["in the query", { path: `${url.pathname}?access_token=${validToken}` }, 401],
      ["without the scope", bearer(await issuer.token({ scope: "pets:write" })), 403],
      ["a valid token", bearer(validToken), 200],
    ],
    record,
  );
  expect(String((await send(url, { body: list })).headers["www-authenticate"])).toContain(
    "resource_metadata=",
  );
  expect(
    (await send(url, { method: "GET", path: "/.well-known/oauth-protected-resource/mcp" })).body,
  ).toContain(issuer.url);
});

scenario("D15", "the client's own token (HTTP)", async () => {
  const { url } = await start({
    CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
    CLINIC_TOKEN: "upstream-token",
  });
  await send(url, {
    body: callOf("1"),
    headers: {
      authorization: "Bearer inbound-token-4c1e",
      "x-api-key": "inbound-token-4c1e",
      cookie: "a=inbound-token-4c1e",
    },
  });
  expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer upstream-token");
  expect(JSON.stringify(upstream.requests.at(-1))).not.toContain("inbound-token-4c1e");
});

scenario("D16", "unknown sessions (HTTP)", async (record) => {
  await expectStatuses(
    await shared(),
    [["a session of another server", { headers: { "mcp-session-id": "abc" } }, 404]],
    record,
  );
});

scenario("D17", "100 clients with the same IDs, and other methods (HTTP)", async (record) => {
  servers.answer = (response, request, count) =>
    void setTimeout(
      () => reply(200, { id: Number(request.url.split("/").at(-1)) })(response, request, count),
      Math.random() * 20,
    );
  const { url } = await start();
  const bodies = await Promise.all(
    Array.from(
      { length: 100 },
      async (_, i) => (await send(url, { body: callOf(String(i), "same") })).body,
    ),
  );
  bodies.forEach((body, i) => expect(body).toContain(`"structuredContent":{"id":${i}}`));
  await expectStatuses(
    url,
    ["GET", "PUT", "DELETE", "OPTIONS"].map((method) => [method, { method }, [405, 204]] as const),
    record,
  );
});

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = (
  method: string,
  headers: Record<string, string> = {},
  more: object = meta,
): RequestOptions => ({
  headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
  body: { jsonrpc: "2.0", id: 1, method, params: { _meta: more } },
});

scenario("D18", "headers that contradict the body (HTTP)", async (record) => {
  const url = await shared();
  await expectStatuses(url, [["consistent headers", modern("tools/list"), 200]], record);
  const cases: readonly (readonly [string, RequestOptions, number, number])[] = [
    [
      "another method in the header",
      modern("tools/list", { "mcp-method": "tools/call" }),
      400,
      -32020,
    ],
    [
      "an unknown revision",
      modern(
        "tools/list",
        { "mcp-protocol-version": "2999-01-01" },
        { ...meta, "io.modelcontextprotocol/protocolVersion": "2999-01-01" },
      ),
      400,
      -32022,
    ],
    [
      "no capabilities in _meta",
      modern("tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }),
      400,
      -32602,
    ],
  ];
  for (const [label, options, status, code] of cases) {
    const response = await send(url, options);
    record(`${response.status}: ${messageOf(response)}`, label);
    expect([label, response.status, response.body.includes(`"code":${code}`)]).toEqual([
      label,
      status,
      true,
    ]);
  }
});

/** Requests with incomplete headers or an incomplete body. */
const incompleteRequests = [
  ["incomplete headers", "Accept: app"],
  [
    "an incomplete body",
    'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{"json',
  ],
] as const;

/**
 * Sends only the beginning of a request.
 *
 * @returns the status line of the response
 */
function sendIncomplete({ hostname, port, pathname }: URL, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${head}`),
    );
    socket.on("data", (bytes) => (received += bytes.toString()));
    socket.on("error", reject).on("close", () => resolve(received.split("\r\n", 1)[0] ?? ""));
  });
}

scenario("D21", "tools/list, a hundred times (HTTP)", async () => {
  const { url } = await start({ MANY_TOOLS: "5" });
  const lists = new Set<string>();
  for (let i = 0; i < 100; i++) lists.add((await send(url, { body: list })).body);
  expect(lists.size).toBe(1);
});

// The last test, because the incomplete requests that beforeAll sends need half a minute.
scenario(
  "D19",
  "other media types, large headers, compression, slow bodies (HTTP)",
  async (record) => {
    await expectStatuses(
      await shared(),
      [
        ["text/plain", { headers: { "content-type": "text/plain" } }, 415],
        ["Accept text/html", { headers: { accept: "text/html" } }, 406],
        ["headers of 100 kB", { headers: { "x-large": "x".repeat(100_000) } }, [431, 0]],
        ["gzip", { headers: { "content-encoding": "gzip" } }, 415],
      ],
      record,
    );
    const lines = await lateAnswers;
    incompleteRequests.forEach(([label], i) => record(lines[i] ?? "", label));
    expect(lines).toEqual(incompleteRequests.map(() => "HTTP/1.1 408 Request Timeout"));
  },
);
