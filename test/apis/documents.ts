/** Three small APIs of different versions, which share some names, as files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const json = (schema: object): object => ({
  200: { description: "OK", content: { "application/json": { schema } } },
});
const user = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" } },
} as const;

/** Swagger 2.0 with an API key. */
export const billing = {
  swagger: "2.0",
  info: {
    title: "Billing API",
    version: "1.2.0",
    description: "Invoices and payments of customers.",
  },
  host: "billing.example",
  basePath: "/v1",
  schemes: ["https"],
  produces: ["application/json"],
  securityDefinitions: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } },
  security: [{ key: [] }],
  paths: {
    "/invoices": {
      get: {
        operationId: "listInvoices",
        tags: ["invoices"],
        summary: "List invoices",
        parameters: [
          { name: "customer", in: "query", type: "string", description: "Customer ID." },
        ],
        responses: {
          200: {
            description: "OK",
            schema: { type: "array", items: { $ref: "#/definitions/Invoice" } },
          },
        },
      },
    },
    "/invoices/{id}": {
      get: {
        operationId: "getInvoice",
        tags: ["invoices"],
        summary: "Get an invoice",
        parameters: [{ name: "id", in: "path", required: true, type: "string" }],
        responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Invoice" } } },
      },
    },
    "/users": {
      get: {
        operationId: "listUsers",
        tags: ["users"],
        summary: "List users",
        responses: { 200: { description: "OK", schema: { type: "array", items: user } } },
      },
    },
  },
  definitions: {
    Invoice: {
      type: "object",
      properties: { id: { type: "string" }, total: { type: "number" } },
    },
  },
};

/** OpenAPI 3.0 with a bearer token. */
export const crm = {
  openapi: "3.0.3",
  info: { title: "CRM Service", version: "2" },
  servers: [{ url: "https://crm.example/api" }],
  security: [{ bearer: [] }],
  paths: {
    "/users": {
      get: {
        operationId: "listUsers",
        tags: ["people"],
        summary: "List users",
        responses: json({ type: "array", items: { $ref: "#/components/schemas/User" } }),
      },
      post: {
        operationId: "createUser",
        tags: ["people"],
        summary: "Create a user",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } },
        },
        responses: json({ $ref: "#/components/schemas/User" }),
      },
    },
  },
  components: {
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    schemas: { User: user },
  },
};

/** OpenAPI 3.1 with a user name and a password. */
export const stock = {
  openapi: "3.1.0",
  info: { title: "Stock", version: "1.0.0", description: "Levels of stock by warehouse." },
  servers: [{ url: "https://stock.example" }],
  security: [{ basic: [] }],
  paths: {
    "/levels/{sku}": {
      get: {
        operationId: "getLevel",
        summary: "Get the level of stock",
        parameters: [{ name: "sku", in: "path", required: true, schema: { type: "string" } }],
        responses: json({ type: "object", properties: { level: { type: "integer" } } }),
      },
    },
  },
  components: { securitySchemes: { basic: { type: "http", scheme: "basic" } } },
};

/** A fourth API, none of whose names another one has. */
export const mail = {
  openapi: "3.0.0",
  info: { title: "Mail", version: "1" },
  servers: [{ url: "https://mail.example" }],
  paths: {
    "/messages": {
      post: { operationId: "sendMessage", summary: "Send a message", responses: json({}) },
    },
  },
};

/** Writes documents into a new folder. */
export function writeDocuments(documents: Readonly<Record<string, object | string>>): {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-apis-"));
  for (const [name, content] of Object.entries(documents))
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  return {
    folder,
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A document of an API with one tool, whose users sign in at an authorization server. */
export const signInDocument = (name: string, issuer: string): object => ({
  openapi: "3.1.0",
  info: { title: name, version: "1" },
  servers: [{ url: `https://${name}.example` }],
  security: [{ account: ["pets:read"] }],
  paths: {
    [`/${name}`]: {
      get: {
        operationId: `list_${name}`,
        summary: `List ${name}`,
        responses: { 200: { description: "OK", content: { "application/json": { schema: {} } } } },
      },
    },
  },
  components: {
    securitySchemes: {
      account: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: `${issuer}/auth`,
            tokenUrl: `${issuer}/token`,
            refreshUrl: `${issuer}/token`,
            scopes: { "pets:read": "Read", offline_access: "Refresh" },
          },
        },
      },
    },
  },
});
