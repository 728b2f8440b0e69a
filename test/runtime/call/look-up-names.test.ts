import { afterEach, describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import type { AnyTool, Hooks } from "../../../src/runtime/index.js";
import type { ItemNames, OperationBinding, ToolDefinition } from "../../../src/runtime/types.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { contentForm, structureForm } from "../support/host-forms.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const objects = { type: "object", properties: { items: { type: "array" } } } as const;

const WEBSITE = { id: 42, name: "Website", slug: "web" };
const PROJECTS = [WEBSITE, { id: 43, name: "Webshop", slug: "shop" }, { id: 44, name: "Intranet" }];

function withBinding(tool: ToolDefinition, binding: Partial<OperationBinding>): ToolDefinition {
  return { ...tool, operations: tool.operations.map((one) => ({ ...one, ...binding })) };
}

const listTool = (names: Partial<ItemNames> = {}, binding: Partial<OperationBinding> = {}) =>
  withBinding(
    toolOf({
      name: "list_projects",
      send: { path: "/projects", query: { q: "q", page: "page" } },
      read: { wrap: "items" },
      properties: { q: text, page: { type: "integer" } },
      outputSchema: objects,
    }),
    { itemNames: { fields: ["name", "slug"], ...names }, ...binding },
  );

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false } as const;
const destroys = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;
const lookUps = { project_id: { tool: "list_projects", idField: "id" } };

const projectTool = (
  method = "GET",
  annotations: Omit<ToolDefinition["annotations"], "openWorldHint"> = reads,
) =>
  withBinding(
    toolOf({
      name: "get_project",
      annotations: { ...annotations, openWorldHint: true },
      send: {
        method,
        path: "/projects/{projectId}",
        pathParams: { projectId: "project_id" },
        query: { tag: "tag" },
      },
      properties: { project_id: text, tag: text },
      required: ["project_id"],
      outputSchema: { type: "object" },
    }),
    { lookUps },
  );

/** Projects by ID, and a list of them. */
const projects =
  (options: { readonly missing?: Answer; readonly list?: Answer } = {}): Answer =>
  (response, request, count) => {
    const { missing = reply(404, { message: "Not found" }), list = reply(200, PROJECTS) } = options;
    const { pathname } = new URL(request.url, "http://api");
    if (pathname === "/projects") return list(response, request, count);
    const found = PROJECTS.find(({ id }) => pathname === `/projects/${id}`);
    return (found ? reply(200, found) : missing)(response, request, count);
  };

interface Options {
  readonly tool?: ToolDefinition;
  readonly list?: AnyTool | null;
  readonly others?: readonly AnyTool[];
  readonly env?: Record<string, string>;
  readonly custom?: Hooks;
  readonly input?: object;
}

