import { describe, expect, test } from "vitest";
import { isError } from "../../../src/diagnostics/index.js";
import type { ApiModel } from "../../../src/model/types.js";
import type { PlannedTool } from "../../../src/plan/types.js";
import { bindRequest } from "../../../src/runtime/request/bind-request.js";
import { api, inputsOf, json, ok, operation, parameter } from "../fixtures.js";
import { configuredPlan, diagnostics, tool } from "./fixtures.js";

const METADATA = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    namespace: { type: "string" },
    labels: { type: "object" },
  },
} as const;

/** Objects with metadata, as those of Kubernetes, and an organization in every path. */
const cluster: ApiModel = api(
  [
    operation("GET /orgs/{org}/pods", {
      operationId: "listPods",
      parameters: [parameter("path org"), parameter("query limit"), parameter("query phase")],
      responses: [ok({ type: "array", items: { type: "object" } })],
    }),
    operation("POST /orgs/{org}/pods", {
      operationId: "createPod",
      ...json({
        type: "object",
        required: ["metadata", "server_uuid"],
        properties: {
          metadata: { $ref: "#/$defs/Metadata" },
          server_uuid: { type: "string" },
          owner: { type: "object", properties: { id: { type: "string" } } },
          containers: {
            type: "array",
            items: {
              type: "object",
              properties: { image: { type: "string" }, pull_policy: { type: "string" } },
            },
          },
          note: { type: "string" },
        },
      }),
      responses: [ok({ type: "object" }, "201")],
    }),
    operation("POST /orgs/{org}/raw", {
      operationId: "createRaw",
      ...json({ anyOf: [{ $ref: "#/$defs/Raw" }, { type: "string" }] }),
      responses: [ok({ type: "object" }, "201")],
    }),
    operation("GET /orgs/{org}/apps/{name}", {
      operationId: "getApp",
      responses: [ok(METADATA)],
    }),
    operation("GET /orgs/{org}/apps/{name}/events", {
      operationId: "listAppEvents",
      responses: [ok({ type: "array", items: METADATA })],
    }),
    operation("GET /hosts", {
      operationId: "listHosts",
      tags: ["hosts"],
      parameters: [parameter("query region")],
      responses: [ok({ type: "array", items: { type: "object" } })],
    }),
  ],
  {
    schemas: {
      Metadata: METADATA,
      Raw: { type: "object", properties: { metadata: { $ref: "#/$defs/Metadata" } } },
    },
  },
);

const planned = (text: string, options = {}) => configuredPlan(text, options, cluster);
const clean = (text: string, name: string): PlannedTool => {
  const made = planned(text);
  expect(diagnostics(made)).toEqual([]);
  return tool(made, name);
};

/** Request of a call, as it is sent. */
function sent(
  { definition }: PlannedTool,
  input: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = {},
): { readonly url?: string; readonly body?: unknown; readonly problems?: readonly string[] } {
  const mapping = definition.operations[0]!.request;
  const bound = bindRequest(mapping, input, { env: env as Record<string, string>, api: API });
  if (!bound.ok)
    return { problems: bound.problems.map(({ input: name, problem }) => `${name}: ${problem}`) };
  const { url, body } = bound.request;
  return { url, ...(body !== undefined && { body: JSON.parse(body as string) as unknown }) };
}

const API = {
  name: "cluster",
  title: "Cluster",
  version: "1",
  envPrefix: "CLUSTER",
  servers: [{ url: "https://cluster.example" }],
  securitySchemes: {},
};

const pod = { org: "acme", metadata: { name: "web" }, server_uuid: "s1" };

