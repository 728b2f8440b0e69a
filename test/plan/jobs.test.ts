import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/json.js";
import type { Operation } from "../../src/model/types.js";
import { plan } from "../../src/plan/index.js";
import type { ToolPlan } from "../../src/plan/types.js";
import { configuredPlan } from "./configuration/fixtures.js";
import { api, codesOf, json, ok, operation } from "./fixtures.js";

const text: JsonSchema = { type: "string" };
const states = (...values: string[]): JsonSchema => ({ type: "string", enum: values });
const thing = (status: JsonSchema, rest: Record<string, JsonSchema> = {}): JsonSchema => ({
  type: "object",
  properties: { id: text, status, ...rest },
});
const WORK = states("queued", "running", "succeeded", "failed");
const SETUP = states("creating", "active", "error", "deleting");
const job = thing(WORK);
const get = (path: string, schema: JsonSchema) =>
  operation(`GET ${path}`, { responses: [ok(schema)] });
const write = (at: string, schema: JsonSchema, rest: Partial<Operation> = {}) =>
  operation(at, { responses: [ok(schema)], ...rest });

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
      "by a result that is ready",
      [
        get("/reports/{id}", thing(states("queued", "running", "ready", "failed"))),
        write("POST /reports", thing(states("queued", "running", "ready", "failed"))),
      ],
      "POST /reports",
      { running: ["queued", "running"], done: ["ready"], failed: ["failed"] },
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
  ])("%s", (_, operations, at, want) => {
    expect(jobOf(operations, at)).toMatchObject(want);
  });
});

describe("work is not recognized", () => {
  const body = json({ type: "object", properties: { status: WORK } });
  test.each<readonly [name: string, operations: readonly Operation[]]>([
    ["in an update of a thing", [get("/reports/{id}", job), write("PATCH /reports/{id}", job)]],
    ["in a cancellation", [get("/jobs/{id}", job), write("POST /jobs/{id}/cancel", job)]],
    [
      "in a thing whose state the caller sets",
      [get("/reports/{id}", job), write("POST /reports", job, body)],
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
    ["in a read", [get("/reports/{id}", job), get("/reports", job)]],
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
