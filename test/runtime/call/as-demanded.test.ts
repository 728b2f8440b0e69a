import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let answer: Answer = reply(200, {});
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => answer(response, request, count));
});
afterAll(() => upstream.close());

const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const save = (method = "PUT") =>
  toolOf({
    name: "save_note",
    annotations: writes,
    properties: { content: { type: "string" } },
    send: {
      ...{ method, path: "/note" },
      body: { contentType: "application/json", fields: { content: "content" } },
    },
  });
const search = (items: object = {}) =>
  toolOf({
    name: "search_notes",
    properties: { tags: { type: "array", items: { type: "string" }, ...items } },
    send: { path: "/notes", query: { tags: "tags" } },
  });

async function call(tool: ReturnType<typeof toolOf>, input: object) {
  const server = createTestContext([tool], {
    CLINIC_BASE_URL: upstream.url,
    CLINIC_MAX_RETRIES: "0",
  });
  const before = upstream.requests.length;
  const result = await callTool(server, tool, { ...input });
  const sent = upstream.requests.slice(before).map(({ url, body }) => body || url);
  return { sent, text: textOf(result), isError: result.isError ?? false };
}

/** Takes an object, and rejects its text. */
const takesObject =
  (status: number, rejection: object): Answer =>
  (response, request, count) => {
    const isObject = /"content":\{/.test(request.body);
    (isObject ? reply(200, { ok: true }) : reply(status, rejection))(response, request, count);
  };

test.each([
  [400, "PUT", { errors: [{ field: "content", message: "must be of type object" }] }],
  [
    ...([422, "POST"] as const),
    { message: 'content: invalid type: string "x", expected a map at line 1 column 12' },
  ],
  [500, "PUT", { message: "Error while saving: 'str' object has no attribute 'cells'" }],
])("a text of JSON is sent as its object after %i to %s", async (status, method, rejection) => {
  answer = takesObject(status, rejection);
  const { sent, text, isError } = await call(save(method), { content: '{"cells":[]}' });
  expect(sent).toEqual(['{"content":"{\\"cells\\":[]}"}', '{"content":{"cells":[]}}']);
  expect(isError).toBe(false);
  expect(text).toContain("The API wants content as an object");
});

test.each([
  ["a fault of a POST, which may have had an effect", 500, "POST", '{"cells":[]}'],
  ["a text that holds no JSON", 400, "PUT", "cells"],
])("nothing is sent twice after %s", async (_, status, method, content) => {
  answer = takesObject(status, { message: "'str' object has no attribute 'cells'" });
  const { sent, isError } = await call(save(method), { content });
  expect(sent).toHaveLength(1);
  expect(isError).toBe(true);
});

const wantsList: Answer = (response, request, count) => {
  const isList = request.url.split("tags=").length > 2;
  const body = { errors: [{ field: "tags", message: "must be an array" }] };
  return (isList ? reply(200, []) : reply(400, body))(response, request, count);
};

test("the only item of a list is sent twice where the API reads it as a text", async () => {
  answer = wantsList;
  const { sent, text, isError } = await call(search(), { tags: ["a"] });
  expect(sent).toEqual(["/notes?tags=a", "/notes?tags=a&tags=a"]);
  expect(isError).toBe(false);
  expect(text).toContain("so the item was sent twice");
});

test("the item of a list that may not have it twice is sent with brackets, once", async () => {
  answer = wantsList;
  const { sent, isError } = await call(search({ uniqueItems: true }), { tags: ["a"] });
  expect(sent).toEqual(["/notes?tags=a", "/notes?tags%5B%5D=a"]);
  expect(isError).toBe(true);
});
