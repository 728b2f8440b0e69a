import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation, Response } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, codesOf, json, ok, operation, parameter } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const states = (...values: string[]): JsonSchema => ({ type: "string", enum: values });
const thing = (status: JsonSchema, rest: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: "object",
  properties: { id: text, status, ...rest },
});
const WORK = states("queued", "running", "succeeded", "failed");
const SETUP = states("creating", "active", "error", "deleting");
const IMPORTED = states("queued", "importing", "creating", "active", "killed", "failed");
const empty: Response = { status: "204", description: "Done", contents: [], headers: [] };
const job = thing(WORK);
const get = (path: string, schema: JsonSchema) =>
  operation(`GET ${path}`, { responses: [ok(schema)] });
const write = (at: string, schema: JsonSchema, rest: Partial<Operation> = {}) =>
  operation(at, { responses: [ok(schema)], ...rest });

const accepted = (schema: JsonSchema): Response => ({ ...ok(schema), status: "202" });
const azure = {
  type: "object",
  properties: {
    id: text,
    properties: {
      type: "object",
      properties: { provisioningState: states("Creating", "Deleting", "Succeeded", "Failed") },
    },
  },
} satisfies JsonSchema;
const cache: JsonSchema = {
  type: "object",
  properties: { cache: { type: "object", properties: { ttl: text, status: SETUP } } },
};
const operationByName: JsonSchema = {
  type: "object",
  properties: { name: text, done: { type: "boolean" }, error: { type: "object" } },
};
const plugin: JsonSchema = {
  type: "object",
  properties: { pluginArn: text, pluginState: SETUP },
};
const sid = (status: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { sid: text, status },
});
const sidOf = (name: string, status: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { [name]: text, status },
});
const ACTIVATED = states("ACTIVE", "ACTIVATING", "INACTIVE", "FAILED");
const SENT = states("success", "error", "delayed", "sent", "created");
const NOTHING: Response = { status: "202", description: "Accepted", contents: [], headers: [] };
const run: JsonSchema = {
  type: "object",
  properties: { dag_id: text, run_id: text, state: WORK },
};
const numbers: JsonSchema = {
  type: "integer",
  description: "State: 0 = idle, 1 = running, 2 = succeeded, 3 = failed",
};
const provisioned: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    properties: {
      type: "object",
      properties: { provisioningState: states("Accepted", "Succeeded", "Failed") },
    },
  },
};
const jsonApi: JsonSchema = {
  type: "object",
  properties: {
    data: {
      type: "object",
      properties: { id: text, attributes: { type: "object", properties: { status: WORK } } },
    },
  },
};
const NAMES = ["JOB_RUNNING", "JOB_SUCCEEDED", "JOB_FAILED"];
const cluster: JsonSchema = {
  type: "object",
  properties: {
    name: text,
    status: {
      type: "object",
      properties: {
        aggregated: states("STATE_CREATING", "STATE_ACTIVE", "STATE_FAILED"),
        version: text,
      },
    },
  },
};
const provisioning: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    properties: { type: "object", properties: { provisioningState: text } },
  },
};
const version: JsonSchema = {
  type: "object",
  properties: { keyId: text, number: { type: "integer" }, state: states("creating", "active") },
};
const RUN = states("pending", "running", "completed", "stopping", "stopped", "failed");
const SESSION = states(
  "SESSION_UNSPECIFIED",
  "SESSION_CREATING",
  "SESSION_RUNNING",
  "SESSION_STOPPED",
);
const WAITING = states("WaitingForNodes", "WaitingForSharedVolume", "Installing", "Ready");
const index: JsonSchema = { type: "object", properties: { name: text, status: SETUP } };
const evaluation: JsonSchema = {
  type: "object",
  properties: { workflow_id: text, kind: text, status: WORK },
};
const classification = thing(states("running", "completed", "failed"));
const uploaded = thing(WORK, {
  location: { type: "string", description: "Location to which to PUT the file." },
});
const changeRecord: JsonSchema = {
  type: "object",
  properties: { update: { allOf: [thing(WORK), { description: "The change." }] } },
};
const VOLUME = states(
  "creating",
  "attaching",
  "resizing",
  "restoring",
  "downloading",
  "uploading",
  "awaiting-transfer",
  "available",
  "error",
);
const rollout: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    name: text,
    properties: { type: "object", properties: { status: text } },
  },
};
const PHASES: JsonSchema = {
  type: "string",
  description:
    "The phase: PROVISIONING: the network is being made; ACTIVE: it is in use; FAILED: none was made",
};
const device = thing(SETUP);
const STATUS_READER = "get_forecast_status";
const locale = parameter("header locale", { required: true, schema: text });

function jobsOf({ tools }: ToolPlan): Readonly<Record<string, unknown>> {
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  return Object.fromEntries(
    bindings.flatMap(({ request: { method, path }, job: found }) =>
      found ? [[`${method} ${path}`, found]] : [],
    ),
  );
}
const jobOf = (operations: readonly Operation[], at: string) =>
  jobsOf(plan(api(operations)))[at] as Record<string, unknown> | undefined;

