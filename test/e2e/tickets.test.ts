import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { type Mock, type MockResponse, type MockRequest, startMock } from "../../src/mock/index.js";
import { type AnyClient, clients } from "./clients.js";
import { generateProject, type Project } from "./project.js";

/**
 * The tickets sample: three workflows over two APIs, called by a real client over stdio, with a
 * failure at every request.
 */
let project: Project;
let mock: Mock;
let client: AnyClient;
/** Mock responses by operation: one per request, the last for all further ones. */
let faults: Record<string, MockResponse[]> = {};
let seen: string[] = [];

const customer = { name: "Ada", email: "ada@example.org" };
const usual: Readonly<Record<string, MockResponse>> = {
  "GET /shows": {
    status: 200,
    body: [{ id: "show_11", title: "The Tempest", startsAt: "2026-12-01T19:00:00Z" }],
  },
  "GET /shows/{showId}/seats": {
    status: 200,
    body: {
      free: 2,
      seats: [
        { number: "B7", price: 24 },
        { number: "B8", price: 24 },
      ],
    },
  },
  "POST /holds": { status: 201, body: { id: "hold_5", status: "waiting", total: 48 } },
  "GET /holds/{holdId}": { status: 200, body: { id: "hold_5", status: "held", total: 48 } },
  "DELETE /holds/{holdId}": { status: 204 },
  "POST /bookings": { status: 201, body: { id: "book_9", seats: ["B7", "B8"], total: 48 } },
  "POST /~till/payment-links": {
    status: 201,
    body: { id: "link_1", url: "https://till.example/p/1" },
    headers: { Location: "/p/1" },
  },
};

function answer({ operation = "" }: MockRequest): MockResponse | undefined {
  seen.push(operation);
  const own = faults[operation];
  return (own && own.length > 1 ? own.shift() : own?.[0]) ?? usual[operation];
}

beforeAll(async () => {
  const { configuration } = await readConfiguration("samples/tickets/mcp-gen.yaml");
  if (!configuration) throw new Error("the configuration cannot be read");
  project = await generateProject(configuration.settings.spec ?? "", { configuration });
  await project.run("bundle");
  mock = await startMock(project.plan.mock, { basePath: "/v1", respond: answer });
  const [, connect] = clients[2] as (typeof clients)[number];
  const env = {
    PLAYHOUSE_TICKETS_BASE_URL: mock.url,
    PLAYHOUSE_TICKETS_API_KEY: "made-up-key",
    PLAYHOUSE_TICKETS_TILL_BASE_URL: `${mock.url}/~till`,
    PLAYHOUSE_TICKETS_TILL_TOKEN: "made-up-token",
  };
  client = await connect({ command: process.execPath, args: [project.server], env });
});
afterEach(() => ((faults = {}), (seen = [])));
afterAll(async () => {
  await client?.close();
  await mock?.close();
  await project?.remove();
});

async function call(
  name: string,
  input: Record<string, unknown>,
): Promise<{ readonly isError: boolean; readonly text: string; readonly output: unknown }> {
  const {
    isError = false,
    content,
    structuredContent,
  } = await client.callTool({ name, arguments: input });
  return {
    isError,
    text: (content as readonly { readonly text: string }[]).map(({ text }) => text).join("\n"),
    output: structuredContent,
  };
}

const seats = ["B7", "B8"];
const inputs: Readonly<Record<string, Record<string, unknown>>> = {
  find_seats: { title: "Tempest", max_price: 30 },
  book_tickets: { show_id: "show_11", seats, customer },
  sell_tickets: { title: "Tempest", seats, customer },
};

test("the tools are the workflows and the remaining operations", () => {
  const tools = project.plan.tools.map(
    ({ definition, toolset, inputs: own }) =>
      `${toolset}/${definition.name}(${own.map(({ name, required }) => (required ? name : `${name}?`)).join(", ")})`,
  );
  expect(tools).toEqual([
    "shows/list_shows(title?)",
    "shows/list_seats(showId, maxPrice?)",
    "shows/find_seats(title, max_price?)",
    "bookings/get_hold(holdId)",
    "bookings/release_hold(holdId)",
    "workflows/book_tickets(show_id, seats, customer, budget?)",
    "workflows/sell_tickets(title, seats, customer)",
  ]);
});

