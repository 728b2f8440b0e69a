import { afterEach, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const operations = [
  {
    whenProvided: [],
    request: { method: "GET", path: "/pets", query: { limit: "limit", name: "name" } },
    response: { items: "/data", extraFields: { total: "/total" } },
    pagination: { total: "/total", isFollowed: true as const, list: "/data" },
    countOnly: { input: "countOnly", pageSize: "limit", least: 0 as const, total: "/total" },
  },
];

async function list(input: Record<string, unknown>, body: object) {
  upstream = await startUpstream(reply(200, body));
  const tool = {
    ...toolOf({
      name: "list_pets",
      properties: {
        limit: { type: "integer" },
        name: { type: "string" },
        countOnly: { type: "boolean" },
      },
      outputSchema: { type: "object" },
    }),
    operations,
  };
  const result = await call(tool, input, { env: { CLINIC_BASE_URL: upstream.url } });
  const requests = upstream.requests.map(({ url }) => url);
  return { requests, text: textOf(result), structured: result.structuredContent };
}

const rex = { id: "p1", name: "Rex" };

test.each<readonly [input: Record<string, unknown>, url: string]>([
  [{ countOnly: true }, "/pets?limit=0"],
  [{ countOnly: true, name: "Rex" }, "/pets?limit=0&name=Rex"],
  [{ countOnly: true, limit: 50 }, "/pets?limit=0"],
  [{ countOnly: false }, "/pets"],
  [{ countOnly: false, limit: 50 }, "/pets?limit=50"],
])("%j requests %s once", async (input, url) => {
  const { requests, structured } = await list(input, { data: [rex], total: 214 });
  expect(requests).toEqual([url]);
  expect(structured).toMatchObject({ items: [rex], total: 214 });
});

test("a response without the total says so, in either form", async () => {
  const { text, structured } = await list({ countOnly: true }, { data: [rex] });
  const note = "The API stated no total. Call without countOnly to count the items.";
  expect(text).toContain(note);
  expect(structured).toMatchObject({ notes: expect.arrayContaining([note]) });
});

test("a call for the items says nothing about a missing total", async () => {
  const { text } = await list({}, { data: [rex] });
  expect(text).not.toContain("stated no total");
});
