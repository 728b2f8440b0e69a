/**
 * Group G: secrets that could leak through URLs, responses or truncated texts. Runs a generated
 * server over stdio.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import {
  type Connection,
  connect,
  type GeneratedServer,
  generateServer,
} from "./support/generated.js";
import { scenario } from "./support/transcript.js";

const key = {
  name: "api_key",
  in: "query",
  required: true,
  description: "Your API key.",
  schema: { type: "string" },
};
const q = { name: "q", in: "query", schema: { type: "string" } };
const responsesOf = (mediaType: string): object => ({
  200: {
    description: "ok",
    content: {
      [mediaType]: { schema: { type: mediaType.endsWith("json") ? "object" : "string" } },
    },
  },
});

/** API keys declared as parameters instead of a security scheme. */
const document = {
  openapi: "3.1.0",
  info: { title: "Keys", version: "1" },
  servers: [{ url: "http://127.0.0.1:9/v1" }],
  paths: {
    "/notes": {
      get: {
        operationId: "getNotes",
        parameters: [q, key],
        responses: responsesOf("application/json"),
      },
    },
    "/files/latest": {
      get: {
        operationId: "getFile",
        parameters: [q, key],
        responses: responsesOf("application/pdf"),
      },
    },
    "/pages/latest": {
      get: {
        operationId: "getPage",
        parameters: [
          { name: "X-Api-Key", in: "header", required: true, schema: { type: "string" } },
        ],
        responses: responsesOf("text/plain"),
      },
    },
  },
};

let server: GeneratedServer;
let upstream: Upstream;
let connection: Connection;
let answer: Answer;
const secret = "hunter2-k/e+y";

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => answer(response, request, count));
  server = await generateServer(document);
  connection = await connect(server.file, {
    KEYS_BASE_URL: upstream.url,
    KEYS_API_KEY: secret,
    KEYS_API_KEY_2: secret,
    LOG_LEVEL: "debug",
  });
});
afterAll(async () => {
  connection.process.child.kill("SIGKILL");
  await Promise.all([server.remove(), upstream.close()]);
});

/**
 * Calls a tool and checks the secret: the request has it, and the result has at most its first
 * three characters.
 */
async function callWithoutLeak(tool: string, input: object): Promise<string> {
  const { text, raw } = await connection.call(tool, input);
  const { url, headers } = upstream.requests.at(-1)!;
  expect([new URL(url, upstream.url).searchParams.get("api_key"), headers["x-api-key"]]).toContain(
    secret,
  );
  expect(raw).not.toContain("hunt");
  return text;
}

scenario("G01", "keys in the URLs of failed calls, truncated at any position", async (record) => {
  answer = (response, { url }) =>
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ message: `No: ${url}` }));
  record(await callWithoutLeak("get_notes", {}));
  for (let length = 230; length < 290; length++)
    await callWithoutLeak("get_notes", { q: "x".repeat(length) });
  for (let length = 1950; length < 2000; length++)
    await callWithoutLeak("get_notes", { q: "x".repeat(length) });
});

scenario("G02", "keys in responses", async (record) => {
  answer = (response, { url, headers }) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ url, headers }));
  record(await callWithoutLeak("get_notes", {}));
  answer = (response, { headers }) =>
    response
      .writeHead(200, { "content-type": "text/plain" })
      .end(`Your key is ${String(headers["x-api-key"])}.`);
  record(await callWithoutLeak("get_page", {}));
});

scenario("G03", "keys in the URL of a file and of a redirect", async (record) => {
  answer = reply(200, Buffer.from("%PDF"), { "content-type": "application/pdf" });
  record(await callWithoutLeak("get_file", {}));
  answer = reply(302, "", { location: "http://other.test/" });
  record(await callWithoutLeak("get_file", {}));
});
