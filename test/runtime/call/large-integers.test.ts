/** Integers beyond 2^53: requests have all digits, wherever the schema declares an integer. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { items: [{ name: "Ada" }] }));
});
afterAll(() => upstream.close());

const integer = { type: "integer" };
const ID = "12345678901234567890";
const tool = toolOf({
  properties: {
    id: integer,
    page: integer,
    ids: { type: "array", items: integer },
    owner: { type: "object", properties: { id: integer } },
  },
  send: {
    method: "POST",
    path: "/pets/{id}",
    pathParams: { id: "id" },
    query: { page: "page" },
    body: { contentType: "application/json", fields: { ids: "ids", owner: "owner" } },
  },
});

test.each<readonly [string, object, url: string, body: string]>([
  ["in a path, with a page", { id: ID, page: 1 }, `/pets/${ID}?page=1`, ""],
  ["in a list", { id: 1, ids: [ID, 2] }, "/pets/1", `{"ids":[${ID},2]}`],
  ["inside of an object", { id: 1, owner: { id: ID } }, "/pets/1", `{"owner":{"id":${ID}}}`],
])("%s", async (_, input, url, body) => {
  const result = await call(tool, input, { env: { CLINIC_BASE_URL: upstream.url } });
  expect(result.isError).toBeUndefined();
  expect(upstream.requests.at(-1)).toMatchObject({ url, body });
});

test("a problem beside them is the only one that is told", async () => {
  const input = { id: ID, ids: [ID, "x"] };
  const result = await call(tool, input, { env: { CLINIC_BASE_URL: upstream.url } });
  expect(textOf(result)).toContain("Not sent: 1 problem");
  expect(textOf(result)).toContain('ids[1]: expected an integer, got "x"');
});
