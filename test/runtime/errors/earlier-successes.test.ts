/** What advice claims about credentials and base URLs that have worked before. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool, type ServerContext } from "../../../src/runtime/index.js";
import { createSuccessRecord } from "../../../src/runtime/server/successes.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const status = Number(new URL(request.url, "http://x").pathname.split("/").at(-1));
    reply(status, status === 404 ? "gone" : { message: "no" })(response, request, count);
  });
});
afterAll(() => upstream.close());

const security = [{ token: [] }];
const tools = [200, 401, 403, 404].map((status) =>
  toolOf({ name: `get_${status}`, send: { path: `/${status}`, security } }),
);

function start(env: Record<string, string> = {}): ServerContext {
  return createTestContext(tools, {
    CLINIC_BASE_URL: upstream.url,
    CLINIC_TOKEN: "hunter22",
    ...env,
  });
}

async function adviceOf(server: ServerContext, status: number, context = {}): Promise<string> {
  const result = await callTool(server, server.tools.find(`get_${status}`), {}, context);
  return textOf(result).replaceAll(upstream.url, "API").split("\nNext: ")[1] ?? "";
}

const rejected =
  "the API rejected the credentials. Tell the user to check CLINIC_TOKEN; do not retry.";
const refused =
  "the API does not accept the credentials for this call, although other calls with them succeeded. Tell the user what the API says; do not retry. If the other calls fail now, too, tell the user to check CLINIC_TOKEN.";

test("credentials that have succeeded are not rejected", async () => {
  const server = start();
  expect(await adviceOf(server, 401)).toBe(rejected);
  expect(await adviceOf(server, 403)).toMatch(/^these credentials lack permission\./);
  await adviceOf(server, 200);
  expect(await adviceOf(server, 401)).toBe(refused);
  expect(await adviceOf(server, 403)).toBe(
    "the API refuses this call, although other calls with these credentials succeeded. Tell the user to check the permissions of CLINIC_TOKEN.",
  );
});

test("an input is suspected beside credentials that have succeeded", async () => {
  const server = start();
  const create = toolOf({
    name: "create_book",
    properties: { title: { type: "string" } },
    send: {
      method: "POST",
      path: "/403",
      body: { contentType: "application/json", fields: { title: "title" } },
      security,
    },
  });
  const advice = async (): Promise<string> =>
    textOf(await callTool(server, create, { title: "Tides" }, {})).split("\nNext: ")[1] ?? "";
  expect(await advice()).toMatch(
    /^these credentials lack permission, or the API refuses something in the input\./,
  );
  await adviceOf(server, 200);
  expect(await advice()).toBe(
    "these credentials lack permission, or the API refuses something in the input. If the input is right, tell the user to check the permissions of CLINIC_TOKEN.",
  );
});

test("a server knows only its own successes", async () => {
  await adviceOf(start(), 200);
  expect(await adviceOf(start(), 401)).toBe(rejected);
});

test("the success of one caller's credentials says nothing about those of another", async () => {
  const server = start({ CLINIC_TOKEN: "" });
  const from = (value: string): object => ({
    forwarded: [{ from: "authorization", name: "Authorization", value }],
  });
  await adviceOf(server, 200, from("Bearer a"));
  expect(await adviceOf(server, 401, from("Bearer b"))).toMatch(
    /^the API rejected the credentials/,
  );
});

test("a base URL that has worked is not suspected", async () => {
  const server = start();
  const check = "If other tools get 404 too, tell the user to check CLINIC_BASE_URL (now API).";
  expect(await adviceOf(server, 404)).toContain(check);
  await adviceOf(server, 200);
  expect(await adviceOf(server, 404)).not.toContain("CLINIC_BASE_URL");
});

test("a base path that the base URL lacks is named", async () => {
  const api = { servers: [{ url: "https://api.example.com/api/{v}", variables: version }] };
  const server = start();
  const context = { ...server, api: { ...server.api, ...api } };
  expect(await adviceOf(context, 404)).toContain(
    "CLINIC_BASE_URL (now API; the API's document has the base path /api/v1).",
  );
});
const version = { v: { env: "CLINIC_V", default: "v1" } };

test.each<readonly [string, role: object, want: string]>([
  [
    "a value of a list in the document",
    { enum: ["editor", "viewer"] },
    'Next: the API knew userId "u1" in an earlier call, and has nothing for it here.',
  ],
  ["another value", { type: "string" }, 'Next: the API may have nothing with role "editor"'],
])("an ID that a message names, and that a list has returned, beside %s", async (_, role, want) => {
  const add = toolOf({
    name: "add_member",
    properties: { boardId: { type: "string" }, userId: { type: "string" }, role },
    send: {
      method: "POST",
      path: "/boards/{boardId}/members",
      pathParams: { boardId: "boardId" },
      body: { contentType: "application/json", fields: { userId: "userId", role: "role" } },
      security,
    },
    producers: { userId: ["list_users"], boardId: ["list_boards"] },
  });
  const lists = ["users", "boards"].map((path) =>
    toolOf({ name: `list_${path}`, send: { path: `/${path}`, security } }),
  );
  const own = await startUpstream((response, request, count) => {
    const isList = request.method === "GET";
    const body = isList ? [{ id: `${request.url?.slice(1, 2)}1` }] : { message: "User not found" };
    reply(isList ? 200 : 404, body)(response, request, count);
  });
  const env = { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t" };
  const server = createTestContext([add, ...lists], env);
  for (const list of lists) await callTool(server, list, {});
  const text = textOf(await callTool(server, add, { boardId: "b1", userId: "u1", role: "editor" }));
  expect(text).toContain(want);
  await own.close();
});

test("the record is bounded, and holds nothing of other origins", () => {
  const record = createSuccessRecord();
  const callTo = (url: string): Parameters<typeof record.of>[0] => ({
    mapping: { method: "GET", path: "/a" },
    request: { method: "GET", url: `${url}/a`, headers: [] },
  });
  const credentials = { variables: ["CLINIC_TOKEN"], headers: [] };
  for (let i = 0; i < 200; i++) record.add(callTo(`https://h${i}.test`), credentials, true);
  const knows = (url: string): boolean => record.of(callTo(url)).haveSucceeded(credentials);
  expect([knows("https://h199.test"), knows("https://h0.test"), knows("https://x.test")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("an ID that an earlier call has used with success is not suspected", async () => {
  const path = "/shelves/{shelf_id}/books/{status}";
  const both = { shelf_id: "shelf_id", status: "status" };
  const [read, remove] = ["GET", "DELETE"].map((method) =>
    toolOf({
      name: `${method.toLowerCase()}_book`,
      properties: { shelf_id: { type: "string" }, status: { type: "string" } },
      send: { method, path, pathParams: both, security },
    }),
  );
  const server = createTestContext([read!, remove!], {
    CLINIC_BASE_URL: upstream.url,
    CLINIC_TOKEN: "t",
  });
  const textFor = async (name: string, shelf_id: string, status: string): Promise<string> =>
    textOf(await callTool(server, server.tools.find(name), { shelf_id, status }, {}));
  expect(await textFor("get_book", "a", "404")).toContain(
    'nothing with shelf_id "a" and status "404"',
  );
  await textFor("get_book", "a", "200");
  expect(await textFor("get_book", "a", "404")).toContain(
    'nothing with status "404" (the API knew shelf_id "a" in an earlier call).',
  );
  expect(await textFor("get_book", "b", "404")).toContain('shelf_id "b" and status "404"');
  await textFor("delete_book", "b", "200");
  expect(await textFor("get_book", "b", "404")).toContain("in an earlier call");
});

test("an ID that an earlier call has read is not called absent after 403", async () => {
  const pet = { path: "/pets/{pet_id}", pathParams: { pet_id: "pet_id" }, security };
  const properties = { pet_id: { type: "string" } };
  const [read, remove] = ["GET", "DELETE"].map((method) =>
    toolOf({ name: `${method.toLowerCase()}_pet`, properties, send: { ...pet, method } }),
  );
  const own = await startUpstream((response, request, count) =>
    reply(request.method === "GET" ? 200 : 403, {})(response, request, count),
  );
  const env = { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t" };
  const server = createTestContext([read!, remove!], env);
  const refused = async (): Promise<string> =>
    textOf(await callTool(server, remove!, { pet_id: "p1" }));
  expect(await refused()).toContain('or there is no such ID: pet_id "p1"');
  await callTool(server, read!, { pet_id: "p1" });
  expect(await refused()).toContain(
    "Next: the API refuses this call, although other calls with these credentials succeeded.",
  );
  await own.close();
});

test("an ID that a list has returned is not suspected", async () => {
  const send = {
    path: "/servers/{server_id}/config/{setting}",
    pathParams: { server_id: "server_id", setting: "setting" },
    security,
  };
  const text = { type: "string" };
  const tools = [
    toolOf({
      name: "find_config",
      properties: { server_id: text, setting: text },
      send,
    }),
    toolOf({ name: "find_servers", send: { path: "/servers", security } }),
  ];
  const own = await startUpstream((response, request, count) => {
    const isList = request.url === "/servers";
    const body = isList ? { servers: [{ id: "a b", name: "c" }] } : "";
    reply(isList ? 200 : 404, body)(response, request, count);
  });
  const env = { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t" };
  const server = createTestContext(tools, env);
  const call = async (name: string, input: object): Promise<string> =>
    textOf(await callTool(server, server.tools.find(name), input, {}));
  const known =
    'Next: the API finds nothing with setting "x", or does not offer this (the API knew server_id "a b" in an earlier call).';
  const find = (server_id: string): Promise<string> =>
    call("find_config", { server_id, setting: "x" });
  expect(await find("a b")).not.toContain("knew");
  await call("find_servers", {});
  expect(await find("a b")).toContain(known);
  expect(await find("c")).not.toContain("knew");
  await own.close();
});

test.each<readonly [string, name: string, value: string, body: object, known: boolean]>([
  ["without a message", "databaseId", "db1", {}, true],
  ["with a message about another thing", "database", "db1", { message: "Table not found" }, true],
  ["with a message that quotes it", "databaseId", "db1", { message: 'no database "db1"' }, false],
  ["that no list has returned", "databaseId", "db2", {}, false],
  ["of another thing", "tableId", "db1", {}, false],
])("after a 404 %s, an ID in a query", async (_, name, value, body, isKnown) => {
  const find = toolOf({
    name: "find_tables",
    properties: { [name]: { type: "string" } },
    send: { path: "/tables", query: { [name]: name }, security },
    producers: { [name]: ["list_databases"] },
  });
  const list = toolOf({ name: "list_databases", send: { path: "/databases", security } });
  const own = await startUpstream((response, request, count) => {
    const isList = request.url === "/databases";
    reply(isList ? 200 : 404, isList ? [{ id: "db1" }] : body)(response, request, count);
  });
  const server = createTestContext([find, list], { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t" });
  await callTool(server, list, {});
  const text = textOf(await callTool(server, find, { [name]: value }));
  const known = `Next: the API knew ${name} "db1" in an earlier call, and has nothing for it here. Do not call find_tables again with the same input.`;
  expect(text.includes(known)).toBe(isKnown);
  expect(text.includes(`nothing with ${name} "${value}"`)).toBe(!isKnown);
  await own.close();
});

test("a name that a PUT may create is not suspected beside an ID that a list has returned", async () => {
  const text = { type: "string" };
  const tools = [
    toolOf({
      name: "add_study_label",
      properties: { id: text, label: text },
      send: {
        method: "PUT",
        path: "/studies/{id}/labels/{label}",
        pathParams: { id: "id", label: "label" },
      },
    }),
    toolOf({ name: "list_studies", send: { path: "/studies" } }),
    toolOf({ name: "list_study_ids", send: { path: "/studies" } }),
  ];
  let isExpanded = true;
  const own = await startUpstream((response, request, count) => {
    const studies = isExpanded ? [{ ID: "s1", Type: "Study" }] : ["s2"];
    const isList = request.url === "/studies";
    reply(isList ? 200 : 404, isList ? studies : { Message: "Unknown resource" })(
      response,
      request,
      count,
    );
  });
  const server = createTestContext(tools, { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t" });
  const call = async (name: string, input: object = {}): Promise<string> =>
    textOf(await callTool(server, server.tools.find(name), input, {}));
  const add = (id: string): Promise<string> => call("add_study_label", { id, label: "urgent" });
  expect(await add("s1")).toContain('nothing with id "s1" and label "urgent"');
  await call("list_studies");
  isExpanded = false;
  await call("list_study_ids");
  for (const id of ["s1", "s2"])
    expect(await add(id)).toContain(
      `Next: the API finds nothing with label "urgent", or does not offer this (the API knew id "${id}" in an earlier call).`,
    );
  await own.close();
});

test("an ID without an earlier call is suspected before the one whose noun the message has", async () => {
  const read = toolOf({
    name: "get_snapshot",
    properties: { volume: { type: "string" }, snapshot: { type: "string" } },
    send: {
      path: "/volumes/{volume}/snapshots/{snapshot}",
      pathParams: { volume: "volume", snapshot: "snapshot" },
    },
  });
  const { adviceFor, close } = await startServer(read);
  const input = { volume: "v1", snapshot: "s1" };
  const message = { message: "Storage volume not found" };
  expect(await adviceFor(404, message, input)).toContain('nothing with volume "v1". ');
  await adviceFor(200, {}, input);
  const other = { ...input, snapshot: "none" };
  expect(await adviceFor(404, message, other)).toContain(
    'nothing with snapshot "none" (the API knew volume "v1" in an earlier call). ',
  );
  expect(await adviceFor(404, { message: 'no such volume "v1"' }, other)).toContain(
    'nothing with volume "v1". ',
  );
  await close();
});

/** A server whose status and page the tests choose. */
async function startServer(tool: ReturnType<typeof toolOf>) {
  const answer = { status: 200, body: {} as unknown };
  const own = await startUpstream((response, request, count) =>
    reply(answer.status, answer.body)(response, request, count),
  );
  const env = { CLINIC_BASE_URL: own.url, CLINIC_TOKEN: "t", CLINIC_MAX_RETRY_WAIT_MS: "0" };
  const server = createTestContext([tool], env);
  const adviceFor = async (status: number, body: unknown, input: object = {}): Promise<string> => {
    [answer.status, answer.body] = [status, body];
    const result = await callTool(server, server.tools.find(tool.name), input, {});
    return textOf(result).split("\nNext: ")[1] ?? "";
  };
  return { adviceFor, close: () => own.close() };
}

