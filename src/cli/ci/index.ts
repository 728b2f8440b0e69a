import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { formatDiagnostic, oneLine } from "../../diagnostics/index.js";
import { version } from "../../version.js";
import { placeFiles } from "../../write/place.js";
import type { Run } from "../configuration.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { isPlain, withSlashes } from "../quote.js";
import type { Terminal } from "../terminal.js";
import { githubWorkflow, type Recipe, workflowPath } from "./github.js";

/** Why no recipe can be written for a run, as a sentence: said before anything is generated. */
export function objectionTo(run: Run): string | undefined {
  const recipe = recipeOf(run, repositoryAround(process.cwd()));
  return typeof recipe === "string" ? recipe : undefined;
}

/**
 * Writes the recipe for the continuous integration that was asked for, into the repository around
 * the current folder. It is its owner's from then on: one that is there already stays.
 * @returns how the process ends
 */
export function placeRecipe(run: Run, terminal: Terminal): ExitCode {
  const root = repositoryAround(process.cwd());
  const recipe = recipeOf(run, root);
  if (typeof recipe === "string") return (terminal.error(`error: ${recipe}\n`), exitCodes.usage);
  const place = join(relative(process.cwd(), root), workflowPath);
  const content = githubWorkflow(recipe);
  if (existsSync(join(root, workflowPath)))
    return (terminal.error(`${place} is there already, and stays as it is.\n`), exitCodes.done);
  const { problem } = placeFiles([{ path: workflowPath, content }], root, false);
  if (problem)
    return (
      terminal.error(`${formatDiagnostic(problem, { paint: terminal.paint })}\n`), exitCodes.refused
    );
  terminal.error(
    `Wrote ${oneLine(place)}: it checks the server, and says on pull requests what changes for agents.\n`,
  );
  return exitCodes.done;
}

/** The folder with `.git`, or the current one. */
function repositoryAround(folder: string): string {
  for (let at = folder, above = ""; at !== above; above = at, at = dirname(at))
    if (existsSync(join(at, ".git"))) return at;
  return folder;
}

function recipeOf({ source, outDir, args = [], options }: Run, root: string): Recipe | string {
  if (source === "-")
    return "--ci needs a document that the workflow can read; standard input is none.";
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
    return `--ci needs relative paths: in CI the repository is elsewhere than ${oneLine(absolute)} says.`;
  if (outDir === undefined) return "--ci needs the folder of the generated project: -o DIR.";
  const [cwd, server] = [inside(root, process.cwd()), inside(root, resolve(outDir))];
  if (cwd === undefined || server === undefined)
    return `--ci needs the generated project inside the repository, which is ${oneLine(root)}.`;
  const kept = withoutOneTimeFlags(args).map((arg) => withSlashes(arg));
  if (![...kept, cwd, server].every(isPlain))
    return "--ci writes no workflow for names with control characters or ${{: GitHub would replace them.";
  return { args: kept, cwd, server: server === "" ? "." : server, version };
}

/** Another drive of Windows has no relative path. */
function inside(root: string, path: string): string | undefined {
  const found = withSlashes(relative(root, path));
  return found === ".." || found.startsWith("../") || isAbsolute(found) ? undefined : found;
}

/** Flags of one run, which say nothing about what is generated. */
const oneTime = new Set(["--check", "--dry-run", "--force", "--json", "--verbose", "--watch"]);

function withoutOneTimeFlags(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, i) =>
      !oneTime.has(arg) && arg !== "--ci" && args[i - 1] !== "--ci" && !arg.startsWith("--ci="),
  );
}
