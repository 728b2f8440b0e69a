/** Tools by the scopes of the caller's token. */
import type { JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AnyTool,
  type ApiDefinition,
  defineCustomTool,
  fetchHandler,
} from "../../../../src/runtime/index.js";
import { api as clinic, toolOf } from "../../support/clinic.js";
import { audience, type Issuer, startIssuer } from "./issuer.js";

const api: ApiDefinition = {
  ...clinic,
  servers: [{ url: "http://127.0.0.1:9/v1" }],
  securitySchemes: {
    account: { kind: "oauth2", tokenEnv: "CLINIC_TOKEN", scopes: ["pets:read", "pets:write"] },
    key: { kind: "apiKey", in: "header", name: "X-Api-Key", env: "CLINIC_API_KEY" },
  },
  security: [{ account: ["pets:read"] }],
};

const request = (method: string, security?: readonly Record<string, string[]>[]) => ({
  method,
  path: "/pets",
  ...(security && { security }),
});

const tools: readonly AnyTool[] = [
  toolOf({ name: "find_pets" }),
  toolOf({ name: "add_pet", send: request("POST", [{ account: ["pets:write"] }]) }),
  toolOf({
    name: "merge_pets",
    send: request("POST", [{ account: ["pets:read", "pets:write"] }]),
  }),
  toolOf({
    name: "export_pets",
    send: request("GET", [{ account: ["pets:export"] }, { account: ["pets:write"], key: [] }]),
  }),
  toolOf({ name: "pay_bill", send: request("POST", [{ account: ["bills:pay"] }, { key: [] }]) }),
  toolOf({ name: "get_hours", send: request("GET", []) }),
  toolOf({ name: "get_news", send: request("GET", [{ account: ["news"] }, {}]) }),
  toolOf({ name: "get_map", send: request("GET", [{ key: [] }]) }),
  {
    ...toolOf({ name: "list_visits", properties: { all: { type: "boolean" } } }),
    operations: [
      {
        whenProvided: ["all"],
        request: {
          ...request("GET", [{ account: ["visits:all"] }]),
          query: { all: "all" },
        },
        response: {},
      },
      { whenProvided: [], request: request("GET"), response: {} },
    ],
  },
  defineCustomTool({
    name: "add_anyway",
    title: "Add anyway",
    description: "Add a pet through another tool.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    run: async (_, { callTool }) => {
      const { content } = await callTool("list_visits", { all: true });
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
  }),
];

let issuer: Issuer;
beforeAll(async () => void (issuer = await startIssuer()));
afterAll(() => issuer.close());

type Call = { readonly method: string; readonly params?: object };

async function post(
  message: Call | readonly Call[],
  scope: JWTPayload["scope"],
  env: Record<string, string> = {},
  revision = "2025-11-25",
): Promise<Response> {
  const handle = fetchHandler({
    api,
    tools,
    write: () => {},
    env: {
      CLINIC_READ_RESULTS: "false",
      CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
      CLINIC_HTTP_PUBLIC_URL: audience,
      CLINIC_TOKEN: "of-the-server",
      LOG_LEVEL: "silent",
      ...env,
    },
  });
  const numbered = [message].flat().map((one, id) => ({ jsonrpc: "2.0", id, ...one }));
  return handle(
    new Request("https://mcp.example.com/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "mcp-protocol-version": revision,
        authorization: `Bearer ${await issuer.token({ scope })}`,
        ...(!Array.isArray(message) && standardHeaders(message as Call)),
      },
      body: JSON.stringify(Array.isArray(message) ? numbered : numbered[0]),
    }),
  );
}

/** Headers that clients of 2026-07-28 send. */
function standardHeaders({ method, params = {} }: Call): Record<string, string> {
  const { name } = params as { readonly name?: unknown };
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": name }) };
}

async function listed(scope: unknown, env?: Record<string, string>): Promise<readonly string[]> {
  const response = await post({ method: "tools/list" }, scope, env);
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

const call = (name: string, args: object = {}): Call => ({
  method: "tools/call",
  params: { name, arguments: args },
});

const free = ["get_hours", "get_news", "get_map", "add_anyway"];
const everything = tools.map(({ name }) => name).sort();

describe("the list", () => {
  test.each<readonly [string, string | undefined, Record<string, string>, readonly string[]]>([
    ["one scope", "pets:read", {}, ["find_pets", "list_visits", ...free]],
    [
      "two scopes: one requirement needs both, another one of them",
      "pets:read pets:write",
      {},
      ["find_pets", "add_pet", "merge_pets", "export_pets", "list_visits", ...free],
    ],
    ["one of several alternatives", "pets:export", {}, ["export_pets", ...free]],
    ["one of several operations of a tool", "visits:all", {}, ["list_visits", ...free]],
    ["a scope that only an operation names", "bills:pay", {}, ["pay_bill", ...free]],
    ["no scope", undefined, {}, everything],
    ["only scopes that the API does not know", "openid mcp", {}, everything],
    ["a scope of the server and one of the API", "mcp visits:all", {}, ["list_visits", ...free]],
    ["no scope, if always", undefined, { CLINIC_HTTP_OAUTH_TOOL_SCOPES: "always" }, free],
    ["other scopes, if always", "mcp", { CLINIC_HTTP_OAUTH_TOOL_SCOPES: "always" }, free],
    ["one scope, if never", "pets:read", { CLINIC_HTTP_OAUTH_TOOL_SCOPES: "never" }, everything],
    [
      "a broader scope stands for a narrower one",
      "pets:write",
      { CLINIC_HTTP_OAUTH_SCOPES: "pets:read|pets:write" },
      ["find_pets", "add_pet", "merge_pets", "export_pets", "list_visits", ...free],
    ],
  ])("%s", async (_, scope, env, want) => {
    expect([...(await listed(scope, env))].sort()).toEqual([...want].sort());
  });

  test("callers with a fixed token of the server see all tools", async () => {
    const handle = fetchHandler({
      api,
      tools,
      write: () => {},
      env: {
        CLINIC_READ_RESULTS: "false",
        CLINIC_HTTP_OAUTH_ISSUER: issuer.url,
        CLINIC_HTTP_PUBLIC_URL: audience,
        CLINIC_HTTP_TOKEN: "fixed-token-4c1e9b",
        CLINIC_HTTP_OAUTH_TOOL_SCOPES: "always",
        LOG_LEVEL: "silent",
      },
    });
    const response = await handle(
      new Request("https://mcp.example.com/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer fixed-token-4c1e9b" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      }),
    );
    expect(await response.text()).toContain('"name":"pay_bill"');
  });

  test("is cached for one caller only", async () => {
    const response = await post(modern("tools/list"), "pets:read", {}, "2026-07-28");
    expect(await response.json()).toMatchObject({ result: { ttlMs: 0, cacheScope: "private" } });
  });

  test("pages are counted on the caller's own list", async () => {
    const many = { method: "tools/list", params: { cursor: "500" } };
    const response = await post(many, "pets:read");
    expect(await response.text()).toContain("Invalid cursor");
  });
});

