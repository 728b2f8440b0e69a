import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation, Parameter } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import {
  api,
  codesOf,
  content,
  inputsOf,
  json,
  operation,
  parameter,
  planned,
  send,
} from "../fixtures.js";

const get = (...parameters: Parameter[]): Operation => operation("GET /x", { parameters });
const inputNames = (only: Operation): string[] =>
  planned(only).tool.inputs.map((input) => input.name);

it("a body without fields is not an input", () => {
  const empty = {
    body: {
      required: false,
      contents: [content({ type: "object", properties: {} }, "application/x-www-form-urlencoded")],
    },
  };
  expect(inputNames(operation("DELETE /x/{id}", empty))).toEqual(["id"]);
  expect(codesOf(planned(operation("DELETE /x/{id}", empty)).plan)).toContain(
    "plan-parameter-hidden",
  );
  const { tool } = planned(operation("POST /x", { body: { ...empty.body, required: true } }));
  expect(tool.inputs).toEqual([]);
  expect(send(tool).body).toMatchObject({ required: true, fields: {} });
});

describe("null", () => {
  const schemas = { Word: { type: ["string", "null"], maxLength: 5 } };
  const schemaOf = (only: Operation): unknown =>
    (
      planned(only, { schemas }).tool.definition.inputSchema["properties"] as Record<
        string,
        unknown
      >
    )["q"];

  it.each<{ reason: string; sample: JsonSchema; expected: JsonSchema }>([
    {
      reason: "beside a type",
      sample: { type: ["integer", "null"], minimum: 1, default: null },
      expected: { type: "integer", minimum: 1 },
    },
    {
      reason: "as an alternative",
      sample: { anyOf: [{ type: "string" }, { type: "null" }] },
      expected: { type: "string" },
    },
    {
      reason: "beside two alternatives",
      sample: { oneOf: [{ type: "string" }, { type: "boolean" }, { enum: [null] }] },
      expected: { anyOf: [{ type: "string" }, { type: "boolean" }] },
    },
    {
      reason: "among values",
      sample: { type: ["string", "null"], enum: ["a", "b", null] },
      expected: { type: "string", enum: ["a", "b"] },
    },
    {
      reason: "behind a name",
      sample: { $ref: "#/$defs/Word" },
      expected: { type: "string", maxLength: 5 },
    },
  ])("$reason is removed from parameters", ({ sample, expected }) => {
    const q = schemaOf(get(parameter("query q", { schema: sample, description: "Words." })));
    expect(q).toMatchObject(expected);
    expect(JSON.stringify(q)).not.toContain("null");
  });

  it("stays in JSON parameters and body fields", () => {
    const schema = { type: ["string", "null"] };
    const both = { anyOf: [{ type: "string" }, { type: "null" }] };
    expect(
      schemaOf(get(parameter("query q", { schema, contentType: "application/json" }))),
    ).toMatchObject(both);
    expect(
      schemaOf(operation("POST /x", json({ type: "object", properties: { q: schema } }))),
    ).toMatchObject(both);
  });
});

describe("parameters of the query whose text calls them required", () => {
  it.each([
    { text: "(Required) ID of the campaign", required: ["q"], description: "ID of the campaign" },
    { text: "[Required] Words.", required: ["q"], description: "Words." },
    { text: "(Required) End of the period - defaults to now" },
    { text: "(Required) if no email is given" },
    { text: "(Required*) Either an email or this" },
    { text: "Required fields of the result" },
  ])("$text", ({ text, required, description = text }) => {
    const { definition } = planned(get(parameter("query q", { description: text }))).tool;
    expect(definition.inputSchema.required).toEqual(required);
    expect(definition.inputSchema.properties).toMatchObject({ q: { description } });
  });
});

