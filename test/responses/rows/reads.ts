import type { ResponseRow } from "../row.js";
import { endpoint, flag, integer, json, list, object, text } from "../snippets.js";

const ok = (body: unknown): ResponseRow["response"] => ({ status: 200, body });

/** Reads and small writes as they should be: nothing is added that is not so. */
export const reads: readonly ResponseRow[] = [
  {
    name: "Docker: the processes of a container",
    endpoint: endpoint("GET /containers/{id}/top", {
      200: json(object({ Titles: list(text), Processes: list(list(text)) })),
    }),
    input: { id: "one" },
    response: ok({ Processes: [["root", "22210", "/hello x"]], Titles: ["UID", "PID", "CMD"] }),
  },
  {
    name: "Docker: a created container and its warnings",
    endpoint: endpoint(
      "POST /containers/create",
      { 201: json(object({ Id: text, Warnings: list(text) })) },
      { body: object({ Image: text }) },
    ),
    input: { Image: "hello:1" },
    response: {
      status: 201,
      body: { Id: "25da633c615b7cd55207", Warnings: ["No swap limit support"] },
    },
  },
  {
    name: "Docker: what was untagged",
    endpoint: endpoint("DELETE /images/{name}", {
      200: json(list(object({ Untagged: text, Deleted: text }))),
    }),
    input: { name: "hello:1" },
    response: ok([{ Untagged: "hello:1" }]),
  },
  {
    name: "etcd: a range of keys",
    endpoint: endpoint(
      "POST /v3/kv/range",
      { 200: json(object({ kvs: list(object({ key: text, value: text })), count: text })) },
      { body: object({ key: text }) },
    ),
    input: { key: "YQ==" },
    response: ok({
      header: { cluster_id: "3423403665385592350", revision: "3" },
      kvs: [{ key: "YQ==", create_revision: "2", version: "2", value: "Mg==" }],
      count: "1",
    }),
  },
  {
    name: "etcd: a deletion of nothing",
    endpoint: endpoint(
      "POST /v3/kv/deleterange",
      { 200: json(object({ deleted: text })) },
      { body: object({ key: text }) },
    ),
    input: { key: "bm9uZQ==" },
    response: ok({ header: { revision: "3" } }),
    never: [/deleted|removed/i],
  },
  {
    name: "etcd: a transaction that took the other branch",
    endpoint: endpoint(
      "POST /v3/kv/txn",
      { 200: json(object({ succeeded: flag, responses: list(object({})) })) },
      { body: object({ compare: list(object({ key: text })) }) },
    ),
    input: { compare: [{ key: "YQ==" }] },
    response: ok({ header: { revision: "5" }, succeeded: false, responses: [] }),
  },
  {
    name: "Alertmanager: a silence that has expired",
    endpoint: endpoint("GET /silence/{silenceID}", {
      200: json(object({ id: text, status: object({ state: text }), comment: text })),
    }),
    input: { silenceID: "375bb6cd-2e65-4817-82e9-1bb75e59bb38" },
    response: ok({
      id: "375bb6cd-2e65-4817-82e9-1bb75e59bb38",
      status: { state: "expired" },
      updatedAt: "2026-11-23T20:11:58.122Z",
      comment: "c",
      matchers: [{ isEqual: true, isRegex: false, name: "disk", value: "sda" }],
    }),
  },
  {
    name: "PowerDNS: records that a search finds",
    endpoint: endpoint(
      "GET /search-data",
      { 200: json(list(object({ name: text, content: text, object_type: text }))) },
      { query: { q: text, max: integer } },
    ),
    input: { q: "*rack*", max: 5 },
    response: ok([
      {
        content: '"rack 12, shelf 4"',
        disabled: false,
        name: "host-217.archive.example.",
        object_type: "record",
        ttl: 900,
      },
    ]),
  },
  {
    name: "PowerDNS: a search without a hit",
    endpoint: endpoint(
      "GET /search-data",
      { 200: json(list(object({ name: text }))) },
      { query: { q: text, max: integer } },
    ),
    input: { q: "*none*", max: 5 },
    response: ok([]),
  },
  {
    name: "PowerDNS: a flushed cache with a count of 0",
    endpoint: endpoint(
      "PUT /cache/flush",
      { 200: json(object({ count: { type: "number" }, result: text })) },
      { query: { domain: text } },
    ),
    input: { domain: "harbor.example." },
    response: ok({ count: 0, result: "Flushed cache." }),
  },
  {
    name: "Etherpad: success in an envelope without data",
    endpoint: endpoint(
      "GET /createPad",
      { 200: json(object({ code: integer, message: text, data: object({}) })) },
      { query: { padID: text } },
    ),
    input: { padID: "week 32" },
    response: ok({ code: 0, message: "ok", data: null }),
  },
  {
    name: "Etherpad: a long text with tabs and line breaks",
    endpoint: endpoint(
      "GET /getText",
      { 200: json(object({ code: integer, message: text, data: object({ text }) })) },
      { query: { padID: text } },
    ),
    input: { padID: "minutes-05" },
    response: ok({ code: 0, message: "ok", data: { text: "\t* Milk\n\t* Bread\n\n" } }),
  },
  {
    name: "Directus: counts in meta",
    endpoint: endpoint(
      "GET /items/stores",
      { 200: json(object({ data: list(object({ id: integer, name: text })) })) },
      { query: { limit: integer, meta: text } },
    ),
    input: { limit: 1, meta: "*" },
    response: ok({
      meta: { total_count: 137, filter_count: 27 },
      data: [{ id: 1, name: "Store 1", city: "Oslo", opened: 1960 }],
    }),
    never: [/all (?:of them|items)/i],
  },
  {
    name: "Unleash: statistics with numbers of 0",
    endpoint: endpoint("GET /lifecycle/count", {
      200: json(object({ initial: integer, live: integer, archived: integer })),
    }),
    response: ok({ initial: 1, preLive: 0, live: 0, completed: 0, archived: 0 }),
  },
];
