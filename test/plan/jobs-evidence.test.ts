import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation, Response } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import { api, content, json, ok, operation, parameter } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const flag: JsonSchema = { type: "boolean" };
const states = (...values: string[]): JsonSchema => ({ type: "string", enum: values });
const WORK = states("queued", "running", "succeeded", "failed");
const SETUP = states("creating", "active", "failed");
const SETTLED = states("new", "active", "off");
const PROCESSING = states("todo", "waiting_for_capacity", "in_progress", "done", "error");
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});
const thing = (status: JsonSchema, rest: Record<string, JsonSchema> = {}): JsonSchema =>
  object({ id: text, status, ...rest });
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const accepted = (schema: JsonSchema): Response => ({ ...ok(schema), status: "202" });
const NOTHING: Response = { status: "202", description: "Accepted", contents: [], headers: [] };
const get = (path: string, schema: JsonSchema): Operation =>
  operation(`GET ${path}`, { responses: [ok(schema)] });
const write = (at: string, schema: JsonSchema, rest: Partial<Operation> = {}): Operation =>
  operation(at, { responses: [ok(schema)], ...rest });
const started = (at: string, schema: JsonSchema, rest: Partial<Operation> = {}): Operation =>
  operation(at, { responses: [accepted(schema)], ...rest });
const REQUEST = { $ref: "#/$defs/RequestStatus" };
const VM = { $ref: "#/$defs/Machine" };
const VIDEO = { $ref: "#/$defs/Video" };
const UPDATE = { $ref: "#/$defs/Update" };
const APPLICATION = { $ref: "#/$defs/Application" };
const schemas = {
  Video: thing(WORK, { error: text }),
  Update: thing(WORK, { errors: list(text) }),
  Application: object({
    metadata: object({ name: text }),
    status: object({ operationState: object({ phase: text, message: text, finishedAt: text }) }),
  }),
  RequestStatus: object({ id: text, status: text, error: text }),
  Machine: object({ id: text, guestAuthorizationStatus: WORK, phase: SETUP }),
  Dataset: object({ id: text, name: text, ready: text }),
};

/** The tool and the fields that follow each write; null for a write that is not followed. */
function followsOf(operations: readonly Operation[]): Record<string, unknown> {
  const { tools } = plan(api(operations, { schemas }));
  const bindings = tools
    .flatMap(({ definition }) => definition.operations)
    .filter(({ request }) => request.method !== "GET");
  return Object.fromEntries(
    bindings.map(({ request: { method, path }, job }) => [
      `${method} ${path}`,
      job ? { tool: job.follow.tool, fields: job.follow.fields } : null,
    ]),
  );
}

