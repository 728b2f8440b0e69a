import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, createServerContext } from "../../../src/runtime/index.js";
import { api as clinic, textOf, toolOf } from "../support/clinic.js";
import { testNodePlatform } from "../support/by-node.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const api = { ...clinic, security: [{ token: [] }] };
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, { echo: request.headers.authorization ?? "none" })(response, request, count),
  );
});
afterAll(() => upstream.close());

function serverWith(variables: Record<string, string> = {}, definition: object = {}) {
  const created = createServerContext({
    api: { ...api, ...definition },
    tools: [toolOf({})],
    platform: testNodePlatform,
    env: {
      LOG_LEVEL: "silent",
      CLINIC_BASE_URL: `${upstream.url}/v1`,
      CLINIC_TOKEN: "hunter2hunter2",
      CLINIC_RAW_REQUESTS: "true",
      ...variables,
    },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  return created.context;
}

async function send(input: Record<string, unknown>, context = serverWith()) {
  const before = upstream.requests.length;
  const result = await callTool(context, context.tools.find("send_request"), input);
  return {
    text: textOf(result),
    isError: result.isError === true,
    request: upstream.requests[before],
  };
}

const FORM = "application/x-www-form-urlencoded";

describe("send_request sends", () => {
  test.each([
    [
      { method: "GET", path: "/pets" },
      { method: "GET", url: "/v1/pets", body: "" },
    ],
    [{ method: "GET", path: "pets/a%2Fb/ü x" }, { url: "/v1/pets/a%2Fb/%C3%BC%20x" }],
    [
      { method: "GET", path: "/pets?tag=a&tag=b c", query: { limit: 2, sort: ["x", "y"] } },
      { url: "/v1/pets?tag=a&tag=b%20c&limit=2&sort=x&sort=y" },
    ],
    [{ method: "POST", path: "/pets", body: { name: "Rex" } }, { body: '{"name":"Rex"}' }],
    [
      { method: "PATCH", path: "/pets/1", body: '{"id": 12345678901234567890}' },
      { body: '{"id": 12345678901234567890}' },
    ],
    [
      {
        method: "PUT",
        path: "/form",
        body: { a: 1 },
        contentType: "application/x-www-form-urlencoded",
      },
      { body: "a=1" },
    ],
    [{ method: "POST", path: "/notes", body: "hello" }, { body: "hello" }],
    [{ method: "POST", path: "/notes", body: "" }, { body: "" }],
    [{ method: "POST", path: "/notes", body: 5 }, { body: "5" }],
    [
      { method: "POST", path: "/x", body: "<a>1</a>", contentType: "application/xml" },
      { body: "<a>1</a>" },
    ],
    [
      { method: "POST", path: "/x", body: [{ a: 1 }, 2], contentType: "application/x-ndjson" },
      { body: '{"a":1}\n2\n' },
    ],
    [
      { method: "POST", path: "/x", body: '{"a":1}\n2', contentType: "application/x-ndjson" },
      { body: '{"a":1}\n2' },
    ],
    [
      { method: "POST", path: "/x", body: "aGk=", contentType: "application/octet-stream" },
      { body: "hi" },
    ],
    [
      { method: "POST", path: "/x", body: { a: "b" }, contentType: "multipart/form-data" },
      { body: expect.stringContaining('name="a"\r\n\r\nb\r\n') },
    ],
    [{ method: "POST", path: "/x", body: "a=1&b=2", contentType: FORM }, { body: "a=1&b=2" }],
    [
      { method: "GET", path: "/x", query: { a: true, b: null, c: "", "d[e]": "x&y" } },
      { url: "/v1/x?a=true&c=&d%5Be%5D=x%26y" },
    ],
    [
      { method: "HEAD", path: "/a//b/" },
      { method: "HEAD", url: "/v1/a//b/" },
    ],
    [
      { method: "OPTIONS", path: "/" },
      { method: "OPTIONS", url: "/v1/" },
    ],
    [{ method: "DELETE", path: "/x", body: { q: 1 } }, { body: '{"q":1}' }],
    [
      { method: "DELETE", path: "/pets/1" },
      { method: "DELETE", url: "/v1/pets/1" },
    ],
  ])("%j", async (input, want) => {
    const { request, text } = await send(input);
    expect(request, text).toMatchObject(want);
    expect(request?.headers.authorization).toBe("Bearer hunter2hunter2");
    expect(text).not.toContain("hunter2");
  });

  test("the media type of the body", async () => {
    const typeOf = async (input: object) =>
      (await send({ method: "POST", path: "/x", ...input })).request?.headers["content-type"];
    expect(await typeOf({ body: {} })).toBe("application/json");
    expect(await typeOf({ body: "{}" })).toBe("application/json");
    expect(await typeOf({ body: "a" })).toBe("text/plain; charset=utf-8");
    expect(await typeOf({ body: [], contentType: "application/json-patch+json" })).toBe(
      "application/json-patch+json",
    );
  });
});

describe("send_request refuses", () => {
  test.each([
    "https://evil.example/x",
    "//evil.example/x",
    "/\\evil.example",
    "/../admin",
    "/pets/..",
    "/./pets",
    "/pets/./x",
    "/%2e%2e/admin",
    "/%2E./admin",
    "/%252e%252e/admin",
    "/pets%2f..%2f..%2fadmin",
    "/pets%5c..%5cadmin",
    "/..;x/admin",
    "/pets#x",
    "/pets\r\nHost: evil",
    "/100%",
    "javascript:alert(1)",
  ])("the path %j", async (path) => {
    const { isError, request, text } = await send({ method: "GET", path });
    expect(isError).toBe(true);
    expect(text).toContain("path: ");
    expect(request).toBeUndefined();
  });

  test.each([
    [{ method: "TRACE", path: "/x" }, 'method: "TRACE" is not one of'],
    [{ method: "get", path: "/x" }, 'did you mean "GET"?'],
    [{ method: "GET", path: "" }, "path: must not be empty"],
    [{ method: "GET", path: "/x", headers: {} }, "headers: unknown input"],
    [{ method: "GET", path: "/x", query: "a=1" }, "query: expected an object"],
    [
      { method: "GET", path: "/x", query: { c: { d: 1 } } },
      'query.c: is an object; write each name as the API does, such as "c[d]"',
    ],
    [{ method: "GET", path: "/x", body: { q: 1 } }, "body: cannot be sent with GET"],
    [{ method: "HEAD", path: "/x", body: "q" }, "body: cannot be sent with HEAD"],
    [{ method: "POST", path: "/x", body: {}, contentType: "text/plain\r\nX: y" }, "contentType: "],
    [
      { method: "POST", path: "/x", body: "{", contentType: "application/json" },
      "body: is not JSON",
    ],
  ])("%j", async (input, problem) => {
    const { request, text } = await send(input);
    expect(text).toContain(problem);
    expect(request).toBeUndefined();
  });

  // Receivers also take some other names for that of the key.
  test.each([
    ["/x?api_key=mine", {}],
    ["/x?API_KEY=mine", {}],
    ["/x?api%5Fkey=mine", {}],
    ["/x?api.key=mine", {}],
    ["/x", { "api key": "mine" }],
    ["/x", { "api_key[]": "mine" }],
    ["/x", { "api_key[0]": "mine" }],
    ["/x", { "api_key\0a": "mine" }],
  ])("a query parameter that is a credential: %s %j", async (path, query) => {
    const context = serverWith(
      { CLINIC_KEY: "k1" },
      {
        security: [{ key: [] }],
        securitySchemes: {
          key: { kind: "apiKey", in: "query", name: "api_key", env: "CLINIC_KEY" },
        },
      },
    );
    const { request, text } = await send({ method: "GET", path, query }, context);
    expect(text).toMatch(/would send "[^"]*" again/);
    expect(request).toBeUndefined();
  });
});

describe("send_request says what paths are appended to", () => {
  test.each<readonly [string, Record<string, string>, object, string]>([
    ["the variable", { CLINIC_BASE_URL: "https://a.example/v2/" }, {}, "https://a.example/v2"],
    ["the document", {}, { servers: [{ url: "https://b.example/api" }] }, "https://b.example/api"],
    ["neither", {}, {}, "the base URL of the API"],
    [
      "a URL with a credential",
      { CLINIC_BASE_URL: "https://a.example/hunter2hunter2" },
      {},
      "https://a.example/[redacted]",
    ],
  ])("%s", (_, variables, definition, url) => {
    const context = serverWith({ CLINIC_BASE_URL: "", ...variables }, definition);
    const { description } = context.tools.find("send_request") as { description: string };
    expect(description).toContain("The path is appended to ");
    expect(description).toContain(`${url}. Only for what`);
  });
});

describe("send_request is offered", () => {
  const names = async (variables: Record<string, string>, definition: object = {}) =>
    (await serverWith(variables, definition).tools.listPage(undefined)).tools.map(
      ({ name }) => name,
    );

  test.each([
    ["by the variable", {}, {}, true],
    ["by the configuration", { CLINIC_RAW_REQUESTS: "" }, { rawRequests: true }, true],
    ["not against the variable", { CLINIC_RAW_REQUESTS: "false" }, { rawRequests: true }, false],
    ["not by default", { CLINIC_RAW_REQUESTS: "" }, {}, false],
    ["not read-only", { CLINIC_READ_ONLY: "true" }, {}, false],
    ["as a toolset", { CLINIC_TOOLSETS: "send_request" }, {}, true],
  ])("%s", async (_, variables, definition, isOffered) => {
    expect((await names(variables, definition)).includes("send_request")).toBe(isOffered);
  });

  test("with the namespace", async () => {
    expect(await names({}, { namespace: "vet" })).toContain("vet_send_request");
  });

  test("as destructive", async () => {
    const [, tool] = (await serverWith().tools.listPage(undefined)).tools;
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  test("through call_tool", async () => {
    const context = serverWith({ CLINIC_MODE: "discovery" });
    const before = upstream.requests.length;
    const call = context.tools.find("call_tool");
    await callTool(context, call, {
      name: "send_request",
      arguments: { method: "GET", path: "/found" },
    });
    expect(upstream.requests[before]?.url).toBe("/v1/found");
  });

  test("to callers with all scopes", () => {
    const scopes = ["read", "write"];
    const context = serverWith(
      {},
      {
        security: [{ oauth: ["read"] }],
        securitySchemes: { oauth: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN", scopes } },
      },
    );
    const offered = (granted: readonly string[]) =>
      context.selectPermitted(granted, true)?.tools.get("send_request") !== undefined;
    expect(offered(["read"])).toBe(false);
    expect(offered(scopes)).toBe(true);
  });
});

test("a response above the limit is an error that names it", async () => {
  const large = await startUpstream(reply(200, { text: "x".repeat(5000) }));
  const context = serverWith({
    CLINIC_BASE_URL: large.url,
    CLINIC_MAX_RESPONSE_BYTES: "2000",
  });
  const { text, isError } = await send({ method: "GET", path: "/x" }, context);
  await large.close();
  expect(isError).toBe(true);
  expect(text).toContain("the response is larger than");
});

test("any configured scheme is sent where the API has no default", async () => {
  const context = serverWith(
    { CLINIC_API_KEY: "k2k2k2k2", CLINIC_TOKEN: "" },
    { security: undefined },
  );
  const { request } = await send({ method: "GET", path: "/x" }, context);
  expect(request?.headers["x-api-key"]).toBe("k2k2k2k2");
});

test("the user is not asked about a path that the agent has written", async () => {
  const absent = await startUpstream(reply(404, { error: "no such thing" }));
  const context = serverWith({ CLINIC_BASE_URL: `${absent.url}/v1` });
  const { text } = await send({ method: "GET", path: "/pets/42" }, context);
  await absent.close();
  expect(text).toContain("Do not call send_request again with the same input.");
  expect(text).not.toContain("if the user gave the value");
});
