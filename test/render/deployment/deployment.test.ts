import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ToolPlan } from "../../../src/plan/types.js";
import { render } from "../../../src/render/index.js";
import type { DeployTarget } from "../../../src/render/types.js";
import { deploymentName, kubernetesView } from "../../../src/render/views/deployment.js";
import { clinicPlan } from "../clinic-plan.js";
import { nastyTexts } from "../hostile-strings.js";
import { faultsOf, type Resource, yamlDocuments } from "./engines.js";

const targets: readonly DeployTarget[] = ["compose", "kubernetes", "workers"];
const engineFiles = ["compose.yaml", "kubernetes.yaml", "wrangler.jsonc"];
const environment: ToolPlan["environment"] = [
  { name: "CLINIC_BASE_URL", description: "Base URL.", required: true, secret: false },
  { name: "CLINIC_KEY", description: "Key.", required: true, secret: true, example: "s3cret" },
  { name: "CLINIC_TOKEN", description: "Token.", required: false, secret: true },
];
const plan: ToolPlan = { ...clinicPlan, environment };

async function filesOf(
  toolPlan: ToolPlan,
  deploy: readonly DeployTarget[] = targets,
): Promise<ReadonlyMap<string, string>> {
  const files = await render(toolPlan, { deploy });
  return new Map(files.map(({ path, content }) => [path, content]));
}

const files = await filesOf(plan);
const resources = yamlDocuments(files.get("kubernetes.yaml")!) as readonly Resource[];
const resource = (kind: string): Resource => resources.find((one) => one.kind === kind)!;

/** Modules of the runtime for engines that run several processes. */
const stores = ["encrypted", "file", "redis"].map((name) => `src/runtime/store/${name}.ts`);

test.each([
  [[], []],
  [["compose"], ["Caddyfile", "compose.yaml", ...stores]],
  [["kubernetes"], ["kubernetes.yaml", ...stores]],
  [["workers", "workers"], ["wrangler.jsonc"]],
  [targets, ["Caddyfile", "compose.yaml", "kubernetes.yaml", ...stores, "wrangler.jsonc"]],
] as const)("%j adds %j", async (deploy, want) => {
  const without = await filesOf(plan, []);
  const paths = [...(await filesOf(plan, deploy)).keys()];
  expect(paths.filter((path) => !without.has(path))).toEqual(want);
});

describe.each([
  ["an ordinary API", plan],
  [
    "an API with every nasty text",
    { ...plan, source: nastyTexts.join(" "), packageName: "@a/true~1.x_" },
  ],
])("of %s", (_, toolPlan) => {
  test.each(engineFiles)("%s is valid for its engine", async (path) => {
    expect(faultsOf(path, (await filesOf(toolPlan)).get(path)!)).toEqual([]);
  });
});

test.each([
  ["compose.yaml", "read_only: true", "read_onyl: true"],
  ["compose.yaml", "replicas: 3", "replicas: three"],
  ["kubernetes.yaml", "readinessProbe:", "readynessProbe:"],
  ["kubernetes.yaml", "replicas: 2", 'replicas: "2"'],
  ["kubernetes.yaml", "apiVersion: autoscaling/v2", "apiVersion: autoscaling/v3"],
  ["kubernetes.yaml", "containerPort: 3000", "hostIP: a"],
  ["kubernetes.yaml", "maxUnavailable: 1\n", "maxUnavailabel: 1\n"],
  ["wrangler.jsonc", '"main"', '"mian"'],
  ["wrangler.jsonc", '"keep_vars": true', '"keep_vars": "yes"'],
])("%s with %j as %j is not", (path, from, to) => {
  const text = files.get(path)!;
  expect(text).toContain(from);
  expect(faultsOf(path, text.replace(from, to))).not.toEqual([]);
});

test("no file has a value of a credential", () => {
  for (const path of engineFiles) expect(files.get(path)).not.toContain("s3cret");
});

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly containerPort: number }[];
  readonly env: readonly object[];
  readonly securityContext: object;
}

const pod = (
  resource("Deployment").spec as {
    template: { spec: { containers: readonly [Container]; securityContext: object } };
  }
).template.spec;
const [container] = pod.containers;

test("a pod is unprivileged and writes nothing", () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(container.securityContext).toEqual({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
  });
});

