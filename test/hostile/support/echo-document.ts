import { existsSync } from "node:fs";
import { resolve } from "node:path";

const answer = {
  responses: {
    200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } },
  },
};
const text = { type: "string" };
const input = (place: string, name: string, schema: object, more: object = {}): object => ({
  name,
  in: place,
  schema,
  ...(place === "path" && { required: true }),
  ...more,
});
const body = (mediaType: string, schema: object): object => ({
  requestBody: { content: { [mediaType]: { schema } } },
});

/** An API with a place for every kind of argument; it answers with what it was sent. */
const own = {
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
      get: { operationId: "getProfile", parameters: [input("path", "id", text)], ...answer },
    },
    "/files/{name}.{ext}": {
      get: {
        operationId: "getFile",
        parameters: [input("path", "name", text), input("path", "ext", text)],
        ...answer,
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
        ...answer,
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
        ...answer,
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        ...body("multipart/form-data", {
          type: "object",
          properties: { file: { type: "string", format: "binary" }, note: text },
        }),
        ...answer,
      },
    },
  },
};

const shared = resolve(process.env["MCP_GEN_SHARED"] ?? "../shared", "hostile/B00-echo.json");

/** The shared document of this kind where it is there, else our own. */
export const echoDocument: string | object = existsSync(shared) ? shared : own;
