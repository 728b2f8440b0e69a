import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Content, Operation, Parameter } from "../../../src/model/types.js";
import { codesOf, content, json, ok, operation, parameter, planned, send } from "../fixtures.js";

const bodyOf = (only: Operation, schemas = {}) => send(planned(only, { schemas }).tool).body;
const post = (contents: readonly Content[], required = true): Operation =>
  operation("POST /x", { body: { required, contents } });

describe("parameters", () => {
  const list = { schema: { type: "array", items: { type: "string" } } };
  it.each([
    { given: parameter("query q"), want: { query: { q: "q" } } },
    { given: parameter("query q", list), want: { query: { q: "q" } } },
    {
      given: parameter("query q", { ...list, explode: false }),
      want: { query: { q: { from: "q", explode: false } } },
    },
    { given: parameter("query q", { explode: false }), want: { query: { q: "q" } } },
    {
      given: parameter("query q", { ...list, style: "pipeDelimited", explode: false }),
      want: { query: { q: { from: "q", style: "pipeDelimited" } } },
    },
    {
      given: parameter("query q", { schema: { type: "object" }, style: "deepObject" }),
      want: { query: { q: { from: "q", style: "deepObject" } } },
    },
    {
      given: parameter("query q", {
        schema: { $ref: "#/$defs/X" },
        style: "deepObject",
        explode: true,
      }),
      want: { query: { q: { from: "q", style: "deepObject" } } },
    },
    {
      given: parameter("query q", { allowReserved: true }),
      want: { query: { q: { from: "q", allowReserved: true } } },
    },
    {
      given: parameter("query q", { schema: { type: "object" }, contentType: "application/json" }),
      want: { query: { q: { from: "q", contentType: "application/json" } } },
    },
    {
      given: parameter("path id", { style: "matrix" }),
      want: { pathParams: { id: { from: "id", style: "matrix" } } },
    },
    {
      given: parameter("path id", { ...list, style: "label", explode: true }),
      want: { pathParams: { id: { from: "id", style: "label", explode: true } } },
    },
    { given: parameter("header X-A"), want: { headers: { "X-A": "x_a" } } },
    { given: parameter("cookie sid"), want: { cookies: { sid: "sid" } } },
    {
      given: parameter("querystring q", { contentType: "application/x-www-form-urlencoded" }),
      want: { querystring: { from: "q", contentType: "application/x-www-form-urlencoded" } },
    },
  ])("$given.in $given.style $want", ({ given, want }: { given: Parameter; want: object }) => {
    expect(send(planned(operation("GET /x", { parameters: [given] })).tool)).toEqual({
      method: "GET",
      path: "/x",
      ...want,
    });
  });

  it("of the path itself are constants", () => {
    expect(
      send(
        planned(
          operation("GET /x", {
            fixedQuery: [
              ["action", "y"],
              ["a", "1"],
              ["a", "2"],
            ],
          }),
        ).tool,
      ).query,
    ).toEqual({ action: { value: "y" }, a: { value: ["1", "2"] } });
  });
});

it.each([
  { at: "GET /deletePad", id: "deletePadUsingGET", want: true },
  { at: "GET /pads", id: "listPads", want: undefined },
  { at: "POST /pads", id: "createPad", want: undefined },
])("a safe method that changes something is marked: $at", ({ at, id, want }) => {
  expect(send(planned(operation(at, { operationId: id })).tool).unsafe).toBe(want);
});

describe("the media type of a body", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const form = {
    type: "object",
    required: ["f"],
    properties: { f: { type: "string", format: "binary" } },
  };
  it.each([
    { given: ["application/xml", "application/json"], want: "application/json" },
    {
      given: ["multipart/form-data", "application/x-www-form-urlencoded"],
      want: "application/x-www-form-urlencoded",
    },
    { given: ["text/plain", "application/vnd.api+json"], want: "application/vnd.api+json" },
    {
      given: ["application/merge-patch+json", "application/vnd.api+json"],
      want: "application/vnd.api+json",
    },
    {
      given: ["application/octet-stream", "text/plain", "application/xml"],
      want: "application/xml",
    },
    { given: ["image/png", "text/plain"], want: "text/plain" },
  ])("$given: $want", ({ given, want }) => {
    const { tool, plan } = planned(post(given.map((type) => content(schema, type))));
    expect(send(tool).body?.contentType).toBe(want);
    expect(codesOf(plan)).toEqual(["plan-body-equivalent"]);
  });

  it("is multipart where only it carries a file", () => {
    expect(bodyOf(post([content(schema), content(form, "multipart/form-data")]))?.contentType).toBe(
      "multipart/form-data",
    );
    expect(
      bodyOf(post([content(schema), content({ ...form, required: [] }, "multipart/form-data")]))
        ?.contentType,
    ).toBe("application/json");
  });

  it("that is left out is a warning when it says something else", () => {
    expect(
      codesOf(planned(post([content(schema), content({ type: "string" }, "text/plain")])).plan),
    ).toEqual(["plan-body-alternative"]);
  });
});