test.each([
  {
    tool: "find_seats",
    want: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    tool: "book_tickets",
    want: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  {
    tool: "sell_tickets",
    want: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
])("annotations of $tool cover all of its operations", ({ tool, want }) => {
  expect(
    project.plan.tools.find(({ definition }) => definition.name === tool)?.definition.annotations,
  ).toEqual(want);
});

test("a description lists the steps and the result", () => {
  const described = project.plan.tools.find(
    ({ definition }) => definition.name === "find_seats",
  )?.definition;
  expect(described?.description).toBe(
    "Find free seats of a show by its title. Use when the user names a show. Steps: 1. Find the show by its title (GET /shows); 2. List its free seats (GET /shows/{showId}/seats). Returns seats with number and price; show; free.",
  );
  expect(described?.outputSchema).toMatchObject({
    properties: {
      show: { type: "object", properties: { title: { type: "string" } } },
      seats: { type: "array" },
    },
  });
});

test("the environment has variables for the other API", () => {
  expect(project.plan.environment.map(({ name }) => name)).toEqual([
    "PLAYHOUSE_TICKETS_BASE_URL",
    "PLAYHOUSE_TICKETS_API_KEY",
    "PLAYHOUSE_TICKETS_TILL_BASE_URL",
    "PLAYHOUSE_TICKETS_TILL_TOKEN",
  ]);
});

test("the project type-checks, and passes its own tests", async () => {
  await project.run("typecheck");
  const told = await project.run("test");
  expect(told).toMatch(/^# fail 0$|ℹ fail 0/mu);
  // Made-up responses stop some workflows, which does not count as a pass.
  expect(told).toMatch(/find_seats(?! .*stopped)/u);
  expect(told).toContain(
    "book_tickets stopped at step await-hold (GET /holds/{holdId}, Wait until they are held). The mock's sampled responses do not meet the criteria of its steps.",
  );
});

describe("successful runs", () => {
  test("one step after the other", async () => {
    const { output, isError } = await call("find_seats", inputs["find_seats"] ?? {});
    expect({ output, isError, seen }).toEqual({
      isError: false,
      seen: ["GET /shows", "GET /shows/{showId}/seats"],
      output: {
        show: { id: "show_11", title: "The Tempest", startsAt: "2026-12-01T19:00:00Z" },
        free: 2,
        seats: [
          { number: "B7", price: 24 },
          { number: "B8", price: 24 },
        ],
      },
    });
  });

  test("retries while the hold is pending, then branches by price", async () => {
    const waiting: MockResponse = {
      status: 200,
      body: { id: "hold_5", status: "waiting", total: 48 },
    };
    faults = {
      "GET /holds/{holdId}": [waiting, waiting, usual["GET /holds/{holdId}"] as MockResponse],
    };
    const { output } = await call("book_tickets", inputs["book_tickets"] ?? {});
    expect({ output, seen }).toEqual({
      output: { bookingId: "book_9", seats, total: 48 },
      seen: [
        "POST /holds",
        ...Array.from({ length: 3 }, () => "GET /holds/{holdId}"),
        "POST /bookings",
      ],
    });
  });

  test("releases the seats when they are too expensive", async () => {
    const { output, text, isError } = await call("book_tickets", {
      ...inputs["book_tickets"],
      budget: 40,
    });
    const ended = "The workflow ended after step release by its action givenBack.";
    expect({ output, isError, seen }).toEqual({
      output: { total: 48, notes: [ended] },
      isError: false,
      seen: ["POST /holds", "GET /holds/{holdId}", "DELETE /holds/{holdId}"],
    });
    expect(text).toContain(ended);
  });

  test("calls other workflows and another API, each with its own credentials", async () => {
    const { output } = await call("sell_tickets", inputs["sell_tickets"] ?? {});
    expect(output).toEqual({ bookingId: "book_9", total: 48, payBy: "https://till.example/p/1" });
    const sent = Object.fromEntries(
      mock.requests
        .slice(-6)
        .map(({ operation, headers, body }) => [
          operation,
          { key: headers["x-api-key"], token: headers["authorization"], body },
        ]),
    );
    expect(sent["POST /bookings"]).toMatchObject({ key: "made-up-key", token: undefined });
    expect(sent["POST /~till/payment-links"]).toMatchObject({
      key: undefined,
      token: "Bearer made-up-token",
    });
    expect(
      JSON.parse(Buffer.from(sent["POST /~till/payment-links"]?.body as Uint8Array).toString()),
    ).toEqual({
      reference: "book_9",
      amount: 4800,
      note: "Tickets book_9 of Ada",
      lines: [{ text: "Tempest" }],
    });
  });

  test("every request is valid by the documents", () => {
    expect(mock.requests.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

/** Every request of every workflow, with its step. */
const requests: readonly {
  readonly tool: string;
  readonly operation: string;
  readonly step: string;
  readonly done: readonly string[];
  readonly effects: readonly string[];
}[] = [
  { tool: "find_seats", operation: "GET /shows", step: "find-show", done: [], effects: [] },
  {
    tool: "find_seats",
    operation: "GET /shows/{showId}/seats",
    step: "list-seats",
    done: ["find-show"],
    effects: [],
  },
  { tool: "book_tickets", operation: "POST /holds", step: "hold", done: [], effects: [] },
  {
    tool: "book_tickets",
    operation: "GET /holds/{holdId}",
    step: "await-hold",
    done: ["hold"],
    effects: ["hold"],
  },
  {
    tool: "book_tickets",
    operation: "POST /bookings",
    step: "book",
    done: ["hold", "await-hold"],
    effects: ["hold"],
  },
  { tool: "sell_tickets", operation: "GET /shows", step: "find", done: [], effects: [] },
  {
    tool: "sell_tickets",
    operation: "GET /shows/{showId}/seats",
    step: "find",
    done: ["find-show"],
    effects: [],
  },
  {
    tool: "sell_tickets",
    operation: "POST /holds",
    step: "book",
    done: ["find-show", "list-seats", "find"],
    effects: [],
  },
  {
    tool: "sell_tickets",
    operation: "GET /holds/{holdId}",
    step: "book",
    done: ["find", "hold"],
    effects: ["hold"],
  },
  {
    tool: "sell_tickets",
    operation: "POST /bookings",
    step: "book",
    done: ["find", "hold", "await-hold"],
    effects: ["hold"],
  },
  {
    tool: "sell_tickets",
    operation: "POST /~till/payment-links",
    step: "request-payment",
    done: ["find", "book"],
    effects: ["hold", "book"],
  },
];

describe.each([
  {
    fault: "a refusal",
    answer: { status: 422, body: { title: "Not like this" } } as MockResponse,
    says: "Not like this",
    effect: false,
  },
  {
    fault: "an API error",
    answer: { status: 500, body: { title: "Broken pipe" } } as MockResponse,
    says: "Broken pipe",
    effect: true,
  },
  {
    fault: "an answer that is none",
    answer: {
      status: 200,
      body: "<html>maintenance</html>",
      headers: { "content-type": "text/html" },
    } as unknown as MockResponse,
    says: "",
    effect: true,
  },
])("$fault", ({ answer: given, says, effect }) => {
  test.each(requests)("$tool at $operation", async ({ tool, operation, step, done, effects }) => {
    faults = { [operation]: [given] };
    const { isError, text } = await call(tool, inputs[tool] ?? {});
    // A step without criteria accepts any success. The seats are then missing, and no other step
    // notices.
    const contents = given.status === 200 && operation === "GET /shows/{showId}/seats";
    expect(isError).toBe(!contents);
    if (contents) return;
    expect(text).toContain(`${tool} stopped at step ${step} `);
    expect(text).toContain(says);
    for (const id of done) expect(text).toMatch(new RegExp(`Completed steps:[^]*- ${id} `));
    for (const id of effects)
      expect(text).toMatch(new RegExp(`(?:Took effect|May have taken effect)[^]*${id} \\(`));
    const changes = effects.length > 0 || (effect && operation.startsWith("POST"));
    expect(text).toContain(changes ? `do not call ${tool} again with the same input` : "Next: ");
    expect(text.includes("do not call")).toBe(changes);
    expect(text).not.toContain("made-up");
  });
});

test("a failure states its cause, completed steps, unrepeatable steps and the next step", async () => {
  faults = { "POST /~till/payment-links": [{ status: 402, body: { title: "Limit reached" } }] };
  expect((await call("sell_tickets", inputs["sell_tickets"] ?? {})).text.split("\n")).toEqual([
    "sell_tickets stopped at step request-payment (POST /payment-links, Make the payment link).",
    `sell_tickets failed: 402 Payment Required (Till: POST ${mock.url}/~till/payment-links).`,
    'The API says: "Limit reached"',
    "Completed steps:",
    '- find-show (GET /shows): show = {"id":"show_11","title":"The Tempest","startsAt":"2026-12-01T19:00:00Z"}, showId = "show_11"',
    '- list-seats (GET /shows/{showId}/seats): seats = [{"number":"B7","price":24},{"number":"B8","price":24}], free = 2',
    '- find (workflow find-seats): showId = "show_11"',
    '- hold (POST /holds): holdId = "hold_5"',
    "- await-hold (GET /holds/{holdId}): total = 48",
    '- book (POST /bookings): bookingId = "book_9", seats = ["B7","B8"], total = 48',
    '- book (workflow book-seats): bookingId = "book_9", total = 48',
    "Took effect, do not repeat: hold (POST /holds), book (POST /bookings).",
    "Next: do not call sell_tickets again with the same input: it would repeat completed steps. Tell the user what was done and what was not.",
  ]);
});

describe("retries", () => {
  test("a 503 is only retried as often as the workflow allows", async () => {
    faults = { "POST /holds": [{ status: 503 }] };
    const { text } = await call("book_tickets", inputs["book_tickets"] ?? {});
    expect(seen).toEqual(["POST /holds", "POST /holds", "POST /holds"]);
    expect(text).toContain("May have taken effect, check before repeating: hold (POST /holds).");
  });

  test("Retry-After overrides retryAfter of the workflow", async () => {
    faults = { "POST /holds": [{ status: 503, headers: { "retry-after": "3600" } }] };
    await call("book_tickets", inputs["book_tickets"] ?? {});
    expect(seen).toEqual(["POST /holds"]);
  });

  test("an excessive Retry-After is not waited for", async () => {
    faults = {
      "GET /holds/{holdId}": [
        { status: 200, body: { id: "hold_5", status: "waiting", total: 48 } },
      ],
    };
    const { text } = await call("book_tickets", inputs["book_tickets"] ?? {});
    expect(seen).toHaveLength(7);
    expect(text).toContain(
      "The API responded with 200, but the step requires $statusCode == 200 && $response.body#/status == 'held'.",
    );
  });

  test("a conflict releases the seats, with the configured advice", async () => {
    faults = { "POST /bookings": [{ status: 409, body: { title: "Gone" } }] };
    expect(await call("book_tickets", inputs["book_tickets"] ?? {})).toMatchObject({
      isError: false,
      output: { total: 48 },
    });
    faults = { "POST /holds": [{ status: 409, body: { title: "Taken" } }] };
    expect((await call("book_tickets", inputs["book_tickets"] ?? {})).text).toContain(
      "Somebody else was faster with",
    );
  });

  test("a missing input is reported before any request", async () => {
    expect((await call("book_tickets", { show_id: "show_11" })).text).toContain(
      "Not sent: 2 problems",
    );
    expect(seen).toEqual([]);
  });
});
