import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Content, Operation, Parameter } from "../../../src/model/types.js";
import {
  codesOf,
  content,
  inputsOf,
  json,
  ok,
  operation,
  parameter,
  planned,
  send,
} from "../fixtures.js";

const bodyOf = (only: Operation, schemas = {}) => send(planned(only, { schemas }).tool).body;
const post = (contents: readonly Content[], required = true): Operation =>
  operation("POST /x", { body: { required, contents } });

describe("parameters", () => {
  const list = { schema: { type: "array", items: { type: "string" } } };
  it.each([
    { sample: parameter("query q"), expected: { query: { q: "q" } } },
    { sample: parameter("query q", list), expected: { query: { q: "q" } } },
    {
      sample: parameter("query q", { ...list, explode: false }),
      expected: { query: { q: { from: "q", explode: false } } },
    },
    { sample: parameter("query q", { explode: false }), expected: { query: { q: "q" } } },
    {
      sample: parameter("query q", { ...list, style: "pipeDelimited", explode: false }),
      expected: { query: { q: { from: "q", style: "pipeDelimited" } } },
    },
    {
      sample: parameter("query q", { schema: { type: "object" }, style: "deepObject" }),
      expected: { query: { q: { from: "q", style: "deepObject" } } },
    },
    {
      sample: parameter("query q", {
        schema: { $ref: "#/$defs/X" },
        style: "deepObject",
        explode: true,
      }),
      expected: { query: { q: { from: "q", style: "deepObject" } } },
    },
    {
      sample: parameter("query q", { allowReserved: true }),
      expected: { query: { q: { from: "q", allowReserved: true } } },
    },
    {
      sample: parameter("query q", { schema: { type: "object" }, contentType: "application/json" }),
      expected: { query: { q: { from: "q", contentType: "application/json" } } },
    },
    {
      sample: parameter("path id", { style: "matrix" }),
      expected: { pathParams: { id: { from: "id", style: "matrix" } } },
    },
    {
      sample: parameter("path id", { ...list, style: "label", explode: true }),
      expected: { pathParams: { id: { from: "id", style: "label", explode: true } } },
    },
    { sample: parameter("header X-A"), expected: { headers: { "X-A": "x_a" } } },
    { sample: parameter("cookie sid"), expected: { cookies: { sid: "sid" } } },
    {
      sample: parameter("querystring q", { contentType: "application/x-www-form-urlencoded" }),
      expected: { querystring: { from: "q", contentType: "application/x-www-form-urlencoded" } },
    },
  ])(
    "$sample.in $sample.style $expected",
    ({ sample, expected }: { sample: Parameter; expected: object }) => {
      expect(send(planned(operation("GET /x", { parameters: [sample] })).tool)).toEqual({
        method: "GET",
        path: "/x",
        ...expected,
      });
    },
  );

  it("in the path itself are constants", () => {
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
  { at: "GET /deletePad", id: "deletePadUsingGET", expected: true },
  { at: "GET /pads", id: "listPads", expected: undefined },
  { at: "POST /pads", id: "createPad", expected: undefined },
  { at: "PUT /bridges/{id}/restart", id: "restartBridge", expected: true },
  { at: "PUT /bridges/{id}", id: "updateBridge", expected: undefined },
  { at: "DELETE /bridges/{id}", id: "deleteBridge", expected: undefined },
])("marks requests that must not be repeated: $at", ({ at, id, expected }) => {
  expect(send(planned(operation(at, { operationId: id })).tool).unsafe).toBe(expected);
});

describe("the media type of a body", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const form = {
    type: "object",
    required: ["f"],
    properties: { f: { type: "string", format: "binary" } },
  };
  it.each([
    { sample: ["application/xml", "application/json"], expected: "application/json" },
    {
      sample: ["multipart/form-data", "application/x-www-form-urlencoded"],
      expected: "application/x-www-form-urlencoded",
    },
    { sample: ["text/plain", "application/vnd.api+json"], expected: "application/vnd.api+json" },
    {
      sample: ["application/merge-patch+json", "application/vnd.api+json"],
      expected: "application/vnd.api+json",
    },
    {
      sample: ["application/octet-stream", "text/plain", "application/xml"],
      expected: "application/xml",
    },
    { sample: ["image/png", "text/plain"], expected: "text/plain" },
  ])("$sample: $expected", ({ sample, expected }) => {
    const { tool, plan } = planned(post(sample.map((type) => content(schema, type))));
    expect(send(tool).body?.contentType).toBe(expected);
    expect(codesOf(plan)).toEqual(["plan-body-equivalent"]);
  });

  const optionalFile = { ...form, required: [] };
  it.each([
    { at: "POST /x", json: schema, multipart: form, expected: "application/json a,f" },
    { at: "POST /x/files", json: schema, multipart: form, expected: "multipart/form-data f" },
    { at: "POST /f", json: schema, multipart: form, expected: "multipart/form-data f" },
    { at: "POST /x", json: form, multipart: form, expected: "multipart/form-data f" },
    {
      at: "POST /x/import",
      json: schema,
      multipart: optionalFile,
      expected: "application/json a,f",
    },
    {
      at: "POST /x",
      json: schema,
      multipart: {
        ...form,
        required: ["kind"],
        properties: { ...form.properties, kind: { type: "string" } },
      },
      expected: "application/json a",
    },
    {
      at: "POST /upload",
      json: optionalFile,
      multipart: optionalFile,
      expected: "multipart/form-data f",
    },
    { at: "POST /x", json: optionalFile, multipart: optionalFile, expected: "application/json f" },
    {
      at: "POST /files",
      json: schema,
      multipart: form,
      type: "multipart/data",
      expected: "application/json a",
    },
  ])("$at with or without a file: $expected", ({ at, json, multipart, type, expected }) => {
    const contents = [content(json), content(multipart, type ?? "multipart/form-data")];
    const { tool } = planned(operation(at, { body: { required: true, contents } }));
    const { contentType, fields = {}, fileType } = send(tool).body ?? {};
    expect(`${contentType} ${Object.keys(fields).join()}`).toBe(expected);
    const isJsonWithFile = /json.*f$/u.test(expected);
    expect(fileType).toBe(isJsonWithFile ? "multipart/form-data" : undefined);
    const isRequired = tool.inputs.filter(({ required }) => required).map(({ name }) => name);
    const takesFileOnly = expected.endsWith("f") && !isJsonWithFile && multipart === form;
    expect(isRequired).toEqual(takesFileOnly ? ["f"] : []);
  });

  it.each([
    { type: "multipart/*", body: form, expected: "multipart/form-data f" },
    { type: "multipart/data", body: form, expected: "multipart/form-data f" },
    { type: "multipart/*", body: { type: "array" }, expected: "multipart/form-data " },
    { type: "multipart/data", body: { type: "array" }, expected: "multipart/data " },
    { type: "multipart/related", body: form, expected: "multipart/related f" },
  ])("$type alone: $expected", ({ type, body, expected }) => {
    const { tool, plan } = planned(post([content(body, type)]));
    const { contentType, fields = {} } = send(tool).body ?? {};
    expect(`${contentType} ${Object.keys(fields).join()}`).toBe(expected);
    const isReported = expected.startsWith("multipart/form-data");
    expect(codesOf(plan)).toEqual(isReported ? ["plan-multipart-type"] : []);
  });

  it("warns about unused media types with another schema", () => {
    expect(
      codesOf(planned(post([content(schema), content({ type: "string" }, "text/plain")])).plan),
    ).toEqual(["plan-body-alternative"]);
  });
});

describe("bodies as fields or as one input", () => {
  it.each([
    {
      reason: "an object",
      schema: { type: "object", properties: { a: {}, b: {} } },
      expected: { fields: { a: "a", b: "b" }, isOpen: true },
    },
    {
      reason: "a named object",
      schema: { $ref: "#/$defs/Pet" },
      expected: { fields: { name: "name" }, isOpen: true },
    },
    {
      reason: "an object or null",
      schema: { anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] },
      expected: { fields: { name: "name" }, isOpen: true },
    },
    {
      reason: "allOf of objects",
      schema: { allOf: [{ $ref: "#/$defs/Pet" }, { type: "object", properties: { age: {} } }] },
      expected: { fields: { name: "name", age: "age" }, isOpen: true },
    },
    {
      reason: "a closed object",
      schema: { type: "object", properties: { a: {} }, additionalProperties: false },
      expected: { fields: { a: "a" } },
    },
    {
      reason: "an object with a closed part",
      schema: {
        allOf: [{ $ref: "#/$defs/Pet" }, { properties: { a: {} } }],
        unevaluatedProperties: false,
      },
      expected: { fields: { name: "name", a: "a" } },
    },
    { reason: "a list", schema: { type: "array", items: {} }, expected: { from: "body" } },
    { reason: "a scalar", schema: { type: "string" }, expected: { from: "body" } },
    {
      reason: "alternatives",
      schema: { oneOf: [{ $ref: "#/$defs/Pet" }, { type: "object", properties: { b: {} } }] },
      expected: { from: "body" },
    },
    {
      reason: "a map",
      schema: { type: "object", additionalProperties: { type: "string" } },
      expected: { from: "body" },
    },
    {
      reason: "an open object",
      schema: { type: "object", properties: { a: {} }, additionalProperties: true },
      expected: { from: "body" },
    },
    {
      reason: "no properties",
      schema: { type: "object" },
      expected: { from: "body", emptyByDefault: true },
    },
    {
      reason: "an object that says what else it may hold",
      schema: { type: "object", properties: { a: {} }, unevaluatedProperties: { type: "string" } },
      expected: { from: "body" },
    },
    {
      reason: "fields that a condition brings along",
      schema: {
        type: "object",
        properties: { a: {} },
        if: { required: ["a"] },
        then: { properties: { a: { const: 1 }, b: {} } },
        dependentSchemas: { a: { properties: { c: {} } } },
      },
      expected: { fields: { a: "a", b: "b", c: "c" }, isOpen: true },
    },
    { reason: "recursion", schema: { $ref: "#/$defs/Loop" }, expected: { from: "body" } },
  ])("$reason", ({ schema, expected }) => {
    const schemas = {
      Pet: { type: "object", properties: { name: { type: "string" } } },
      Loop: { allOf: [{ $ref: "#/$defs/Loop" }] },
    };
    expect(bodyOf(operation("POST /x", json(schema as JsonSchema)), schemas)).toEqual({
      contentType: "application/json",
      required: true,
      ...expected,
    });
  });

  it.each([
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { if: { required: ["a"] }, then: { required: ["b"] } },
    { dependentRequired: { a: ["b"] } },
    { dependentSchemas: { a: { required: ["b"] } } },
  ])("reports constraints between fields that are not enforced: %j", (more) => {
    const { tool, plan } = planned(
      operation(
        "POST /x",
        json({
          type: "object",
          properties: { a: { type: "string" }, b: { type: "string" } },
          ...more,
        }),
      ),
    );
    expect(send(tool).body?.fields).toEqual({ a: "a", b: "b" });
    expect(codesOf(plan)).toEqual(["plan-schema-keyword"]);
  });

  it("describes media types", () => {
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

  it("requires a body with required fields for POST, PUT and PATCH", () => {
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
      isOpen: true,
      fields: { a: "a", kind: "kind" },
    });
  });

  it("requires no field of a body that the document states to be optional", () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
    const body = { required: false, isStatedOptional: true as const, contents: [content(schema)] };
    const { tool } = planned(operation("POST /x", { body }));
    expect(tool.inputs.map(({ required }) => required)).toEqual([false]);
  });

  it("sends binary bodies from one input", () => {
    const { tool } = planned(
      post([content({ type: "string", format: "binary" }, "application/octet-stream")]),
    );
    expect(send(tool).body).toEqual({
      contentType: "application/octet-stream",
      required: true,
      from: "body",
    });
    expect(tool.inputs[0]!.description).toMatch(/^File content as base64/);
  });

  it.each([
    ["application/json", "Secret. Sent as JSON, in quotes."],
    ["text/plain", "Secret"],
  ])("says how a text is sent as %s", (type, want) => {
    const body = {
      required: true,
      description: "Secret",
      contents: [content({ type: "string" }, type)],
    };
    expect(planned(operation("POST /x", { body })).tool.inputs[0]!.description).toBe(want);
  });

  it("takes a body in a form of JSON as text, also of a media type of its own", () => {
    const type = "application/vendor-v2-json-patch";
    const { tool } = planned(post([content({ type: "string" }, type)]));
    expect(send(tool).body?.contentType).toBe(type);
    expect(tool.inputs[0]!.description).toBe(`Text to send, as ${type}.`);
  });

  it.each([
    { description: "tarfile of files to copy into the container", want: "application/x-tar" },
    { description: "The name of the archivist", want: "application/json" },
  ])("sends a text as $want: $description", ({ description, want }) => {
    const types = ["application/json", "application/x-tar"];
    const contents = types.map((type) => content({ type: "string" }, type));
    const body = { required: true, description, contents };
    expect(send(planned(operation("PUT /x", { body })).tool).body?.contentType).toBe(want);
  });
});

