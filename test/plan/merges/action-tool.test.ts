import { describe, expect, test } from "vitest";
import { selectOperation } from "../../../src/runtime/call/select-operation.js";
import type { JsonSchema } from "../../../src/json.js";
import type { ApiModel } from "../../../src/model/types.js";
import { configuredPlan, diagnostics, tool } from "../configuration/fixtures.js";
import { api, inputsOf, json, ok, operation, parameter } from "../fixtures.js";

const APP = { type: "object", properties: { id: { type: "string" }, state: { type: "string" } } };
const change = (name: string, rest: object = {}) =>
  operation(`POST /apps/{app_id}/${name}`, {
    operationId: `${name}App`,
    responses: [ok(APP)],
    ...rest,
  });

/** Apps that start, stop and restart, with inputs of their own. */
const apps: ApiModel = api([
  change("start", { summary: "Start an app" }),
  change("stop", {
    summary: "Stop an app",
    description: "Open requests are lost.",
    ...json({
      type: "object",
      required: ["signal"],
      properties: { signal: { type: "string" }, wait: { type: "integer" } },
    }),
  }),
  change("restart", {
    summary: "Restart an app",
    parameters: [parameter("path app_id"), parameter("query wait")],
  }),
  operation("GET /apps/{app_id}", { operationId: "getApp", responses: [ok(APP)] }),
  operation("DELETE /apps/{app_id}", {
    operationId: "deleteApp",
    summary: "Delete an app",
    responses: [ok(undefined, "204")],
  }),
  operation("GET /apps/{app_id}/log", { operationId: "getLog", responses: [ok(undefined)] }),
  operation("GET /apps/{app_id}/file", {
    operationId: "getFile",
    responses: [ok({ type: "string" }, "200", "text/plain")],
  }),
]);

const planned = (text: string) => configuredPlan(`tools:\n  control_app:\n    ${text}`, {}, apps);
const THREE =
  "merge: {start: startApp, stop: stopApp, restart: {operation: restartApp, inputs: {wait: {name: delay}}}}";

describe("an input chooses the operation", () => {
  const made = planned(THREE);
  const control = tool(made, "control_app");

  test("its values are explained, with the inputs that each needs", () => {
    expect(diagnostics(made)).toEqual([]);
    expect(inputsOf(control)).toMatchObject({
      action: {
        type: "string",
        enum: ["start", "stop", "restart"],
        description:
          "start: Start an app. stop: Stop an app; needs signal. restart: Restart an app.",
      },
      signal: { description: "Required with action stop." },
      wait: { description: "Only with action stop." },
      delay: { description: "Only with action restart." },
    });
    expect(control.definition.inputSchema.required).toEqual(["action", "app_id"]);
    expect(control.definition.description).toBe(
      "Start, stop or restart an app. With action stop: Open requests are lost. " +
        "Returns id and state.",
    );
  });

  test.each([
    { given: { action: "start", app_id: "a" }, want: "/apps/{app_id}/start" },
    { given: { action: "stop", app_id: "a", signal: "TERM" }, want: "/apps/{app_id}/stop" },
    { given: { action: "restart", app_id: "a", delay: "5" }, want: "/apps/{app_id}/restart" },
  ])("$given", ({ given, want }) => {
    const selected = selectOperation(control.definition, given);
    expect(selected.ok && selected.operation.request.path).toBe(want);
  });

  test.each([
    {
      given: { action: "stop", app_id: "a" },
      want: [{ input: "signal", problem: "is required with action stop" }],
    },
    {
      given: { action: "stop", app_id: "a", delay: "5" },
      want: [
        { input: "signal", problem: "is required with action stop" },
        { input: "delay", problem: "is not used with action stop; leave it out" },
      ],
    },
    {
      given: { action: "start", app_id: "a", signal: "TERM" },
      want: [{ input: "signal", problem: "is not used with action start; leave it out" }],
    },
  ])("$given is not sent", ({ given, want }) => {
    expect(selectOperation(control.definition, given)).toEqual({ ok: false, problems: want });
  });

  test("a renamed input of a tool stays the one that an action needs", () => {
    const renamed = tool(
      planned(`${THREE}\n    inputs: {signal: {name: sig}, action: {name: verb}}`),
      "control_app",
    );
    expect(selectOperation(renamed.definition, { verb: "stop", app_id: "a" })).toEqual({
      ok: false,
      problems: [{ input: "sig", problem: "is required with verb stop" }],
    });
  });
});

