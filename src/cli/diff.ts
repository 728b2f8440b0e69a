import { existsSync, readFileSync } from "node:fs";
import { allTools } from "../plan/hidden-tools.js";
import { dirname, join } from "node:path";
import { Option } from "commander";
import {
  type Diagnostic,
  formatDiagnostics,
  quoteText,
  toSingleLine,
} from "../diagnostics/index.js";
import {
  type ChangeClass,
  compareLocks,
  type DiffFormat,
  diffFormats,
  formatChanges,
  isAtLeast,
  type Lock,
  type LockFile,
  readLock,
  readToolList,
  uncomparedParts,
} from "../diff/index.js";
import { omitUndefined } from "../json.js";
import type { ToolPlan } from "../plan/types.js";
import { LOCK_PATH, lockFile } from "../render/lock.js";
import { namesApi } from "./named-documents.js";
import { classifyInput, type ComparisonInput } from "./comparison-input.js";
import { readSettings, resolveCommand } from "./configuration.js";
import { type ExitCode, exitCodes, pathKind, type Terminal } from "./terminal.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import { newProgram, parse, reportUsageError } from "./program.js";

interface DiffOptions extends CommandOptions {
  readonly against?: string;
  readonly failOn: ChangeClass | "none";
  readonly format: DiffFormat;
}

interface DiffCommand {
  readonly names: readonly string[];
  readonly options: DiffOptions;
}

const NAME = "mcp-gen diff";

const afterHelp = `
Each side is a lock (${LOCK_PATH}), a folder with a lock, an OpenAPI document, or the JSON result of
tools/list, with which a running server is compared. - reads one of them from standard input. OLD
defaults to the lock in the output folder, NEW to the tools of the document. mcp-gen.yaml can name
both. The documents of a server of several APIs are one side, NEW. Options about tools apply to
sides that are documents.

Changes are breaking (existing calls may fail or behave differently, results may differ from the
schema, or requests or credentials go elsewhere), additive (existing calls work as before) or
cosmetic. A change is breaking unless it is proved harmless.

Examples:
  mcp-gen diff                                     changes of a regeneration, with ./mcp-gen.yaml
  mcp-gen diff openapi.yaml -o ./server            the same without mcp-gen.yaml
  mcp-gen diff old.yaml new.yaml --fail-on breaking
  mcp-gen diff billing.yaml crm=customers.yaml -o ./server   a server of several APIs
  git show main:server/${LOCK_PATH} | mcp-gen diff - ./server --format markdown

Exit codes:
  ${exitCodes.done}   success; --fail-on found no changes
  ${exitCodes.different}   --fail-on found changes
  ${exitCodes.usage}   invalid command line
  ${exitCodes.document}   invalid document, lock or mcp-gen.yaml
`;

/** `mcp-gen diff [old] [new]`. */
export async function runDiff(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const command = parseDiff(args, terminal);
  if (typeof command === "number") return command;
  const sides = await readSides(command, terminal);
  if (typeof sides === "number") return sides;
  const [before, after] = sides;
  const { format, failOn, json, verbose = false } = command.options;
  const changes = compareLocks(before.lock, after.lock);
  const file = after.file ?? before.file;
  const note = uncomparedParts(before.lock, after.lock);
  const formatOptions = { verbose, ...omitUndefined({ file, note }) };
  terminal.print(formatChanges(changes, json ? "json" : format, formatOptions));
  if (before.hasErrors || after.hasErrors) {
    terminal.error("The rules with errors are not part of this comparison. Correct them.\n");
    return exitCodes.document;
  }
  return failOn !== "none" && changes.some((change) => isAtLeast(change, failOn))
    ? exitCodes.different
    : exitCodes.done;
}

function parseDiff(args: readonly string[], terminal: Terminal): DiffCommand | ExitCode {
  const own = [
    new Option(
      "-o, --output <dir>",
      "folder of the generated project, whose lock is OLD",
    ).argParser(notEmpty),
    new Option("--against <old>", "OLD as an option; the argument is then NEW").argParser(notEmpty),
    new Option(
      "--fail-on <class>",
      "exit 1 when there are changes of this class or a more severe one",
    )
      .choices(["breaking", "additive", "cosmetic", "none"])
      .default("none"),
    new Option(
      "--format <format>",
      "text, JSON, Markdown for pull requests, or annotations of GitHub",
    )
      .choices([...diffFormats])
      .default("text"),
  ];
  const program = newProgram(NAME, "[options] [old] [new...]", planningOptions(...own), terminal)
    .argument("[old]", "a lock, a folder, a document or a tool list")
    .argument("[new...]", "the same, or the documents of several APIs: NAME=path")
    .addHelpText("after", afterHelp);
  return parse(program, args, (parsed) => ({
    names: parsed.args,
    options: parsed.opts<DiffOptions>(),
  }));
}

