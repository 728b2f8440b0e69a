import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured, startServer, type TestServer } from "./in-process.js";

const USER = {
  type: "object",
  properties: { id: { type: "integer" }, login: { type: "string" }, avatar: { type: "string" } },
};
const ISSUE = {
  type: "object",
  required: ["id", "number", "title", "user"],
  properties: {
    id: { type: "integer" },
    number: { type: "integer" },
    title: { type: "string" },
    body: { type: "string" },
    user: USER,
    assignees: { type: "array", items: USER },
    labels: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, color: { type: "string" } },
      },
    },
    state: { type: "string" },
    url: { type: "string" },
    locked: { type: "boolean" },
  },
};
const number = { name: "number", in: "path", required: true, schema: { type: "integer" } };
const ok = (schema: object) => ({
  "200": { description: "ok", content: { "application/json": { schema } } },
});

const document = {
  openapi: "3.1.0",
  info: { title: "Tracker", version: "1" },
  paths: {
    "/issues": {
      get: { operationId: "listIssues", responses: ok({ type: "array", items: ISSUE }) },
    },
    "/issues/{number}": {
      get: { operationId: "getIssue", parameters: [number], responses: ok(ISSUE) },
      delete: {
        operationId: "deleteIssue",
        parameters: [number],
        responses: { "204": { description: "gone" } },
      },
    },
    "/search": {
      get: {
        operationId: "searchIssues",
        parameters: [{ name: "fields", in: "query", schema: { type: "string" } }],
        responses: ok({ type: "array", items: ISSUE }),
      },
    },
  },
};

const issue = {
  id: 11,
  number: 1,
  title: "Broken",
  body: "It is.",
  user: { id: 5, login: "ada", avatar: "a.png" },
  assignees: [{ id: 6, login: "bob", avatar: "b.png" }],
  labels: [
    { name: "bug", color: "red" },
    { name: "ui", color: "blue" },
  ],
  state: "open",
  url: "https://tracker.example/issues/1",
  locked: false,
  reactions: { total: 3 },
};

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, /^\/issues\/\d/.test(request.url) ? issue : [issue])(response, request, count),
  );
});
afterAll(() => upstream.close());

const serve = async (text: string): Promise<TestServer> => {
  const server = await startServer(document, { ...configured(text), granularity: "operation" });
  server.useBaseUrl(upstream.url);
  return server;
};

/** Result of a call; its text and its structure have the same values. */
async function call(text: string, name: string, input: Record<string, unknown> = {}) {
  const server = await serve(text);
  const result = await server.call(server.toolOf(name), input);
  const shown = textOf(result).split("\n")[0] ?? "";
  if (result.isError) return { error: textOf(result) };
  expect(JSON.parse(shown)).toEqual(result.structuredContent);
  return { value: result.structuredContent };
}

const rule = (name: string, output: string): string => `tools: {${name}: {output: ${output}}}`;

describe("a rule reaches fields inside others", () => {
  test.each([
    {
      given: '{pick: [number, user.login, "labels[].name"]}',
      want: { number: 1, user: { login: "ada" }, labels: [{ name: "bug" }, { name: "ui" }] },
    },
    {
      given: "{pick: [number, user, user.login]}",
      want: { number: 1, user: { id: 5, login: "ada", avatar: "a.png" } },
    },
    {
      given:
        "{drop: [body, user.avatar, assignees, labels, url, locked, reactions], allowUndocumented: true}",
      want: { id: 11, number: 1, title: "Broken", user: { id: 5, login: "ada" }, state: "open" },
    },
    {
      given: "{pick: [number], rename: {user.login: author, labels.name: labels}}",
      want: { number: 1, author: "ada", labels: ["bug", "ui"] },
    },
    {
      given: "{pick: [number, reactions.total], allowUndocumented: true}",
      want: { number: 1, reactions: { total: 3 } },
    },
  ])("$given", async ({ given, want }) => {
    expect(await call(rule("get_issue", given), "getIssue", { number: 1 })).toEqual({
      value: want,
    });
    expect(await call(rule("list_issues", given), "listIssues")).toEqual({
      value: { items: [want] },
    });
  });
});

