import { existsSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import {
  type ChangeClass,
  compareLocks,
  type DiffFormat,
  diffFormats,
  formatChanges,
  isAtLeast,
} from "../diff/index.js";
import { toSingleLine } from "../diagnostics/index.js";
import { LOCK_PATH } from "../render/lock/index.js";
import { readSettings } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import {
  type ComparisonInput,
  type ComparedLock,
  classifyInput,
  planLock,
  readOrPlanLock,
} from "./locks.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { newProgram, parse } from "./program.js";
import type { Terminal } from "./terminal.js";
import { reportUsageError } from "./usage-error.js";

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
Each side is a lock (${LOCK_PATH}), a folder with a lock, or an OpenAPI document; - reads one of
them from standard input. OLD defaults to the lock in the output folder, NEW to the tools of the
document; mcp-gen.yaml names both. Options about tools apply to sides that are documents.

Changes are breaking (existing calls may fail or behave differently, or results may differ from the
schema), additive (existing calls work as before) or cosmetic. Changes of unproven safety are breaking.

Examples:
  mcp-gen diff                                     changes of a regeneration, with ./mcp-gen.yaml
  mcp-gen diff openapi.yaml -o ./server            the same without mcp-gen.yaml
  mcp-gen diff old.yaml new.yaml --fail-on breaking
  git show main:server/${LOCK_PATH} | mcp-gen diff - ./server --format markdown

Exit codes:
  ${exitCodes.done}   compared; no changes of --fail-on
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
  terminal.print(
    formatChanges(changes, json ? "json" : format, { verbose, ...(file && { file }) }),
  );
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
    new Option("--against <old>", "OLD, by name; then the argument is NEW").argParser(notEmpty),
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
  const program = newProgram(NAME, "[options] [old] [new]", planningOptions(...own), terminal)
    .argument("[old]", "a lock, a folder or a document")
    .argument("[new]", "a lock, a folder or a document")
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
  if (names.includes("") || names.length + (options.against === undefined ? 0 : 1) > 2)
    return reject("Give at most two sides, each by name.");
  if (names.filter((name) => name === "-").length + (options.against === "-" ? 1 : 0) > 1)
    return reject("Only one side can come from standard input.");
  const inputs: ComparisonInput[] = [];
  for (const name of [...(options.against === undefined ? [] : [options.against]), ...names]) {
    const input = await classifyInput(name);
    if (typeof input === "string") return reject(input);
    inputs.push(input);
  }
  const [first, second] = inputs;
  // A single document is the new side. Any other single input is the old side.
  const isNew = second === undefined && options.against === undefined && first?.kind === "document";
  const [old, next] = isNew ? [undefined, first] : [first, second];
  const before = old
    ? await readOrPlanLock(old, options, terminal)
    : await lockInFolder(next, options, terminal, reject);
  if (typeof before === "number") return before;
  const after = await (next
    ? readOrPlanLock(next, options, terminal)
    : planLock({}, options, terminal));
  return typeof after === "number" ? after : [before, after];
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
