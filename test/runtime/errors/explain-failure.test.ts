import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readersByName } from "../../../src/runtime/errors/other-tools.js";
import { extractApiError } from "../../../src/runtime/errors/api-error/extract.js";
import type { ToolDefinition } from "../../../src/runtime/types.js";
import { connectionFailure } from "../../../src/runtime/client/failures.js";
import { call, textOf, toolOf, type ToolSketch } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const { status = "200", ...headers } = Object.fromEntries(
      new URL(request.url, "http://x").searchParams,
    );
    reply(Number(status), { message: "the API's words" }, headers)(response, request, count);
  });
});
afterAll(() => upstream.close());

const find = {
  name: "get_pet",
  properties: {
    pet_id: { type: "string" },
    status: { type: "integer" },
    after: { type: "string" },
  },
  send: {
    path: "/pets/{petId}",
    pathParams: { petId: "pet_id" },
    query: { status: "status", "retry-after": "after" },
  },
} satisfies ToolSketch;

/** Tools that other tools name. */
const producers = ["find_pets", "list_visits", "find_owners"].map((name) => toolOf({ name }));

const withToken: ToolSketch["send"] = { ...find.send, security: [{ token: [] }, { key: [] }] };

describe("text for an error status", () => {
  test.each<readonly [number, ToolSketch, string]>([
    [
      400,
      find,
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
    [
      401,
      find,
      "Next: the API requires credentials, and none were sent: its description declares none for this operation. Tell the user; do not retry.",
    ],
    [
      401,
      { ...find, send: withToken },
      "Next: the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.",
    ],
    [
      403,
      { ...find, send: withToken },
      "Next: the API refuses this call for the reason that it gives. Tell the user; do not retry.",
    ],
    [
      404,
      find,
      'Next: the API finds nothing with pet_id "42". Do not call get_pet again with the same input; if the user gave the value, ask them to check it.',
    ],
    [
      404,
      { ...find, producers: { pet_id: ["find_pets", "list_visits", "a"] } },
      'Next: the API finds nothing with pet_id "42". Get a valid pet_id from find_pets or list_visits; if the user gave the value, ask them to check it.',
    ],
    [
      431,
      find,
      "Next: the request is too large for the API: pass less or shorter input, then call get_pet again.",
    ],
    [451, find, "Next: the API withholds this for legal reasons. Tell the user; do not retry."],
    [402, find, "Next: the API requires payment or a larger plan. Tell the user; do not retry."],
    [
      415,
      find,
      "Next: the API does not have this in the format that the operation returns. Do not call get_pet again with the same input; tell the user.",
    ],
    [
      404,
      { send: { query: { status: "status" } }, properties: find.properties },
      "Next: do not call get_pet again with the same input.",
    ],
    [405, find, "Next: the API does not support this operation here; do not call get_pet again."],
    [
      409,
      find,
      "Next: the API refuses this for the reason that it gives. The same input may fail again.",
    ],
    [
      422,
      find,
      "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
    ],
    [
      500,
      find,
      "Next: if the reason that the API gives can pass by itself, wait a little, then call get_pet again; otherwise tell the user.",
    ],
    [
      500,
      { ...find, send: { ...find.send, method: "POST" } },
      "Next: get_pet may or may not have taken effect. Call find_pets to see whether it took effect before you call get_pet again. If it fails again, tell the user.",
    ],
    [
      404,
      { ...find, onError: { 404: "No pet has pet_id {pet_id}. Call find_pets to get one." } },
      "Next: No pet has pet_id 42. Call find_pets to get one.",
    ],
    [
      418,
      { ...find, onError: { "4XX": "Four, {missing}.", default: "Any." } },
      "Next: Four, missing.",
    ],
    [500, { ...find, onError: { "4XX": "Four.", default: "Any." } }, "Next: Any."],
  ])("%d", async (status, sketch, next) => {
    const result = await call(
      toolOf(sketch),
      { pet_id: "42", status },
      { env: { CLINIC_BASE_URL: upstream.url, CLINIC_TOKEN: "hunter2" }, others: producers },
    );
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    const [happened, says, last] = textOf(result).split("\n");
    expect(happened).toMatch(
      new RegExp(`^get_pet failed: ${status} .+ \\((GET|POST) ${upstream.url}/.*\\)\\.$`),
    );
    expect(says).toBe('The API says: "the API\'s words"');
    expect(last).toBe(next.replace("BASE_URL)", `${upstream.url})`));
  });

  test.each<readonly [number, string, string]>([
    [
      429,
      "3600",
      "Next: too many calls: wait 3600 s, then call get_pet again. If it fails again, tell the user.",
    ],
    [
      503,
      "3600",
      "Next: the fault is on the API's side. A retry can help: wait 3600 s, then call get_pet again. If it fails again, tell the user.",
    ],
    [
      503,
      "not a date",
      "Next: if the reason that the API gives can pass by itself, wait a minute, then call get_pet again; otherwise tell the user.",
    ],
    [
      429,
      "86400",
      "Next: too many calls: wait 86400 s, then call get_pet again, or tell the user that the API's quota is used up.",
    ],
  ])("%d says how long to wait", async (status, after, next) => {
    const result = await call(
      toolOf(find),
      { pet_id: "42", status, after },
      { env: { CLINIC_BASE_URL: upstream.url } },
    );
    expect(textOf(result)).toContain(next);
  });

  test("the text for a write with Retry-After states when to verify it", async () => {
    const result = await call(
      toolOf({ ...find, send: { ...find.send, method: "POST" } }),
      { pet_id: "42", status: 503, after: "3600" },
      { env: { CLINIC_BASE_URL: upstream.url } },
    );
    expect(textOf(result)).toContain(
      "get_pet may or may not have taken effect. Wait 3600 s, then find out from another tool or the user whether it took effect before you call get_pet again.",
    );
  });

  test.each<readonly [number, Record<string, string>, string]>([
    [429, { "x-ratelimit-reset-after": "1800.5" }, "wait 1801 s"],
    [429, { "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) - 5) }, "wait 1 s"],
    [429, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, "wait 1 s"],
    [
      403,
      { "x-ratelimit-remaining": "0", "ratelimit-reset": "1800" },
      "too many calls: wait 1800 s",
    ],
    [403, { "x-ratelimit-remaining": "12" }, "the API refuses this call"],
    [500, { "x-ratelimit-reset": "1800" }, "wait a little"],
  ])("%d with %j", async (status, headers, text) => {
    const refusing = await startUpstream(reply(status, { message: "no" }, headers));
    expect(
      textOf(
        await call(
          toolOf({ send: { method: "GET" } }),
          {},
          { env: { CLINIC_BASE_URL: refusing.url } },
        ),
      ),
    ).toContain(text);
    await refusing.close();
  });

  const petOnly = {
    name: "archive_pet",
    properties: { pet_id: { type: "string" } },
    send: { method: "POST", path: "/pets/{petId}/archive", pathParams: { petId: "pet_id" } },
  } satisfies ToolSketch;

  test.each<readonly [string, number, object, ToolSketch, string]>([
    [
      "a call that has only IDs is not asked to change them after a conflict",
      409,
      { message: "is archived", error: "Conflict" },
      petOnly,
      'The API says: "is archived"\nNext: the API refuses this for the reason that it gives. Do not call archive_pet again while it lasts.',
    ],
    [
      "a call that has only IDs is not asked to correct them for a state",
      422,
      { message: "has open visits", error: "Unprocessable Entity" },
      petOnly,
      'The API says: "has open visits"\nNext: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.',
    ],
    [
      "what a path reads below an item may be absent, not the item",
      404,
      { error: "Not Found" },
      { ...petOnly, send: { ...petOnly.send, method: "GET", path: "/pets/{petId}/photo" } },
      '/v2/pets/42/photo).\nNext: the API finds nothing with pet_id "42", or no photo for it. Do not call archive_pet again',
    ],
    [
      "without IDs in the path, the one that the API names",
      200,
      { code: 1, message: "padID does not exist.", data: null },
      { properties: { padID: { type: "string" } }, send: { query: { padID: "padID" } } },
      'Next: the API finds nothing with padID "42".',
    ],
    [
      "sentences of the API are joined once",
      400,
      { message: "Not valid.", details: [{ message: "The name is too long." }] },
      find,
      'The API says: "Not valid; The name is too long."',
    ],
    [
      "the base URL is named with its path",
      404,
      { error: "404 Not Found" },
      { properties: {}, send: { path: "/pets/all" } },
      "tell the user to check CLINIC_BASE_URL (now BASE_URL/v2).",
    ],
  ])("%s", async (_, status, body, sketch, text) => {
    const server = await startUpstream(reply(status, body));
    const env = { CLINIC_BASE_URL: `${server.url}/v2` };
    const [id] = Object.keys(sketch.properties ?? {});
    const input = id === undefined ? {} : { [id]: "42" };
    expect(textOf(await call(toolOf(sketch), input, { env }))).toContain(
      text.replace("BASE_URL/v2", `${server.url}/v2`),
    );
    await server.close();
  });

  test("a long URL is truncated", async () => {
    const result = await call(
      toolOf(find),
      { pet_id: "x".repeat(2000), status: 404 },
      { env: { CLINIC_BASE_URL: upstream.url } },
    );
    expect(textOf(result).split("\n")[0]!.length).toBeLessThan(400);
  });
});

describe("invalid input", () => {
  const tool = toolOf({
    properties: {
      pet_id: { type: "string" },
      born: { type: "string", format: "date", examples: ["2021-05-01"] },
      limit: { type: "integer", maximum: 100, examples: [20] },
      kind: { enum: ["dog"], examples: ["dog"] },
    },
    required: ["pet_id"],
    producers: { pet_id: ["find_pets"] },
  });

  test.each<readonly [object, readonly string[]]>([
    [{}, ["- pet_id: is required; get it from find_pets"]],
    [
      { pet_id: {} },
      ["- pet_id: expected a string, got an object; get a valid one from find_pets"],
    ],
    [{ pet_id: "1", born: "May" }, ['- born: "May" is not a date such as 2026-01-31']],
    [
      { pet_id: "1", born: [] },
      ['- born: expected a string, got a list of 0; for example "2021-05-01"'],
    ],
    [{ pet_id: "1", limit: "many" }, ['- limit: expected an integer, got "many"; for example 20']],
    [
      { pet_id: "1", limit: 500, kind: "cat" },
      ["- limit: 500 is above the maximum of 100", '- kind: "cat" is not one of "dog"'],
    ],
  ])("%j", async (input, lines) => {
    expect(
      textOf(await call(tool, input, { others: producers }))
        .split("\n")
        .slice(1, -1),
    ).toEqual(lines);
  });
});

describe("the verification tool", () => {
  const tools = new Set([
    "find_visits",
    "get_pet_photo",
    "list_visit_documents",
    "list_categories",
    "shop_find_pets",
    "find_s",
    "list_all_rooms",
    "list_keys_all",
    "fetch_action",
    "get_article_by_id",
  ]);

  test.each<readonly [string, string | undefined, string | undefined]>([
    ["book_visit", undefined, "find_visits"],
    ["cancel_visits", undefined, "find_visits"],
    ["upload_pet_photo", undefined, "get_pet_photo"],
    ["add_visit_document", undefined, "list_visit_documents"],
    ["create_category", undefined, "list_categories"],
    ["shop_create_pet", "shop", "shop_find_pets"],
    ["create_room", undefined, "list_all_rooms"],
    ["revoke_key", undefined, "list_keys_all"],
    ["update_action", undefined, "fetch_action"],
    ["publish_article", undefined, "get_article_by_id"],
    ["create_order", undefined, undefined],
    ["sync", undefined, undefined],
    ["find_visits", undefined, undefined],
  ])("%s in %s: %s", (tool, namespace, want) =>
    expect(readersByName(tool, namespace).find((name) => tools.has(name))).toBe(want),
  );
});

/** A tool with inputs in its query, none of which the document requires. */
const queryTool = (name: string, inputs: readonly string[], sketch: ToolSketch = {}) =>
  toolOf({
    name,
    properties: Object.fromEntries(inputs.map((input) => [input, { type: "string" }])),
    send: { method: "POST", query: Object.fromEntries(inputs.map((input) => [input, input])) },
    ...sketch,
  });

describe("advice prefers tools that can be called", () => {
  const says = (message: string, code = 400): ToolSketch["send"] => ({
    method: "POST",
    path: "/says",
    query: { text: { value: message }, code: { value: String(code) }, groupID: "groupID" },
  });
  let api: Upstream;
  let answer = { code: 409, message: "no" };
  beforeAll(async () => {
    api = await startUpstream((response, request, count) => {
      const query = new URL(request.url, "http://x").searchParams;
      const body = { message: query.get("text") ?? answer.message };
      reply(Number(query.get("code") ?? answer.code), body)(response, request, count);
    });
  });
  afterAll(() => api.close());

  const creating = toolOf({
    name: "create_export",
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  });
  const listPads = queryTool("list_pads", ["groupID"]);
  const listAllPads = queryTool("list_pads_all", []);
  const getPad = toolOf({
    name: "get_pad",
    properties: { padID: { type: "string" } },
    required: ["padID"],
    send: { path: "/pads/{padID}", pathParams: { padID: "padID" } },
  });
  const deletePad = toolOf({
    name: "delete_pad",
    properties: { padID: { type: "string" } },
    required: ["padID"],
    send: { method: "DELETE", path: "/pads/{padID}", pathParams: { padID: "padID" } },
  });
  const savePad = queryTool("save_pad", ["padID", "text"]);
  const withReadBack = (inputs: Readonly<Record<string, string>>) => ({
    ...savePad,
    operations: savePad.operations.map((operation) => ({
      ...operation,
      readBack: {
        ...{ tool: "get_pad", inputs },
        ...(!inputs["padID"] && {
          created: { input: "padID", collection: "pads", fields: ["id"] },
        }),
      },
    })),
  });
  const listed = { properties: { groupID: { type: "string" } } };

  test.each<{
    readonly name: string;
    readonly tool: ReturnType<typeof toolOf>;
    readonly input?: object;
    readonly others: readonly ReturnType<typeof toolOf>[];
    /** Answer of the API. */
    readonly code?: number;
    readonly message?: string;
    readonly next: string;
  }>([
    {
      name: "a reader without an unknown ID",
      tool: queryTool("create_pad", ["padID"]),
      input: { padID: "notes" },
      others: [listPads, listAllPads],
      next: "the API refuses this for the reason that it gives. Call list_pads_all to see the current state. The same input may fail again.",
    },
    {
      name: "a reader that changes nothing",
      tool: queryTool("create_pad", ["padID"]),
      input: { padID: "notes" },
      others: [
        { ...listAllPads, annotations: { ...creating.annotations, destructiveHint: true } },
        listPads,
      ],
      next: "the API refuses this for the reason that it gives. Call list_pads to see the current state. The same input may fail again.",
    },
    {
      name: "a reader whose ID is given",
      tool: queryTool("create_pad", ["padID"]),
      input: { padID: "notes" },
      others: [listPads, getPad],
      next: "the API refuses this for the reason that it gives. Call get_pad to see the current state. The same input may fail again.",
    },
    {
      name: "the getter of the thing before a list",
      tool: withReadBack({ padID: "padID" }),
      input: { padID: "p1", text: "a" },
      others: [listAllPads, getPad],
      next: "the API refuses this for the reason that it gives. Call get_pad to see the current state. The same input may fail again.",
    },
    {
      name: "a list before the getter of a thing that has no ID yet",
      tool: withReadBack({}),
      input: { padID: "p1", text: "a" },
      others: [listAllPads, getPad],
      next: "the API refuses this for the reason that it gives. Call list_pads_all to see the current state. The same input may fail again.",
    },
    {
      name: "a reader with an unknown ID, where no other is",
      tool: queryTool("create_pad", ["padID"]),
      input: { padID: "notes" },
      others: [listPads],
      next: "the API refuses this for the reason that it gives. Call list_pads to see the current state. The same input may fail again.",
    },
    {
      name: "an input that the message names and the call omits",
      tool: toolOf({ ...listed, name: "list_pads", send: says("groupID does not exist") }),
      others: [],
      next: "add groupID, then call list_pads again.",
    },
    {
      name: "a source of this input",
      tool: toolOf({
        ...listed,
        name: "list_pads",
        send: says("Missing groupID", 404),
        producers: { groupID: ["list_groups"] },
      }),
      others: [toolOf({ name: "list_groups" })],
      next: "add groupID, then call list_pads again. Get a valid groupID from list_groups.",
    },
    {
      name: "a given input that the message names",
      tool: toolOf({ ...listed, name: "list_pads", send: says("groupID is too long") }),
      input: { groupID: "g" },
      others: [],
      next: "correct the input of list_pads as the API says, then call it again; the same input fails again.",
    },
    {
      name: "an ID outside of the path that may be wrong",
      tool: queryTool("save_pad", ["id", "text"], { properties: { id: { type: "string" } } }),
      input: { id: "g1" },
      others: [],
      code: 404,
      next: 'the API may have nothing with id "g1". Do not call save_pad again with the same input; if the user gave the value, ask them to check it.',
    },
    {
      name: "an item that a 500 does not find",
      tool: deletePad,
      input: { padID: "p1" },
      others: [],
      code: 500,
      message: "pad not found",
      next: 'the API finds nothing with padID "p1". Do not call delete_pad again with the same input; if the user gave the value, ask them to check it.',
    },
    {
      name: "anything else that a 500 does not find",
      tool: deletePad,
      input: { padID: "p1" },
      others: [],
      code: 500,
      message: "template not found",
      next: "delete_pad may or may not have taken effect. Find out from another tool or the user whether it took effect before you call delete_pad again. If it fails again, tell the user.",
    },
    {
      name: "the base URL, where the API knows no such path",
      tool: deletePad,
      input: { padID: "p1" },
      others: [],
      code: 404,
      message: "404 page not found",
      next: 'the server has no such path: it may not offer this operation, or has nothing with padID "p1". Do not call delete_pad again with the same input; if the user gave the value, ask them to check it. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API_URL).',
    },
    {
      name: "no valid ID for a thing that a PUT creates",
      tool: toolOf({
        name: "add_chart",
        effect: "adds",
        properties: { id: {} },
        send: { method: "PUT", path: "/charts/{id}", pathParams: { id: "id" } },
        producers: { id: ["find_pets"] },
      }),
      input: { id: "hki" },
      others: [toolOf({ name: "find_pets" })],
      code: 404,
      message: "Cannot PUT /charts/hki",
      next: "the server has no such path: it may not offer this operation. Do not call add_chart again. If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API_URL).",
    },
    {
      name: "an ID of a tool that only reads",
      tool: toolOf({ ...find, producers: { pet_id: ["create_export", "find_pets"] } }),
      input: { pet_id: "1", status: 404 },
      others: [creating, toolOf({ name: "find_pets" })],
      next: 'the API finds nothing with pet_id "1". Get a valid pet_id from find_pets; if the user gave the value, ask them to check it.',
    },
    {
      name: "an ID that a tool returned, not a new one",
      tool: toolOf({ ...find, producers: { pet_id: ["create_export"] } }),
      input: { pet_id: "1", status: 404 },
      others: [creating],
      next: 'the API finds nothing with pet_id "1". Use the pet_id that create_export returned, which creates a new one with every call; if the user gave the value, ask them to check it.',
    },
  ])("$name", async ({ tool, input = {}, others, code = 409, message = "no", next }) => {
    answer = { code, message };
    const isStatus = "status" in input;
    const url = isStatus ? upstream.url : api.url;
    const text = textOf(await call(tool, input, { env: { CLINIC_BASE_URL: url }, others }));
    expect(text.split("Next: ")[1]).toBe(next.replace("API_URL", api.url));
  });
});

describe("secrets", () => {
  test("credentials in a response are redacted", async () => {
    const echo = await startUpstream((response, request) =>
      reply(401, {
        error: `bad token ${request.headers.authorization} and ${request.headers["x-api-key"]}`,
      })(response, request, 0),
    );
    const env = {
      CLINIC_BASE_URL: echo.url,
      CLINIC_TOKEN: "hunter2hunter2",
      CLINIC_API_KEY: "k€y",
    };
    const result = await call(toolOf({ send: { security: [{ token: [] }] } }), {}, { env });
    expect(textOf(result)).toContain('The API says: "bad token Bearer [redacted] and undefined"');
    await echo.close();
  });

  test("the message of an exception is not shown", async () => {
    const custom = { beforeRequest: () => Promise.reject(new Error("secret /home/u")) };
    const result = await call(
      toolOf(find),
      { pet_id: "1" },
      { env: { CLINIC_BASE_URL: upstream.url }, custom },
    );
    expect(textOf(result)).toBe(
      "The call failed with an internal error of this server. The server's log has the details. Tell the user; another call will most likely fail too.",
    );
  });

  test("missing credentials", async () => {
    const before = upstream.requests.length;
    const result = await call(
      toolOf({ ...find, send: withToken }),
      { pet_id: "1" },
      { env: { CLINIC_BASE_URL: upstream.url } },
    );
    expect(textOf(result)).toBe(
      "Not sent: the description of Clinic asks for credentials that are not set. Set CLINIC_TOKEN, or CLINIC_API_KEY, or CLINIC_AUTH=none to call without any, in the environment of this server, then restart it; do not retry.",
    );
    expect(upstream.requests).toHaveLength(before);
  });

  test("missing base URL", async () => {
    expect(textOf(await call(toolOf(find), { pet_id: "1" }))).toMatch(
      /^Not sent: The API's document names no server\. Set CLINIC_BASE_URL/,
    );
  });
});

describe("error messages of the API", () => {
  const json = "application/json";
  const problem = "application/problem+json";

  test.each<readonly [string, string, unknown, string, readonly (readonly [string, string])[]]>([
    [
      "an envelope beside empty data",
      "application/json",
      { meta: { code: 400, errorDetail: "near is not a place" }, response: {} },
      "near is not a place",
      [],
    ],
    [
      "problem details",
      problem,
      {
        type: "about:blank",
        title: "Bad email",
        status: 422,
        errors: [{ field: "email", message: "must be an address" }],
      },
      "Bad email",
      [["email", "must be an address"]],
    ],
    [
      "RFC 9457's own example",
      problem,
      {
        type: "https://example.net/validation-error",
        title: "Your request is not valid.",
        errors: [{ detail: "must be a positive integer", pointer: "#/age" }],
      },
      "Your request is not valid.",
      [["#/age", "must be a positive integer"]],
    ],
    [
      "its extension for parameters",
      problem,
      { title: "No", "invalid-params": [{ name: "age", reason: "must be positive" }] },
      "No",
      [["age", "must be positive"]],
    ],
    [
      "ASP.NET, Laravel, Rails",
      problem,
      { title: "No", detail: "Not today", errors: { name: ["is short", "is odd"] } },
      "No; Not today",
      [["name", "is short; is odd"]],
    ],
    [
      "JSON:API",
      json,
      {
        errors: [
          {
            status: "422",
            title: "Invalid",
            detail: "is too short",
            source: { pointer: "/data/attributes/title" },
          },
        ],
      },
      "",
      [["/data/attributes/title", "Invalid; is too short"]],
    ],
    [
      "Stripe",
      json,
      {
        error: {
          code: "resource_missing",
          doc_url: "https://x",
          message: "No such customer: 'cus_1'",
          param: "customer",
          type: "invalid_request_error",
        },
      },
      "",
      [["customer", "No such customer: 'cus_1' (resource_missing)"]],
    ],
    [
      "Google",
      json,
      {
        error: {
          code: 400,
          message: "Invalid value",
          status: "INVALID_ARGUMENT",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.BadRequest",
              fieldViolations: [{ field: "page_size", description: "too large" }],
            },
          ],
        },
      },
      "Invalid value (INVALID_ARGUMENT)",
      [["page_size", "too large"]],
    ],
    [
      "GitHub",
      json,
      {
        message: "Validation Failed",
        errors: [{ resource: "Issue", field: "title", code: "missing_field" }],
        documentation_url: "https://x",
      },
      "Validation Failed",
      [["title", "missing_field"]],
    ],
    [
      "GraphQL",
      json,
      { errors: [{ message: "Cannot query field", locations: [{ line: 1, column: 3 }] }] },
      "Cannot query field",
      [],
    ],
    ["Slack", json, { ok: false, error: "channel_not_found" }, "channel_not_found", []],
    [
      "Azure",
      json,
      {
        error: {
          code: "BadArgument",
          message: "Multiple errors",
          details: [{ code: "NullValue", target: "PhoneNumber", message: "must not be null" }],
        },
      },
      "Multiple errors (BadArgument)",
      [["PhoneNumber", "must not be null (NullValue)"]],
    ],
    [
      "AWS",
      json,
      { __type: "ResourceNotFoundException", message: "Requested resource not found" },
      "Requested resource not found (ResourceNotFoundException)",
      [],
    ],
    [
      "PayPal",
      json,
      {
        name: "INVALID_REQUEST",
        message: "Not well-formed",
        details: [
          { field: "/amount/value", issue: "INVALID_FORMAT", description: "too many decimals" },
        ],
      },
      "Not well-formed",
      [["/amount/value", "too many decimals"]],
    ],
    [
      "Salesforce",
      json,
      [
        {
          message: "Required fields are missing",
          errorCode: "REQUIRED_FIELD_MISSING",
          fields: ["Name"],
        },
      ],
      "",
      [["Name", "Required fields are missing (REQUIRED_FIELD_MISSING)"]],
    ],
    [
      "Jira",
      json,
      { errorMessages: ["Nothing saved"], errors: { summary: "You must specify a summary" } },
      "Nothing saved",
      [["summary", "You must specify a summary"]],
    ],
    [
      "Django",
      json,
      { email: ["This field is required."] },
      "",
      [["email", "This field is required."]],
    ],
    [
      "FastAPI",
      json,
      { detail: [{ loc: ["body", "name"], msg: "field required" }] },
      "",
      [["body.name", "field required"]],
    ],
    [
      "Zod",
      json,
      {
        error: {
          issues: [{ path: ["items", 0, "id"], message: "Required", code: "invalid_type" }],
        },
      },
      "",
      [["items.0.id", "Required (invalid_type)"]],
    ],
    [
      "Spring",
      json,
      {
        timestamp: "2026",
        status: 400,
        error: "Bad Request",
        message: "size must be positive",
        path: "/pets",
      },
      "size must be positive; Bad Request",
      [],
    ],
    [
      "OAuth",
      json,
      { error: "invalid_grant", error_description: "Expired" },
      "Expired; invalid_grant",
      [],
    ],
    [
      "Cloudflare",
      json,
      {
        success: false,
        errors: [{ code: 7003, message: "Could not route" }],
        messages: [],
        result: null,
      },
      "Could not route (code 7003)",
      [],
    ],
    ["a text", json, { error: "slow down" }, "slow down", []],
    ["an object", json, { error: { code: 7, message: "inner" } }, "inner (code 7)", []],
    [
      "the class of an error",
      json,
      { name: "NameExistsError", message: "inner" },
      "inner (NameExistsError)",
      [],
    ],
    ["a name that is none", json, { name: "Rex", message: "inner" }, "inner", []],
    ["a status as code", json, { error: { code: 404, message: "inner" } }, "inner", []],
    ["a code in the message", json, { code: 7, message: "Failed with 7." }, "Failed with 7.", []],
    ["texts", json, { errors: ["one", "two"] }, "one; two", []],
    ["a list", json, [{ message: "listed" }], "listed", []],
    ["nothing that is known", json, { code: 7, hint: "x" }, '{"code":7,"hint":"x"}', []],
    [
      "errors without a message",
      json,
      { errors: [{ kind: "odd", level: 3 }] },
      "kind odd, level 3",
      [],
    ],
    ["an empty object", json, {}, "", []],
    ["an empty list", json, [], "", []],
    ["JSON text", json, '"text"', "text", []],
    ["broken JSON", json, "{broken", "{broken", []],
    [
      "a page",
      "text/html",
      "<html><head><title>Log in</title><style>p{}</style><script>alert(1)</script></head><body><p>Log <b>in</b> &amp; out</p>\n</body>",
      "Log in & out",
      [],
    ],
    [
      "a page with a title only",
      "text/html",
      "<html><head><title>502 Bad Gateway</title></head><body></body></html>",
      "502 Bad Gateway",
      [],
    ],
    [
      "a SOAP 1.1 fault",
      "text/xml",
      "<?xml version='1.0'?><s:Envelope xmlns:s='x'><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>No such pet</faultstring></s:Fault></s:Body></s:Envelope>",
      "No such pet (s:Client)",
      [],
    ],
    [
      "a SOAP 1.2 fault",
      "application/soap+xml",
      "<env:Envelope><env:Body><env:Fault><env:Reason><env:Text xml:lang='en'>Processing error</env:Text></env:Reason></env:Fault></env:Body></env:Envelope>",
      "Processing error",
      [],
    ],
    [
      "S3",
      "application/xml",
      "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>",
      "The key does not exist. (NoSuchKey)",
      [],
    ],
    ["control characters", "text/plain", "a\u001b[31mb\u202e\u0007", "ab", []],
    ["no page", "text/plain", "1 < 2", "1 < 2", []],
    ["a picture", "image/png", "\u0089PNG", "", []],
    ["no type", "", "plain", "plain", []],
  ])("%s", (_, type, body, words, complaints) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const said = extractApiError({
      headers: new Headers({ "content-type": type }),
      body: text,
      size: text.length,
    });
    expect({
      words: said.message,
      complaints: said.fieldErrors.map(({ field, message: about }) => [field, about]),
    }).toEqual({ words, complaints });
  });

  test.each([
    [
      'Bearer realm="x", error="invalid_token", error_description="The token expired"',
      "The token expired",
    ],
    [
      'Bearer error="insufficient_scope", scope="pets:write"',
      "insufficient_scope; scope needed: pets:write",
    ],
    ["Basic realm=x", ""],
  ])("an empty answer that explains itself in a header: %s", (header, words) => {
    expect(
      extractApiError({ headers: new Headers({ "www-authenticate": header }), body: "", size: 0 })
        .message,
    ).toBe(words);
  });

  test.each([
    "x".repeat(100_000),
    "<script>".repeat(8_000),
    "<".repeat(64_000),
    "<a ".repeat(20_000),
    `<?xml?>${"<Text ".repeat(10_000)}`,
    "&#".repeat(40_000),
  ])("are at most 2,000 characters", (text) => {
    expect(
      extractApiError({
        headers: new Headers({ "content-type": "text/html" }),
        body: text,
        size: text.length,
      }).message.length,
    ).toBeLessThanOrEqual(2001);
  });

  test.each([1_000, 10_000, 60_000])(
    "a message of %i lines has its beginning and its end",
    (lines) => {
      const body = `Build started\n${"Step done\n".repeat(lines)}ERROR: no such package`;
      const headers = new Headers({ "content-type": "text/plain" });
      const { message } = extractApiError({ headers, body, size: body.length });
      expect(message).toMatch(/^Build started .*….*ERROR: no such package$/);
    },
  );

  test("nested and long messages are truncated", () => {
    const deep = JSON.parse(`${'{"error":'.repeat(3_000)}"x"${"}".repeat(3_000)}`) as unknown;
    const long = {
      errors: Array.from({ length: 10_000 }, (_, i) => ({
        field: `f${i}`,
        message: "m".repeat(100),
      })),
    };
    for (const value of [deep, long]) {
      const text = JSON.stringify(value);
      const { message, fieldErrors } = extractApiError({
        headers: new Headers({ "content-type": json }),
        body: text,
        size: text.length,
      });
      expect(message.length + JSON.stringify(fieldErrors).length).toBeLessThan(6000);
    }
  });
});