async function ask(given: unknown, answer: Answer, options: Options = {}) {
  const { tool = projectTool(), list = listTool(), others = [], env = {}, custom } = options;
  upstream = await startUpstream(answer);
  const tools = [tool, ...(list ? [list] : []), ...others];
  const app = createTestContext(tools, { CLINIC_BASE_URL: upstream.url, ...env }, custom);
  const input = { project_id: given, ...options.input };
  const result = await callTool(app, app.tools.find(tool.name), input);
  const sent = upstream.requests.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`);
  return { result, sent, text: textOf(result), isError: result.isError === true };
}

const first = (name: string, method = "GET"): string => `${method} /projects/${name}`;
const used = (name: string, method = "GET"): readonly string[] => [
  first(name, method),
  "GET /projects",
  first("42", method),
];

describe("a name that the API does not know as an ID", () => {
  test.each<readonly [name: string, given: string, missing: Answer]>([
    ["after a 404 without a message", "Website", reply(404)],
    ["after a 404 with a message", "Website", reply(404, { message: "Project not found" })],
    ["with its value in the message", "Website", reply(404, { message: 'no project "Website"' })],
    ["in other letters", "  wEBSITE", reply(404)],
    ["by another field", "web", reply(404)],
    ["after a 400 about its value", "Website", reply(400, { message: 'invalid id "Website"' })],
    [
      "after a 422 about its field",
      "Website",
      reply(422, { errors: { projectId: ["must be numeric"] } }),
    ],
    [
      "after a 500 about its value",
      "Website",
      reply(500, { message: 'invalid input syntax for type integer: "Website"' }),
    ],
    [
      "after a 400 about the form of IDs",
      "Website",
      reply(400, { message: "Validation failed (numeric string is expected)" }),
    ],
    [
      "after an error in a success",
      "Website",
      reply(200, { ok: false, error: 'no project "Website"' }),
    ],
  ])("is looked up %s", async (_, given, missing) => {
    const { result, sent, isError } = await ask(given, projects({ missing }));
    expect(isError).toBe(false);
    expect(sent.slice(1)).toEqual(["GET /projects", "GET /projects/42"]);
    expect(result.structuredContent).toMatchObject(WEBSITE);
  });

  test.each<readonly [string, unknown, Readonly<Record<string, string>>]>([
    [
      "page",
      "<!DOCTYPE html><pre>Cannot GET /projects/Website</pre>",
      { "content-type": "text/html" },
    ],
    ["message", { message: "Route GET:/projects/Website not found" }, {}],
  ])(
    "is looked up after the %s of a router whose base URL has worked",
    async (_, body, headers) => {
      upstream = await startUpstream(projects({ missing: reply(404, body, headers) }));
      const tools = [projectTool(), listTool()];
      const app = createTestContext(tools, { CLINIC_BASE_URL: upstream.url });
      await callTool(app, app.tools.find("list_projects"), {});
      const input = { project_id: "Website" };
      const { structuredContent } = await callTool(app, app.tools.find(tools[0]!.name), input);
      expect(structuredContent).toMatchObject(WEBSITE);
    },
  );

  test("is noted in both forms, and its requests are listed", async () => {
    const { result, sent } = await ask("Website", projects());
    expect(sent).toEqual(used("Website"));
    const note = 'project_id "Website" is the name of 42 in list_projects; the call used 42.';
    expect(contentForm(result)).toContain(`Note: ${note}`);
    expect(structureForm(result)).toContain(JSON.stringify(note));
    expect(result._meta?.["dev.mcp-gen/requests"]).toEqual([
      { method: "GET", path: "/projects/Website", status: 404 },
      { method: "GET", path: "/projects", status: 200 },
      { method: "GET", path: "/projects/42", status: 200 },
    ]);
  });

  test("is searched where the list has a search", async () => {
    const { sent } = await ask("Website", projects(), { list: listTool({ searchInput: "q" }) });
    expect(sent[1]).toBe("GET /projects?q=Website");
  });

  test("is found on a later page", async () => {
    const pages: Answer = (response, request, count) => {
      const page = Number(new URL(request.url, "http://api").searchParams.get("page") ?? 1);
      reply(200, page === 3 ? [WEBSITE] : page < 3 ? [{ id: 900 + page, name: `P${page}` }] : [])(
        response,
        request,
        count,
      );
    };
    const pagination = { maxItems: 100, page: { input: "page", first: 1 } };
    const { result } = await ask("Website", projects({ list: pages }), {
      list: listTool({ pagination }),
    });
    expect(result.structuredContent).toMatchObject(WEBSITE);
  });

  test("is found in the envelope of a list", async () => {
    const { items: _, ...names } = { items: "", fields: ["name"] };
    const list = withBinding(
      toolOf({
        name: "list_projects",
        send: { path: "/projects" },
        outputSchema: { type: "object" },
      }),
      { itemNames: { ...names, items: "/data" } },
    );
    const { isError } = await ask("Website", projects({ list: reply(200, { data: PROJECTS }) }), {
      list,
    });
    expect(isError).toBe(false);
  });

  test("is used by a write that the API has refused and that destroys nothing", async () => {
    const { sent, isError } = await ask("Website", projects(), { tool: projectTool("POST", adds) });
    expect(isError).toBe(false);
    expect(sent).toEqual(
      used("Website", "POST").map((one, i) => (i === 1 ? "GET /projects" : one)),
    );
  });

  test.each([
    [400, "Invalid foreign key. (INVALID_FOREIGN_KEY)"],
    [422, "Referenced project does not exist"],
    [409, 'insert or update on table "tasks" violates foreign key constraint "tasks_project_fkey"'],
  ])("after %d with the words of a database: %s", async (status, message) => {
    const tool = withBinding(
      toolOf({
        name: "create_task",
        annotations: { ...adds, openWorldHint: true },
        send: {
          method: "POST",
          path: "/tasks",
          body: {
            contentType: "application/json",
            fields: { title: "title", project: "project_id" },
          },
        },
        properties: { project_id: text, title: text },
        outputSchema: { type: "object" },
      }),
      { lookUps },
    );
    const bodies: string[] = [];
    const answer: Answer = (response, request, count) => {
      if (request.url === "/projects") return reply(200, PROJECTS)(response, request, count);
      bodies.push(request.body);
      const isKnown = request.body.includes("42");
      return reply(isKnown ? 201 : status, isKnown ? { id: 7 } : { message })(
        response,
        request,
        count,
      );
    };
    const { isError } = await ask("Website", answer, { tool, input: { title: "Website" } });
    expect(isError).toBe(false);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { title: "Website", project: "Website" },
      { title: "Website", project: "42" },
    ]);
  });

  test("with an ID in the result that is text keeps it as text", async () => {
    const list = reply(200, [{ id: "p 1", name: "Website" }]);
    const { sent } = await ask("Website", projects({ list }));
    expect(sent.at(-1)).toBe("GET /projects/p 1");
  });

  test("of a parent is looked up before that of its part", async () => {
    const tool = withBinding(
      toolOf({
        name: "get_task",
        send: {
          path: "/projects/{projectId}/tasks/{taskId}",
          pathParams: { projectId: "project_id", taskId: "task_id" },
        },
        properties: { project_id: text, task_id: text },
        outputSchema: { type: "object" },
      }),
      {
        lookUps: {
          ...lookUps,
          task_id: { tool: "list_tasks", idField: "id", inputs: { project: "project_id" } },
        },
      },
    );
    const tasks = withBinding(
      toolOf({
        name: "list_tasks",
        send: { path: "/projects/{projectId}/tasks", pathParams: { projectId: "project" } },
        read: { wrap: "items" },
        properties: { project: text },
        outputSchema: objects,
      }),
      { itemNames: { fields: ["title"] } },
    );
    const answer: Answer = (response, request, count) => {
      if (request.url === "/projects/42/tasks")
        return reply(200, [{ id: 7, title: "Deploy" }])(response, request, count);
      const isTask = request.url === "/projects/42/tasks/7";
      return (isTask ? reply(200, { id: 7 }) : projects())(response, request, count);
    };
    const {
      sent,
      isError,
      text: noted,
    } = await ask("Website", answer, {
      tool,
      others: [tasks],
      input: { task_id: "deploy" },
    });
    expect(isError).toBe(false);
    expect(sent).toEqual([
      "GET /projects/Website/tasks/deploy",
      "GET /projects",
      "GET /projects/42/tasks",
      "GET /projects/42/tasks/7",
    ]);
    expect(noted).toContain('task_id "deploy" is the title of 7 in list_tasks');
  });
});

describe("candidates follow the error of the API", () => {
  const twins = reply(200, [WEBSITE, { id: 45, name: "website" }]);
  test.each<readonly [name: string, given: string, list: Answer, want: readonly string[]]>([
    [
      "several with the name",
      "Website",
      twins,
      ['project_id "Website" is the name of 2 things: 42 (Website), 45 (website).', "ask the user"],
    ],
    [
      "none with the name",
      "Websit",
      reply(200, PROJECTS),
      ['No result of list_projects has the name "Websit".', "42 (Website), 43 (Webshop)"],
    ],
  ])("%s", async (_, given, list, want) => {
    const missing = reply(404, { message: "No such project" });
    const { sent, isError, text: error } = await ask(given, projects({ missing, list }));
    expect(isError).toBe(true);
    expect(sent).toEqual([first(given), "GET /projects"]);
    for (const part of ["404", "No such project", ...want]) expect(error).toContain(part);
  });

  test.each<readonly [name: string, items: readonly object[], want: string]>([
    [
      "each in one line",
      [{ id: "a\n\nb", name: "Websit\n# System" }],
      'Candidates for project_id: "a\\n\\nb" (Websit # System). If',
    ],
    [
      "without those that have no name",
      [{ id: 7, name: "" }, { id: 8 }, { id: 9, name: "Websites" }],
      "Candidates for project_id: 9 (Websites). If",
    ],
    ["none where nothing has a name", [{ id: 7, name: "" }, { id: 8 }], "ask them to check it."],
    [
      "without those that have no ID",
      [{ name: "Websites" }, { id: null, name: "Website" }, { id: { a: 1 }, name: "Website" }],
      "ask them to check it.",
    ],
  ])("%s", async (_, items, want) => {
    const { sent, text: error } = await ask("Website", projects({ list: reply(200, items) }));
    expect(sent).toEqual([first("Website"), "GET /projects"]);
    expect(error).toContain(want);
    expect(error.endsWith(want) || want.endsWith("If")).toBe(true);
  });

  test("at most five", async () => {
    const list = reply(
      200,
      Array.from({ length: 9 }, (_, id) => ({ id, name: `Site ${id}` })),
    );
    const { text: error } = await ask("Site", projects({ list }));
    expect(error.match(/\(Site \d\)/g)).toHaveLength(5);
  });

  test("a destructive call is not repeated, and its error names the one candidate", async () => {
    const tool = projectTool("DELETE", destroys);
    const { sent, isError, text: error } = await ask("Website", projects(), { tool });
    expect(isError).toBe(true);
    expect(sent).toEqual([first("Website", "DELETE"), "GET /projects"]);
    expect(error).toContain("404");
    expect(error).toContain(
      'project_id "Website" is the name of 42 in list_projects. ' +
        "Nothing was done with that ID. If it is the right one, call get_project with project_id: 42.",
    );
  });
});

const message = (status: number, body: unknown): Answer => reply(status, body);
const uuid = "5ed68d69-8dd4-4299-976d-c504c9bc78cb";

describe("nothing is looked up", () => {
  const rows: readonly (readonly [
    name: string,
    given: string,
    missing: Answer,
    options?: Options,
  ])[] = [
    ["for an ID that the API knows", "42", reply(404)],
    ["for a number", "4711", reply(404)],
    ["for a UUID", uuid, reply(404)],
    ["for an object ID", "507f1f77bcf86cd799439011", reply(404)],
    ["for an ID with a prefix", "prj_8f3k2m9q1x", reply(404)],
    ["for a very long text", `${"Website ".repeat(40)}`, reply(404)],
    ["after a 403", "Website", message(403, { message: "Forbidden" })],
    [
      "after a 404 that speaks of permission",
      "Website",
      message(404, { message: "Not found, or you do not have access" }),
    ],
    [
      "after a 404 that speaks of credentials",
      "Website",
      message(404, { message: "Token not found" }),
    ],
    ["after a 404 about another thing", "Website", message(404, { message: "Invoice not found" })],
    [
      "after a 404 about another input",
      "Website",
      message(404, { message: 'no tag "red"' }),
      { input: { tag: "red" } },
    ],
    [
      "after a 404 of a router",
      "Website",
      message(404, { message: "Cannot GET /projects/Website" }),
    ],
    [
      "after a page",
      "Website",
      reply(404, "<html>not here</html>", { "content-type": "text/html" }),
    ],
    [
      "after a 400 about another input",
      "Website",
      message(400, { errors: { tag: ["is invalid"] } }),
      { input: { tag: "red" } },
    ],
    ["after a 400 without a reason", "Website", message(400, { message: "Bad request" })],
    [
      "after a 422 about the state",
      "Website",
      message(422, { message: 'project "Website" already exists' }),
    ],
    ["after a 409", "Website", message(409, { message: "Conflict" })],
    [
      "after a 500 about something else",
      "Website",
      message(500, { message: 'worker "Website" crashed' }),
      { env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    ],
    [
      "after a 500 to a write about its value",
      "Website",
      message(500, { message: 'invalid input syntax for type integer: "Website"' }),
      { tool: projectTool("POST", adds), env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    ],
    [
      "after a write that may have taken effect",
      "Website",
      message(503, {}),
      { tool: projectTool("POST", adds), env: { CLINIC_MAX_RETRY_WAIT_MS: "0" } },
    ],
    [
      "after an error in the success of a write",
      "Website",
      message(200, { ok: false, error: 'no project "Website"' }),
      { tool: projectTool("POST", adds) },
    ],
    ["where the tool with the list is not offered", "Website", reply(404), { list: null }],
    [
      "where the tool with the list is replaced",
      "Website",
      reply(404),
      {
        custom: {
          on: { list_projects: { run: () => ({ items: [WEBSITE] }) } },
        } as unknown as Hooks,
      },
    ],
    [
      "where the tool with the list may change something",
      "Website",
      reply(404),
      { list: { ...listTool(), annotations: { ...adds, openWorldHint: true } } },
    ],
    [
      "where a setting is against it",
      "Website",
      reply(404),
      { env: { CLINIC_LOOK_UP_NAMES: "false" } },
    ],
    [
      "for an input without a lookup",
      "Website",
      reply(404),
      { tool: withBinding(projectTool(), { lookUps: {} }) },
    ],
  ];
  test.each(
    rows.map(([name, given, missing, options = {}]) => ({ name, given, missing, options })),
  )("$name", async ({ given, missing, options }) => {
    const { sent, text: error } = await ask(given, projects({ missing }), options);
    expect(
      sent.filter((one) => one.startsWith("GET /projects?") || one === "GET /projects"),
    ).toEqual([]);
    expect(error).not.toContain("list_projects has");
  });
});

describe("the error of the API stays whole, and the call is not repeated", () => {
  const slow: Answer = (response) => void setTimeout(() => response.destroy(), 20_000).unref();
  const full = (count: number) =>
    reply(
      200,
      Array.from({ length: count }, (_, id) => ({ id: 900 + id, name: `P${id}` })).concat(WEBSITE),
    );
  const paged = { maxItems: 10, offset: { input: "page", first: 0 } };
  const rows: readonly (readonly [name: string, list: Answer, options?: Options])[] = [
    ["a list that may not be read", reply(403, { message: "Forbidden" })],
    ["a rate limit", reply(429, { message: "Slow down" }, { "retry-after": "1" })],
    ["a list that fails", reply(500, { message: "broken" })],
    ["a list that is no list", reply(200, { message: "hello" })],
    ["a page instead of a list", reply(200, "<html></html>", { "content-type": "text/html" })],
    ["a list that takes too long", slow, { env: { CLINIC_TIMEOUT_MS: "3000" } }],
    ["a list of which only a part was read", full(30), { list: listTool({ pagination: paged }) }],
    [
      "a list with a link to more",
      reply(200, PROJECTS, { link: '</projects?page=2>; rel="next"' }),
    ],
    ["a list with a higher total in a header", reply(200, PROJECTS, { "x-total-count": "90" })],
    ["a list without names", reply(200, [{ id: 42 }])],
    [
      "a name that is the ID of another thing",
      reply(200, [WEBSITE, { id: "Website", name: "Old" }]),
    ],
    ["a name of things without an ID", reply(200, [{ name: "Website" }])],
  ];
  test.each(rows.map(([name, list, options = {}]) => ({ name, list, options })))(
    "$name",
    async ({ list, options }) => {
      const missing = reply(404, { message: "No such project" });
      const {
        sent,
        isError,
        text: error,
      } = await ask("Website", projects({ missing, list }), options);
      expect(isError).toBe(true);
      expect(sent[1]).toMatch(/^GET \/projects(?:$|\?)/);
      expect(sent).not.toContain("GET /projects/42");
      expect(error).toMatch(/^get_project failed: 404 Not Found/);
      expect(error).toContain('The API says: "No such project"');
      expect(error.replace(/http\S+/g, "")).not.toMatch(/timed out|429|403|500/);
    },
  );

  test("a failure with the ID is that of the repeated call", async () => {
    const answer: Answer = (response, request, count) =>
      (request.url === "/projects/42" ? reply(409, { message: "It is locked" }) : projects())(
        response,
        request,
        count,
      );
    const { isError, text: error, sent } = await ask("Website", answer);
    expect(isError).toBe(true);
    expect(sent).toEqual(used("Website"));
    expect(error).toContain("It is locked");
    expect(error).toContain("the call used 42");
  });

  test("a name with the ID of a thing that is not there is looked up once", async () => {
    const list = reply(200, [{ id: "gone", name: "Website" }]);
    const { sent, isError } = await ask("Website", projects({ list }));
    expect(isError).toBe(true);
    expect(sent).toHaveLength(3);
  });

  test("secrets of the list are in no note", async () => {
    const env = { CLINIC_TOKEN: "s3cret-token" };
    const list = reply(200, [
      { id: "s3cret-token", name: "Website" },
      { id: 2, name: "Websites" },
    ]);
    const { result } = await ask("Websit", projects({ list }), { env });
    expect(JSON.stringify(result)).not.toContain("s3cret-token");
  });

  test("a hook of the list decides what can be found", async () => {
    const afterResponse = () => ({ items: [] });
    const custom = { on: { list_projects: { afterResponse } } } as unknown as Hooks;
    const { isError, text: error } = await ask("Website", projects(), { custom });
    expect(isError).toBe(true);
    expect(error).not.toMatch(/list_projects|Website \(|42 \(/);
  });
});

test("an ID that was found by its name is not doubted after a 403", async () => {
  const refuse = reply(403, { message: "You may not read this project" });
  const answer: Answer = (response, request, count) =>
    (request.url.endsWith("/42") ? refuse : projects())(response, request, count);
  const { text: named } = await ask("Website", answer);
  expect(named).toContain("You may not read this project");
  expect(named).not.toContain("there is no such ID");
  const { text: given } = await ask("42", answer);
  expect(given).toContain("there is no such ID");
});