describe("work is followed by the read that tells it", () => {
  test.each<[string, readonly Operation[], string, Record<string, unknown>]>([
    [
      "the read with the schema of the response, and not that of the thing beside it",
      [
        get("/vms/{id}", VM),
        get("/vms/request/{id}", REQUEST),
        started("POST /vms/mount", REQUEST),
      ],
      "POST /vms/mount",
      { tool: "get_vms_request", fields: { id: "id" } },
    ],
    [
      "the nearest of several reads of one schema",
      [
        get("/cluster/upgrade/request/{id}", REQUEST),
        get("/vcd/request/{id}", REQUEST),
        started("POST /vcd/cluster/refresh", REQUEST),
      ],
      "POST /vcd/cluster/refresh",
      { tool: "get_vcd_request", fields: { id: "id" } },
    ],
    [
      "the ID of a task inside the results",
      [
        get("/retrievals/{tracking_id}", object({ results: object({ status: WORK }) })),
        write("POST /retrievals", object({ code: text, results: object({ task_id: text }) })),
      ],
      "POST /retrievals",
      { tool: "get_retrieval", fields: { tracking_id: ["results", "task_id"] } },
    ],
    [
      "the last of several that a batch makes",
      [
        get("/workflows/{version}/{id}/status", thing(text)),
        write("POST /workflows/{version}/batch", list(thing(text)), {
          summary: "Submit a batch of workflows",
        }),
      ],
      "POST /workflows/{version}/batch",
      { fields: { id: ["-1", "id"] } },
    ],
    [
      "a text that is the ID of a job",
      [
        operation("GET /executor/job", {
          parameters: [parameter("query job_id", { required: true, schema: text })],
          responses: [ok(thing(WORK))],
        }),
        operation("POST /node/rebuild", {
          responses: [
            {
              status: "202",
              description: "Job ID of the rebuild",
              contents: [content(text, "text/plain")],
              headers: [],
            },
          ],
        }),
      ],
      "POST /node/rebuild",
      { fields: { job_id: [] } },
    ],
    [
      "a set that is idle after it was pending",
      [
        get("/sets/{id}", thing(states("idle", "pending", "running", "paused"))),
        write("POST /sets", thing(states("idle", "pending", "running", "paused")), {
          description: "The set begins processing once created.",
        }),
      ],
      "POST /sets",
      { fields: { id: "id" } },
    ],
    [
      "the token by which the progress is told",
      [
        get("/event/token/{uuid}", object({ processing: flag })),
        write(
          "PUT /bom",
          object({
            projectUuid: text,
            token: { type: "string", description: "Token used to check task progress" },
          }),
        ),
      ],
      "PUT /bom",
      { fields: { uuid: "token" } },
    ],
    [
      "the only ID of a response, by the name that another read gives it",
      [
        get("/evaluations/{eval_id}", thing(WORK)),
        write("POST /plans/{plan_id}/scale", object({ eval_id: text, warnings: text })),
      ],
      "POST /plans/{plan_id}/scale",
      { fields: { eval_id: "eval_id" } },
    ],
    [
      "the request of an alert, and not the alert",
      [
        operation("GET /alerts/requests/{requestId}", {
          summary: "Get Request Status of Alert",
          responses: [ok(object({ data: object({ status: text }) }))],
        }),
        started("POST /alerts", object({ requestId: text, took: { type: "number" } })),
      ],
      "POST /alerts",
      { fields: { requestId: "requestId" } },
    ],
    [
      "what a 202 returns, beside a 200 with anything",
      [
        get("/videos/{video_id}", VIDEO),
        operation("POST /data/import", { responses: [ok({ type: "object" }), accepted(VIDEO)] }),
      ],
      "POST /data/import",
      { fields: { video_id: "id" } },
    ],
    [
      "a check that goes on after the response",
      [get("/dbs/requests/{id}", REQUEST), started("POST /dbs/{id}/validate", REQUEST)],
      "POST /dbs/{id}/validate",
      { fields: { id: "id" } },
    ],
    [
      "the operation on an application",
      [
        get("/applications/{name}", APPLICATION),
        write("POST /applications/{name}/sync", APPLICATION),
      ],
      "POST /applications/{name}/sync",
      { fields: {} },
    ],
    [
      "a document that waits for capacity",
      [
        get("/documents/{id}", thing(PROCESSING)),
        get("/documents/{id}/status", object({ document_id: text, process_status: PROCESSING })),
        operation("POST /documents/{id}/reprocess", {
          responses: [{ ...NOTHING, status: "204" }],
        }),
      ],
      "POST /documents/{id}/reprocess",
      { fields: {} },
    ],
    [
      "a machine that is accepted, new and then active",
      [get("/droplets/{id}", thing(SETTLED)), started("POST /droplets", thing(SETTLED))],
      "POST /droplets",
      { fields: { id: "id" } },
    ],
    [
      "a call that recommends its synchronous twin",
      [
        get("/solution/{job_id}", object({ status: WORK })),
        write("POST /optimize", object({ job_id: text }), {
          operationId: "asyncOptimize",
          description: "For short problems, prefer the synchronous endpoint.",
        }),
      ],
      "POST /optimize",
      { fields: { job_id: "job_id" } },
    ],
    [
      "an update that the response has as the read does",
      [
        get("/clusters/{name}/updates/{update_id}", object({ update: UPDATE })),
        write("POST /clusters/{name}/encryption/associate", object({ update: UPDATE })),
        operation("POST /clusters/{name}/updates", { responses: [ok(object({ update: UPDATE }))] }),
      ],
      "POST /clusters/{name}/encryption/associate",
      { fields: { update_id: ["update", "id"] } },
    ],
    [
      "the run that is done again",
      [
        get("/runs/{run_id}", object({ id: text, status: { ...text, examples: ["queued"] } })),
        write("POST /runs/{run_id}/rerun", object({})),
      ],
      "POST /runs/{run_id}/rerun",
      { fields: {} },
    ],
    [
      "a study that is created and started",
      [
        get("/studies/{id}", thing(states("pending", "running", "done"))),
        write("POST /studies", thing(states("pending", "running", "done")), {
          summary: "Create and start a study",
        }),
      ],
      "POST /studies",
      { fields: { id: "id" } },
    ],
    [
      "a tag of an alert by the request that adds it",
      [
        operation("GET /alerts/requests/{requestId}", {
          summary: "Get Request Status of Alert",
          responses: [ok(object({ data: object({ status: text }) }))],
        }),
        started("POST /alerts/{id}/tags", object({ requestId: text }), {
          description: "This call is asynchronous.",
        }),
      ],
      "POST /alerts/{id}/tags",
      { fields: { requestId: "requestId" } },
    ],
    [
      "a remix by the ID of the new video",
      [get("/videos/{video_id}", VIDEO), write("POST /videos/{video_id}/remix", VIDEO)],
      "POST /videos/{video_id}/remix",
      { fields: { video_id: "id" } },
    ],
  ])("%s", (_, operations, at, want) => {
    expect(followsOf(operations)[at]).toMatchObject(want);
  });
});