describe("input names", () => {
  it.each([
    {
      reason: "legal names stay",
      sample: [parameter("query petId"), parameter("query owner_id")],
      expected: ["petId", "owner_id"],
    },
    {
      reason: "refused ones are rewritten",
      sample: [
        parameter("query filter[x]"),
        parameter("query $top"),
        parameter("header X-Trace"),
        parameter("query user.name"),
      ],
      expected: ["filter_x", "top", "x_trace", "user_name"],
    },
    {
      reason: "clashes are called by their place",
      sample: [parameter("query id"), parameter("path id"), parameter("header id")],
      expected: ["id", "query_id", "header_id"],
    },
    {
      reason: "a legal name beats a rewritten one",
      sample: [parameter("query filter[x]"), parameter("query filter_x")],
      expected: ["query_filter_x", "filter_x"],
    },
    {
      reason: "again and again",
      sample: [parameter("query a.b"), parameter("query a-b"), parameter("query a b")],
      expected: ["a_b", "query_a_b", "query_a_b_2"],
    },
    { reason: "other scripts", sample: [parameter("query größe")], expected: ["grosse"] },
  ])("$reason", ({ sample, expected }) => {
    expect(inputNames(get(...sample)).sort()).toEqual([...expected].sort());
  });

  it("are generated for names without letters", () => {
    for (const name of ["宠物", "[]", "__proto__", "a".repeat(300), "😀"]) {
      const [input] = inputNames(get(parameter(`query ${name}`)));
      expect(input).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
      expect(input).not.toBe("__proto__");
    }
  });

  it("keep the wire name in the binding", () => {
    const { tool } = planned(
      operation("POST /pets/{name}", {
        parameters: [parameter("path name"), parameter("query filter[x]")],
        ...json({ type: "object", properties: { name: { type: "string" }, __proto__x: {} } }),
      }),
    );
    expect(send(tool)).toMatchObject({
      pathParams: { name: "name" },
      query: { "filter[x]": "filter_x" },
      body: { fields: { name: "body_name", __proto__x: "__proto__x" } },
    });
  });

  it("put required inputs first", () => {
    const names = inputNames(
      operation("POST /p/{id}", {
        parameters: [parameter("query a"), parameter("path id")],
        ...json({ type: "object", required: ["c"], properties: { b: {}, c: {} } }),
      }),
    );
    expect(names).toEqual(["id", "c", "a", "b"]);
  });
});