const listBooks = toolOf({
  name: "list_books",
  properties: { shelf: { type: "string" } },
  send: { path: "/books", query: { shelf: "shelf" }, security },
});
const saveBook = toolOf({
  name: "save_book",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  send: { method: "POST", path: "/books", security },
});

test("a read that fails twice in the same way is not advised again", async () => {
  const { adviceFor, close } = await startServer(listBooks);
  const fault = { message: "boom" };
  const again = /wait a little, then call list_books again/;
  expect(await adviceFor(500, fault, { shelf: "a" })).toMatch(again);
  expect(await adviceFor(500, fault, { shelf: "a" })).toBe(
    "the same request failed with 500 before, so it may fail whenever it is made. Change its input, or tell the user; do not call list_books again as it is.",
  );
  expect(await adviceFor(500, fault, { shelf: "b" })).toMatch(again);
  expect(await adviceFor(503, fault, { shelf: "a" })).toMatch(/call list_books again/);
  expect(await adviceFor(503, fault, { shelf: "a" })).toBe(
    "the same request failed with 503 before. Tell the user; do not call list_books again now.",
  );
  await adviceFor(200, {}, { shelf: "a" });
  expect(await adviceFor(500, fault, { shelf: "a" })).toMatch(again);
  await close();
});

test("a write that fails twice may have taken effect each time", async () => {
  const { adviceFor, close } = await startServer(saveBook);
  await adviceFor(500, { message: "boom" });
  expect(await adviceFor(500, { message: "boom" })).toBe(
    "the same request failed with 500 before, so it may fail whenever it is made. Each of these calls may or may not have taken effect. Tell the user; do not call save_book again as it is.",
  );
  await close();
});