describe("bodies of fields, or in one", () => {
  it.each([
    {
      why: "an object",
      schema: { type: "object", properties: { a: {}, b: {} } },
      want: { fields: { a: "a", b: "b" } },
    },
    { why: "a named object", schema: { $ref: "#/$defs/Pet" }, want: { fields: { name: "name" } } },
    {
      why: "an object or null",
      schema: { anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] },
      want: { fields: { name: "name" } },
    },
    {
      why: "allOf of objects",
      schema: { allOf: [{ $ref: "#/$defs/Pet" }, { type: "object", properties: { age: {} } }] },
      want: { fields: { name: "name", age: "age" } },
    },
    { why: "a list", schema: { type: "array", items: {} }, want: { from: "body" } },
    { why: "a scalar", schema: { type: "string" }, want: { from: "body" } },
    {
      why: "alternatives",
      schema: { oneOf: [{ $ref: "#/$defs/Pet" }, { type: "object", properties: { b: {} } }] },
      want: { from: "body" },
    },
    {
      why: "a map",
      schema: { type: "object", additionalProperties: { type: "string" } },
      want: { from: "body" },
    },
    {
      why: "an open object",
      schema: { type: "object", properties: { a: {} }, additionalProperties: true },
      want: { from: "body" },
    },
    { why: "no properties", schema: { type: "object" }, want: { from: "body" } },
    {
      why: "an object that says what else it may hold",
      schema: { type: "object", properties: { a: {} }, unevaluatedProperties: { type: "string" } },
      want: { from: "body" },
    },
    {
      why: "fields that a condition brings along",
      schema: {
        type: "object",
        properties: { a: {} },
        if: { required: ["a"] },
        then: { properties: { a: { const: 1 }, b: {} } },
        dependentSchemas: { a: { properties: { c: {} } } },
      },
      want: { fields: { a: "a", b: "b", c: "c" } },
    },
    { why: "recursion", schema: { $ref: "#/$defs/Loop" }, want: { from: "body" } },
  ])("$why", ({ schema, want }) => {
    const schemas = {
      Pet: { type: "object", properties: { name: { type: "string" } } },
      Loop: { allOf: [{ $ref: "#/$defs/Loop" }] },
    };
    expect(bodyOf(operation("POST /x", json(schema as JsonSchema)), schemas)).toEqual({
      contentType: "application/json",
      required: true,
      ...want,
    });
  });

  it.each([
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { if: { required: ["a"] }, then: { required: ["b"] } },
    { dependentRequired: { a: ["b"] } },
    { dependentSchemas: { a: { required: ["b"] } } },
  ])("says that it does not check which fields go together: %j", (more) => {
    const { tool, plan } = planned(
      operation("POST /x", json({ type: "object", properties: { a: {}, b: {} }, ...more })),
    );
    expect(send(tool).body?.fields).toEqual({ a: "a", b: "b" });
    expect(codesOf(plan)).toEqual(["plan-schema-keyword"]);
  });

  it("says what the media types say", () => {
    const typed = {
      ...content({ type: "string" }, "text/csv"),
      contentTypeHeader: "text/csv; header=present",
    };
    const { tool } = planned(
      operation("POST /x", {
        body: { required: true, contents: [typed] },
        responses: [{ status: "200", contents: [typed], headers: [] }],
      }),
    );
    expect([send(tool).body?.contentType, send(tool).accept]).toEqual([
      "text/csv; header=present",
      ["text/csv; header=present"],
    ]);
  });

  it("takes a body with required fields for required where bodies are the point", () => {
    const schema = {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, kind: { const: "x" } },
    };
    const tool = planned(post([content(schema)], false)).tool;
    expect(tool.inputs.find((input) => input.name === "a")!.required).toBe(true);
    const loose = planned(
      operation("DELETE /x", { body: { required: false, contents: [content(schema)] } }),
    ).tool;
    expect(loose.inputs.map((input) => input.required)).toEqual([false, false]);
    expect(send(loose).body).toEqual({
      contentType: "application/json",
      fields: { a: "a", kind: "kind" },
    });
  });

  it("leaves the body of a GET out, and says so", () => {
    const { tool, plan } = planned(
      operation("GET /x", json({ type: "object", properties: { a: {} } })),
    );
    expect(send(tool).body).toBeUndefined();
    expect(tool.inputs).toEqual([]);
    expect(codesOf(plan)).toEqual(["plan-body-omitted"]);
  });

  it("sends bytes from one input", () => {
    const { tool } = planned(
      post([content({ type: "string", format: "binary" }, "application/octet-stream")]),
    );
    expect(send(tool).body).toEqual({
      contentType: "application/octet-stream",
      required: true,
      from: "body",
    });
    expect(tool.inputs[0]!.description).toContain("base64");
  });
});

