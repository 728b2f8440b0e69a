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
import { helpPointer } from "./help.js";
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
Each side is a lock (${LOCK_PATH}), a folder that has one, or an OpenAPI document; - reads one of
them from standard input. OLD is, when it is not given, the lock in the output folder, and NEW what the
document would give now; mcp-gen.yaml names both. Options about tools are for sides that are documents.

Changes are breaking (calls that worked may fail or do something else, results may be other than was
promised), additive (all that worked still does) or cosmetic. What cannot be proved harmless is breaking.

Examples:
  mcp-gen diff                                     what would a regeneration change, as mcp-gen.yaml here says?
  mcp-gen diff openapi.yaml -o ./server            the same without mcp-gen.yaml
  mcp-gen diff old.yaml new.yaml --fail-on breaking
  git show main:server/${LOCK_PATH} | mcp-gen diff - ./server --format markdown

Exit codes:
  ${exitCodes.done}   compared; nothing was found that --fail-on names
  ${exitCodes.different}   --fail-on found changes
  ${exitCodes.usage}   the command line is wrong
  ${exitCodes.document}   a document, a lock or mcp-gen.yaml cannot be used
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
      "for people, programs, comments on pull requests, or GitHub's annotations",
    )
      .choices([...diffFormats])
      .default("text"),
  ];
  const program = newProgram(NAME, "[options] [old] [new]", planningOptions(...own), terminal)
    .argument("[old]", "a lock, a folder or a document")
    .argument("[new]", "likewise")
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
  const complain = (sentence: string): ExitCode => (
    terminal.error(`error: ${sentence}\n${helpPointer(NAME)}\n`),
    exitCodes.usage
  );
  if (names.includes("") || names.length + (options.against === undefined ? 0 : 1) > 2)
    return complain("Give two sides at most, each by a name.");
  if (names.filter((name) => name === "-").length + (options.against === "-" ? 1 : 0) > 1)
    return complain("Only one side can come from standard input.");
  const given: (ComparisonInput | string)[] = [];
  for (const name of [...(options.against === undefined ? [] : [options.against]), ...names])
    given.push(await classifyInput(name));
  const wrong = given.find((one) => typeof one === "string");
  if (wrong !== undefined) return complain(wrong as string);
  const [first, second] = given as readonly ComparisonInput[];
  // A single document is the new side. Any other single input is the old side.
  const isNew = second === undefined && options.against === undefined && first?.kind === "document";
  const [old, young] = isNew ? [undefined, first] : [first, second];
  const before = old
    ? await readOrPlanLock(old, options, terminal)
    : await lockInFolder(young, options, terminal, complain);
  if (typeof before === "number") return before;
  const after = await (young
    ? readOrPlanLock(young, options, terminal)
    : planLock({}, options, terminal));
  return typeof after === "number" ? after : [before, after];
}

/** Reads the lock of the last generation from the given or configured folder. */
async function lockInFolder(
  young: ComparisonInput | undefined,
  options: DiffOptions,
  terminal: Terminal,
  complain: (sentence: string) => ExitCode,
): Promise<ComparedLock | ExitCode> {
  const source = young?.kind === "document" ? young.source : undefined;
  const settings =
    options.output === undefined
      ? await readSettings({ ...(source !== undefined && { source }), options }, terminal)
      : {};
  if (typeof settings === "number") return settings;
  const folder = options.output ?? settings.output;
  if (folder === undefined)
    return complain(
      "Give what to compare with: a lock, the folder of a generated project with -o, or an older document.",
    );
  if (!existsSync(join(folder, LOCK_PATH)))
    return complain(
      `${toSingleLine(folder)} has no ${LOCK_PATH}. Generate it first, or give a lock or a document instead.`,
    );
  const found = await classifyInput(folder);
  return typeof found === "string" ? complain(found) : readOrPlanLock(found, options, terminal);
}
