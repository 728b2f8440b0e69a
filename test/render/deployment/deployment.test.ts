import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ToolPlan } from "../../../src/plan/types.js";
import { render } from "../../../src/render/index.js";
import type { DeployTarget } from "../../../src/render/types.js";
import {
  deploymentDiagnostics,
  deploymentName,
  kubernetesView,
} from "../../../src/render/views/deployment.js";
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
  [
    ["workers", "workers"],
    [...stores, "wrangler.jsonc"],
  ],
  [["valkey", "prometheus"], stores],
  [targets, ["Caddyfile", "compose.yaml", "kubernetes.yaml", ...stores, "wrangler.jsonc"]],
] as const)("%j adds %j", async (deploy, want) => {
  const without = await filesOf(plan, []);
  const paths = [...(await filesOf(plan, deploy)).keys()];
  expect(paths.filter((path) => !without.has(path))).toEqual(want);
});

test.each([
  [
    { caddy: "caddy:2" },
    ["kubernetes"],
    ["`images.caddy` changes nothing. No file names this image."],
  ],
  [
    { valkey: "valkey:9" },
    ["compose"],
    ["`images.valkey` changes nothing. No file names this image."],
  ],
  [{ caddy: "caddy:2", valkey: "valkey:9" }, ["compose", "valkey"], []],
  [{ node: "node:24" }, [], []],
] as const)("%j with %j is reported unless a file names it", (images, deploy, want) => {
  const found = deploymentDiagnostics(plan, { images, deploy });
  expect(found.map(({ message }) => message)).toEqual(want);
});

/** A plan of an API with OAuth 2.0. */
const oauthPlan = (state: object): ToolPlan => ({
  ...plan,
  api: {
    ...plan.api,
    securitySchemes: {
      account: {
        kind: "oauth2",
        tokenEnv: "CLINIC_TOKEN",
        clientIdEnv: "CLINIC_CLIENT_ID",
        tokenUrl: "https://auth.example.com/token",
        ...state,
      },
    },
  },
});

const signInPlan = oauthPlan({
  signIn: { authorizationUrl: "https://auth.example.com/authorize" },
});
const refreshPlan = oauthPlan({ refreshTokenEnv: "CLINIC_REFRESH_TOKEN" });

describe.each<readonly [string, readonly DeployTarget[], ToolPlan]>([
  ["with a store and metrics", [...targets, "valkey", "prometheus"], plan],
  ["with a sign-in", targets, signInPlan],
  ["with a sign-in and a store", [...targets, "valkey"], signInPlan],
])("%s", (_, deploy, toolPlan) => {
  test.each(engineFiles)("%s is valid for its engine", async (path) => {
    expect(faultsOf(path, (await filesOf(toolPlan, deploy)).get(path)!)).toEqual([]);
  });
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: object;
        readonly deploy: { readonly replicas?: number; readonly resources: { limits: object } };
      }
    >
  >;
}

interface Deployed {
  readonly compose: Compose["services"];
  readonly kubernetes: readonly Resource[];
}

async function deployed(toolPlan: ToolPlan, deploy: readonly DeployTarget[]): Promise<Deployed> {
  const made = await filesOf(toolPlan, deploy);
  const [compose] = yamlDocuments(made.get("compose.yaml")!) as readonly [Compose];
  return {
    compose: compose.services,
    kubernetes: yamlDocuments(made.get("kubernetes.yaml")!) as readonly Resource[],
  };
}

describe.each<readonly [string, ToolPlan, readonly DeployTarget[], number, number]>([
  ["neither", plan, targets, 3, 2],
  ["a store", plan, [...targets, "valkey"], 3, 2],
  ["a sign-in", signInPlan, targets, 1, 1],
  ["a refresh token", refreshPlan, targets, 1, 1],
  ["a sign-in and a store", signInPlan, [...targets, "valkey"], 3, 2],
])("with %s", (_, toolPlan, deploy, ofCompose, ofKubernetes) => {
  const isSingle = ofCompose === 1;

  test("there are as many replicas as the state allows, else a warning", async () => {
    const { compose, kubernetes } = await deployed(toolPlan, deploy);
    expect(compose["server"]!.deploy.replicas).toBe(ofCompose);
    const server = kubernetes.find(({ kind }) => kind === "Deployment")!.spec;
    expect(server).toMatchObject({
      replicas: ofKubernetes,
      strategy: { type: isSingle ? "Recreate" : "RollingUpdate" },
    });
    const kinds = kubernetes.map(({ kind }) => kind);
    expect(kinds.includes("HorizontalPodAutoscaler")).toBe(!isSingle);
    expect(deploymentDiagnostics(toolPlan, { deploy }).map(({ code }) => code)).toEqual(
      isSingle ? ["deploy-one-replica"] : [],
    );
  });

  test("the store is used by the replicas, with its key, or nothing is stored", async () => {
    const { compose, kubernetes } = await deployed(toolPlan, deploy);
    const hasStore = deploy.includes("valkey");
    const { environment } = compose["server"]!;
    expect(Object.keys(environment!)).toEqual(
      hasStore ? ["CLINIC_STORE", "CLINIC_STORE_KEY"] : ["CLINIC_KEPT_RESULT_BYTES"],
    );
    expect("store" in compose).toBe(hasStore);
    const text = JSON.stringify(kubernetes);
    expect(
      text.includes('"name":"CLINIC_STORE","value":"redis://clinic-mcp-server-store:6379"'),
    ).toBe(hasStore);
    expect(text.includes('"key":"CLINIC_STORE_KEY"}')).toBe(hasStore);
    const services = kubernetes.filter(({ kind }) => kind === "Service");
    expect(services.map(({ metadata }) => metadata.name)).toEqual(
      hasStore ? ["clinic-mcp-server", "clinic-mcp-server-store"] : ["clinic-mcp-server"],
    );
    const made = await filesOf(toolPlan, deploy);
    expect(made.get("package.json")!.includes('"@redis/client"')).toBe(hasStore);
    expect(made.get("Dockerfile")!.includes("node_modules/@redis/client")).toBe(hasStore);
    expect(made.get(".env.example")!.includes("\nCLINIC_STORE_KEY=\n")).toBe(hasStore);
  });
});

