/**
 * Group F: values that would take a server forever to look at. Through a generated server, over
 * stdio; a call that is never answered fails by the time limit of its test.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { type Connection, connect, type Generated, generated } from "./support/generated.js";
import { row } from "./support/transcript.js";

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
 * Every value of a tree is tried as each of its kinds: without care, twice as often on every level.
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

let server: Generated;
let upstream: Upstream;
let connection: Connection;
let answer: unknown = { ok: true };

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, answer)(response, request, count),
  );
  server = await generated(document);
  connection = await connect(server.file, { TREES_BASE_URL: upstream.url, LOG_LEVEL: "error" });
});
afterAll(async () => {
  connection.process.child.kill("SIGKILL");
  await Promise.all([server.remove(), upstream.close()]);
});

/** A chain of nodes, whose last is none when `kind` is not. */
function chain(levels: number, kind: string): object {
  let root: object = { kind };
  for (let level = 0; level < levels; level++) root = { kind: "or", child: root };
  return root;
}

row("F01", "alternatives inside of alternatives", async (say) => {
  answer = { root: chain(60, "none") };
  const right = await connection.call("create_plant_tree", { root: chain(60, "and") });
  expect(right.text).toMatch(/^\{/);
  const wrong = await connection.call("create_plant_tree", { root: chain(60, "none") });
  expect(wrong.text).toContain("Not sent");
  say(wrong.text);
});

row("F02", "a pattern with a way for every character", async (say) => {
  answer = { ok: true };
  const told = await connection.call("list_trees", { code: `${"a".repeat(39)}c` });
  expect(told.isError, "it is for the API to say").toBe(false);
  say(told.text);
});

row("F03", "a costly pattern, often", async (say) => {
  answer = { ok: true };
  const told = await connection.call("list_trees", {
    tags: Array.from({ length: 7000 }, () => `${" ".repeat(1400)}y`),
  });
  expect(told.text).toMatch(/^Not sent: \d+ problems/);
  say(told.text);
});

row("F04", "a header that is nearly all spaces", async (say) => {
  const trace = `a${"\t".repeat(1_000_000)}b`;
  const told = await connection.call("list_trees", { x_trace: `${trace} ` });
  expect(upstream.requests.at(-1)?.headers["x-trace"] === trace).toBe(true);
  say(told.text);
});