describe("work is recognized", () => {
  test("by the states of the thing that a POST creates", () => {
    const operations = [get("/reports/{reportId}", job), write("POST /reports", job)];
    expect(jobOf(operations, "POST /reports")).toEqual({
      started: "status",
      state: "status",
      running: ["queued", "running"],
      done: ["succeeded"],
      failed: ["failed"],
      follow: { tool: "get_report", inputs: {}, fields: { reportId: "id" } },
    });
  });

  test("in the description and the reasons of the tool", () => {
    const { tools } = plan(api([get("/reports/{reportId}", job), write("POST /reports", job)]));
    const tool = tools.find(({ definition }) => definition.name === "create_report")!;
    expect(tool.definition.description).toContain(
      "Waits until the work is done, by default up to 45 s.",
    );
    expect(tool.reasons).toContain(
      "Waits for its work: status of get_report (running: queued, running; done: succeeded; failed: failed).",
    );
  });

  const inJob: JsonSchema = { type: "object", properties: { job } };
  test.each<readonly [name: string, operations: readonly Operation[], at: string, want: object]>([
    [
      "inside an envelope",
      [
        get("/reports/{id}", { type: "object", properties: { report: job } }),
        write("POST /reports", { type: "object", properties: { report: job } }),
      ],
      "POST /reports",
      { state: ["report", "status"], follow: { fields: { id: ["report", "id"] } } },
    ],
    [
      "by a thing that is set up",
      [get("/clusters/{id}", thing(SETUP)), write("POST /clusters", thing(SETUP))],
      "POST /clusters",
      { running: ["creating", "deleting"], done: ["active"], failed: ["error"] },
    ],
    [
      "by a volume with many states, of which a person ends one",
      [get("/volumes/{id}", thing(VOLUME)), write("POST /volumes", thing(VOLUME))],
      "POST /volumes",
      { done: ["available"], failed: ["error"] },
    ],
    [
      "by a state without values among the properties of a rollout",
      [
        get("/rollouts/{rolloutName}", rollout),
        write("POST /rollouts/{rolloutName}/restart", rollout),
      ],
      "POST /rollouts/{rolloutName}/restart",
      { state: ["properties", "status"], follow: { tool: "get_rollout" } },
    ],
    [
      "by a read of its state, beside the path that starts it",
      [
        get("/research/status/{id}", thing(WORK)),
        write("POST /research/start", { type: "object", properties: { id: text } }),
      ],
      "POST /research/start",
      { follow: { tool: "get_research_status", fields: { id: "id" } } },
    ],
    [
      "by a new run of a run",
      [
        get("/runs/{run_id}", { type: "object", properties: { run_id: text, status: WORK } }),
        write("POST /runs/{run_id}/reruns", {
          type: "object",
          properties: { run_id: text, status: WORK },
        }),
      ],
      "POST /runs/{run_id}/reruns",
      { follow: { tool: "get_run", fields: { run_id: "run_id" } } },
    ],
    [
      "by an import whose text lists what holds at once and later",
      [
        get("/images/{id}", thing(IMPORTED)),
        operation("POST /images/{id}/import", {
          responses: [empty],
          description: "Imports data.\n\n**Synchronous Postconditions**\n\nThe image exists.",
        }),
      ],
      "POST /images/{id}/import",
      { state: "status", done: ["active"], follow: { tool: "get_image" } },
    ],
    [
      "by a result that is ready",
      [
        get("/reports/{id}", thing(states("queued", "running", "ready", "failed"))),
        write("POST /reports", thing(states("queued", "running", "ready", "failed"))),
      ],
      "POST /reports",
      { running: ["queued", "running"], done: ["ready"], failed: ["failed"] },
    ],
    [
      "by numbers that the document explains",
      [
        get("/tasks/{id}", thing(numbers)),
        write("PUT /mirrors/{name}", { type: "object", properties: { taskId: text } }),
      ],
      "PUT /mirrors/{name}",
      { running: [0, 1], done: [2], failed: [3], follow: { fields: { id: "taskId" } } },
    ],
    [
      "by an operation that is pending or done",
      [
        get("/operations/{operationId}", thing(states("pending", "done"))),
        write("POST /scripts", { type: "object", properties: { operationId: text } }),
      ],
      "POST /scripts",
      { running: ["pending"], done: ["done"], follow: { fields: { operationId: "operationId" } } },
    ],
    [
      "by a state of provisioning, of a thing that people have too",
      [get("/policies/{name}", provisioned), write("PUT /policies/{name}", provisioned)],
      "PUT /policies/{name}",
      { running: ["Accepted"], done: ["Succeeded"], state: ["properties", "provisioningState"] },
    ],
    [
      "by a state that only machines have, of a thing that people have too",
      [get("/applications/{id}", thing(SETUP)), write("POST /applications", thing(SETUP))],
      "POST /applications",
      { running: ["creating", "deleting"], done: ["active"] },
    ],
    [
      "by the state that a start answers with, read beside the thing",
      [
        get("/streams/{id}", { type: "object", properties: { id: text } }),
        get("/streams/{id}/state", thing(states("started", "stopped", "starting", "stopping"))),
        write("PUT /streams/{id}/start", thing(states("started", "stopped", "starting"))),
      ],
      "PUT /streams/{id}/start",
      { done: ["started"], follow: { tool: "get_stream_state" } },
    ],
    [
      "by states with a common beginning",
      [
        get(
          "/jobs/{id}",
          thing(
            states(
              "STATE_PENDING",
              "STATE_ACTIVE_RUN",
              "STATE_RUNNING",
              "STATE_SUCCEEDED",
              "STATE_ERROR",
            ),
          ),
        ),
        write("POST /jobs", { type: "object", properties: { id: text } }),
      ],
      "POST /jobs",
      {
        running: ["STATE_PENDING", "STATE_RUNNING"],
        done: ["STATE_SUCCEEDED"],
        failed: ["STATE_ERROR"],
      },
    ],
    [
      "by states in a description",
      [
        get(
          "/exports/{id}",
          thing({
            type: "string",
            description: "One of `waiting`, `processing`, `completed`, or `failed`.",
          }),
        ),
        write("POST /exports", { type: "object", properties: { id: text } }),
      ],
      "POST /exports",
      { running: ["waiting", "processing"], done: ["completed"], failed: ["failed"] },
    ],
    [
      "by the ID of a job",
      [
        get("/tasks/{taskUid}", thing(WORK)),
        write("DELETE /indexes/{uid}", {
          type: "object",
          properties: { taskUid: { type: "integer" }, status: WORK },
        }),
      ],
      "DELETE /indexes/{uid}",
      { started: "status", follow: { fields: { taskUid: "taskUid" } } },
    ],
    [
      "by states that go on beside their ends",
      [
        get(
          "/pins/{requestid}",
          sidOf("requestid", states("queued", "pinning", "pinned", "failed")),
        ),
        write("POST /pins", sidOf("requestid", states("queued", "pinning", "pinned", "failed"))),
      ],
      "POST /pins",
      { running: ["queued", "pinning"], done: ["pinned"], failed: ["failed"] },
    ],
    [
      "by an action that a machine was sent",
      [
        get("/machines/{machineId}/actions/{id}", thing(SENT)),
        write("POST /machines/{machineId}/docker/{name}/start", thing(SENT)),
      ],
      "POST /machines/{machineId}/docker/{name}/start",
      { running: ["delayed", "sent", "created"], done: ["success"], failed: ["error"] },
    ],
    [
      "by the thing in the path of a write that returns nothing",
      [
        get("/databases/{id}", thing(states("ACTIVE", "PARKED", "UNPARKING", "CREATING", "ERROR"))),
        operation("POST /databases/{id}/unpark", { responses: [NOTHING] }),
      ],
      "POST /databases/{id}/unpark",
      { done: ["ACTIVE"], follow: { tool: "get_database", inputs: { id: "id" }, fields: {} } },
    ],
    [
      "by the state below the thing in the path, which its POST starts",
      [
        get("/templates/{id}/builds/{build}/status", thing(WORK)),
        operation("POST /templates/{id}/builds/{build}", { responses: [NOTHING] }),
      ],
      "POST /templates/{id}/builds/{build}",
      { done: ["succeeded"], follow: { inputs: { id: "id", build: "build" }, fields: {} } },
    ],
    [
      "by a read of the same path with the ID in its query",
      [
        operation("GET /stores/{store}/dump", {
          parameters: [
            parameter("path store", { schema: text }),
            parameter("query task_id", { required: true, schema: text }),
          ],
          responses: [
            ok({
              type: "object",
              properties: { id: text, done: { type: "boolean" }, error: text },
            }),
          ],
        }),
        operation("POST /stores/{store}/dump", {
          responses: [accepted({ type: "object", properties: { id: text } })],
        }),
      ],
      "POST /stores/{store}/dump",
      { done: [true], follow: { inputs: { store: "store" }, fields: { task_id: "id" } } },
    ],
    [
      "below a parent with another part in its name",
      [
        get("/clusters/{cluster_id}/restores/{restore_id}", job),
        write("POST /clusters/{destination_cluster_id}/restores", job),
      ],
      "POST /clusters/{destination_cluster_id}/restores",
      {
        follow: { inputs: { cluster_id: "destination_cluster_id" }, fields: { restore_id: "id" } },
      },
    ],
    [
      "in an envelope inside an envelope",
      [
        get("/branches/{branch}/jobs/{jobId}", {
          type: "object",
          properties: { job: { type: "object", properties: { summary: sidOf("jobId", WORK) } } },
        }),
        write("POST /branches/{branch}/jobs", {
          type: "object",
          properties: { jobSummary: sidOf("jobId", WORK) },
        }),
      ],
      "POST /branches/{branch}/jobs",
      {
        state: ["job", "summary", "status"],
        follow: { inputs: { branch: "branch" }, fields: { jobId: ["jobSummary", "jobId"] } },
      },
    ],
    [
      "by an ID that the caller chooses",
      [
        get("/models/{modelName}", sidOf("modelName", ACTIVATED)),
        write("POST /models", sidOf("modelArn", ACTIVATED), {
          ...json({ type: "object", properties: { modelName: text }, required: ["modelName"] }),
        }),
      ],
      "POST /models",
      { started: "status", follow: { inputs: { modelName: "modelName" }, fields: {} } },
    ],
    [
      "below a parent that the response names",
      [
        get("/dags/{dag_id}/runs/{run_id}", run),
        write("POST /dags/{dag_id}/runs", run),
        write("POST /assets/{asset_id}/materialize", run),
      ],
      "POST /assets/{asset_id}/materialize",
      { follow: { fields: { dag_id: "dag_id", run_id: "run_id" } } },
    ],
    [
      "by a job beside the thing",
      [
        get("/actions/{id}", { type: "object", properties: { action: job } }),
        write("POST /servers", {
          type: "object",
          properties: { server: thing(states("off", "on")), action: job },
        }),
      ],
      "POST /servers",
      {
        started: ["action", "status"],
        state: ["action", "status"],
        follow: { fields: { id: ["action", "id"] } },
      },
    ],
    [
      "by a job beside the thing, which has an ID of the same name",
      [
        get("/servers/{id}", { type: "object", properties: { server: thing(text) } }),
        get("/actions/{id}", { type: "object", properties: { action: job } }),
        write("POST /servers", {
          type: "object",
          properties: { server: thing(text), action: job },
        }),
      ],
      "POST /servers",
      { follow: { tool: "get_action", fields: { id: ["action", "id"] } } },
    ],
    [
      "by the schema of the job",
      [get("/sites/{site}/jobs/{jobId}", job), write("POST /sites/{site}/restart", job)],
      "POST /sites/{site}/restart",
      { follow: { inputs: { site: "site" }, fields: { jobId: "id" } } },
    ],
    [
      "by a run that can be stopped and completes",
      [get("/experiments/{id}", thing(RUN)), write("POST /experiments", thing(RUN))],
      "POST /experiments",
      { running: ["pending", "running", "stopping"], done: ["completed"] },
    ],
    [
      "by states of machines with a common beginning, of a thing that people have too",
      [get("/sessions/{id}", thing(SESSION)), write("POST /sessions", thing(SESSION))],
      "POST /sessions",
      { running: ["SESSION_CREATING"], done: ["SESSION_RUNNING"], failed: ["SESSION_STOPPED"] },
    ],
    [
      "by another way to create a thing, below its collection",
      [get("/indexes/{name}", index), write("POST /indexes/for-model", index)],
      "POST /indexes/for-model",
      { started: "status", follow: { tool: "get_index", fields: { name: "name" } } },
    ],
    [
      "by states of what waits for machines",
      [get("/clusters/{id}", thing(WAITING)), write("POST /clusters", thing(WAITING))],
      "POST /clusters",
      { running: ["WaitingForNodes", "WaitingForSharedVolume", "Installing"], done: ["Ready"] },
    ],
    [
      "by the only ID that the response and the thing share",
      [get("/evaluations/{id}", evaluation), write("POST /evaluations", evaluation)],
      "POST /evaluations",
      { follow: { fields: { id: "workflow_id" } } },
    ],
    [
      "by a creation that goes on, of a schema that the body has too",
      [
        get("/classifications/{id}", classification),
        write("POST /classifications", classification, {
          ...json(classification),
          description: "Initiates a background classification task.",
        }),
      ],
      "POST /classifications",
      { running: ["running"], done: ["completed"], failed: ["failed"] },
    ],
    [
      "by the undocumented state of a job, beside the object with its result",
      [
        get("/accounts/bulk/{jobId}", {
          type: "object",
          properties: { status: text, accounts: { type: "object", properties: { a: text } } },
        }),
        write("POST /accounts/bulk/", { type: "object", properties: { jobId: text } }),
      ],
      "POST /accounts/bulk/",
      { state: "status", follow: { fields: { jobId: "jobId" } } },
    ],
    [
      "by a thing that is ready for use",
      [
        get("/files/{id}", thing(states("PROCESSING", "READY_FOR_USE", "FAILED"))),
        write("POST /files", thing(states("PROCESSING", "READY_FOR_USE", "FAILED"))),
      ],
      "POST /files",
      { running: ["PROCESSING"], done: ["READY_FOR_USE"], failed: ["FAILED"] },
    ],
    [
      "by a read of a state that the document does not describe, by the name of its ID",
      [
        operation("GET /forecasts/result/{job_id}"),
        operation("GET /forecasts/status/{job_id}"),
        write("POST /forecasts", { type: "object", properties: { jobId: text } }),
      ],
      "POST /forecasts",
      { state: "status", follow: { tool: STATUS_READER, fields: { job_id: "jobId" } } },
    ],
    [
      "by the read that the text names",
      [
        get("/drawings/{drawingId}", thing(WORK)),
        write(
          "POST /plans/{plan}/draw",
          { type: "object", properties: { drawingId: text } },
          { description: "Draws the plan. Poll `GET /drawings/{drawingId}` until it is done." },
        ),
      ],
      "POST /plans/{plan}/draw",
      { done: ["succeeded"], follow: { fields: { drawingId: "drawingId" } } },
    ],
    [
      "by the collection of which the path has the singular",
      [
        get("/exports/{id}", job),
        write("POST /export", { type: "object", properties: { id: text } }),
      ],
      "POST /export",
      { follow: { tool: "get_export", fields: { id: "id" } } },
    ],
    [
      "by the collection before a verb",
      [
        get("/reports/{id}", job),
        write("POST /reports/generate", { type: "object", properties: { id: text } }),
      ],
      "POST /reports/generate",
      { follow: { tool: "get_report", fields: { id: "id" } } },
    ],
    [
      "by a record of work that only actions make, in an envelope with a description",
      [
        get("/clusters/{name}/updates/{updateId}", changeRecord),
        write("POST /clusters/{name}/config/associate", changeRecord),
      ],
      "POST /clusters/{name}/config/associate",
      { follow: { inputs: { name: "name" }, fields: { updateId: ["update", "id"] } } },
    ],
    [
      "by the undocumented state of a thing that is started, beside its result",
      [
        get("/queries/{queryIdentifier}", thing(text, { result: { type: "object" } })),
        write("POST /queries", thing(text), { operationId: "StartQuery" }),
      ],
      "POST /queries",
      { state: "status", follow: { fields: { queryIdentifier: "id" } } },
    ],
    [
      "by a flag of a job",
      [
        get("/operations/{id}", {
          type: "object",
          properties: { id: text, done: { type: "boolean" }, error: { type: "object" } },
        }),
        write("POST /imports", { type: "object", properties: { operationId: text } }),
      ],
      "POST /imports",
      { state: "done", running: [false], done: [true], follow: { fields: { id: "operationId" } } },
    ],
    [
      "in the job of an update",
      [get("/jobs/{id}", job), write("PUT /settings", inJob)],
      "PUT /settings",
      { follow: { fields: { id: ["job", "id"] } } },
    ],
    [
      "at its own path, which a PUT creates",
      [get("/zones/{zone}", azure), write("PUT /zones/{zone}", azure)],
      "PUT /zones/{zone}",
      {
        started: ["properties", "provisioningState"],
        state: ["properties", "provisioningState"],
        done: ["Succeeded"],
        follow: { tool: "get_zone", inputs: { zone: "zone" }, fields: {} },
      },
    ],
    [
      "in the only thing of its kind",
      [get("/apis/{api}/cache", cache), write("POST /apis/{api}/cache", cache)],
      "POST /apis/{api}/cache",
      { state: ["cache", "status"], follow: { inputs: { api: "api" }, fields: {} } },
    ],
    [
      "in the start of a thing, which is accepted",
      [
        get("/sites/{site}", thing(SETUP)),
        operation("POST /sites/{site}/start", { responses: [accepted(thing(SETUP))] }),
      ],
      "POST /sites/{site}/start",
      { started: "status", follow: { inputs: { site: "site" }, fields: {} } },
    ],
    [
      "by a field named after the thing",
      [get("/plugins/{pluginArn}", plugin), write("POST /plugins", plugin)],
      "POST /plugins",
      { state: "pluginState", follow: { fields: { pluginArn: "pluginArn" } } },
    ],
    [
      "of a thing whose creation is asynchronous",
      [
        get("/portability/{sid}", sid(states("in-progress", "completed", "expired"))),
        operation("POST /portability", {
          responses: [accepted(sid(states("in-progress", "completed", "expired")))],
        }),
      ],
      "POST /portability",
      { done: ["completed"], failed: ["expired"], follow: { fields: { sid: "sid" } } },
    ],
    [
      "by an ID without a mark before its word",
      [
        operation("GET /jobs", {
          parameters: [parameter("query jobid", { required: true, schema: text })],
          responses: [ok({ type: "object", properties: { jobid: text, status: WORK } })],
        }),
        write("POST /renderings", { type: "object", properties: { jobid: text } }),
      ],
      "POST /renderings",
      { follow: { fields: { jobid: "jobid" } } },
    ],
    [
      "by a job ID for the only job below the path",
      [
        get("/contacts/imports/{id}", thing(WORK)),
        write("PUT /contacts", { type: "object", properties: { job_id: text } }),
      ],
      "PUT /contacts",
      { follow: { fields: { id: "job_id" } } },
    ],
    [
      "by the only ID of an accepted write, right above its tasks",
      [
        get("/files/import/async/tasks/{taskId}/status", {
          type: "object",
          properties: { status: WORK, startedAt: text },
        }),
        operation("POST /files/import/async", {
          responses: [accepted({ type: "object", properties: { id: text, links: text } })],
        }),
      ],
      "POST /files/import/async",
      { follow: { fields: { taskId: "id" } } },
    ],
    [
      "by a token of the same name",
      [
        get("/export/{token}", { type: "object", properties: { status: text, files: text } }),
        write("POST /things/request-export", { type: "object", properties: { token: text } }),
      ],
      "POST /things/request-export",
      { follow: { fields: { token: "token" } } },
    ],
    [
      "by a task that has results",
      [
        get("/tasks/{id}", thing(text, { error: { type: "object" } })),
        write("POST /users/purge", { type: "object", properties: { task_id: text } }),
      ],
      "POST /users/purge",
      { follow: { fields: { id: "task_id" } } },
    ],
    [
      "by a read that needs a header which the write needs too",
      [
        operation("GET /reports/{id}", {
          parameters: [parameter("path id"), locale],
          responses: [ok(job)],
        }),
        write("POST /reports", job, { parameters: [locale] }),
      ],
      "POST /reports",
      { follow: { inputs: { locale: "locale" }, fields: { id: "id" } } },
    ],
    [
      "by the fields of a job under another name",
      [
        get("/background-tasks/{task_id}", thing(WORK, { task: text, data: text })),
        write("POST /endpoints/{endpoint}/recover", thing(WORK, { task: text })),
      ],
      "POST /endpoints/{endpoint}/recover",
      { follow: { fields: { task_id: "id" } } },
    ],
    [
      "in the attributes of a thing",
      [get("/crawls/{id}", jsonApi), write("POST /crawls", jsonApi)],
      "POST /crawls",
      { state: ["data", "attributes", "status"], follow: { fields: { id: ["data", "id"] } } },
    ],
    [
      "by numbers that an extension names",
      [
        get("/tasks/{id}", thing({ type: "integer", enum: [0, 1, 2], "x-enum-varnames": NAMES })),
        write("POST /tasks", thing({ type: "integer", enum: [0, 1, 2], "x-enum-varnames": NAMES })),
      ],
      "POST /tasks",
      { running: [0], done: [1], failed: [2] },
    ],
    [
      "in the state of the whole thing, among others",
      [get("/clusters/{name}", cluster), write("PUT /clusters/{name}", cluster)],
      "PUT /clusters/{name}",
      { state: ["status", "aggregated"], done: ["STATE_ACTIVE"] },
    ],
    [
      "in a state of provisioning that the document does not explain",
      [get("/hosts/{name}", provisioning), write("PUT /hosts/{name}", provisioning)],
      "PUT /hosts/{name}",
      { started: ["properties", "provisioningState"], state: ["properties", "provisioningState"] },
    ],
    [
      "in words, of a thing with an outcome that is made later",
      [
        get("/updates/{id}", thing(text, { failReason: text })),
        operation("POST /updates", { responses: [accepted(thing(text, { failReason: text }))] }),
      ],
      "POST /updates",
      { state: "status" },
    ],
    [
      "in a task that a write starts",
      [
        get("/tasks/{id}", thing(text)),
        write("POST /tasks", thing(text), { summary: "Starts a job" }),
      ],
      "POST /tasks",
      { state: "status" },
    ],
    [
      "by the number of a version",
      [
        get("/keys/{key}/versions/{versionNumber}", version),
        operation("POST /keys/{key}/rotate", { responses: [accepted(version)] }),
      ],
      "POST /keys/{key}/rotate",
      { follow: { fields: { versionNumber: "number" } } },
    ],
    [
      "by a read of its state that takes the ID in the query, beside another value of the call",
      [
        operation("GET /queue/status", {
          parameters: [
            parameter("query request_id", { required: true, schema: text }),
            parameter("query model", { required: true, schema: text }),
          ],
          responses: [ok(sidOf("request_id", WORK))],
        }),
        write(
          "POST /queue/submit",
          { type: "object", properties: { requestId: text } },
          json({ type: "object", properties: { model: text } }),
        ),
      ],
      "POST /queue/submit",
      {
        follow: {
          tool: "get_queue_status",
          inputs: { model: "model" },
          fields: { request_id: "requestId" },
        },
      },
    ],
    [
      "by a flag of what only a task ID names",
      [
        operation("GET /commits/status", {
          parameters: [parameter("query id", { required: true, schema: text })],
          responses: [
            ok({
              type: "object",
              properties: {
                task_id: text,
                completed: { type: "boolean" },
                result: { type: "object" },
              },
            }),
          ],
        }),
        operation("POST /commits/async", { responses: [accepted(thing(text))] }),
      ],
      "POST /commits/async",
      { state: "completed", done: [true], follow: { fields: { id: "id" } } },
    ],
    [
      "by a thing of a collection of its own that is created below another",
      [get("/devices/{id}", device), write("POST /projects/{id}/devices", device)],
      "POST /projects/{id}/devices",
      { follow: { tool: "get_device", inputs: {}, fields: { id: "id" } } },
    ],
    [
      "by the state that the GET of the same path has, of a write that is only accepted",
      [
        get("/images/{id}/scan", job),
        operation("POST /images/{id}/scan", { responses: [NOTHING] }),
      ],
      "POST /images/{id}/scan",
      { follow: { tool: "get_image_scan", inputs: { id: "id" }, fields: {} } },
    ],
    [
      "by the values of an enum that may grow",
      [
        get("/networks/{id}", thing({ ...text, "x-extensible-enum": SETUP.enum })),
        write("POST /networks", thing({ ...text, "x-extensible-enum": SETUP.enum })),
      ],
      "POST /networks",
      { running: ["creating", "deleting"], done: ["active"] },
    ],
    [
      "by the words of a thing that is set up, in the description",
      [get("/networks/{id}", thing(PHASES)), write("POST /networks", thing(PHASES))],
      "POST /networks",
      { running: ["PROVISIONING"], done: ["ACTIVE"], failed: ["FAILED"] },
    ],
    [
      "by a state among the info of a thing",
      [
        get("/clusters/{id}", {
          type: "object",
          properties: { id: text, info: { type: "object", properties: { status: SETUP } } },
        }),
        operation("POST /clusters/{id}/restart", { responses: [NOTHING] }),
      ],
      "POST /clusters/{id}/restart",
      { state: ["info", "status"] },
    ],
    [
      "in a state that the body has as read-only",
      [
        get("/reports/{id}", job),
        write("POST /reports", job, json(thing({ ...WORK, readOnly: true }))),
      ],
      "POST /reports",
      { state: "status" },
    ],
  ])("%s", (_, operations, at, want) => {
    expect(jobOf(operations, at)).toMatchObject(want);
  });
});