async function readSides(
  { names, options }: DiffCommand,
  terminal: Terminal,
): Promise<readonly [ComparedLock, ComparedLock] | ExitCode> {
  const reject = (sentence: string): ExitCode => reportUsageError(terminal, sentence, NAME);
  const sides = await assignSides(names, options);
  if (typeof sides === "string") return reject(sides);
  const { old, next } = sides;
  const before = old
    ? await readOrPlanLock(old, options, terminal)
    : await lockInFolder(next, options, terminal, reject);
  if (typeof before === "number") return before;
  const project = { folder: projectFolderOf(old, options) };
  const after = await (next
    ? readOrPlanLock(next, options, terminal, project)
    : planLock({}, options, terminal, project));
  return typeof after === "number" ? after : [before, after];
}

/** The sides of a command. Without one, it is what `mcp-gen.yaml` and the output folder say. */
interface Sides {
  readonly old?: ComparisonInput;
  readonly next?: ComparisonInput;
}

/**
 * Assigns the arguments to the sides.
 * @returns the sides, or a sentence with the reason why there are none
 */
async function assignSides(
  names: readonly string[],
  options: DiffOptions,
): Promise<Sides | string> {
  const all = [...(options.against === undefined ? [] : [options.against]), ...names];
  if (all.includes("")) return "Give at most two sides, neither of them empty.";
  if (all.filter((name) => name === "-").length > 1)
    return "Only one side can come from standard input.";
  const inputs = [];
  for (const name of all) {
    const input = await classifyInput(name);
    if (typeof input === "string") return input;
    inputs.push(input);
  }
  const [first, ...others] = inputs;
  if (options.against !== undefined) return withNewSide(first, others);
  if (first?.kind !== "document") return withNewSide(first, others);
  // A single document is the new side, and so are those of a server of several APIs.
  if (others.length === 0 || isOneServer(names, options)) return withNewSide(undefined, inputs);
  return withNewSide(first, others);
}

/** The new side is one input, or the documents of a server of several APIs. */
function withNewSide(
  old: ComparisonInput | undefined,
  inputs: readonly ComparisonInput[],
): Sides | string {
  const [next] = inputs;
  const sources = inputs.flatMap((input) => (input.kind === "document" ? [input.source] : []));
  if (inputs.length > 1 && sources.length < inputs.length)
    return "Give at most two sides. Only documents of several APIs are one side together.";
  const several = { kind: "documents", sources } as const;
  const isSeveral = inputs.length > 1 || namesApi(sources);
  return omitUndefined({ old, next: isSeveral ? several : next });
}

/**
 * Tests whether documents are the APIs of one server, and not two sides: three of them, one with a
 * name, or two that the output folder has a server of.
 */
function isOneServer(names: readonly string[], { output }: DiffOptions): boolean {
  return names.length > 2 || namesApi(names) || (output !== undefined && hasSeveralApis(output));
}

function hasSeveralApis(folder: string): boolean {
  const path = join(folder, LOCK_PATH);
  const lock = existsSync(path) ? readLock(readFileSync(path, "utf8")) : undefined;
  // The server itself has no address and no credentials.
  const { api = {}, otherApis = {} } = typeof lock === "object" ? lock : {};
  return Object.keys(otherApis).length > 0 && Object.keys(api).length === 0;
}

/** Folder of the project that the old side is. Undefined: the one of `mcp-gen.yaml`. */
function projectFolderOf(
  old: ComparisonInput | undefined,
  { output }: DiffOptions,
): string | undefined {
  if (!old || old.kind !== "lock") return output;
  return pathKind(old.path) === "file" ? dirname(old.path) : output;
}