test("the tool that deleted an item is named", async () => {
  const send = { method: "DELETE", path: "/books/{id}", pathParams: { id: "id" }, security };
  const deleteBook = toolOf({ name: "delete_book", properties: { id: { type: "string" } }, send });
  const { adviceFor, close } = await startServer(deleteBook);
  const unknown = { message: "book not found" };
  expect(await adviceFor(404, unknown, { id: "b1" })).toMatch(/^the API finds nothing with id/);
  await adviceFor(204, "", { id: "b1" });
  expect(await adviceFor(404, unknown, { id: "b1" })).toBe(
    'delete_book deleted id "b1" earlier, so it is gone. Do not call delete_book again with the same input.',
  );
  expect(await adviceFor(404, unknown, { id: "b2" })).toMatch(/^the API finds nothing with id/);
  await close();
});

test("a version of a thing that was read is doubted before the thing", async () => {
  const getBook = toolOf({
    name: "get_book",
    properties: { id: { type: "string" }, revision: { type: "string" } },
    send: {
      path: "/books/{id}",
      pathParams: { id: "id" },
      query: { revision: "revision" },
      security,
    },
  });
  const { adviceFor, close } = await startServer(getBook);
  const unknown = { message: "The specified book does not exist" };
  await adviceFor(200, { title: "Emma" }, { id: "b1" });
  expect(await adviceFor(404, unknown, { id: "b1", revision: "9" })).toMatch(
    /^the API may have nothing with revision "9" or id "b1"/,
  );
  await close();
});

