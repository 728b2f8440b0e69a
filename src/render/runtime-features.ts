/** Selection of the runtime's files that a generated project can need. */
import { posix } from "node:path";
import type { ToolPlan } from "../plan/types.js";
import type { GeneratedFile, RenderOptions, RuntimeFeature } from "./types.js";
import { usesJsonPath, usesSignIn } from "./views/packaging.js";

/** A part of the runtime that some projects do not need. */
interface Feature {
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

const features: Readonly<Record<RuntimeFeature, Feature>> = {
  discovery: {
    seams: ["discovery/listing", "discovery/store-index"],
    isNeeded: ({ api, tools }) => api.listBudget !== undefined || tools.length > HOST_TOOLS,
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
  "transport/http/node-handler.ts": () => true,
  "client/undici-modules.d.ts": () => true,
  "auth/sign-in/index.ts": usesSignIn,
  "workflow/index.ts": ({ workflows }) => workflows !== undefined,
  "workflow/json-path.ts": ({ workflows }) => workflows !== undefined && usesJsonPath(workflows),
};

/** Tests whether generated files import a module of the runtime, by its path below `src/runtime`. */
export function isEntryModule(path: string, plan: ToolPlan): boolean {
  return entryModules[path]?.(plan) === true;
}

/** Features that a project has: those that it needs, and those that the options name. */
function featuresOf(plan: ToolPlan, options: RenderOptions): ReadonlySet<RuntimeFeature> {
  const named = new Set<string>(options.features);
  return new Set(
    runtimeFeatures.filter(
      (name) => named.has(name) || named.has("all") || features[name].isNeeded(plan, options),
    ),
  );
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
  const present = featuresOf(plan, options);
  const replaced = new Set(
    runtimeFeatures.flatMap((name) => (present.has(name) ? [] : features[name].seams)),
  );
  const selected = new Map<string, GeneratedFile>();
  const visit = (path: string): void => {
    if (selected.has(path)) return;
    const seam = path.slice(0, -".ts".length);
    const isStandIn = replaced.has(seam);
    const file = files.get(isStandIn ? `${seam}.absent.ts` : path);
    if (!file) return;
    selected.set(path, isStandIn ? { ...file, isStandIn } : file);
    for (const imported of importsOf(path, file.content)) visit(imported);
  };
  Object.keys(entryModules)
    .filter((path) => isEntryModule(path, plan))
    .forEach(visit);
  return selected;
}

const relativeImport = /(?:\bfrom|^import|\bimport\()\s*"(\.[^"]+)\.js"/gm;

/** Paths of the modules that a module imports, types included. */
function importsOf(path: string, text: string): readonly string[] {
  const folder = posix.dirname(path);
  return [...text.matchAll(relativeImport)].map(
    ([, specifier = ""]) => `${posix.join(folder, specifier)}.ts`,
  );
}
