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

it("a body without fields is no input", () => {
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
  expect(inputNames(operation("POST /x", { body: { ...empty.body, required: true } }))).toEqual([
    "body",
  ]);
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

  it.each<{ why: string; given: JsonSchema; want: JsonSchema }>([
    {
      why: "beside a type",
      given: { type: ["integer", "null"], minimum: 1, default: null },
      want: { type: "integer", minimum: 1 },
    },
    {
      why: "as an alternative",
      given: { anyOf: [{ type: "string" }, { type: "null" }] },
      want: { type: "string" },
    },
    {
      why: "beside two alternatives",
      given: { oneOf: [{ type: "string" }, { type: "boolean" }, { enum: [null] }] },
      want: { anyOf: [{ type: "string" }, { type: "boolean" }] },
    },
    {
      why: "among values",
      given: { type: ["string", "null"], enum: ["a", "b", null] },
      want: { type: "string", enum: ["a", "b"] },
    },
    {
      why: "behind a name",
      given: { $ref: "#/$defs/Word" },
      want: { type: "string", maxLength: 5 },
    },
  ])("$why is no value of a parameter: it cannot be written", ({ given, want }) => {
    const q = schemaOf(get(parameter("query q", { schema: given, description: "Words." })));
    expect(q).toMatchObject(want);
    expect(JSON.stringify(q)).not.toContain("null");
  });

  it("is one of a parameter that is JSON, and of a field of a body", () => {
    const given = { type: ["string", "null"] };
    const both = { anyOf: [{ type: "string" }, { type: "null" }] };
    expect(
      schemaOf(get(parameter("query q", { schema: given, contentType: "application/json" }))),
    ).toMatchObject(both);
    expect(
      schemaOf(operation("POST /x", json({ type: "object", properties: { q: given } }))),
    ).toMatchObject(both);
  });
});

describe("names of inputs", () => {
  it.each([
    {
      why: "legal names stay",
      given: [parameter("query petId"), parameter("query owner_id")],
      want: ["petId", "owner_id"],
    },
    {
      why: "refused ones are rewritten",
      given: [
        parameter("query filter[x]"),
        parameter("query $top"),
        parameter("header X-Trace"),
        parameter("query user.name"),
      ],
      want: ["filter_x", "top", "x_trace", "user_name"],
    },
    {
      why: "clashes are called by their place",
      given: [parameter("query id"), parameter("path id"), parameter("header id")],
      want: ["id", "query_id", "header_id"],
    },
    {
      why: "a legal name beats a rewritten one",
      given: [parameter("query filter[x]"), parameter("query filter_x")],
      want: ["query_filter_x", "filter_x"],
    },
    {
      why: "again and again",
      given: [parameter("query a.b"), parameter("query a-b"), parameter("query a b")],
      want: ["a_b", "query_a_b", "query_a_b_2"],
    },
    { why: "other scripts", given: [parameter("query größe")], want: ["grosse"] },
  ])("$why", ({ given, want }) => {
    expect(inputNames(get(...given)).sort()).toEqual([...want].sort());
  });

  it("have letters where there are none", () => {
    for (const name of ["宠物", "[]", "__proto__", "a".repeat(300), "😀"]) {
      const [input] = inputNames(get(parameter(`query ${name}`)));
      expect(input).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
      expect(input).not.toBe("__proto__");
    }
  });

  it("keep the wire's name in the binding", () => {
    const { tool } = planned(
      operation("POST /pets/{id}", {
        parameters: [parameter("path id"), parameter("query filter[x]")],
        ...json({ type: "object", properties: { id: { type: "string" }, __proto__x: {} } }),
      }),
    );
    expect(send(tool)).toMatchObject({
      pathParams: { id: "id" },
      query: { "filter[x]": "filter_x" },
      body: { fields: { id: "body_id", __proto__x: "__proto__x" } },
    });
  });

  it("put what is required first", () => {
    const names = inputNames(
      operation("POST /p/{id}", {
        parameters: [parameter("query a"), parameter("path id")],
        ...json({ type: "object", required: ["c"], properties: { b: {}, c: {} } }),
      }),
    );
    expect(names).toEqual(["id", "c", "a", "b"]);
  });
});