test("its credentials are keys of the Secret, required ones first to miss", () => {
  const fromSecret = (key: string, isOptional: boolean): object => ({
    name: key,
    valueFrom: {
      secretKeyRef: { name: container.image, key, ...(isOptional && { optional: true }) },
    },
  });
  expect(container.env).toEqual([
    { name: "CLINIC_KEPT_RESULT_BYTES", value: "0" },
    fromSecret("CLINIC_KEY", false),
    fromSecret("CLINIC_TOKEN", true),
    fromSecret("CLINIC_HTTP_TOKEN", true),
  ]);
});

test.each([
  ["startupProbe", "/health"],
  ["readinessProbe", "/ready"],
  ["livenessProbe", "/health"],
])("%s asks %s", (probe, path) => {
  expect(container).toMatchObject({ [probe]: { httpGet: { path, port: "http" } } });
  const dockerfile = files.get("Dockerfile")!;
  expect(dockerfile).toContain(`EXPOSE ${container.ports[0]!.containerPort}\n`);
  expect(dockerfile).toContain("/health");
});

test("at least two replicas run, during updates and disruptions, too", () => {
  expect(resource("Deployment").spec).toMatchObject({
    replicas: 2,
    strategy: { rollingUpdate: { maxUnavailable: 0 } },
  });
  const { minReplicas, scaleTargetRef } = resource("HorizontalPodAutoscaler").spec;
  expect([minReplicas, scaleTargetRef]).toMatchObject([
    2,
    { kind: "Deployment", name: resource("Deployment").metadata.name },
  ]);
  expect(resource("PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: 1 });
});

test("every selector is that of the pods", () => {
  const labels = { "app.kubernetes.io/name": container.image };
  expect(resource("Deployment").spec).toMatchObject({
    selector: { matchLabels: labels },
    template: { metadata: { labels } },
  });
  expect(resource("Service").spec["selector"]).toEqual(labels);
  expect(resource("PodDisruptionBudget").spec["selector"]).toEqual({ matchLabels: labels });
  expect(resource("NetworkPolicy").spec["podSelector"]).toEqual({ matchLabels: labels });
});

test.each([
  [[], [443]],
  [["https://api.example/v1"], [443]],
  [["/v1"], [443]],
  [["http://api.example"], [80, 443]],
  [
    ["https://api.example:8443", "http://other.example:81"],
    [443, 8443],
  ],
])("servers %j: the API is reached on ports %j", (urls, want) => {
  const servers = urls.map((url) => ({ url }));
  const { apiPorts } = kubernetesView({ ...plan, api: { ...plan.api, servers } });
  expect(apiPorts.map(({ port }) => Number(port))).toEqual(want);
});

test("variables of a server have their defaults", () => {
  const variables = {
    host: { env: "CLINIC_HOST", default: "api.example" },
    port: { env: "CLINIC_PORT", default: "9443" },
  };
  const servers = [{ url: "https://{host}:{port}/v1", variables }];
  const { apiPorts } = kubernetesView({ ...plan, api: { ...plan.api, servers } });
  expect(apiPorts.map(({ port }) => Number(port))).toEqual([443, 9443]);
});

test.each([
  ["clinic-mcp-server", "clinic-mcp-server"],
  ["@acme/pet_shop.v2", "pet-shop-v2"],
  ["3d-prints", "mcp-3d-prints"],
  ["~", "mcp-server"],
  ["a".repeat(80), "a".repeat(50)],
])("%s is deployed as %s", (packageName, want) => {
  expect(deploymentName({ ...plan, packageName })).toBe(want);
});

const hasCaddy = spawnSync("caddy", ["version"]).status === 0;

test.skipIf(!hasCaddy)("the proxy accepts its configuration", () => {
  const args = ["validate", "--adapter", "caddyfile", "--config", "-"];
  const { status, stderr } = spawnSync("caddy", args, {
    input: files.get("Caddyfile"),
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
});

test("the proxy looks for the replicas under the name of their service", () => {
  const [file] = yamlDocuments(files.get("compose.yaml")!) as readonly [
    { services: { server: { expose: string[]; deploy: { replicas: number } } } },
  ];
  const { expose, deploy } = file.services.server;
  expect(deploy.replicas).toBeGreaterThan(1);
  expect(readFileSync("templates/Caddyfile.hbs", "utf8")).toContain(
    `dynamic a server ${expose[0]}`,
  );
});