describe("excluded values", () => {
  const key = { securitySchemes: { k: { kind: "apiKey", in: "query", name: "api_key" } } } as const;

  it.each([
    "Accept",
    "Accept-Encoding",
    "Content-Type",
    "User-Agent",
    "Authorization",
    "Cookie",
    "Host",
  ])("the header %s", (name) => {
    const { tool, plan } = planned(get(parameter(`header ${name}`), parameter("query q")));
    expect(tool.inputs.map((input) => input.name)).toEqual(["q"]);
    expect(send(tool).headers).toBeUndefined();
    expect(codesOf(plan)).toEqual(["plan-parameter-hidden"]);
  });

  it.each([
    { values: ["gzip", "identity"], expected: [] },
    { values: ["application/json", "base64"], expected: ["accept_encoding"] },
  ])("the header Accept-Encoding with $values", ({ values, expected }) => {
    const header = parameter("header Accept-Encoding", {
      schema: { type: "string", enum: values },
    });
    expect(planned(get(header)).tool.inputs.map(({ name }) => name)).toEqual(expected);
  });

  it("a credential of a security scheme", () => {
    const secret = parameter("query api_key", {
      schema: { type: "string", examples: ["sk-live-DO-NOT-COPY"] },
    });
    const { tool, plan } = planned(
      { ...get(secret, parameter("query q")), security: [{ k: [] }] },
      key,
    );
    expect(tool.inputs.map((input) => input.name)).toEqual(["q"]);
    expect(send(tool).query).toEqual({ q: "q" });
    expect(JSON.stringify(plan)).not.toContain("sk-live");
  });

  it("sends a credential that the operation does not require from the environment", () => {
    const asking = operation("GET /other", { security: [{ k: [] }] });
    const made = plan(
      api([{ ...get(parameter("query api_key", { required: true })), security: [] }, asking], key),
    );
    expect(made.tools[0]!.inputs).toEqual([]);
    expect(send(made.tools[0]!).query).toEqual({
      api_key: { env: "CLINIC_API_KEY", required: true },
    });
  });

  describe("a header of a token that no scheme declares", () => {
    const text = "Auth Token is a JWT Token generated for the user.";
    const header = parameter("header xc-auth", { required: true, description: text });
    const bearer = { securitySchemes: { b: { kind: "http", scheme: "bearer" } } } as const;
    const env = "CLINIC_XC_AUTH";
    it.each([
      { reason: "is required where nothing else is", settings: {}, want: { env, required: true } },
      { reason: "is one of the credentials beside a scheme", settings: bearer, want: { env } },
    ])("$reason", ({ settings, want }) => {
      const { tool } = planned(get(header), settings);
      expect(tool.inputs).toEqual([]);
      expect(send(tool).headers).toEqual({ "xc-auth": want });
    });
  });

  describe("the access token as a parameter", () => {
    const bearer = { securitySchemes: { b: { kind: "http", scheme: "bearer" } } } as const;
    const token = (place: string, description: string) =>
      parameter(`${place} token`, { description });
    it.each([
      {
        reason: "is sent in a header from the environment",
        of: token("header", "Authentication token. Requires scope: chat:write"),
        security: [{ b: [] }],
        expected: [],
      },
      {
        reason: "stays out of a URL",
        of: token("query", "Your API token."),
        security: [{ b: [] }],
        expected: [],
      },
      {
        reason: "stands in a URL where the document insists",
        of: { ...token("query", "Your API token."), required: true },
        security: [{ b: [] }],
        expected: [],
      },
      {
        reason: "is an input where the operation has no credentials",
        of: token("query", "Authentication token."),
        security: [],
        expected: ["token"],
      },
      {
        reason: "is an input when it is another token",
        of: { ...token("query", "The access token to revoke."), required: true },
        security: [{ b: [] }],
        expected: ["token"],
      },
      {
        reason: "is an input when it is the token to verify",
        of: { ...token("query", "The access token to verify."), required: true },
        security: [{ b: [] }],
        expected: ["token"],
      },
      {
        reason: "verifies its user",
        of: { ...token("query", "The access token to verify your identity."), required: true },
        security: [{ b: [] }],
        expected: [],
      },
    ])("$reason", ({ of, security, expected }) => {
      const { tool } = planned({ ...get(of), security }, bearer);
      expect(tool.inputs.map((input) => input.name)).toEqual(expected);
      const sent = { token: { env: "CLINIC_TOKEN" } };
      if (expected.length === 0)
        expect([send(tool).headers, send(tool).query]).toEqual([
          of.in === "header" ? sent : undefined,
          of.in === "query" && of.required ? sent : undefined,
        ]);
    });
  });

  it("a token in one body is what its operation acts on", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { token: { type: "string", description: "The custom auth token of the user." } },
    };
    const signIn = operation("POST /sign-in", {
      body: { required: true, contents: [content(schema)] },
      security: [{ b: [] }],
    });
    const bearer = { securitySchemes: { b: { kind: "http", scheme: "bearer" } } } as const;
    expect(planned(signIn, bearer).tool.inputs.map(({ name }) => name)).toEqual(["token"]);
  });

  it.each([
    { reason: "a required constant", schema: { const: "v1" }, expected: { value: "v1" } },
    {
      reason: "a required choice of one",
      schema: { type: "string", enum: ["v1"] },
      expected: { value: "v1" },
    },
  ])("$reason", ({ schema, expected }) => {
    const { tool } = planned(
      get(parameter("query version", { required: true, schema: schema as JsonSchema })),
    );
    expect(tool.inputs).toEqual([]);
    expect(send(tool).query).toEqual({ version: expected });
  });

  it("keeps an optional enum of one value as an input", () => {
    expect(inputNames(get(parameter("query version", { schema: { enum: ["v1"] } })))).toEqual([
      "version",
    ]);
  });

  it("an idempotency key", () => {
    const { tool } = planned(
      operation("POST /x", {
        parameters: [parameter("header Idempotency-Key", { required: true })],
        ...json({
          type: "object",
          required: ["idempotency_key"],
          properties: { idempotency_key: { type: "string" }, a: {} },
        }),
      }),
    );
    expect(tool.inputs.map((input) => input.name)).toEqual(["a"]);
    expect(send(tool)).toMatchObject({
      headers: { "Idempotency-Key": { generate: "uuid" } },
      body: { fields: { idempotency_key: { generate: "uuid" }, a: "a" } },
    });
  });

  it("a readOnly field", () => {
    const { tool } = planned(
      operation(
        "POST /x",
        json({
          type: "object",
          required: ["id"],
          properties: {
            id: { type: "string", readOnly: true },
            at: { $ref: "#/$defs/At" },
            name: {},
          },
        }),
      ),
      { schemas: { At: { type: "string", readOnly: true } } },
    );
    expect(tool.inputs.map((input) => input.name)).toEqual(["name"]);
  });
});

