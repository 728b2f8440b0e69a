import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Answer, reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { onProgress } from "./clients.js";
import { generateProject, type Project } from "./project.js";

/**
 * The features of Arazzo, workflow by workflow, compiled and run against an upstream that echoes
 * requests.
 */
const json = {
  content: { "application/json": { schema: { type: "object", additionalProperties: true } } },
};
const answers = {
  200: { description: "Done.", ...json },
  default: { description: "Not done.", ...json },
};
const operation = (operationId: string, rest: object = {}): object => ({
  operationId,
  responses: answers,
  ...rest,
});
const any = {
  content: {
    "application/json": json.content["application/json"],
    "application/xml": { schema: { type: "object" } },
    "application/x-www-form-urlencoded": { schema: { type: "object" } },
    "text/plain": { schema: { type: "string" } },
  },
};
const api = {
  openapi: "3.1.0",
  info: { title: "Echo", version: "1" },
  servers: [{ url: "https://echo.example" }],
  paths: {
    "/use": { post: operation("use", { requestBody: any }) },
    "/token": { post: operation("token") },
    "/echo": {
      post: operation("echo", {
        requestBody: {
          content: {
            ...any.content,
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  count: { type: "integer" },
                  tags: { type: "array", items: { type: "string" } },
                },
              },
            },
          },
        },
        parameters: [
          { name: "q", in: "query", schema: { type: "string" } },
          { name: "seen", in: "cookie", schema: { type: "string" } },
        ],
      }),
      get: operation("look", {
        parameters: [{ name: "q", in: "query", schema: { type: "string" } }],
      }),
    },
    "/slow": { get: operation("slow") },
    "/away": { get: operation("away") },
  },
};