describe("examples of the whole body", () => {
  it.each([
    { reason: "a list", schema: { type: "array" }, example: [1, 2], want: [[1, 2]] },
    { reason: "an undescribed text", schema: { type: "string" }, example: "ring", want: ["ring"] },
    {
      reason: "a described text",
      schema: { type: "string", description: "For the driver." },
      example: "ring",
      want: undefined,
    },
    { reason: "a number", schema: { type: "integer" }, example: 3, want: undefined },
    { reason: "a large value", schema: {}, example: ["x".repeat(500)], want: undefined },
  ])("$reason keeps $want", ({ schema, example, want }) => {
    const object = { type: "object", properties: { field: schema as JsonSchema } };
    const body = {
      required: true,
      contents: [content(object, undefined, { examples: [{ field: example }] })],
    };
    const { tool } = planned(operation("POST /x", { body }));
    expect(inputsOf(tool)["field"]?.examples).toEqual(want);
  });

  it("keeps that of a body that is one input", () => {
    const body = {
      required: true,
      contents: [content({ type: "object" }, undefined, { examples: [{ by: ["day"] }] })],
    };
    const { tool } = planned(operation("POST /x", { body }));
    expect(inputsOf(tool)["body"]?.examples).toEqual([{ by: ["day"] }]);
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

  it("ignore the style of a file", () => {
    const file = { type: "string", format: "binary" };
    const schema = { type: "object", properties: { f: file } };
    const encoding = { f: { style: "form", explode: true, contentType: "image/png" } } as const;
    const body = bodyOf(post([content(schema, "multipart/form-data", { encoding })]));
    expect(body?.encoding).toMatchObject({ f: { file: true, contentType: "image/png" } });
    expect(body?.encoding?.f).not.toHaveProperty("style");
  });

  it.each([
    { reason: "3.0", schema: { type: "string", format: "binary" }, file: true },
    { reason: "3.1", schema: { type: "string", contentMediaType: "image/png" }, file: true },
    { reason: "3.1, nothing but an encoding", schema: {}, encoding: "image/png", file: true },
    {
      reason: "a list of files",
      schema: { type: "array", items: { type: "string", format: "binary" } },
      file: true,
    },
    {
      reason: "base64 text",
      schema: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" },
      file: undefined,
    },
    { reason: "text", schema: { type: "string" }, file: undefined },
    { reason: "JSON", schema: { type: "object" }, encoding: "application/json", file: undefined },
  ])("files: $reason", ({ schema, encoding, file }) => {
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

describe("the Accept header", () => {
  const JSON_TYPE = "application/json";
  it.each([
    ["JSON first", [["image/png", JSON_TYPE]], [JSON_TYPE, "image/png"]],
    ["events beside JSON", [[JSON_TYPE, "text/event-stream"]], [JSON_TYPE, "text/event-stream"]],
    ["no other form of JSON", [["application/x-yaml", "text/csv", JSON_TYPE]], [JSON_TYPE]],
    ["nor XML of a vendor", [["application/vnd.pet+xml", JSON_TYPE]], [JSON_TYPE]],
    ["forms without JSON", [["text/csv", "application/xml"]], ["text/csv", "application/xml"]],
    ["the only form of a status", [[JSON_TYPE], ["text/plain"]], [JSON_TYPE, "text/plain"]],
  ])("has %s", (_, types, want) => {
    const responses = types.map((mediaTypes, i) => ({
      status: String(200 + i),
      contents: mediaTypes.map((mediaType) => content({}, mediaType)),
      headers: [],
    }));
    expect(send(planned(operation("GET /x", { responses })).tool).accept).toEqual(want);
  });

  it("is absent without content", () => {
    const only = operation("GET /x", { responses: [ok(undefined, "204")] });
    expect(send(planned(only).tool).accept).toBeUndefined();
  });

  it("accepts any file where bytes are described as JSON", () => {
    const only = operation("GET /x", { responses: [ok({ type: "string", format: "binary" })] });
    expect(send(planned(only).tool).accept).toEqual(["application/json", "*/*"]);
  });

  it.each([
    ["application/json", ["application/json", "*/*"]],
    ["text/plain", ["text/plain", "*/*"]],
    ["application/octet-stream", ["*/*"]],
  ])("adds the media range after %s", (mediaType, expected) => {
    const open = { ...content({}, mediaType), mediaRange: "*/*" };
    expect(
      send(
        planned(
          operation("GET /x", { responses: [{ status: "200", contents: [open], headers: [] }] }),
        ).tool,
      ).accept,
    ).toEqual(expected);
  });
});

describe("minimum number of fields of a body", () => {
  const fields = { name: { type: "string" }, email: { type: "string" } };
  it.each<{ readonly schema: JsonSchema; readonly expected: object; readonly message?: string }>([
    {
      schema: { type: "object", properties: fields, minProperties: 1 },
      expected: { least: 1 },
      message: "Needs at least 1 of name, email.",
    },
    {
      schema: {
        allOf: [
          { type: "object", properties: fields },
          { type: "object", properties: {}, minProperties: 1 },
        ],
      },
      expected: { least: 1 },
      message: "Needs at least 1 of name, email.",
    },
    {
      schema: { type: "object", properties: fields, required: ["name"], minProperties: 1 },
      expected: {},
    },
    { schema: { type: "object", properties: fields, maxProperties: 1 }, expected: { most: 1 } },
    { schema: { type: "object", properties: fields, maxProperties: 5 }, expected: {} },
  ])("$schema", ({ schema, expected, message = "" }) => {
    const { tool } = planned(operation("PUT /x", json(schema)));
    const { minProperties, maxProperties } = send(tool).body ?? {};
    expect({
      ...(minProperties !== undefined && { least: minProperties }),
      ...(maxProperties !== undefined && { most: maxProperties }),
    }).toEqual(expected);
    expect(tool.definition.description).toContain(message);
  });
});

describe("files", () => {
  const file = { type: "string", format: "binary", description: "The picture." } as const;
  const multipart = (schema: JsonSchema) => post([content(schema, "multipart/form-data")]);
  const schemas = {
    ByFile: { type: "object", properties: { picture: file, title: { type: "string" } } },
    ByUrl: { type: "object", properties: { url: { type: "string" } } },
  };

  it("are found in alternatives", () => {
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

  it("keep the named schema when there are none", () => {
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

  it("with several media types are one input", () => {
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
