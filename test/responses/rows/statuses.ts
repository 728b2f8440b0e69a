import type { ResponseRow } from "../row.js";
import { bare, endpoint, json, object, text } from "../snippets.js";

const message = object({ message: text });
const grpcError = object({ error: text, code: { type: "integer" }, message: text });
const noSwarm =
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.';

const grpc = (
  path: string,
  input: Readonly<Record<string, unknown>>,
  [status, code, words]: readonly [number, number, string],
): ResponseRow => ({
  name: `etcd: ${words} at ${path}`,
  endpoint: endpoint(
    `POST ${path}`,
    { 200: json(object({})), default: json(grpcError, "Error") },
    {
      body: object(
        Object.fromEntries(Object.keys({ key: 0, ...input }).map((name) => [name, text])),
      ),
    },
  ),
  input,
  response: { status, body: { error: words, message: words, code } },
  fails: true,
  says: [words],
  never: [/passing|temporary|later|server (?:error|fault)/i, /credentials/i],
});

/** Statuses whose meaning the document or the body explains. */
export const statuses: readonly ResponseRow[] = [
  {
    name: "Docker: 304 of a start",
    endpoint: endpoint("POST /containers/{id}/start", {
      204: bare("no error"),
      304: bare("container already started"),
    }),
    input: { id: "one" },
    response: { status: 304 },
    says: [/nothing changed/i, "container already started"],
  },
  {
    name: "Docker: 304 of a stop",
    endpoint: endpoint("POST /containers/{id}/stop", {
      204: bare("no error"),
      304: bare("container already stopped"),
    }),
    input: { id: "two" },
    response: { status: 304 },
    says: [/nothing changed/i, "container already stopped"],
  },
  {
    name: "Docker: a declared 503 of a read",
    endpoint: endpoint("GET /nodes", {
      200: json({ type: "array", items: object({ ID: text }) }),
      503: json(message, "node is not part of a swarm"),
    }),
    response: { status: 503, body: { message: noSwarm } },
    fails: true,
    says: [noSwarm, "node is not part of a swarm"],
    never: [/passing|temporary|wait a/i],
  },
  {
    name: "Docker: a declared 503 of a write",
    endpoint: endpoint("POST /swarm/leave", {
      200: bare("no error"),
      503: json(message, "node is not part of a swarm"),
    }),
    response: { status: 503, body: { message: "This node is not part of a swarm" } },
    fails: true,
    says: ["This node is not part of a swarm"],
    never: [/passing|temporary|may or may not/i],
  },
  grpc("/v3/kv/range", {}, [400, 3, "etcdserver: key is not provided"]),
  grpc("/v3/lease/grant", { ID: "7", TTL: "60" }, [412, 9, "etcdserver: lease already exists"]),
  grpc("/v3/auth/role/get", { role: "none" }, [412, 9, "etcdserver: role name not found"]),
  grpc("/v3/auth/enable", {}, [412, 9, "etcdserver: root user does not have root role"]),
  grpc("/v3/kv/compaction", { revision: "99999" }, [
    400,
    11,
    "etcdserver: mvcc: required revision is a future revision",
  ]),
  grpc("/v3/maintenance/transfer-leadership", { targetID: "1" }, [
    412,
    9,
    "etcdserver: bad leader transferee",
  ]),
  {
    name: "Docker: 409 of a second pause",
    endpoint: endpoint("POST /containers/{id}/pause", { 204: bare("no error") }),
    input: { id: "one" },
    response: { status: 409, body: { message: "Container 25da633c615b is already paused" } },
    fails: true,
    says: ["Container 25da633c615b is already paused"],
  },
  {
    name: "Docker: 500 for a wrong name of a repository",
    endpoint: endpoint(
      "POST /images/{name}/tag",
      { 201: bare("No error"), 500: json(message, "Server error") },
      { query: { repo: text } },
    ),
    input: { name: "hello:1", repo: "BAD" },
    response: {
      status: 500,
      body: { message: "invalid reference format: repository name must be lowercase" },
    },
    fails: true,
    says: ["invalid reference format: repository name must be lowercase"],
    never: [/passing|temporary/i],
  },
  {
    name: "Docker: 500 for a wrong number",
    endpoint: endpoint(
      "GET /containers/json",
      {
        200: json({ type: "array", items: object({ Id: text }) }),
        500: json(message, "server error"),
      },
      { query: { limit: text } },
    ),
    input: { limit: "x" },
    response: { status: 500, body: { message: 'strconv.Atoi: parsing "x": invalid syntax' } },
    fails: true,
    says: ['strconv.Atoi: parsing "x": invalid syntax'],
    requests: 1,
  },
  {
    name: "Homebridge UI: 503 for a PUT that restarts",
    endpoint: endpoint("PUT /server/restart/{deviceId}", { 200: bare("") }),
    input: { deviceId: "0E213A4B5C6D" },
    response: {
      status: 503,
      body: {
        message: "The Homebridge Service Is Unavailable",
        error: "Service Unavailable",
        statusCode: 503,
      },
    },
    fails: true,
    says: ["The Homebridge Service Is Unavailable", "may or may not have taken effect"],
    requests: 1,
  },
  {
    name: "Alertmanager: 500 with a JSON text for what does not exist",
    endpoint: endpoint("DELETE /silence/{silenceID}", {
      200: bare("OK"),
      500: json(text, "Internal server error"),
    }),
    input: { silenceID: "00000000-0000-0000-0000-000000000000" },
    response: { status: 500, type: "application/json", body: '"silence not found"\n' },
    fails: true,
    says: ["silence not found"],
  },
  {
    name: "Alertmanager: 400 with a JSON text",
    endpoint: endpoint(
      "GET /alerts",
      {
        200: json({ type: "array", items: object({ fingerprint: text }) }),
        400: json(text, "Bad request"),
      },
      { query: { filter: text } },
    ),
    input: { filter: "bad filter {" },
    response: {
      status: 400,
      type: "application/json",
      body: '"bad matcher format: bad filter {"\n',
    },
    fails: true,
    says: ["bad matcher format: bad filter {"],
  },
  {
    name: "Alertmanager: 422 with a code of its own",
    endpoint: endpoint(
      "POST /silences",
      { 200: json(object({ silenceID: text })) },
      { body: object({ comment: text }) },
    ),
    input: { comment: "c" },
    response: {
      status: 422,
      body: { code: 612, message: "matchers in body should have at least 1 items" },
    },
    fails: true,
    says: ["matchers in body should have at least 1 items"],
  },
  {
    name: "Unleash: 202 of a write without a body",
    endpoint: endpoint("DELETE /features/{name}", { 202: bare("This response has no body.") }),
    input: { name: "flag-60" },
    response: { status: 202 },
    says: ["202"],
    never: [/call \w+ again/i],
  },
  {
    name: "202 of a read, without an end in time",
    endpoint: endpoint("GET /reports/{id}", {
      200: json(object({ id: text })),
      202: bare("The report is being prepared."),
    }),
    input: { id: "7" },
    response: { status: 202, headers: { "retry-after": "60" } },
    says: [/not ready/i, /60 s/],
  },
  {
    name: "Directus: 422 of an unprocessable request",
    endpoint: endpoint(
      "POST /versions",
      { 200: json(object({ data: object({ id: text }) })) },
      { body: object({ collection: text, item: text, key: text }) },
    ),
    input: { collection: "stores", item: "1", key: "draft" },
    response: {
      status: 422,
      body: {
        errors: [
          {
            message:
              'Can\'t process content. Content Versioning is not enabled for collection "stores".',
            extensions: {
              reason: 'Content Versioning is not enabled for collection "stores"',
              code: "UNPROCESSABLE_CONTENT",
            },
          },
        ],
      },
    },
    fails: true,
    says: ['Content Versioning is not enabled for collection "stores"'],
  },
];
