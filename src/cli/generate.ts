/** The default command: generates a project, and again whenever an input changes (`--watch`). */
import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { formatCount, formatDiagnostics, toSingleLine } from "../diagnostics/index.js";
import type { GenerateResult } from "../generate.js";
import { onFileRead } from "../load/index.js";
import { listFiles } from "../render/templates/read.js";
import { resolveCommand } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { Timings } from "./progress.js";
import { openRunCache } from "./run-cache.js";
import { formatJsonResult } from "./json-output.js";
import type { CommandOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import { type GenerateCommand, helpPointer, reportUsageError } from "./program.js";
import {
  compareWithPreviousLock,
  formatVariableChanges,
  formatVersionChange,
  readPreviousLock,
  readPreviousVariables,
  readPreviousVersion,
} from "./regeneration-changes.js";
import { isUnchanged, summarize, summarizeBriefly } from "./summary.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";

interface GenerateCallbacks {
  /** Formats the summary of a successful run. */
  readonly formatSummary?: typeof summarize;
  /** Called before the run. A returned sentence is a usage error. */
  readonly onConfigured?: (run: ResolvedCommand) => string | undefined;
}

/**
 * Runs the pipeline for the command line and prints the result.
 * @returns the exit code
 */
export async function runGenerate(
  command: GenerateCommand,
  terminal: Terminal,
  { formatSummary = summarize, onConfigured }: GenerateCallbacks = {},
): Promise<ExitCode> {
  const run = await resolveCommand(command, terminal, "needed");
  if (typeof run === "number") return run;
  const problem =
    onConfigured?.(run) ??
    findOnlyApiUse(run) ??
    (run.options.ci && (await import("./ci-workflow.js")).findCiProblem(run));
  if (problem) return reportUsageError(terminal, problem);
  const timings = run.options.timings ? new Timings() : undefined;
  timings?.begin("compare");
  const cache = formatSummary === summarize ? openRunCache(run) : undefined;
  const unchanged = await cache?.read();
  if (unchanged) {
    if (!run.options.quiet) terminal.print(unchanged.summary);
    if (timings) terminal.error(timings.format());
    return afterwards(exitCodes.done, run, terminal);
  }
  const before = readPreviousLock(run.outDir);
  const variables = readPreviousVariables(run.outDir);
  const previousVersion = readPreviousVersion(run.outDir);
  const start = () => runPipeline(run, terminal, timings && { onStage: timings.stage });
  const result = await (cache ? cache.observe(start) : start());
  if (typeof result === "number") return result;
  timings?.begin("report");
  const code = exitCodeOf(result, run.options);
  terminal.error(formatStderr(result, run, terminal));
  const { changes, note } = await compareWithPreviousLock(before, result);
  if (run.options.json) terminal.print(formatJsonResult(result, run, code, changes));
  else if (
    !run.options.quiet &&
    result.plan &&
    (code === exitCodes.done || code === exitCodes.different)
  )
    terminal.print(
      formatSummary(result, run, changes, [
        ...(note === undefined ? [] : [note]),
        ...formatVariableChanges(variables, result),
        ...(result.written?.refused.length === 0 && !isUnchanged(result.written)
          ? formatVersionChange(previousVersion, run.options)
          : []),
      ]),
    );
  if (code === exitCodes.done) cache?.store(result);
  if (timings) terminal.error(timings.format());
  return afterwards(code, run, terminal);
}

/** `--only-api` needs several APIs. */
function findOnlyApiUse({ apis, options }: ResolvedCommand): string | undefined {
  return options.onlyApi !== undefined && !apis
    ? "--only-api is about one of several APIs, and this server has one."
    : undefined;
}

/** Writes the CI workflow after a successful run, if it is wanted. */
async function afterwards(
  code: ExitCode,
  run: ResolvedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const { dryRun, check, ci } = run.options;
  const isWritten = code === exitCodes.done && dryRun !== true && check !== true;
  return isWritten && ci !== undefined
    ? (await import("./ci-workflow.js")).writeCiWorkflow(run, terminal)
    : code;
}

/** Diagnostics of `src/write` are about the folder, all others about the document. */
function exitCodeOf(
  { diagnostics, ok, written }: GenerateResult,
  { check }: CommandOptions,
): ExitCode {
  const errors = diagnostics.filter((d) => d.severity === "error");
  if (errors.some((d) => !d.code.startsWith("write-"))) return exitCodes.document;
  if (check && written && !isUnchanged(written)) return exitCodes.different;
  if (errors.length > 0) return exitCodes.refused;
  return ok ? exitCodes.done : exitCodes.document;
}

/**
 * Formats the diagnostics for stderr. With `--json` they are part of the result, and only errors
 * are repeated. A run that changes nothing leaves out the warnings of the run that wrote the files.
 */
function formatStderr(
  { diagnostics, written }: GenerateResult,
  { source, options }: ResolvedCommand,
  terminal: Terminal,
): string {
  const isRepeated = written !== undefined && isUnchanged(written);
  const shown = diagnostics.filter(
    (d) =>
      d.severity === "error" ||
      (!options.json &&
        !options.quiet &&
        ((d.severity === "warning" && !isRepeated) ||
          options.verbose === true ||
          d.code.startsWith("write-"))),
  );
  const text = formatDiagnostics(shown, {
    source,
    verbose: options.verbose === true,
    colorize: terminal.paint,
  });
  const warnings = options.strict ? diagnostics.filter((d) => d.severity === "warning").length : 0;
  if (warnings === 0) return text;
  const error = terminal.paint("error", "error");
  const subject = warnings === 1 ? "this warning" : `these ${warnings} warnings`;
  return `${text}${error}: --strict treats ${subject} as errors. Nothing was written.\n`;
}

/** Polling interval: short for users, and cheap for documents of a thousand files. */
const POLL_INTERVAL_MS = 200;
const POLL_EXTRA_PER_FILE_MS = 0.5;

/**
 * Generates, and regenerates whenever an input changes: the document, referenced files, the
 * configuration, overlays or templates. Errors are printed, and the watch continues. Polls the
 * files, because system notifications fail on network drives, in containers and with editors that
 * replace files.
 * @param stop ends the watch; by default Ctrl-C does
 */
export async function runWatch(
  command: GenerateCommand,
  terminal: Terminal,
  stop: AbortSignal = interruptSignal(),
): Promise<ExitCode> {
  const problem = findUsageProblem(command);
  if (problem) return (terminal.error(`error: ${problem}\n${helpPointer()}\n`), exitCodes.usage);
  const inputs = new WatchedFiles();
  onFileRead((path) => inputs.add(path));
  try {
    const first = await runOnce(command, terminal, inputs, summarize);
    if (first === exitCodes.usage && inputs.size === 0) return first;
    terminal.error(`Watching ${formatCount(inputs.size, "file")}; press Ctrl-C to stop.\n`);
    for (
      let changed = await inputs.waitForChange(stop);
      changed !== undefined;
      changed = await inputs.waitForChange(stop)
    ) {
      terminal.error(`${toSingleLine(changed)} changed\n`);
      await runOnce(command, terminal, inputs, summarizeBriefly);
    }
    return exitCodes.done;
  } finally {
    onFileRead(undefined);
  }
}

async function runOnce(
  command: GenerateCommand,
  terminal: Terminal,
  inputs: WatchedFiles,
  formatSummary: typeof summarize,
): Promise<ExitCode> {
  inputs.clear();
  const onConfigured = (run: ResolvedCommand): string | undefined => {
    inputs.addTemplates(run.options.templates ?? run.configuration?.settings.templates);
    return findUsageProblem(run);
  };
  return runGenerate(command, terminal, { formatSummary, onConfigured });
}

function findUsageProblem(command: GenerateCommand | ResolvedCommand): string | undefined {
  const { source, options } = command;
  const apis = "apis" in command ? command.apis : undefined;
  const documents = apis?.map((api) => api.source) ?? command.sources ?? [source ?? ""];
  if (source === "-") return "--watch needs a document that can be read again, not standard input.";
  if (documents.some((document) => /^(?:[a-z][a-z0-9_]*=)?https?:/i.test(document)))
    return "--watch needs a document in a local file.";
  return options.check ? "Choose one of --watch and --check." : undefined;
}

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

/** The files that a run read, with their state at that time. */
class WatchedFiles {
  #stamps = new Map<string, string>();
  #templates: { readonly folder: string; readonly stamp: string } | undefined;

  get size(): number {
    return this.#stamps.size;
  }

  clear(): void {
    this.#stamps = new Map();
  }

  add(path: string): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, fileStamp(path));
  }

  addTemplates(folder: string | undefined): void {
    this.#templates = folder === undefined ? undefined : { folder, stamp: folderStamp(folder) };
  }

  /**
   * Waits for a change, and then until the files are stable.
   * @returns the changed path; undefined when stopped
   */
  async waitForChange(stop: AbortSignal): Promise<string | undefined> {
    let found: string | undefined;
    let before = "";
    while (!stop.aborted) {
      await wait(POLL_INTERVAL_MS + this.size * POLL_EXTRA_PER_FILE_MS, undefined, {
        signal: stop,
      }).catch(() => undefined);
      const now = this.#all();
      if (found !== undefined && now === before) return found;
      found ??= this.#changed();
      before = now;
    }
    return undefined;
  }

  #changed(): string | undefined {
    for (const [path, stamp] of this.#stamps) if (fileStamp(path) !== stamp) return path;
    const { folder, stamp } = this.#templates ?? {};
    return folder !== undefined && folderStamp(folder) !== stamp ? folder : undefined;
  }

  #all(): string {
    return [
      ...[...this.#stamps.keys()].map(fileStamp),
      this.#templates ? folderStamp(this.#templates.folder) : "",
    ].join();
  }
}

/** Identifies the state of a file. */
function fileStamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "absent";
  }
}

function folderStamp(folder: string): string {
  try {
    return listFiles(folder)
      .map((path) => `${path} ${fileStamp(path)}`)
      .join("\n");
  } catch {
    return "absent";
  }
}
