import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { formatDiagnostic, toSingleLine } from "../../diagnostics/index.js";
import { version } from "../../version.js";
import { addFiles } from "../../write/add-files.js";
import type { ResolvedCommand } from "../configuration.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { isSafeInWorkflow, withSlashes } from "../quote.js";
import type { Terminal } from "../terminal.js";
import { githubWorkflow, type CiWorkflowOptions, CI_WORKFLOW_PATH } from "./github-workflow.js";

/**
 * Returns a sentence that says why no workflow can be written, before anything is generated;
 * undefined otherwise.
 */
export function findCiProblem(run: ResolvedCommand): string | undefined {
  const options = ciWorkflowOptions(run, findRepository(process.cwd()));
  return typeof options === "string" ? options : undefined;
}

/**
 * Writes the CI workflow into the repository around the current folder. An existing workflow is
 * kept.
 * @returns the exit code
 */
export function writeCiWorkflow(run: ResolvedCommand, terminal: Terminal): ExitCode {
  const root = findRepository(process.cwd());
  const options = ciWorkflowOptions(run, root);
  if (typeof options === "string") return (terminal.error(`error: ${options}\n`), exitCodes.usage);
  const path = join(relative(process.cwd(), root), CI_WORKFLOW_PATH);
  const content = githubWorkflow(options);
  if (existsSync(join(root, CI_WORKFLOW_PATH)))
    return (terminal.error(`${path} exists and is not changed.\n`), exitCodes.done);
  const { problem } = addFiles([{ path: CI_WORKFLOW_PATH, content }], root, false);
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { colorize: terminal.paint })}\n`),
      exitCodes.refused
    );
  terminal.error(
    `Wrote ${toSingleLine(path)}. ` +
      "It checks the server and reports changes for agents on pull requests.\n",
  );
  return exitCodes.done;
}

/** Returns the enclosing folder with `.git`, or the current one. */
function findRepository(folder: string): string {
  for (let at = folder, above = ""; at !== above; above = at, at = dirname(at))
    if (existsSync(join(at, ".git"))) return at;
  return folder;
}

function ciWorkflowOptions(
  { source, outDir, args = [], options }: ResolvedCommand,
  root: string,
): CiWorkflowOptions | string {
  if (source === "-") return "--ci needs a document in a file or at a URL, not standard input.";
  const { output, config, overlay = [], workflow = [], templates, refRoot } = options;
  const typed = [
    ...(args.includes(source) ? [source] : []),
    output,
    config,
    ...overlay,
    ...workflow,
    templates,
    refRoot,
  ];
  const absolute = typed.find((path) => path !== undefined && isAbsolute(path));
  if (absolute !== undefined)
    return `--ci needs relative paths: ${toSingleLine(absolute)} does not exist in CI.`;
  if (outDir === undefined) return "--ci needs the folder of the generated project: -o DIR.";
  const [cwd, server] = [pathInside(root, process.cwd()), pathInside(root, resolve(outDir))];
  if (cwd === undefined || server === undefined)
    return `--ci needs the generated project inside the repository ${toSingleLine(root)}.`;
  const lasting = withoutOneTimeFlags(args).map((arg) => withSlashes(arg));
  if (![...lasting, cwd, server].every(isSafeInWorkflow))
    return "--ci does not support names with control characters or ${{, which GitHub replaces.";
  return { args: lasting, cwd, server: server === "" ? "." : server, version };
}

/** Returns the path below the root; undefined outside of it and on another drive of Windows. */
function pathInside(root: string, path: string): string | undefined {
  const below = withSlashes(relative(root, path));
  return below === ".." || below.startsWith("../") || isAbsolute(below) ? undefined : below;
}

/** Flags of a single run, without effect on the generated files. */
const oneTimeFlags = new Set(["--check", "--dry-run", "--force", "--json", "--verbose", "--watch"]);

function withoutOneTimeFlags(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, i) =>
      !oneTimeFlags.has(arg) &&
      arg !== "--ci" &&
      args[i - 1] !== "--ci" &&
      !arg.startsWith("--ci="),
  );
}
