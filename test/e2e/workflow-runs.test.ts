import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Asked, type Lab, type Reply, startLab } from "./workflow-lab.js";
import { aboutShop, ofId, record, shopApi, step } from "./workflow-shop.js";

/** Failing workflows: their requests and their messages. */
const text = { type: "string" };
const body = "$response.body";
const name = { outputs: { v: `${body}#/name` } };
const again = (rest: object): object => ({ name: "again", type: "retry", ...rest });
const get = (stepId: string, id: string, rest: object = {}): object =>
  step(stepId, "getProduct", { parameters: [ofId(id)], ...rest });
const ends = { onSuccess: [{ name: "enough", type: "end" }] };
const v = (stepId: string): object => ({ outputs: { v: `$steps.${stepId}.outputs.v` } });

const till = {
  openapi: "3.1.0",
  info: { title: "Till", version: "1" },
  servers: [{ url: "https://till.example" }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Till" } } },
  paths: {
    "/pay": {
      post: {
        operationId: "pay",
        requestBody: { content: { "application/json": { schema: record({ order: text }) } } },
        responses: {
          200: {
            description: "Paid.",
            content: { "application/json": { schema: record({ ref: text }) } },
          },
        },
      },
    },
  },
};
const workflows: readonly object[] = [
  {
    workflowId: "slow-child",
    steps: [
      get("one", "slow"),
      step("two", "createOrder", { requestBody: { payload: { product: "x" } } }),
    ],
  },
  {
    workflowId: "impatient",
    inputs: record({ go: { type: "boolean" } }),
    steps: [
      {
        stepId: "child",
        workflowId: "slow-child",
        timeout: 1000,
        onFailure: [
          {
            name: "without",
            type: "goto",
            stepId: "after",
            criteria: [{ condition: "$inputs.go" }],
          },
        ],
      },
      get("after", "ok", name),
    ],
    ...v("after"),
  },
  { workflowId: "flaky", steps: [get("x", "flaky", name)], ...v("x") },
  {
    workflowId: "patient",
    steps: [
      {
        stepId: "child",
        workflowId: "flaky",
        onFailure: [again({ retryLimit: 2, retryAfter: 0.01 })],
        outputs: { v: "$outputs.v" },
      },
    ],
    ...v("child"),
  },
  {
    workflowId: "rated",
    steps: [
      get("x", "rated", {
        onFailure: [
          again({ retryLimit: 3, retryAfter: 5, criteria: [{ condition: "$statusCode == 429" }] }),
        ],
        ...name,
      }),
    ],
    ...v("x"),
  },
  {
    workflowId: "undone",
    steps: [
      get("x", "bad", {
        onFailure: [again({ retryLimit: 2 }), { name: "give-back", type: "goto", stepId: "undo" }],
      }),
      get("no", "never", ends),
      step("undo", "deleteOrder", { parameters: [ofId("o1")] }),
    ],
  },
  {
    workflowId: "never-again",
    steps: [get("x", "bad", { onFailure: [again({ retryLimit: 0 })] })],
  },
  { workflowId: "once-again", steps: [get("x", "bad", { onFailure: [again({})] })] },
  {
    workflowId: "paid",
    steps: [
      step("order", "createOrder", { requestBody: { payload: { product: "p" } } }),
      step("pay", "$sourceDescriptions.till.pay", { requestBody: { payload: { order: "o1" } } }),
    ],
  },
  {
    workflowId: "absent",
    inputs: record({ note: text }),
    steps: [
      get("x", "ok", { outputs: { no: `${body}#/gone` } }),
      step("y", "createOrder", {
        requestBody: {
          payload: { product: "p", note: "$inputs.note", tags: ["$inputs.note", "a"] },
        },
      }),
      get("z", "$steps.x.outputs.no"),
    ],
  },
  {
    workflowId: "lost",
    steps: [step("x", "createOrder", { requestBody: { payload: { product: "lost" } } })],
  },
  {
    workflowId: "drains",
    steps: [
      get("x", "queue", {
        onSuccess: [{ name: "more", type: "goto", stepId: "x" }],
        onFailure: [
          {
            name: "empty",
            type: "goto",
            stepId: "y",
            criteria: [{ condition: "$statusCode == 404" }],
          },
        ],
      }),
      get("y", "ok", name),
    ],
    ...v("y"),
  },
  {
    workflowId: "names",
    inputs: record({ inputs: text, flow: text, class: text }),
    steps: [
      get("inputs", "$inputs.inputs", { outputs: { result: body, "a-b.c": `${body}#/name` } }),
      get("flow", "$inputs.flow", {
        outputs: {
          constructor: "$steps.inputs.outputs.a-b.c",
          toString: "$steps.inputs.outputs.result#/name",
        },
      }),
      get("steps", "$inputs.class"),
      get("1", "x"),
      get("__proto__", "proto", name),
    ],
    outputs: {
      c: "$steps.flow.outputs.constructor",
      t: "$steps.flow.outputs.toString",
      p: "$steps.__proto__.outputs.v",
    },
  },
  {
    workflowId: "sees-itself",
    steps: [
      get("x", "ok", {
        outputs: {
          url: "$sourceDescriptions.shop.url",
          type: "$sourceDescriptions.shop.type",
          name: "$sourceDescriptions.Shop.name",
          self: "$self",
          id: "$request.path.id",
          method: "$method",
        },
      }),
    ],
    outputs: { all: "$steps.x.outputs" },
  },
  {
    workflowId: "in-text",
    inputs: record({ deep: record({ a: { type: "array", items: text } }) }),
    steps: [
      step("x", "createOrder", {
        requestBody: {
          contentType: "application/json",
          payload:
            '{"product": {$inputs.deep#/a}, "n": {$inputs.deep.a.0}, "t": "x{$inputs.deep}"}',
        },
      }),
    ],
  },
  {
    workflowId: "reused",
    inputs: record({ id: text }),
    parameters: [
      { reference: "$components.parameters.id", value: "all" },
      { reference: "$components.parameters.trace" },
    ],
    steps: [
      step("a", "getProduct"),
      step("b", "getProduct", { parameters: [{ reference: "$components.parameters.id" }] }),
      step("c", "getProduct", {
        parameters: [
          { reference: "$components.parameters.id", value: 7 },
          { name: "X-TRACE", in: "header", value: "own" },
        ],
      }),
    ],
  },
  {
    workflowId: "around",
    parameters: [
      { name: "id", in: "query", value: "query" },
      { name: "id", in: "path", value: "path" },
    ],
    steps: [
      { stepId: "a", workflowId: "renewal" },
      { stepId: "b", workflowId: "renewal", parameters: [{ name: "id", value: "own" }] },
    ],
  },
  {
    workflowId: "waits",
    steps: [get("x", "bad", { onFailure: [again({ retryLimit: 3, retryAfter: 20 })] })],
  },
  {
    workflowId: "by-step",
    steps: [
      get("x", "bad", { onFailure: [again({ retryLimit: 2, stepId: "y" })], ...ends }),
      get("y", "renew"),
    ],
  },
  {
    workflowId: "by-workflow",
    steps: [
      get("x", "bad", {
        onFailure: [
          again({
            retryLimit: 2,
            workflowId: "renewal",
            parameters: [{ name: "id", value: "renew" }],
          }),
        ],
      }),
    ],
  },
  { workflowId: "renewal", inputs: record({ id: text }), steps: [get("x", "$inputs.id")] },
  {
    workflowId: "by-steps",
    steps: [
      get("x", "third", { onFailure: [again({ retryLimit: 1, stepId: "y" })], ...ends, ...name }),
      get("y", "second", { onFailure: [again({ retryLimit: 1, stepId: "z" })] }),
      get("z", "renew"),
      get("never", "never"),
    ],
    ...v("x"),
  },
  {
    workflowId: "elsewhere",
    steps: [
      get("x", "bad", { onFailure: [again({ retryLimit: 5, stepId: "y" })], ...ends }),
      get("y", "bad", { onFailure: [{ name: "give-up", type: "goto", stepId: "z" }] }),
      get("z", "ok", ends),
    ],
  },
  {
    workflowId: "unsure",
    steps: [
      get("x", "html", {
        successCriteria: [{ context: body, condition: "$.a", type: "jsonpath" }],
      }),
    ],
  },
];
const document = aboutShop(workflows, {
  $self: "https://me.example/tasks",
  sourceDescriptions: [
    { name: "shop", url: "./shop.json", type: "openapi" },
    { name: "till", url: "./other/till.json", type: "openapi" },
  ],
  components: {
    parameters: {
      id: { name: "id", in: "path", value: "$inputs.id" },
      trace: { name: "X-Trace", in: "header", value: "all" },
    },
  },
});

let lab: Lab;
let flaky = 0;
const asked = (id: string): number =>
  lab.asked.filter(({ path }) => path.endsWith(`/${id}`)).length;
const special: Readonly<Record<string, () => Reply>> = {
  slow: () => ({ after: 20_000 }),
  bad: () => ({ status: 500, body: { message: "Broken" } }),
  html: () => ({ body: "<html>", headers: { "content-type": "text/html" } }),
  flaky: () => (++flaky < 3 ? { status: 500 } : { body: { name: "at last" } }),
  rated: () =>
    ++flaky < 3 ? { status: 429, headers: { "retry-after": "0" } } : { body: { name: "rated" } },
  third: () => (asked("renew") < 1 ? { status: 401 } : { body: { name: "third" } }),
  second: () => (asked("renew") < 1 ? { status: 401 } : {}),
  queue: () => (++flaky < 4 ? {} : { status: 404 }),
};
/** Fails one request. */
let fault: { readonly at: number; readonly reply: Reply } | undefined;
function reply({ path, method, body: sent }: Asked, n: number): Reply {
  if (fault?.at === n) return fault.reply;
  const id = path.split("/").at(-1) ?? "";
  if (special[id]) return special[id]();
  if (sent.includes("lost")) return { broken: true };
  return method === "DELETE"
    ? { status: 204 }
    : { status: method === "POST" ? 201 : 200, body: { id, name: `N-${id}` } };
}
beforeAll(async () => {
  lab = await startLab({
    files: { "shop.json": shopApi, "tasks.arazzo.json": document, "other/till.json": till },
    env: { SHOP_TILL_BASE_URL: "{url}" },
    reply,
  });
});
afterEach(() => ((flaky = 0), (fault = undefined), (lab.asked.length = 0)));
afterAll(() => lab?.close());

const products = (...ids: readonly string[]): readonly string[] =>
  ids.map((id) => `GET /products/${id}`);

test.each([
  {
    what: "a workflow as a step is retried as a whole",
    tool: "patient",
    output: { v: "at last" },
    sent: products("flaky", "flaky", "flaky"),
  },
  {
    what: "Retry-After overrides retryAfter",
    tool: "rated",
    output: { v: "rated" },
    sent: products("rated", "rated", "rated"),
  },
  {
    what: "a step that times out can be skipped",
    tool: "impatient",
    input: { go: true },
    output: {
      v: "N-ok",
      notes: ["Step child failed; the workflow continued with its action without."],
    },
    sent: products("slow", "ok"),
  },
  {
    what: "a loop that a failure leaves",
    tool: "drains",
    output: {
      v: "N-ok",
      notes: [
        "Step x failed (the API responded with 404); the workflow continued with its action empty.",
      ],
    },
    sent: products("queue", "queue", "queue", "queue", "ok"),
  },
  {
    what: "nested retries come back through both steps",
    tool: "by_steps",
    output: { v: "third", notes: ["The workflow ended after step x by its action enough."] },
    sent: products("third", "second", "renew", "second", "third"),
  },
  {
    what: "a goto inside a retry's step does not come back",
    tool: "elsewhere",
    output: undefined,
    sent: products("bad", "bad", "ok"),
  },
  {
    what: "parameters of a workflow become inputs of called workflows",
    tool: "around",
    output: undefined,
    sent: products("query", "own"),
  },
  {
    what: "names that are reserved words in code",
    tool: "names",
    input: { inputs: "i", flow: "f", class: "c" },
    output: { c: "N-i", t: "N-i", p: "N-proto" },
    sent: products("i", "f", "c", "x", "proto"),
  },
  {
    what: "expressions about the workflow itself",
    tool: "sees_itself",
    output: {
      all: {
        url: "./shop.json",
        type: "openapi",
        name: "shop",
        self: "https://me.example/tasks",
        id: "ok",
        method: "GET",
      },
    },
    sent: products("ok"),
  },
  {
    what: "parameters are reused, and overridden by name and location",
    tool: "reused",
    input: { id: "in" },
    output: undefined,
    sent: products("all", "in", "7"),
  },
])("$what", async ({ tool, input = {}, output, sent }) => {
  expect([(await lab.call(tool, input)).output, lab.sent()]).toEqual([output, sent]);
});

test("headers are overridden case-insensitively", async () => {
  await lab.call("reused", { id: "in" });
  expect(lab.asked.map(({ headers }) => headers["x-trace"])).toEqual(["all", "all", "own"]);
});

test("values keep their types in JSON text, and become JSON inside strings", async () => {
  await lab.call("in_text", { deep: { a: ["p", "q"] } });
  expect(JSON.parse(lab.asked[0]?.body ?? "")).toEqual({
    product: ["p", "q"],
    n: "p",
    t: 'x{"a":["p","q"]}',
  });
});

test("a cancelled call ends while it waits for a retry", async () => {
  const controller = new AbortController();
  const told: string[] = [];
  const progress = (message: string): void => {
    told.push(message);
    if (message.includes("retrying")) setTimeout(() => controller.abort());
  };
  const { text: said } = await lab.call("waits", {}, { signal: controller.signal, progress });
  expect([told, lab.sent()]).toEqual([
    ["Step 1: X", "x: retrying in 20 s (1 of 3)."],
    products("bad"),
  ]);
  expect(said).toContain("It was cancelled.");
});

describe("failure messages", () => {
  test.each([
    {
      what: "of a workflow that times out as a step",
      tool: "impatient",
      sent: products("slow"),
      says: [
        "impatient stopped at step child (workflow slow-child, Child).",
        "The called workflow stopped at step one (GET /products/{id}, One). It did not complete within 1 s.",
      ],
    },
    {
      what: "of a failure that must not be retried",
      tool: "never_again",
      sent: products("bad"),
      says: ['The API says: "Broken"'],
    },
    {
      what: "of a failure that is retried once",
      tool: "once_again",
      sent: products("bad", "bad"),
      says: ['The API says: "Broken"'],
    },
    {
      what: "of a failure that is retried through a step",
      tool: "by_step",
      sent: products("bad", "renew", "bad", "renew", "bad"),
      says: ["by_step stopped at step x"],
    },
    {
      what: "of a failure that is retried through a workflow",
      tool: "by_workflow",
      sent: products("bad", "renew", "bad", "renew", "bad"),
      says: ["by_workflow stopped at step x"],
    },
    {
      what: "of missing credentials of a later step, before any request",
      tool: "paid",
      sent: [],
      says: [
        "paid stopped at step pay (POST /pay, Pay).\nNot sent: the description of Till asks for credentials that are not set. Set SHOP_TILL_API_KEY, or SHOP_TILL_AUTH=none to call without any, in the environment of this server, then restart it; do not retry.",
      ],
    },
    {
      what: "of a value that no response had",
      tool: "absent",
      sent: [...products("ok"), "POST /orders"],
      says: [
        "- id: is missing; the path needs a value\nid comes from $steps.x.outputs.no, which is missing.",
        "Took effect, do not repeat: y (POST /orders).",
      ],
    },
    {
      what: "of a write without a response",
      tool: "lost",
      sent: ["POST /orders"],
      says: [
        "check before repeating: x (POST /orders).\nNext: do not call lost again with the same input: it may repeat a change. First check whether x took effect.",
      ],
    },
    {
      what: "of a response that conditions cannot test",
      tool: "unsure",
      sent: products("html"),
      says: ["The API responded with 200, but the step requires jsonpath $.a."],
    },
  ])("$what", async ({ tool, sent, says }) => {
    const found = await lab.call(tool);
    expect([found.isError, lab.sent()]).toEqual([true, sent]);
    for (const one of says) expect(found.text).toContain(one);
  });

  test("of a failure path that ends successfully", async () => {
    const found = await lab.call("undone");
    expect([found.isError, lab.sent()]).toEqual([
      false,
      [...products("bad", "bad", "bad"), "DELETE /orders/o1"],
    ]);
    expect(found.text).toContain(
      "Step x failed (the API responded with 500); the workflow continued with its action give-back.",
    );
  });

  test("and missing values are not sent", async () => {
    await lab.call("absent");
    expect(JSON.parse(lab.asked[1]?.body ?? "")).toEqual({ product: "p", tags: ["a"] });
  });
});

/** Tools whose requests are sent without a delay, with their inputs. */
const calls: readonly { readonly tool: string; readonly input?: Record<string, unknown> }[] = [
  ...[
    "patient",
    "rated",
    "undone",
    "absent",
    "drains",
    "sees_itself",
    "around",
    "by_step",
    "by_workflow",
    "by_steps",
    "elsewhere",
  ].map((tool) => ({ tool })),
  { tool: "names", input: { inputs: "i", flow: "f", class: "c" } },
  { tool: "in_text", input: { deep: { a: ["p"] } } },
  { tool: "reused", input: { id: "in" } },
];

describe.each<{ readonly what: string; readonly reply: Reply }>([
  { what: "an API error", reply: { status: 500, body: { message: "Broken" } } },
  { what: "no response", reply: { broken: true } },
  { what: "a page", reply: { body: "<html>", headers: { "content-type": "text/html" } } },
  { what: "nothing", reply: { status: 204 } },
  {
    what: "invalid JSON",
    reply: { body: "{no", headers: { "content-type": "application/json" } },
  },
  {
    what: "a redirect",
    reply: { status: 302, headers: { location: "https://elsewhere.example/" } },
  },
])("$what, at any request", ({ reply: given }) => {
  test.each(calls)(
    "$tool reports where it stopped, or continues as defined",
    async ({ tool, input }) => {
      for (const at of [1, 2, 3]) {
        [flaky, lab.asked.length, fault] = [0, 0, { at, reply: given }];
        const { isError, text: said } = await lab.call(tool, input);
        if (isError)
          expect(said).toMatch(new RegExp(`^${tool} stopped at step [^]*(?:\\nNext: |Not sent: )`));
        expect(lab.asked.length).toBeLessThan(12);
      }
    },
  );
});
