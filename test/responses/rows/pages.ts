import type { ResponseRow } from "../row.js";
import { endpoint, integer, json, list, object, text } from "../snippets.js";

const item = object({ id: integer });
const items = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, id) => ({ id: id + 1000 }));
const paged = endpoint(
  "GET /stores",
  { 200: json(object({ data: list(item) })) },
  { query: { limit: integer, offset: integer } },
);
const more = /(?:may be|are) more/i;

/** Lists that may not be whole. */
export const pages: readonly ResponseRow[] = [
  {
    name: "Directus: a full page without a total",
    endpoint: paged,
    input: { limit: 4 },
    response: { status: 200, body: { data: items(4) } },
    says: [more],
  },
  {
    name: "Directus: a page that is not full",
    endpoint: paged,
    input: { limit: 4 },
    response: { status: 200, body: { data: items(3) } },
    never: [more],
  },
  {
    name: "Directus: all items, asked by a limit of -1",
    endpoint: paged,
    input: { limit: -1 },
    response: { status: 200, body: { data: items(3) } },
  },
  {
    name: "Directus: 100 items that nobody limited",
    endpoint: paged,
    response: { status: 200, body: { data: items(100) } },
    says: [more],
  },
  {
    name: "25 items that nobody limited, on every page",
    endpoint: endpoint("GET /teams", { 200: json(list(item)) }, { query: { page: integer } }),
    response: { status: 200, body: items(25) },
    says: [/same items again for the next page/],
    never: [/all 25|from 2 pages/],
    requests: 2,
  },
  {
    name: "25 items that nobody limited, on one page",
    endpoint: endpoint("GET /teams", { 200: json(list(item)) }, { query: { page: integer } }),
    env: { FOLLOW_PAGES: "false" },
    response: { status: 200, body: items(25) },
    says: [more],
  },
  {
    name: "23 items that nobody limited",
    endpoint: endpoint("GET /teams", { 200: json(list(item)) }, { query: { page: integer } }),
    response: { status: 200, body: items(23) },
    never: [more],
  },
  {
    name: "Unleash: a page with its total",
    endpoint: endpoint(
      "GET /search",
      { 200: json(object({ features: list(item), total: integer })) },
      { query: { limit: integer, offset: integer } },
    ),
    input: { limit: 2 },
    response: { status: 200, body: { features: items(2), total: 62 } },
    says: [more],
  },
  {
    name: "GitHub: the next page in a Link header",
    endpoint: endpoint(
      "GET /repos",
      { 200: json(list(item)) },
      { query: { page: integer, per_page: integer } },
    ),
    input: { per_page: 2 },
    response: {
      status: 200,
      headers: { link: '<http://127.0.0.1:1/repos?per_page=2&page=2>; rel="next"' },
      body: items(2),
    },
    says: [more, /"?page"?:? ?2/],
  },
  {
    name: "PowerDNS: a maximum of 0 is refused",
    endpoint: endpoint(
      "GET /search-data",
      { 200: json(list(object({ name: text }))) },
      { query: { q: text, max: integer } },
    ),
    input: { q: "*", max: 0 },
    response: { status: 422, body: { error: "Maximum entries must be larger than 0" } },
    fails: true,
    says: ["Maximum entries must be larger than 0"],
  },
  {
    name: "n8n: a cursor",
    endpoint: endpoint(
      "GET /workflows",
      { 200: json(object({ data: list(object({ id: text })), nextCursor: text })) },
      { query: { cursor: text, limit: integer } },
    ),
    input: { limit: 1 },
    response: {
      status: 200,
      body: { data: [{ id: "w1" }], nextCursor: "eyJsaW1pdCI6MSwib2Zmc2V0IjoxfQ==" },
    },
    says: [more],
  },
  {
    name: "PostgREST: the total in Content-Range",
    endpoint: endpoint("GET /items", { 200: json(list(item)) }, { query: { limit: integer } }),
    input: { limit: 2 },
    response: { status: 200, headers: { "content-range": "0-1/573" }, body: items(2) },
    says: ["573", /use limit to see/],
    never: [/does not say whether/],
  },
  {
    name: "Platformatic DB: cursors in headers that are named like inputs",
    endpoint: endpoint(
      "GET /authors",
      { 200: json(list(item)) },
      { query: { limit: integer, startAfter: text, endBefore: text } },
    ),
    input: { limit: 2 },
    response: {
      status: 200,
      headers: { "x-start-after": "eyJpZCI6NH0=", "x-end-before": "eyJpZCI6MX0=" },
      body: items(2),
    },
    says: ["eyJpZCI6NH0=", "eyJpZCI6MX0="],
  },
  {
    name: "a header that is named like an input for a secret",
    endpoint: endpoint(
      "GET /authors",
      { 200: json(list(item)) },
      { query: { limit: integer, token: text } },
    ),
    input: { limit: 2 },
    response: { status: 200, headers: { "x-token": "s3cr3t" }, body: items(2) },
    never: [/s3cr3t/],
  },
];
