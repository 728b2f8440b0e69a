import { afterEach, describe, expect, test } from "vitest";
import { callForEach } from "../../../src/runtime/call/several-ids.js";
import type { CallOutcome } from "../../../src/runtime/tools/definitions.js";
import type { OperationBinding, ToolDefinition } from "../../../src/runtime/types.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream | undefined;
afterEach(() => upstream?.close());

const several = (type: "string" | "integer") => ({
  anyOf: [{ type }, { type: "array", items: { type } }],
  description: "The pet.",
});
const text = { type: "string" } as const;
const pet = { type: "object", properties: { id: text, name: text } } as const;

/** A tool whose ID may be a list. */
function tool(
  sketch: Partial<Parameters<typeof toolOf>[0]> = {},
  binding: Partial<OperationBinding> = {},
) {
  const made = toolOf({
    name: "get_pet",
    send: { path: "/pets/{petId}", pathParams: { petId: "petId" } },
    properties: { petId: several("string") },
    required: ["petId"],
    outputSchema: { ...pet, properties: { ...pet.properties, items: { type: "array" } } },
    ...sketch,
  });
  const operations = made.operations.map((operation) => ({
    ...operation,
    severalIds: { input: "petId" },
    ...binding,
  }));
  return { ...made, operations };
}

/** A `find_…` tool that lists and gets. */
const find: ToolDefinition = {
  ...tool({
    name: "find_pets",
    properties: { petId: several("string"), name: text },
    required: [],
    outputSchema: {
      type: "object",
      properties: { items: { type: "array", items: pet } },
      required: ["items"],
    },
  }),
  operations: [
    {
      whenProvided: ["petId"],
      request: { method: "GET", path: "/pets/{petId}", pathParams: { petId: "petId" } },
      response: { item: "" },
      severalIds: { input: "petId" },
    },
    {
      whenProvided: [],
      request: { method: "GET", path: "/pets", query: { name: "name" } },
      response: { items: "" },
    },
  ],
};

const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
const remove = tool(
  {
    name: "delete_pet",
    annotations: writes,
    send: { method: "DELETE", path: "/pets/{petId}", pathParams: { petId: "petId" } },
    outputSchema: { type: "object" },
  },
  { severalIds: { input: "petId", isWrite: true } },
);

/** Pets, and failures by ID. */
const pets =
  (failures: Readonly<Record<string, number>> = {}): Answer =>
  (response, request, count) => {
    const id = decodeURIComponent(request.url.split("/")[2] ?? "");
    const status = failures[id];
    const answer =
      status === undefined
        ? request.method === "DELETE"
          ? reply(204)
          : reply(200, { id, name: `Pet ${id}` })
        : reply(status, { message: `nothing of ${id}` });
    // The first ones are answered last.
    setTimeout(() => answer(response, request, count), Math.max(0, 40 - 10 * count));
  };

async function run(
  input: unknown,
  {
    answer = pets(),
    of = tool(),
    env = {},
  }: Partial<{ answer: Answer; of: ToolDefinition; env: Record<string, string> }> = {},
) {
  upstream = await startUpstream(answer);
  const settings = {
    CLINIC_BASE_URL: upstream.url,
    CLINIC_MAX_RETRIES: "0",
    CLINIC_MAX_RETRY_WAIT_MS: "0",
  };
  const result = await call(of, input, { env: { ...settings, ...env } });
  const structured = result.structuredContent as { items?: readonly unknown[]; notes?: unknown };
  const sent = upstream.requests.map(({ method, url }) => `${method} ${url}`);
  return { result, sent, structured, text: textOf(result), isError: result.isError ?? false };
}

const link = tool(
  {
    name: "remove_user",
    annotations: writes,
    send: {
      method: "DELETE",
      path: "/groups/{groupId}/users/{userId}",
      pathParams: { groupId: "groupId", userId: "userId" },
    },
    properties: { groupId: several("string"), userId: several("string") },
    required: ["groupId", "userId"],
    outputSchema: { type: "object" },
  },
  { severalIds: { input: "userId", others: ["groupId"], isWrite: true } },
);