describe("forms", () => {
  it("keep the encodings of their fields", () => {
    const schema = {
      type: "object",
      properties: { address: { type: "object" }, meta: { type: "object" } },
    };
    const body = bodyOf(
      post([
        content(schema, "application/x-www-form-urlencoded", {
          encoding: {
            address: { style: "deepObject", explode: true },
            meta: { contentType: "application/json" },
          },
        }),
      ]),
    );
    expect(body?.encoding).toEqual({
      address: { style: "deepObject", explode: true },
      meta: { contentType: "application/json" },
    });
  });

  it.each([
    { why: "3.0", schema: { type: "string", format: "binary" }, file: true },
    { why: "3.1", schema: { type: "string", contentMediaType: "image/png" }, file: true },
    { why: "3.1, nothing but an encoding", schema: {}, encoding: "image/png", file: true },
    {
      why: "a list of files",
      schema: { type: "array", items: { type: "string", format: "binary" } },
      file: true,
    },
    {
      why: "base64 text",
      schema: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" },
      file: undefined,
    },
    { why: "text", schema: { type: "string" }, file: undefined },
    { why: "JSON", schema: { type: "object" }, encoding: "application/json", file: undefined },
  ])("files: $why", ({ schema, encoding, file }) => {
    const body = bodyOf(
      post([
        content(
          { type: "object", properties: { f: schema as JsonSchema } },
          "multipart/form-data",
          encoding ? { encoding: { f: { contentType: encoding } } } : {},
        ),
      ]),
    );
    expect(body?.encoding?.f?.file).toBe(file);
  });
});

describe("XML", () => {
  it("carries names, attributes and wrappers", () => {
    const schemas = {
      Pet: {
        type: "object",
        xml: { name: "pet", namespace: "urn:p", prefix: "p" },
        properties: {
          id: { type: "string", xml: { attribute: true } },
          name: { type: "string" },
          tags: {
            type: "array",
            xml: { wrapped: true },
            items: { type: "string", xml: { name: "tag" } },
          },
        },
      },
    };
    expect(
      bodyOf(post([content({ $ref: "#/$defs/Pet" }, "application/xml")]), schemas)?.xml,
    ).toEqual({
      name: "pet",
      namespace: "urn:p",
      prefix: "p",
      properties: { id: { attribute: true }, tags: { wrapped: true, items: { name: "tag" } } },
    });
  });

  it("names the root by its schema", () => {
    const anyPet = { anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] };
    expect(
      bodyOf(post([content({ type: "object", properties: { pet: anyPet } }, "application/xml")]), {
        Pet: { type: "object", xml: { name: "pet" } },
      })?.xml?.properties?.["pet"]?.name,
    ).toBe("pet");
    expect(
      bodyOf(
        post([content({ type: "array", items: { $ref: "#/$defs/Plain" } }, "application/xml")]),
        { Plain: { type: "object" } },
      )?.xml,
    ).toEqual({ items: { name: "Plain" } });
    expect(
      bodyOf(post([content({ $ref: "#/$defs/Pet" }, "text/xml")]), {
        Pet: { type: "object", properties: { a: {} } },
      })?.xml,
    ).toEqual({ name: "Pet" });
  });

  it("ends at recursion", () => {
    const schemas = {
      Node: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 10 }, (_, i) => [`p${i}`, { $ref: "#/$defs/Node" }]),
        ),
        xml: { name: "node" },
      },
    };
    expect(
      bodyOf(post([content({ $ref: "#/$defs/Node" }, "application/xml")]), schemas)?.xml?.name,
    ).toBe("node");
  });
});