const step = (stepId: string, operationId: string, rest: object = {}): object => ({
  stepId,
  operationId,
  ...rest,
});
const textInputs = (...names: readonly string[]): object => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const header = (value: string): object => ({ name: "Authorization", in: "header", value });
const body = "$response.body";
const QUERY = "$..*..*..*..*..*..*";
const queryOf = (input: string): object => ({
  context: `$inputs.${input}`,
  selector: QUERY,
  type: "jsonpath",
});
const workflows: readonly object[] = [
  {
    workflowId: "by-step",
    steps: [
      step("use", "use", {
        parameters: [header("Bearer {$steps.refresh.outputs.token}")],
        onSuccess: [{ name: "enough", type: "end" }],
        onFailure: [
          {
            name: "renew",
            type: "retry",
            stepId: "refresh",
            criteria: [{ condition: "$statusCode == 401" }],
          },
        ],
        outputs: { got: `${body}#/authorization` },
      }),
      step("refresh", "token", { outputs: { token: `${body}#/token` } }),
    ],
    outputs: { got: "$steps.use.outputs.got" },
  },
  {
    workflowId: "login",
    steps: [step("ask", "token", { outputs: { token: `${body}#/token` } })],
    outputs: { token: "$steps.ask.outputs.token" },
  },
  {
    workflowId: "by-workflow",
    steps: [
      step("use", "use", {
        parameters: [header("Bearer {$workflows.login.outputs.token}")],
        onFailure: [
          {
            name: "renew",
            type: "retry",
            workflowId: "login",
            criteria: [{ context: "$statusCode", condition: "^4\\d{2}$", type: "regex" }],
          },
        ],
        outputs: {
          got: `${body}#/authorization`,
          sent: "$request.header.authorization",
          at: "$url",
          by: "$method",
          status: "$statusCode",
        },
      }),
    ],
    outputs: {
      got: "$steps.use.outputs.got",
      sent: "$steps.use.outputs.sent",
      by: "$steps.use.outputs.by",
      status: "$steps.use.outputs.status",
    },
  },
  {
    workflowId: "greet",
    inputs: textInputs("name"),
    steps: [
      step("say", "echo", {
        requestBody: { contentType: "text/plain", payload: "Hello {$inputs.name}" },
        outputs: { heard: `${body}#/body` },
      }),
    ],
    outputs: { heard: "$steps.say.outputs.heard" },
  },
  {
    workflowId: "hand-over",
    inputs: textInputs("who"),
    steps: [
      step("look", "look", {
        onSuccess: [
          {
            name: "on",
            type: "goto",
            workflowId: "greet",
            parameters: [{ name: "name", value: "$inputs.who" }],
          },
        ],
      }),
    ],
    outputs: { never: "$steps.look.outputs" },
  },
  {
    workflowId: "after",
    dependsOn: ["greet"],
    inputs: textInputs("more"),
    steps: [
      step("look", "look", {
        parameters: [
          { name: "q", in: "query", value: "{$workflows.greet.outputs.heard}, {$inputs.more}" },
        ],
        outputs: { q: `${body}#/query/q` },
      }),
    ],
    outputs: { q: "$steps.look.outputs.q", name: "$workflows.greet.inputs.name" },
  },
  {
    workflowId: "bodies",
    inputs: {
      type: "object",
      properties: {
        text: { type: "string" },
        count: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
      },
    },
    steps: [
      step("xml", "echo", {
        requestBody: { contentType: "application/xml", payload: "<a><b>{$inputs.text}</b></a>" },
        outputs: { body: `${body}#/body` },
      }),
      step("form", "echo", {
        requestBody: {
          contentType: "application/x-www-form-urlencoded",
          payload: "a={$inputs.text}&b=2%203",
        },
        outputs: { body: `${body}#/body` },
      }),
      step("json", "echo", {
        requestBody: {
          contentType: "application/json",
          payload:
            '{"text": "<{$inputs.text}>", "count": "{$inputs.count}", "tags": "{$inputs.tags}", "raw": {$inputs.tags}}',
        },
        outputs: { body: `${body}#/body` },
      }),
      step("rest", "echo", {
        parameters: [
          { name: "q", in: "querystring", value: "q={$inputs.text}&limit=5" },
          { name: "seen", in: "cookie", value: "$inputs.count" },
        ],
        requestBody: {
          contentType: "application/json",
          payload: "$inputs",
          replacements: [
            { target: "/text", value: "new" },
            { target: "$.tags[*]", targetSelectorType: "jsonpath", value: "t" },
          ],
        },
        outputs: { body: `${body}#/body`, url: `${body}#/url`, cookie: `${body}#/cookie` },
      }),
    ],
    outputs: {
      xml: "$steps.xml.outputs.body",
      form: "$steps.form.outputs.body",
      json: "$steps.json.outputs.body",
      rest: "$steps.rest.outputs",
    },
  },
  {
    workflowId: "conditions",
    inputs: textInputs("want", "pattern"),
    steps: [
      step("look", "look", {
        parameters: [{ name: "q", in: "query", value: "red" }],
        outputs: {
          colours: { context: body, selector: "$.colours[?@.name].name", type: "jsonpath" },
          first: {
            context: body,
            selector: "/colours/0/name",
            type: { type: "jsonpointer", version: "rfc6901" },
          },
        },
        onSuccess: [
          {
            name: "regex",
            type: "goto",
            stepId: "by-regex",
            criteria: [
              { context: `${body}#/query/q`, condition: "^{$inputs.pattern}$", type: "regex" },
            ],
          },
          {
            name: "path",
            type: "goto",
            stepId: "by-path",
            criteria: [
              {
                context: body,
                condition: "$.colours[?@.name == '{$inputs.want}']",
                type: "jsonpath",
              },
            ],
          },
        ],
      }),
      step("by-neither", "look", {
        onSuccess: [{ name: "e", type: "end" }],
        outputs: { is: "$url" },
      }),
      step("by-regex", "look", {
        onSuccess: [{ name: "e", type: "end" }],
        outputs: { is: "$statusCode" },
      }),
      step("by-path", "look", { outputs: { is: "$method" } }),
    ],
    outputs: {
      colours: "$steps.look.outputs.colours",
      first: "$steps.look.outputs.first",
      regex: "$steps.by-regex.outputs.is",
      path: "$steps.by-path.outputs.is",
      neither: "$steps.by-neither.outputs.is",
    },
  },
  {
    workflowId: "endless",
    steps: [
      step("ping", "look"),
      step("pong", "look", {
        onSuccess: [
          {
            name: "back",
            type: "goto",
            stepId: "ping",
            criteria: [{ condition: "$statusCode == 200" }],
          },
        ],
      }),
    ],
  },
  {
    workflowId: "search",
    inputs: { type: "object", properties: { tree: {}, other: {} } },
    steps: [
      step("first", "look", { parameters: [{ name: "q", in: "query", value: queryOf("other") }] }),
      step("second", "look", { parameters: [{ name: "q", in: "query", value: queryOf("tree") }] }),
    ],
  },
  {
    workflowId: "impatient",
    steps: [
      step("slow", "slow", {
        timeout: 1000,
        onFailure: [
          {
            name: "other",
            type: "goto",
            stepId: "look",
            criteria: [{ condition: "$statusCode == null" }],
          },
        ],
      }),
      step("look", "look", { outputs: { q: `${body}#/url` } }),
    ],
    outputs: { url: "$steps.look.outputs.q" },
  },
  {
    workflowId: "redirected",
    steps: [
      step("away", "away", {
        successCriteria: [{ condition: "$statusCode == 302" }],
        outputs: { to: "$response.header.Location" },
      }),
    ],
    outputs: { to: "$steps.away.outputs.to" },
  },
  {
    workflowId: "defaults",
    inputs: {
      type: "object",
      properties: {
        env: { type: "object", properties: { org: { type: "string", default: "acme" } } },
        page: { type: "integer", default: 7 },
      },
    },
    steps: [
      step("look", "look", {
        parameters: [{ name: "q", in: "query", value: "{$inputs.env.org} {$inputs.page}" }],
        outputs: { q: `${body}#/query/q` },
      }),
    ],
    outputs: { q: "$steps.look.outputs.q" },
  },
  { workflowId: "waits", steps: [step("slow", "slow")] },
  {
    workflowId: "ends",
    steps: [
      step("look", "look", {
        successCriteria: [{ condition: "$statusCode == 201" }],
        onFailure: [{ name: "stop-here", type: "end" }],
      }),
    ],
  },
];

