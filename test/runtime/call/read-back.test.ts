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
  const structured = result.structuredContent as Record<string, unknown> | undefined;
  return { result, sent, structured };
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
    expect(textOf(result)).toContain("current is what get_pet returned right after it.");
  });

  test("also a list that the document does not describe", async () => {
    const others = [{ ...reader, outputSchema: undefined }];
    const answer = answers(reply(200, ""), reply(200, ["eth0"]));
    const { result, structured } = await update(answer, { others });
    const current = { items: ["eth0"] };
    expect(structured).toMatchObject({ httpStatus: 200, current });
    expect(textOf(result)).toContain(JSON.stringify({ current }));
  });

  test("also a text", async () => {
    const others = [{ ...reader, outputSchema: undefined }];
    const read = reply(200, "verbose", { "content-type": "text/plain" });
    const { result, structured } = await update(answers(reply(200, ""), read), { others });
    expect(structured).toMatchObject({ httpStatus: 200, current: "verbose" });
    expect(textOf(result)).toContain('{"current":"verbose"}');
  });

  test.each(["[1,2,3]", '"quoted"', '{ "a":  1 }', "12"])("also %s as text", async (text) => {
    const others = [{ ...reader, outputSchema: undefined }];
    const read = reply(200, text, { "content-type": "text/html" });
    const { result, structured } = await update(answers(reply(204), read), { others });
    expect(structured).toMatchObject({ httpStatus: 204, current: text });
    expect(textOf(result)).toContain(JSON.stringify({ current: text }));
  });

  test("without its secrets", async () => {
    const env = { CLINIC_TOKEN: "s3cret-token" };
    const stored = { ...pet, token: "s3cret-token" };
    const { result } = await update(answers(reply(204), reply(200, stored)), { env });
    expect(JSON.stringify(result)).not.toContain("s3cret-token");
  });

  test("as far as a quarter of the size of a result goes", async () => {
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
  ["content beside data about it", reply(200, { meta: { page: {} }, pet: { id: [1] } }), {}],
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

test("a reader without content confirms by its status that the thing is there", async () => {
  const { structured } = await update(answers(reply(204), reply(204)));
  expect(structured?.["notes"]).toContain("get_pet answers 204 for it now.");
  expect(structured).not.toHaveProperty("current");
});

test("a thing that the response has already is not shown twice", async () => {
  const empty = { script: "" };
  const { structured, result } = await update(answers(reply(200, empty), reply(200, empty)));
  expect(structured).toEqual({ script: "", notes: ["get_pet returns the same after it."] });
  expect(textOf(result).split("script")).toHaveLength(2);
});

describe("a response that says only that it was done has no content", () => {
  test.each<readonly [name: string, response: unknown]>([
    ["a flag", { success: true }],
    ["an envelope without data", { code: 0, message: "ok", data: null }],
    ["a message", { message: "Pet updated." }],
    ["a flag alone", true],
    ["null", null],
    ["an empty object", {}],
    ["an ID of the request", { status: "ok", request_id: "4f1c" }],
    ["data about the response", { meta: { version: { major: 2 } }, errors: [] }],
  ])("%s", async (_, response) => {
    const { structured, sent } = await update(answers(reply(200, response), reply(200, pet)));
    expect(sent).toHaveLength(2);
    expect(structured).toMatchObject({ current: pet });
  });

  test("so does a short text", async () => {
    const ok = reply(200, "OK", { "content-type": "text/plain" });
    const { result } = await update(answers(ok, reply(200, pet)));
    expect(textOf(result)).toContain(JSON.stringify({ current: pet }));
  });
});

describe("a part of the thing", () => {
  const field = { type: "string" } as const;
  const detailed = {
    ...reader,
    outputSchema: {
      type: "object",
      properties: { id: field, name: field, kind: field, born: field, weight: field },
    },
  };
  const always = writer({ ...petBack, evenAfterContent: true });
  const READ_BACK = { CLINIC_READ_BACK: "true" };

  test.each<readonly [string, unknown, Partial<UpdateOptions>, isRead: boolean]>([
    ["the ID, by default", { id: "p 1" }, {}, false],
    ["the ID, where the server is told to", { id: "p 1" }, { env: READ_BACK }, true],
    ["the ID, where the file names the tool", { id: "p 1" }, { tool: always }, true],
    ["the ID in an envelope", { data: { id: "p 1" } }, { tool: always }, true],
    ["most of it", { id: "p 1", name: "Rex", kind: "dog" }, { tool: always }, false],
    ["a list", [{ id: "p 1" }], { tool: always }, false],
    ["something else with parts", { warnings: ["old"] }, { tool: always }, false],
  ])("%s", async (_, response, options, isRead) => {
    const given = answers(reply(200, response), reply(200, pet));
    const { structured, sent } = await update(given, { others: [detailed], ...options });
    expect(sent).toHaveLength(isRead ? 2 : 1);
    expect(structured !== undefined && "current" in structured).toBe(isRead);
  });
});

test("nothing is read after a response that says that the rate limit is used up", async () => {
  const exhausted = reply(204, undefined, { "x-ratelimit-remaining": "0" });
  expect((await update(answers(exhausted, reply(200, pet)))).sent).toHaveLength(1);
});

describe("a thing that differs from what was sent", () => {
  const differs = 'current differs from what was sent: name (sent "Rex", current "Bo").';

  test("is said in the text and in the structured content", async () => {
    const { result, structured } = await update(answers(reply(204), reply(200, { name: "Bo" })));
    expect(textOf(result)).toContain(differs);
    expect(structured).toMatchObject({ current: { name: "Bo" }, differsFromSent: ["name"] });
    expect(structured?.["notes"]).toContain(differs);
  });

  test.each<readonly [name: string, readBack: ReadBack, send: { method: string; path: string }]>([
    ["an action", petBack, { method: "POST", path: "/pets/{petId}/rename" }],
    ["a removal", { ...petBack, isRemoval: true }, { method: "DELETE", path: "/pets/{petId}" }],
  ])("is not compared after %s", async (_, readBack, send) => {
    const tool = writer(readBack);
    const operations = tool.operations.map((one) => ({
      ...one,
      request: { ...one.request, ...send },
    }));
    const { result } = await update(answers(reply(204), reply(200, { name: "Bo" })), {
      tool: { ...tool, operations },
    });
    expect(JSON.stringify(result)).not.toContain("differs");
  });
});

describe("after a removal", () => {
  const removal = (): ReturnType<typeof writer> => writer({ ...petBack, isRemoval: true });
  const remove = (read: Answer) => update(answers(reply(204), read), { tool: removal() });

  test.each([404, 410])("%d confirms that the thing is gone", async (status) => {
    const { result, structured } = await remove(reply(status));
    const sentence = `get_pet answers ${status} for it now.`;
    expect(result.isError).toBeUndefined();
    expect(structured?.["notes"]).toContain(sentence);
    expect(textOf(result)).toContain(sentence);
  });

  test.each<readonly [name: string, read: Answer]>([
    ["403", reply(403)],
    ["401", reply(401)],
    ["a failure", reply(500)],
  ])("%s says nothing about it", async (_, read) => {
    const { result } = await remove(read);
    expect(JSON.stringify(result.structuredContent)).not.toMatch(/gone|still/);
  });

  test("a thing that is still there is shown", async () => {
    const { structured } = await remove(reply(200, { ...pet, name: "deleted" }));
    expect(structured).toMatchObject({ current: { name: "deleted" } });
    expect(structured?.["notes"]).toContain("current is what get_pet returned right after it.");
  });
});

describe("after a removal of what only a list has", () => {
  const lister = toolOf({ name: "list_pets", send: { path: "/pets" } });
  const listed = { input: "pet_id", fields: ["petId", "id"] };
  const tool = writer({ tool: "list_pets", inputs: {}, isRemoval: true, listed });
  const notesAfter = async (read: Answer): Promise<readonly string[]> => {
    const { structured, sent, result } = await update(answers(reply(204), read), {
      tool,
      others: [lister],
    });
    expect(sent).toEqual(["PUT /pets/p%201", "GET /pets"]);
    expect(result.isError).toBeUndefined();
    expect(structured).not.toHaveProperty("current");
    const notes = structured?.["notes"] as readonly string[];
    expect(textOf(result)).toContain(notes.at(-1));
    return notes.slice(1);
  };

  const absent = ["list_pets does not list it now."];
  test.each<readonly [name: string, read: Answer, notes: readonly string[]]>([
    ["the others are listed", reply(200, [{ id: "p 2" }, { id: "p 3" }]), absent],
    ["nothing is listed", reply(200, []), absent],
    ["in items", reply(200, { items: [{ petId: "p 2" }] }), absent],
    [
      "it is still listed",
      reply(200, [{ id: "p 2" }, { id: "p 1" }]),
      ["list_pets still lists it."],
    ],
    ["items have no ID", reply(200, [{ name: "Rex" }]), []],
    ["an item has no ID", reply(200, [{ id: "p 2" }, { name: "Rex" }]), []],
    ["items have IDs of another kind", reply(200, [{ id: 2 }, { id: 3 }]), []],
    ["another field has the ID", reply(200, [{ id: "p 2", slug: "p 1" }]), []],
    [
      "there may be more",
      reply(
        200,
        Array.from({ length: 50 }, (_, i) => ({ id: `q${i}` })),
      ),
      [],
    ],
    ["it is not a list", reply(200, { count: 3 }), []],
    ["the list fails", reply(500, { message: "broken" }), []],
    ["the list is refused", reply(403), []],
  ])("%s", async (_, read, notes) => {
    expect(await notesAfter(read)).toEqual(notes);
  });
});

describe("after a change of what only a list has", () => {
  const lister = toolOf({ name: "list_pets", send: { path: "/pets" } });
  const listed = { input: "pet_id", fields: ["id"], list: "/response/pets" };
  const tool = writer({ tool: "list_pets", inputs: {}, listed });
  const factsAfter = async (pets: readonly object[]) => {
    const read = reply(200, { response: { pets } });
    const { structured, result } = await update(answers(reply(204), read), {
      tool,
      others: [lister],
    });
    expect(result.isError).toBeUndefined();
    const { notes, current } = structured as { notes: readonly string[]; current?: object };
    if (current) expect(textOf(result)).toContain(JSON.stringify({ current }));
    return { notes: notes.slice(1), current };
  };

  const rex = { id: "p 1", name: "Rex" };
  const absent = "list_pets does not list it now.";
  test.each<{ name: string; pets: readonly object[]; note?: string; current?: object }>([
    {
      name: "it is listed",
      pets: [{ id: "p 2" }, rex],
      note: "current is what list_pets lists of it now.",
      current: rex,
    },
    { name: "it is not listed", pets: [{ id: "p 2" }], note: absent },
    { name: "nothing is listed", pets: [], note: absent },
    { name: "it is listed twice", pets: [rex, rex] },
    { name: "items have no ID", pets: [{ name: "Rex" }] },
    { name: "there may be more", pets: Array.from({ length: 50 }, (_, i) => ({ id: `q${i}` })) },
  ])("$name", async ({ pets, note, current }) => {
    expect(await factsAfter(pets)).toEqual({ notes: note ? [note] : [], current });
  });
});

describe("after a creation", () => {
  const created = { input: "id", collection: "pets", fields: ["petId", "id"] };
  const creation = (inputs: Readonly<Record<string, string>> = {}) =>
    writer({ tool: "get_pet", inputs, created });

  test.each<readonly [string, Answer, string | undefined, ReturnType<typeof writer> | null]>([
    ["by Location", reply(201, undefined, { location: "/v1/pets/p%202" }), "/pets/p%202", null],
    [
      "by a whole URL",
      reply(201, undefined, { location: "https://other.example/pets/9?x=1" }),
      "/pets/9",
      null,
    ],
    ["by an input of the call", reply(201), "/pets/p%201", creation({ id: "pet_id" })],
    [
      "of a job elsewhere: no read",
      reply(201, undefined, { location: "/jobs/9" }),
      undefined,
      null,
    ],
    [
      "of a path that is no item: no read",
      reply(201, undefined, { location: "/pets" }),
      undefined,
      null,
    ],
    ["without an ID: no read", reply(201), undefined, null],
    [
      "that may come later: no read",
      reply(202, undefined, { location: "/pets/9" }),
      undefined,
      null,
    ],
  ])("%s", async (_, answer, path, tool) => {
    const { sent, structured } = await update(answers(answer, reply(200, pet)), {
      tool: tool ?? creation(),
    });
    expect(sent.slice(1)).toEqual(path === undefined ? [] : [`GET ${path}`]);
    expect(structured !== undefined && "current" in structured).toBe(path !== undefined);
  });

  test.each<readonly [name: string, body: unknown]>([
    ["at the top", { pet_id: "9" }],
    ["in an envelope", { code: 0, data: { id: 9 } }],
    ["alone", 9],
  ])("by the ID of the response, where the server is told to: %s", async (_, body) => {
    const given = answers(reply(201, body), reply(200, pet));
    const fields = Object.fromEntries(["id", "name", "kind", "born"].map((name) => [name, text]));
    const others = [{ ...reader, outputSchema: { type: "object", properties: fields } }];
    const env = { CLINIC_READ_BACK: "true" };
    const { sent } = await update(given, { tool: creation(), others, env });
    expect(sent[1]).toBe("GET /pets/9");
  });
});
