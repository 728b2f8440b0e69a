import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

const undefinedBody = { message: "Cannot destructure property 'expiry' of 'req.body'" };
let upstream: Upstream;
let status = 400;
let message: object = undefinedBody;
let afterBody: readonly [number, object] = [200, { pinned: true }];
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const answer = request.body === "" ? ([status, message] as const) : afterBody;
    reply(...answer)(response, request, count);
  });
});
afterAll(() => upstream.close());

const pinTopic = (body: object = { fields: { expiry: "expiry" } }) =>
  toolOf({
    name: "pin_topic",
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    properties: { topic: { type: "string" }, expiry: { type: "number" } },
    send: {
      method: "PUT",
      path: "/topics/{topic}/pin",
      pathParams: { topic: "topic" },
      body: { contentType: "application/json", ...body },
    },
    outputSchema: { type: "object", properties: { pinned: { type: "boolean" } } },
  });

async function pin(input: object = { topic: "7" }, tool = pinTopic()) {
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, tool, input);
  const sent = upstream.requests.slice(before).map(({ body }) => body);
  return { result, sent, text: textOf(result) };
}

const note = "The API did not take the call without a body, so `{}` was sent.";

test("an empty object is sent where the API reads the body that was left out", async () => {
  const { result, sent, text } = await pin();
  expect(sent).toEqual(["", "{}"]);
  expect(result.structuredContent).toEqual({ pinned: true, notes: [note] });
  expect(text).toContain(note);
});

test("the message may stand in a list of errors", async () => {
  const detail = "No content to map due to end-of-input";
  message = {
    errors: [{ code: 10, source: { pointer: "/" }, title: "Error parsing JSON", detail }],
  };
  status = 422;
  const { sent } = await pin();
  [status, message] = [400, undefinedBody];
  expect(sent).toEqual(["", "{}"]);
});

test("the failure of the second request is returned, and no third one is sent", async () => {
  afterBody = [422, { message: "the body needs an expiry" }];
  const { result, sent, text } = await pin();
  afterBody = [200, { pinned: true }];
  expect(sent).toEqual(["", "{}"]);
  expect(result.isError).toBe(true);
  expect(text).toContain("the body needs an expiry");
});

test.each<readonly [string, number, object]>([
  ["the message is about something else", 400, { message: "the topic is locked" }],
  ["the request may have had an effect", 500, undefinedBody],
  ["there is a conflict", 409, undefinedBody],
])("a call is not repeated if %s", async (_, code, answer) => {
  [status, message] = [code, answer];
  const { sent, result } = await pin();
  [status, message] = [400, undefinedBody];
  expect(sent.every((body) => body === "")).toBe(true);
  expect(result.isError).toBe(true);
});

test("a call whose body was sent is not repeated", async () => {
  afterBody = [400, undefinedBody];
  const { sent } = await pin({ topic: "7", expiry: 5 });
  afterBody = [200, { pinned: true }];
  expect(sent).toEqual(['{"expiry":5}']);
});

test("a form is not repeated as an empty object", async () => {
  const form = { contentType: "application/x-www-form-urlencoded", fields: { expiry: "expiry" } };
  expect((await pin({ topic: "7" }, pinTopic(form))).sent).toEqual([""]);
});

test.each([
  ["/topics/{topic}", { topic: "7" }, "with the same input"],
  ["/settings", {}, "without input"],
])(
  "a PUT that may replace %s by an empty thing sends `{}` only when it is called again",
  async (path, input, same) => {
    const tool = toolOf({
      name: "replace_topic",
      annotations: pinTopic().annotations,
      properties: { topic: { type: "string" }, title: { type: "string" } },
      send: {
        method: "PUT",
        path,
        ...(path.includes("{") && { pathParams: { topic: "topic" } }),
        body: { contentType: "application/json", fields: { title: "title" } },
      },
    });
    const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
    const before = upstream.requests.length;
    const sent = () => upstream.requests.slice(before).map(({ body }) => body);
    const refused = await callTool(server, tool, input);
    expect(sent()).toEqual([""]);
    expect(textOf(refused)).toContain(`Call replace_topic again ${same} only to send \`{}\`.`);
    expect(textOf(await callTool(server, tool, input))).toContain(note);
    expect(sent()).toEqual(["", "", "{}"]);
  },
);

describe("a POST that may create an empty thing", () => {
  const addTopic = (properties: object = {}, idempotentHint = false) =>
    toolOf({
      name: "add_topic",
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint,
        openWorldHint: false,
      },
      properties: { expiry: { type: "number" }, ...properties },
      send: {
        method: "POST",
        path: `/topics/${crypto.randomUUID()}`,
        query: Object.fromEntries(Object.keys(properties).map((name) => [name, name])),
        body: { contentType: "application/json", fields: { expiry: "expiry" } },
      },
    });

  test.each([400, 415, 422])("is only sent as `{}` by a second call (%i)", async (code) => {
    status = code;
    const tool = addTopic();
    const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
    const before = upstream.requests.length;
    const sent = () => upstream.requests.slice(before).map(({ body }) => body);
    const refused = await callTool(server, tool, {});
    expect(sent()).toEqual([""]);
    expect(textOf(refused)).toContain(
      "Next: the request had no body, because no input of it was given (expiry). If the API needs a body, give at least one of them, and call add_topic again. Call add_topic again without input only to send `{}`.",
    );
    const created = await callTool(server, tool, {});
    expect(sent()).toEqual(["", "", "{}"]);
    expect(textOf(created)).toContain(note);
    const third = await callTool(server, tool, {});
    status = 400;
    expect(sent()).toEqual(["", "", "{}", ""]);
    expect(third.isError).toBe(true);
  });

  test("is sent as `{}` at once where the call names a thing", async () => {
    const tool = addTopic({ forum: { type: "string" } });
    expect((await pin({ forum: "f1" }, tool)).sent).toEqual(["", "{}"]);
  });

  test("is sent as `{}` at once where a repetition changes nothing", async () => {
    expect((await pin({}, addTopic({}, true))).sent).toEqual(["", "{}"]);
  });

  test.each([
    ["about something that is absent", undefinedBody, true],
    ["about anything else", { message: "the disk is full" }, false],
  ])("is offered after a fault %s: %j %j", async (_, fault, isOffered) => {
    [status, message] = [500, fault];
    const { text, sent } = await pin({}, addTopic());
    [status, message] = [400, undefinedBody];
    expect(sent).toEqual([""]);
    expect(text.includes("the same call again is sent with `{}`")).toBe(isOffered);
  });
});

test("after a fault of a server that reads the absent body, the same call again sends `{}`", async () => {
  const fault = { message: "Unhandled error", trace: "'NoneType' object has no attribute 'get'" };
  [status, message] = [500, fault];
  const tool = pinTopic();
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const input = { topic: "7" };
  const results = [await callTool(server, tool, input), await callTool(server, tool, input)];
  [status, message] = [400, undefinedBody];
  expect(upstream.requests.slice(before).map(({ body }) => body)).toEqual(["", "", "{}"]);
  expect(textOf(results[0]!)).toContain("may or may not have taken effect");
  expect(textOf(results[0]!)).toContain("the same call again is sent with `{}`");
  expect(results[1]!.structuredContent).toEqual({ pinned: true, notes: [note] });
});
