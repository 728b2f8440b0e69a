import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured, startServer, type TestServer } from "./in-process.js";

const text = { type: "string" };
const body = (...names: readonly string[]) => ({
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, text])),
      },
    },
  },
});
const returns = (...names: readonly string[]) => ({
  "200": {
    description: "ok",
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: Object.fromEntries(names.map((name) => [name, text])),
        },
      },
    },
  },
});
const document = {
  openapi: "3.1.0",
  info: { title: "Safe Box", version: "1" },
  security: [{ bearer: [] }],
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      client: { type: "http", scheme: "basic" },
    },
  },
  paths: {
    "/items": {
      get: { operationId: "listItems", responses: returns("id") },
      post: { operationId: "createItem", requestBody: body("password"), responses: returns("id") },
    },
    "/login": {
      post: {
        operationId: "login",
        requestBody: body("name", "password"),
        responses: returns("ok"),
      },
    },
    "/enter": {
      post: {
        operationId: "enter",
        requestBody: body("name", "password"),
        responses: returns("access_token"),
      },
    },
    "/clients/token": {
      post: {
        operationId: "issueToken",
        security: [{ client: [] }],
        requestBody: body("grant_type"),
        responses: returns("access_token"),
      },
    },
  },
};

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { id: "1" }));
  server = await startServer(document);
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

const unset = { BEARER_TOKEN: "", TOKEN: "", BEARER: "", USERNAME: "", PASSWORD: "" };

async function call(name: string, input: Record<string, unknown>, variables = {}) {
  const before = upstream.requests.length;
  const result = await server.call(server.toolOf(name), input, variables);
  const request = upstream.requests[before];
  return { text: textOf(result), request, authorization: request?.headers.authorization };
}

describe("<PREFIX>_AUTH=none", () => {
  test("calls without credentials, although some are set", async () => {
    expect((await call("listItems", {})).authorization).toMatch(/^Bearer made-up/);
    expect(await call("listItems", {}, { AUTH: "none" })).toMatchObject({
      request: { url: "/items" },
      authorization: undefined,
    });
  });

  test("calls without credentials where none are set", async () => {
    expect((await call("listItems", {}, unset)).text).toContain("SAFE_BOX_AUTH=none");
    expect((await call("listItems", {}, { ...unset, AUTH: "None" })).request).toBeDefined();
  });

  test("is the only value", async () => {
    await expect(call("listItems", {}, { AUTH: "basic" })).rejects.toThrow(
      "SAFE_BOX_AUTH must be none, or not set.",
    );
  });
});

describe("an operation that issues the token", () => {
  test.each([
    ["login", { name: "a", password: "b" }],
    ["enter", { name: "a", password: "b" }],
  ])("%s needs no token", async (name, input) => {
    expect((await call(name, input, unset)).request, name).toBeDefined();
    expect((await call(name, input)).authorization).toMatch(/^Bearer made-up/);
  });

  test("issueToken needs the client's own credentials", async () => {
    expect((await call("issueToken", { grant_type: "x" }, unset)).text).toContain("credentials");
  });

  test("createItem is another operation", async () => {
    expect((await call("createItem", { password: "x" }, unset)).text).toContain("credentials");
  });

  test("needs no token in the mock", () => {
    const login = server.plan.mock.operations.find(({ operationId }) => operationId === "login");
    expect(login?.security).toEqual([{ bearer: [] }, {}]);
  });
});

test.each([
  ["security: []", document, true],
  ["security: [{bearer: []}]", document, true],
  ["security: []", { ...document, security: undefined }, false],
])("%s that changes nothing is a warning", async (yaml, root, isReported) => {
  const { plan } = await startServer(root, configured(yaml));
  const found = plan.diagnostics.filter(({ code }) => code === "config-ineffective");
  expect(found.map(({ severity }) => severity)).toEqual(isReported ? ["warning"] : []);
});
