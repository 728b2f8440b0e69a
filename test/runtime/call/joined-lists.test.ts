/** Lists joined by commas, which an API rejects against its document. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let rejection: object = {};
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const isSeparate = /box=1&box=2/.test(request.url);
    const answer = isSeparate ? reply(200, { ok: true }) : reply(400, rejection);
    answer(response, request, count);
  });
});
afterAll(() => upstream.close());

const search = (explode: boolean) =>
  toolOf({
    name: "search_places",
    properties: { box: { type: "array", items: { type: "integer" } } },
    send: { path: "/places", query: { box: { from: "box", explode } } },
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
])("%s", async (_, answer, box, want) => {
  rejection = answer;
  const server = createTestContext([search(false)], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, search(false), { box });
  expect(upstream.requests.slice(before).map(({ url }) => url)).toEqual(want);
  expect(result.isError ?? false).toBe(want.length === 1);
  const note = /The API rejected box joined by commas/;
  if (want.length > 1) expect(textOf(result)).toMatch(note);
  else expect(textOf(result)).not.toMatch(note);
});
