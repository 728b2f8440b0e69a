/**
 * Group F: values with an exponential or quadratic cost of validation. Runs a generated server over
 * stdio. A call that is never answered fails by the time limit of its test.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import {
  type Connection,
  connect,
  type GeneratedServer,
  generateServer,
} from "./support/generated.js";
import { scenario } from "./support/transcript.js";

const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const node = (kind: string): object => ({
  type: "object",
  required: ["kind"],
  properties: {
    kind: { const: kind },
    note: { type: "string" },
    child: { $ref: "#/components/schemas/Node" },
  },
});

/**
 * Recursive alternatives: validation tries every node as each kind. Without precautions the work
 * doubles on every level.
 */
const document = {
  openapi: "3.1.0",
  info: { title: "Trees", version: "1" },
  servers: [{ url: "http://127.0.0.1:9/v1" }],
  components: { schemas: { Node: { oneOf: [node("and"), node("or"), node("not")] } } },
  paths: {
    "/trees": {
      post: {
        operationId: "plantTree",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["root"],
            properties: { root: { $ref: "#/components/schemas/Node" } },
          }),
        },
        responses: {
          200: {
            description: "ok",
            ...json({
              type: "object",
              properties: { root: { $ref: "#/components/schemas/Node" } },
            }),
          },
        },
      },
      get: {
        operationId: "listTrees",
        parameters: [
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          {
            name: "code",
            in: "query",
            schema: { type: "string", pattern: `^${"(?:a|[ab])".repeat(40)}$` },
          },
          {
            name: "tags",
            in: "query",
            schema: { type: "array", items: { type: "string", pattern: "\\s+$" } },
          },
        ],
        responses: {
          200: {
            description: "ok",
            ...json({ type: "object", properties: { ok: { type: "boolean" } } }),
          },
        },
      },
    },
  },
};

let server: GeneratedServer;
let upstream: Upstream;
let connection: Connection;
let answer: unknown = { ok: true };

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, answer)(response, request, count),
  );
  server = await generateServer(document);
  connection = await connect(server.file, { TREES_BASE_URL: upstream.url, LOG_LEVEL: "error" });
});
afterAll(async () => {
  connection.process.child.kill("SIGKILL");
  await Promise.all([server.remove(), upstream.close()]);
});

/** Chain of nodes. The last one has the given kind, which may be invalid. */
function chain(levels: number, kind: string): object {
  let root: object = { kind };
  for (let level = 0; level < levels; level++) root = { kind: "or", child: root };
  return root;
}

scenario("F01", "nested alternatives", async (record) => {
  answer = { root: chain(60, "none") };
  const validCall = await connection.call("create_plant_tree", { root: chain(60, "and") });
  expect(validCall.text).toMatch(/^\{/);
  const invalidCall = await connection.call("create_plant_tree", { root: chain(60, "none") });
  expect(invalidCall.text).toContain("Not sent");
  record(invalidCall.text);
});

scenario("F02", "a pattern with exponential backtracking", async (record) => {
  answer = { ok: true };
  const result = await connection.call("list_trees", { code: `${"a".repeat(39)}c` });
  expect(result.isError, "the API validates it").toBe(false);
  record(result.text);
});

scenario("F03", "a costly pattern, applied to 7,000 items", async (record) => {
  answer = { ok: true };
  const result = await connection.call("list_trees", {
    tags: Array.from({ length: 7000 }, () => `${" ".repeat(1400)}y`),
  });
  expect(result.text).toMatch(/^Not sent: \d+ problems/);
  record(result.text);
});

scenario("F04", "a header of 1 MB that consists of tabs", async (record) => {
  const trace = `a${"\t".repeat(1_000_000)}b`;
  const result = await connection.call("list_trees", { x_trace: trace });
  expect(upstream.requests.at(-1)?.headers["x-trace"] === trace).toBe(true);
  record(result.text);
});