/** A message of 2026-07-28. */
function modern(method: string, params: object = {}): Call {
  return {
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
}

describe("a call beyond the scopes", () => {
  const discovery = { CLINIC_MODE: "discovery" };
  const nested = { name: "add_pet", arguments: {} };
  test.each<readonly [string, Call | readonly Call[], string, Record<string, string>, string]>([
    ["a tool", call("add_pet"), "pets:read", {}, "pets:read pets:write"],
    [
      "all scopes of a requirement",
      call("merge_pets"),
      "visits:all",
      {},
      "visits:all pets:read pets:write",
    ],
    [
      "the alternative that lacks least",
      call("export_pets"),
      "visits:all",
      {},
      "visits:all pets:export",
    ],
    [
      "an operation of a tool",
      call("list_visits", { all: true }),
      "pets:read",
      {},
      "pets:read visits:all",
    ],
    [
      "through call_tool",
      call("call_tool", nested),
      "visits:all",
      discovery,
      "visits:all pets:write",
    ],
    [
      "the scopes that every token needs",
      call("add_pet"),
      "mcp pets:read",
      { CLINIC_HTTP_OAUTH_SCOPES: "mcp" },
      "mcp pets:read pets:write",
    ],
    [
      "a key of the server does not help",
      call("pay_bill"),
      "visits:all",
      {},
      "visits:all bills:pay",
    ],
  ])("is challenged: %s", async (_, message, scope, env, want) => {
    const response = await post(message, scope, env);
    expect(response.status).toBe(403);
    const challenge = response.headers.get("www-authenticate") ?? "";
    expect(challenge).toMatch(/^Bearer error="insufficient_scope", error_description="/);
    expect(/ scope="([^"]*)"/.exec(challenge)?.[1]).toBe(want);
    expect(challenge).toContain(
      'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    expect(await response.text()).toContain("Tell the user to authorize the client again");
  });

  test("a batch is challenged if one of its calls is", async () => {
    const batch = [call("find_pets"), call("add_pet")];
    expect((await post(batch, "pets:read", {}, "2025-03-26")).status).toBe(403);
  });

  test("clients of 2026-07-28 are asked for the scopes of the call only", async () => {
    const message = modern("tools/call", { name: "add_pet", arguments: {} });
    const response = await post(message, "pets:read", {}, "2026-07-28");
    expect(response.headers.get("www-authenticate")).toContain(' scope="pets:write",');
  });

  test("inside of another tool, is a text that names the scope", async () => {
    const response = await post(call("add_anyway"), "pets:read");
    expect(await response.text()).toContain(
      "Not sent: list_visits needs the scope visits:all, which this client's access token",
    );
  });

  test.each([
    ["a permitted tool", call("list_visits", {})],
    ["an unknown tool", call("add_pets")],
    ["invalid arguments", { method: "tools/call", params: { name: 5 } }],
    ["another method", { method: "ping" }],
  ])("%s is not challenged", async (_, message) => {
    expect((await post(message, "pets:read")).status).toBe(200);
  });
});

describe("discovery", () => {
  const env = { CLINIC_MODE: "discovery" };

  test("finds and describes permitted tools only", async () => {
    const found = await post(call("search_tools", { query: "pets" }), "pets:read", env);
    const text = await found.text();
    expect(text).toContain("find_pets");
    expect(text).not.toMatch(/add_pet|merge_pets|export_pets/);
    const described = await post(call("describe_tools", { names: ["add_pet"] }), "pets:read", env);
    expect(await described.text()).toContain("add_pet needs the scope pets:write");
  });

  test("lists the same tools for all callers", async () => {
    const tools = ["search_tools", "describe_tools", "call_read_tool", "call_tool"];
    for (const scope of ["pets:read", "pets:write"])
      expect(await listed(scope, env)).toEqual(tools);
  });
});
