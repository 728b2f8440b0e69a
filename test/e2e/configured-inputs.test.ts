import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "../runtime/support/clinic.js";
import { reply, startUpstream, type Upstream } from "../runtime/support/upstream.js";
import { configured, startServer, type TestServer } from "./in-process.js";

const org = { name: "org", in: "path", required: true, schema: { type: "string" } };
const created = {
  "201": {
    description: "created",
    content: { "application/json": { schema: { type: "object" } } },
  },
};

const document = {
  openapi: "3.1.0",
  info: { title: "Cluster", version: "1" },
  paths: {
    "/orgs/{org}/pods": {
      parameters: [org],
      get: { operationId: "listPods", responses: { "200": { description: "all" } } },
      post: {
        operationId: "createPod",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["metadata"],
                properties: {
                  metadata: {
                    type: "object",
                    required: ["name", "namespace"],
                    properties: { name: { type: "string" }, namespace: { type: "string" } },
                  },
                  tenant: { type: "integer" },
                  replicas: { type: "integer" },
                  note: { type: "string" },
                },
              },
            },
          },
        },
        responses: created,
      },
    },
  },
};

const CONFIGURATION = `
parameters:
  org: {env: CLUSTER_ORG, override: true}
  metadata.namespace: {env: CLUSTER_NAMESPACE}
  tenant: {env: CLUSTER_TENANT}
tools:
  create_pod:
    inputs:
      only: [org, metadata, replicas]
`;

let upstream: Upstream;
let server: TestServer;
beforeAll(async () => {
  upstream = await startUpstream(reply(201, { done: true }));
  server = await startServer(document, {
    ...configured(CONFIGURATION),
    granularity: "operation",
  });
  server.useBaseUrl(upstream.url);
});
afterAll(() => upstream.close());

const variables = { ORG: "acme", NAMESPACE: "prod", TENANT: "7" };

async function send(
  input: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>> = variables,
) {
  const before = upstream.requests.length;
  const text = textOf(
    await server.call(server.toolOf("createPod"), input, env as typeof variables),
  );
  const { url, body } = upstream.requests[before] ?? {};
  return { text, url, body: body === undefined ? undefined : (JSON.parse(body) as unknown) };
}

test.each([
  {
    given: { metadata: { name: "web" } },
    url: "/orgs/acme/pods",
    body: { metadata: { name: "web", namespace: "prod" }, tenant: 7 },
  },
  {
    given: { org: "other", metadata: { name: "web" }, replicas: 2 },
    url: "/orgs/other/pods",
    body: { metadata: { name: "web", namespace: "prod" }, tenant: 7, replicas: 2 },
  },
])("$given is sent to $url", async ({ given, url, body }) => {
  expect(await send(given)).toMatchObject({ url, body });
});

test.each([
  {
    given: { metadata: { name: "web" } },
    env: { NAMESPACE: "prod", TENANT: "7" },
    want: "org: is missing; pass it, because this server has no default: CLUSTER_ORG is not set",
  },
  {
    given: { metadata: { name: "web" } },
    env: { ORG: "acme", TENANT: "7" },
    want: "the environment variable CLUSTER_NAMESPACE is not set",
  },
  {
    given: { metadata: { name: "web" }, tenant: 8 },
    env: variables,
    want: "tenant",
  },
])("$given with $env is not sent", async ({ given, env, want }) => {
  const { text, url } = await send(given, env);
  expect(text).toContain(want);
  expect(url).toBeUndefined();
});
