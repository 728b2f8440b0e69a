import { createServer } from "node:net";
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream } from "../support/upstream.js";

const strict = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, p: { type: "string" } },
};
const limits = {
  CLINIC_MAX_RESPONSE_BYTES: "1000000",
  CLINIC_TOKEN: "hunter2-bearer",
  CLINIC_API_KEY: "hunter2-key",
};

/** An API that answers on the level of TCP, once per connection. */
async function rawUpstream(answer: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(answer));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

describe("an API with invalid HTTP responses", () => {
  test.each<readonly [string, string, string]>([
    ["something else", "SSH-2.0-OpenSSH_9.6\r\n", "the API's response is not valid HTTP"],
    [
      "two lengths",
      'HTTP/1.1 200 OK\r\nContent-Length: 8\r\nContent-Length: 9\r\n\r\n{"id":1}',
      "the API's response does not have the length that it declares",
    ],
    [
      "endless headers",
      `HTTP/1.1 200 OK\r\nX-Big: ${"a".repeat(1_000_000)}\r\n\r\n`,
      "the headers of the API's response are too large",
    ],
    ["nothing", "", "the API closed the connection"],
    ["nothing, as HTTPS does", "", "tell the user to check that CLINIC_BASE_URL (now http://"],
    [
      "an alert of TLS",
      "\x15\x03\x03\x00\x02\x02\x46",
      "to check that CLINIC_BASE_URL (now http://",
    ],
    [
      "too little",
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"id":1}',
      "the API closed the connection",
    ],
    [
      "no type",
      'HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{"id":1}',
      '{"id":1}',
    ],
    [
      "two types",
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Type: text/html\r\nContent-Length: 8\r\nConnection: close\r\n\r\n{"id":1}',
      '{"id":1}',
    ],
  ])("%s", async (_, answer, text) => {
    const upstream = await rawUpstream(answer);
    expect(
      textOf(
        await call(
          toolOf({ outputSchema: strict }),
          {},
          { env: { ...limits, CLINIC_BASE_URL: upstream.url } },
        ),
      ),
    ).toContain(text);
    upstream.close();
  });
});

describe("an API with compressed responses", () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20), { level: 9 });

  test.each<readonly [string, Buffer, string, string]>([
    ["as it should", gzipSync('{"id":1}'), "gzip", '{"id":1}'],
    ["what is large when it is unpacked", bomb, "gzip", "the response is larger than 1 MB"],
    [
      "not at all, although it says so",
      Buffer.from("not gzip"),
      "gzip",
      "the API's response is not compressed as its Content-Encoding states",
    ],
    ["half", gzipSync('{"id":1}').subarray(0, 12), "gzip", "the response is not JSON"],
    ["ten times", Buffer.from("x"), Array(10).fill("gzip").join(", "), "failed: "],
    ["in its own way", deflateRawSync('{"id":1}'), "x-own", "the response is not JSON"],
  ])("%s", async (_, body, encoding, text) => {
    const upstream = await startUpstream(
      reply(200, body, { "content-type": "application/json", "content-encoding": encoding }),
    );
    const before = process.memoryUsage().rss;
    expect(
      textOf(
        await call(
          toolOf({ outputSchema: strict }),
          {},
          { env: { ...limits, CLINIC_BASE_URL: upstream.url } },
        ),
      ),
    ).toContain(text);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    await upstream.close();
  });
});
