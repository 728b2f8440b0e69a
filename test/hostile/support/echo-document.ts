import { existsSync } from "node:fs";
import { resolve } from "node:path";

const response = {
  responses: {
    200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } },
  },
};
const text = { type: "string" };
const input = (location: string, name: string, schema: object, more: object = {}): object => ({
  name,
  in: location,
  schema,
  ...(location === "path" && { required: true }),
  ...more,
});
const body = (mediaType: string, schema: object): object => ({
  requestBody: { content: { [mediaType]: { schema } } },
});

/** API with a parameter at every location. It echoes the request. */
const builtInDocument = {
  openapi: "3.1.0",
  info: { title: "Echo", version: "1.0.0" },
  servers: [{ url: "http://127.0.0.1:18080/v1" }],
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    },
  },
  security: [{ bearer: [], key: [] }],
  paths: {
    "/users/{id}/profile": {
      get: { operationId: "getProfile", parameters: [input("path", "id", text)], ...response },
    },
    "/files/{name}.{ext}": {
      get: {
        operationId: "getFile",
        parameters: [input("path", "name", text), input("path", "ext", text)],
        ...response,
      },
    },
    "/search": {
      get: {
        operationId: "search",
        parameters: [
          input("query", "q", text),
          input("query", "tags", { type: "array", items: text }),
          input(
            "query",
            "filter",
            { type: "object", properties: { a: text } },
            { style: "deepObject" },
          ),
          input("query", "limit", { type: "integer", minimum: 1, maximum: 100 }),
          input("header", "X-Trace", text),
          input("cookie", "sid", text),
          input("query", "slow", { type: "string", pattern: "^(a+)+$" }),
        ],
        ...response,
      },
    },
    "/items": {
      post: {
        operationId: "createItem",
        ...body("application/json", {
          type: "object",
          required: ["name"],
          additionalProperties: false,
          properties: {
            name: { type: "string", maxLength: 50 },
            n: { type: "integer" },
            nested: { type: "object", additionalProperties: true },
          },
        }),
        ...response,
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        ...body("multipart/form-data", {
          type: "object",
          properties: { file: { type: "string", format: "binary" }, note: text },
        }),
        ...response,
      },
    },
  },
};

const shared = resolve(process.env["MCP_GEN_SHARED"] ?? "../shared", "hostile/B00-echo.json");

/** Shared echo document if it exists, otherwise the built-in one. */
export const echoDocument: string | object = existsSync(shared) ? shared : builtInDocument;