describe("work is recognized by the weight of its signs", () => {
  const started = (at: string, rest: Partial<Operation> = {}) =>
    operation(at, { responses: [NOTHING], ...rest });
  const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
    type: "object",
    properties,
  });
  const flag: JsonSchema = { type: "boolean" };
  const statement = object({ statementHandle: text });
  const paths = {
    source: "GET /sources/{id}",
    statement: "GET /statements/{statementHandle}",
  };
  test.each<[string, readonly Operation[], string, Record<string, unknown>]>([
    [
      "a state with a name of its own, of the thing in the path",
      [
        get("/sources/{id}", object({ id: text, lastFetchedStatus: WORK })),
        started("POST /sources/{id}/fetch"),
      ],
      "POST /sources/{id}/fetch",
      {
        state: "lastFetchedStatus",
        running: ["queued", "running"],
        follow: { inputs: { id: "id" } },
      },
    ],
    [
      "a flag of what goes on",
      [
        get("/sources/{id}/status", object({ is_being_scanned: flag, found: text })),
        started("POST /sources/{id}/scan"),
      ],
      "POST /sources/{id}/scan",
      { state: "is_being_scanned", running: [true], done: [false] },
    ],
    [
      "a result that the API returns once it is there",
      [
        operation(paths.statement, {
          responses: [ok(object({ rows: text })), accepted(statement)],
        }),
        operation("POST /statements", { responses: [accepted(statement)] }),
      ],
      "POST /statements",
      { isAccepted: true, follow: { fields: { statementHandle: "statementHandle" } } },
    ],
    [
      "the ID of an event, for which the document has no word of work",
      [
        get("/events/{event_id}", thing(WORK, { completed_at: text })),
        operation("DELETE /memories", {
          description: "The deletion is queued.",
          responses: [ok(object({ message: text, event_id: text }))],
        }),
      ],
      "DELETE /memories",
      { follow: { fields: { event_id: "event_id" } } },
    ],
    [
      "the last of the operations that the response lists",
      [
        get("/projects/{project_id}/operations/{operation_id}", object({ operation: thing(WORK) })),
        operation("POST /projects", {
          responses: [
            ok(
              object({
                project: thing(text),
                operations: { type: "array", items: thing(WORK, { project_id: text }) },
              }),
            ),
          ],
        }),
      ],
      "POST /projects",
      {
        follow: {
          fields: {
            project_id: ["operations", "-1", "project_id"],
            operation_id: ["operations", "-1", "id"],
          },
        },
      },
    ],
    [
      "the only ID, named as the call",
      [
        get("/jobs/{job_id}", thing(WORK, { error: text })),
        operation("POST /prompt", { responses: [accepted(object({ prompt_id: text }))] }),
      ],
      "POST /prompt",
      { follow: { fields: { job_id: "prompt_id" } } },
    ],
    [
      "an ID named as a part of the call's path",
      [
        get("/reports/jobs/{id}/status", object({ state: WORK })),
        operation("POST /reports/run", { responses: [ok(object({ reportId: text }))] }),
      ],
      "POST /reports/run",
      { follow: { fields: { id: "reportId" } } },
    ],
    [
      "two calls named by verb and object",
      [
        get("/get-import-task/{id}", object({ status: WORK })),
        operation("POST /start-import-task", { responses: [ok(object({ id: text }))] }),
      ],
      "POST /start-import-task",
      { follow: { fields: { id: "id" } } },
    ],
    [
      "the last operation of a thing that the call creates",
      [
        get("/instances/{instance_id}/last_operation", object({ state: WORK })),
        operation("PUT /instances/{instance_id}", {
          summary: "Provision an instance",
          responses: [accepted(object({ operation: text }))],
        }),
      ],
      "PUT /instances/{instance_id}",
      { state: "state", follow: { inputs: { instance_id: "instance_id" } } },
    ],
    [
      "a state of each stage and an outcome in both responses",
      [
        get("/pictures/{id}", thing(WORK, { failure_reason: text })),
        operation("POST /pictures/{id}/upscale", {
          responses: [ok(thing(WORK, { failure_reason: text }))],
        }),
      ],
      "POST /pictures/{id}/upscale",
      { started: "status", follow: { inputs: { id: "id" } } },
    ],
    [
      "states of alternatives",
      [
        get("/builds/{build_id}", {
          ...object({ id: text }),
          oneOf: [
            object({ status: states("in_progress", "failed") }),
            object({ status: states("succeeded") }),
          ],
        }),
        operation("POST /environments/{environment_id}/builds", {
          summary: "Start a build",
          responses: [ok(object({ id: text, created: text }))],
        }),
      ],
      "POST /environments/{environment_id}/builds",
      { running: ["in_progress"], done: ["succeeded"], failed: ["failed"] },
    ],
    [
      "a body that is the ID",
      [
        get("/restores/status/{jobId}", object({ status: text, error: text })),
        operation("POST /restores", { responses: [accepted({ type: "integer" })] }),
      ],
      "POST /restores",
      { follow: { fields: { jobId: [] } } },
    ],
    [
      "a singleton beside the call",
      [
        get("/database/integrity-results", object({ inProgress: flag, error: text })),
        started("POST /database/check-integrity"),
      ],
      "POST /database/check-integrity",
      { state: "inProgress", follow: { inputs: {}, fields: {} } },
    ],
  ])("%s", (_, operations, at, want) => {
    expect(jobOf(operations, at)).toMatchObject(want);
  });

  test.each<[string, readonly Operation[]]>([
    [
      "the removal of a thing",
      [
        get("/gateways/{id}", thing(SETUP)),
        operation("DELETE /gateways/{id}", { responses: [NOTHING] }),
      ],
    ],
    [
      "the thing above the one that the call is about",
      [get("/instances/{id}", thing(SETUP)), started("POST /instances/{id}/users/{user}/reset")],
    ],
    [
      "another thing that the response names",
      [
        get("/apps/{app_id}", thing(SETUP)),
        operation("POST /installations", {
          responses: [accepted(object({ id: text, app_id: text }))],
        }),
      ],
    ],
    [
      "a call that ends work, with the ID behind the verb",
      [get("/exports/{id}", job), started("POST /exports/cancel/{id}")],
    ],
    [
      "a synchronous twin",
      [
        get("/lookups/{lookupId}", sidOf("lookupId", WORK)),
        operation("POST /lookups/now", {
          summary: "Runs a synchronous lookup",
          responses: [ok(sidOf("lookupId", states("succeeded", "failed")))],
        }),
      ],
    ],
    [
      "a word about the call in place of an ID",
      [
        get("/documents/{document_id}", thing(WORK)),
        operation("POST /documents", {
          summary: "Submit a document",
          responses: [accepted(object({ result: text }))],
        }),
      ],
    ],
    [
      "an ID that the call has, of another thing",
      [
        get("/runs/{run_id}", thing(WORK, { error: text })),
        operation("POST /uploads/{upload_id}/parts", {
          responses: [ok(object({ upload_id: text, status: WORK }))],
        }),
      ],
    ],
    [
      "the twin of a start that waits",
      [
        get("/dags/{dag}/runs/{run_id}", sidOf("run_id", WORK)),
        operation("POST /dags/{dag}/start-sync", { responses: [ok(sidOf("run_id", WORK))] }),
      ],
    ],
    [
      "a check of what the call has",
      [
        get("/scans/{scan_id}", sidOf("scan_id", WORK)),
        operation("POST /scans/lint", { responses: [ok(sidOf("scan_id", WORK))] }),
      ],
    ],
    [
      "a webhook of work that ended",
      [get("/scans/{scan_id}", job), started("POST /scans/{scan_id}/retry_webhook")],
    ],
    [
      "an update of a job at its own path",
      [
        get("/scans/{scan_id}", sidOf("scan_id", WORK)),
        operation("PUT /scans/{scan_id}", {
          summary: "Update a scan",
          responses: [ok(sidOf("scan_id", WORK))],
        }),
      ],
    ],
    [
      "a thing whose caller tells how it ended",
      [
        get("/runs/{id}", job),
        started("POST /runs/{id}/complete"),
        started("POST /runs/{id}/start"),
      ],
    ],
  ])("and not for %s", (_, operations) => {
    expect(jobsOf(plan(api(operations)))).toEqual({});
  });
});