/** Reads the lock of the last generation from the given or configured folder. */
async function lockInFolder(
  next: ComparisonInput | undefined,
  options: DiffOptions,
  terminal: Terminal,
  reject: (sentence: string) => ExitCode,
): Promise<ComparedLock | ExitCode> {
  const source = next?.kind === "document" ? next.source : undefined;
  const settings =
    options.output === undefined
      ? await readSettings({ ...(source !== undefined && { source }), options }, terminal)
      : {};
  if (typeof settings === "number") return settings;
  const folder = options.output ?? settings.output;
  if (folder === undefined)
    return reject(
      "Give the old side: a lock, the folder of a generated project with -o, or an older document.",
    );
  if (!existsSync(join(folder, LOCK_PATH)))
    return reject(
      `${toSingleLine(folder)} has no ${LOCK_PATH}. Generate it first, or give a lock or a document instead.`,
    );
  const input = await classifyInput(folder);
  return typeof input === "string" ? reject(input) : readOrPlanLock(input, options, terminal);
}

/** The project of a side, whose own code takes part. Without a folder, that of `mcp-gen.yaml`. */
interface ProjectOfSide {
  readonly folder: string | undefined;
}

/** One side of a comparison. */
interface ComparedLock {
  readonly lock: Lock;
  /** True if rules with errors are not in it. */
  readonly hasErrors?: true;
  readonly file?: { readonly path: string } & Pick<LockFile, "lines" | "schemaLines">;
}

/**
 * Reads a lock, or plans the tools of a document.
 * @returns the lock, or the exit code after an error message
 */
async function readOrPlanLock(
  input: ComparisonInput,
  options: CommandOptions,
  terminal: Terminal,
  project?: ProjectOfSide,
): Promise<ComparedLock | ExitCode> {
  if (input.kind === "document" || input.kind === "documents")
    return planLock(input, options, terminal, project);
  if (input.text.trim() === "") return { lock: { tools: [] } };
  if (input.kind === "tool list") {
    const list = readToolList(input.text);
    if (typeof list === "object") return { lock: list };
    const problem = list ?? "is not a result of tools/list";
    terminal.error(`error: ${quoteText(input.path)} ${problem}.\n`);
    return exitCodes.document;
  }
  const lock = readLock(input.text);
  if (typeof lock === "object") {
    const { lines, schemaLines } = lock;
    const file = { path: input.path, lines, schemaLines };
    return { lock, ...(pathKind(input.path) === "file" && { file }) };
  }
  terminal.error(
    `error: ${quoteText(input.path)} ${lock ?? "is not a lock of mcp-gen"}. ` +
      "Restore it from version control, or regenerate it.\n",
  );
  return exitCodes.document;
}

/** The documents of a side; those that the configuration names without any. */
interface PlannedSide {
  readonly source?: string;
  readonly sources?: readonly string[];
  readonly stdin?: () => Promise<Uint8Array>;
}

/** Plans the tools of a document, or of the document that the configuration names. */
async function planLock(
  input: PlannedSide,
  options: CommandOptions,
  terminal: Terminal,
  project?: ProjectOfSide,
): Promise<ComparedLock | ExitCode> {
  const run = await resolveCommand(
    { ...omitUndefined({ source: input.source, sources: input.sources }), options },
    terminal,
    "unused",
  );
  if (typeof run === "number") return run;
  const projectFolder = project && (project.folder ?? run.outDir);
  const withoutProject = projectFolder === undefined ? { isWithoutProject: true as const } : {};
  const result = await runPipeline(
    {
      source: run.source,
      ...(run.apis && { apis: run.apis }),
      options: run.options,
      ...(run.configuration && { configuration: run.configuration }),
      ...(input.stdin && { stdin: input.stdin }),
    },
    terminal,
    projectFolder === undefined ? {} : { projectFolder },
  );
  if (typeof result === "number") return result;
  const text = result.ok
    ? result.files?.find(({ path }) => path === LOCK_PATH)?.content
    : undefined;
  const lock = text === undefined ? undefined : readLock(text);
  if (typeof lock === "object") return { lock: { ...lock, ...withoutProject } };
  const shown = result.diagnostics.filter(
    ({ severity }) => severity === "error" || (options.strict === true && severity === "warning"),
  );
  terminal.error(formatDiagnostics(shown, { source: run.source, colorize: terminal.paint }));
  return lockDespiteErrors(result.plan, shown) ?? exitCodes.document;
}

/**
 * The lock of a plan whose only errors are those of rules, for example of one about an operation
 * that is gone. The rest of the changes are worth knowing, too.
 */
function lockDespiteErrors(
  plan: ToolPlan | undefined,
  errors: readonly Diagnostic[],
): ComparedLock | undefined {
  if (!plan || !errors.every(({ code }) => code.startsWith("config-"))) return undefined;
  const lock = readLock(lockFile({ ...plan, tools: allTools(plan) }).content);
  return typeof lock === "object" ? { lock, hasErrors: true } : undefined;
}