test("an item that the API could not delete is not gone", async () => {
  const send = { method: "DELETE", path: "/books/{id}", pathParams: { id: "id" }, security };
  const deleteBook = toolOf({ name: "delete_book", properties: { id: { type: "string" } }, send });
  const { adviceFor, close } = await startServer(deleteBook);
  await adviceFor(200, [{ Name: "b1", Err: "the default book cannot be removed" }], { id: "b1" });
  const unknown = { message: "book not found" };
  expect(await adviceFor(404, unknown, { id: "b1" })).toMatch(/^the API finds nothing with id/);
  await adviceFor(200, [{ Name: "b1", Err: null }], { id: "b1" });
  expect(await adviceFor(404, unknown, { id: "b1" })).toMatch(/^delete_book deleted id "b1"/);
  await close();
});

test("a base URL that fits another path is doubted at a path that it never had", async () => {
  const listAll = toolOf({ name: "list_books", send: { path: "/books", security } });
  const ping = toolOf({ name: "ping", send: { path: "/ping", security } });
  const own = await startUpstream((response, request, count) =>
    reply(request.url === "/ping" ? 200 : 404, request.url === "/ping" ? "OK" : "Not Found")(
      response,
      request,
      count,
    ),
  );
  const server = createTestContext([listAll, ping], {
    CLINIC_BASE_URL: own.url,
    CLINIC_TOKEN: "t",
  });
  await callTool(server, server.tools.find("ping"), {}, {});
  const result = await callTool(server, server.tools.find("list_books"), {}, {});
  expect(textOf(result).replaceAll(own.url, "API")).toMatch(
    /no ID in it is wrong.*tell the user to check CLINIC_BASE_URL \(now API\)\.$/s,
  );
  await own.close();
});

test("a path that has worked is not called absent", async () => {
  const page = "<!DOCTYPE html><pre>Cannot GET /books</pre>";
  const { adviceFor, close } = await startServer(listBooks);
  expect(await adviceFor(404, page)).toMatch(/^the server has no such path/);
  await adviceFor(200, []);
  expect(await adviceFor(404, page, { shelf: "nope" })).toBe(
    "an earlier call of list_books succeeded, so the input of this one may be wrong. Do not call list_books again with the same input; tell the user.",
  );
  expect(await adviceFor(404, page)).toBe(
    "an earlier call of list_books succeeded, so the input of this one may be wrong. Do not call list_books again with the same input; tell the user.",
  );
  await close();
});
