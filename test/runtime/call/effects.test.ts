import { afterEach, expect, test } from "vitest";
import { type AnyTool, defineCustomTool, ToolError } from "../../../src/runtime/index.js";
import {
  defineSteps,
  defineWorkflow,
  defineWorkflowTool,
} from "../../../src/runtime/workflow/index.js";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

/** Texts of calls that failed after some of their writes had taken effect. */
let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const petParams = { ownerId: "ownerId", petId: "petId" };
const ofPet = {
  properties: { ownerId: text, petId: text },
  required: ["ownerId", "petId"],
} as const;
const itemPath = "/owners/{ownerId}/pets/{petId}";
const getPet = toolOf({
  name: "get_pet",
  send: { path: itemPath, pathParams: petParams },
  ...ofPet,
});
const deletePet = toolOf({
  name: "delete_pet",
  annotations: { ...writes, destructiveHint: true },
  send: { method: "DELETE", path: itemPath, pathParams: petParams },
  ...ofPet,
});
const create = toolOf({
  name: "create_pet",
  annotations: writes,
  properties: { ownerId: text },
  required: ["ownerId"],
  send: { method: "POST", path: "/owners/{ownerId}/pets", pathParams: { ownerId: "ownerId" } },
});
const created = { input: "petId", collection: "pets", fields: ["petId", "id"] };
const createPet = {
  ...create,
  operations: create.operations.map((one) => ({
    ...one,
    readBack: { tool: "get_pet", inputs: { ownerId: "ownerId" }, created },
    revert: "delete_pet",
  })),
};
const notify = toolOf({
  name: "notify",
  annotations: writes,
  send: { method: "POST", path: "/notices" },
});
const custom = (end: (tools: Tools) => Promise<unknown>): AnyTool =>
  defineCustomTool({
    name: "admit",
    title: "Admit",
    description: "Admit.",
    annotations: {},
    inputSchema: { type: "object", properties: {} },
    run: async (_: never, { tools }) => {
      await (tools as Tools)["get_pet"]!({ ownerId: "o1", petId: "p0" });
      await (tools as Tools)["create_pet"]!({ ownerId: "o1" });
      return String(await end(tools as Tools));
    },
  }) as AnyTool;
type Tools = Readonly<Record<string, (input: object) => Promise<unknown>>>;

const steps = defineSteps({
  create: {
    id: "create",
    target: "POST /owners/{ownerId}/pets",
    tool: "create_pet",
    request: create.operations[0]!.request,
  },
  notify: {
    id: "notify",
    target: "POST /notices",
    request: { method: "POST", path: "/notices" },
  },
});
const workflow = defineWorkflowTool({
  ...toolOf({ name: "admit", annotations: writes }),
  sends: [],
  execute: defineWorkflow("admit", async (_: object, run) => {
    await run.send(steps.create, { ownerId: "o1" });
    run.complete(steps.create);
    const result = await run.send(steps.notify, {});
    if (!result.ok) throw run.failure(steps.notify, result);
    return {};
  }),
}) as AnyTool;

const REVERT =
  'Only if the user wants to undo it: call delete_pet with ownerId "o1" and petId "p 7".';
async function admit(tool: AnyTool, others: readonly AnyTool[] = [deletePet]): Promise<string> {
  upstream = await startUpstream((response, request, count) => {
    const isNotice = request.url === "/notices";
    reply(isNotice ? 409 : 200, isNotice ? { message: "Full." } : { id: "p 7" })(
      response,
      request,
      count,
    );
  });
  const options = {
    env: { CLINIC_BASE_URL: upstream.url },
    others: [getPet, createPet, notify, ...others],
  };
  return textOf(await call(tool as never, {}, options as never));
}

test.each<[string, AnyTool]>([
  ["an error for the agent", custom(() => Promise.reject(new ToolError("No room.")))],
  ["an error of the code", custom(() => Promise.reject(new Error("Bug.")))],
  ["a call that fails", custom(({ notify: send }) => send!({}))],
  ["a step of a workflow that fails", workflow],
])("%s comes with the writes before it, and with what reverts them", async (_, tool) => {
  const shown = await admit(tool);
  expect(shown).toMatch(/Took effect[^:]*, do not repeat: create/);
  expect(shown).toContain(REVERT);
  expect(upstream.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("nothing is said to revert a write that no tool reverts", async () => {
  const shown = await admit(workflow, []);
  expect(shown).toContain("Took effect, do not repeat: create");
  expect(shown).not.toContain("undo");
});

test("a success says nothing about reverting", async () => {
  expect(await admit(custom(async () => "Done."))).toBe("Done.");
});
