import { Validator } from "@cfworker/json-schema";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, createServerContext, type Hooks } from "../../../src/runtime/index.js";
import type { JsonSchema, PaginationMapping } from "../../../src/runtime/types.js";
import { api, toolOf, type ToolSketch } from "../support/clinic.js";
import { contentForm, lostFacts, structureForm } from "../support/host-forms.js";
import { reply, startUpstream, type Answer, type Upstream } from "../support/upstream.js";

let answer: Answer;
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((...args) => answer(...args));
});
afterAll(() => upstream.close());

const pet: JsonSchema = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, tags: { type: "array" } },
};
const pets: JsonSchema = {
  type: "object",
  properties: { items: { type: "array", items: pet } },
  required: ["items"],
};
const object: JsonSchema = { type: "object" };
const integer = { type: "integer" };
const wrapped = { wrap: "items" } as const;
const PAGES = { page: integer, limit: integer, offset: integer, q: { type: "string" } };
const QUERY = { page: "page", limit: "limit", offset: "offset", q: "q" };
const listing: ToolSketch = {
  name: "list_pets",
  properties: PAGES,
  send: { query: QUERY },
  read: wrapped,
  outputSchema: pets,
};
const changing = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
const write: ToolSketch = { name: "create_pet", send: { method: "POST" }, annotations: changing };
const many = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) => ({ name: `Pet ${1000 + i}` }));
const raw = (text: string | Uint8Array, type = "application/json"): Answer =>
  reply(200, text, { "content-type": type });

interface Case extends ToolSketch {
  readonly pagination?: PaginationMapping;
  readonly answer: Answer;
  readonly input?: Record<string, unknown>;
  readonly custom?: Hooks;
  /** Texts that both forms contain. */
  readonly facts: readonly string[];
  /** Members of the structured content. */
  readonly structured?: object;
  /** Number of calls; the last one counts. */
  readonly calls?: readonly Record<string, unknown>[];
}

async function resultOf(one: Case): Promise<CallToolResult> {
  ({ answer } = one);
  const { pagination, custom, answer: _, input = {}, facts: __, structured: ___, ...sketch } = one;
  const { calls = [], ...rest } = sketch;
  const tool = toolOf({ ...rest, send: { security: [{ token: [] }, {}], ...rest.send } });
  const operations = tool.operations.map((operation) => ({
    ...operation,
    ...(pagination && { pagination }),
  }));
  const created = createServerContext({
    api,
    tools: [{ ...tool, operations }],
    storeResults: true,
    ...(custom && { custom }),
    env: {
      LOG_LEVEL: "silent",
      CLINIC_TOKEN: "hunter2hunter2",
      CLINIC_MAX_RESULT_TOKENS: "500",
      CLINIC_BASE_URL: upstream.url,
    },
  });
  if (!created.ok) throw new Error(created.problems.join(" "));
  const { context } = created;
  for (const earlier of calls) await callTool(context, context.tools.find(tool.name), earlier);
  return callTool(context, context.tools.find(tool.name), input);
}

const DRIFT = "The response differs from the API's description";

