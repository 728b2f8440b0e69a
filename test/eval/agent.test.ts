import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { formatResult } from "../../src/eval/agent/host-forms.js";
import { runTask } from "../../src/eval/agent/run-task.js";
import {
  type AgentOptions,
  type Host,
  modelApis,
  runTasks,
  type Task,
} from "../../src/eval/index.js";
import { judge } from "../../src/eval/judge.js";
import { discoveryNamesOf } from "../../src/eval/tool-calls.js";
import { type Session, startSession } from "../../src/try/index.js";
import { generatePets } from "./pets.js";
import { startModel, type Turn } from "./scripted-model.js";

const booking: Task = {
  say: "Book a check-up for Rex on 3 May 2027.",
  expect: [
    { tool: "list_pets", with: { q: "/rex/i" } },
    { tool: "book_visit", with: { petId: "pet_1", day: "2027-05-03" } },
  ],
  ordered: true,
  never: ["delete_*"],
};

const find: Turn = { calls: [["list_pets", { q: "Rex" }]] };
const book: Turn = { calls: [["book_visit", { petId: "pet_1", day: "2027-05-03" }]] };
const end: Turn = { text: "Booked as vis_1." };

let server: Awaited<ReturnType<typeof generatePets>>;
/** A server that keeps nothing between attempts, for tests of the conversation. */
let session: Session;
let model: Awaited<ReturnType<typeof startModel>> | undefined;

beforeAll(async () => {
  server = await generatePets();
  session = await startSession(server.plan, server.files);
});

afterAll(() => session.close());

afterEach(async () => {
  await model?.close();
});

interface Setting {
  readonly format?: "openai" | "anthropic";
  readonly task?: Partial<Task>;
  readonly options?: Partial<AgentOptions>;
  readonly key?: string;
}

async function start(turns: readonly Turn[], { format = "openai", options, key }: Setting) {
  model = await startModel(format, turns);
  return {
    access: {
      api: modelApis[format]!,
      baseUrl: model.url,
      ...(key !== undefined && { key }),
      settings: { name: "m-1", maxTokens: 500, temperature: 0 },
      timeoutMs: 10_000,
      retryDelayMs: 1,
    },
    host: "claude-code" as const,
    limits: { turns: 6, tokens: 100_000 },
    repeat: 1,
    ...options,
  };
}

/** A run with a server for each attempt. */
async function run(turns: readonly Turn[], setting: Setting = {}) {
  const options = await start(turns, setting);
  return await runTasks([{ ...booking, ...setting.task }], server.plan, server.files, options);
}

/** An attempt with the server of all tests. */
async function attempt(turns: readonly Turn[], setting: Setting = {}) {
  const options = await start(turns, setting);
  const tools = await session.client.listTools();
  const names = discoveryNamesOf(server.plan);
  const made = await runTask(booking, { session, tools, names, ...options });
  return { ...made, judgement: judge(booking, made.calls, made.answer) };
}

test("a task is done over the messages of OpenAI", async () => {
  const { judgement, usage, turns, answer } = await attempt([find, book, end], { key: "sk-1" });
  expect({ judgement, usage, turns, answer }).toMatchObject({
    judgement: { isDone: true, tools: 1, inputs: 1, wasted: 0, problems: [] },
    usage: { input: 300, output: 30 },
    turns: 3,
    answer: "Booked as vis_1.",
  });
  const [first, second] = model!.requests;
  expect(first).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: "Bearer sk-1" },
    body: { model: "m-1", stream: false, temperature: 0, max_completion_tokens: 500 },
  });
  expect(
    first!.body.tools.map((tool: { function: { name: string } }) => tool.function.name),
  ).toEqual(expect.arrayContaining(["list_pets", "create_pet", "delete_pet", "book_visit"]));
  expect(second!.body.messages.slice(-2)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_1_0",
          type: "function",
          function: { name: "list_pets", arguments: '{"q":"Rex"}' },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1_0", content: expect.stringContaining('"pet_1"') },
  ]);
});

