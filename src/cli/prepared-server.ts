/** The server of a document, ready to run: planned and compiled, or from the user's cache. */
import { formatDiagnostics, isError } from "../diagnostics/index.js";
import { onFileContent } from "../load/index.js";
import type { ToolPlan } from "../plan/index.js";
import { type CompiledModule, compileProject } from "../try/project.js";
import { runInMemory } from "./pipeline.js";
import { openPlanCache } from "./plan-cache.js";
import { prepareInProcess } from "./planning-process.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { operationCount } from "./summary.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { ReadFiles } from "./user-cache.js";

/** The parts of a plan that `serve` needs, and the compiled project. */
export interface PreparedServer extends Pick<ToolPlan, "api" | "environment"> {
  readonly operations: number;
  readonly tools: number;
  readonly modules: readonly CompiledModule[];
}

interface PrepareOptions {
  /** Whether a plan may be read from the cache, and stored. */
  readonly mayUseCache: boolean;
  /** Whether to plan in another process, so that this one can answer a client. */
  readonly isSeparate: boolean;
}

/** @returns the server, or the exit code after an error message */
export async function prepareServer(
  run: ResolvedCommand,
  { mayUseCache, isSeparate }: PrepareOptions,
  terminal: Terminal,
): Promise<PreparedServer | ExitCode> {
  const cache = mayUseCache ? openPlanCache<PreparedServer>(run) : undefined;
  const cached = cache?.read();
  if (cached) return cached;
  if (isSeparate) return prepareInProcess<PreparedServer>();
  const inputs = new ReadFiles();
  if (cache) onFileContent((path, content) => inputs.add(path, content));
  try {
    const server = await planServer(run, terminal);
    const { digests } = inputs;
    if (typeof server !== "number" && digests) cache?.store(server, digests);
    return server;
  } finally {
    onFileContent(undefined);
  }
}

async function planServer(
  run: ResolvedCommand,
  terminal: Terminal,
): Promise<PreparedServer | ExitCode> {
  // Nothing is installed in the temporary folder, so the runtime must be in it.
  const generated = await runInMemory(run, { runtime: "copy", features: ["all"] }, terminal);
  if (typeof generated === "number") return generated;
  const { plan, files, diagnostics, ok } = generated;
  const shown = diagnostics.filter((d) => isError(d) || run.options.verbose === true);
  terminal.error(
    formatDiagnostics(shown, { source: run.source, verbose: true, colorize: terminal.paint }),
  );
  if (!ok || !plan || !files) return exitCodes.document;
  const { api, environment, tools } = plan;
  return {
    api,
    environment,
    operations: operationCount(plan),
    tools: tools.length,
    modules: await compileProject(files),
  };
}
