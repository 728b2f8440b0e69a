import { describe, expect, test } from "vitest";
import { readMessage } from "../../../../src/runtime/transport/http/messages.js";

const encoder = new TextEncoder();

/** As a request comes: in pieces. */
async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

const call = (input: string, meta = "{}"): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":${input},"_meta":${meta}}}`;
const list = (length: number, item: string): string =>
  `[${Array.from({ length }, () => item).join(",")}]`;
const object = (length: number, item: string): string =>
  `{${Array.from({ length }, (_, i) => `"k${i}":${item}`).join(",")}}`;

describe("a message", () => {
  test.each<readonly [string, string]>([
    ["a call", call('{"q":"x"}')],
    ["many values among the arguments", call(`{"q":${list(200_000, "0")}}`)],
    ["a file: large, and one value", call(`{"q":"${",[{".repeat(1_000_000)}"}`)],
    [
      "quotes and backslashes in texts",
      call(`{"q":${JSON.stringify('\\"'.repeat(300_000) + ",")}}`),
    ],
    ["something of a client", call("{}", object(500, "{}"))],
  ])("with %s is read", async (_, text) => {
    expect(await readMessage(pieces(text))).toMatchObject({ message: JSON.parse(text) as unknown });
  });

  test.each<readonly [string, string, RegExp]>([
    ["lists", call(`{"q":${list(260_000, "0")}}`), /more than 250000 values/],
    ["empty things", call(`{"q":${list(130_000, "{}")}}`), /more than 250000 values/],
    ["members", call(object(260_000, "0")), /more than 250000 values/],
    [
      "levels",
      call(`{"q":${"[".repeat(260_000)}${"]".repeat(260_000)}}`),
      /more than 250000 values/,
    ],
    [
      "what a client says of itself",
      call("{}", object(2100, "0")),
      /more than 2000 values outside of its arguments/,
    ],
    [
      "that, deep down",
      call("{}", `{"a":${list(300, '{"b":[0,1,2,3,4,5]}')}}`),
      /more than 2000 values outside of its arguments/,
    ],
    [
      "no object at all",
      `{"params":${list(2100, "0")}}`,
      /more than 2000 values outside of its arguments/,
    ],
    ["messages", ` [${call("{}")}]`, /batches are not supported/],
  ])("with too many %s is refused", async (_, text, why) => {
    const { reply } = await readMessage(pieces(text));
    expect(reply?.status).toBe(400);
    expect(JSON.parse(reply?.body ?? "")).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: expect.stringMatching(why) },
    });
  });

  test("too large a message is rejected", async () => {
    expect(await readMessage(pieces(`"${"x".repeat(10 * 1024 * 1024)}"`))).toMatchObject({
      reply: { status: 413 },
    });
  });

  test.each(["", "{", "\u0000", "nul"])("that is no JSON is left to the SDK: %j", async (text) => {
    expect(await readMessage(pieces(text))).toEqual({ body: encoder.encode(text) });
  });
});