describe("what is no input", () => {
  const key = { securitySchemes: { k: { kind: "apiKey", in: "query", name: "api_key" } } } as const;

  it.each(["Accept", "Content-Type", "User-Agent", "Authorization", "Cookie", "Host"])(
    "the header %s",
    (name) => {
      const { tool, plan } = planned(get(parameter(`header ${name}`), parameter("query q")));
      expect(tool.inputs.map((input) => input.name)).toEqual(["q"]);
      expect(send(tool).headers).toBeUndefined();
      expect(codesOf(plan)).toEqual(["plan-parameter-hidden"]);
    },
  );

  it("a credential, by the name of its scheme", () => {
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

  it("a credential that the operation does not ask for is sent from the environment", () => {
    const asking = operation("GET /other", { security: [{ k: [] }] });
    const made = plan(
      api([{ ...get(parameter("query api_key", { required: true })), security: [] }, asking], key),
    );
    expect(made.tools[0]!.inputs).toEqual([]);
    expect(send(made.tools[0]!).query).toEqual({
      api_key: { env: "CLINIC_API_KEY", required: true },
    });
  });

  describe("the access token as a parameter", () => {
    const bearer = { securitySchemes: { b: { kind: "http", scheme: "bearer" } } } as const;
    const token = (place: string, description: string) =>
      parameter(`${place} token`, { description });
    it.each([
      {
        why: "is sent in a header from the environment",
        of: token("header", "Authentication token. Requires scope: chat:write"),
        security: [{ b: [] }],
        want: [],
      },
      {
        why: "stays out of a URL",
        of: token("query", "Your API token."),
        security: [{ b: [] }],
        want: [],
      },
      {
        why: "stands in a URL where the document insists",
        of: { ...token("query", "Your API token."), required: true },
        security: [{ b: [] }],
        want: [],
      },
      {
        why: "is an input where the operation has no credentials",
        of: token("query", "Authentication token."),
        security: [],
        want: ["token"],
      },
      {
        why: "is an input when it is another token",
        of: token("query", "The token to revoke."),
        security: [{ b: [] }],
        want: ["token"],
      },
    ])("$why", ({ of, security, want }) => {
      const { tool } = planned({ ...get(of), security }, bearer);
      expect(tool.inputs.map((input) => input.name)).toEqual(want);
      const sent = { token: { env: "CLINIC_TOKEN" } };
      if (want.length === 0)
        expect([send(tool).headers, send(tool).query]).toEqual([
          of.in === "header" ? sent : undefined,
          of.in === "query" && of.required ? sent : undefined,
        ]);
    });
  });

  it.each([
    { why: "a required constant", schema: { const: "v1" }, want: { value: "v1" } },
    {
      why: "a required choice of one",
      schema: { type: "string", enum: ["v1"] },
      want: { value: "v1" },
    },
  ])("$why", ({ schema, want }) => {
    const { tool } = planned(
      get(parameter("query version", { required: true, schema: schema as JsonSchema })),
    );
    expect(tool.inputs).toEqual([]);
    expect(send(tool).query).toEqual({ version: want });
  });

  it("an optional choice of one is a question all the same", () => {
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

describe("settings", () => {
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
      why: "a key in a header that no scheme declares",
      of: parameter("header X-API-Key", { required: true }),
      wire: { "X-API-Key": { env: "CLINIC_API_KEY", required: true } },
      variable: ["CLINIC_API_KEY", true, true],
    },
    {
      why: "one that may be left out",
      of: parameter("header xi-api-key"),
      wire: { "xi-api-key": { env: "CLINIC_XI_API_KEY" } },
      variable: ["CLINIC_XI_API_KEY", false, true],
    },
    {
      why: "one's own key in a URL",
      of: { ...key, description: "Your API key" },
      wire: { api_key: { env: "CLINIC_API_KEY" } },
      variable: ["CLINIC_API_KEY", false, true],
    },
    {
      why: "a key that is spoken of",
      of: { ...key, description: "Key to revoke" },
      wire: { api_key: "api_key" },
      variable: undefined,
    },
    {
      why: "a number is no key",
      of: parameter("header X-API-Key", { schema: { type: "integer" } }),
      wire: { "X-API-Key": "x_api_key" },
      variable: undefined,
    },
    {
      why: "the language of answers is a choice",
      of: parameter("header Accept-Language"),
      wire: { "Accept-Language": "accept_language" },
      variable: undefined,
    },
  ])("$why", ({ of, wire, variable }) => {
    const { wires, variables } = sent(get(of), ...other);
    expect(wires[0]).toEqual(wire);
    expect(variables).toEqual(variable === undefined ? [] : [variable]);
  });

  it("are one variable for all operations, and every third with a key in its URL is enough", () => {
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
  it("make required inputs optional, and are sent", () => {
    const { tool } = planned(
      get(parameter("query limit", { required: true, schema: { type: "integer", default: 20 } })),
    );
    expect(tool.inputs[0]!.required).toBe(false);
    expect(tool.definition.inputSchema.required).toBeUndefined();
    expect(send(tool).query).toEqual({ limit: { from: "limit", default: 20 } });
  });

  it.each([
    { at: "GET /users/{id}", want: "ID of the user." },
    { at: "GET /v1/{id}", want: "ID." },
    { at: "GET /a/{x}{id}", want: "ID." },
    { at: "GET /users/{user_id}", want: "User ID." },
    { at: "GET /bank-accounts/{number}/x", want: "Number of the bank account." },
    { at: "GET /accounts/{account}", want: "Identifies the account." },
    { at: "GET /actions/{idAction}", want: "ID of the action." },
    { at: "GET /actions/{field}", want: "Field." },
  ])("of a path that nobody describes: $at", ({ at, want }) => {
    expect(planned(operation(at)).tool.inputs.at(-1)?.description).toBe(want);
  });

  const text = (description: string, rest = {}): Partial<Parameter> => ({ description, ...rest });
  it.each([
    { at: "header X-Amz-Signature", given: {}, want: undefined },
    { at: "header X-Amz-Signature", given: { required: true }, want: "input" },
    { at: "header X-Amz-Meta", given: {}, want: "input" },
    { at: "query callback", given: text("JSONP"), want: undefined },
    { at: "query callback", given: text("Where to send the result."), want: "input" },
    {
      at: "query prettyPrint",
      given: text("Returns response with indentations and line breaks."),
      want: undefined,
    },
    {
      at: "query pretty",
      given: text("How pretty the cats are to be, from 1 to 5."),
      want: "input",
    },
    { at: "query key", given: text("API key. Identifies your project."), want: undefined },
    { at: "query key", given: text("Key of the setting."), want: "input" },
    {
      at: "query oauth_token",
      given: text("OAuth 2.0 token for the current user."),
      want: undefined,
    },
    { at: "query api-version", given: { required: true }, want: "2026-01-31" },
    {
      at: "query api-version",
      given: { required: true, schema: { type: "string", enum: ["a", "b"] } },
      want: "input",
    },
    { at: "query api-version", given: {}, want: "input" },
    {
      at: "query api-version",
      given: { schema: { type: "string", default: "1.0" } },
      want: "input",
    },
    {
      at: "query api-version",
      given: { required: true, schema: { type: "string", default: "1.0" } },
      want: "input",
    },
    { at: "header X-Request-Id", given: {}, want: "input" },
    { at: "header traceparent", given: { required: true }, want: "input" },
    { at: "query request_id", given: {}, want: "input" },
    {
      at: "query $.xgafv",
      given: text("V1 error format.", { schema: { type: "string", enum: ["1", "2"] } }),
      want: undefined,
    },
    {
      at: "query uploadType",
      given: text('Legacy upload protocol for media (e.g. "media", "multipart").'),
      want: undefined,
    },
    { at: "query uploadType", given: text("What is uploaded."), want: "input" },
    {
      at: "query quotaUser",
      given: text("Available to use for quota purposes for server-side applications."),
      want: undefined,
    },
    {
      at: "query userIp",
      given: text("Deprecated. Please use quotaUser instead."),
      want: undefined,
    },
    {
      at: "query alt",
      given: text("Data format for response.", { schema: { enum: ["json", "media", "proto"] } }),
      want: undefined,
    },
    { at: "query alt", given: text("Altitude in meters."), want: "input" },
    {
      at: "query output",
      given: text("Form of the answer", { schema: { enum: ["JSONP", "JSON", "XML"] } }),
      want: "JSON",
    },
    {
      at: "query format",
      given: text("output format: json, jsonp, xml.", {
        schema: { type: "string", default: "json" },
      }),
      want: undefined,
    },
    {
      at: "query format",
      given: text("Format", { schema: { enum: ["json", "csv"] } }),
      want: "input",
    },
    {
      at: "query format",
      given: text("Format", { schema: { enum: ["xml", "yaml"] } }),
      want: "input",
    },
    { at: "query format", given: text("Format of the photo: square, wide"), want: "input" },
  ])("of the protocol are no inputs: $at, $given", ({ at, given, want }) => {
    const schemes = { bearer: { kind: "http", scheme: "bearer" } } as const;
    const { tool } = planned(
      operation("GET /x", { parameters: [parameter(at, given)], security: [{ bearer: [] }] }),
      { version: "2026-01-31", securitySchemes: schemes },
    );
    const wire = Object.values({ ...send(tool).query, ...send(tool).headers })[0];
    expect(
      wire === undefined
        ? undefined
        : typeof wire === "object" && "value" in wire
          ? wire.value
          : "input",
    ).toBe(want);
  });

  it("in a path: the serialization", () => {
    const { tool } = planned(
      operation("GET /{format}/teams", {
        parameters: [parameter("path format", { schema: { enum: ["XML", "JSON"] } })],
      }),
    );
    expect(send(tool).pathParams).toEqual({ format: { value: "JSON" } });
  });

  it("of optional inputs are documented, not sent", () => {
    const { tool } = planned(
      get(parameter("query limit", { schema: { type: "integer", default: 20 } })),
    );
    expect(send(tool).query).toEqual({ limit: "limit" });
    expect(inputsOf(tool).limit).toEqual({
      type: "integer",
      default: 20,
      description: "Most items to return. Default: 20.",
    });
  });

  it("that are wrong do not count", () => {
    const { tool } = planned(
      get(parameter("query n", { required: true, schema: { type: "number", default: "1;x()" } })),
    );
    expect(tool.inputs[0]!.required).toBe(true);
    expect(send(tool).query).toEqual({ n: "n" });
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

  it("has a file's name beside the file", () => {
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
        "File. File content as base64, or file:NAME if this server has a folder of files (other text is sent as it is).",
    });
    expect(send(tool).body).toEqual({
      contentType: "multipart/form-data",
      required: true,
      fields: { file: "file", note: "note" },
      encoding: { file: { file: true, filenameInput: "file_filename" } },
    });
  });
});
