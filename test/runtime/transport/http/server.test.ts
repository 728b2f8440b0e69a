import { text } from "node:stream/consumers";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchHandler } from "../../../../src/runtime/index.js";
import { timingSafeEqual } from "../../../../src/runtime/data/bytes.js";
import {
  type ReceivedResponse,
  send as sendTo,
  type RequestOptions,
} from "../../../hostile/support/http.js";
import { api, toolOf } from "../../support/clinic.js";
import { fixtureServers } from "../../support/servers.js";
import { reply } from "../../support/upstream.js";
import { audience, startIssuer } from "./issuer.js";

const servers = fixtureServers();
const { upstream, serving: start, shared } = servers;

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const call = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_pet", arguments: { pet_id: "1" } },
};
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Asks for the list, unless told otherwise. */
const send = (url: URL, sketch: RequestOptions = {}): Promise<ReceivedResponse> =>
  sendTo(url, { body: list, ...sketch });

describe("access control", () => {
  test.each<readonly [string, Record<string, string>, number]>([
    ["no Origin", {}, 200],
    ["a page of this machine", { origin: "http://localhost:8080" }, 200],
    ["another page", { origin: "http://evil.test" }, 403],
    ["a page of nowhere", { origin: "null" }, 403],
    ["a page with a name like this machine's", { origin: "http://localhost.evil.test" }, 403],
    ["this machine by name", { host: "localhost" }, 200],
    ["another name for this machine", { host: "evil.test" }, 403],
  ])("%s", async (_, headers, status) => {
    const url = await shared();
    expect((await send(url, { headers })).status).toBe(status);
  });

  test.each<readonly [string, Record<string, string>, number]>([
    ["no token", {}, 401],
    ["the token", { authorization: "Bearer inbound-token-4c1e" }, 200],
    ["the token, oddly written", { authorization: "bearer  inbound-token-4c1e " }, 200],
    ["another token", { authorization: "Bearer inbound-tokem" }, 401],
    ["more than the token", { authorization: "Bearer inbound-token-4c1e2" }, 401],
    ["another scheme", { authorization: "Basic inbound-token-4c1e" }, 401],
  ])("with a token set: %s", async (_, headers, status) => {
    const url = await shared({ CLINIC_HTTP_TOKEN: "inbound-token-4c1e" });
    const got = await send(url, { headers });
    expect(got.status).toBe(status);
    if (status === 401) expect(got.headers["www-authenticate"]).toContain("Bearer");
  });

  test("a token in the query is ignored", async () => {
    const url = await shared({ CLINIC_HTTP_TOKEN: "inbound-token-4c1e" });
    expect((await send(url, { path: "/mcp?access_token=inbound-token-4c1e" })).status).toBe(401);
  });

  test("configured hosts and origins are allowed", async () => {
    const { url } = await start({
      CLINIC_ALLOWED_HOSTS: "pets.test, MCP.Example.com:8443, https://vet.test",
      CLINIC_ALLOWED_ORIGINS: "app.test",
    });
    for (const host of ["pets.test", "mcp.example.com:8443", "mcp.example.com", "vet.test:80"])
      expect(
        (await send(url, { headers: { host, origin: "https://app.test" } })).status,
        host,
      ).toBe(200);
  });

  test.each([
    ["https://app.test", 200],
    ["HTTPS://App.test", 200],
    ["http://app.test", 403],
    ["https://app.test:8443", 403],
    ["https://app.test.evil.test", 403],
    ["https://dev.test:8443", 200],
    ["https://dev.test", 403],
    ["http://plain.test", 200],
    ["null", 403],
  ])("the origin %s gets %i", async (origin, status) => {
    const url = await shared({
      CLINIC_ALLOWED_ORIGINS: "app.test, https://dev.test:8443, http://plain.test",
    });
    expect((await send(url, { headers: { origin } })).status).toBe(status);
  });

  test.each([
    ["two Host headers", "POST /mcp HTTP/1.1\r\nHost: {host}\r\nHost: evil.test", 400],
    ["the same Host twice", "POST /mcp HTTP/1.1\r\nHost: {host}\r\nhost: {host}", 400],
    [
      "two credentials",
      "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer a\r\nauthorization: Bearer b",
      400,
    ],
    ["a target of another host", "GET http://evil.test/health HTTP/1.1\r\nHost: {host}", 400],
    ["a target of another port", "GET http://127.0.0.1:1/health HTTP/1.1\r\nHost: {host}", 400],
    ["a target without a host", "GET health HTTP/1.1\r\nHost: {host}", 400],
    [
      "the default port in both",
      "GET http://localhost:80/health HTTP/1.1\r\nHost: localhost:80",
      200,
    ],
    ["the default port in one", "GET http://localhost/health HTTP/1.1\r\nHost: localhost:80", 200],
    ["a target of this host", "GET http://{host}/health HTTP/1.1\r\nHost: {host}", 200],
  ])("%s gets %s", async (_, head, status) => {
    const { host, hostname, port } = new URL(await shared({}));
    const socket = connect(Number(port), hostname);
    socket.write(`${head.replaceAll("{host}", host)}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("other machines need a token or an explicit setting", async () => {
    const refused = servers.start({}, ["--http", "--port", "0", "--host", "0.0.0.0"]);
    expect(await refused.exit).toMatchObject({ code: 2 });
    expect(refused.stderr()).toBe(
      "Refusing to serve other machines without authentication: set CLINIC_HTTP_TOKEN or CLINIC_HTTP_OAUTH_ISSUER, or allow it with --allow-unauthenticated.\n",
    );
    const open = await start({}, "--host", "0.0.0.0", "--allow-unauthenticated");
    expect((await send(open.url, { headers: { host: "pets.example.com" } })).status).toBe(200);
    const closed = await start({ CLINIC_HTTP_TOKEN: "inbound-token-4c1e" }, "--host", "0.0.0.0");
    expect((await send(closed.url, { headers: { host: "pets.example.com" } })).status).toBe(401);
  });

  test("other machines may use tokens of the authorization server", async () => {
    const issuer = await startIssuer();
    const { url } = await start(
      {
        CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
        CLINIC_HTTP_PUBLIC_URL: audience,
        CLINIC_TOKEN: "outbound-token",
      },
      "--host",
      "0.0.0.0",
    );
    const token = await issuer.token();
    const statuses = [
      await send(url),
      await send(url, { headers: { authorization: "Bearer x" } }),
      await send(url, { headers: { authorization: `Bearer ${token}` }, body: call }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 200]);
    expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer outbound-token");
    expect(
      JSON.parse(
        (await send(url, { method: "GET", path: "/.well-known/oauth-protected-resource/mcp" }))
          .body,
      ),
    ).toMatchObject({ resource: audience, authorization_servers: [issuer.url] });
    await issuer.close();
  });

  test("the client's token never reaches the API", async () => {
    const { url } = await start({
      CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
      CLINIC_TOKEN: "outbound-token",
    });
    await send(url, { headers: { authorization: "Bearer inbound-token-4c1e" }, body: call });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe("Bearer outbound-token");
    expect(JSON.stringify(upstream.requests)).not.toContain("inbound-token-4c1e");
  });
});

describe("allowed origins", () => {
  const origin = "https://app.test";
  const env = {
    CLINIC_ALLOWED_ORIGINS: "app.test",
    CLINIC_HTTP_TOKEN: "inbound-token-4c1e",
    CLINIC_FORWARD_HEADERS: "X-User-Token=Authorization",
  };

  test("a CORS preflight needs no credentials", async () => {
    const url = await shared(env);
    const got = await send(url, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(got.status).toBe(204);
    expect(got.headers["access-control-allow-origin"]).toBe(origin);
    expect(got.headers["access-control-allow-headers"]).toMatch(
      /authorization.*mcp-protocol-version.*x-user-token/,
    );
  });

  test("CORS headers are on results and on rejections", async () => {
    const url = await shared(env);
    const served = await send(url, {
      headers: { origin, authorization: "Bearer inbound-token-4c1e" },
    });
    const refused = await send(url, { headers: { origin } });
    expect([served.status, refused.status]).toEqual([200, 401]);
    for (const { headers } of [served, refused])
      expect(headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "www-authenticate, mcp-session-id",
        vary: "origin",
      });
  });

  test.each(["https://evil.test", "null"])("%s is not one of them", async (other) => {
    const url = await shared(env);
    const got = await send(url, {
      method: "OPTIONS",
      headers: { origin: other, "access-control-request-method": "POST" },
    });
    expect(got.status).toBe(403);
    expect(got.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("content negotiation", () => {
  const both = "text/event-stream";
  test.each<readonly [string, string | undefined, number, string]>([
    ["both, as the protocol wants", "application/json, text/event-stream", 200, both],
    ["nothing said", undefined, 200, both],
    ["anything", "*/*", 200, both],
    ["both, by range", "application/*, text/*;q=0.5", 200, both],
    ["both, in capitals", "Application/JSON;q=0.9, Text/Event-Stream;q=0.8", 200, both],
    ["JSON alone", "application/json", 200, "application/json"],
    ["anything but a stream", "application/json, text/event-stream;q=0", 200, "application/json"],
    ["a stream alone", "text/event-stream", 406, "application/json"],
    ["a page", "text/html", 406, "application/json"],
  ])("%s", async (_, accept, status, type) => {
    const response = await sendTo(await shared(), { body: list, headers: { accept } });
    expect([response.status, response.headers["content-type"]]).toEqual([status, type]);
    if (status === 200)
      expect(
        (
          JSON.parse(response.body.replace(/^event: message\ndata: /, "")) as {
            result: { tools: unknown[] };
          }
        ).result.tools.length,
      ).toBeGreaterThan(0);
  });

  test("a client that accepts only JSON receives the result without notifications", async () => {
    const url = await shared();
    const before = upstream.requests.length;
    servers.answer = (response, request, count) =>
      reply(upstream.requests.length > before + 1 ? 200 : 503, { id: 1 })(response, request, count);
    const body = { ...call, params: { ...call.params, _meta: { progressToken: "p" } } };
    expect(
      JSON.parse((await send(url, { body, headers: { accept: "application/json" } })).body),
    ).toMatchObject({ id: 1, result: { structuredContent: { id: 1 } } });
  });

  test("a client that accepts only JSON receives a batch as one array", async () => {
    const got = await send(await shared(), {
      body: [list, { ...call, id: 2 }],
      headers: { accept: "application/json", "mcp-protocol-version": "2025-03-26" },
    });
    expect((JSON.parse(got.body) as { id: number }[]).map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  test("a client that accepts only JSON is served by a fetch handler", async () => {
    const handler = fetchHandler({ api, tools: [toolOf({})], env: {}, allowUnauthenticated: true });
    const answers = await Promise.all(
      ["application/json", "*/*"].map((accept) =>
        handler(
          new Request("https://pets.test/mcp", {
            method: "POST",
            headers: { ...json, accept },
            body: JSON.stringify(list),
          }),
        ),
      ),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
      [200, "application/json"],
      [200, "text/event-stream"],
    ]);
    for (const answer of answers) expect(await answer.text()).toContain('"name":"get_pet"');
  });
});

describe("request URL", () => {
  test.each<readonly [string, number]>([
    ["/mcp", 200],
    ["/mcp/", 200],
    ["/mcp?x=1", 200],
    ["http://127.0.0.1/mcp", 400],
    ["/", 404],
    ["/mcp/x", 404],
    ["//mcp", 404],
  ])("%s", async (path, status) => {
    expect((await send(await shared(), { path })).status).toBe(status);
  });

  test("an unknown address is answered with those that exist, to callers with credentials", async () => {
    const url = await shared({ CLINIC_HTTP_TOKEN: "inbound-token-4c1e" });
    const answerTo = async (headers: Record<string, string>) => {
      const { status, body } = await send(url, { path: "/mcp/nope", headers });
      return [status, body.toString()];
    };
    expect(await answerTo({})).toEqual([401, expect.not.stringContaining("/mcp") as string]);
    expect(await answerTo({ authorization: "Bearer inbound-token-4c1e" })).toEqual([
      404,
      expect.stringContaining("Not found: the protocol is served at /mcp.") as string,
    ]);
  });
});

describe("request method", () => {
  test.each<readonly [string, object | string, number, string]>([
    ["a byte order mark", `\ufeff${JSON.stringify(list)}`, 200, '"tools"'],
    ["null for what is left out", { ...list, params: null }, 200, '"tools"'],
    [
      "null for a cursor and metadata",
      { ...list, params: { cursor: null, _meta: null } },
      200,
      '"tools"',
    ],
    [
      "a revision of its own",
      {
        ...list,
        method: "initialize",
        params: {
          protocolVersion: "1999-01-01",
          capabilities: {},
          clientInfo: { name: "t", version: "1" },
        },
      },
      200,
      '"protocolVersion":"2025-11-25"',
    ],
  ])("%s", async (_, body, status, holds) => {
    const got = await send(await shared(), { body });
    expect(got.status).toBe(status);
    expect(got.body).toContain(holds);
  });
});

describe("headers forwarded to the API", () => {
  const sentBy = async (
    env: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<ReceivedResponse & { readonly seen: Readonly<Record<string, unknown>> }> => {
    const url = await shared(env);
    const before = upstream.requests.length;
    const got = await send(url, { headers, body: call });
    return { ...got, seen: upstream.requests[before]?.headers ?? {} };
  };

  test("only configured headers are forwarded, under the name in the API", async () => {
    const { seen } = await sentBy(
      { CLINIC_FORWARD_HEADERS: "X-Tenant, X-User-Token=Authorization" },
      {
        "x-tenant": "north",
        "x-user-token": "Bearer of-a-user",
        "x-other": "stays",
        cookie: "session=stays",
      },
    );
    expect(seen).toMatchObject({ "x-tenant": "north", authorization: "Bearer of-a-user" });
    expect(JSON.stringify(seen)).not.toContain("stays");
  });

  test("forwarded headers take precedence over environment variables", async () => {
    const env = {
      CLINIC_FORWARD_HEADERS: "X-User-Token=Authorization",
      CLINIC_TOKEN: "of-the-server",
    };
    expect((await sentBy(env, { "x-user-token": "Bearer of-a-user" })).seen).toMatchObject({
      authorization: "Bearer of-a-user",
    });
    expect((await sentBy(env, {})).seen).toMatchObject({ authorization: "Bearer of-the-server" });
  });

  test("no headers are forwarded by default, and never the client's token", async () => {
    const { seen } = await sentBy(
      { CLINIC_HTTP_TOKEN: "inbound-token-4c1e" },
      { authorization: "Bearer inbound-token-4c1e", "x-user-token": "stays", "x-api-key": "stays" },
    );
    expect(JSON.stringify(seen)).not.toMatch(/inbound-token-4c1e|stays/);
  });

  test("forwarded values are redacted", async () => {
    servers.answer = (response, request, count) =>
      reply(403, { message: `no: ${String(request.headers.authorization)}` })(
        response,
        request,
        count,
      );
    const { body } = await sentBy(
      { CLINIC_FORWARD_HEADERS: "X-User-Token=Authorization" },
      { "x-user-token": "Bearer of-a-user" },
    );
    expect(body).toContain("no: [redacted]");
  });

  test("each call has the headers of its client", async () => {
    const { url } = await start({ CLINIC_FORWARD_HEADERS: "X-Tenant" });
    servers.answer = (response, request, count) =>
      void setTimeout(
        () => reply(200, { id: Number(request.headers["x-tenant"]) })(response, request, count),
        Math.random() * 20,
      );
    const one = async (id: number): Promise<string> =>
      (await send(url, { headers: { "x-tenant": String(id) }, body: call })).body;
    const bodies = await Promise.all(Array.from({ length: 50 }, (_, i) => one(i)));
    bodies.forEach((body, i) => expect(body).toContain(`"structuredContent":{"id":${i}}`));
  });
});

describe("rejected requests", () => {
  test.each<readonly [string, RequestOptions, number]>([
    ["another path", { path: "/" }, 404],
    ["GET", { method: "GET" }, 405],
    ["PUT", { method: "PUT" }, 405],
    ["DELETE", { method: "DELETE" }, 405],
    ["OPTIONS", { method: "OPTIONS" }, 405],
    ["TRACE", { method: "TRACE" }, 405],
    ["another media type", { headers: { "content-type": "text/plain" } }, 415],
    ["no JSON", { body: "{bad" }, 400],
    ["a compressed body", { headers: { "content-encoding": "gzip" } }, 415],
    ["an unacceptable answer", { headers: { accept: "text/html" } }, 406],
    [
      "an unacceptable answer, in 2026-07-28",
      {
        headers: {
          accept: "text/html, image/*",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/list",
        },
      },
      406,
    ],
    ["a session of some other server", { headers: { "mcp-session-id": "abc" } }, 404],
    ["a batch", { body: [list] }, 400],
    [
      "a batch in a revision that has none",
      { body: [list], headers: { "mcp-protocol-version": "2025-06-18" } },
      400,
    ],
    ["a batch of nothing", { body: [], headers: { "mcp-protocol-version": "2025-03-26" } }, 400],
    [
      "a batch of too much",
      {
        body: Array.from({ length: 101 }, () => list),
        headers: { "mcp-protocol-version": "2025-03-26" },
      },
      400,
    ],
    ["an unknown revision", { headers: { "mcp-protocol-version": "1999-01-01" } }, 400],
  ])("%s", async (_, sketch, status) => {
    const url = await shared();
    expect((await send(url, sketch)).status).toBe(status);
  });

  test.each([
    ["that says its size", { "content-length": String(11 * 1024 * 1024) }],
    ["that does not", { "transfer-encoding": "chunked" }],
  ])("11 MB, %s", async (_, headers) => {
    const url = await shared();
    expect([413, 0]).toContain(
      (
        await send(url, {
          headers: headers as Record<string, string>,
          body: "x".repeat(11 * 1024 * 1024),
        })
      ).status,
    );
    expect((await send(url)).status).toBe(200);
  });

  test("headers of 100 kB", async () => {
    const url = await shared();
    expect([431, 0]).toContain(
      (await send(url, { headers: { "x-large": "x".repeat(100_000) } })).status,
    );
  });

  test("unknown JSON-RPC members are ignored", async () => {
    expect((await send(await shared(), { body: { ...list, sentAt: 1 } })).body).toContain(
      '"name":"get_pet"',
    );
  });

  test("an unknown tool is a protocol error, an invalid argument a tool error", async () => {
    const url = await shared();
    expect((await send(url, { body: { ...call, params: { name: "get_pets" } } })).body).toContain(
      "Did you mean get_pet?",
    );
    const got = await send(url, {
      body: { ...call, params: { name: "get_pet", arguments: null } },
    });
    expect(got.status).toBe(200);
    expect(got.body).toContain("- pet_id: is required");
  });

  test("health needs no token", async () => {
    const url = await shared({ CLINIC_HTTP_TOKEN: "inbound-token-4c1e" });
    expect(await send(url, { method: "GET", path: "/health" })).toMatchObject({
      status: 200,
      body: '{"status":"ok"}',
    });
  });
});

describe("features of protocol revisions", () => {
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  test("batches: each request is answered (2025-03-26)", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    const batch = {
      headers: { "mcp-protocol-version": "2025-03-26" },
      body: [list, notification, { ...call, id: 2 }],
    };
    const got = await send(await shared(), batch);
    expect(got.status).toBe(200);
    expect(
      [...got.body.matchAll(/^data: (.+)$/gm)]
        .map(([, data]) => (JSON.parse(data!) as { id?: number }).id)
        .sort(),
    ).toEqual([1, 2]);
    expect(await send(await shared(), { ...batch, body: [notification] })).toMatchObject({
      status: 202,
      body: "",
    });
  });

  test("sessions: the header is ignored since 2026-07-28", async () => {
    const got = await send(await shared(), {
      headers: { ...modern, "mcp-session-id": "abc" },
      body: { ...list, params: { _meta: meta } },
    });
    expect(got).toMatchObject({
      status: 200,
      body: expect.stringContaining('"resultType":"complete"') as string,
    });
    expect(got.headers["mcp-session-id"]).toBeUndefined();
  });
});

describe("a stored result", () => {
  const large = { id: 1, visits: Array.from({ length: 200 }, (_, visit) => ({ visit })) };
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

  test.each<
    readonly [
      string,
      () => Promise<
        readonly [Record<string, string>, Record<string, string>, Record<string, string>]
      >,
    ]
  >([
    [
      "one of several tokens",
      async () => [
        { CLINIC_HTTP_TOKEN: "token-of-caller-one, token-of-caller-two" },
        bearer("token-of-caller-one"),
        bearer("token-of-caller-two"),
      ],
    ],
    [
      "a user's token",
      async () => {
        const issuer = await startIssuer();
        onTestFinished(() => issuer.close());
        return [
          {
            CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
            CLINIC_HTTP_PUBLIC_URL: audience,
            CLINIC_ALLOWED_HOSTS: "127.0.0.1",
          },
          bearer(await issuer.token({ sub: "one" })),
          bearer(await issuer.token({ sub: "two" })),
        ];
      },
    ],
    [
      "headers to pass on",
      async () => [{ CLINIC_FORWARD_HEADERS: "X-User" }, { "x-user": "one" }, { "x-user": "two" }],
    ],
  ])("is for the caller who got it, told by %s", async (_, prepare) => {
    const [env, one, two] = await prepare();
    servers.answer = reply(200, large);
    const { url } = await start({ ...env, CLINIC_MAX_RESULT_TOKENS: "100" });
    const uri = /result:\/\/get_pet\/[0-9a-f-]+/.exec(
      (await send(url, { body: call, headers: one })).body,
    )?.[0];
    const read = async (headers: Record<string, string>): Promise<string> =>
      (
        await send(url, {
          headers,
          body: { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } },
        })
      ).body;
    expect(await read(one)).toContain('"contents":[{"uri"');
    expect(await read(two)).toContain("Resource not found");
  });
});

describe("concurrent clients", () => {
  test("clients with the same request ids receive their own results", async () => {
    servers.answer = (response, request, count) =>
      void setTimeout(
        () => reply(200, { id: Number(request.url.split("/").at(-1)) })(response, request, count),
        Math.random() * 20,
      );
    const { url } = await start();
    const one = async (id: number): Promise<string> =>
      (
        await send(url, {
          body: { ...call, params: { name: "get_pet", arguments: { pet_id: String(id) } } },
        })
      ).body;
    const bodies = await Promise.all(Array.from({ length: 100 }, (_, i) => one(i)));
    bodies.forEach((body, i) => expect(body).toContain(`"structuredContent":{"id":${i}}`));
  });

  test("aborted uploads are no errors in the log", async () => {
    const { url, server } = await start({ LOG_LEVEL: "debug" });
    for (const [length, part] of [
      [1_000_000, '{"jsonrpc":'],
      [100, ""],
      [2, "{"],
    ] as const) {
      const socket = connect(Number(url.port), url.hostname);
      socket.on("error", () => {});
      const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${length}\r\n\r\n`;
      socket.write(head + part, () => socket.resetAndDestroy());
    }
    await expect.poll(() => server.stderr()).toContain("A client aborted its request");
    expect((await send(url)).status).toBe(200);
    expect(server.stderr()).not.toContain('"level":"error"');
  });

  test("a disconnected client cancels its API requests", async () => {
    servers.answer = () => {};
    const { url } = await start();
    const body = JSON.stringify(call);
    for (let round = 0; round < 50; round++) {
      const socket = connect(Number(url.port), url.hostname);
      socket.on("error", () => {});
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await expect.poll(() => upstream.open(), { interval: 2 }).toBe(1);
      socket.destroy();
      await expect.poll(() => upstream.open(), { interval: 2 }).toBe(0);
    }
    servers.answer = reply(200, { id: 1 });
    expect((await send(url, { body: call })).body).toContain('"structuredContent":{"id":1}');
  });
});

