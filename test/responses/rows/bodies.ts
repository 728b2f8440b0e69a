import type { ResponseRow } from "../row.js";
import { bare, endpoint, integer, json, list, object, text } from "../snippets.js";

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** Two frames of eight bytes and a text: the first of standard error, the second of output. */
const frames = Buffer.from("AgAAAAAAAApoZWxsbyBlcnIKAQAAAAAAAApoZWxsbyBvdXQK", "base64");

const build = endpoint("POST /build", { 200: bare("no error") }, { query: { t: text } });
const binary = { type: "string", format: "binary" };
const event = object({ Type: text, Action: text, time: integer });

const missingFile =
  "COPY failed: file not found in build context or excluded by .dockerignore: stat nothere: file does not exist";
const missingImage = "An image does not exist locally with the tag: 127.0.0.1:1/x";

/** Bodies of other kinds than the document declares. */
export const bodies: readonly ResponseRow[] = [
  {
    name: "Docker: the lines of a build",
    endpoint: build,
    input: { t: "built:1" },
    response: {
      status: 200,
      type: "application/json",
      body: lines(
        { stream: "Step 1/3 : FROM scratch" },
        { stream: " ---> 47ac5fa44f96" },
        { aux: { ID: "sha256:870e4d692c5f" } },
        { stream: "Successfully tagged built:1" },
      ),
    },
  },
  {
    name: "opencode: TypeScript as the video of its suffix",
    endpoint: endpoint("GET /fs/read", { 200: bare("The file") }),
    response: {
      status: 200,
      type: "video/mp2t",
      body: "export function greet(name: string) {\n  return name;\n}\n",
    },
    says: ["export function greet(name: string)", "video/mp2t"],
  },
  {
    name: "Docker: a build that fails after its first lines",
    endpoint: build,
    input: { t: "bad" },
    response: {
      status: 200,
      type: "application/json",
      body: lines(
        { stream: "Step 2/2 : COPY nothere /x" },
        { errorDetail: { message: missingFile }, error: missingFile },
      ),
    },
    fails: true,
    says: [missingFile],
  },
  {
    name: "Docker: a push of what is not there",
    endpoint: endpoint("POST /images/{name}/push", { 200: bare("No error") }),
    input: { name: "127.0.0.1:1-x" },
    response: {
      status: 200,
      type: "application/json",
      body: lines(
        { status: "The push refers to repository [127.0.0.1:1/x]" },
        { errorDetail: { message: missingImage }, error: missingImage },
      ),
    },
    fails: true,
    says: [missingImage],
  },
  {
    name: "Docker: events in a row where one is declared",
    endpoint: endpoint("GET /events", { 200: json(event) }),
    response: {
      status: 200,
      type: "application/json",
      body: lines(
        { Type: "image", Action: "tag", time: 1795464710 },
        { Type: "container", Action: "start", time: 1795464711 },
      ),
    },
  },
  {
    name: "etcd: a cancelled watch is two values",
    endpoint: endpoint(
      "POST /v3/watch",
      { 200: json(object({ result: object({ created: { type: "boolean" } }) })) },
      {
        body: object({ create_request: object({ key: text }) }),
      },
    ),
    input: { create_request: { key: "YQ==" } },
    response: {
      status: 200,
      type: "application/json",
      body: lines(
        { result: { header: { revision: "5" }, created: true } },
        { result: { header: { raft_term: "2" }, canceled: true, compact_revision: "3" } },
      ),
    },
  },
  {
    name: "etcd: one value with a line break",
    endpoint: endpoint(
      "POST /v3/lease/keepalive",
      { 200: json(object({ result: object({ ID: text, TTL: text }) })) },
      { body: object({ ID: text }) },
    ),
    input: { ID: "7" },
    response: {
      status: 200,
      type: "application/json",
      body: lines({ result: { ID: "7", TTL: "60" } }),
    },
  },
  {
    name: "Docker: logs in frames, without a content type",
    endpoint: endpoint(
      "GET /containers/{id}/logs",
      {
        200: {
          description: "logs",
          content: { "application/json": { schema: binary } },
        },
      },
      { query: { stdout: { type: "boolean" } } },
    ),
    input: { id: "one", stdout: true },
    response: { status: 200, body: frames },
    says: ["hello err", "hello out"],
  },
  {
    name: "Docker: a plain text where the document has a text",
    endpoint: endpoint("GET /_ping", {
      200: { description: "OK", content: { "text/plain": { schema: text } } },
    }),
    response: { status: 200, type: "text/plain; charset=utf-8", body: "OK" },
  },
  {
    name: "Directus: a word of HTML where JSON is declared",
    endpoint: endpoint("GET /server/ping", { 200: json(object({ data: text })) }),
    response: { status: 200, type: "text/html; charset=utf-8", body: "pong" },
  },
  {
    name: "Unleash: CSV where JSON is declared",
    endpoint: endpoint("GET /statistics/csv", { 200: json(object({ users: integer })) }),
    response: {
      status: 200,
      type: "text/csv; charset=utf-8",
      body: '"version","users"\n"6.10.1",2\n',
    },
    partial: true,
    says: ['"version","users"', '"6.10.1",2'],
  },
  {
    name: "PowerDNS: a zone file where JSON text is declared",
    endpoint: endpoint("GET /zones/{zone_id}/export", { 200: json(text) }),
    input: { zone_id: "harbor.example." },
    response: {
      status: 200,
      type: "text/plain; charset=us-ascii",
      body: "harbor.example.\t3600\tIN\tMX\t10 mail.harbor.example.\nwww.harbor.example.\t300\tIN\tA\t192.0.2.77\n",
    },
  },
  {
    name: "text with the content type of JSON",
    endpoint: endpoint("GET /greeting", { 200: json(object({ greeting: text })) }),
    response: { status: 200, type: "application/json", body: "Hello, depot" },
  },
  {
    name: "Alertmanager: a JSON text",
    endpoint: endpoint("GET /greeting", { 200: json(text) }),
    response: { status: 200, type: "application/json", body: '"at least one label pair"\n' },
  },
  {
    name: "Docker: an empty list",
    endpoint: endpoint("GET /plugins", { 200: json(list(object({ Name: text }))) }),
    response: { status: 200, type: "application/json", body: "[]\n" },
  },
  {
    name: "etcd: an empty object",
    endpoint: endpoint(
      "POST /v3/maintenance/defragment",
      { 200: json(object({ header: object({ revision: text }) })) },
      { body: object({}) },
    ),
    response: { status: 200, body: {} },
  },
  {
    name: "Docker: the beginning and the end of a long error",
    endpoint: endpoint("GET /reports/{id}", { 200: json(object({ id: text })) }),
    input: { id: "7" },
    response: {
      status: 400,
      type: "text/plain",
      body: `begin of the output ${"line of output ".repeat(2000)} exit status 137`,
    },
    fails: true,
    says: ["begin of the output", "exit status 137"],
  },
  {
    name: "Docker: an archive of files",
    endpoint: endpoint("GET /containers/{id}/archive", {
      200: { description: "OK", content: { "application/x-tar": { schema: binary } } },
    }),
    input: { id: "one" },
    response: { status: 200, type: "application/x-tar", body: Buffer.from([104, 0, 1, 2, 255, 0]) },
    says: ["application/x-tar"],
  },
];
