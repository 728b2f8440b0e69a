import type { ResponseRow } from "../row.js";
import { bare, endpoint, integer, json, object, text } from "../snippets.js";

const create = endpoint(
  "POST /orders",
  { 201: json(object({ id: integer })) },
  { body: object({ item: text }) },
);
const order = { item: "bolt" };
const claims = [/has taken effect/i];

/** Writes whose response says less than the whole: nothing observed their effect. */
export const writes: readonly ResponseRow[] = [
  {
    name: "a broken connection in the middle of a response",
    endpoint: create,
    input: order,
    response: {
      status: 201,
      type: "application/json",
      headers: { "content-length": "200" },
      body: '{"id":',
      broken: true,
    },
    fails: true,
    says: [/may (?:or may not )?have (?:taken effect|been)/i],
    never: claims,
  },
  {
    name: "502 of a proxy, in HTML",
    endpoint: create,
    input: order,
    response: {
      status: 502,
      type: "text/html",
      body: "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
    },
    fails: true,
    says: ["502", "Bad Gateway"],
    never: claims,
  },
  {
    name: "Unleash: 500 that names a fault of the server",
    endpoint: endpoint("GET /personal-dashboard", {
      200: json(object({ flags: { type: "array", items: object({ name: text }) } })),
    }),
    response: {
      status: 500,
      body: {
        id: "722d65da",
        name: "UnknownError",
        message: "Undefined binding(s) detected when compiling SELECT.",
        details: [{ message: "Undefined binding(s) detected when compiling SELECT." }],
      },
    },
    fails: true,
    says: ["Undefined binding(s) detected when compiling SELECT."],
  },
  {
    name: "PowerDNS: 500 in plain text after a second registration",
    endpoint: endpoint(
      "POST /autoprimaries",
      { 201: bare("OK"), 500: json(object({ error: text }), "Internal server error") },
      { body: object({ ip: text }) },
    ),
    input: { ip: "192.0.2.9" },
    response: { status: 500, type: "text/plain; charset=utf-8", body: "Internal Server Error" },
    fails: true,
    says: ["500", "Internal Server Error"],
    never: claims,
  },
  {
    name: "Directus: 503 of a service behind the server",
    endpoint: endpoint(
      "POST /files/import",
      { 200: json(object({ data: object({ id: text }) })) },
      { body: object({ url: text }) },
    ),
    input: { url: "http://127.0.0.1:1/x" },
    response: {
      status: 503,
      body: {
        errors: [
          {
            message:
              'Service "external-file" is unavailable. Couldn\'t fetch file from URL "http://127.0.0.1:1/x".',
            extensions: { code: "SERVICE_UNAVAILABLE" },
          },
        ],
      },
    },
    fails: true,
    says: ['Couldn\'t fetch file from URL "http://127.0.0.1:1/x"'],
    never: claims,
  },
  {
    name: "Platformatic DB: the ID of a creation only in its location",
    endpoint: endpoint(
      "POST /authors",
      { 200: json(object({ name: text })) },
      {
        body: object({ name: text }),
      },
    ),
    input: { name: "Ann" },
    response: { status: 200, headers: { location: "/authors/8" }, body: { name: "Ann" } },
    says: ["/authors/8"],
  },
  {
    name: "Platformatic DB: a location that says nothing new",
    endpoint: endpoint(
      "PUT /authors/{id}",
      { 200: json(object({ id: text })) },
      {
        body: object({ name: text }),
      },
    ),
    input: { id: "8", name: "Ann" },
    response: { status: 200, headers: { location: "/authors/8" }, body: { id: "8" } },
    never: [/Location/],
  },
];