test("a task is done over the messages of Anthropic, with two calls at once", async () => {
  const both: Turn = { text: "I look.", calls: [...find.calls!, ["list_pets", {}]] };
  const { judgement } = await attempt([both, book, end], { format: "anthropic", key: "sk-2" });
  expect(judgement).toMatchObject({ isDone: true, wasted: 1 });
  const [first, second] = model!.requests;
  expect(first).toMatchObject({
    path: "/v1/messages",
    headers: { "x-api-key": "sk-2", "anthropic-version": "2023-06-01" },
    body: {
      model: "m-1",
      stream: false,
      max_tokens: 500,
      messages: [{ role: "user", content: booking.say }],
    },
  });
  const [asked, results] = second!.body.messages.slice(-2);
  expect(asked.content.map(({ type }: { type: string }) => type)).toEqual([
    "text",
    "tool_use",
    "tool_use",
  ]);
  expect(
    results.content.map((one: { type: string; tool_use_id: string }) => [
      one.type,
      one.tool_use_id,
    ]),
  ).toEqual([
    ["tool_result", "call_1_0"],
    ["tool_result", "call_1_1"],
  ]);
});

test("failed calls are told, and count as recovered when they are mended", async () => {
  const wrong: Turn = { calls: [["book_visit", { petId: "pet_1" }]] };
  const { judgement } = await attempt([find, wrong, book, end]);
  expect(judgement).toMatchObject({ isDone: true, wasted: 1, recovered: 1 });
  expect(model!.requests[2]!.body.messages.at(-1).content).toContain("day");
});

test.each<[string, Turn, string]>([
  ["an unknown tool", { calls: [["book_pet", {}]] }, "book_pet"],
  ["arguments that are not JSON", { calls: [["list_pets", "{q: rex"]] }, "not a JSON object"],
  ["arguments that are no object", { calls: [["list_pets", "[1]"]] }, "not a JSON object"],
])("%s is an error that the model reads", async (_, turn, text) => {
  const { judgement } = await attempt([turn, find, book, end]);
  expect(judgement.isDone).toBe(true);
  expect(model!.requests[1]!.body.messages.at(-1).content).toContain(text);
});

test("forbidden calls fail a task", async () => {
  const { judgement } = await attempt([
    find,
    { calls: [["delete_pet", { petId: "pet_1" }]] },
    book,
    end,
  ]);
  expect(judgement).toMatchObject({ isDone: false, violations: ["delete_pet"] });
});

test("responses and requests of a task replace those of the document", async () => {
  const { tasks } = await run(
    [find, { calls: [["book_visit", { petId: "pet_7", day: "2027-05-03" }]] }, end],
    {
      task: {
        expect: [{ tool: "book_visit", with: { petId: "pet_7" } }],
        given: [{ request: "GET /pets", body: [{ id: "pet_7", name: "Rex" }] }],
        then: [{ request: "POST /visits", body: { petId: "pet_7" }, times: 1 }],
      },
    },
  );
  expect(tasks[0]!.attempts[0]!.judgement).toMatchObject({ isDone: true, wasted: 1 });
  expect(model!.requests[1]!.body.messages.at(-1).content).toContain("pet_7");
});

test("calls through the discovery tools are calls of the tools that they name", async () => {
  const { tasks } = await run(
    [
      { calls: [["search_tools", { query: "book a visit" }]] },
      { calls: [["call_read_tool", { name: "list_pets", arguments: { q: "Rex" } }]] },
      {
        calls: [
          [
            "call_tool",
            { name: "book_visit", arguments: '{"petId": "pet_1", "day": "2027-05-03"}' },
          ],
        ],
      },
      end,
    ],
    { options: { mode: "discovery" } },
  );
  const { judgement, transcript } = tasks[0]!.attempts[0]!;
  expect(judgement).toMatchObject({ isDone: true, wasted: 0 });
  expect(transcript.filter(({ kind }) => kind === "call")).toHaveLength(3);
});