describe("a call chooses fields", () => {
  const all = { items: [expect.objectContaining({ title: "Broken", body: "It is." }) as object] };

  test.each([
    { fields: undefined, want: { value: all } },
    // The ID that get_issue and delete_issue take is kept.
    { fields: ["title"], want: { value: { items: [{ id: 11, number: 1, title: "Broken" }] } } },
    {
      fields: ["user.login", "labels[].name"],
      want: {
        value: {
          items: [
            {
              id: 11,
              number: 1,
              user: { login: "ada" },
              labels: [{ name: "bug" }, { name: "ui" }],
            },
          ],
        },
      },
    },
    {
      fields: ["items[].title, state"],
      want: { value: { items: [{ id: 11, number: 1, title: "Broken", state: "open" }] } },
    },
    { fields: ["*"], want: { value: all } },
  ])("$fields", async ({ fields, want }) => {
    const input = fields === undefined ? {} : { fields };
    expect(await call(rule("list_issues", "{fields: true}"), "listIssues", input)).toEqual(want);
  });

  test.each([
    { fields: ["titel"], want: '"titel" is not a field of the result; did you mean title?' },
    {
      fields: ["user.logn"],
      want: '"user.logn" is not a field of the result; did you mean user.login?',
    },
    {
      fields: ["user.xyz"],
      want: '"user.xyz" is not a field of the result; allowed are user.id, user.login, user.avatar',
    },
  ])("$fields is not sent", async ({ fields, want }) => {
    const before = upstream.requests.length;
    const { error } = await call(rule("list_issues", "{fields: true}"), "listIssues", { fields });
    expect(error).toContain(want);
    expect(upstream.requests).toHaveLength(before);
  });

  test("a default set, and all that it leaves out on demand", async () => {
    const text = rule("get_issue", "{fields: [title, user.login]}");
    const few = { value: { id: 11, number: 1, title: "Broken", user: { login: "ada" } } };
    expect(await call(text, "getIssue", { number: 1 })).toMatchObject({
      value: { id: 11, title: "Broken", user: { login: "ada" } },
    });
    expect(Object.keys((await call(text, "getIssue", { number: 1 })).value ?? {})).not.toContain(
      "body",
    );
    expect(few.value.title).toBe("Broken");
    expect(await call(text, "getIssue", { number: 1, fields: ["*"] })).toMatchObject({
      value: { body: "It is." },
    });
  });

  test("fields that a strict output schema requires", async () => {
    const text = `outputSchemas: strict\n${rule("list_issues", "{fields: true}")}`;
    expect(await call(text, "listIssues", { fields: ["state"] })).toEqual({
      value: { items: [{ id: 11, number: 1, state: "open" }] },
    });
  });

  test("undocumented fields, where they are allowed", async () => {
    const text = rule("list_issues", "{fields: true, allowUndocumented: true}");
    expect(await call(text, "listIssues", { fields: ["reactions.total"] })).toEqual({
      value: { items: [{ id: 11, number: 1, reactions: { total: 3 } }] },
    });
  });

  test("for all large reads; the API's own parameter stays", async () => {
    const { tools } = await serve("server: {fields: true}");
    const withFields = tools.filter(({ operations }) =>
      operations.some(({ response }) => response.fields),
    );
    expect(withFields.map(({ name }) => name)).toEqual(["list_issues", "get_issue"]);
    const description = (name: string): unknown =>
      (
        tools.find((tool) => tool.name === name)?.inputSchema["properties"] as Record<
          string,
          { readonly description?: string }
        >
      )["fields"]?.description;
    expect(description("list_issues")).toBe(
      "Fields of each of the items to return, dotted for inner ones: id, title, state, url, " +
        "number, body, user.login, assignees.login, labels.name, locked. Default: all.",
    );
  });

  test("a lookup of names reads all fields", async () => {
    const text = [
      "tools:",
      "  list_issues: {output: {fields: [state]}}",
      "  delete_issue: {inputs: {number: {resolve: {via: list_issues, match: title}}}}",
    ].join("\n");
    const server = await serve(text);
    const before = upstream.requests.length;
    await server.call(server.toolOf("deleteIssue"), { number: "Broken" });
    expect(upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /issues",
      "DELETE /issues/1",
    ]);
  });
});

describe("an ID has several names", () => {
  const text =
    "tools: {delete_issue: {inputs: {number: " +
    "{resolve: {via: list_issues, match: [title, url, user.login]}}}}}";
  const send = async (number: string) => {
    const server = await serve(text);
    const before = upstream.requests.length;
    const result = await server.call(server.toolOf("deleteIssue"), { number });
    const sent = upstream.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
    return { text: textOf(result), sent };
  };

  test.each([
    "broken",
    "https://tracker.example/issues/1",
    "https://tracker.example/issues/1/?tab=events#top",
    "ada",
  ])("%s", async (number) => {
    expect((await send(number)).sent).toEqual(["GET /issues", "DELETE /issues/1"]);
  });

  test("none of them", async () => {
    const { text: shown, sent } = await send("Fixed");
    expect(shown).toContain(
      'no result of list_issues has the title, url or user.login "Fixed".\n' +
        "Candidates for number: 1 (Broken).",
    );
    expect(sent).toEqual(["GET /issues"]);
  });
});