describe("API keys without a security scheme", () => {
  const sent = (...operations: Operation[]) => {
    const made = plan(api(operations));
    return {
      wires: made.tools.map((tool) => ({ ...send(tool).query, ...send(tool).headers })),
      variables: made.environment
        .filter(({ name }) => !name.endsWith("BASE_URL"))
        .map(({ name, required, secret }) => [name, required, secret]),
    };
  };
  const other = [1, 2, 3, 4].map((n) => operation(`GET /other${n}`));
  const key = parameter("query api_key");

  it.each([
    {
      reason: "a key in a header that no scheme declares",
      of: parameter("header X-API-Key", { required: true }),
      wire: { "X-API-Key": { env: "CLINIC_API_KEY", required: true } },
      variable: ["CLINIC_API_KEY", true, true],
    },
    {
      reason: "one that may be left out",
      of: parameter("header xi-api-key"),
      wire: { "xi-api-key": { env: "CLINIC_XI_API_KEY" } },
      variable: ["CLINIC_XI_API_KEY", false, true],
    },
    {
      reason: "a token in a header, by its text",
      of: parameter("header X-Pet-Auth-Token", { description: "Authentication token" }),
      wire: { "X-Pet-Auth-Token": { env: "CLINIC_PET_AUTH_TOKEN" } },
      variable: ["CLINIC_PET_AUTH_TOKEN", false, true],
    },
    {
      reason: "a token in a header that a sign-in gives, by its text",
      of: parameter("header Pet-DevToken", {
        description: "Developer token obtained through admin authentication.",
      }),
      wire: { "Pet-DevToken": { env: "CLINIC_PET_DEV_TOKEN" } },
      variable: ["CLINIC_PET_DEV_TOKEN", false, true],
    },
    {
      reason: "a secret in a header of one call",
      of: parameter("header app_key"),
      wire: { app_key: "app_key" },
      variable: undefined,
    },
    {
      reason: "a token of one call",
      of: parameter("header X-Session-Token", { description: "The token of the upload" }),
      wire: { "X-Session-Token": "x_session_token" },
      variable: undefined,
    },
    {
      reason: "one's own key in a URL",
      of: { ...key, description: "Your API key" },
      wire: { api_key: { env: "CLINIC_API_KEY" } },
      variable: ["CLINIC_API_KEY", false, true],
    },
    {
      reason: "a key that is spoken of",
      of: { ...key, description: "Key to revoke" },
      wire: { api_key: "api_key" },
      variable: undefined,
    },
    {
      reason: "a number is no key",
      of: parameter("header X-API-Key", { schema: { type: "integer" } }),
      wire: { "X-API-Key": "x_api_key" },
      variable: undefined,
    },
    {
      reason: "the language of answers is a choice",
      of: parameter("header Accept-Language"),
      wire: { "Accept-Language": "accept_language" },
      variable: undefined,
    },
  ])("$reason", ({ of, wire, variable }) => {
    const { wires, variables } = sent(get(of), ...other);
    expect(wires[0]).toEqual(wire);
    expect(variables).toEqual(variable === undefined ? [] : [variable]);
  });

  it("come in pairs, in headers of all calls", () => {
    const pair = [parameter("header app_id"), parameter("header app_key")];
    const calls = [1, 2, 3].map((n) => operation(`GET /pair${n}`, { parameters: pair }));
    expect(sent(...calls).wires[0]).toEqual({
      app_id: { env: "CLINIC_APP_ID" },
      app_key: { env: "CLINIC_APP_KEY" },
    });
  });

  it("are tokens of the app in queries of all calls", () => {
    const of = { parameters: [parameter("query app_token")] };
    const calls = [1, 2, 3].map((n) => operation(`GET /data${n}`, of));
    expect(sent(...calls).wires[0]).toEqual({ app_token: { env: "CLINIC_APP_TOKEN" } });
  });

  it("come in pairs with the prefix of a vendor", () => {
    const pair = [parameter("header X-Pet-Api-Id"), parameter("header X-Pet-Api-Key")];
    const calls = [1, 2, 3].map((n) => operation(`GET /pair${n}`, { parameters: pair }));
    expect(Object.keys(sent(...calls).wires[0] ?? {})).toEqual(["X-Pet-Api-Id", "X-Pet-Api-Key"]);
    expect(sent(...calls).variables.map(([name]) => name)).toEqual([
      "CLINIC_PET_API_ID",
      "CLINIC_PET_API_KEY",
    ]);
  });

  it("are tokens in URLs of all calls, and not those of pages", () => {
    const tokens = [parameter("query jwt"), parameter("query token", { description: "Next page" })];
    const calls = [1, 2, 3].map((n) => operation(`GET /list${n}`, { parameters: tokens }));
    expect(sent(...calls).wires[0]).toEqual({ jwt: { env: "CLINIC_JWT" }, token: "token" });
  });

  it("are tokens in headers of all calls", () => {
    const headers = [parameter("header X-Vet-Account-Token"), parameter("header X-Page-Token")];
    const calls = [1, 2, 3].map((n) => operation(`GET /list${n}`, { parameters: headers }));
    expect(sent(...calls).wires[0]).toEqual({
      "X-Vet-Account-Token": { env: "CLINIC_VET_ACCOUNT_TOKEN" },
      "X-Page-Token": "x_page_token",
    });
  });

  it("are access tokens in the paths of all calls", () => {
    const token = parameter("path AccessToken", { required: true });
    const calls = [1, 2, 3].map((n) =>
      operation(`GET /list${n}/{AccessToken}`, { parameters: [token] }),
    );
    const [tool] = plan(api(calls)).tools;
    expect(tool && send(tool).pathParams).toEqual({
      AccessToken: { env: "CLINIC_ACCESS_TOKEN", required: true },
    });
  });

  it("share one variable; keys in URLs count from a third of the operations", () => {
    const { wires, variables } = sent(
      get(key),
      operation("GET /y", { parameters: [{ ...key }] }),
      ...other,
    );
    expect(wires.slice(0, 2)).toEqual([
      { api_key: { env: "CLINIC_API_KEY" } },
      { api_key: { env: "CLINIC_API_KEY" } },
    ]);
    expect(variables).toEqual([["CLINIC_API_KEY", false, true]]);
  });
});