test("Kubernetes scales by waiting calls where they are measured, and by the processor", async () => {
  const metricsOf = async (deploy: readonly DeployTarget[]): Promise<unknown> => {
    const { kubernetes } = await deployed(plan, deploy);
    return kubernetes.find(({ kind }) => kind === "HorizontalPodAutoscaler")!.spec["metrics"];
  };
  const byProcessor = { type: "Resource", resource: { name: "cpu" } };
  expect(await metricsOf(targets)).toMatchObject([byProcessor]);
  const measured = [...targets, "prometheus"] as const;
  expect(await metricsOf(measured)).toMatchObject([
    { type: "Pods", pods: { metric: { name: "mcp_api_requests_waiting" } } },
    byProcessor,
  ]);
  const { compose, kubernetes } = await deployed(plan, measured);
  expect(compose["server"]!.environment).toMatchObject({
    CLINIC_METRICS_PORT: "9464",
    CLINIC_METRICS_HOST: "0.0.0.0",
  });
  expect(JSON.stringify(kubernetes)).toContain('{"name":"CLINIC_METRICS_PORT","value":"9464"}');
});

test.each([
  [1, 512],
  [1_000, 512],
  [10_000, 768],
])("with %d tools, a process has %d MiB", async (count, limit) => {
  const [tool] = plan.tools;
  const tools = Array.from({ length: count }, () => tool!);
  const { memory } = kubernetesView({ ...plan, tools });
  expect([Number(memory.request), Number(memory.limit)]).toEqual([limit / 4, limit]);
});

test("images can be pinned by their digest", async () => {
  const made = await filesOf(plan, [...targets, "valkey"]);
  expect(made.get("Dockerfile")!.match(/^(?:ARG|FROM) .*/gm)).toEqual([
    "ARG NODE_IMAGE=node:24-alpine",
    "FROM ${NODE_IMAGE} AS build",
    "FROM ${NODE_IMAGE}",
  ]);
  expect(made.get("compose.yaml")!.match(/\$\{\w+_IMAGE:-.*\}/g)).toEqual([
    "${NODE_IMAGE:-node:24-alpine}",
    "${CADDY_IMAGE:-caddy:2-alpine}",
    "${VALKEY_IMAGE:-valkey/valkey:8-alpine}",
  ]);
});

describe("configured images", () => {
  const pinned = (name: string): string => `registry.example/${name}@sha256:${"0f".repeat(32)}`;
  const images = { node: pinned("node"), caddy: pinned("caddy"), valkey: pinned("valkey") };

  test("stand in every file that names them", async () => {
    const made = await render(plan, { deploy: [...targets, "valkey"], images });
    const contentOf = (path: string): string => made.find((one) => one.path === path)!.content;
    expect(contentOf("Dockerfile")).toContain(`ARG NODE_IMAGE=${images.node}\n`);
    expect(contentOf("compose.yaml").match(/(?<=_IMAGE:-)[^}]*/g)).toEqual(Object.values(images));
    const kubernetes = contentOf("kubernetes.yaml");
    expect(kubernetes.match(/(?<=image: ).*/g)).toEqual(["clinic-mcp-server", images.valkey]);
    for (const path of ["compose.yaml", "kubernetes.yaml"])
      expect(faultsOf(path, contentOf(path))).toEqual([]);
    const all = made.map(({ content }) => content).join("\n");
    expect(all).not.toMatch(/node:24-alpine|caddy:2-alpine|valkey:8-alpine/);
  });

  test.each(["node:24 AS build", "node}", "node\nRUN id", "$NODE", ""])(
    "cannot be %j",
    async (node) => {
      await expect(render(plan, { images: { node } })).rejects.toThrow("cannot name an image");
    },
  );
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

test.each([
  ["with a store", [...targets, "valkey"] as const, true],
  ["without one", targets, false],
])("readiness after the store is lost is stated %s", async (_, deploy, isStated) => {
  const made = (await filesOf(plan, deploy)).get("kubernetes.yaml");
  expect(made?.includes("CLINIC_READY_NEEDS_STORE=true makes it 503")).toBe(isStated);
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
