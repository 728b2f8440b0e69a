import { formatDiagnostics, isError } from "../../diagnostics/index.js";
import type { ToolPlan } from "../../plan/types.js";
import type { GeneratedFile } from "../../render/index.js";
import { describeFiles } from "../configuration.js";
import { formatJsonResult } from "../json-output.js";
import { runInMemory } from "../pipeline.js";
import type { ResolvedCommand } from "../resolved-command.js";
import { type ExitCode, exitCodes, type Terminal } from "../terminal.js";
import { withOwnerFiles } from "./owner-files.js";

/** A server to evaluate. */
export interface Generated {
  readonly plan: ToolPlan;
  readonly files: readonly GeneratedFile[];
}

/**
 * Generates a server in memory, with the owner's modules of the project in the output folder.
 * @returns an exit code after errors, which are printed
 * @throws ServerExitedError when the server does not start with the owner's modules
 */
export async function generateServer(
  run: ResolvedCommand,
  terminal: Terminal,
): Promise<Generated | ExitCode> {
  terminal.error(describeFiles(run));
  // Nothing is installed in the temporary folder, so the runtime must be in it.
  const result = await runInMemory(run, { runtime: "copy", features: ["all"] }, terminal);
  if (typeof result === "number") return result;
  const { plan, files, diagnostics, ok } = result;
  terminal.error(
    formatDiagnostics(diagnostics.filter(isError), {
      source: run.source,
      verbose: true,
      colorize: terminal.paint,
    }),
  );
  if (plan && files && ok) return withOwner({ plan, files }, run.outDir);
  if (run.options.json) terminal.print(formatJsonResult(result, run, exitCodes.document));
  return exitCodes.document;
}

async function withOwner({ plan, files }: Generated, folder?: string): Promise<Generated> {
  const own = withOwnerFiles(files, folder);
  if (own === files) return { plan, files };
  const { withCustomTools } = await import("../../eval/custom-tools.js");
  return { plan: await withCustomTools(plan, own), files: own };
}
