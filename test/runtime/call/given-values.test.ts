import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const typeError = { message: "value must be a boolean" };
let upstream: Upstream;
let status = 400;
let message: object = typeError;
/** Rejects text, and accepts other values. */
let acceptsOthers = true;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const isText = request.body.includes('"value":"');
    const answer =
      isText || !acceptsOthers ? ([status, message] as const) : ([200, { ok: true }] as const);
    reply(...answer)(response, request, count);
  });
});
afterAll(() => upstream.close());

const setFlag = (contentType = "application/json", keywords = {}) =>
  toolOf({
    name: "set_flag",
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    properties: { value: { type: "string", ...keywords } },
    send: { method: "PUT", path: "/flag", body: { contentType, fields: { value: "value" } } },
    outputSchema: { type: "object", properties: { ok: { type: "boolean" } } },
  });

async function set(value: unknown, tool = setFlag()) {
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, tool, { value });
  const sent = upstream.requests.slice(before).map(({ body }) => body);
  return { result, sent, text: textOf(result) };
}

test("a number is sent as given where the API rejects it as the documented text", async () => {
  const { result, sent, text } = await set(5);
  expect(sent).toEqual(['{"value":"5"}', '{"value":5}']);
  expect(result.isError).toBeUndefined();
  expect(text).toContain("The API rejected value as text");
  expect(result.structuredContent).toMatchObject({ ok: true, notes: [expect.any(String)] });
});

test.each([true, false])("%s is sent as given at once, with a note", async (value) => {
  const { sent, text } = await set(value);
  expect(sent).toEqual([`{"value":${value}}`]);
  expect(text).toContain(
    `value as ${value} was sent as given, although the API's description declares text.`,
  );
});

test.each([
  ["a documented list of texts", { enum: ["true", "false"] }, "application/json"],
  ["a form", {}, "application/x-www-form-urlencoded"],
])("a boolean becomes text in %s", async (_, keywords, contentType) => {
  const tool = setFlag(contentType, keywords);
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  await callTool(server, tool, { value: true });
  const [sent] = upstream.requests.slice(before);
  expect(sent?.body).toBe(contentType === "application/json" ? '{"value":"true"}' : "value=true");
});

test("a boolean that the API rejects is sent as the documented text", async () => {
  const strict = await startUpstream((response, request, count) => {
    const isText = request.body.includes('"true"');
    reply(isText ? 200 : 400, isText ? { ok: true } : { message: "value must be a string" })(
      response,
      request,
      count,
    );
  });
  const tool = setFlag();
  const server = createTestContext([tool], { CLINIC_BASE_URL: strict.url });
  const text = textOf(await callTool(server, tool, { value: true }));
  await strict.close();
  expect(strict.requests.map(({ body }) => body)).toEqual(['{"value":true}', '{"value":"true"}']);
  expect(text).toContain("The API rejected value as given, so the text");
});

test("later calls of the server send such a value as given at once", async () => {
  const server = createTestContext([setFlag()], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  for (const value of [5, 6]) await callTool(server, server.tools.find("set_flag"), { value });
  const sent = upstream.requests.slice(before).map(({ body }) => body);
  expect(sent).toEqual(['{"value":"5"}', '{"value":5}', '{"value":6}']);
});

test("a given text is not sent again", async () => {
  const { sent, result } = await set("true");
  expect(sent).toEqual(['{"value":"true"}']);
  expect(result.isError).toBe(true);
});

test("the failure of the second request is returned", async () => {
  acceptsOthers = false;
  const { sent, result, text } = await set(true);
  acceptsOthers = true;
  expect(sent).toHaveLength(2);
  expect(result.isError).toBe(true);
  expect(text).toContain("value must be a boolean");
});

test.each<readonly [string, number, object]>([
  ["the message is about something else", 400, { message: "the flag is locked" }],
  ["the request may have had an effect", 500, typeError],
  ["there is a conflict", 409, typeError],
])("a call is not repeated if %s", async (_, code, answer) => {
  [status, message] = [code, answer];
  const { sent } = await set(5);
  [status, message] = [400, typeError];
  expect(new Set(sent)).toEqual(new Set(['{"value":"5"}']));
});
