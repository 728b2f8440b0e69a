import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/index.js";
import type { Mock, MockApi, MockOperation, MockParameter } from "../../src/mock/index.js";

const parameter = (name: string, rest: Partial<MockParameter> = {}): MockParameter => ({
  name,
  in: "query",
  required: false,
  schema: { type: "string" },
  style: rest.in === "path" || rest.in === "header" ? "simple" : "form",
  explode: !(rest.in === "path" || rest.in === "header"),
  ...rest,
});
const ok = (
  mediaType = "application/json",
  schema?: object,
  examples?: unknown[],
): MockOperation["responses"] => [
  {
    status: "200",
    contents: [
      { mediaType, ...(schema && { schema: schema as never }), ...(examples && { examples }) },
    ],
    headers: [],
  },
];
const operation = (
  method: string,
  path: string,
  rest: Partial<MockOperation> = {},
): MockOperation => ({ method, path, parameters: [], responses: ok(), ...rest });
const body = (
  mediaType: string,
  schema?: object,
  rest: object = {},
  required = true,
): MockOperation["body"] => ({
  required,
  contents: [{ mediaType, ...(schema && { schema: schema as never }), ...rest }],
});

const pet = {
  type: "object",
  required: ["id", "name"],
  additionalProperties: false,
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string", minLength: 1 },
    tags: { type: "array", items: { type: "string" } },
  },
};
const fields = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    age: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
    owner: { type: "object", properties: { id: { type: "integer" } } },
    photo: { type: "string", format: "binary" },
  },
};