test("work is recognized by a schema that any resource name can be read with", () => {
  const named = { $ref: "#/$defs/Operation" };
  const operations = [get("/v1/{name}", named), write("POST /v1/{parent}/glossaries", named)];
  const schemas = { Operation: operationByName };
  expect(jobsOf(plan(api(operations, { schemas })))).toMatchObject({
    "POST /v1/{parent}/glossaries": {
      state: "done",
      done: [true],
      follow: { fields: { name: "name" } },
    },
  });
});

test("work is recognized by the operation that makes a thing, and not by the thing", () => {
  const made = { $ref: "#/$defs/Operation" };
  const operations = [
    get("/backups/{backup}", thing(text, { error: text })),
    get("/operations/{id}", made),
    write("POST /backups", { type: "object", properties: { metadata: made } }),
  ];
  expect(jobsOf(plan(api(operations, { schemas: { Operation: job } })))).toMatchObject({
    "POST /backups": { follow: { tool: "get_operation", fields: { id: ["metadata", "id"] } } },
  });
});

describe("a response may name the URL of its work", () => {
  const header = (name: string) => [{ name }];
  const found = (responses: readonly Response[]) => {
    const operations = [
      get("/imports/{importId}", { type: "object", properties: { id: text } }),
      get("/rows/{rowId}", { type: "object", properties: { id: text } }),
      operation("POST /rows", { responses }),
    ];
    const tool = plan(api(operations)).tools.find(
      ({ definition }) => definition.operations[0]?.request.method === "POST",
    )!;
    return [
      tool.definition.operations[0]!.jobLocation,
      tool.definition.description.includes("Waits until the work is done"),
    ];
  };
  const location = { readers: ["get_row", "get_import"] };
  test.each<[string, Response, readonly unknown[]]>([
    ["202", accepted({}), [location, false]],
    ["202 with Location", { ...accepted({}), headers: header("Location") }, [location, true]],
    [
      "202 with Location in its text",
      { ...accepted({}), description: "The Location header has the URL of the status." },
      [location, true],
    ],
    [
      "202 with Location of a thing in its text",
      { ...accepted({}), description: "The location of the row is that of its table." },
      [location, false],
    ],
    ["Operation-Location", { ...ok({}), headers: header("operation-location") }, [location, true]],
    [
      "Location of what was created",
      { ...ok({}), headers: header("Location") },
      [undefined, false],
    ],
  ])("%s", (_, response, want) => {
    expect(found([response])).toEqual(want);
  });

  test("202 of an API whose reads have the state in an envelope", () => {
    const envelope = { type: "object", properties: { type: text, metadata: job } } as const;
    const operations = [
      get("/operations/{id}", envelope),
      operation("POST /rows", { responses: [accepted({})] }),
    ];
    const { tools } = plan(api(operations));
    const bindings = tools.flatMap(({ definition }) => definition.operations);
    expect(bindings.flatMap(({ jobLocation }) => jobLocation ?? [])).toEqual([
      { readers: ["get_operation"], states: { get_operation: ["metadata", "status"] } },
    ]);
  });

  const described = (path: string, schema: JsonSchema, others: readonly Operation[] = []) => {
    const responses: Response[] = [{ status: "202", contents: [], headers: [] }];
    const operations = [get(`${path}/{id}`, schema), operation(`POST ${path}`, { responses })];
    const { tools } = plan(api([...operations, ...others]));
    const { definition } = tools.find(({ operations: [own] }) =>
      own!.location.pointer.endsWith("/post"),
    )!;
    return definition.description.includes("Waits until the work is done");
  };
  test("202 without a body, of a collection of jobs", () => {
    expect(described("/ad-tasks", job)).toBe(true);
    expect(described("/rows", thing(text))).toBe(false);
    const upload = operation("POST /ad-tasks/{id}/upload_file");
    expect(described("/ad-tasks", job, [upload])).toBe(false);
  });
  test("a field of the response, of a state or of the result of work that goes on", () => {
    const of = (schema: JsonSchema) => found([ok(schema)]);
    const field = (name: string): JsonSchema => ({ type: "object", properties: { [name]: text } });
    const server: JsonSchema = { type: "object", properties: { name: text, progress_url: text } };
    expect([
      of(field("statusUrl")),
      of(field("job_link")),
      found([accepted(field("result_url"))]),
      of(field("result_url")),
      of(field("statusText")),
      of(server),
      found([accepted(server)]),
    ]).toEqual([
      [{ ...location, field: "statusUrl" }, true],
      [undefined, false],
      [{ ...location, field: "result_url" }, true],
      [undefined, false],
      [undefined, false],
      [undefined, false],
      [{ ...location, field: "progress_url" }, true],
    ]);
  });
  test("202 of a payout, which takes days", () => {
    const responses = [{ ...accepted({}), headers: header("Location") }];
    const operations = [
      get("/payouts/{id}", thing(text)),
      operation("POST /payouts", { responses }),
    ];
    const { tools } = plan(api(operations));
    const bindings = tools.flatMap(({ definition }) => definition.operations);
    expect(bindings.filter(({ jobLocation }) => jobLocation)).toEqual([]);
  });
});

