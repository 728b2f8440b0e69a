/**
 * Group G: secrets that could come to light by where they stand, or by where a text is cut. Through
 * a generated server, over stdio.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { type Connection, connect, type Generated, generated } from "./support/generated.js";
import { row } from "./support/transcript.js";

const key = {
  name: "api_key",
  in: "query",
  required: true,
  description: "Your API key.",
  schema: { type: "string" },
};
const q = { name: "q", in: "query", schema: { type: "string" } };
const answers = (mediaType: string): object => ({
  200: {
    description: "ok",
    content: {
      [mediaType]: { schema: { type: mediaType.endsWith("json") ? "object" : "string" } },
    },
  },
});

/** Keys that it asks for as parameters; no security scheme says so. */
const document = {
  openapi: "3.1.0",
  info: { title: "Keys", version: "1" },
  servers: [{ url: "http://127.0.0.1:9/v1" }],
  paths: {
    "/notes": {
      get: {
        operationId: "getNotes",
        parameters: [q, key],
        responses: answers("application/json"),
      },
    },
    "/files/latest": {
      get: { operationId: "getFile", parameters: [q, key], responses: answers("application/pdf") },
    },
    "/pages/latest": {
      get: {
        operationId: "getPage",
        parameters: [
          { name: "X-Api-Key", in: "header", required: true, schema: { type: "string" } },
        ],
        responses: answers("text/plain"),
      },
    },
  },
};

let server: Generated;
let upstream: Upstream;
let connection: Connection;
let answer: Answer;
const secret = "hunter2-k/e+y";

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => answer(response, request, count));
  server = await generated(document);
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
 * The call was sent with its key, and nothing that came of it has more of that than three
 * characters.
 */
async function kept(tool: string, input: object): Promise<string> {
  const { text, raw } = await connection.call(tool, input);
  const { url, headers } = upstream.requests.at(-1)!;
  expect([new URL(url, upstream.url).searchParams.get("api_key"), headers["x-api-key"]]).toContain(
    secret,
  );
  expect(raw).not.toContain("hunt");
  return text;
}

row("G01", "keys in the addresses of failed calls, wherever they are cut", async (say) => {
  answer = (response, { url }) =>
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ message: `No: ${url}` }));
  say(await kept("get_notes", {}));
  for (let length = 230; length < 290; length++) await kept("get_notes", { q: "x".repeat(length) });
  for (let length = 1950; length < 2000; length++)
    await kept("get_notes", { q: "x".repeat(length) });
});

row("G02", "keys in answers", async (say) => {
  answer = (response, { url, headers }) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ url, headers }));
  say(await kept("get_notes", {}));
  answer = (response, { headers }) =>
    response
      .writeHead(200, { "content-type": "text/plain" })
      .end(`Your key is ${String(headers["x-api-key"])}.`);
  say(await kept("get_page", {}));
});

row("G03", "keys in the address of a file, and of a redirect", async (say) => {
  answer = reply(200, Buffer.from("%PDF"), { "content-type": "application/pdf" });
  say(await kept("get_file", {}));
  answer = reply(302, "", { location: "http://other.test/" });
  say(await kept("get_file", {}));
});
