/** Approvals of a server of several APIs: no write of any of them is sent without a yes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfiguration } from "../../src/configuration/index.js";
import { generateApis } from "../../src/generate-apis.js";
import type { ToolPlan } from "../../src/plan/index.js";
import { type AnyTool, defineCustomTool } from "../../src/runtime/index.js";
import type { ServerContextOptions } from "../../src/runtime/index.js";
import {
  defineWorkflow,
  defineWorkflowTool,
  type StepDefinition,
} from "../../src/runtime/workflow/index.js";
import { callersOf, testAnswers, type Way } from "../runtime/approvals/answers.js";
import { connect, type Person } from "../runtime/approvals/asking.js";
import { testNodePlatform } from "../runtime/support/by-node.js";
import { writeDocuments } from "./documents.js";
import { startUpstream, type Upstream } from "./server.js";

const text = { type: "string" };
const json = (schema: object): object => ({
  description: "OK",
  content: { "application/json": { schema } },
});
const id = [{ name: "id", in: "path", required: true, schema: text }];
/** An API with a thing that can be deleted, and a report that takes time. */
const documentOf = (title: string, noun: string): object => ({
  openapi: "3.1.0",
  info: { title, version: "1" },
  servers: [{ url: `https://${noun}.example` }],
  paths: {
    [`/${noun}s/{id}`]: {
      get: {
        summary: `Get a ${noun}`,
        parameters: id,
        responses: { 200: json({ type: "object", properties: { id: text, name: text } }) },
      },
      delete: {
        summary: `Delete ${noun === "user" ? "a" : "an"} ${noun}`,
        parameters: id,
        responses: { 204: { description: "Deleted" } },
      },
    },
    [`/${noun}-exports`]: {
      post: {
        summary: `Replace the ${noun} export`,
        "x-mcp": { annotations: { destructiveHint: true } },
        responses: { 202: json({ $ref: "#/components/schemas/Export" }) },
      },
    },
    [`/${noun}-exports/{id}`]: {
      get: {
        summary: `Get a ${noun} export`,
        parameters: id,
        responses: { 200: json({ $ref: "#/components/schemas/Export" }) },
      },
    },
  },
  components: {
    schemas: {
      Export: {
        type: "object",
        properties: {
          id: text,
          status: { type: "string", enum: ["queued", "running", "succeeded", "failed"] },
        },
      },
    },
  },
});

let plan: ToolPlan;
let upstreams: Record<"crm" | "shop", Upstream>;
beforeAll(async () => {
  const files = writeDocuments({
    "crm.json": documentOf("CRM", "user"),
    "shop.json": documentOf("Shop", "order"),
    "mcp-gen.yaml":
      "version: 1\nname: acme-mcp-server\napprove: destructive\n" +
      "apis: {crm: {spec: ./crm.json}, shop: {spec: ./shop.json}}\n",
  });
  const { configuration } = await readConfiguration(files.path("mcp-gen.yaml"));
  const sources = configuration!.apis!.map(({ name, configuration: own }) => ({
    name,
    source: own.settings.spec!,
    configuration: own,
  }));
  const options = { configuration: configuration!, planOnly: true };
  plan = (await generateApis(sources, undefined, options)).plan!;
  files.remove();
  const answer: Upstream["respond"] = ({ method }, response) => {
    response.setHeader("content-type", "application/json");
    response.statusCode = method === "POST" ? 202 : method === "DELETE" ? 204 : 200;
    const status = method === "GET" ? "succeeded" : "queued";
    response.end(method === "DELETE" ? "" : JSON.stringify({ id: "1", name: "Ada", status }));
  };
  upstreams = { crm: await startUpstream({}), shop: await startUpstream({}) };
  for (const upstream of Object.values(upstreams)) upstream.respond = answer;
});
afterAll(() => Promise.all(Object.values(upstreams).map((upstream) => upstream.stop())));

const writes = { destructiveHint: true, readOnlyHint: false, idempotentHint: false };

/** A workflow that deletes a user of crm and an order of shop. */
function acrossApis(): AnyTool {
  const step = (api: string, path: string): StepDefinition => ({
    id: api,
    target: `DELETE ${path}`,
    request: { method: "DELETE", path, pathParams: { id: "id" } },
    api: plan.apis!.find(({ name }) => name === api)!.plan.api,
  });
  const steps = [step("crm", "/users/{id}"), step("shop", "/orders/{id}")];
  return defineWorkflowTool<Record<string, unknown>, object>({
    name: "forget",
    title: "Forget a person",
    description: "Deletes a user and an order.",
    annotations: { ...writes, openWorldHint: true },
    inputSchema: { type: "object", properties: { id: text }, required: ["id"] },
    sends: steps.map(({ target }) => target),
    execute: (input, run) =>
      run.continueWith(
        defineWorkflow("forget", async (values: Record<string, unknown>) => {
          for (const one of steps) await run.send(one, values);
          return {};
        }),
        input,
      ),
  }) as AnyTool;
}

const tidy = defineCustomTool({
  name: "tidy",
  title: "Tidy",
  description: "Deletes an order.",
  annotations: { destructiveHint: false },
  inputSchema: { type: "object", properties: {} },
  run: async (_: never, { callTool }) => {
    await callTool("delete_order", { id: "1" });
    return "Done.";
  },
}) as AnyTool;