test("the Location of a job that was created is followed, and of other things not", () => {
  const created: Response = { status: "201", contents: [], headers: [{ name: "Location" }] };
  const locationOf = (read: Operation, at: string) => {
    const { tools } = plan(api([read, operation(at, { responses: [created] })]));
    const bindings = tools.flatMap(({ definition }) => definition.operations);
    return bindings.find(({ request }) => request.method === "POST")!.jobLocation;
  };
  const execution = get("/policies/{name}/executions/{id}", thing(text));
  expect([
    locationOf(execution, "POST /policies/{name}/executions"),
    locationOf(execution, "POST /policies/{name}"),
    locationOf(get("/pets/{id}", thing(text)), "POST /pets"),
  ]).toEqual([
    { readers: ["get_policy_execution"], isCreated: true },
    { readers: ["get_policy_execution"], isCreated: true },
    undefined,
  ]);
});

test("the ID of a job by its schema is that of the jobs right below the path", () => {
  const operations = [
    get("/export/rows/execution/{execution_id}", thing(text)),
    write("POST /export/rows", { $ref: "#/$defs/RowExportJob" }),
    write("POST /export", { $ref: "#/$defs/RowExportJob" }),
  ];
  const schemas = { RowExportJob: { type: "object", properties: { id: text } } as const };
  expect(Object.keys(jobsOf(plan(api(operations, { schemas }))))).toEqual(["POST /export/rows"]);
});

