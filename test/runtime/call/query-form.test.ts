/** Objects and lists of a query, which an API wants in another form than its document has. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { InputSource } from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let rejection: object = {};
let status = 400;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const isOtherForm = /%5B|box=1&box=2/.test(request.url);
    const answer = isOtherForm ? reply(200, { ok: true }) : reply(status, rejection);
    answer(response, request, count);
  });
});
afterAll(() => upstream.close());

const search = (date: Partial<InputSource> = {}, method = "GET") =>
  toolOf({
    name: "find_orders",
    properties: {
      date: { type: "object", additionalProperties: true },
      region: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    },
    send: {
      method,
      path: "/orders",
      query: { date: { from: "date", ...date }, region: "region" },
    },
  });

const date = { $gte: "2026-10-01" };
const unknown = "Unrecognized fields: '$gte'";
const noList = "Expected type: 'array' for field 'region', got: 'string'";

test.each<readonly [string, string, object, object, string | undefined]>([
  ["an object whose member is unknown", unknown, { date }, {}, "date%5B%24gte%5D=2026-10-01"],
  ["a list of one that is no list", noList, { region: ["r1"] }, {}, "region%5B%5D=r1"],
  ["a value that is to be a list", noList, { region: "r1" }, {}, "region%5B%5D=r1"],
  ["an object that is not the reason", "date is in the future", { date }, {}, undefined],
  ["a list of two", noList, { region: ["r1", "r2"] }, {}, undefined],
  ["a documented form", unknown, { date }, { style: "deepObject" }, "date%5B%24gte%5D=2026-10-01"],
])("%s", async (_, message, input, source, want) => {
  [rejection, status] = [{ message }, 400];
  const tool = search(source);
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, tool, input);
  const sent = upstream.requests.slice(before).map(({ url }) => url);
  expect(sent.at(-1)!.split("?")[1]).toBe(want ?? sent[0]!.split("?")[1]);
  expect(result.isError ?? false).toBe(want === undefined);
  const isRepeated = sent.length > 1;
  expect(textOf(result).includes("so the names have brackets")).toBe(isRepeated);
  expect(isRepeated).toBe(want !== undefined && !("style" in source));
});

test.each<readonly [string, number, string]>([
  ["a server error", 500, "GET"],
  ["a write", 400, "POST"],
])("%s is not repeated", async (_, code, method) => {
  [rejection, status] = [{ message: unknown }, code];
  const tool = search({}, method);
  const env = { CLINIC_BASE_URL: upstream.url, CLINIC_MAX_RETRY_WAIT_MS: "0" };
  const before = upstream.requests.length;
  await callTool(createTestContext([tool], env), tool, { date });
  const sent = upstream.requests.slice(before).map(({ url }) => url);
  expect(sent.some((url) => url.includes("%5B"))).toBe(false);
});

const searchBox = toolOf({
  name: "search_places",
  properties: { box: { type: "array", items: { type: "integer" } } },
  send: { path: "/places", query: { box: { from: "box", explode: false } } },
});

const tooFew = { errors: [{ field: "box", message: "should NOT have fewer than 2 items" }] };
const notList = { errors: [{ field: "box", message: "must be an array" }] };
const other = { errors: [{ field: "box", message: "is outside of the map" }] };
const joined = "/places?box=1,2";
const separate = "/places?box=1&box=2";

test.each<readonly [string, object, readonly number[], readonly string[]]>([
  ["too few items", tooFew, [1, 2], [joined, separate]],
  ["no list", notList, [1, 2], [joined, separate]],
  ["another reason", other, [1, 2], [joined]],
  ["one item", tooFew, [1], ["/places?box=1"]],
])("items joined by commas: %s", async (_, answer, box, want) => {
  [rejection, status] = [answer, 400];
  const server = createTestContext([searchBox], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, searchBox, { box });
  expect(upstream.requests.slice(before).map(({ url }) => url)).toEqual(want);
  expect(result.isError ?? false).toBe(want.length === 1);
  const isNoted = textOf(result).includes("The API rejected box joined by commas");
  expect(isNoted).toBe(want.length > 1);
});
