import { afterEach, describe, expect, test } from "vitest";
import type { ReadBack } from "../../../src/runtime/types.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const reader = toolOf({
  name: "get_pet",
  send: { path: "/pets/{petId}", pathParams: { petId: "id" } },
  properties: { id: text },
  required: ["id"],
  outputSchema: { type: "object", properties: { id: text, name: text, token: text } },
});

const writes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

const petBack = { tool: "get_pet", inputs: { id: "pet_id" } };

function writer(readBack: ReadBack | null = petBack) {
  const tool = toolOf({
    name: "update_pet",
    annotations: { ...writes, openWorldHint: true },
    send: {
      method: "PUT",
      path: "/pets/{petId}",
      pathParams: { petId: "pet_id" },
      body: { contentType: "application/json", fields: { name: "name" } },
    },
    properties: { pet_id: text, name: text },
    required: ["pet_id"],
    outputSchema: { type: "object" },
  });
  const operations = tool.operations.map((operation) => ({
    ...operation,
    ...(readBack && { readBack }),
  }));
  return { ...tool, operations };
}

const pet = { id: "p 1", name: "Rex" };
const answers =
  (write: Answer, read: Answer): Answer =>
  (response, request, count) =>
    (request.method === "GET" ? read : write)(response, request, count);

async function update(
  answer: Answer,
  { env = {}, others = [reader], tool = writer() }: Partial<UpdateOptions> = {},
) {
  upstream = await startUpstream(answer);
  const options = { env: { CLINIC_BASE_URL: upstream.url, ...env }, others };
  const result = await call(tool, { pet_id: "p 1", name: "Rex" }, options);
  const sent = upstream.requests.map(({ method, url }) => `${method} ${url}`);
  return { result, sent, structured: result.structuredContent };
}

interface UpdateOptions {
  readonly env: Record<string, string>;
  readonly others: readonly ReturnType<typeof toolOf>[];
  readonly tool: ReturnType<typeof writer>;
}

describe("after a success without content the item is read", () => {
  test("in the structured content and in the text", async () => {
    const { result, sent, structured } = await update(answers(reply(204), reply(200, pet)));
    expect(sent).toEqual(["PUT /pets/p%201", "GET /pets/p%201"]);
    expect(structured).toMatchObject({ httpStatus: 204, current: pet });
    expect(textOf(result)).toContain(JSON.stringify({ current: pet }));
    expect(textOf(result)).toContain("current is what get_pet returned after it.");
  });

  test("without its secrets", async () => {
    const env = { CLINIC_TOKEN: "s3cret-token" };
    const stored = { ...pet, token: "s3cret-token" };
    const { result } = await update(answers(reply(204), reply(200, stored)), { env });
    expect(JSON.stringify(result)).not.toContain("s3cret-token");
  });

  test("as far as half of the size of a result goes", async () => {
    const env = { CLINIC_MAX_RESULT_TOKENS: "500" };
    const long = { ...pet, name: "Rex ".repeat(3000) };
    const { result } = await update(answers(reply(204), reply(200, long)), { env });
    expect(textOf(result).length).toBeLessThan(2_000);
    expect(textOf(result)).toContain("get_pet");
  });
});

test.each<readonly [name: string, read: Answer]>([
  ["a status", reply(500, { message: "broken" })],
  ["an absent item", reply(404, { message: "no such pet" })],
  ["a refusal", reply(403, { message: "forbidden" })],
  ["a page", reply(200, "<html>sign in</html>", { "content-type": "text/html" })],
])("a failure of the read is not one of the call: %s", async (_, read) => {
  const env = { CLINIC_MAX_RETRIES: "0", CLINIC_MAX_RETRY_WAIT_MS: "0" };
  const { result, structured } = await update(answers(reply(204), read), { env });
  expect(result.isError).toBeUndefined();
  expect(structured).toMatchObject({ httpStatus: 204 });
  expect(structured).not.toHaveProperty("current");
});

test.each<readonly [name: string, write: Answer, options: Partial<UpdateOptions>]>([
  ["a response with content", reply(200, pet), {}],
  ["a change that may come later", reply(202), {}],
  ["no change", reply(304), {}],
  ["a failure", reply(400, { message: "name is taken" }), {}],
  ["a reader that is not offered", reply(204), { others: [] }],
  ["a setting against it", reply(204), { env: { CLINIC_READ_BACK: "false" } }],
  ["a tool without it", reply(204), { tool: writer(null) }],
])("nothing is read after %s", async (_, write, options) => {
  const { sent, structured } = await update(answers(write, reply(204)), options);
  expect(sent).toHaveLength(1);
  expect(structured ?? {}).not.toHaveProperty("current");
});
