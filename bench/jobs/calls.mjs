#!/usr/bin/env node
/**
 * Counts the calls and the tokens of a model for tasks that take time or destroy something, with
 * and without the server's part in them. The model is scripted: it calls what the last result names,
 * at once; tokens are those of its calls and of their results. It measures no times.
 *
 * node bench/jobs/calls.mjs
 *
 * Needs a build.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { buildOurs } from "../servers.mjs";
import { startServer } from "../stdio-client.mjs";

const text = { type: "string" };
const states = { type: "string", enum: ["queued", "running", "ready", "failed"] };
const report = { type: "object", properties: { id: text, kind: text, status: states, url: text } };
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

/** Reads after which work is done: three seconds of an API that is read after 1 and 2 seconds. */
const READS = 3;

/** An API whose reports are ready at their third read. */
async function startApi() {
  const reads = new Map();
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const id = request.url.split("/").at(-1);
      const count = (reads.get(id) ?? 0) + (request.method === "GET" ? 1 : 0);
      reads.set(id, count);
      const status = count === 0 ? "queued" : count < READS ? "running" : "ready";
      const url = status === "ready" && { url: "https://files.example/r7.pdf" };
      const headers = { "content-type": "application/json", "retry-after": "1" };
      response.writeHead(request.method === "DELETE" ? 204 : 200, headers);
      const body = { id: "r7", kind: "sales", status, ...url };
      response.end(request.method === "DELETE" ? "" : JSON.stringify(body));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

const meta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  },
};
const yes = { approval: { action: "accept", content: { confirm: true } } };

/** Calls tools one after the other, and counts what the model writes and reads. */
async function run(server, first, next) {
  const counts = { calls: 0, tokens: 0, questions: 0 };
  for (let call = first; call;) {
    const params = { ...call, ...meta };
    let result = await server.request("tools/call", params);
    if (result.resultType === "input_required") {
      counts.questions++;
      const { requestState } = result;
      result = await server.request("tools/call", { ...params, requestState, inputResponses: yes });
    }
    const shown = result.content.map((block) => block.text ?? "").join("\n");
    counts.calls++;
    counts.tokens += encode(JSON.stringify(call)).length + encode(shown).length;
    call = next(call, shown);
  }
  return counts;
}

/** Starts a report, and reads it until it is ready. */
const job = {
  first: { name: "create_report", arguments: { kind: "sales" } },
  next: (_, shown) =>
    shown.includes('"ready"') ? undefined : { name: "get_report", arguments: { reportId: "r7" } },
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
const bundle = buildOurs(file);
const rows = [
  ["job, the server waits", job, {}],
  ["job, the model reads the state", job, { REPORTS_JOB_WAIT: "0" }],
  ["deletion, the server asks", askedByServer, { REPORTS_APPROVALS: "ask" }],
  ["deletion, the model reads the thing and asks", askedByModel, { REPORTS_APPROVALS: "off" }],
];
const table = [];
for (const [task, { first, next }, env] of rows) {
  const api = await startApi();
  const server = startServer([bundle], { REPORTS_BASE_URL: api.url, ...env });
  table.push({ task, ...(await run(server, first, next)) });
  await server.close();
  api.server.close();
}
console.table(table);
process.exit(0);