describe("what may come back", () => {
  it("is asked for, JSON first", () => {
    const only = operation("GET /x", {
      responses: [
        {
          status: "200",
          contents: [content(undefined, "text/csv"), content({}, "application/json")],
          headers: [],
        },
      ],
    });
    expect(send(planned(only).tool).accept).toEqual(["application/json", "text/csv"]);
    expect(
      send(planned(operation("GET /x", { responses: [ok(undefined, "204")] })).tool).accept,
    ).toBeUndefined();
  });

  it.each([
    ["application/json", ["application/json", "*/*"]],
    ["text/plain", ["text/plain", "*/*"]],
    ["application/octet-stream", ["*/*"]],
  ])("may be what a range leaves open besides %s", (mediaType, want) => {
    const open = { ...content({}, mediaType), mediaRange: "*/*" };
    expect(
      send(
        planned(
          operation("GET /x", { responses: [{ status: "200", contents: [open], headers: [] }] }),
        ).tool,
      ).accept,
    ).toEqual(want);
  });
});

describe("how many fields a body must have", () => {
  const fields = { name: { type: "string" }, email: { type: "string" } };
  it.each<{ readonly schema: JsonSchema; readonly want: object; readonly says?: string }>([
    {
      schema: { type: "object", properties: fields, minProperties: 1 },
      want: { least: 1 },
      says: "Needs at least 1 of name, email.",
    },
    {
      schema: {
        allOf: [
          { type: "object", properties: fields },
          { type: "object", properties: {}, minProperties: 1 },
        ],
      },
      want: { least: 1 },
      says: "Needs at least 1 of name, email.",
    },
    {
      schema: { type: "object", properties: fields, required: ["name"], minProperties: 1 },
      want: {},
    },
    { schema: { type: "object", properties: fields, maxProperties: 1 }, want: { most: 1 } },
    { schema: { type: "object", properties: fields, maxProperties: 5 }, want: {} },
  ])("$schema", ({ schema, want, says = "" }) => {
    const { tool } = planned(operation("PATCH /x", json(schema)));
    const { minProperties, maxProperties } = send(tool).body ?? {};
    expect({
      ...(minProperties !== undefined && { least: minProperties }),
      ...(maxProperties !== undefined && { most: maxProperties }),
    }).toEqual(want);
    expect(tool.definition.description).toContain(says);
  });
});

describe("files", () => {
  const file = { type: "string", format: "binary", description: "The picture." } as const;
  const multipart = (schema: JsonSchema) => post([content(schema, "multipart/form-data")]);
  const schemas = {
    ByFile: { type: "object", properties: { picture: file, title: { type: "string" } } },
    ByUrl: { type: "object", properties: { url: { type: "string" } } },
  };

  it("in one of several alternatives are files", () => {
    const only = multipart({ oneOf: [{ $ref: "#/$defs/ByFile" }, { $ref: "#/$defs/ByUrl" }] });
    expect(bodyOf(only, schemas)).toMatchObject({
      from: "body",
      encoding: { picture: { file: true } },
    });
    const { tool } = planned(only, { schemas });
    expect(JSON.stringify(tool.definition.inputSchema)).toContain(
      '"picture":{"type":"string","contentEncoding":"base64","description":"The picture. File content as base64."}',
    );
  });

  it("without files keep the name of their schema", () => {
    expect(
      bodyOf(
        multipart({
          oneOf: [
            { $ref: "#/$defs/ByUrl" },
            { type: "object", properties: { a: { type: "string" } } },
          ],
        }),
        schemas,
      ),
    ).toEqual({ contentType: "multipart/form-data", required: true, from: "body" });
  });

  it("of several media types are one input", () => {
    const binary = ["image/png", "image/jpeg", "text/plain"].map((type) =>
      content({ type: "string", format: "binary" }, type),
    );
    expect(bodyOf(post(binary.slice(0, 2)))).toEqual({
      contentType: "image/png",
      alternativeTypes: ["image/jpeg"],
      required: true,
      from: "body",
    });
    expect(codesOf(planned(post(binary.slice(0, 2))).plan)).not.toContain("plan-body-equivalent");
  });
});