describe("work is not followed", () => {
  const RUN = object({ id: text, status: text, finished_at: text });
  test.each<[string, readonly Operation[]]>([
    [
      "a value that the response repeats from the body",
      [
        get("/commits/{ref}/status", object({ state: WORK })),
        operation("POST /deployments", {
          ...json(object({ ref: text })),
          responses: [ok(object({ number: text, ref: text })), NOTHING],
        }),
      ],
    ],
    [
      "the job of a thing that is added to it",
      [
        get("/jobs/{jobId}", object({ id: text, status: text, error: text })),
        operation("POST /payables", {
          ...json(object({ jobId: text })),
          responses: [ok(object({ id: text, jobId: text }))],
        }),
      ],
    ],
    [
      "another work than that of the write",
      [
        get("/deployments/{idOrUrl}", thing(WORK, { error: text })),
        started("DELETE /user", object({ id: text, message: text }), {
          summary: "Asynchronously deletes the user",
        }),
      ],
    ],
    [
      "one of two kinds of jobs below the path",
      [
        get("/contacts/exports/{id}", thing(WORK)),
        get("/contacts/imports/{id}", object({ id: text, started_at: text })),
        operation("PUT /contacts", { responses: [accepted(object({ job_id: text }))] }),
      ],
    ],
    [
      "a dataset by the read of deletions",
      [
        get("/datasets/{datasetId}", { $ref: "#/$defs/Dataset" }),
        get("/deletion/{id}", thing(WORK, { error: text })),
        write(
          "POST /datasets/upload",
          { $ref: "#/$defs/Dataset" },
          {
            summary: "Create a dataset asynchronously",
          },
        ),
      ],
    ],
    [
      "an update whose description mentions creations",
      [
        get("/databases/{id}", thing(SETUP)),
        write("PUT /databases/{id}", thing(SETUP), {
          summary: "Update a database",
          description: "Updates a database.\n\nYou can add users, and create new ones.",
        }),
      ],
    ],
    [
      "a circuit whose status callers set",
      [
        get("/circuits/{id}", thing(object({ value: states("provisioning", "active", "failed") }))),
        operation("POST /circuits", {
          ...json(object({ status: text })),
          responses: [ok(thing(object({ value: states("provisioning", "active", "failed") })))],
        }),
      ],
    ],
    [
      "a project by the state of its last build",
      [
        get(
          "/projects/{project}",
          object({ project: object({ id: text }), build: object({ id: text, status: WORK }) }),
        ),
        write("POST /projects", object({ id: text, project: text })),
      ],
    ],
    [
      "a build by the state of the one before it",
      [
        get("/builds/{build_num}", object({ previous_build: object({ status: WORK }) })),
        write("POST /builds", object({ build_num: text, status: WORK })),
      ],
    ],
    [
      "a machine by the state of its authorization",
      [
        get("/machines/{id}", object({ id: text, guestAuthorizationStatus: WORK })),
        started("POST /machines/make_primary", object({ id: text })),
      ],
    ],
    [
      "a run that waits for its start",
      [
        get("/runs/{id}", RUN),
        write("POST /runs", thing(text)),
        write("POST /runs/{id}/start", object({})),
      ],
    ],
    [
      "a switch of a node",
      [
        get("/nodes/{id}", thing(SETUP, { error: text })),
        operation("POST /nodes/{id}/disable", { responses: [{ ...NOTHING, status: "204" }] }),
      ],
    ],
    [
      "a list of words by a read that may answer with 202",
      [
        operation("GET /chores", { responses: [ok(object({ list: list(text) })), NOTHING] }),
        operation("POST /chores", { responses: [ok(object({ message: text })), NOTHING] }),
      ],
    ],
    [
      "a file of a cluster that the call returns",
      [
        get("/clusters/{id}", thing(SETUP)),
        write("POST /clusters/{id}/generate", object({ kubeconfig: text })),
      ],
    ],
    [
      "a schedule by the request of an alert",
      [
        get("/alerts/requests/{request_id}", object({ status: WORK })),
        write("POST /schedules", object({ request_id: text })),
      ],
    ],
    [
      "the number of another thing",
      [
        get("/activities/{number}", object({ number: text, completed: flag, error: text })),
        write("POST /mileages", object({ number: text })),
      ],
    ],
    [
      "a pool by the machine of the same ID",
      [
        get("/droplets/{id}", thing(SETTLED)),
        get("/droplets/autoscale/{id}", object({ id: text, size: text })),
        started("POST /droplets/autoscale", object({ id: text, size: text })),
      ],
    ],
    [
      "a machine that is new and then active, without a word that it goes on",
      [get("/droplets/{id}", thing(SETTLED)), write("POST /droplets", thing(SETTLED))],
    ],
    [
      "an asset whose file goes to an upload endpoint",
      [
        get("/tasks/{id}", thing(WORK)),
        write(
          "POST /assets/request-upload",
          object({
            url: { type: "string", description: "The direct upload endpoint for PUT requests." },
            task: object({ id: text }),
          }),
        ),
      ],
    ],
    [
      "a folder by the operation that renames it",
      [
        get("/operations/{operation_id}", object({ done: flag, error: text })),
        write(
          "POST /folders",
          object({ name: text, pendingRename: object({ operation_id: text }) }),
        ),
      ],
    ],
    [
      "a study that waits for its start",
      [
        get("/studies/{id}", thing(states("pending", "running", "done"))),
        write("POST /studies", thing(states("pending", "running", "done")), {
          summary: "Create a study",
        }),
      ],
    ],
    [
      "a call whose 200 has the result",
      [
        get("/videos/{video_id}", VIDEO),
        operation("POST /charts/data", {
          responses: [ok(object({ rows: list(text) })), accepted(VIDEO)],
        }),
      ],
    ],
    [
      "a project that is active after an approval",
      [
        get("/projects/{id}", thing(states("planned", "pending_approval", "active", "created"))),
        started(
          "POST /projects",
          thing(states("planned", "pending_approval", "active", "created")),
        ),
      ],
    ],
    [
      "a task of a person",
      [
        get(
          "/projects/{id}/tasks/{task_id}",
          object({ status_code: text, result: object({ status: text, name: text }) }),
        ),
        write("POST /projects/{id}/tasks", object({ task_id: text })),
      ],
    ],
    [
      "the build that a caller tells of",
      [
        get("/builds/{id}", object({ id: text, done: flag, error: text })),
        operation("POST /builds/{id}/begin", {
          operationId: "notifyBuildStart",
          responses: [{ ...NOTHING, status: "204" }],
        }),
      ],
    ],
    [
      "an upload of what a build uses",
      [
        get("/images/{id}", thing(SETUP)),
        write("POST /images/upload", object({ image: thing(SETUP), upload_to: text })),
      ],
    ],
    [
      "a target that is idle until a broadcast",
      [
        get("/targets/{id}", thing(states("idle", "starting", "broadcasting", "errored"))),
        write("POST /targets", thing(states("idle", "starting", "broadcasting", "errored"))),
      ],
    ],
    [
      "a thing that a PUT starts",
      [
        get("/transcoders/{id}", thing(states("starting", "started", "stopped", "failed"))),
        write("POST /transcoders", thing(states("starting", "started", "stopped", "failed"))),
        operation("PUT /transcoders/{id}/begin", { responses: [ok(object({}))] }),
        operation("PUT /transcoders/{id}/start", { responses: [{ ...NOTHING, status: "204" }] }),
      ],
    ],
  ])("%s", (_, operations) => {
    const follows = Object.entries(followsOf(operations)).filter(
      ([at, follow]) => follow !== null && !at.endsWith("/start"),
    );
    expect(follows).toEqual([]);
  });
});

test("a path without ASCII letters, and without operationId, is no work", () => {
  expect(followsOf([started("POST /商品", object({ name: text }))])).toEqual({
    "POST /商品": null,
  });
});
