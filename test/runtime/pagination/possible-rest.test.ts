import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ResponseMapping } from "../../../src/runtime/types.js";
import { call, textOf, toolOf, type ToolSketch } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** The API answers with `count` items, and the fields of `beside`. */
let api: { count: number; beside?: object; headers?: Record<string, string> };
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((...args) => {
    const items = Array.from({ length: api.count }, (_, id) => ({ id }));
    const body = api.beside ? { data: items, ...api.beside } : items;
    reply(200, body, api.headers)(...args);
  });
});
afterAll(() => upstream.close());

const integer = { type: "integer" };
const sized = { ...integer, default: 20 };

interface Case {
  readonly count: number;
  readonly input?: Record<string, unknown>;
  /** Schemas of the query inputs. */
  readonly inputs?: Record<string, object>;
  readonly read?: ResponseMapping;
  readonly beside?: object;
  readonly headers?: Record<string, string>;
  /** End of the note; absent without one. */
  readonly note?: string;
}

const again = (inputs: string): string =>
  `There may be more results: call list_pets again with ${inputs}, and otherwise the same input.`;
const use = (count: number, inputs: string): string =>
  `The list has exactly ${count} items, and the API does not say whether these are all. There may be more: use ${inputs} to see them.`;

describe("a list without information about its rest", () => {
  test.each<readonly [string, Case]>([
    ["has a round number of items", { count: 100, note: again("offset 100") }],
    ["has 10 items", { count: 10, note: again("offset 10") }],
    ["has 1500 items", { count: 1500, note: again("offset 1500") }],
    ["has another number of items", { count: 17 }],
    ["is empty", { count: 0 }],
    ["is as long as requested", { count: 7, input: { limit: 7 }, note: again("offset 7") }],
    ["is a later page", { count: 7, input: { limit: 7, offset: 7 }, note: again("offset 14") }],
    ["is shorter than requested", { count: 20, input: { limit: 30 } }],
    [
      "is shorter than requested, and as long as APIs allow",
      { count: 100, input: { limit: 1000 }, note: again("offset 100") },
    ],
    ["has a page size of 0", { count: 50, input: { limit: 0 }, note: again("offset 50") }],
    ["has a page size of -1", { count: 51, input: { limit: -1 } }],
    [
      "is as long as the default",
      { count: 20, inputs: { limit: sized, page: integer }, note: use(20, "page or limit") },
    ],
    ["is shorter than the default", { count: 10, inputs: { limit: sized } }],
    [
      "has a numbered page",
      { count: 50, inputs: { page: integer }, input: { page: 3 }, note: again("page 4") },
    ],
    [
      "has a numbered page with a default",
      { count: 50, inputs: { page: { ...integer, default: 0 } }, note: again("page 1") },
    ],
    ["can only be limited", { count: 50, inputs: { limit: integer }, note: use(50, "limit") }],
    ["cannot be paged or limited", { count: 50, inputs: { q: integer } }],
    ["is inside an object", { count: 50, beside: { ok: true }, note: again("offset 50") }],
    ["is beside a total", { count: 50, beside: { total_count: 50 } }],
    ["is beside a cursor", { count: 50, beside: { nextCursor: null } }],
    ["is beside an object about pages", { count: 50, beside: { meta: { total: 50 } } }],
    ["has a Link header without a next page", { count: 50, headers: { link: "</>; rel=first" } }],
    ["has a documented cursor", { count: 50, read: { wrap: "items", next: { cursor: "/next" } } }],
  ])(
    "%s",
    async (_, { inputs = { limit: integer, offset: integer }, input = {}, note, ...rest }) => {
      api = rest;
      const query = Object.fromEntries(Object.keys(inputs).map((name) => [name, name]));
      const read = rest.read ?? (rest.beside ? {} : { wrap: "items" as const });
      const sketch: ToolSketch = { name: "list_pets", properties: inputs, send: { query }, read };
      const tool = toolOf({ ...sketch, outputSchema: { type: "object" } });
      const result = await call(tool, input, { env: { CLINIC_BASE_URL: upstream.url } });
      const notes = (result.structuredContent as { notes?: string[] }).notes ?? [];
      expect(notes).toEqual(note === undefined ? [] : [note]);
      expect(textOf(result).includes("\nNote: ")).toBe(note !== undefined);
    },
  );
});