/** Name, arguments, and the writes that are sent after a yes. */
const ways: readonly Way[] = [
  ["delete_user", { id: "1" }, ["crm DELETE /users/1"]],
  ["delete_order", { id: "1" }, ["shop DELETE /orders/1"]],
  ["call_tool", { name: "delete_user", arguments: { id: "1" } }, ["crm DELETE /users/1"]],
  ["forget", { id: "1" }, ["crm DELETE /users/1", "shop DELETE /orders/1"]],
  ["tidy", {}, ["shop DELETE /orders/1"]],
  ["replace_user_exports", {}, ["crm POST /user-exports"]],
  ["replace_order_exports", {}, ["shop POST /order-exports"]],
  ["crm_send_request", { method: "DELETE", path: "/users/1" }, ["crm DELETE /users/1"]],
];

const optionsOf = (env: Record<string, string> = {}): ServerContextOptions => ({
  api: plan.api,
  tools: [...plan.tools.map(({ definition }) => definition), acrossApis(), tidy],
  platform: testNodePlatform,
  write: () => {},
  env: {
    LOG_LEVEL: "silent",
    ACME_CRM_BASE_URL: upstreams.crm.url,
    ACME_SHOP_BASE_URL: upstreams.shop.url,
    ACME_MODE: "hybrid",
    ACME_RAW_REQUESTS: "true",
    ACME_RUN_STEPS: "true",
    ACME_ALLOW_UNAUTHENTICATED: "1",
    ...env,
  },
});
const yes: Person = () => ({ action: "accept", content: { confirm: true } });
const answers: readonly (readonly [string, Person, boolean])[] = [
  ["yes", yes, true],
  ["no", () => ({ action: "accept", content: { confirm: false } }), false],
  ["decline", () => ({ action: "decline" }), false],
];

/** The writes that both APIs have received since their counts. */
function sentSince(counts: readonly number[]): readonly string[] {
  return Object.entries(upstreams).flatMap(([name, { received }], i) =>
    received
      .slice(counts[i])
      .filter(({ method }) => method !== "GET")
      .map(({ method, url }) => `${name} ${method} ${url}`),
  );
}
const counts = (): readonly number[] =>
  Object.values(upstreams).map(({ received }) => received.length);

describe.each(["2025-11-25", "2026-07-28"])("%s", (revision) => {
  describe.each(["stdio", "http", "worker"] as const)("over %s", (transport) => {
    test.each<[string, object]>([
      ["none", {}],
      ["URLs only", { elicitation: { url: {} } }],
      ["forms", { elicitation: { form: {}, url: {} } }],
    ])("a client with elicitation: %s", async (name, capabilities) => {
      const canAsk = name === "forms" && (transport !== "worker" || revision === "2026-07-28");
      for (const [answer, person, isYes] of canAsk ? answers : answers.slice(0, 1)) {
        const asked: string[] = [];
        const client = await connect(optionsOf(), transport, revision, capabilities, (question) => {
          asked.push(question.message);
          return person(question);
        });
        for (const [tool, args, wanted] of ways) {
          const before = counts();
          asked.length = 0;
          const { isError = false } = await client.callTool({
            name: tool,
            arguments: args as Record<string, unknown>,
          });
          const want = canAsk && isYes ? wanted : [];
          expect(sentSince(before), `${tool}: ${answer}`).toEqual(want);
          expect(asked, tool).toHaveLength(canAsk ? 1 : 0);
          expect(isError, tool).toBe(want.length === 0);
        }
        const before = counts();
        const steps = [{ tool: "delete_user", arguments: { id: "1" } }];
        await client.callTool({ name: "run_steps", arguments: { steps } });
        expect(counts()).toEqual(before);
        await client.close();
      }
    });
  });
});

test("the question names the API that gets the request", async () => {
  const asked: string[] = [];
  const forms = { elicitation: { form: {} } };
  const client = await connect(optionsOf(), "stdio", "2026-07-28", forms, (question) => {
    asked.push(question.message);
    return { action: "decline" };
  });
  await client.callTool({ name: "delete_order", arguments: { id: "1" } });
  await client.callTool({
    name: "crm_send_request",
    arguments: { method: "DELETE", path: "/users/1" },
  });
  await client.close();
  expect(asked).toEqual([
    "Delete an order: Ada (id 1)?\nIt has status: succeeded\nRequest to Shop: DELETE /orders/1",
    "Send DELETE /users/1: Ada?\nIt has status: succeeded, id: 1\nRequest to CRM: DELETE /users/1",
  ]);
});

test("APIs of one server are asked about by their own settings", async () => {
  const env = { ACME_SHOP_APPROVALS: "off", ACME_CRM_APPROVALS: "refuse" };
  const forms = { elicitation: { form: {} } };
  const client = await connect(optionsOf(env), "stdio", "2026-07-28", forms, yes);
  const before = counts();
  await client.callTool({ name: "delete_order", arguments: { id: "1" } });
  const refused = await client.callTool({ name: "delete_user", arguments: { id: "1" } });
  await client.close();
  expect(sentSince(before)).toEqual(["shop DELETE /orders/1"]);
  expect(JSON.stringify(refused.content)).toContain("ACME_CRM_APPROVALS=refuse");
});

describe("every way to call, and to abuse its answer", () => {
  const options = (more: object) => ({ ...optionsOf(callersOf("ACME")), ...more });
  testAnswers(options, ways, () => {
    const before = counts();
    return () => sentSince(before);
  });
});
