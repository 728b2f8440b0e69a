import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { testNodePlatform } from "../support/by-node.js";
import { call as callBy, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

/** Sends chunks and leaves the response open. */
const open =
  (type: string | undefined, ...chunks: readonly (string | Uint8Array)[]): Answer =>
  (response) => {
    response.writeHead(200, type === undefined ? {} : { "content-type": type }).flushHeaders();
    for (const chunk of chunks) response.write(chunk);
  };

const list = toolOf({
  read: { wrap: "items" },
  outputSchema: { type: "object", properties: { items: { type: "array" } } },
});
const watch = toolOf({});
const STILL_OPEN = "The stream was still open after 0.4 s. This is what had arrived.";
const NO_EVENT = "No event arrived within 0.4 s. The stream was still open.";
const frame = Buffer.from([1, 0, 0, 0, 0, 0, 0, 6, ...Buffer.from("ready\n")]);

describe.each([
  ["undici", testNodePlatform],
  ["fetch", {}],
] as const)("by %s", (_, platform) => {
  // The first request loads the client, which may take longer than the deadline of these calls.
  beforeAll(async () => {
    upstream = await startUpstream(reply(200, {}));
    await callBy(watch, {}, { env: { CLINIC_BASE_URL: upstream.url }, platform });
    await upstream.close();
  });

  async function answerTo(tool: typeof watch, answer: Answer, bytes = "1000000") {
    upstream = await startUpstream(answer);
    const env = {
      CLINIC_BASE_URL: upstream.url,
      CLINIC_TIMEOUT_MS: "400",
      CLINIC_MAX_RESPONSE_BYTES: bytes,
    };
    return callBy(tool, {}, { env, platform });
  }

  test.each<readonly [string, typeof watch, Answer, readonly string[]]>([
    [
      "events",
      list,
      open("text/event-stream", "data: a\n\ndata: b\n\ndata: cu"),
      ['{"items":[{"data":"a"},{"data":"b"}]}', STILL_OPEN],
    ],
    ["no events", list, open("text/event-stream"), ['{"items":[]}', NO_EVENT]],
    [
      "lines of JSON",
      list,
      open("application/x-ndjson", '{"id":1}\n', '{"id":'),
      ['{"items":[{"id":1}]}', "incomplete", STILL_OPEN],
    ],
    [
      "JSON values in a row",
      watch,
      open("application/json", '{"result":{"created":true}}\n', '{"result":{"kv":1}}\n'),
      ['[{"result":{"created":true}},{"result":{"kv":1}}]', STILL_OPEN],
    ],
    [
      "one JSON value",
      watch,
      open("application/json", '{"result":{"created":true}}\n'),
      ['{"result":{"created":true}}', STILL_OPEN],
    ],
    ["text", watch, open("text/plain", "line 1\n"), ["line 1", STILL_OPEN]],
    [
      "framed text",
      watch,
      open("application/vnd.docker.multiplexed-stream", frame),
      ["ready", STILL_OPEN],
    ],
    ["headers alone", watch, open("application/json"), [NO_EVENT]],
    ["headers without a type", watch, open(undefined), [NO_EVENT]],
    [
      "headers alone, of a watch with a schema",
      { ...list, name: "watch_pets" },
      open("application/json"),
      [NO_EVENT],
    ],
  ])("at the deadline, a stream is its beginning: %s", async (_, tool, answer, want) => {
    const result = await answerTo(tool, answer);
    expect(result.isError, textOf(result)).toBeUndefined();
    for (const text of want) expect(textOf(result)).toContain(text);
    expect(textOf(result)).not.toMatch(/again|retry|Done/);
    await expect.poll(() => upstream.open()).toBe(0);
  });

  test("headers alone are a timeout where a document was to come", async () => {
    const result = await answerTo(list, open("application/json"));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("get_pet timed out after");
  });

  test.each<readonly [string, Answer]>([
    ["the beginning of one JSON value", open("application/json", '{"items":[{"id":1},')],
    [
      "a document of known length",
      (response) =>
        void response
          .writeHead(200, { "content-type": "text/plain", "content-length": "10" })
          .write("half"),
    ],
    ["bytes", open("application/octet-stream", Buffer.from([0, 1, 2, 3, 250]))],
  ])("at the deadline, a document is not: %s", async (_, answer) => {
    const result = await answerTo(watch, answer);
    expect(textOf(result)).toContain("get_pet timed out after 1 s");
  });

  test("beyond the size limit, a sequence is its beginning", async () => {
    const answer = open("application/x-ndjson", `${'{"id":1}\n'.repeat(200)}`);
    const result = await answerTo(list, answer, "1000");
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain("The response is longer than 1000 bytes.");
    const { items } = result.structuredContent as { readonly items: readonly unknown[] };
    expect(items).toHaveLength(111);
  });

  test("beyond the size limit, a document is a failure", async () => {
    const answer = open("application/json", `["${"x".repeat(2000)}`);
    expect(textOf(await answerTo(watch, answer, "1000"))).toContain("larger than 1000 bytes");
  });

  test("an error whose body does not end is that error", async () => {
    const answer: Answer = (response) =>
      void response.writeHead(409, { "content-type": "text/plain" }).write("in use");
    const text = textOf(await answerTo(watch, answer));
    expect(text).toContain("409 Conflict");
    expect(text).toContain('The API says: "in use"');
  });
});