describe("defaults", () => {
  it("make required inputs optional and are sent", () => {
    const { tool } = planned(
      get(parameter("query limit", { required: true, schema: { type: "integer", default: 20 } })),
    );
    expect(tool.inputs[0]!.required).toBe(false);
    expect(tool.definition.inputSchema.required).toBeUndefined();
    expect(send(tool).query).toEqual({ limit: { from: "limit", default: 20 } });
  });

  it.each([
    ["path orderFormId", "ede846222cd44046ba6c638442c3505a", true],
    ["path sku_id", 1234, true],
    ["path userId", "me", false],
    ["path version", "v1", false],
    ["query order_id", "b47690", false],
  ] as const)("of %s, %j, is a sample of an ID: %s", (at, sample, isSample) => {
    const schema = { type: typeof sample === "number" ? "integer" : "string", default: sample };
    const { tool } = planned(get(parameter(at, { required: true, schema })));
    expect(tool.inputs[0]!.required).toBe(isSample);
    const [input] = Object.values(tool.definition.inputSchema.properties as object) as object[];
    expect(input).toMatchObject(isSample ? { examples: [sample] } : { default: sample });
    expect(Object.hasOwn(input!, "default")).toBe(!isSample);
  });

  it("of a whole body are not sent", () => {
    const schema = { type: "string", default: '{"a":1}' };
    const { tool } = planned(operation("POST /convert", json(schema)));
    expect(tool.definition.inputSchema.required).toEqual(["body"]);
    expect(send(tool).body).toMatchObject({ from: "body", required: true });
  });

  it.each([
    { at: "GET /users/{id}", expected: "ID of the user." },
    { at: "GET /sessions/create/{name}", expected: "Name of the session." },
    { at: "GET /v1/{id}", expected: "" },
    { at: "GET /get/id/{id}", expected: "" },
    { at: "GET /validate/uuid/{uuid}", expected: "" },
    { at: "GET /parent/{uuid}", expected: "", summary: "Get the parent from an item UUID" },
    { at: "GET /a/{x}{id}", expected: "" },
    { at: "GET /users/{user_id}", expected: "" },
    { at: "GET /bank-accounts/{number}/x", expected: "Number of the bank account." },
    { at: "GET /accounts/{account}", expected: "Identifies the account." },
    { at: "GET /actions/{idAction}", expected: "ID of the action." },
    { at: "GET /actions/{field}", expected: "" },
  ])("undescribed path parameters: $at", ({ at, expected, ...rest }) => {
    expect(planned(operation(at, rest)).tool.inputs.at(-1)?.description).toBe(expected);
  });

  it.each([
    { required: true, expected: "Value of the header X-Ward." },
    { required: false, expected: "" },
  ])("undescribed headers: required $required", ({ required, expected }) => {
    const { tool } = planned(get(parameter("header X-Ward", { required })));
    expect(tool.inputs[0]!.description).toBe(expected);
  });

  it.each([
    { at: "query q", expected: ["a b"] },
    { at: "header q", expected: ["a%20b"] },
  ])("examples of values in URLs are not encoded: $at", ({ at, expected }) => {
    const schema = { type: "string", examples: ["a%20b"] };
    const { tool } = planned(get(parameter(at, { schema })));
    expect(tool.definition.inputSchema).toMatchObject({
      properties: { q: { examples: expected } },
    });
  });

  it.each([
    { description: "Required: Sort direction", expected: "" },
    { description: "Sort direction", enum: ["asc", "desc"], expected: "" },
    { description: "Sort direction of all names.", expected: "Sort direction of all names." },
  ])("texts that only repeat the name are left out: $description", (sample) => {
    const { description, expected, ...choice } = sample;
    const schema = { type: "string", ...choice };
    const of = parameter("query sort_direction", { required: true, description, schema });
    const { tool } = planned(get(of));
    expect(tool.inputs[0]!.description).toBe(expected);
  });

  const text = (description: string, rest = {}): Partial<Parameter> => ({ description, ...rest });
  it.each([
    { at: "header X-Amz-Signature", sample: {}, expected: undefined },
    { at: "header X-Amz-Signature", sample: { required: true }, expected: "input" },
    { at: "header X-Amz-Meta", sample: {}, expected: "input" },
    { at: "query callback", sample: text("JSONP"), expected: undefined },
    { at: "query callback", sample: text("Where to send the result."), expected: "input" },
    {
      at: "query prettyPrint",
      sample: text("Returns response with indentations and line breaks."),
      expected: undefined,
    },
    {
      at: "query pretty",
      sample: text("How pretty the cats are to be, from 1 to 5."),
      expected: "input",
    },
    { at: "query key", sample: text("API key. Identifies your project."), expected: undefined },
    { at: "query key", sample: text("Key of the setting."), expected: "input" },
    {
      at: "query oauth_token",
      sample: text("OAuth 2.0 token for the current user."),
      expected: undefined,
    },
    { at: "query api-version", sample: { required: true }, expected: "2026-01-31" },
    {
      at: "query api-version",
      sample: { required: true, schema: { type: "string", enum: ["a", "b"] } },
      expected: "input",
    },
    { at: "query api-version", sample: {}, expected: "input" },
    {
      at: "query api-version",
      sample: { schema: { type: "string", default: "1.0" } },
      expected: "input",
    },
    {
      at: "query api-version",
      sample: { required: true, schema: { type: "string", default: "1.0" } },
      expected: "input",
    },
    { at: "header X-Request-Id", sample: {}, expected: "input" },
    {
      at: "header X-Request-Id",
      sample: { description: "An identifier for tracing this request." },
      expected: undefined,
    },
    { at: "header client-request-id", sample: {}, expected: undefined },
    { at: "header client-request-id", sample: { required: true }, expected: "input" },
    { at: "header traceparent", sample: { required: true }, expected: "input" },
    { at: "header traceparent", sample: {}, expected: undefined },
    { at: "header X-Trace-Id", sample: {}, expected: undefined },
    { at: "query request_id", sample: {}, expected: "input" },
    {
      at: "query $.xgafv",
      sample: text("V1 error format.", { schema: { type: "string", enum: ["1", "2"] } }),
      expected: undefined,
    },
    {
      at: "query uploadType",
      sample: text('Legacy upload protocol for media (e.g. "media", "multipart").'),
      expected: undefined,
    },
    { at: "query uploadType", sample: text("What is uploaded."), expected: "input" },
    {
      at: "query quotaUser",
      sample: text("Available to use for quota purposes for server-side applications."),
      expected: undefined,
    },
    {
      at: "query userIp",
      sample: text("Deprecated. Please use quotaUser instead."),
      expected: undefined,
    },
    {
      at: "query alt",
      sample: text("Data format for response.", { schema: { enum: ["json", "media", "proto"] } }),
      expected: undefined,
    },
    { at: "query alt", sample: text("Altitude in meters."), expected: "input" },
    {
      at: "query output",
      sample: text("Form of the answer", { schema: { enum: ["JSONP", "JSON", "XML"] } }),
      expected: "JSON",
    },
    {
      at: "query format",
      sample: text("output format: json, jsonp, xml.", {
        schema: { type: "string", default: "json" },
      }),
      expected: undefined,
    },
    {
      at: "query format",
      sample: text("Format", { schema: { enum: ["json", "csv"] } }),
      expected: "input",
    },
    {
      at: "query format",
      sample: text("Format", { schema: { enum: ["xml", "yaml"] } }),
      expected: "input",
    },
    { at: "query format", sample: text("Format of the photo: square, wide"), expected: "input" },
  ])("protocol parameters: $at, $sample", ({ at, sample, expected }) => {
    const schemes = { bearer: { kind: "http", scheme: "bearer" } } as const;
    const { tool } = planned(
      operation("GET /x", { parameters: [parameter(at, sample)], security: [{ bearer: [] }] }),
      { version: "2026-01-31", securitySchemes: schemes },
    );
    const wire = Object.values({ ...send(tool).query, ...send(tool).headers })[0];
    expect(
      wire === undefined
        ? undefined
        : typeof wire === "object" && "value" in wire
          ? wire.value
          : "input",
    ).toBe(expected);
  });

  it("the serialization in a path", () => {
    const { tool } = planned(
      operation("GET /{format}/teams", {
        parameters: [parameter("path format", { schema: { enum: ["XML", "JSON"] } })],
      }),
    );
    expect(send(tool).pathParams).toEqual({ format: { value: "JSON" } });
  });

  it("of optional inputs are documented and not sent", () => {
    const { tool } = planned(
      get(parameter("query limit", { schema: { type: "integer", default: 20 } })),
    );
    expect(send(tool).query).toEqual({ limit: "limit" });
    expect(inputsOf(tool).limit).toEqual({
      type: "integer",
      default: 20,
      description: "Maximum number of items to return. Default: 20.",
    });
  });

  it("that do not satisfy the schema are ignored", () => {
    const { tool } = planned(
      get(parameter("query n", { required: true, schema: { type: "number", default: "1;x()" } })),
    );
    expect(tool.inputs[0]!.required).toBe(true);
    expect(send(tool).query).toEqual({ n: "n" });
    expect(JSON.stringify(inputsOf(tool))).not.toContain("1;x()");
  });
});

