import { afterEach, describe, expect, test } from "vitest";
import type { JobMapping } from "../../../src/runtime/types.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { type Answer, reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const report = { type: "object", properties: { id: text, status: text, url: text } } as const;
const reader = toolOf({
  name: "get_report",
  send: { path: "/reports/{id}", pathParams: { id: "reportId" } },
  properties: { reportId: text },
  required: ["reportId"],
  outputSchema: report,
});

const reports: JobMapping = {
  started: "status",
  state: "status",
  running: ["queued", "running"],
  done: ["ready"],
  failed: ["failed"],
  follow: { tool: "get_report", inputs: {}, fields: { reportId: "id" } },
};

function creator(job: JobMapping) {
  const tool = toolOf({
    name: "create_report",
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    send: { method: "POST", path: "/reports" },
    outputSchema: report,
  });
  return { ...tool, operations: tool.operations.map((operation) => ({ ...operation, job })) };
}

/** An answer whose next read may come at once. */
const soon = (status: number, body: object): Answer =>
  reply(status, body, { "retry-after": "0", "content-type": "application/json" });
const queued = { id: "r7", status: "queued" };
const running = { id: "r7", status: "running" };
const ready = { id: "r7", status: "ready", url: "https://files.example/r7" };

/** Answers a POST, and the GETs after it in turn, the last one again and again. */
const inTurn =
  (write: Answer, ...reads: readonly Answer[]): Answer =>
  (response, request, count) =>
    (request.method === "GET" ? (reads[count - 1] ?? reads.at(-1)!) : write)(
      response,
      request,
      count,
    );

interface Options {
  readonly env: Record<string, string>;
  readonly others: readonly ReturnType<typeof toolOf>[];
  readonly job: JobMapping;
  readonly signal: AbortSignal;
}

async function create(
  answer: Answer,
  { env = {}, others = [reader], job = reports, signal }: Partial<Options> = {},
) {
  upstream = await startUpstream(answer);
  const messages: string[] = [];
  const progress = (message: string): void => void messages.push(message);
  const context = { progress, ...(signal && { signal }) };
  const result = await call(
    creator(job),
    {},
    { env: { CLINIC_BASE_URL: upstream.url, ...env }, others, context },
  );
  const sent = upstream.requests.map(({ method, url }) => `${method} ${url}`);
  const structured = result.structuredContent as Record<string, unknown> | undefined;
  return { result, sent, structured, messages, text: textOf(result) };
}

describe("work that is done", () => {
  test("is returned by the call that started it", async () => {
    const answer = inTurn(soon(202, queued), soon(200, running), soon(200, ready));
    const { result, sent, structured, text: shown, messages } = await create(answer);
    expect(sent).toEqual(["POST /reports", "GET /reports/r7", "GET /reports/r7"]);
    expect(result.isError).toBeUndefined();
    expect(structured).toMatchObject(ready);
    expect(shown).toContain(ready.url);
    expect(shown).toMatch(/Done after \d+ s: status is "ready"\./);
    expect(structured?.["notes"]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Done after/)]),
    );
    expect(messages).toEqual([
      expect.stringMatching(/^Waiting for the result, 1 s: status is "queued"$/),
      expect.stringMatching(/^Waiting for the result, 1 s: status is "running"$/),
    ]);
    expect(JSON.stringify(result._meta)).toContain("/reports/r7");
  });

  test("is that of the thing in the path, if the write returns nothing", async () => {
    const { started: _, ...states } = reports;
    const follow = { tool: "get_report", inputs: { reportId: "reportId" }, fields: {} };
    const tool = toolOf({
      name: "rebuild_report",
      annotations: { ...creator(reports).annotations },
      send: { method: "POST", path: "/reports/{id}/rebuild", pathParams: { id: "reportId" } },
      properties: { reportId: text },
      required: ["reportId"],
    });
    const operations = tool.operations.map((one) => ({ ...one, job: { ...states, follow } }));
    upstream = await startUpstream(
      inTurn(
        (response) => void response.writeHead(202, { "retry-after": "0" }).end(),
        soon(200, running),
        soon(200, ready),
      ),
    );
    const env = { CLINIC_BASE_URL: upstream.url };
    const result = await call(
      { ...tool, operations },
      { reportId: "r7" },
      { env, others: [reader] },
    );
    expect(upstream.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /reports/r7/rebuild",
      "GET /reports/r7",
      "GET /reports/r7",
    ]);
    expect(textOf(result)).toContain(ready.url);
    expect(textOf(result)).toMatch(/Done after \d+ s: status is "ready"\./);
  });

  test("is added to a response that has more", async () => {
    const first = { ...queued, password: "once" };
    const { structured, text: shown } = await create(inTurn(soon(202, first), soon(200, ready)));
    expect(structured).toMatchObject({ ...first, current: ready });
    expect(shown).toContain(JSON.stringify({ current: ready }));
  });

  test("is not waited for where it is done already", async () => {
    const { sent, structured } = await create(soon(201, ready));
    expect(sent).toEqual(["POST /reports"]);
    expect(structured).toEqual(ready);
  });
});

