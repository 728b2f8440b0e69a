import type { ResponseRow } from "../row.js";
import { anything, endpoint, flag, integer, json, list, object, text } from "../snippets.js";

/** Bodies that differ from the documented schema. Nothing of them may be missing. */
export const values: readonly ResponseRow[] = [
  {
    name: "Etherpad: an object where text is declared",
    endpoint: endpoint(
      "GET /getText",
      { 200: json(object({ code: integer, message: text, data: object({ text }) })) },
      { query: { padID: text, rev: text } },
    ),
    input: { padID: "plan", rev: "1" },
    response: {
      status: 200,
      body: { code: 0, message: "ok", data: { text: { text: "Plan B\n", attribs: "|1+7" } } },
    },
  },
  {
    name: "Directus: text where an integer is declared",
    endpoint: endpoint(
      "PATCH /items/books/{id}",
      { 200: json(object({ data: object({ id: integer, pages: integer }) })) },
      {
        body: object({ pages: anything }),
      },
    ),
    input: { id: "1", pages: {} },
    response: { status: 200, body: { data: { id: 1, title: "One", pages: "x" } } },
  },
  {
    name: "a list where an object is declared",
    endpoint: endpoint("GET /images/{name}/remove", {
      200: json(object({ Untagged: text, Deleted: text })),
    }),
    input: { name: "hello:1" },
    response: { status: 200, body: [{ Untagged: "hello:1" }, { Deleted: "sha256:5b71" }] },
  },
  {
    name: "an object where a list is declared",
    endpoint: endpoint("GET /features", { 200: json(list(object({ name: text }))) }),
    response: { status: 200, body: { version: 2, features: [{ name: "dark-mode" }] } },
  },
  {
    name: "text where an object is declared",
    endpoint: endpoint("GET /random", { 200: json(object({ data: object({ value: text }) })) }),
    response: { status: 200, body: { data: "tOWW" } },
  },
  {
    name: "a number where an object is declared",
    endpoint: endpoint("GET /count", { 200: json(object({ count: integer })) }),
    response: { status: 200, body: 138 },
  },
  {
    name: "etcd: IDs of 64 bits as text",
    endpoint: endpoint(
      "POST /v3/lease/grant",
      {
        200: json(
          object({
            header: object({ member_id: { type: "integer", format: "int64" } }),
            ID: { type: "integer" },
            TTL: { type: "integer" },
          }),
        ),
      },
      { body: object({ TTL: text }) },
    ),
    input: { TTL: "60" },
    response: {
      status: 200,
      body: {
        header: { member_id: "9196390286255216370", revision: "3" },
        ID: "6265248195539691016",
        TTL: "60",
      },
    },
  },
  {
    name: "an ID of 64 bits as a number",
    endpoint: endpoint("GET /members/{id}", {
      200: json(object({ ID: { type: "integer", format: "int64" } })),
    }),
    input: { id: "9" },
    response: {
      status: 200,
      type: "application/json",
      body: '{"ID":9196390286255216370,"name":"default"}',
    },
    partial: true,
    says: ["9196390286255216370", "default"],
  },
  {
    name: "Docker: null where a list is declared",
    endpoint: endpoint("GET /containers/{id}/changes", {
      200: json(list(object({ Path: text, Kind: integer }))),
    }),
    input: { id: "one" },
    response: { status: 200, type: "application/json", body: "null\n" },
    partial: true,
  },
  {
    name: "Docker: null in a list of deletions",
    endpoint: endpoint("POST /images/prune", {
      200: json(
        object({ ImagesDeleted: list(object({ Deleted: text })), SpaceReclaimed: integer }),
      ),
    }),
    response: { status: 200, body: { ImagesDeleted: null, SpaceReclaimed: 0 } },
    says: ["ImagesDeleted"],
  },
  {
    name: "etcd: an expired lease has a life of -1",
    endpoint: endpoint(
      "POST /v3/lease/timetolive",
      { 200: json(object({ ID: text, TTL: text, grantedTTL: text })) },
      { body: object({ ID: text }) },
    ),
    input: { ID: "999" },
    response: { status: 200, body: { header: { revision: "3" }, ID: "999", TTL: "-1" } },
  },
  {
    name: "Unleash: text where a flag is declared, in a nested list",
    endpoint: endpoint("GET /search", {
      200: json(object({ features: list(object({ name: text, enabled: flag })), total: integer })),
    }),
    response: {
      status: 200,
      body: {
        features: [
          { name: "flag-12", enabled: "partly" },
          { name: "flag-40", enabled: true },
        ],
        total: 2,
      },
    },
  },
  {
    name: "Docker: fields that the document lacks",
    endpoint: endpoint("POST /containers/{id}/wait", {
      200: json(object({ StatusCode: integer })),
    }),
    input: { id: "two" },
    response: { status: 200, body: { Error: null, StatusCode: 137 } },
  },
];