describe("shutdown", () => {
  test("SIGTERM lets requests in flight finish", async () => {
    servers.answer = (response, request, count) =>
      void setTimeout(() => reply(200, { id: 1 })(response, request, count), 300);
    const { url, server } = await start();
    const last = send(url, { body: call });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill("SIGTERM");
    expect((await last).body).toContain('"structuredContent":{"id":1}');
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("a call is answered and logged when the grace period ends", async () => {
    servers.answer = () => {};
    const { url, server } = await start({ CLINIC_SHUTDOWN_GRACE_MS: "200", LOG_LEVEL: "info" });
    const last = send(url, { body: call });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill("SIGTERM");
    expect((await last).body).toContain("get_pet was interrupted: this server is stopping");
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toContain('"tool":"get_pet","outcome":"interrupted"');
    expect(server.stderr()).toContain("Stopping: 1 call interrupted.");
  });

  test("calls may take until their deadline", async () => {
    servers.answer = () => {};
    const { url, server } = await start({ CLINIC_TIMEOUT_MS: "6000" });
    const last = send(url, { body: call });
    await expect.poll(() => upstream.open()).toBe(1);
    server.child.kill("SIGTERM");
    expect((await last).body).toContain("get_pet timed out after 6 s");
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("connections without a request are not waited for", async () => {
    const { url, server } = await start({ CLINIC_SHUTDOWN_GRACE_MS: "600000" });
    const socket = connect(Number(url.port), url.hostname).on("error", () => {});
    await new Promise((connected) => socket.on("connect", connected));
    await send(url);
    server.child.kill("SIGTERM");
    expect(await server.exit).toEqual({ code: 0, signal: null });
    socket.destroy();
  }, 30_000);

  test("a port in use is an error", async () => {
    const { url } = await start();
    const second = servers.start({}, ["--http", "--port", url.port]);
    expect(await second.exit).toMatchObject({ code: 2 });
    expect(second.stderr()).toBe(
      `Cannot listen on 127.0.0.1 port ${url.port}: another program uses the port; give another with --port.\n`,
    );
  });
});

describe("as a fetch handler", () => {
  const options = { api, tools: [toolOf({})] };
  const post = (headers: Record<string, string> = {}): Request =>
    new Request("https://pets.test/mcp", {
      method: "POST",
      headers: { ...json, ...headers },
      body: JSON.stringify(list),
    });

  test("requests with the token are served", async () => {
    const handle = fetchHandler({ ...options, env: { CLINIC_HTTP_TOKEN: "inbound-token-4c1e" } });
    expect((await handle(post())).status).toBe(401);
    const response = await handle(post({ authorization: "Bearer inbound-token-4c1e" }));
    expect(await response.text()).toContain('"name":"get_pet"');
  });

  test("access is denied by default", () => {
    expect(() => fetchHandler({ ...options, env: {} })).toThrow(
      "set CLINIC_HTTP_TOKEN or CLINIC_HTTP_OAUTH_ISSUER, or allow it with CLINIC_ALLOW_UNAUTHENTICATED=1.",
    );
    expect(() => fetchHandler({ ...options, env: { CLINIC_TIMEOUT_MS: "soon" } })).toThrow(
      "CLINIC_TIMEOUT_MS",
    );
  });

  test("access without a token can be enabled", async () => {
    const handle = fetchHandler({ ...options, env: {}, allowUnauthenticated: true });
    expect((await handle(post())).status).toBe(200);
    expect((await handle(new Request("https://pets.test/other"))).status).toBe(404);
  });
});

test.each([
  ["a", "a", true],
  ["a", "b", false],
  ["", "a", false],
  ["aa", "a", false],
  ["é", "é", true],
])("%j and %j are the same: %s", (given, secret, same) =>
  expect(timingSafeEqual(given, secret)).toBe(same),
);