let upstream: Upstream;
let project: Project;
let client: Client;
let before = 0;
const requests = (): readonly string[] =>
  upstream.requests.slice(before).map(({ method, url }) => `${method} ${url.split("?")[0]}`);
const folder = mkdtempSync(join(tmpdir(), "mcp-gen-flow-"));

/** Echoes the request; `/slow` never responds. */
const echo: Answer = (response, request, count) => {
  const { pathname, searchParams } = new URL(request.url, "http://x");
  if (pathname === "/slow") return;
  const { authorization, cookie } = request.headers;
  const status =
    pathname === "/use" && authorization !== "Bearer t-1" ? 401 : pathname === "/away" ? 302 : 200;
  const told = {
    token: "t-1",
    authorization,
    cookie,
    url: request.url,
    query: Object.fromEntries(searchParams),
    body: request.body,
    colours: [{ name: "red" }, { name: "blue" }],
  };
  reply(status, told, status === 302 ? { location: "https://elsewhere.example/x" } : {})(
    response,
    request,
    count,
  );
};

beforeAll(async () => {
  upstream = await startUpstream(echo);
  writeFileSync(join(folder, "api.json"), JSON.stringify(api));
  writeFileSync(
    join(folder, "w.json"),
    JSON.stringify({
      arazzo: "1.1.0",
      info: { title: "Features", version: "1" },
      sourceDescriptions: [{ name: "echo", url: "./api.json" }],
      workflows,
    }),
  );
  project = await generateProject(join(folder, "api.json"), {
    workflows: [join(folder, "w.json")],
  });
  await project.run("bundle");
  client = new Client({ name: "e2e", version: "1.0.0" });
  const env = { ECHO_BASE_URL: upstream.url, LOG_LEVEL: "error", PATH: process.env["PATH"] ?? "" };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [project.server],
      env,
      stderr: "inherit",
    }),
  );
});
beforeEach(() => void (before = upstream.requests.length));
afterAll(async () => {
  await client?.close();
  await upstream?.close();
  await project?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function call(
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ readonly output: unknown; readonly text: string }> {
  const { content, structuredContent } = await client.callTool({ name, arguments: input });
  return {
    output: structuredContent,
    text: (content as readonly { readonly text: string }[]).map(({ text }) => text).join("\n"),
  };
}

test("the project type-checks", async () => {
  await project.run("typecheck");
});

test("a retry that runs another step first comes back", async () => {
  expect([(await call("by_step")).output, requests()]).toEqual([
    { got: "Bearer t-1", notes: ["The workflow ended after step use by its action enough."] },
    ["POST /use", "POST /token", "POST /use"],
  ]);
});

test("a retry that runs another workflow first can use its outputs", async () => {
  const { output } = await call("by_workflow");
  expect([output, requests()]).toEqual([
    { got: "Bearer t-1", sent: "Bearer t-1", by: "POST", status: 200 },
    ["POST /use", "POST /token", "POST /use"],
  ]);
});

test("a goto to a workflow does not return", async () => {
  expect([(await call("hand_over", { who: "Ada" })).output, requests()]).toEqual([
    { heard: "Hello Ada" },
    ["GET /echo", "POST /echo"],
  ]);
});

test("a prerequisite workflow runs first, with its inputs", async () => {
  expect([(await call("after", { name: "Ada", more: "hi" })).output, requests()]).toEqual([
    { q: "Hello Ada, hi", name: "Ada" },
    ["POST /echo", "GET /echo"],
  ]);
});

test("inserted values are escaped in every kind of body", async () => {
  const { output } = await call("bodies", { text: 'a&b="<c>"', count: 3, tags: ["x", "y"] });
  expect(output).toEqual({
    xml: "<a><b>a&amp;b=&quot;&lt;c&gt;&quot;</b></a>",
    form: "a=a%26b%3D%22%3Cc%3E%22&b=2%203",
    json: JSON.stringify({ text: '<a&b="<c>">', count: 3, tags: ["x", "y"], raw: ["x", "y"] }),
    rest: {
      body: JSON.stringify({ text: "new", count: 3, tags: ["t", "t"] }),
      url: expect.stringMatching(/^\/echo\?q=a%26b%3D%22%3Cc%3E%22&limit=5$/) as string,
      cookie: "seen=3",
    },
  });
});

const endedAfter = (step: string): string =>
  `The workflow ended after step ${step} by its action e.`;

test.each([
  { want: "blue", pattern: "r.d", found: { regex: 200, notes: [endedAfter("by-regex")] } },
  { want: "blue", pattern: "blue", found: { path: "GET" } },
  { want: "blue", pattern: "(", found: { path: "GET" } },
  {
    want: "x' || @.name != '",
    pattern: "blue",
    found: {
      neither: expect.stringContaining("/echo") as string,
      notes: [endedAfter("by-neither")],
    },
  },
])("conditions with $want and $pattern in them", async ({ want, pattern, found }) => {
  expect((await call("conditions", { want, pattern })).output).toEqual({
    colours: ["red", "blue"],
    first: "red",
    ...found,
  });
});

test("loops of steps are bounded", async () => {
  const { text } = await call("endless");
  expect(requests()).toHaveLength(100);
  expect(text).toContain("It was stopped after 100 steps, because it repeats steps.");
});

test.each([
  ["first", "other", 0],
  ["second", "tree", 1],
])("a query that visits too many values stops the %s step", async (step, input, sent) => {
  const tree = Array.from({ length: 60 }).reduce<unknown>((below) => [below], 1);
  const { text } = await call("search", { [input]: tree });
  expect(text).toContain(`search stopped at step ${step} (GET /echo, `);
  expect(text).toContain(`It was stopped: The JSONPath query ${QUERY} visits too many values.`);
  expect(text).toContain("Next: a retry does not help.");
  expect(requests()).toHaveLength(sent);
});

test("a step has its own deadline, and the workflow can continue", async () => {
  expect([(await call("impatient")).output, requests()]).toEqual([
    {
      url: "/echo",
      notes: ["Step slow failed; the workflow continued with its action other."],
    },
    ["GET /slow", "GET /echo"],
  ]);
});

test("a redirect that a condition tests is a response", async () => {
  expect([(await call("redirected")).output, requests()]).toEqual([
    { to: "https://elsewhere.example/x" },
    ["GET /away"],
  ]);
});

test("an end after a failure is reported", async () => {
  expect((await call("ends")).text).toContain("Its action stop-here ends the workflow here.");
});

test.each([
  { given: {}, want: "acme 7" },
  { given: { env: {}, page: 1 }, want: "acme 1" },
  { given: { env: { org: "x" } }, want: "x 7" },
])("defaults replace missing inputs: $given", async ({ given, want }) => {
  expect((await call("defaults", given)).output).toEqual({ q: want });
});

test("progress is reported per step", async () => {
  const told: (string | undefined)[] = [];
  onProgress(client, (message) => told.push(message));
  await client.callTool({ name: "hand_over", arguments: { who: "Ada" } }, { onprogress: () => {} });
  expect(told).toEqual(["Step 1: Look", "Step 2: Say"]);
});

test("a cancelled call ends inside its step", async () => {
  const controller = new AbortController();
  const called = client.callTool({ name: "waits", arguments: {} }, { signal: controller.signal });
  await expect.poll(requests).toContain("GET /slow");
  controller.abort();
  await expect(called).rejects.toThrow();
  expect((await call("hand_over", { who: "Eve" })).output).toEqual({ heard: "Hello Eve" });
});