describe("several lists of IDs", () => {
  test.each<[name: string, groupId: unknown, userId: unknown, want: readonly string[]]>([
    ["one of them", ["g1", "g2"], "u1", ["g1/users/u1", "g2/users/u1"]],
    ["the last one", "g1", ["u1", "u2"], ["g1/users/u1", "g1/users/u2"]],
    ["in pairs", ["g1", "g2"], ["u1", "u2"], ["g1/users/u1", "g2/users/u2"]],
    ["a pair only once", ["g1", "g1", "g2"], ["u1", "u1", "u1"], ["g1/users/u1", "g2/users/u1"]],
    ["a list of one", ["g1", "g2"], ["u1"], ["g1/users/u1", "g2/users/u1"]],
    ["no list", "g1", "u1", ["g1/users/u1"]],
  ])("%s", async (_, groupId, userId, want) => {
    const { sent, isError, structured } = await run({ groupId, userId }, { of: link });
    expect(isError).toBe(false);
    expect(sent).toEqual(want.map((path) => `DELETE /groups/${path}`));
    if (want.length > 1) expect(structured.items).toHaveLength(want.length);
  });

  test("name both IDs of a call", async () => {
    const input = { groupId: ["g1", "g2"], userId: ["u1", "u2"] };
    const { structured } = await run(input, { of: link, answer: pets({ g2: 404 }) });
    expect(structured.items).toMatchObject([
      { groupId: "g1", userId: "u1" },
      { groupId: "g2", userId: "u2", error: expect.stringContaining("nothing of g2") as string },
    ]);
  });

  test("are refused with different lengths", async () => {
    const input = { groupId: ["g1", "g2"], userId: ["u1", "u2", "u3"] };
    const { sent, isError, text: message } = await run(input, { of: link });
    expect([sent, isError]).toEqual([[], true]);
    expect(message).toContain(
      "userId: has 3 IDs, and groupId has 2; lists of one call are taken in pairs",
    );
  });
});

const named = (...ids: string[]) => ids.map((id) => ({ id, name: `Pet ${id}` }));

describe("a list of IDs", () => {
  test.each<readonly [name: string, of: ToolDefinition]>([
    ["of a get", tool()],
    ["of a find", find],
  ])("%s has one result, in order and in both forms", async (_, of) => {
    const { sent, structured, text, isError } = await run({ petId: ["c", "a", "b"] }, { of });
    expect(sent.toSorted()).toEqual(["GET /pets/a", "GET /pets/b", "GET /pets/c"]);
    expect({ structured, isError }).toEqual({
      structured: { items: named("c", "a", "b") },
      isError: false,
    });
    expect(text).toBe(JSON.stringify({ items: named("c", "a", "b") }));
  });

  test("of a find names the null fields of an item as the item has them", async () => {
    const owned = { ...pet, properties: { ...pet.properties, owner: text } };
    const outputSchema = {
      ...find.outputSchema,
      properties: { items: { type: "array", items: owned } },
    };
    const answer: Answer = (response, request, count) =>
      reply(200, { id: request.url.split("/")[2], owner: null })(response, request, count);
    const { structured } = await run(
      { petId: ["a", "b"] },
      { of: { ...find, outputSchema }, answer },
    );
    expect(structured.items).toEqual(["a", "b"].map((id) => ({ id, nullFields: ["owner"] })));
  });

  test("may be JSON text", async () => {
    expect((await run({ petId: '["a","b"]' })).structured.items).toEqual(named("a", "b"));
  });

  test("sends the same ID once", async () => {
    const { sent, structured } = await run({ petId: ["a", "b", "a"] });
    expect(sent).toHaveLength(2);
    expect(structured.items).toEqual(named("a", "b"));
  });

  test("converts and checks each ID like a single one", async () => {
    const of = tool({ properties: { petId: several("integer") } });
    const { sent, structured } = await run({ petId: ["1", 2, "x"] }, { of });
    expect(sent.toSorted()).toEqual(["GET /pets/1", "GET /pets/2"]);
    expect(structured.items?.[2]).toMatchObject({
      petId: "x",
      error: expect.stringContaining("petId") as string,
    });
  });

  test("has at most five requests at once", async () => {
    let [open, most] = [0, 0];
    const answer: Answer = (response, request, count) => {
      most = Math.max(most, ++open);
      response.on("close", () => open--);
      setTimeout(() => reply(200, { id: request.url })(response, request, count), 30);
    };
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const { structured } = await run({ petId: ids }, { answer });
    expect(structured.items).toHaveLength(20);
    expect(most).toBe(5);
  });

  test("shares the size of a result", async () => {
    const answer: Answer = (response, request, count) =>
      reply(200, { id: request.url, name: "long ".repeat(2000) })(response, request, count);
    const env = { CLINIC_MAX_RESULT_TOKENS: "1000" };
    const { result } = await run({ petId: ["a", "b"] }, { answer, env });
    expect(JSON.stringify(result.structuredContent).length).toBeLessThan(6_000);
    expect(JSON.stringify(result.structuredContent)).toContain("too large");
  });
});