test.each<[string, Operation, string | undefined]>([
  ["a POST below it", write("POST /reports/{reportId}/cancel", job), "cancel_report"],
  [
    "a DELETE that cancels",
    write("DELETE /reports/{reportId}", job, { summary: "Cancel the report if supported" }),
    "cancel_report",
  ],
  [
    "a DELETE that removes its record",
    write("DELETE /reports/{reportId}", job, { summary: "Delete a cancelled report" }),
    undefined,
  ],
])("work has the tool that ends it: %s", (_, ending, tool) => {
  const operations = [get("/reports/{reportId}", job), write("POST /reports", job), ending];
  expect(jobOf(operations, "POST /reports")?.cancel).toEqual(
    tool && { tool, inputs: { reportId: "reportId" } },
  );
});

test("of operations with one path, that without a query counts", () => {
  const operations = [
    get("/reports/{reportId}", job),
    write("POST /reports", job),
    operation("POST /reports", {
      operationId: "createPublicReport",
      fixedQuery: [["public", ""]],
      responses: [ok({ type: "object", properties: { code: text } })],
    }),
  ];
  expect(Object.keys(jobsOf(plan(api(operations))))).toContain("POST /reports");
});

test("of several reads of one schema, that of another thing does not follow the work", () => {
  const status = { $ref: "#/$defs/RequestStatus" };
  const operations = [
    get("/hosts/jobs/{id}", status),
    get("/volumes/jobs/{id}", status),
    write("POST /volumes/{id}/export", status),
    write("POST /shares/{id}/export", status),
  ];
  const schemas = { RequestStatus: job };
  const jobs = jobsOf(plan(api(operations, { schemas })));
  expect(Object.keys(jobs)).toEqual(["POST /volumes/{id}/export"]);
  expect(jobs["POST /volumes/{id}/export"]).toMatchObject({ follow: { tool: "get_volume_job" } });
});