describe("work that failed is an error", () => {
  test.each<readonly [name: string, body: object, message: string]>([
    ["with a text", { error_message: "Out of memory." }, "Out of memory."],
    ["with an object", { error: { message: "No such table." } }, "No such table."],
    ["with a reason", { failureReason: "quota exceeded" }, "quota exceeded"],
    ["beside empty lists", { gres_detail: [], reason: "NonZeroExit" }, "NonZeroExit"],
    ["with a short name", { err: "Hash mismatch", err_count: 2 }, "Hash mismatch"],
  ])("%s", async (_, reason, message) => {
    const failed = { id: "r7", status: "failed", ...reason };
    const {
      result,
      structured,
      text: shown,
    } = await create(inTurn(soon(202, queued), soon(200, failed)));
    expect(result.isError).toBe(true);
    const sentence = `create_report was accepted, but its work failed: status is "failed". The API says: ${message}`;
    expect(shown.startsWith(sentence)).toBe(true);
    expect(structured).toMatchObject({ ...failed, notes: expect.arrayContaining([sentence]) });
  });
});

describe("work that goes on", () => {
  test("names the call that follows it", async () => {
    const answer = inTurn(soon(202, queued), soon(200, running));
    const {
      result,
      structured,
      text: shown,
    } = await create(answer, {
      env: { CLINIC_JOB_WAIT: "1" },
    });
    expect(result.isError).toBeUndefined();
    expect(structured).toMatchObject(running);
    const next = 'Call get_report with reportId "r7" in about 5 s';
    expect(shown).toContain(next);
    expect(JSON.stringify(structured?.["notes"])).toContain(JSON.stringify(next).slice(1, -1));
  });

  test("is returned at once where the API wants a later read than the call may wait", async () => {
    const later = reply(202, queued, { "retry-after": "120" });
    const { sent, text: shown } = await create(later);
    expect(sent).toEqual(["POST /reports"]);
    expect(shown).toContain('Call get_report with reportId "r7" in about 120 s');
  });

  test("is not waited for if the setting is 0", async () => {
    const { sent, text: shown } = await create(soon(202, queued), {
      env: { CLINIC_JOB_WAIT: "0" },
    });
    expect(sent).toEqual(["POST /reports"]);
    expect(shown).toContain("Call get_report");
  });

  test("is not mentioned if the server lacks the tool that reads it", async () => {
    const { sent, text: shown } = await create(soon(202, queued), { others: [] });
    expect(sent).toEqual(["POST /reports"]);
    expect(shown).not.toContain("get_report");
  });
});