describe.each<readonly [string, Case]>([
  [
    "a truncated list, stored in full",
    {
      ...listing,
      answer: reply(200, many(100)),
      input: { limit: 200 },
      facts: ["of 100 items", "result://list_pets/", "call list_pets with limit"],
    },
  ],
  [
    "a truncated list whose first item is truncated, too",
    {
      ...listing,
      answer: reply(
        200,
        Array.from({ length: 100 }, () => ({
          ...Object.fromEntries([..."abcde"].map((key) => [key, "x".repeat(900)])),
        })),
      ),
      facts: ["99 of 100 items"],
    },
  ],
  [
    "a shortened text",
    {
      outputSchema: object,
      answer: reply(200, { text: "x".repeat(9000) }),
      facts: ["more characters]", "result://get_pet/"],
    },
  ],
  [
    "a next page in an undeclared Link header",
    {
      ...listing,
      answer: reply(200, [], { link: '</?page=2>; rel="next"' }),
      facts: ["call list_pets again with page 2"],
      structured: { next: { page: 2 } },
    },
  ],
  [
    "a next page that no input selects",
    {
      ...listing,
      answer: reply(200, [], { link: '</?token=c2&api=hunter2hunter2>; rel="next"' }),
      facts: ["no input of list_pets selects", "/?token=c2&api=[redacted]"],
    },
  ],
  [
    "a next page by counting, where the API has a next of its own",
    {
      ...listing,
      read: {},
      outputSchema: object,
      pagination: { list: "/data", offset: { input: "offset", first: 0 }, total: "/total" },
      answer: reply(200, { data: [1, 2], total: 5, next: "/pets?o=2" }),
      facts: ["There are more results: call list_pets again with offset 2", "/pets?o=2"],
      structured: { next: "/pets?o=2", resultNext: { offset: 2 } },
    },
  ],
  [
    "a full page without a total",
    {
      ...listing,
      read: {},
      outputSchema: object,
      pagination: {
        list: "/data",
        page: { input: "page", first: 1 },
        pageSize: { input: "limit", default: 3 },
      },
      answer: reply(200, { data: [1, 2, 3] }),
      facts: ["There may be more results: call list_pets again with page 2"],
      structured: { next: { page: 2 } },
    },
  ],
  [
    "a page that was shown before",
    {
      ...listing,
      answer: reply(200, many(3)),
      calls: [{ page: 1 }],
      input: { page: 2 },
      facts: ["page 2 has the same items as page 1"],
    },
  ],
  [
    "a created resource without a body",
    {
      ...write,
      outputSchema: pet,
      answer: reply(201, "", { location: "/pets/5" }),
      facts: ["The API accepted it: empty response (201)", "/pets/5"],
      structured: { httpStatus: 201, location: "/pets/5" },
    },
  ],
  [
    "an accepted request with a body and a location",
    {
      ...write,
      outputSchema: object,
      answer: reply(202, { state: "queued", location: "Berlin" }, { location: "/jobs/5" }),
      facts: ["queued", "Berlin", "/jobs/5"],
      structured: { location: "Berlin", resultLocation: "/jobs/5" },
    },
  ],
  [
    "a deletion",
    {
      ...write,
      name: "delete_pet",
      outputSchema: pet,
      answer: reply(204),
      facts: ["The API accepted it: no content (204)."],
      structured: { httpStatus: 204 },
    },
  ],
  [
    "declared headers of an empty response",
    {
      ...write,
      read: { headers: ["X-Count"] },
      answer: reply(200, "", { "x-count": "17" }),
      facts: ["X-Count", "17"],
      structured: { headers: { "X-Count": "17" } },
    },
  ],
  [
    "a list where an object is declared",
    {
      ...write,
      outputSchema: pet,
      answer: reply(200, [{ user: { inviteUrl: "https://a.example/i?t=1" }, error: "" }]),
      facts: ["The list is in `items`", '{"items":[{"user":', "https://a.example/i?t=1"],
      structured: { items: [{ user: { inviteUrl: "https://a.example/i?t=1" }, error: "" }] },
    },
  ],
  [
    "a list that is not described",
    {
      ...write,
      answer: reply(200, [{ id: "u1" }]),
      facts: ['{"items":[{"id":"u1"}]'],
      structured: { items: [{ id: "u1" }] },
    },
  ],
  [
    "a text where an object is declared",
    { ...write, outputSchema: pet, answer: raw('"upserted"'), facts: [DRIFT, "upserted"] },
  ],
  [
    "a number where an object is declared",
    { ...write, outputSchema: pet, answer: raw("17"), facts: [DRIFT, "17"] },
  ],
  [
    "an object where a list is declared",
    { ...listing, answer: reply(200, { audit: [{ risk: "high" }] }), facts: ["audit", "high"] },
  ],
  [
    "a body where the description is empty",
    { ...write, outputSchema: object, answer: reply(200, { id: "u1" }), facts: ["u1"] },
  ],
  [
    "a body where none is declared",
    { ...write, answer: reply(200, { id: "u1" }), facts: ["u1"], structured: { id: "u1" } },
  ],
  [
    "values of other types",
    {
      outputSchema: pet,
      answer: reply(200, { id: "0042", name: 7, tags: "new" }),
      facts: [DRIFT, "0042", "7", "new", "a list (the API sent"],
      structured: { unexpected: [{ path: "id", value: "0042" }], name: "7", tags: ["new"] },
    },
  ],
  [
    "JSON where a text is declared",
    {
      outputSchema: { type: "object", properties: { value: { type: "string" } } },
      read: { wrap: "value" },
      answer: reply(200, { zone: "a\t1" }),
      facts: [DRIFT, '{"zone":"a\\t1"}'],
      structured: { unexpected: [{ path: "value", value: { zone: "a\t1" } }] },
    },
  ],
  [
    "null between the objects of a list",
    {
      outputSchema: pets,
      answer: reply(200, { items: [{ id: 1 }, null, { id: 3 }] }),
      facts: [DRIFT, "items[1]", "in `unexpected`; items after them have moved up."],
      structured: {
        items: [{ id: 1 }, { id: 3 }],
        unexpected: [{ path: "items[1]", value: null }],
      },
    },
  ],
  [
    "null where it is not declared",
    {
      ...listing,
      answer: reply(200, [
        { id: 1, name: null },
        { id: 2, name: "Tom" },
      ]),
      facts: ["name", "Tom"],
      structured: { items: [{ id: 1 }, { id: 2, name: "Tom" }], nullFields: ["items[0].name"] },
    },
  ],
  [
    "notes beside the API's own",
    {
      outputSchema: { type: "object", properties: { notes: { type: "string" } } },
      answer: raw('{"notes": "shy", "n": 9007199254740993}'),
      facts: ["shy", "9007199254740993", "Numbers beyond the precision"],
      structured: { notes: "shy", n: "9007199254740993" },
    },
  ],
  [
    "bytes that are not text",
    {
      outputSchema: pet,
      answer: raw(Buffer.from('{"name": "\xff"}', "latin1")),
      facts: ["\ufffd", "are not valid UTF-8"],
    },
  ],
  [
    "an input that was null",
    {
      ...write,
      properties: PAGES,
      outputSchema: pet,
      answer: reply(200, { id: 1 }),
      input: { page: null },
      facts: ["null is not a value of page"],
    },
  ],
  [
    "an input that was a fraction",
    {
      ...listing,
      answer: reply(200, []),
      input: { q: 1.1 },
      facts: ["q was sent as the text of the number"],
    },
  ],
  [
    "an image where an object is declared",
    {
      outputSchema: pet,
      answer: raw(Uint8Array.of(137, 80, 78, 71), "image/png"),
      facts: ["image/png"],
      structured: { media: [{ mimeType: "image/png", bytes: 4 }] },
    },
  ],
  [
    "a large file where an object is declared",
    {
      outputSchema: pet,
      answer: raw(new Uint8Array(30_000), "application/pdf"),
      facts: ["application/pdf", "30000", "result://get_pet/"],
      structured: { media: [{ mimeType: "application/pdf", bytes: 30_000 }] },
    },
  ],
  [
    "a large file",
    {
      answer: raw(new Uint8Array(30_000), "application/pdf"),
      facts: ["application/pdf", "30000", "result://get_pet/"],
    },
  ],
  [
    "a secret in a note",
    {
      ...listing,
      send: { query: { page: "page", q: "q" } },
      answer: reply(200, [], { link: '</?q=hunter2hunter2>; rel="next"' }),
      facts: ["[redacted]"],
    },
  ],
  [
    "an object with a list that has as many items as a page",
    {
      ...listing,
      read: {},
      outputSchema: object,
      answer: reply(200, { pets: [..."0123456789"] }),
      facts: ["There may be more results: call list_pets again with"],
    },
  ],
  [
    "a result that a hook of its tool changed",
    {
      outputSchema: pet,
      answer: reply(200, { id: "x1", name: "Rex" }),
      custom: {
        on: { get_pet: { afterResponse: (output: object) => ({ ...output, age: 3 }) } },
      } as Hooks,
      facts: ["x1", "Rex", DRIFT, "age"],
    },
  ],
  [
    "a result of a custom tool",
    {
      outputSchema: pet,
      answer: reply(200),
      custom: { on: { get_pet: { run: () => ({ name: "x".repeat(9000) }) } } } as unknown as Hooks,
      facts: ["more characters]", "result://get_pet/"],
    },
  ],
])("%s", (_, one) => {
  let result: CallToolResult;
  beforeAll(async () => {
    result = await resultOf(one);
  });

  test("is a success", () => expect(result.isError ?? false).toBe(false));
  test.each([
    ["without the text", structureForm],
    ["without the structure", contentForm],
  ])("has all facts %s", (_form, form) => {
    const shown = form(result);
    expect(one.facts.filter((fact) => !shown.includes(fact))).toEqual([]);
    expect(shown).not.toContain("hunter2");
  });
  test("has the same notes and values in both forms", () =>
    expect(lostFacts(result, one.outputSchema)).toEqual([]));
  test("has the values of its structure", () =>
    expect(result.structuredContent ?? {}).toMatchObject(one.structured ?? {}));
  test("satisfies the output schema", () => {
    const validator = new Validator((one.outputSchema ?? {}) as object, "2020-12");
    expect(validator.validate(result.structuredContent ?? {}).errors).toEqual([]);
  });
});

test("nothing is added to the structure of an ordinary result", async () => {
  const body = [{ id: 1, name: "Rex" }];
  const result = await resultOf({ ...listing, answer: reply(200, body), facts: [] });
  expect(result).toEqual({
    content: [{ type: "text", text: JSON.stringify({ items: body }) }],
    structuredContent: { items: body },
    _meta: expect.any(Object) as unknown,
  });
});

test("a tool of user code with a closed result has its notes in the text alone", async () => {
  const closed = { ...pet, additionalProperties: false };
  const run = () => ({ name: "x".repeat(9000) });
  const custom = { on: { get_pet: { run } } } as unknown as Hooks;
  const result = await resultOf({ outputSchema: closed, answer: reply(200), custom, facts: [] });
  expect(Object.keys(result.structuredContent ?? {})).toEqual(["name"]);
  expect(contentForm(result)).toContain("Note: The result was too large.");
});