describe("work is not recognized", () => {
  const body = json({ type: "object", properties: { status: WORK } });
  test.each<readonly [name: string, operations: readonly Operation[]]>([
    [
      "an address whose ID is named sid, as those of all other things",
      [
        get(
          "/accounts/{AccountSid}/transcriptions/{Sid}",
          sid(states("in-progress", "completed", "failed")),
        ),
        write("POST /accounts/{AccountSid}/addresses", {
          type: "object",
          properties: { sid: text, account_sid: text },
        }),
      ],
    ],
    [
      "a voucher, whose ID is not that of a job",
      [
        get("/jobs/{jobId}/progress", job),
        write("POST /vouchers", sidOf("voucherId", text), { summary: "Generate a voucher" }),
      ],
    ],
    [
      "a thing of the call, where another one is attached to it",
      [
        get("/bases/{uuid}", sidOf("uuid", states("creating", "active", "failed"))),
        write("POST /agents/{agent_uuid}/bases", {
          type: "object",
          properties: { agent: { type: "object", properties: { uuid: text } } },
        }),
      ],
    ],
    [
      "a run of an evaluation, by the ID of a check of a cluster",
      [
        get("/evaluation_runs/{evaluation_run_uuid}", {
          type: "object",
          properties: { evaluation_run: thing(WORK, { error: text }) },
        }),
        operation("GET /clusters/{cluster_id}/lint", {
          parameters: [parameter("path cluster_id"), parameter("query run_id")],
          responses: [ok({ type: "object", properties: { problems: { type: "array" } } })],
        }),
        operation("POST /clusters/{cluster_id}/lint", {
          summary: "Run a check",
          responses: [accepted(sidOf("run_id", text))],
        }),
      ],
    ],
    [
      "a part of a thing, whose state is that of its image",
      [
        get("/machines/{machine_id}", {
          type: "object",
          properties: { id: text, image: thing(states("pending", "available", "deleted")) },
        }),
        operation("POST /machines", {
          summary: "Create a machine",
          responses: [
            accepted({
              type: "object",
              properties: { id: text, image: thing(states("pending", "available", "deleted")) },
            }),
          ],
        }),
      ],
    ],
    [
      "a request to sign, which is sent to people again",
      [
        get("/sign_requests/{id}", thing(states("converting", "created", "signed", "failed"))),
        operation("POST /sign_requests/{id}/resend", {
          summary: "Resend a request asynchronously",
          responses: [{ ...empty, status: "202" }],
        }),
      ],
    ],
    [
      "a request for an approval, which a person gives",
      [
        get(
          "/approval-requests/{id}",
          thing(states("pending", "scheduled", "completed", "failed")),
        ),
        write(
          "POST /approval-requests",
          thing(states("pending", "scheduled", "completed", "failed")),
        ),
      ],
    ],
    [
      "an export of articles, by the read of one article",
      [
        get("/articles/{article_id}", thing(text, { title: text })),
        get("/articles/export", { type: "array", items: thing(text) }),
        write("POST /articles/export", thing(text), { summary: "Generate a report" }),
      ],
    ],
    [
      "things that a call did not remove",
      [
        get("/documents/{id}", thing(states("queued", "indexing", "done", "failed"))),
        write("DELETE /documents/bulk", {
          type: "object",
          properties: {
            errors: { type: "array", items: { type: "object", properties: { id: text } } },
          },
        }),
      ],
    ],
    [
      "things of a document all of whose reads have a 202",
      [
        ...["keys", "users", "groups", "notes", "files"].map((name) =>
          operation(`GET /${name}/{id}`, { responses: [accepted(thing(text))] }),
        ),
        operation("POST /keys", { responses: [accepted(sidOf("id", text))] }),
      ],
    ],
    ["in an update of a thing", [get("/reports/{id}", job), write("PATCH /reports/{id}", job)]],
    [
      "in an approval by PUT of what somebody asked for",
      [
        get("/connections/{id}", azure),
        write("PUT /connections/{id}", azure, { description: "Approve or reject a connection." }),
      ],
    ],
    [
      "in an update by PUT of what is made elsewhere",
      [get("/runs/{id}", job), write("PUT /runs/{id}", job, { summary: "Update a run" })],
    ],
    [
      "in a thing whose file the caller sends to a URL of the response",
      [get("/uploads/{id}", uploaded), write("POST /uploads", uploaded)],
    ],
    [
      "in a deployment whose files the caller uploads",
      [
        get("/deployments/{id}", job),
        write("POST /deployments", thing(WORK, { zipUploadUrl: text })),
      ],
    ],
    [
      "in a disk that names the snapshot it is made of",
      [
        get("/snapshots/{snapshot}", thing(SETUP)),
        write("POST /disks", {
          type: "object",
          properties: { id: text, name: text, snapshot_id: text },
        }),
      ],
    ],
    [
      "in the state of a list, or by the type of an answer",
      [
        get("/volumes", thing(text, { type: text })),
        get("/volumes/{type}", thing(text, { type: text })),
        get("/volumes/{type}/{name}", { type: "object", properties: { name: text } }),
        operation("POST /volumes", {
          responses: [accepted({ type: "object", properties: { status: text, type: text } })],
        }),
      ],
    ],
    [
      "in the creation of a thing whose file a PUT brings",
      [
        get("/images/{id}", thing(IMPORTED)),
        write("POST /images", thing(IMPORTED)),
        operation("PUT /images/{id}/file", { responses: [empty] }),
      ],
    ],
    [
      "in an action of any kind behind the word for actions",
      [
        get("/images/{id}", thing(IMPORTED)),
        operation("POST /images/{id}/actions/deactivate", { responses: [empty] }),
      ],
    ],
    [
      "in a payment whose read the text names",
      [
        get("/payments/{id}", thing(states("created", "processing", "paid", "failed"))),
        write("POST /pay", thing(text), { description: "Poll GET /payments/{id} for its state." }),
      ],
    ],
    [
      "in a build that a POST of its own path starts",
      [
        get("/templates/{id}/builds/{buildId}", thing(WORK)),
        operation("POST /templates/{id}/builds/{buildId}", {
          summary: "Start the build",
          responses: [ok(text)],
          xMcp: { job: false },
        }),
        write("POST /templates/{id}", { type: "object", properties: { buildId: text } }),
      ],
    ],
    [
      "in the creation of a part that is accepted",
      [
        get("/clusters/{id}", thing(SETUP)),
        get("/clusters/{id}/notes/{noteId}", text),
        operation("POST /clusters/{id}/notes", { responses: [NOTHING] }),
      ],
    ],
    [
      "in an accepted message about a thing with a state that people end",
      [
        get("/tickets/{id}", thing(states("created", "processing", "paid", "failed"))),
        operation("POST /tickets/{id}/remind", { responses: [NOTHING] }),
      ],
    ],
    ["in a cancellation", [get("/jobs/{id}", job), write("POST /jobs/{id}/cancel", job)]],
    [
      "in a call that waits for work",
      [
        get("/jobs/{id}", job),
        write("POST /wait", { type: "object", properties: { jobId: text } }),
      ],
    ],
    [
      "in a run that callers start and complete themselves",
      [
        get("/jobs/runs/{id}", job),
        write("POST /jobs/{job}/runs", job),
        write("POST /jobs/runs/{id}/start", job),
        write("POST /jobs/runs/{id}/complete", text),
      ],
    ],
    [
      "in a job for which a device is sent",
      [
        get("/jobs/{id}", thing(states("running", "delivered", "picked up", "completed"))),
        write("POST /jobs", thing(states("running", "delivered", "picked up", "completed"))),
      ],
    ],
    [
      "in a volume that somebody has to accept, with few states of machines",
      [
        get("/volumes/{id}", thing(states("creating", "awaiting-transfer", "available", "error"))),
        write("POST /volumes", thing(text)),
      ],
    ],
    [
      "in a thing whose state the caller sets",
      [get("/reports/{id}", job), write("POST /reports", job, body)],
    ],
    [
      "in a build whose status the caller reports",
      [get("/commits/{c}/builds/{id}", job), write("POST /commits/{c}/builds", job, body)],
    ],
    [
      "in a thing whose state the caller sets, of one schema for both ways",
      [get("/commits/{c}/builds/{id}", job), write("POST /commits/{c}/builds", job, json(job))],
    ],
    [
      "in a cluster that waits for a person",
      [
        get("/clusters/{id}", thing(states("WaitingForApproval", "Installing", "Ready"))),
        write("POST /clusters", thing(states("WaitingForApproval", "Installing", "Ready"))),
      ],
    ],
    [
      "in a state that a person ends",
      [
        get(
          "/runs/{id}",
          thing(states("queued", "running", "requires_action", "completed", "failed")),
        ),
        write(
          "POST /runs",
          thing(states("queued", "running", "requires_action", "completed", "failed")),
        ),
      ],
    ],
    [
      "in a to-do",
      [
        get("/goals/{id}", thing(states("not_started", "in_progress", "completed"))),
        write("POST /goals", thing(states("not_started", "in_progress", "completed"))),
      ],
    ],
    [
      "in a payment",
      [
        get("/payments/{id}", thing(states("pending", "processing", "succeeded", "failed"))),
        write("POST /payments", thing(states("pending", "processing", "succeeded", "failed"))),
      ],
    ],
    [
      "in a thing that is on or off",
      [
        get("/servers/{id}", thing(states("running", "stopped", "error"))),
        write("POST /servers", thing(states("running", "stopped", "error"))),
      ],
    ],
    [
      "in an account that is active",
      [
        get("/keys/{id}", thing(states("pending", "active", "inactive"))),
        write("POST /keys", thing(states("pending", "active", "inactive"))),
      ],
    ],
    ["without a read of the thing", [write("POST /reports", job)]],
    [
      "in a job of another collection",
      [
        get("/pages/deployments/{id}", job),
        get("/deployments/{id}", thing(text)),
        write("POST /deployments", { type: "object", properties: { deployment_id: text } }),
      ],
    ],
    [
      "in the state of a part",
      [
        get("/readers/{id}", thing(text, { action: job })),
        write("POST /readers", thing(text, { action: job })),
      ],
    ],
    [
      "in an update by PUT of what a POST creates",
      [
        get("/clusters/{id}", thing(SETUP)),
        operation("POST /clusters", {}),
        write("PUT /clusters/{id}", thing(SETUP)),
      ],
    ],
    [
      "in a thing that has had a job",
      [
        get("/jobs/{id}", job),
        write("POST /campaigns", {
          type: "object",
          properties: { campaign: thing(text, { job_id: text }) },
        }),
      ],
    ],
    [
      "in an update of a part",
      [
        get("/envelopes/{id}/workflow", thing(WORK)),
        write("PUT /envelopes/{id}/workflow", thing(WORK)),
      ],
    ],
    [
      "in a thing whose file the caller has to upload",
      [
        get("/jobs/{id}", thing(WORK, { upload_url: text })),
        write("POST /jobs", thing(WORK, { upload_url: text })),
      ],
    ],
    [
      "in a job that the caller fills",
      [
        get("/jobs/{id}", thing(states("open", "in_progress", "completed", "failed"))),
        write("POST /jobs", thing(states("open", "in_progress", "completed", "failed"))),
      ],
    ],
    [
      "in a task of a list, which people do",
      [
        get("/tasks/{id}", thing(text, { completed: { type: "boolean" } })),
        write("POST /lists/{list}/tasks", thing(text, { completed: { type: "boolean" } })),
      ],
    ],
    ["in a read", [get("/reports/{id}", job), get("/reports", job)]],
    [
      "a thing that can be stopped, which a creation does not start",
      [
        get("/graphs/{name}", thing(states("Running", "Starting", "Stopped", "Stopping"))),
        write("PUT /graphs/{name}", thing(states("Running", "Starting", "Stopped", "Stopping"))),
      ],
    ],
    [
      "a PUT of a thing whose collection a PUT creates",
      [
        get("/bots/{botId}/", thing(SETUP)),
        write("PUT /bots/", { type: "object", properties: { name: text } }),
        write("PUT /bots/{botId}/", thing(SETUP)),
      ],
    ],
    [
      "a thing that runs until it is ended",
      [
        get("/streamers/{id}", thing(states("created", "started", "ended", "failed"))),
        write("POST /streamers", thing(states("created", "started", "ended", "failed"))),
      ],
    ],
    [
      "a room, which is in progress until people leave it",
      [
        get("/rooms/{id}", thing(states("in-progress", "completed", "failed"))),
        write("POST /rooms", thing(states("in-progress", "completed", "failed"))),
      ],
    ],
  ])("%s", (_, operations) => {
    expect(jobsOf(plan(api(operations)))).toEqual({});
  });
});