const api: MockApi = {
  schemas: {
    Extension: { type: "string", enum: [".json", ".html"] },
    Pet: pet,
  },
  securitySchemes: {
    key: { kind: "apiKey", in: "header", name: "X-Key" },
    query: { kind: "apiKey", in: "query", name: "token" },
    session: { kind: "apiKey", in: "cookie", name: "sid" },
    basic: { kind: "http", scheme: "basic" },
    oauth: { kind: "oauth2" },
    tls: { kind: "mutualTLS" },
  },
  operations: [
    operation("GET", "/pets", {
      parameters: [
        parameter("limit", { schema: { type: "integer", maximum: 100 } }),
        parameter("tag", {
          schema: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        }),
        parameter("filter", {
          style: "deepObject",
          schema: {
            type: "object",
            properties: { age: { type: "integer" } },
            additionalProperties: false,
          },
        }),
      ],
      responses: ok("application/json", { type: "array", items: { $ref: "#/$defs/Pet" } }),
    }),
    operation("POST", "/pets", {
      body: body("application/json", { $ref: "#/$defs/Pet" }),
      responses: [
        {
          status: "201",
          contents: [
            {
              mediaType: "application/json",
              schema: { $ref: "#/$defs/Pet" },
              examples: [{ id: 7, name: "Rex" }],
            },
          ],
          headers: [{ name: "X-Remaining", schema: { type: "integer" } }],
        },
      ],
    }),
    operation("GET", "/pets/{id}", {
      parameters: [parameter("id", { in: "path", required: true, schema: { type: "integer" } })],
      responses: ok("application/json", { $ref: "#/$defs/Pet" }, [{ id: "wrong" }]),
    }),
    operation("GET", "/pets/mine", { responses: ok("text/plain", { type: "string" }, ["mine"]) }),
    operation("DELETE", "/pets/{id}", {
      parameters: [parameter("id", { in: "path", required: true })],
      responses: [{ status: "204", contents: [], headers: [] }],
    }),
    operation("GET", "/compare/{base}...{head}", {
      parameters: [
        parameter("base", { in: "path", required: true }),
        parameter("head", { in: "path", required: true }),
      ],
    }),
    operation("GET", "/reports/{id}{format}{tags}", {
      parameters: [
        parameter("id", { in: "path", required: true, schema: { type: "integer" } }),
        parameter("format", { in: "path", required: true, style: "label" }),
        parameter("tags", {
          in: "path",
          required: true,
          style: "matrix",
          explode: true,
          schema: { type: "array", items: { enum: ["a", "b"] } },
        }),
      ],
    }),
    operation("GET", "/search", {
      parameters: [
        parameter("where", {
          required: true,
          contentType: "application/json",
          schema: { type: "object", required: ["a"] },
        }),
        parameter("X-Trace", {
          in: "header",
          required: true,
          schema: { type: "array", items: { type: "integer" } },
        }),
        parameter("lang", { in: "cookie", schema: { enum: ["en", "de"] } }),
      ],
    }),
    operation("GET", "/free", {
      parameters: [
        parameter("known"),
        parameter("rest", {
          schema: { type: "object", additionalProperties: { type: "integer" } },
        }),
      ],
    }),
    operation("POST", "/action", {
      fixedQuery: [["do", "copy"]],
      responses: ok("text/plain", undefined, ["copied"]),
    }),
    operation("POST", "/action", {
      fixedQuery: [["do", "move"]],
      responses: ok("text/plain", undefined, ["moved"]),
    }),
    operation("POST", "/form", { body: body("application/x-www-form-urlencoded", fields) }),
    operation("POST", "/deep", {
      body: body("application/x-www-form-urlencoded", fields, {
        encoding: {
          owner: { style: "deepObject", explode: true },
          tags: { style: "form", explode: false },
        },
      }),
    }),
    operation("POST", "/upload", {
      body: body("multipart/form-data", fields, {
        encoding: {
          photo: { contentType: "image/png, image/gif", headers: { "X-Kind": "photo" } },
        },
      }),
    }),
    operation("POST", "/encoded-form", {
      body: body("application/x-www-form-urlencoded", { type: "string", maxLength: 5 }),
    }),
    operation("GET", "/encoded", {
      parameters: [
        parameter("Accept-Encoding", { in: "header", schema: { enum: ["base64"] } }),
        parameter("User-Agent", { in: "header", required: true, schema: { enum: ["app"] } }),
      ],
    }),
    operation("GET", "/pages/{name}{extension}", {
      parameters: [
        parameter("name", { in: "path", required: true }),
        parameter("extension", {
          in: "path",
          required: true,
          schema: { $ref: "#/$defs/Extension" },
        }),
      ],
    }),
    operation("GET", "/tiles/{center}.{extension}", {
      parameters: [
        parameter("center", { in: "path", required: true }),
        parameter("extension", { in: "path", required: true, schema: { enum: ["json"] } }),
      ],
    }),
    operation("GET", "/unstated"),
    operation("GET", "/public", { security: [] }),
    operation("GET", "/at/{since}", {
      parameters: [
        parameter("since", {
          in: "path",
          required: true,
          schema: { type: "string", format: "date-time", enum: ["now"] },
        }),
      ],
    }),
    operation("POST", "/xml", { body: body("application/xml", {}) }),
    operation("PUT", "/bytes", { body: body("application/octet-stream") }),
    operation("PUT", "/image", { body: body("image/*") }),
    operation("PUT", "/text", {
      body: body("text/plain", { type: "string", maxLength: 3 }, {}, false),
    }),
    operation("GET", "/any", { security: [{ key: [], query: [] }, { basic: [] }] }),
    operation("POST", "/rpc", {
      parameters: [
        parameter("X-Do", {
          in: "header",
          required: true,
          schema: { type: "string", enum: ["a"] },
        }),
        parameter("n", { required: true }),
      ],
    }),
    operation("POST", "/rpc", {
      parameters: [
        parameter("X-Do", {
          in: "header",
          required: true,
          schema: { type: "string", enum: ["b"] },
        }),
        parameter("m", { required: true }),
      ],
    }),
    operation("GET", "/keyed", {
      parameters: [parameter("token", { required: true })],
      security: [{ query: [] }],
    }),
    operation("GET", "/cookie", { security: [{ session: [] }] }),
    operation("GET", "/oauth", { security: [{ oauth: ["read"] }] }),
    operation("GET", "/tls", { security: [{ tls: [] }] }),
    operation("GET", "/open", { security: [{}, { key: [] }] }),
    operation("GET", "/png", { responses: ok("image/png") }),
    operation("GET", "/wav", { responses: ok("audio/wav") }),
    operation("GET", "/yaml", { responses: ok("application/yaml", { const: { a: 1 } }) }),
    operation("GET", "/pdf", { responses: ok("application/pdf") }),
    operation("GET", "/xml", { responses: ok("application/xml", { $ref: "#/$defs/Pet" }) }),
    operation("GET", "/any-lines", { responses: ok("application/x-ndjson", {}) }),
    operation("GET", "/written-lines", {
      responses: ok("application/x-ndjson", {}, ['{"a":1}\n{"a":2}\n']),
    }),
    operation("GET", "/chat", { responses: ok("application/json", { const: "whole" }) }),
    operation("GET", "/chat", {
      responses: ok("text/event-stream", { type: "array", items: { const: 1 } }),
    }),
    operation("GET", "/lines", {
      responses: ok("application/x-ndjson", {
        type: "array",
        minItems: 2,
        items: { type: "integer" },
      }),
    }),
    operation("GET", "/events", {
      responses: ok("text/event-stream", { type: "array", items: { const: 1 } }),
    }),
    operation("GET", "/fields", {
      responses: ok("text/event-stream", {
        type: "array",
        items: {
          type: "object",
          properties: { data: { const: "a\nb" }, event: { const: "e" } },
          required: ["data", "event"],
        },
      }),
    }),
    operation("GET", "/both", {
      responses: [
        {
          status: "default",
          contents: [
            { mediaType: "application/json" },
            { mediaType: "text/csv", examples: ["a,b"] },
          ],
          headers: [],
        },
      ],
    }),
    operation("GET", "/nothing", { responses: [{ status: "404", contents: [], headers: [] }] }),
  ],
};