test.each([
  ["claude-code", /^\{"items":\[\{"id":"pet_1"/],
  ["gemini", /pet_1/],
  ["claude.ai", /pet_1/],
] as const)("%s passes results on in its form", async (host, form) => {
  await attempt([find, end], { options: { host } });
  expect(model!.requests[1]!.body.messages.at(-1).content).toMatch(form);
});

test.each<[host: Host, shown: string]>([
  ["claude-code", '{"id":1}'],
  ["codex", '{"id":1}'],
  ["vscode", '{"id":1}'],
  ["gemini", "One pet: 1"],
  ["opencode", "One pet: 1"],
  ["claude.ai", 'One pet: 1\n{"id":1}'],
  ["chatgpt", 'One pet: 1\n{"id":1}'],
])("%s shows %s", (host, shown) => {
  const result = { isError: false, text: "One pet: 1", structured: { id: 1 } };
  expect(formatResult(result, host)).toBe(shown);
  expect(formatResult({ ...result, isError: true }, host)).toBe("One pet: 1");
});

test.each<[string, readonly Turn[], Partial<AgentOptions>, string]>([
  [
    "turns",
    [find, find, find],
    { limits: { turns: 2, tokens: 1e6 } },
    "The limit of 2 turns was reached",
  ],
  [
    "tokens",
    [{ ...find, tokens: [900, 200] }, find],
    { limits: { turns: 9, tokens: 1000 } },
    "The limit of 1000 tokens was reached",
  ],
])("an attempt ends at its limit of %s", async (_, turns, options, reason) => {
  const { stopped, answer } = await attempt(turns, { options });
  expect({ stopped, answer }).toEqual({ stopped: reason, answer: undefined });
});

test("a run ends at its limit of money", async () => {
  const { tasks, stopped } = await run([find, book, end, find, book, end], {
    options: {
      repeat: 5,
      prices: { input: 1000, output: 5000 },
      limits: { turns: 6, tokens: 1e6, cost: 0.4 },
    },
  });
  // 300 tokens read and 30 written cost 0.45.
  expect({ attempts: tasks[0]!.attempts.length, stopped }).toEqual({
    attempts: 1,
    stopped: "The limit of 0.4 was spent",
  });
});

test("passing faults of the model's API are tried again", async () => {
  const { judgement } = await attempt([
    { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } },
    { status: 529, body: { error: { message: "overloaded" } } },
    find,
    book,
    end,
  ]);
  expect(judgement.isDone).toBe(true);
  expect(model!.requests).toHaveLength(5);
});

test.each<[string, Turn, string]>([
  [
    "a refusal",
    { status: 401, body: { error: { message: "Wrong key sk-secret" } } },
    "responded with 401: Wrong key [key]",
  ],
  ["another form", { status: 200, body: { ok: 1 } }, "The response has no choices[0].message"],
  ["text in place of JSON", { status: 200, body: "<html>" }, "The response has no choices"],
])("%s ends an attempt with one sentence", async (_, turn, sentence) => {
  const { stopped } = await attempt([turn], { key: "sk-secret" });
  expect(stopped).toContain(sentence);
  expect(model!.requests).toHaveLength(1);
});

test("a refusal of the first request ends the run, and the task is not done", async () => {
  const { tasks, stopped } = await run([{ status: 401 }], { options: { repeat: 3 } });
  expect(stopped).toContain("responded with 401");
  expect(tasks[0]!.attempts.map(({ judgement }) => judgement.isDone)).toEqual([false]);
  expect(model!.requests).toHaveLength(1);
});

test("a fault that lasts ends the run after five tries", async () => {
  const down = { status: 503, headers: { "retry-after": "0" } };
  const { stopped } = await attempt([down, down, down, down, down, down]);
  expect(stopped).toMatch(/responded with 503 after 5 tries/);
  expect(model!.requests).toHaveLength(5);
});

test("a key does not follow a redirect", async () => {
  const other = await startModel("openai", [end]);
  try {
    const away = { status: 307, headers: { location: `${other.url}/chat/completions` } };
    const { stopped } = await attempt([away, away, away, away, away], { key: "sk-secret" });
    expect(stopped).toContain("cannot be reached");
    expect(other.requests).toEqual([]);
  } finally {
    await other.close();
  }
});