describe("parameters reach bodies", () => {
  test("a field of a body", () => {
    const create = clean("parameters: {server_uuid: {env: SERVER_UUID}}", "create_pod");
    expect(Object.keys(inputsOf(create))).not.toContain("server_uuid");
    expect(sent(create, { org: "acme", metadata: { name: "web" } }, { SERVER_UUID: "s9" })).toEqual(
      {
        url: "https://cluster.example/orgs/acme/pods",
        body: { metadata: { name: "web" }, server_uuid: "s9" },
      },
    );
  });

  test.each([
    {
      given: "{metadata.namespace: {env: NAMESPACE}}",
      input: pod,
      env: { NAMESPACE: "prod" },
      want: { metadata: { name: "web", namespace: "prod" }, server_uuid: "s1" },
    },
    {
      // The value of the server replaces that of a caller who sends an undocumented field.
      given: "{metadata.namespace: {fixed: prod}}",
      input: { ...pod, metadata: { name: "web", namespace: "other" } },
      want: { metadata: { name: "web", namespace: "prod" }, server_uuid: "s1" },
    },
    {
      given: "{metadata.namespace: {hide: true}}",
      input: { ...pod, metadata: { name: "web", namespace: "other" } },
      want: { metadata: { name: "web" }, server_uuid: "s1" },
    },
    {
      given: "{owner.id: {fixed: u1}}",
      input: pod,
      want: { metadata: { name: "web" }, server_uuid: "s1", owner: { id: "u1" } },
    },
    {
      given: '{"containers[].pull_policy": {fixed: Always}}',
      input: { ...pod, containers: [{ image: "a" }, { image: "b" }] },
      want: {
        metadata: { name: "web" },
        server_uuid: "s1",
        containers: [
          { image: "a", pull_policy: "Always" },
          { image: "b", pull_policy: "Always" },
        ],
      },
    },
    {
      given: '{"containers[].pull_policy": {fixed: Always}}',
      input: pod,
      want: { metadata: { name: "web" }, server_uuid: "s1" },
    },
  ])("$given", ({ given, input, env, want }) => {
    expect(sent(clean(`parameters: ${given}`, "create_pod"), input, env).body).toEqual(want);
  });

  test("the field is no part of the input any more, and the shared schema keeps it", () => {
    const made = planned("parameters: {metadata.namespace: {env: NAMESPACE}}");
    const { metadata } = inputsOf(tool(made, "create_pod"));
    expect(Object.keys(metadata?.properties ?? {})).toEqual(["name", "labels"]);
    expect(tool(made, "create_raw").inputs.map(({ name }) => name)).toEqual(["org", "body"]);
    expect(made.environment.find(({ name }) => name === "NAMESPACE")).toMatchObject({
      required: false,
      secret: false,
    });
  });

  test("an input of which nothing is left is removed", () => {
    const { inputs } = clean("parameters: {owner.id: {env: OWNER}}", "create_pod");
    expect(inputs.map(({ name }) => name)).not.toContain("owner");
  });

  test("a whole body", () => {
    const raw = clean("parameters: {metadata.namespace: {fixed: prod}}", "create_raw");
    expect(sent(raw, { org: "acme", body: { metadata: { name: "web" } } }).body).toEqual({
      metadata: { name: "web", namespace: "prod" },
    });
  });

  test("a rule of a tool replaces the value for the whole API", () => {
    const create = clean(
      "parameters: {metadata.namespace: {env: NAMESPACE}}\n" +
        "tools: {create_pod: {inputs: {metadata.namespace: {fixed: prod}}}}",
      "create_pod",
    );
    expect(sent(create, pod, { NAMESPACE: "dev" }).body).toMatchObject({
      metadata: { namespace: "prod" },
    });
  });
});

describe("env with override", () => {
  const text = "parameters: {org: {env: CLUSTER_ORG, override: true}}";

  test.each([
    {
      input: {},
      env: { CLUSTER_ORG: "acme" },
      want: { url: "https://cluster.example/orgs/acme/pods" },
    },
    {
      input: { org: "other" },
      env: { CLUSTER_ORG: "acme" },
      want: { url: "https://cluster.example/orgs/other/pods" },
    },
    {
      input: {},
      env: {},
      want: {
        problems: [
          "org: is missing; pass it, because this server has no default: CLUSTER_ORG is not set",
        ],
      },
    },
  ])("$input with $env", ({ input, env, want }) => {
    expect(sent(clean(text, "list_pods"), input, env)).toEqual(want);
  });

  test("the input is optional, and its description names the variable", () => {
    const { definition, inputs } = clean(text, "list_pods");
    expect(definition.inputSchema.required).toBeUndefined();
    expect(inputs.find(({ name }) => name === "org")).toMatchObject({
      required: false,
      description: expect.stringMatching(
        /Default: CLUSTER_ORG of this server, if set\.$/,
      ) as string,
    });
  });

  test("a tool that selects its operation by the value has no default", () => {
    const made = configuredPlan("parameters: {product_id: {env: PRODUCT, override: true}}", {
      granularity: "task",
    });
    expect(diagnostics(made)).toEqual([]);
    const sources = made.tools.flatMap(({ definition: { name, operations } }) =>
      operations.map(({ request }) => [name, request.pathParams?.["product_id"]]),
    );
    expect(sources).toContainEqual(["find_products", "product_id"]);
    expect(sources).toContainEqual([
      "delete_product",
      { from: "product_id", defaultEnv: "PRODUCT", required: true },
    ]);
  });

  test("it goes with the other keys of an input", () => {
    const { inputs } = clean(
      "tools: {list_pods: {inputs: {org: {env: CLUSTER_ORG, override: true, name: organization}}}}",
      "list_pods",
    );
    expect(inputs[0]?.name).not.toBe("org");
    expect(inputs.map(({ name }) => name)).toContain("organization");
  });

  test("the variable beats a default", () => {
    const list = clean(
      "tools: {list_pods: {inputs: {org: {env: CLUSTER_ORG, override: true, default: public}}}}",
      "list_pods",
    );
    expect(sent(list, {}, { CLUSTER_ORG: "acme" }).url).toMatch(/acme/);
    expect(sent(list, {}).url).toMatch(/public/);
  });
});

