import { afterAll, beforeAll, expect, test } from "vitest";
import { documentInputs } from "../../src/mock/index.js";
import { SchemaSet } from "../../src/mock/schema-set.js";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured, startServer, type TestServer } from "./in-process.js";

const text = { type: "string" };
const app = { type: "object", properties: { id: text, name: text, state: text } };
const ok = (schema: object) => ({
  "200": { description: "ok", content: { "application/json": { schema } } },
});
const org = { name: "org", in: "path", required: true, schema: text };
const appId = { name: "app_id", in: "path", required: true, schema: text };
const post = (operationId: string, summary: string, rest: object = {}) => ({
  post: { operationId, summary, parameters: [org, appId], responses: ok(app), ...rest },
});
const stopBody = {
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["signal"],
        properties: {
          signal: { type: "string", enum: ["TERM", "KILL"] },
          meta: {
            type: "object",
            additionalProperties: false,
            properties: { namespace: text, note: text },
          },
        },
      },
    },
  },
};

const document = {
  openapi: "3.1.0",
  info: { title: "Apps", version: "1" },
  paths: {
    "/orgs/{org}/apps": {
      get: {
        operationId: "listApps",
        parameters: [org],
        responses: ok({ type: "array", items: app }),
      },
    },
    "/orgs/{org}/apps/{app_id}/start": post("startApp", "Start an app"),
    "/orgs/{org}/apps/{app_id}/stop": post("stopApp", "Stop an app", { requestBody: stopBody }),
    "/orgs/{org}/apps/{app_id}/restart": post("restartApp", "Restart an app"),
  },
};

const CONFIGURATION = `
parameters:
  org: {env: APPS_ORG, override: true}
  meta.namespace: {env: APPS_NAMESPACE}
tools:
  control_app:
    merge: {start: startApp, stop: stopApp, restart: restartApp}
    inputs: {app_id: {resolve: {via: list_apps, match: name}}}
`;

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(200, request.url.endsWith("/apps") ? [{ id: "7", name: "web" }] : { id: "7" })(
      response,
      request,
      count,
    ),
  );
  server = await startServer(document, configured(CONFIGURATION));
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

async function send(input: Record<string, unknown>) {
  const before = upstream.requests.length;
  const variables = { ORG: "acme", NAMESPACE: "prod" };
  const result = await server.call(server.toolOf("stopApp"), input, variables);
  const requests = upstream.requests.slice(before);
  return { text: textOf(result), sent: requests.map(({ url, body }) => `${url} ${body}`.trim()) };
}

test.each([
  // The lookup of the name is in the organization of the call.
  {
    given: { action: "start", app_id: "web" },
    sent: ["/orgs/acme/apps", "/orgs/acme/apps/7/start"],
  },
  {
    given: { action: "restart", app_id: "web", org: "other" },
    sent: ["/orgs/other/apps", "/orgs/other/apps/7/restart"],
  },
  {
    given: { action: "stop", app_id: "7", signal: "TERM" },
    sent: [
      "/orgs/acme/apps",
      '/orgs/acme/apps/7/stop {"signal":"TERM","meta":{"namespace":"prod"}}',
    ],
  },
])("$given", async ({ given, sent }) => {
  expect(await send(given)).toMatchObject({ sent });
});

test.each([
  { given: { app_id: "7" }, want: "- action: is required" },
  { given: { action: "strat", app_id: "7" }, want: '"strat" is not one of "start", "stop"' },
  { given: { action: "stop", app_id: "7" }, want: "- signal: is required with action stop" },
  {
    given: { action: "start", app_id: "7", signal: "KILL" },
    want: "- signal: is not used with action start; leave it out",
  },
])("$given is not sent", async ({ given, want }) => {
  const { text: shown, sent } = await send(given);
  expect(shown).toContain(want);
  expect(sent).toEqual([]);
});

test("the contract test of the project calls each action with its own inputs", () => {
  const tool = server.toolOf("stopApp");
  const { mock } = server.plan;
  const inputs = documentInputs(
    tool as never,
    mock as never,
    new SchemaSet(mock.schemas, "request"),
  );
  const actions = inputs.map(({ input }) => Object.keys(input).toSorted().join(" "));
  expect(new Set(inputs.map(({ input }) => input["action"]))).toEqual(
    new Set(["start", "stop", "restart"]),
  );
  expect(actions).toContain("action app_id meta org signal");
  expect(inputs.find(({ input }) => "meta" in input)?.input["meta"]).not.toHaveProperty(
    "namespace",
  );
});