describe("mcp-gen.yaml", () => {
  const model = api([
    get("/reports/{reportId}", job),
    write("POST /reports", job),
    get("/things/{thing}", thing(text)),
    write("POST /things", { type: "object", properties: { ref: text } }),
  ]);
  const configured = (yaml: string) => configuredPlan(yaml, {}, model);

  test.each<readonly [name: string, yaml: string, at: string, want: object | undefined]>([
    ["turns it off", "create_report: {job: false}", "POST /reports", undefined],
    [
      "changes the wait",
      "create_report: {job: {wait: 5}}",
      "POST /reports",
      { waitMs: 5_000, done: ["succeeded"] },
    ],
    [
      "changes the states",
      "create_report: {job: {done: [running]}}",
      "POST /reports",
      { done: ["running"], failed: ["failed"] },
    ],
    [
      "describes it",
      "create_thing: {job: {state: info.state, done: [up], failed: [down], id: ref, follow: get_thing}}",
      "POST /things",
      {
        started: ["info", "state"],
        state: ["info", "state"],
        done: ["up"],
        failed: ["down"],
        follow: { tool: "get_thing", inputs: {}, fields: { thing: "ref" } },
      },
    ],
  ])("%s", (_, yaml, at, want) => {
    const found = configured(`tools: {${yaml}}`);
    expect(codesOf(found)).toEqual([]);
    const { [at]: mapping } = jobsOf(found);
    if (want === undefined) expect(mapping).toBeUndefined();
    else expect(mapping).toMatchObject(want);
  });

  test.each<readonly [name: string, yaml: string]>([
    ["an unknown tool", "create_thing: {job: {state: state, follow: get_thig}}"],
    ["a tool that writes", "create_thing: {job: {state: state, follow: create_report}}"],
    ["no tool", "create_thing: {job: {state: state}}"],
    ["no state", "create_thing: {job: {follow: get_thing}}"],
    ["a tool that only reads", "get_thing: {job: {state: state, follow: get_report}}"],
  ])("reports %s", (_, yaml) => {
    expect(codesOf(configured(`tools: {${yaml}}`))).toContain("config-incompatible-value");
  });
});
