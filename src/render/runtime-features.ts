/** Selection of the runtime's files that a generated project can need. */
import { posix } from "node:path";
import type { ToolPlan } from "../plan/types.js";
import type { ApiDefinition } from "../runtime/api-definition.js";
import type { OperationBinding } from "../runtime/types.js";
import { importsOf as statementsOf } from "./import-list.js";
import type { GeneratedFile, RenderOptions, RuntimeFeature } from "./types.js";
import { allTools } from "../plan/hidden-tools.js";
import { apisOf, usesJsonPath, usesSignIn } from "./plan-facts.js";

/** A part of the runtime that some projects do not need. */
interface Part {
  /**
   * Modules below `src/runtime` through which the other modules reach it. Where it is left out, the
   * module `<name>.absent.ts` takes the place of `<name>.ts`. Files that only these modules import
   * need no mention.
   */
  readonly seams: readonly string[];
  /** True if the API or the configuration needs it. Settings of a running server do not count. */
  readonly isNeeded: (plan: ToolPlan, options: RenderOptions) => boolean;
}

/** Tools that every host takes. `init` lists fewer for hosts that do not take all of a project. */
const HOST_TOOLS = 80;

/** True for a project with configurations of engines that run several processes of Node. */
function runsReplicas(_: ToolPlan, { deploy = [] }: RenderOptions): boolean {
  return deploy.some((engine) => engine !== "workers");
}

/** Parts that settings of a server may ask for, so that the options can add them. */
const features: Readonly<Record<RuntimeFeature, Part>> = {
  cluster: {
    seams: ["cluster/index"],
    isNeeded: () => false,
  },
  discovery: {
    seams: ["discovery/listing", "discovery/rank-tools", "discovery/store-index"],
    isNeeded: ({ api, tools }) => api.listBudget !== undefined || tools.length > HOST_TOOLS,
  },
  metrics: {
    seams: ["server/metrics", "transport/http/serve-metrics"],
    isNeeded: runsReplicas,
  },
  oauth: {
    seams: [
      "transport/http/caller-credentials",
      "transport/http/oauth-resource-server",
      "transport/http/oauth-settings",
    ],
    isNeeded: (_, { deploy = [] }) => deploy.length > 0,
  },
  "raw-requests": {
    seams: ["tools/send-request", "request/raw-request"],
    isNeeded: (plan) => apisOf(plan).some(({ rawRequests }) => rawRequests),
  },
  steps: {
    seams: ["steps/run-steps"],
    isNeeded: ({ api }) => api.runSteps === true,
  },
  stores: {
    seams: ["store/open", "client/shared-rate-limiter"],
    isNeeded: runsReplicas,
  },
};

/** True if a project has a feature. The package has all. */
export function hasFeature(name: RuntimeFeature, plan: ToolPlan, options: RenderOptions): boolean {
  const { runtime, features: named = [] } = options;
  const isNamed = runtime === "package" || named.includes("all") || named.includes(name);
  return isNamed || features[name].isNeeded(plan, options);
}

/** True if credentials of an API are access tokens that the server may request. */
function hasOAuthScheme({ securitySchemes }: ApiDefinition): boolean {
  return Object.values(securitySchemes).some(({ kind }) => kind === "oauth2");
}

/** True if an operation of a tool satisfies a condition. Workflows have requests of their own. */
const someOperation =
  (test: (operation: OperationBinding) => unknown) =>
  (plan: ToolPlan): boolean =>
    plan.workflows !== undefined ||
    allTools(plan).some(({ definition }) =>
      definition.operations.some((one) => Boolean(test(one))),
    );