let mock: Mock;
beforeAll(async () => {
  mock = await startMock(api, {
    basePath: "/v1",
    respond: (request) =>
      request.parameters.get("id") === 404
        ? { status: 404, body: { title: "No such pet" } }
        : undefined,
  });
});
afterAll(() => mock.close());

type Init = RequestInit & { readonly headers?: Record<string, string> };
const call = async (
  method: string,
  path: string,
  init: Init = {},
): Promise<{ status: number; type: string | null; text: string }> => {
  const response = await fetch(`${mock.url}${path}`, { method, ...init });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text: await response.text(),
  };
};
const json = (value: unknown): Init => ({
  body: JSON.stringify(value),
  headers: { "content-type": "application/json" },
});
const urlencoded = (text: string): Init => ({
  body: text,
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
const raw = (text: string, type: string): Init => ({
  body: text,
  headers: { "content-type": type },
});
const multipart = (...parts: readonly string[]): Init =>
  raw(
    `${parts.map((p) => `--B\r\n${p.replaceAll("\n", "\r\n")}\r\n`).join("")}--B--\r\n`,
    "multipart/form-data; boundary=B",
  );
const part = (name: string, value: string, more = ""): string =>
  `Content-Disposition: form-data; name="${name}"${more}\n\n${value}`;
const photo = part("photo", "x", '; filename="x.png"\nContent-Type: image/png\nX-Kind: photo');

describe("valid requests", () => {
  const rows: readonly [string, string, Init?, (number | string)?][] = [
    ["GET", "/pets"],
    ["GET", "/pets?limit=5&tag=a&tag=b&filter%5Bage%5D=3"],
    ["POST", "/pets", json({ name: "Rex" }), 201],
    ["GET", "/pets/42"],
    ["GET", "/pets/mine", {}, "mine"],
    ["DELETE", "/pets/a%2Fb", {}, 204],
    ["GET", "/compare/v1...v2"],
    ["GET", "/reports/12.json;tags=a;tags=b"],
    [
      "GET",
      "/search?where=%7B%22a%22%3A1%7D",
      { headers: { "X-Trace": "1,2", cookie: "lang=de; other=1" } },
    ],
    ["GET", "/free?known=x&a=1&b=2"],
    ["POST", "/action?do=copy", {}, "copied"],
    ["POST", "/action?do=move", {}, "moved"],
    ["POST", "/form", urlencoded("name=R+x&age=3&tags=a&tags=b&owner=%7B%22id%22%3A1%7D")],
    ["POST", "/encoded-form", urlencoded("a=%20")],
    ["GET", "/encoded", { headers: { "accept-encoding": "gzip" } }],
    ["GET", "/pages/a.b.json"],
    ["GET", "/tiles/1.5,2.5.json"],
    ["GET", "/unstated?token=1"],
    ["GET", "/at/now"],
    ["POST", "/deep", urlencoded("name=R&owner%5Bid%5D=1&tags=a,b")],
    [
      "POST",
      "/upload",
      multipart(
        part("name", "Rex"),
        part("age", "3"),
        part("tags", "a"),
        part("tags", "b"),
        part("owner", '{"id":1}', "\nContent-Type: application/json"),
        photo,
      ),
    ],
    ["POST", "/xml", raw("<a/>", "application/xml")],
    ["PUT", "/bytes", raw("\u0000", "application/octet-stream")],
    ["PUT", "/image", raw("x", "image/webp")],
    ["PUT", "/text", raw("abc", "text/plain; charset=utf-8")],
    ["PUT", "/text", {}],
    ["GET", "/any?token=1", { headers: { "x-key": "1" } }],
    ["GET", "/any", { headers: { authorization: `Basic ${btoa("a:b")}` } }],
    ["GET", "/keyed?token=1", {}],
    ["GET", "/cookie", { headers: { cookie: "sid=1" } }],
    ["GET", "/oauth", { headers: { authorization: "Bearer t" } }],
    ["GET", "/tls"],
    ["GET", "/open"],
  ];
  test.each(rows)("%s %s %j", async (method, path, init, want = 200) => {
    const { status, text } = await call(method, path, init);
    expect(typeof want === "number" ? { status, text: status >= 400 ? text : "" } : text).toEqual(
      typeof want === "number" ? { status: want, text: "" } : want,
    );
  });
});

describe("invalid requests", () => {
  const rows: readonly [string, string, Init, number, string][] = [
    ["GET", "/none", {}, 404, "path: /none is not a path of the API"],
    ["GET", "/pets/", {}, 404, "is not a path of the API"],
    ["PATCH", "/pets", {}, 405, "PATCH is not allowed here"],
    ["GET", "/pets?limit=500", {}, 400, "query limit: 500 is greater than 100"],
    ["GET", "/pets?limit=many", {}, 400, "query limit: Instance type"],
    ["GET", "/pets?tag=a,b", {}, 400, "query tag /0"],
    [
      "GET",
      "/pets?filter=%5Bobject%20Object%5D",
      {},
      400,
      "query filter: cannot be read as style deepObject",
    ],
    ["GET", "/pets?filter%5Bx%5D=1", {}, 400, "query filter /x: is not allowed here"],
    ["GET", "/pets?page=2&limit=1", {}, 400, "query page: is not declared"],
    ["GET", "/pets?limit=1&limit=2", {}, 400, "query limit: cannot be read"],
    ["GET", "/pets/rex", {}, 400, "path id: Instance type"],
    ["GET", "/search", { headers: { "X-Trace": "1" } }, 400, "query where: is required"],
    [
      "GET",
      "/search?where=nonsense",
      { headers: { "X-Trace": "1" } },
      400,
      "query where: is not JSON",
    ],
    ["GET", "/search?where=%7B%22a%22%3A1%7D", {}, 400, "header X-Trace: is required"],
    [
      "GET",
      "/search?where=%7B%22a%22%3A1%7D",
      { headers: { "X-Trace": "a" } },
      400,
      "header X-Trace /0",
    ],
    [
      "GET",
      "/search?where=%7B%22a%22%3A1%7D",
      { headers: { "X-Trace": "1", cookie: "lang=fr" } },
      400,
      "cookie lang",
    ],
    ["GET", "/free?a=x", {}, 400, "query rest /a"],
    ["GET", "/tiles/1.xml", {}, 400, "path extension"],
    ["GET", "/public?token=1", {}, 400, "query token: is not declared"],
    ["POST", "/action", {}, 405, "is not allowed here"],
    ["POST", "/pets", {}, 400, "body: is required"],
    ["POST", "/pets", raw("{", "application/json"), 400, "body: is not JSON"],
    ["POST", "/pets", json({ id: 1, name: "Rex" }), 400, "body /id: is not allowed here"],
    ["POST", "/pets", json({ name: "", extra: 1 }), 400, "body /name"],
    ["POST", "/pets", raw("<a/>", "application/xml"), 415, "declared: application/json"],
    ["DELETE", "/pets/1", json({}), 400, "body: is present, but the operation has no request body"],
    ["POST", "/form", urlencoded("age=3"), 400, "body: Instance does not have required property"],
    ["POST", "/form", urlencoded("name=a&age=x"), 400, "body /age"],
    ["POST", "/form", urlencoded("name=a&owner=%5Bobject+Object%5D"), 400, "body /owner"],
    [
      "POST",
      "/upload",
      multipart(part("name", "Rex"), part("photo", "x")),
      400,
      "part photo: is a file without a filename",
    ],
    [
      "POST",
      "/upload",
      multipart(part("name", "Rex"), photo.replace("image/png", "image/bmp")),
      400,
      "part photo: has Content-Type image/bmp, not image/png, image/gif",
    ],
    [
      "POST",
      "/upload",
      multipart(part("name", "Rex"), photo.replace("X-Kind: photo", "X: y")),
      400,
      "part photo: lacks the header X-Kind: photo",
    ],
    [
      "POST",
      "/upload",
      raw("--B\r\n", "multipart/form-data; boundary=B"),
      400,
      "body: has no closing boundary",
    ],
    ["POST", "/upload", multipart(part("age", "3")), 400, "required property"],
    ["POST", "/xml", raw("<a>", "application/xml"), 400, "is not well-formed XML"],
    ["PUT", "/image", raw("x", "text/plain"), 415, "declared: image/*"],
    ["PUT", "/text", raw("abcd", "text/plain"), 400, "body: String is too long"],
    ["POST", "/rpc", { headers: { "x-do": "b" } }, 400, "query m: is required"],
    ["GET", "/any?token=1", {}, 401, "security: needs key, or basic"],
    [
      "GET",
      "/any",
      { headers: { authorization: `Basic ${btoa("ab")}` } },
      401,
      "needs key and query, or basic",
    ],
    ["GET", "/cookie", { headers: { cookie: "sid=" } }, 401, "needs session"],
    ["GET", "/oauth", { headers: { authorization: "Token t" } }, 401, "needs oauth"],
  ];
  test.each(rows)("%s %s %j", async (method, path, init, status, text) => {
    const answer = await call(method, path, init);
    expect(answer).toMatchObject({ status, type: "application/problem+json" });
    expect((JSON.parse(answer.text) as { detail: string }).detail).toContain(text);
  });

  test.each([
    ["/any", 'ApiKey, Basic realm="mock"'],
    ["/cookie", "ApiKey"],
    ["/oauth", "Bearer"],
  ])("401 of %s has the challenges of its schemes", async (path, want) => {
    const { headers } = await fetch(`${mock.url}${path}`);
    expect(headers.get("www-authenticate")).toBe(want);
  });

  test("a path outside of the base path is rejected", async () => {
    expect((await fetch(mock.url.replace("/v1", "/pets"))).status).toBe(404);
  });
});

describe("responses", () => {
  const rows: readonly [string, string | undefined, string, string | RegExp][] = [
    ["/pets", undefined, "application/json", '[{"id":1,"name":"name","tags":["tag"]}]'],
    ["/pets/42", undefined, "application/json", /^\{"id":1,"name":"name"/u],
    ["/png", "image/png", "image/png", /PNG/u],
    ["/wav", "audio/*", "audio/wav", /^RIFF.{4}WAVE/su],
    ["/yaml", undefined, "application/yaml", '{"a":1}'],
    ["/pdf", "*/*", "application/pdf", /^%PDF/u],
    [
      "/xml",
      undefined,
      "application/xml",
      '<?xml version="1.0" encoding="UTF-8"?><Pet><id>1</id><name>name</name><tags>tag</tags></Pet>',
    ],
    ["/lines", undefined, "application/x-ndjson", "1\n2\n"],
    ["/any-lines", undefined, "application/x-ndjson", '"text"\n'],
    ["/written-lines", undefined, "application/x-ndjson", '{"a":1}\n{"a":2}\n'],
    ["/events", undefined, "text/event-stream", "data: 1\n\n"],
    ["/fields", undefined, "text/event-stream", "data: a\ndata: b\nevent: e\n\n"],
    ["/chat", "application/json", "application/json", '"whole"'],
    ["/chat", "text/event-stream", "text/event-stream", "data: 1\n\n"],
    ["/both", "text/csv, application/json;q=0.5", "text/csv", "a,b"],
    ["/both", "text/csv;q=0.1, application/json", "application/json", '"text"'],
    ["/both", "image/png", "application/problem+json", /Not Acceptable/u],
  ];
  test.each(rows)("%s for %s", async (path, accept, type, want) => {
    const answer = await call("GET", path, accept === undefined ? {} : { headers: { accept } });
    expect(answer.type).toBe(type);
    if (typeof want === "string") expect(answer.text).toBe(want);
    else expect(answer.text).toMatch(want);
  });

  test("have the documented example, status and headers", async () => {
    const response = await fetch(`${mock.url}/pets`, { method: "POST", ...json({ name: "Rex" }) });
    expect([response.status, response.headers.get("x-remaining"), await response.json()]).toEqual([
      201,
      "1",
      { id: 7, name: "Rex" },
    ]);
  });
  test("have no body without a documented success", async () =>
    expect((await call("GET", "/nothing")).status).toBe(204));
  test("can be overridden", async () =>
    expect(await call("GET", "/pets/404")).toEqual({
      status: 404,
      type: "application/problem+json",
      text: '{"title":"No such pet"}',
    }));

  test("requests are recorded", async () => {
    await call("GET", "/pets?limit=3");
    const last = mock.requests.at(-1);
    expect(last).toMatchObject({
      method: "GET",
      url: "/v1/pets?limit=3",
      path: "/pets",
      operation: "GET /pets",
      status: 200,
      violations: [],
    });
    expect(last?.parameters.get("limit")).toBe(3);
  });
});

test("a segment of many parameters is refused, because it could take years to match", async () => {
  const many = operation("GET", "/{a}{b}{c}{d}{e}{f}{g}{h}x");
  const other = await startMock({ ...api, operations: [many] });
  const response = await fetch(`${other.url}/${"a".repeat(3000)}`);
  await other.close();
  expect(response.status).toBe(404);
});

test("lone surrogates of a document are replaced in paths and forms", async () => {
  const format = parameter("format", {
    in: "path",
    required: true,
    schema: { type: "string", enum: ["json", "\ud800"] },
  });
  const form = ok("application/x-www-form-urlencoded", undefined, [{ "a\ud800": "b\udfff" }]);
  const name = parameter("name", { in: "path", required: true });
  const lone = await startMock({
    schemas: {},
    operations: [
      operation("GET", "/{name}.{format}", { parameters: [name, format], responses: form }),
    ],
    securitySchemes: {},
  } as unknown as MockApi);
  const response = await fetch(`${lone.url}/a.json`);
  expect([response.status, await response.text()]).toEqual([200, "a%EF%BF%BD=b%EF%BF%BD"]);
  await lone.close();
});