describe("only", () => {
  test("all other inputs are never sent and never shown", () => {
    const create = clean(
      "tools: {create_pod: {inputs: {only: [org, metadata], server_uuid: {env: SERVER_UUID}}}}",
      "create_pod",
    );
    expect(create.inputs.map(({ name }) => name)).toEqual(["org", "metadata"]);
    expect(create.definition.inputSchema["$defs"]).toBeUndefined();
    expect(sent(create, pod, { SERVER_UUID: "s9" }).body).toEqual({
      metadata: { name: "web" },
      server_uuid: "s9",
    });
  });

  test.each([
    { only: "[org, name]", want: ["org", "name"] },
    { only: "[org, name, include]", want: ["org", "name", "include"] },
    {
      only: "[org, name, fields]",
      rest: ", output: {fields: true}",
      want: ["org", "name", "fields"],
    },
    { only: "[org, name]", rest: ", output: {fields: true}", want: ["org", "name", "fields"] },
  ])("$only$rest also decides about inputs that reads get", ({ only, rest = "", want }) => {
    const read = clean(`tools: {get_app: {inputs: {only: ${only}}${rest}}}`, "get_app");
    expect(read.inputs.map(({ name }) => name)).toEqual(want);
  });

  test("an input with a default of the environment has only that value", () => {
    const list = clean(
      "parameters: {org: {env: CLUSTER_ORG, override: true}}\n" +
        "tools: {list_pods: {inputs: {only: [phase]}}}",
      "list_pods",
    );
    expect(list.inputs.map(({ name }) => name)).toEqual(["phase"]);
    expect(sent(list, {}, { CLUSTER_ORG: "acme" }).url).toMatch(/acme/);
    expect(sent(list, {}).problems).toEqual([
      ": the environment variable CLUSTER_ORG is not set; set it for this server, then restart it; do not retry",
    ]);
  });

  test("an input that is renamed stays", () => {
    const list = clean(
      "tools: {list_pods: {inputs: {only: [org, phase], phase: {name: state}}}}",
      "list_pods",
    );
    expect(list.inputs.map(({ name }) => name)).toEqual(["org", "state"]);
  });
});

test("required: false makes an input optional", () => {
  const create = clean(
    "tools: {create_pod: {inputs: {server_uuid: {required: false}}}}",
    "create_pod",
  );
  expect(create.definition.inputSchema.required).toEqual(["org", "metadata"]);
});

test.each([
  {
    given: "parameters: {server_uid: {fixed: a}}",
    want: '2:14 config-unknown-parameter No operation has a parameter "server_uid"; did you mean server_uuid?',
  },
  {
    given: "parameters: {metadata.namespce: {fixed: a}}",
    want: '2:14 config-unknown-parameter No selected tool has a field "metadata.namespce" in its body; did you mean metadata.namespace?',
  },
  {
    given: "parameters: {metadata.namespace: {fixed: 5}}",
    want: '2:14 config-incompatible-value The value of "metadata.namespace" does not satisfy the schema of the field, which takes a string.',
  },
  {
    given: "parameters: {metadata.namespace: {env: A, override: true}}",
    want: '2:14 config-incompatible-value "metadata.namespace" is a field inside an input.',
  },
  {
    given: "parameters: {metadata.name: {hide: true}}",
    want: '2:14 config-hidden-required The API requires "metadata.name", but create_pod does not send it.',
  },
  {
    given:
      "select: {rules: [{match: {tags: [hosts]}, include: false}]}\nparameters: {region: {fixed: eu}}",
    want: '3:14 config-unknown-parameter No selected operation has "region": GET /hosts, which has it, is left out.',
  },
  {
    given: "tools:\n  list_pods:\n    inputs:\n      only: [org, phas]",
    want: '5:19 config-unknown-input "phas" is not an input of list_pods; did you mean phase?',
  },
  {
    given: "tools:\n  list_pods:\n    inputs:\n      only: [phase]",
    want: '5:7 config-incompatible-value "org" is a part of the path and cannot be hidden.',
  },
  {
    given: "tools:\n  create_pod:\n    inputs:\n      only: [org, metadata]",
    want: '5:7 config-hidden-required The API requires "server_uuid", but create_pod does not send it.',
  },
  {
    given:
      "tools:\n  list_pods:\n    inputs:\n      only: [org]\n      limit: {description: Most pods.}",
    want: '6:7 config-unknown-input The rule of "limit" has no effect, because only does not list this input.',
  },
  {
    given: "tools:\n  create_pod:\n    inputs:\n      metadata.nmae: {fixed: a}",
    want: '5:7 config-unknown-input "metadata.nmae" is not a field of an input of create_pod; did you mean metadata.name?',
  },
  {
    given: "tools:\n  create_pod:\n    inputs:\n      metadata.name: {description: A name.}",
    want: '5:7 config-unknown-input "metadata.name" is a field inside an input of create_pod.',
  },
])("$given", ({ given, want }) => {
  expect(diagnostics(planned(given)).filter((line, i) => i === 0 || line !== want)).toEqual([want]);
});

test("an entry without a selected operation is no error where the command line selects", () => {
  const made = planned("parameters: {region: {fixed: eu}}", { skip: ["hosts"] });
  expect(diagnostics(made)).toEqual([
    '2:14 config-left-out No selected operation has "region": GET /hosts, which has it, is left out.',
  ]);
  expect(made.diagnostics.some(isError)).toBe(false);
});