/** Parts that only tools ask for. */
const toolParts: Readonly<Record<string, Part>> = {
  fieldSelection: {
    seams: ["call/select-fields"],
    isNeeded: someOperation(({ response }) => response.fields),
  },
  innerFields: {
    seams: ["request/inner-fields"],
    isNeeded: someOperation(({ request }) => request.body?.innerFields),
  },
  accessTokens: {
    seams: ["auth/tokens"],
    isNeeded: (plan, options) =>
      apisOf(plan).some(hasOAuthScheme) || hasFeature("oauth", plan, options),
  },
  signIn: {
    seams: ["auth/signed-in", "protocol/consent"],
    isNeeded: usesSignIn,
  },
  jobs: {
    seams: ["call/wait-for-job", "protocol/tasks", "tasks/task-ids"],
    isNeeded: someOperation(({ job, jobLocation }) => job ?? jobLocation),
  },
  lookUps: {
    seams: ["call/look-up-names", "call/names-in-ids", "call/resolve-names"],
    isNeeded: someOperation(({ lookUps, resolve }) => lookUps ?? resolve),
  },
  urlInputs: {
    seams: ["call/read-urls"],
    isNeeded: (plan) => allTools(plan).some(({ definition }) => definition.urls !== undefined),
  },
  readBack: {
    seams: ["call/read-back"],
    isNeeded: someOperation(({ readBack }) => readBack),
  },
  severalIds: {
    seams: ["call/several-ids", "call/included-lists"],
    isNeeded: someOperation(({ severalIds, included }) => severalIds ?? included),
  },
};

/** Names of the features that options can add. */
export const runtimeFeatures = Object.keys(features) as readonly RuntimeFeature[];

/** Modules of the runtime that files of a project import, with the condition of some of them. */
const entryModules: Readonly<Record<string, (plan: ToolPlan) => boolean>> = {
  "index.ts": () => true,
  "serve.ts": () => true,
  "bundle.ts": () => true,
  "dev/index.ts": () => true,
  "server/sdk-shims.ts": () => true,
  "node.ts": () => true,
  "client/undici-modules.d.ts": () => true,
  "auth/sign-in/index.ts": usesSignIn,
  "workflow/index.ts": ({ workflows }) => workflows !== undefined,
  "workflow/json-path.ts": ({ workflows }) => workflows !== undefined && usesJsonPath(workflows),
};

/** Tests whether generated files import a module of the runtime, by its path below `src/runtime`. */
export function isEntryModule(path: string, plan: ToolPlan): boolean {
  return entryModules[path]?.(plan) === true;
}

/** Seams of the parts that a project does not have: nothing needs them, and no option names them. */
function seamsLeftOut(plan: ToolPlan, options: RenderOptions): ReadonlySet<string> {
  const named = new Set<string>(options.features);
  const parts = named.has("all") ? [] : Object.entries({ ...toolParts, ...features });
  const absent = parts.filter(([name, part]) => !named.has(name) && !part.isNeeded(plan, options));
  return new Set(absent.flatMap(([, { seams }]) => seams));
}

/**
 * Selects the files of a project from those of the runtime: what its own files import, directly or
 * through others.
 * @param files all files of the runtime, by their path below `src/runtime`
 */
export function selectRuntimeFiles(
  files: ReadonlyMap<string, GeneratedFile>,
  plan: ToolPlan,
  options: RenderOptions,
): ReadonlyMap<string, GeneratedFile> {
  const replaced = seamsLeftOut(plan, options);
  const selected = new Map<string, GeneratedFile>();
  const visit = (path: string): void => {
    if (selected.has(path)) return;
    const seam = path.slice(0, -".ts".length);
    const isStandIn = replaced.has(seam);
    const file = files.get(isStandIn ? `${seam}.absent.ts` : path);
    if (!file) return;
    selected.set(path, isStandIn ? { ...file, isStandIn } : file);
    for (const imported of importsOf(file, posix.dirname(path))) visit(imported);
  };
  Object.keys(entryModules)
    .filter((path) => isEntryModule(path, plan))
    .forEach(visit);
  return selected;
}

/** Imports that are not statements with names. */
const otherImport = /(?:^import |\bimport\(\s*)"(\.[^"]+)"/gm;

function specifiersOf(content: string): readonly string[] {
  const named = statementsOf(content).map(({ from }) => from);
  const others = [...content.matchAll(otherImport)].map(([, from = ""]) => from);
  return [...named, ...others].filter((from) => from.startsWith("."));
}

/** Imports of the files that a process has read. */
const importsByFile = new WeakMap<GeneratedFile, readonly string[]>();

/** Paths of the modules that a file in a folder imports, types included. */
function importsOf(file: GeneratedFile, folder: string): readonly string[] {
  const imports =
    importsByFile.get(file) ??
    specifiersOf(file.content).map(
      (specifier) => `${posix.join(folder, specifier).slice(0, -".js".length)}.ts`,
    );
  importsByFile.set(file, imports);
  return imports;
}
