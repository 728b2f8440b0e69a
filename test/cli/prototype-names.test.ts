import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plant, scratch } from "../write/tree.js";
import { mcpGen } from "./built.js";

/** Names that every object has. */
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];

/** A record with an own member of any name. */
const one = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);
const forAll = (value: (name: string) => unknown): object =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)]));

const text = { type: "string", minLength: 1 };
const objectOf = (name: string): object => ({
  type: "object",
  required: [name],
  properties: one(name, text),
});
const content = (schema: object, mediaType = "application/json"): object => ({
  content: one(mediaType, { schema }),
});
const ok = (schema = objectOf("id")): { readonly description: string } => ({
  description: "ok",
  ...content(schema),
});
const parameter = (name: string, place: string, rest: object = {}): object => ({
  parameters: [{ name, in: place, required: true, schema: text, ...rest }],
});
const body = (schema: object, mediaType?: string): object => ({
  requestBody: { required: true, ...content(schema, mediaType) },
});
const answer = (rest: object): object => ({ responses: { 200: { ...ok(), ...rest } } });

/** An operation with a name in each place. Those of bodies are sent by POST. */
const places: Readonly<Record<string, (name: string) => object>> = {
  "path parameter": (name) => parameter(name, "path"),
  "query parameter": (name) => parameter(name, "query"),
  "header parameter": (name) => parameter(name, "header"),
  "cookie parameter": (name) => parameter(name, "cookie"),
  "deep object": (name) => parameter("f", "query", { style: "deepObject", schema: objectOf(name) }),
  "parameter component": (name) => ({ parameters: [{ $ref: `#/components/parameters/${name}` }] }),
  "body property": (name) => body(objectOf(name)),
  "form field": (name) => body(objectOf(name), "application/x-www-form-urlencoded"),
  "part of a form": (name) => body(objectOf(name), "multipart/form-data"),
  "XML element": (name) => body({ ...objectOf(name), xml: { name } }, "application/xml"),
  "map key": (name) =>
    body({ type: "object", additionalProperties: text, example: one(name, "x") }),
  discriminator: (name) =>
    body({
      ...objectOf(name),
      discriminator: { propertyName: name, mapping: one(name, `#/components/schemas/${name}`) },
      oneOf: [{ $ref: `#/components/schemas/${name}` }],
    }),
  "result property": (name) => ({ responses: { 200: ok(objectOf(name)) } }),
  "schema name": (name) => ({ responses: { 200: ok({ $ref: `#/components/schemas/${name}` }) } }),
  "response component": (name) => ({
    responses: { 200: { $ref: `#/components/responses/${name}` } },
  }),
  "pattern property": (name) =>
    answer(content({ type: "object", patternProperties: one(name, text) })),
  "response header": (name) => answer({ headers: one(name, { schema: text }) }),
  "media type": (name) => answer(content(objectOf("id"), `application/${name}+json`)),
  "media type parameter": (name) => answer(content(objectOf("id"), `application/json; ${name}=x`)),
  "example name": (name) => parameter("kind", "query", { examples: one(name, { value: name }) }),
  "enum value": (name) => parameter("kind", "query", { schema: { enum: [name, "b"] } }),
  constant: (name) => parameter("kind", "query", { schema: { enum: [name] } }),
  "default value": (name) => parameter("kind", "query", { schema: { ...text, default: name } }),
  tag: (name) => ({ tags: [name] }),
  operationId: (name) => ({ operationId: name }),
  "security scheme": (name) => ({ security: [one(name, [])] }),
  scope: (name) => ({ security: [{ oauth: [name] }] }),
  "server variable": (name) => ({
    servers: [{ url: `https://{${name}}.example`, variables: one(name, { default: "a" }) }],
  }),
  callback: (name) => ({ callbacks: one(name, one("{$url}", { post: { responses: {} } })) }),
  link: (name) =>
    answer({ links: one(name, { operationId: name, parameters: one(name, "$url") }) }),
  extension: (name) => one(`x-${name}`, one(name, name)),
};

function documentOf(): object {
  const operations = Object.entries(places).flatMap(([place, create]) =>
    NAMES.map((name, i) => {
      const id = place.replaceAll(" ", "-");
      const path = `/${id}-${i}${place === "path parameter" ? `/{${name}}` : ""}`;
      const operation = create(name);
      const method = "requestBody" in operation ? "post" : "get";
      const operationId = `${id}_${i}`;
      return [path, one(method, { operationId, responses: { 200: ok() }, ...operation })];
    }),
  );
  const flow = { tokenUrl: "https://names.example/token", scopes: forAll((name) => name) };
  return {
    openapi: "3.1.0",
    info: { title: "Names", version: "1" },
    servers: [{ url: "https://names.example" }],
    tags: NAMES.map((name) => ({ name })),
    paths: Object.fromEntries(operations) as object,
    components: {
      schemas: forAll(objectOf),
      parameters: forAll((name) => ({ name, in: "query", required: true, schema: text })),
      responses: forAll(() => ok()),
      securitySchemes: {
        ...forAll((name) => ({ type: "apiKey", in: "header", name: `X-${name}` })),
        oauth: { type: "oauth2", flows: { clientCredentials: flow } },
      },
    },
  };
}

test("names of Object.prototype in any place of a document: try calls every tool", async () => {
  const root = scratch();
  plant(root, { "names.json": JSON.stringify(documentOf()), "tmp/": "" });
  const { code, out } = await mcpGen(["try", "names.json"], root, "", {
    TMPDIR: join(root, "tmp"),
  });
  const count = Object.keys(places).length * NAMES.length;
  expect(out.split("\n").filter((line) => line.startsWith("✗")).length).toBeLessThanOrEqual(1);
  expect(out).toContain(`${count} of ${count} tools work, in `);
  expect(code).toBe(0);
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
});