describe("the input schema", () => {
  it("is a closed object without combinators", () => {
    const { tool } = planned(
      operation(
        "POST /x",
        json({
          oneOf: [
            { type: "object", properties: { a: {} } },
            { type: "array", items: {} },
          ],
        }),
      ),
    );
    expect(Object.keys(tool.definition.inputSchema)).toEqual([
      "type",
      "properties",
      "required",
      "additionalProperties",
    ]);
    expect(tool.definition.inputSchema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["body"],
    });
  });

  it("is empty without inputs", () => {
    expect(planned(operation("GET /x")).tool.definition.inputSchema).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  it("keeps the types of the model for TypeScript", () => {
    const { tool, plan } = planned(
      operation("POST /x", json({ type: "object", properties: { pet: { $ref: "#/$defs/Pet" } } })),
      {
        schemas: {
          Pet: { type: "object", properties: { o: { $ref: "#/$defs/Owner" } } },
          Owner: { type: "string" },
          Unused: {},
        },
      },
    );
    expect(tool.inputs[0]!.type).toEqual({ $ref: "#/$defs/Pet" });
    expect(plan.types.map((type) => type.name)).toEqual(["Owner", "Pet"]);
    expect(Object.keys(plan.mock.schemas)).toEqual(["Owner", "Pet"]);
  });

  it("has the file name next to the file", () => {
    const form = {
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", format: "binary" }, note: { type: "string" } },
    };
    const { tool } = planned(
      operation("POST /x", {
        body: { required: true, contents: [content(form, "multipart/form-data")] },
      }),
    );
    expect(tool.inputs.map((input) => input.name)).toEqual(["file", "file_filename", "note"]);
    expect(inputsOf(tool).file).toEqual({
      type: "string",
      contentEncoding: "base64",
      description:
        "File content as base64, or file:NAME if this server has a folder of files (other text is sent as it is).",
    });
    expect(send(tool).body).toEqual({
      contentType: "multipart/form-data",
      required: true,
      isOpen: true,
      fields: { file: "file", note: "note" },
      encoding: { file: { file: true, filenameInput: "file_filename" } },
    });
  });
});
