import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyTool } from "../../../src/runtime/index.js";
import { textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import { type Asked, connect, optionsOf } from "./asking.js";

/** One approval covers a request without a body, and the one with `{}` that replaces it. */
const missingBody = { message: "Cannot destructure property 'expiry' of 'req.body'" };
let upstream: Upstream;
let afterBody: readonly [number, object] = [200, { pinned: true }];
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const answer = request.body === "" ? ([400, missingBody] as const) : afterBody;
    reply(...answer)(response, request, count);
  });
});
afterAll(() => upstream.close());

const pinTopic = toolOf({
  name: "pin_topic",
  title: "Pin a topic",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  properties: { topic: { type: "string" }, expiry: { type: "number" } },
  send: {
    method: "PUT",
    path: "/topics/{topic}/pin",
    pathParams: { topic: "topic" },
    body: { contentType: "application/json", fields: { expiry: "expiry" } },
  },
  outputSchema: { type: "object", properties: { pinned: { type: "boolean" } } },
}) as AnyTool;

async function pin(revision: string, confirm: boolean) {
  const asked: Asked[] = [];
  const options = optionsOf(upstream.url, {}, { tools: [pinTopic] });
  const forms = { elicitation: { form: {} } };
  const client = await connect(options, "stdio", revision, forms, (one) => {
    asked.push(one);
    return { action: "accept", content: { confirm } };
  });
  const before = upstream.requests.length;
  const result = await client.callTool({ name: "pin_topic", arguments: { topic: "7" } });
  await client.close();
  const sent = upstream.requests.slice(before).map(({ body }) => body);
  return { asked, sent, text: textOf(result as never), isError: result.isError ?? false };
}

describe.each(["2025-11-25", "2026-07-28"])("%s", (revision) => {
  test("the user is asked once, and both requests are sent", async () => {
    const { asked, sent, text, isError } = await pin(revision, true);
    expect(asked).toHaveLength(1);
    expect(sent).toEqual(["", "{}"]);
    expect(isError).toBe(false);
    expect(text).toContain("so `{}` was sent");
  });

  test("a second rejection is returned as it is", async () => {
    afterBody = [400, missingBody];
    const { asked, sent, text } = await pin(revision, true);
    afterBody = [200, { pinned: true }];
    expect(asked).toHaveLength(1);
    expect(sent).toEqual(["", "{}"]);
    expect(text).toContain("Cannot destructure");
    expect(text).not.toContain("already changed");
  });

  test("nothing is sent after a no", async () => {
    expect((await pin(revision, false)).sent).toEqual([]);
  });
});
