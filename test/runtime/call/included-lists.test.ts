import { afterEach, describe, expect, test } from "vitest";
import type { OperationBinding, ToolDefinition } from "../../../src/runtime/types.js";
import { call, type CallSketch, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const list = { type: "array", items: { type: "object" } } as const;
const items = { type: "object", properties: { items: list }, required: ["items"] } as const;
const NAMES = ["visits", "notes"] as const;
const include = {
  type: "array",
  items: { type: "string", enum: NAMES },
  uniqueItems: true,
} as const;

const included: OperationBinding["included"] = {
  input: "include",
  lists: {
    visits: { tool: "list_visits", inputs: { id: "petId" } },
    notes: { tool: "list_notes", inputs: { id: "petId" } },
  },
};

const getPet = withBinding(
  toolOf({
    name: "get_pet",
    send: { path: "/pets/{petId}", pathParams: { petId: "petId" } },
    properties: {
      petId: { anyOf: [text, { type: "array", items: text }] },
      include,
    },
    required: ["petId"],
    outputSchema: { type: "object", properties: { id: text, name: text, token: text } },
  }),
  { included, severalIds: { input: "petId" } },
);

function withBinding(tool: ToolDefinition, binding: Partial<OperationBinding>): ToolDefinition {
  return { ...tool, operations: tool.operations.map((one) => ({ ...one, ...binding })) };
}

const lister = (name: string): ToolDefinition =>
  toolOf({
    name: `list_${name}`,
    send: { path: `/pets/{id}/${name}`, pathParams: { id: "id" }, query: { limit: "limit" } },
    properties: { id: text, limit: { type: "integer" } },
    required: ["id"],
    read: { wrap: "items" },
    outputSchema: items,
  });
const others = NAMES.map(lister);

const pet = { id: "1", name: "Rex" };
const visits = [{ visitId: "v1" }];
const notes = [{ text: "barks" }];

/** Answers by the end of the path. */
const answers =
  (byPath: Readonly<Record<string, Answer>>): Answer =>
  (response, request, count) =>
    (byPath[request.url.split("/").at(-1)!] ?? reply(200, pet))(response, request, count);
const all = answers({ visits: reply(200, visits), notes: reply(200, notes) });

async function get(args: object, answer: Answer = all, options: CallSketch = {}) {
  upstream = await startUpstream(answer);
  const env = { CLINIC_BASE_URL: upstream.url, ...options.env };
  const result = await call(getPet, args, { others, ...options, env });
  const sent = upstream.requests.map(({ method, url }) => `${method} ${url}`);
  const structured = result.structuredContent as Record<string, unknown> | undefined;
  return { result, sent, structured };
}

describe("a thing with its lists", () => {
  test("in the structured content, in the text and in _meta, by one request each", async () => {
    const { result, sent, structured } = await get({ petId: "1", include: ["visits", "notes"] });
    expect(sent.toSorted()).toEqual(["GET /pets/1", "GET /pets/1/notes", "GET /pets/1/visits"]);
    const lists = { visits: { items: visits }, notes: { items: notes } };
    expect(structured).toMatchObject({ ...pet, included: lists });
    expect(textOf(result)).toContain(JSON.stringify({ included: lists }));
    expect(structured?.["notes"]).toEqual([
      "included.visits is what list_visits returned.",
      "included.notes is what list_notes returned.",
    ]);
    expect(result._meta?.["dev.mcp-gen/requests"]).toHaveLength(3);
  });

  test("for each of several IDs", async () => {
    const { sent, structured } = await get({ petId: ["1", "2"], include: ["visits"] });
    expect(sent).toHaveLength(4);
    expect(structured?.["items"]).toMatchObject([
      { included: { visits: { items: visits } } },
      { included: { visits: { items: visits } } },
    ]);
  });

  test("without lists nobody asked for, also if the name is repeated or the list is empty", async () => {
    expect((await get({ petId: "1" })).sent).toEqual(["GET /pets/1"]);
    await upstream.close();
    expect((await get({ petId: "1", include: [] })).sent).toEqual(["GET /pets/1"]);
  });

  test("without secrets", async () => {
    const env = { CLINIC_TOKEN: "s3cret-token" };
    const stored = answers({ notes: reply(200, [{ text: "s3cret-token" }]) });
    const { result } = await get({ petId: "1", include: ["notes"] }, stored, { env });
    expect(JSON.stringify(result)).not.toContain("s3cret-token");
  });
});

describe("a list that is cut", () => {
  const many = Array.from({ length: 4000 }, (_, i) => ({ text: `note ${i}` }));

  test("says so, takes half of a result at most, and leaves the thing whole", async () => {
    const { result, structured } = await get(
      { petId: "1", include: ["notes"] },
      answers({ notes: reply(200, many) }),
      { env: { CLINIC_MAX_RESULT_TOKENS: "2000" } },
    );
    expect(structured).toMatchObject(pet);
    expect(JSON.stringify(structured).length).toBeLessThan(8_000);
    const { notes: cut } = structured?.["included"] as {
      notes: { items: unknown[]; notes: string[] };
    };
    expect(cut.items.length).toBeGreaterThan(5);
    expect(cut.notes.join(" ")).toMatch(/\b4000\b/);
    expect(textOf(result)).toMatch(/\b4000\b/);
  });

  test("has the inputs of its next page, which is not requested", async () => {
    const paged = withBinding(lister("notes"), {
      pagination: { offset: { input: "limit", first: 0 }, linkHeader: true, isFollowed: true },
    });
    const linked: Answer = (response) => {
      response.setHeader("link", `<${upstream.url}/pets/1/notes?limit=2>; rel="next"`);
      reply(200, notes)(response, {} as never, 0);
    };
    const { sent, structured } = await get(
      { petId: "1", include: ["notes"] },
      answers({ notes: linked }),
      { others: [lister("visits"), paged] },
    );
    expect(sent).toEqual(["GET /pets/1", "GET /pets/1/notes"]);
    expect(structured?.["included"]).toMatchObject({ notes: { next: { limit: 2 } } });
    expect(structured?.["notes"]).toEqual([
      "included.notes is what list_notes returned: not the whole list.",
    ]);
  });
});

describe("a list that cannot be read is not a failure of the call", () => {
  test.each<[name: string, answer: Answer, error: RegExp]>([
    ["because of a permission", reply(403, { message: "no access" }), /403 Forbidden.*no access/s],
    ["because a 404 hides it", reply(404), /404 Not Found/],
    ["because it is not JSON", reply(200, "<html>"), /./],
  ])("%s", async (_, notesAnswer, error) => {
    const { result, structured } = await get(
      { petId: "1", include: ["visits", "notes"] },
      answers({ visits: reply(200, visits), notes: notesAnswer }),
    );
    expect(result.isError).toBeUndefined();
    const lists = structured?.["included"] as Record<string, { items?: unknown; error?: string }>;
    expect(lists["visits"]?.items).toEqual(visits);
    expect(lists["notes"]?.error ?? JSON.stringify(lists["notes"])).toMatch(error);
  });

  test("because the server does not offer its tool", async () => {
    const { sent, structured } = await get({ petId: "1", include: ["notes"] }, all, {
      others: [lister("visits")],
    });
    expect(sent).toEqual(["GET /pets/1"]);
    expect(structured?.["included"]).toEqual({
      notes: { error: "Not sent, because this server does not offer list_notes." },
    });
  });

  test("because the rate limit is used up", async () => {
    const exhausted: Answer = (response, request, count) => {
      response.setHeader("x-ratelimit-remaining", "0");
      all(response, request, count);
    };
    const { sent, structured } = await get({ petId: "1", include: ["notes"] }, exhausted);
    expect(sent).toEqual(["GET /pets/1"]);
    expect(structured?.["included"]).toMatchObject({ notes: { error: expect.any(String) } });
  });
});

describe("no list is requested", () => {
  test("after a failure of the thing", async () => {
    const { result, sent } = await get({ petId: "1", include: ["notes"] }, reply(404));
    expect([result.isError, sent]).toEqual([true, ["GET /pets/1"]]);
  });

  test.each<[name: string, args: object, problem: RegExp]>([
    ["for an unknown list", { petId: "1", include: ["owners"] }, /visits/],
    [
      "for too many things",
      { petId: Array.from({ length: 14 }, (_, i) => `${i}`), include: ["visits", "notes"] },
      /14 IDs with 2 lists each; pass fewer, a call sends 40 requests at most/,
    ],
  ])("%s", async (_, args, problem) => {
    const { result, sent } = await get(args);
    expect([result.isError, sent]).toEqual([true, []]);
    expect(textOf(result)).toMatch(problem);
  });

  test("for the list of a tool that finds and gets", async () => {
    const find: ToolDefinition = {
      ...getPet,
      inputSchema: { ...getPet.inputSchema, required: [] },
      operations: [
        { ...getPet.operations[0]!, whenProvided: ["petId"] },
        { whenProvided: [], request: { method: "GET", path: "/pets" }, response: {} },
      ],
    };
    upstream = await startUpstream(all);
    const env = { CLINIC_BASE_URL: upstream.url };
    const result = await call(find, { include: ["notes"] }, { env, others });
    expect([result.isError, upstream.requests.length]).toEqual([true, 0]);
    expect(textOf(result)).toContain("include");
  });
});

describe("a list with an input of its own", () => {
  const hiddenNotes = {
    ...toolOf({
      name: "list_notes",
      send: { path: "/pets/{id}/notes", pathParams: { id: "id" }, query: { since: "since" } },
      properties: { id: text, since: text },
      required: ["id", "since"],
      read: { wrap: "items" },
      outputSchema: items,
    }),
    hidden: true as const,
  };
  const read = withBinding(
    toolOf({
      name: "get_pet",
      send: { path: "/pets/{petId}", pathParams: { petId: "petId" } },
      properties: { petId: text, include, since: text },
      required: ["petId"],
      outputSchema: { type: "object", properties: { id: text, name: text } },
    }),
    {
      included: {
        input: "include",
        lists: {
          visits: { tool: "list_visits", inputs: { id: "petId" } },
          notes: {
            tool: "list_notes",
            inputs: { id: "petId", since: "since" },
            required: ["since"],
          },
        },
      },
    },
  );

  test.each([
    { args: { include: ["notes"], since: "May" }, want: ["/pets/1", "/pets/1/notes?since=May"] },
    { args: { include: ["visits"] }, want: ["/pets/1", "/pets/1/visits"] },
    { args: { include: ["notes"] }, want: "- since: is required with include notes" },
    { args: { since: "May" }, want: "- since: is only used with include notes; leave it out" },
  ])("$args", async ({ args, want }) => {
    upstream = await startUpstream((response, request, count) =>
      reply(200, /notes|visits/.test(request.url) ? notes : pet)(response, request, count),
    );
    const env = { CLINIC_BASE_URL: upstream.url };
    const result = await call(
      read,
      { petId: "1", ...args },
      { others: [lister("visits"), hiddenNotes], env },
    );
    if (typeof want === "string") expect(textOf(result)).toContain(want);
    else expect(upstream.requests.map(({ url }) => url)).toEqual(want);
    expect(textOf(result)).not.toContain("list_notes");
  });
});
