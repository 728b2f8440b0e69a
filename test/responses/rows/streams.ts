import type { ResponseRow } from "../row.js";
import { endpoint, integer, json, object, text } from "../snippets.js";

const watch = endpoint(
  "POST /v3/watch",
  { 200: json(object({ result: object({ created: { type: "boolean" } }) })) },
  { body: object({ create_request: object({ key: text }) }) },
);
const events = endpoint("GET /events", { 200: json(object({ Type: text, Action: text })) });

const noAdvice = [/retry|again/i];

/** Responses that do not end within the deadline. */
export const streams: readonly ResponseRow[] = [
  {
    name: "etcd: a watch that stays open",
    endpoint: watch,
    input: { create_request: { key: "YQ==" } },
    response: {
      status: 200,
      type: "application/json",
      body: '{"result":{"header":{"revision":"5"},"created":true}}\n',
      open: true,
    },
    says: [/still open/],
    never: noAdvice,
  },
  {
    name: "Docker: no event in time",
    endpoint: events,
    response: { status: 200, type: "application/json", open: true },
    says: [/[Nn]o event/],
    never: noAdvice,
  },
  {
    name: "Docker: two events, and more to come",
    endpoint: events,
    response: {
      status: 200,
      type: "application/json",
      body: '{"Type":"image","Action":"tag"}\n{"Type":"container","Action":"die"}\n',
      open: true,
    },
    says: [/still open/],
    never: noAdvice,
  },
  {
    name: "Docker: statistics without a content type",
    endpoint: endpoint("GET /containers/{id}/stats", {
      200: json(object({ read: text, pids: integer })),
    }),
    input: { id: "one" },
    response: {
      status: 200,
      body: Buffer.from('{"read":"2026-11-23T20:11:46Z","pids":1}\n'),
      open: true,
    },
    says: [/still open/, "2026-11-23T20:11:46Z"],
    never: noAdvice,
  },
];