test("annotations follow the most dangerous operation", () => {
  const made = planned("merge: {start: startApp, delete: deleteApp}\n    choose: what");
  const { definition } = tool(made, "control_app");
  expect(diagnostics(made)).toEqual([]);
  expect(definition.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  expect(definition.effect).toBe("destroys");
  expect(definition.operations.map(({ choice }) => choice?.input)).toEqual(["what", "what"]);
});

test("a read goes with a write, because the call says which", () => {
  const { definition } = tool(planned("merge: {show: getApp, start: startApp}"), "control_app");
  expect(definition.annotations.readOnlyHint).toBe(false);
});

test.each([
  {
    given: "merge: {start: startApp, stop: stopAp}",
    want: '4:30 config-unknown-operation The document has no operation "stopAp"; did you mean stopApp?',
  },
  {
    given: "merge: {stop: stopApp, restart: restartApp}",
    want: "4:5 config-merge The operations of control_app cannot be one tool: the input wait differs between them.",
  },
  {
    given: "merge: {start: startApp, read: getFile}",
    want: "4:30 config-merge The operations of control_app cannot be one tool: startApp returns JSON and getFile does not.",
  },
  {
    given: "merge: {start: startApp, stop: stopApp}\n    choose: signal",
    want: "4:30 config-merge The operations of control_app cannot be one tool: stopApp has an input signal of its own.",
  },
  {
    given: "merge: [startApp, stopApp]\n    choose: verb",
    want: "4:5 config-merge The operations of control_app cannot be one tool: `choose` is for a merge whose operations have keys: {start: startApp, stop: stopApp}.",
  },
  {
    given: "merge: {start: startApp, stop: {operation: stopApp, inputs: {signl: {name: sig}}}}",
    want: '4:66 config-unknown-input "signl" is not an input of stopApp; did you mean signal?',
  },
  {
    given: "merge: {start: startApp, stop: {operation: stopApp, inputs: {signal: {name: wait}}}}",
    want: '4:66 config-unknown-input stopApp already has an input "wait".',
  },
  {
    given: "merge: {start: startApp, stop: stopApp}\n    inputs: {action: {fixed: start}}",
    want: '5:14 config-incompatible-value "action" selects one of the operations of control_app.',
  },
  {
    given: "merge: {start: startApp, stop: stopApp}\n    inputs: {only: [app_id, signal]}",
    want: '5:14 config-incompatible-value "action" selects one of the operations of control_app.',
  },
])("$given", ({ given, want }) => {
  expect(diagnostics(planned(given))).toEqual([want]);
});

/** Lists of one envelope, and a summary. */
const page = (item: JsonSchema) => ({
  type: "object",
  properties: { results: { type: "array", items: item }, cursor: { type: "string" } },
});
const record = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const list = (noun: string, item: JsonSchema, description: string) =>
  operation(`GET /${noun}`, {
    operationId: `list_${noun}`,
    summary: `List ${noun}`,
    description,
    parameters: [parameter("query cursor")],
    responses: [ok(page(item))],
  });
const inventory: ApiModel = api([
  list("hosts", record("id", "name", "cpu"), "Sorted by name. Times are in UTC."),
  list("vms", record("id", "name", "os"), "Sorted by ID. Times are in UTC."),
  operation("GET /vms/{id}", {
    operationId: "get_vm",
    description:
      "Shows a machine with its disks, its networks, its snapshots, its owner, and whatever else the host of it reports.",
    responses: [ok(record("id", "os"))],
  }),
  operation("GET /hosts/{id}", { operationId: "get_host", responses: [ok(record("id", "cpu"))] }),
]);
const inventoryTool = (rule: string) => {
  const made = configuredPlan(`tools:\n  read_inventory: ${rule}`, {}, inventory);
  expect(diagnostics(made)).toEqual([]);
  return tool(made, "read_inventory");
};

describe("operations that all read lists", () => {
  const rule = "merge: {host: list_hosts, vm: list_vms}, choose: kind";
  const { definition } = inventoryTool(`{${rule}}`);

  test("have items and the next page, whatever their envelopes", () => {
    expect(Object.keys(definition.outputSchema?.properties ?? {})).toEqual(["items", "next"]);
    expect(definition.operations.map(({ response }) => response)).toEqual([
      { items: "/results", next: { cursor: "/cursor" } },
      { items: "/results", next: { cursor: "/cursor" } },
    ]);
    expect(definition.operations.map(({ choice }) => choice?.value)).toEqual(["host", "vm"]);
  });

  test("have one description: shared sentences once, and the fields of all", () => {
    expect(definition.description).toBe(
      "Read inventory. Times are in UTC. With kind host: Sorted by name. " +
        "With kind vm: Sorted by ID. Returns items with id and name; other fields depend on kind.",
    );
  });

  test("collect the items of several pages", () => {
    const { operations } = inventoryTool(`{${rule}, pagination: {maxItems: 50}}`).definition;
    expect(operations.map(({ pagination }) => pagination?.maxItems)).toEqual([50, 50]);
  });

  test("take fields of their items", () => {
    const { outputSchema } = inventoryTool(`{${rule}, output: {pick: [name, os]}}`).definition;
    expect(JSON.stringify(outputSchema)).toContain('"os"');
    expect(JSON.stringify(outputSchema)).not.toContain('"cpu"');
  });
});

test("other results have the fields of all, and a value that is not a verb has its own text", () => {
  const described = inventoryTool("{merge: {vm: get_vm, host: get_host}, choose: kind}");
  expect(described.definition.description).toBe(
    "Read inventory. Returns id; other fields depend on kind.",
  );
  expect(inputsOf(described)["kind"]).toMatchObject({
    description:
      "vm: Show a machine with its disks, its networks, its snapshots, its owner, and whatever else " +
      "the host of it reports. host: Read inventory.",
  });
});

test("an operation that is gone is an error, and the others stay one tool", () => {
  const made = planned("merge: {start: startApp, gone: goneApp, delete: deleteApp}");
  expect(diagnostics(made).map((one) => one.split(" ")[1])).toEqual(["config-unknown-operation"]);
  expect(
    tool(made, "control_app").definition.operations.map(({ choice }) => choice?.value),
  ).toEqual(["start", "delete"]);
});