describe("a failure", () => {
  test("stands in the place of its ID, in the words of the API", async () => {
    const answer = pets({ b: 404 });
    const { structured, text, isError } = await run({ petId: ["a", "b", "c"] }, { answer });
    expect(isError).toBe(false);
    expect(structured.items).toEqual([
      named("a")[0],
      { petId: "b", error: expect.stringContaining("nothing of b") as string },
      named("c")[0],
    ]);
    expect(structured.notes).toEqual(["1 of 3 IDs have no result. Their items have an error."]);
    expect(text).toContain("nothing of b");
    expect(text).toContain("Note: 1 of 3 IDs have no result.");
  });

  test("is one of the call if every ID fails", async () => {
    const { isError, structured, text } = await run(
      { petId: ["a", "b"] },
      { answer: pets({ a: 404, b: 403 }) },
    );
    expect({ isError, structured }).toEqual({ isError: true, structured: undefined });
    expect(text).toMatch(/petId "a": [^]*nothing of a[^]*petId "b": [^]*nothing of b/);
  });

  test("by the rate ends further requests", async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const answer = pets({ p0: 429, p1: 429, p2: 429, p3: 429, p4: 429 });
    const { sent, text } = await run({ petId: ids }, { answer });
    expect(sent.length).toBeLessThanOrEqual(10);
    expect(text).toContain("Not sent, because the API limits the rate of requests.");
  });

  test("by the limit of the server stands in its place", async () => {
    const { structured, sent } = await run(
      { petId: ["a", "b", "c"] },
      { env: { CLINIC_CALLS_PER_MINUTE: "2" } },
    );
    expect(sent).toHaveLength(2);
    expect(structured.items?.[2]).toMatchObject({
      petId: "c",
      error: expect.stringContaining("2 calls") as string,
    });
  });
});

describe("one ID", () => {
  test.each<readonly [name: string, petId: unknown]>([
    ["as a value", "a"],
    ["as a list", ["a"]],
  ])("%s has the result of one call", async (_, petId) => {
    const { sent, structured } = await run({ petId });
    expect(sent).toEqual(["GET /pets/a"]);
    expect(structured).toEqual(named("a")[0]);
  });

  test("of another type is converted", async () => {
    expect((await run({ petId: 5 })).sent).toEqual(["GET /pets/5"]);
  });
});

test.each<readonly [name: string, petId: unknown, want: RegExp]>([
  ["an empty list", [], /petId: is an empty list; pass at least one ID/],
  [
    "too many IDs",
    Array.from({ length: 21 }, (_, i) => `p${i}`),
    /petId: has 21 IDs, and a call takes 20 at most/,
  ],
  ["no ID", undefined, /petId/],
  ["an object", ["a", { b: 1 }], /petId: has an item that is not an ID/],
  [
    "lists in lists, as text",
    `[${"[".repeat(50_000)}${"]".repeat(50_000)},"a"]`,
    /petId: has an item that is not an ID/,
  ],
])("%s is refused before a request", async (_, petId, want) => {
  const { sent, isError, text } = await run({ petId });
  expect({ sent, isError }).toEqual({ sent: [], isError: true });
  expect(text).toMatch(want);
});

describe("writes", () => {
  test("are sent one after the other", async () => {
    const { sent, structured } = await run({ petId: ["b", "a"] }, { of: remove });
    expect(sent).toEqual(["DELETE /pets/b", "DELETE /pets/a"]);
    expect(structured.items).toMatchObject([
      { petId: "b", httpStatus: 204 },
      { petId: "a", httpStatus: 204 },
    ]);
  });

  test.each([400, 403, 404, 409, 410, 412, 422])("go on after %d for one ID", async (status) => {
    const { sent, structured } = await run(
      { petId: ["a", "b", "c"] },
      { of: remove, answer: pets({ b: status }) },
    );
    expect(sent).toEqual(["DELETE /pets/a", "DELETE /pets/b", "DELETE /pets/c"]);
    expect(structured.items).toMatchObject([
      { petId: "a", httpStatus: 204 },
      { petId: "b", error: expect.stringContaining("nothing of b") as string },
      { petId: "c", httpStatus: 204 },
    ]);
  });

  test("end with a failure that may concern every call, and say what was not sent", async () => {
    const { sent, structured, isError } = await run(
      { petId: ["a", "b", "c"] },
      { of: remove, answer: pets({ b: 500 }) },
    );
    expect({ sent, isError }).toEqual({
      sent: ["DELETE /pets/a", "DELETE /pets/b"],
      isError: false,
    });
    expect(structured.items).toMatchObject([
      { petId: "a", httpStatus: 204 },
      { petId: "b", error: expect.stringContaining("nothing of b") as string },
      { petId: "c", error: "Not sent, because a call before it failed." },
    ]);
    expect(structured.notes).toEqual(["2 of 3 IDs have no result. Their items have an error."]);
  });
});

test("calls with one ID share a schema, which is compiled once", async () => {
  const schemas = new Set<unknown>();
  const callOne = async ({ inputSchema }: ToolDefinition): Promise<CallOutcome> => {
    schemas.add(inputSchema);
    return { result: { content: [] } } as unknown as CallOutcome;
  };
  const same = tool();
  for (const petId of ["1", "2", ["3", "4"]]) await callForEach(same, { petId }, 1000, callOne);
  expect(schemas.size).toBe(1);
});
