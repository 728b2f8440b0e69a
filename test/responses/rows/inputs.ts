import type { ResponseRow } from "../row.js";
import { anything, endpoint, integer, json, object, text } from "../snippets.js";

const ok = { 200: json(object({ id: integer })) };
const done = { status: 200, body: { id: 7 } };

/** Calls that a document forbids by mistake, and the requests that they send. */
export const inputs: readonly ResponseRow[] = [
  {
    name: "Directus: a field that the document lacks",
    endpoint: endpoint(
      "POST /collections",
      { 200: json(object({ data: object({ collection: text }) })) },
      { body: object({ collection: text, meta: anything }) },
    ),
    input: { collection: "books", meta: { note: "Our books" }, schema: {} },
    sends: { collection: "books", meta: { note: "Our books" }, schema: {} },
    response: { status: 200, body: { data: { collection: "books", schema: { name: "books" } } } },
    says: ["schema is not a documented"],
  },
  {
    name: "a near miss of a documented field",
    endpoint: endpoint("POST /books", ok, { body: object({ title: text, pages: integer }) }),
    input: { titel: "Tides" },
    response: done,
    fails: true,
    says: ["title", "titel"],
    requests: 0,
  },
  {
    name: "Platformatic DB: a text that a nullable list of values lacks",
    endpoint: endpoint("POST /books", ok, {
      body: object({ genre: { type: "string", nullable: true, enum: ["novel", "essay"] } }),
    }),
    input: { genre: "drama" },
    response: done,
    fails: true,
    says: ['"drama" is not one of "novel", "essay"'],
    never: [/expected a string/],
    requests: 0,
  },
  {
    name: "Platformatic DB: a near miss of the only required field, said once",
    endpoint: endpoint("POST /authors", ok, {
      body: { ...object({ name: text }), required: ["name"], additionalProperties: false },
    }),
    input: { nam: "Ann" },
    response: done,
    fails: true,
    says: ["2 problems"],
    requests: 0,
  },
  {
    name: "n8n: an update that changes only what is sent",
    endpoint: endpoint("PATCH /todos/{id}", ok, {
      body: { ...object({ title: text, desc: text }), required: ["title"] },
    }),
    input: { id: "1", desc: "Two litres" },
    sends: { desc: "Two litres" },
    response: done,
  },
  {
    name: "Docker: a required body without fields",
    endpoint: endpoint("POST /prune", ok, { body: object({}) }),
    sends: {},
    response: done,
  },
  {
    name: "a number as text",
    endpoint: endpoint("POST /books", ok, { body: object({ pages: integer }) }),
    input: { pages: "212" },
    sends: { pages: 212 },
    response: done,
    never: [/convert/i],
  },
  {
    name: "text that is documented to hold JSON",
    endpoint: endpoint("POST /rules", ok, {
      body: object({ filter: { type: "string", description: "The filter as a JSON string." } }),
    }),
    input: { filter: { city: "Lyon" } },
    sends: { filter: '{"city":"Lyon"}' },
    response: done,
  },
  {
    name: "etcd: bytes that are not base64",
    endpoint: endpoint("POST /v3/kv/range", ok, {
      body: object({ key: { type: "string", format: "byte" } }),
    }),
    input: { key: "plain text" },
    response: done,
    fails: true,
    says: ["key", /base64/i],
    requests: 0,
  },
  {
    name: "a call without credentials, as configured",
    endpoint: endpoint("GET /status", ok),
    env: { API_KEY: "none" },
    response: done,
  },
];