test.each<readonly [name: string, read: Answer, note: string]>([
  [
    "a status",
    reply(500, { message: "broken" }, { "retry-after": "0" }),
    ': get_report returned 500. Call get_report with reportId "r7" in about 5 s, and do not call create_report again for it.',
  ],
  [
    "a page",
    reply(200, "<html>sign in</html>", { "content-type": "text/html" }),
    ': get_report returned no state. Call get_report with reportId "r7" in about 5 s, and do not call create_report again for it.',
  ],
  [
    "work that the API has forgotten",
    soon(404, { message: "no such report" }),
    ': status is "queued". get_report returned 404: the API has forgotten it. Read what create_report changes before you call it again.',
  ],
])("a failure of a read is not one of the call: %s", async (_, read, note) => {
  const { result, structured } = await create(inTurn(soon(202, queued), read), {
    env: { CLINIC_JOB_WAIT: "8" },
  });
  expect(result.isError).toBeUndefined();
  expect(structured).toMatchObject(queued);
  const [said] = structured?.["notes"] as readonly string[];
  expect(said).toMatch(/^Not known to be done after \d+ s/);
  expect(said?.endsWith(note), said).toBe(true);
});

test("a read that fails once is repeated", async () => {
  const broken = reply(503, { message: "busy" }, { "retry-after": "0" });
  const { structured } = await create(inTurn(soon(202, queued), broken, soon(200, ready)));
  expect(structured).toMatchObject(ready);
});

test("a read that answers 202 until the work is done needs no state", async () => {
  const { state, follow } = reports;
  const result = { rows: [1, 2] };
  const answer = inTurn(soon(202, { id: "r7" }), soon(202, {}), soon(200, result));
  const job = { state, isAccepted: true as const, follow };
  const { sent, structured, text: shown } = await create(answer, { job });
  expect(sent).toHaveLength(3);
  expect(structured).toMatchObject({ current: result });
  expect(shown).toMatch(/Done after \d+ s\./);
});

test("a state that no stage has ends the wait, and is quoted", async () => {
  const held = { id: "r7", status: "needs_review" };
  const {
    result,
    structured,
    text: shown,
  } = await create(inTurn(soon(202, queued), soon(200, held)));
  expect(result.isError).toBeUndefined();
  expect(structured).toMatchObject(held);
  expect(shown).toContain('status is "needs_review"');
  expect(shown).not.toContain("Done");
});

test("a cancelled call stops reading", async () => {
  const controller = new AbortController();
  const read: Answer = (response, request, count) => {
    controller.abort();
    soon(200, running)(response, request, count);
  };
  const { sent } = await create(inTurn(soon(202, queued), read), { signal: controller.signal });
  expect(sent).toEqual(["POST /reports", "GET /reports/r7"]);
});

describe("the state is read", () => {
  const follow = reports.follow;
  const failed = [
    "from a flag, beside an error",
    { state: "done", running: [false], done: [true], follow },
    { id: "r7" },
    { id: "r7", done: true, error: { message: "No." } },
    true,
  ] as const;
  type Case = readonly [
    name: string,
    job: JobMapping,
    first: object,
    last: object,
    isError: boolean,
  ];
  test.each<Case>([
    [
      "by words, without a list",
      { state: "status", started: "status", follow },
      queued,
      { id: "r7", status: "SUCCEEDED" },
      false,
    ],
    [
      "under another name, where the document has none",
      { state: "status", follow },
      { id: "r7" },
      { id: "r7", jobState: "SUCCEEDED" },
      false,
    ],
    [
      "by lists, and any other state is running",
      { state: "status", done: ["ready"], follow },
      { id: "r7" },
      ready,
      false,
    ],
    [
      "from a flag",
      { state: "done", running: [false], done: [true], follow },
      { id: "r7" },
      { id: "r7", done: true },
      false,
    ],
    failed,
    [
      "inside a list of one",
      {
        ...reports,
        started: ["jobs", "status"],
        state: ["jobs", "status"],
        follow: { ...follow, fields: { reportId: ["jobs", "id"] } },
      },
      { jobs: [queued] },
      { jobs: [ready] },
      false,
    ],
    [
      "at a position of a list",
      {
        ...reports,
        started: ["jobs", "1", "status"],
        state: ["jobs", "1", "status"],
        follow: { ...follow, fields: { reportId: ["jobs", "1", "id"] } },
      },
      { jobs: [{ id: "r6", status: "ready" }, queued] },
      { jobs: [running, ready] },
      false,
    ],
    [
      "inside an object",
      {
        ...reports,
        started: ["job", "status"],
        state: ["job", "status"],
        follow: { ...follow, fields: { reportId: ["job", "id"] } },
      },
      { job: queued },
      { job: ready },
      false,
    ],
  ])("%s", async (_, job, first, last, isError) => {
    const { result, structured } = await create(inTurn(soon(202, first), soon(200, last)), { job });
    expect(result.isError ?? false).toBe(isError);
    expect(structured).toMatchObject(last);
  });
});