describe("field errors name the input of the field", () => {
  const tool = (send: ToolSketch["send"]): ToolSketch => ({
    name: "create_pet",
    send: { method: "POST", ...send },
    properties: Object.fromEntries(
      ["owner_email", "address", "per_page", "status", "body", "filter_state"].map((name) => [
        name,
        {},
      ]),
    ),
  });
  const fields = tool({
    query: { "page[size]": "per_page", "filter[state]": "filter_state" },
    body: {
      contentType: "application/json",
      fields: { email: "owner_email", address: "address", fixed: { value: 1 } },
    },
  });
  const whole = tool({ body: { contentType: "application/json", from: "body" } });

  test.each<readonly [string, ToolSketch, number, object, readonly string[]]>([
    [
      "by its name on the wire",
      fields,
      422,
      { title: "Bad email", errors: [{ field: "email", message: "must be an address" }] },
      [
        'The API says: "Bad email"',
        '- owner_email: "must be an address"',
        "Next: correct owner_email, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "by a pointer",
      fields,
      400,
      { errors: [{ detail: "is unknown", pointer: "#/address/city" }] },
      [
        "The API says:",
        '- address.city: "is unknown"',
        "Next: correct address.city, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "in an envelope",
      tool({
        body: {
          contentType: "application/json",
          fields: { email: "owner_email" },
          envelope: ["owner"],
        },
      }),
      422,
      { errors: [{ field: "owner.email", message: "is taken" }] },
      [
        "The API says:",
        '- owner_email: "is taken"',
        "Next: correct owner_email, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "in a container, in brackets, in other letters",
      fields,
      422,
      {
        detail: [
          { loc: ["body", "Email"], msg: "a" },
          { loc: ["query", "page[size]"], msg: "b" },
          { loc: ["filter[state]"], msg: "c" },
        ],
      },
      [
        "The API says:",
        '- owner_email: "a"',
        '- per_page: "b"',
        '- filter_state: "c"',
        "Next: correct owner_email, per_page and filter_state, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "in a body that is one input",
      whole,
      422,
      { errors: { "$.pets[0].name": ["is short"] } },
      [
        "The API says:",
        '- body.pets.0.name: "is short"',
        "Next: correct body.pets.0.name, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "not when no input fills it",
      fields,
      422,
      { message: "No", errors: { fixed: ["is old"] } },
      [
        'The API says: "No; fixed: is old"',
        "Next: the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
      ],
    ],
    [
      "with where to get a good one",
      { ...fields, producers: { owner_email: ["find_owners"] } },
      422,
      { errors: [{ field: "email", message: "is unknown" }] },
      [
        "The API says:",
        '- owner_email: "is unknown"',
        "Next: correct owner_email, then call create_pet again; the same input fails again. Get a valid owner_email from find_owners.",
      ],
    ],
    [
      "in a conflict",
      fields,
      409,
      { error: { message: "is taken", param: "email" } },
      [
        "The API says:",
        '- owner_email: "is taken"',
        "Next: the API refuses this for the reason that it gives. Call find_pets to see the current state. Change owner_email, then call create_pet again; the same input fails again.",
      ],
    ],
    [
      "in an answer of success",
      fields,
      200,
      { ok: false, errors: [{ path: "email", message: "is taken" }] },
      [
        "The API says:",
        '- owner_email: "is taken"',
        "Next: correct owner_email, then call create_pet again; the same input fails again.",
      ],
    ],
  ])("%s", async (_, sketch, status, body, want) => {
    const refusing = await startUpstream(reply(status, body));
    const result = await call(
      toolOf(sketch),
      { owner_email: "x", address: {}, per_page: 1, filter_state: "a", body: {} },
      { env: { CLINIC_BASE_URL: refusing.url }, others: producers },
    );
    expect(result.isError).toBe(true);
    expect(textOf(result).split("\n").slice(1)).toEqual(want);
    await refusing.close();
  });
});

describe("a success status with an error in the body", () => {
  test.each<readonly [object, RegExp | undefined]>([
    [
      { ok: false, error: "channel_not_found" },
      /^get_pet failed: the API returned 200 OK, but reports an error in its response .*\nThe API says: "channel_not_found"\nNext: do not call get_pet again with the same input\.$/,
    ],
    [
      { ok: false, error: "ratelimited" },
      /Next: too many calls: wait a minute, then call get_pet again\. If it fails again, tell the user\.$/,
    ],
    [{ ok: false, error: "invalid_auth" }, /Next: the API requires credentials/],
    [
      { success: false, message: "The cart is empty" },
      /The API says: "The cart is empty"\nNext: the API rejects this call, and get_pet has no input/,
    ],
    [
      { data: null, errors: [{ message: "Field 'x' does not exist" }] },
      /The API says: "Field 'x' does not exist"/,
    ],
    [{ errors: [{ message: "Syntax Error" }] }, /The API says: "Syntax Error"/],
    [{ ok: true, error: null }, undefined],
    [{ ok: false }, undefined],
    [{ data: { pet: null, owner: {} }, errors: [{ message: "partly" }] }, undefined],
    [{ error: "Invalid access token", code: 99 }, /Next: the API requires credentials/],
    [{ status: "error", message: "Database is down" }, /Next: the fault is on the API's side/],
    [{ success: false, message: "Invalid page token" }, /Next: the API rejects this call/],

    [{ errors: [] }, undefined],
    [{ errors: ["a setting"], name: "x" }, undefined],
  ])("%j", async (body, text) => {
    const answering = await startUpstream(reply(200, body));
    const result = await call(toolOf({}), {}, { env: { CLINIC_BASE_URL: answering.url } });
    expect(result.isError ?? false).toBe(text !== undefined);
    if (text) expect(textOf(result)).toMatch(text);
    await answering.close();
  });
});

describe("a success that is not understood", () => {
  const page = "<html><body>Log in</body></html>";
  const tool = (name: string, method: string): ToolDefinition =>
    toolOf({ name, send: { method }, outputSchema: { type: "object", properties: { id: {} } } });

  test.each([
    [
      "a write may or may not have taken effect",
      tool("create_pet", "POST"),
      " create_pet may or may not have taken effect.",
      "Next: call find_pets to see whether it took effect before you call create_pet again.",
    ],
    [
      "a read",
      tool("get_pet", "GET"),
      "",
      "Next: a retry will most likely return the same. Tell the user.",
    ],
  ])("%s", async (_, called, effect, next) => {
    const server = await startUpstream(reply(200, page, { "content-type": "text/html" }));
    const env = { CLINIC_BASE_URL: server.url };
    const text = textOf(await call(called, {}, { env, others: producers }));
    const [first = "", ...lines] = text.split("\n");
    expect(first.slice(first.indexOf(").") + 2)).toBe(effect);
    expect(lines.at(-1)).toBe(next);
    await server.close();
  });
});

describe("connection errors", () => {
  const caused = (code: string): Error =>
    new TypeError("fetch failed: hunter2", {
      cause: Object.assign(new Error("hunter2"), { code }),
    });

  test.each<readonly [string, string, boolean]>([
    ["ENOTFOUND", "the API's host name does not exist (DNS)", false],
    ["ECONNREFUSED", "the API refused the connection", false],
    ["ECONNRESET", "the API closed the connection", true],
    ["CERT_HAS_EXPIRED", "the TLS certificate of the API has expired", false],
    ["EPROTO", "no TLS connection could be made with the API", false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS connection could be made with the API", false],
    ["HPE_INVALID_CONSTANT", "the API's response is not valid HTTP", true],
    ["HPE_HEADER_OVERFLOW", "the headers of the API's response are too large", true],
    [
      "ERR__ERROR_FORMAT_PADDING_2",
      "the API's response is not compressed as its Content-Encoding states",
      true,
    ],
    [
      "ZSTD_error_prefix_unknown",
      "the API's response is not compressed as its Content-Encoding states",
      true,
    ],
    ["Z_DATA_ERROR", "the API's response is not compressed as its Content-Encoding states", true],
    ["SOMETHING_ELSE", "the request to the API failed", true],
  ])("%s", (code, cause, sent) =>
    expect(connectionFailure(caused(code))).toMatchObject({ kind: "connection", cause, sent }),
  );

  test("a parser error without a code", () => {
    const parser = Object.assign(new Error("hunter2"), {
      name: "HTTPParserError",
      code: undefined,
    });
    expect(connectionFailure(new TypeError("fetch failed", { cause: parser }))).toMatchObject({
      cause: "the API's response is not valid HTTP",
    });
  });

  test("a proxy that rejects the request", () => {
    const refused = Object.assign(new Error("Proxy response (407) !== 200 when HTTP Tunneling"), {
      code: "UND_ERR_ABORTED",
    });
    const cancelled = Object.assign(new Error("Request was cancelled."), {
      code: 0,
      cause: refused,
    });
    expect(connectionFailure(new TypeError("fetch failed", { cause: cancelled }))).toEqual({
      kind: "connection",
      cause: "the proxy rejected the request",
      sent: false,
      permanent: true,
    });
  });

  test.each([
    ["connect", false],
    ["read", true],
    ["write", true],
  ])("the same error of %s", (syscall, sent) => {
    const error = Object.assign(new Error(), { code: "ETIMEDOUT", syscall });
    expect([
      connectionFailure(error),
      connectionFailure(new TypeError("fetch failed", { cause: error })),
    ]).toMatchObject([{ sent }, { sent }]);
  });

  test("several failed connection attempts", () => {
    const attempts = Object.assign(
      new AggregateError([Object.assign(new Error(), { code: "ECONNREFUSED" })]),
      { code: "ECONNREFUSED" },
    );
    expect(connectionFailure(new TypeError("fetch failed", { cause: attempts }))).toMatchObject({
      cause: "the API refused the connection",
    });
  });

  test("a port that fetch blocks", async () => {
    const error: unknown = await fetch("http://127.0.0.1:1").catch((thrown: unknown) => thrown);
    expect(connectionFailure(error)).toMatchObject({
      cause: "the API's port belongs to another protocol, and fetch blocks it",
      permanent: true,
    });
  });

  test.each([undefined, null, "text", new Error("hunter2")])("%s", (error) =>
    expect(connectionFailure(error)).toMatchObject({ cause: "the request to the API failed" }),
  );
});
