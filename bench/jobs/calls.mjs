#!/usr/bin/env node
/**
 * Counts the calls and the tokens of a model for tasks that take time or destroy something, with
 * and without the server's part in them. The model is scripted: it calls what the last result
 * names, at once; tokens are those of its calls and of their results. It measures no times.
 *
 * node bench/jobs/calls.mjs
 *
 * Needs a build.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { buildOurs } from "../servers.mjs";
import { startServer } from "../stdio-client.mjs";

/** Reports at their end. */
const ready = { status: "ready", url: "https://files.example/r7.pdf" };
const failed = { status: "failed", error: "The account has no sales in 2025." };

const text = { type: "string" };
const states = { type: "string", enum: ["queued", "running", "ready", "failed"] };
const report = {
  type: "object",
  properties: { id: text, kind: text, status: states, url: text, error: text },
};
const ok = (status) => ({
  [status]: { description: "ok", content: { "application/json": { schema: report } } },
});
const reportId = [{ name: "reportId", in: "path", required: true, schema: text }];
const kind = { schema: { type: "object", required: ["kind"], properties: { kind: text } } };
const document = {
  openapi: "3.1.0",
  info: { title: "Reports", version: "1" },
  paths: {
    "/reports": {
      post: {
        operationId: "createReport",
        summary: "Create a report",
        requestBody: { required: true, content: { "application/json": kind } },
        responses: ok("202"),
      },
    },
    "/reports/{reportId}": {
      get: {
        operationId: "getReport",
        summary: "Get a report",
        parameters: reportId,
        responses: ok("200"),
      },
      delete: {
        operationId: "deleteReport",
        summary: "Delete a report",
        parameters: reportId,
        responses: { 204: { description: "Deleted" } },
      },
    },
  },
};

/**
 * An API whose reports end at a read, the third one unless stated, and can be read every second.
 * @param end fields of the report at its end
 */
async function startApi({ readCount = 3, end = ready }) {
  const reads = new Map();
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const id = request.url.split("/").at(-1);
      const count = (reads.get(id) ?? 0) + (request.method === "GET" ? 1 : 0);
      reads.set(id, count);
      const state = count === 0 ? { status: "queued" } : { status: "running" };
      const headers = { "content-type": "application/json", "retry-after": "1" };
      response.writeHead(request.method === "DELETE" ? 204 : 200, headers);
      const body = { id: "r7", kind: "sales", ...(count < readCount ? state : end) };
      response.end(request.method === "DELETE" ? "" : JSON.stringify(body));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

/** `_meta` of a request of 2026-07-28. */
const metaOf = (capabilities) => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, ...capabilities },
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  },
});
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const yes = { approval: { action: "accept", content: { confirm: true } } };
const no = { approval: { action: "decline" } };

/**
 * Calls tools one after the other, and counts what the model writes and reads. Its client answers
 * questions, and follows tasks.
 */
async function run(server, { first, next, answer = yes, capabilities }) {
  const counts = { calls: 0, tokens: 0, questions: 0, taskReads: 0 };
  const meta = metaOf(capabilities);
  for (let call = first; call;) {
    const params = { ...call, ...meta };
    let result = await server.request("tools/call", params);
    if (result.resultType === "input_required") {
      counts.questions++;
      const { requestState } = result;
      const given = { requestState, inputResponses: answer };
      result = await server.request("tools/call", { ...params, ...given });
    }
    if (result.resultType === "task") result = await followTask(server, result, meta, counts);
    const shown = result.content.map((block) => block.text ?? "").join("\n");
    counts.calls++;
    counts.tokens += encode(JSON.stringify(call)).length + encode(shown).length;
    call = next(call, shown);
  }
  return counts;
}

/** Reads a task until it has a result, as the client of a host does. */
async function followTask(server, { taskId, pollIntervalMs }, meta, counts) {
  for (;;) {
    await setTimeout(pollIntervalMs);
    counts.taskReads++;
    const task = await server.request("tasks/get", { taskId, ...meta });
    if (task.status !== "working") return task.result;
  }
}

/** Starts a report, and reads it until it has ended. */
const job = {
  first: { name: "create_report", arguments: { kind: "sales" } },
  next: (_, shown) =>
    /"(?:ready|failed)"/.test(shown)
      ? undefined
      : { name: "get_report", arguments: { reportId: "r7" } },
};
const removal = { name: "delete_report", arguments: { reportId: "r7" } };
/** Deletes a report that the user sees before: by the server's question, or by the model's read. */
const askedByServer = { first: removal, next: () => undefined };
const askedByModel = {
  first: { name: "get_report", arguments: { reportId: "r7" } },
  next: ({ name }) => (name === "get_report" ? removal : undefined),
};

const file = path.join(mkdtempSync(path.join(tmpdir(), "mcp-gen-jobs-")), "reports.json");
writeFileSync(file, JSON.stringify(document));
const bundle = buildOurs(file, "--features", "approvals");
const alone = { REPORTS_JOB_WAIT: "0" };
const [asking, silent] = [{ REPORTS_APPROVALS: "ask" }, { REPORTS_APPROVALS: "off" }];
/** Task, what the model does, environment of the server, and the API. */
const rows = [
  ["job, the server waits", job, {}],
  ["job, the model reads the state", job, alone],
  ["job, a client that declares tasks", { ...job, capabilities: tasks }, {}],
  ["job that fails, the server waits", job, {}, { end: failed }],
  ["job that fails, the model reads the state", job, alone, { end: failed }],
  ["job of 6 s, the server waits 3 s", job, { REPORTS_JOB_WAIT: "3" }, { readCount: 6 }],
  ["job of 6 s, the model reads the state", job, alone, { readCount: 6 }],
  ["deletion, the server asks", askedByServer, asking],
  ["deletion, the model reads the thing and asks", askedByModel, silent],
  ["deletion declined, the server asks", { ...askedByServer, answer: no }, asking],
  ["deletion declined, the model asks", { ...askedByModel, next: () => undefined }, silent],
];
const table = [];
for (const [task, model, env, behavior = {}] of rows) {
  const api = await startApi(behavior);
  const server = startServer([bundle], { REPORTS_BASE_URL: api.url, ...env });
  table.push({ task, ...(await run(server, model)) });
  await server.close();
  api.server.close();
}
console.table(table);
process.exit(0);