describe("work at a URL of the response", () => {
  const accepted = (
    headers: Record<string, string>,
    body: object | string = "",
    status = 202,
  ): Answer =>
    reply(status, body, { "retry-after": "0", "content-type": "application/json", ...headers });
  /** A write that may name the URL of its work, below a base path. */
  async function start(
    answer: Answer,
    env = {},
    others: Options["others"] = [reader],
    planned?: JobMapping,
  ) {
    upstream = await startUpstream(answer);
    const { operations, ...tool } = creator(reports);
    const located = operations.map(({ job: _, ...operation }) => ({
      ...operation,
      ...(planned && { job: planned }),
      jobLocation: {
        readers: ["get_other", "get_report"],
        states: { get_report: ["metadata", "status"] },
        field: "statusUrl",
      },
    }));
    const result = await call(
      { ...tool, operations: located },
      {},
      { env: { CLINIC_BASE_URL: `${upstream.url}/v1`, CLINIC_TOKEN: "t0ken", ...env }, others },
    );
    return {
      result,
      text: textOf(result),
      structured: result.structuredContent as Record<string, unknown> | undefined,
      sent: upstream.requests.map(({ method, url }) => `${method} ${url}`),
    };
  }

  test.each([
    [
      "the ID of the response is that of another thing",
      "/v1/reports/r7",
      "/v1/reports/r7",
      "ready",
    ],
    [
      "a URL of something else says nothing about the ID",
      "/v1/reports/r8",
      "/v1/drafts/r7",
      "done",
    ],
  ])("%s", async (_, location, path, last) => {
    const draft = toolOf({
      name: "get_draft",
      send: { path: "/drafts/{id}", pathParams: { id: "draftId" } },
      properties: { draftId: text },
      outputSchema: report,
    });
    const follow = { tool: "get_draft", inputs: {}, fields: { draftId: "id" } };
    const answer: Answer = (response, request, count) => {
      const isRead = request.method === "GET";
      const isDraft = request.url.includes("drafts");
      const read =
        isDraft && last === "ready" ? soon(404, {}) : soon(200, { ...ready, status: last });
      (isRead ? read : reply(202, queued, { location, "content-type": "application/json" }))(
        response,
        request,
        count,
      );
    };
    const job = { ...reports, follow, done: ["done"] };
    const { sent, structured } = await start(answer, {}, [reader, draft], job);
    expect(sent).toEqual(["POST /v1/reports", `GET ${path}`]);
    expect(structured).toMatchObject({ status: last });
  });
  const done = soon(200, { status: "succeeded", url: "https://files.example/r7" });

  test.each<[string, Answer, readonly string[]]>([
    ["Location of 202", accepted({ location: "/v1/reports/r7" }), ["/v1/reports/r7"]],
    ["relative", accepted({ location: "reports/r7?api=2" }), ["/v1/reports/r7?api=2"]],
    ["outside of the base path", accepted({ location: "/jobs/7" }), ["/jobs/7"]],
    [
      "Operation-Location, and then its result",
      accepted({ "operation-location": "/v1/operations/7", location: "/v1/files/7" }, "", 201),
      ["/v1/operations/7", "/v1/files/7"],
    ],
    [
      "Location of 201 with a state",
      accepted({ location: "/v1/jobs/7" }, running, 201),
      ["/v1/jobs/7"],
    ],
    ["a field of the response", soon(200, { statusUrl: "/v1/jobs/7" }), ["/v1/jobs/7"]],
    [
      "a field beside a state that goes on",
      soon(201, { statusUrl: "jobs/7", ...running }),
      ["/v1/jobs/7"],
    ],
  ])("is followed: %s", async (_, write, paths) => {
    const { sent, structured, text: shown } = await start(inTurn(write, done));
    expect(sent).toEqual(["POST /v1/reports", ...paths.map((path) => `GET ${path}`)]);
    expect(structured?.["current"] ?? structured).toMatchObject({ status: "succeeded" });
    expect(shown).toMatch(/Done after \d+ s: status is "succeeded"\./);
    expect(upstream.requests.map(({ headers }) => headers["authorization"])).toEqual(
      sent.map(() => upstream.requests[0]!.headers["authorization"]),
    );
  });

  test.each<[string, string, object, object]>([
    [
      "the place that the document has",
      "/v1/reports/r7",
      { status: "Success", metadata: { status: "Running" } },
      { status: "Success", metadata: { status: "Failure", err: "Disk full." } },
    ],
    [
      "what the envelope of an undocumented URL has",
      "/jobs/7",
      { status: "success", data: { status: "running" } },
      { status: "success", data: { status: "failed", error: { message: "Disk full." } } },
    ],
  ])("the state is that of %s", async (_, location, first, last) => {
    const answer = inTurn(accepted({ location }), soon(200, first), soon(200, last));
    const { sent, result, text: shown } = await start(answer);
    expect(sent).toEqual(["POST /v1/reports", `GET ${location}`, `GET ${location}`]);
    expect(result.isError).toBe(true);
    expect(shown).toContain("The API says: Disk full.");
  });

  test.each<[string, Answer]>([
    ["another origin", accepted({ location: "http://127.0.0.2:1/jobs/7" })],
    ["the origin as the host of another", accepted({ location: "//other.example/jobs/7" })],
    ["another scheme", accepted({ location: "file:///etc/passwd" })],
    ["a user in the URL", accepted({ location: "http://a:b@127.0.0.1/jobs/7" })],
    [
      "Location of a thing that was created",
      accepted({ location: "/v1/reports/r7" }, { id: "r7" }, 201),
    ],
    ["none", accepted({})],
    ["a field of another origin", soon(200, { statusUrl: "http://127.0.0.2:1/jobs/7" })],
    ["a field beside a state at its end", soon(200, { statusUrl: "/v1/jobs/7", ...ready })],
  ])("is not followed: %s", async (_, write) => {
    const { sent, result } = await start(inTurn(write, done));
    expect(sent).toEqual(["POST /v1/reports"]);
    expect(result.isError).toBeUndefined();
  });

  test("goes on while the API answers 202, and returns what comes then", async () => {
    const still = accepted({ location: "/v1/reports/r7" });
    const { sent, text: shown } = await start(
      inTurn(still, still, soon(200, { id: "r7", url: "u" })),
    );
    expect(sent).toHaveLength(3);
    expect(shown).toContain('"current":{"id":"r7","url":"u"}');
    expect(shown).toMatch(/Done after/);
  });

  test.each<[string, string, Options["others"], string, Record<string, string>?]>([
    ["the tool", "/v1/reports/r7", [reader], 'Call get_report with reportId "r7" in about'],
    [
      "send_request",
      "/v1/jobs/7?a=1",
      [],
      'Call send_request with method "GET" and path "/jobs/7?a=1"',
      { CLINIC_RAW_REQUESTS: "true" },
    ],
    ["its path", "/jobs/7", [], "Send GET /jobs/7 in about"],
  ])("that still goes on is followed with %s", async (_, location, others, want, env = {}) => {
    const still = accepted({ location, "retry-after": "60" });
    const { text: shown, result } = await start(inTurn(still, still), env, others);
    expect(shown).toContain(want);
    expect(result.isError).toBeUndefined();
  });

  test("that failed is an error", async () => {
    const failed = soon(200, { status: "Failed", error: { message: "Disk full." } });
    const write = accepted({ "operation-location": "/v1/operations/7" });
    for (const one of [write, soon(200, { statusUrl: "/v1/operations/7" })]) {
      const { result, text: shown } = await start(inTurn(one, failed));
      expect(result.isError).toBe(true);
      expect(shown).toContain("The API says: Disk full.");
      await upstream.close();
    }
  });
});
