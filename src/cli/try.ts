import { InvalidArgumentError, Option } from "commander";
import {
  formatCount,
  formatDiagnostics,
  isError,
  suggestionFor,
  toSingleLine,
} from "../diagnostics/index.js";
import { isObject } from "../json.js";
import type { ToolPlan } from "../plan/types.js";
import type { GeneratedFile } from "../render/index.js";
import { ServerExitedError, type TestCall, tryServer } from "../try/index.js";
import { documentWords } from "./api-sources.js";
import { describeFiles, resolveCommand } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { type CommandOptions, notEmpty, planningOptions } from "./options.js";
import { runInMemory } from "./pipeline.js";
import { newProgram, parse, reportUsageError, toApisCommand, withDocument } from "./program.js";
import { asciiJson, formatJsonResult } from "./json-output.js";
import { operationCount } from "./summary.js";

const NAME = "mcp-gen try";

const afterHelp = `
Generates the server into a temporary folder, runs it over stdio as a host does, and calls every tool.
A mock of the API responds, which is generated from the document. The real API is never called. The
mock keeps no state: it cannot show what a call changes, nor the API's own data, error messages,
permissions and limits. The folder is removed at the end. The exit code is 1 if a tool fails.

Examples:
  mcp-gen try openapi.yaml
  mcp-gen try openapi.yaml --tool find_pets --input '{"limit": 2}'
`;

interface TryCommandOptions extends CommandOptions {
  readonly tool?: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
}

/** The difference between a call of the mock and one of the API. */
const LIMITS_OF_MOCK =
  "It keeps no state: it cannot show what a call changes, nor the API's own data, error messages, " +
  "permissions and limits.";

/** Maximum number of tools with a detailed call. */
const MAX_DETAILED_CALLS = 8;
const MAX_LISTED_TOOLS = 40;

/** `mcp-gen try [spec]`: lists the tools and calls them. */
export async function runTry(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const own = [
    new Option("--tool <name>", "call this tool only; repeatable").argParser(
      (value: string, before?: readonly string[]) => [...(before ?? []), notEmpty(value)],
    ),
    new Option("--templates <dir>", "folder whose templates replace the default ones").argParser(
      notEmpty,
    ),
    new Option("--input <json>", "input of the calls, instead of sample values").argParser(
      jsonObject,
    ),
  ];
  const program = withDocument(
    newProgram(NAME, "[options] [spec...]", planningOptions(...own), terminal),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toApisCommand);
  if (typeof command === "number") return command;
  const { tool, input, ...options } = command.options as TryCommandOptions;
  const run = await resolveCommand({ ...command, options }, terminal, "unused");
  return typeof run === "number"
    ? run
    : tryRun(run, { ...(tool && { only: tool }), ...(input && { input }) }, terminal);
}

function jsonObject(value: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(value);
    if (isObject(data)) return data;
  } catch {
    // The error below covers syntax errors, too.
  }
  throw new InvalidArgumentError("Give a JSON object, as in '{\"limit\": 2}'.");
}

/** Tools to call, and the input of the only one. */
interface CallSelection {
  readonly only?: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
}

async function tryRun(
  run: ResolvedCommand,
  selection: CallSelection,
  terminal: Terminal,
): Promise<ExitCode> {
  terminal.error(describeFiles(run));
  // Nothing is installed in the temporary folder, so the runtime must be in it.
  const generated = await runInMemory(run, { runtime: "copy", features: ["all"] }, terminal);
  if (typeof generated === "number") return generated;
  const { plan, files, diagnostics } = generated;
  terminal.error(
    formatDiagnostics(diagnostics.filter(isError), {
      source: run.source,
      verbose: true,
      colorize: terminal.paint,
    }),
  );
  if (!plan || !files || !generated.ok) {
    if (run.options.json) terminal.print(formatJsonResult(generated, run, exitCodes.document));
    return exitCodes.document;
  }
  const names = plan.tools.map(({ definition }) => definition.name);
  const unknown = selection.only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return reportUsageError(
      terminal,
      `Unknown tool ${toSingleLine(unknown)}${suggestionFor(unknown, names)}`,
      NAME,
    );
  return callTools(run, plan, files, selection, terminal);
}

/** Calls tools until they are done or a signal arrives, and prints the results. */
async function callTools(
  { options, source, apis }: ResolvedCommand,
  plan: ToolPlan,
  files: readonly GeneratedFile[],
  selection: CallSelection,
  terminal: Terminal,
): Promise<ExitCode> {
  const reporter = options.json
    ? undefined
    : new TryReporter(terminal, options.verbose === true || selection.only !== undefined);
  reporter?.open(plan.api.title, operationCount(plan), plan.tools.length);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort());
  try {
    const calls = await tryServer(plan, files, {
      ...selection,
      signal: interrupted.signal,
      ...(reporter && {
        onStart: reporter.started,
        onCall: reporter.called,
        onInvalidCall: reporter.invalidCall,
      }),
    });
    reporter?.close(calls, interrupted.signal.aborted, documentWords({ source, apis }));
    const verdicts = calls.map(({ verdict }) => verdict);
    const failed = verdicts.includes("fails") || (calls.length > 0 && !verdicts.includes("works"));
    if (options.json) terminal.print(asciiJson({ ok: !failed, calls }));
    return failed || interrupted.signal.aborted ? exitCodes.different : exitCodes.done;
  } catch (error) {
    if (!(error instanceof ServerExitedError)) throw error;
    terminal.error(`error: ${toSingleLine(error.message).replace(/(?<!\.)\.+$/, "")}.\n`);
    return exitCodes.different;
  }
}

/** Prints the progress and the results of the calls. */
class TryReporter {
  #shown = new Set<string>();
  #failures = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly isVerbose: boolean,
  ) {}

  open(title: string, operations: number, tools: number): void {
    this.#line(`${title}: ${formatCount(operations, "operation")} → ${formatCount(tools, "tool")}`);
  }

  readonly started = ({
    url,
    tools,
  }: {
    readonly url: string;
    readonly tools: readonly { readonly name: string; readonly description: string }[];
  }): void => {
    this.#line("The generated server runs over stdio.");
    this.#line(`A mock of the API runs at ${url} and rejects undocumented requests.`);
    this.#line(LIMITS_OF_MOCK);
    this.#line("");
    this.#line("Tools:");
    const width = Math.min(
      32,
      Math.max(...tools.slice(0, MAX_LISTED_TOOLS).map(({ name }) => name.length)),
    );
    for (const { name, description } of tools.slice(0, MAX_LISTED_TOOLS))
      this.#line(`  ${name.padEnd(width)}  ${truncate(firstSentence(description), 90)}`);
    if (tools.length > MAX_LISTED_TOOLS)
      this.#line(`  and ${tools.length - MAX_LISTED_TOOLS} more`);
    this.#line("");
    this.#line("Calls:");
  };

  /** Prints the first call of each tool up to a limit, and every failure. */
  readonly called = (call: TestCall, done: number, total: number): void => {
    const fails = call.verdict === "fails";
    const isNew = !this.#shown.has(call.tool) && this.#shown.size < MAX_DETAILED_CALLS;
    if (this.isVerbose || isNew || (fails && this.#failures++ < MAX_DETAILED_CALLS)) {
      this.terminal.progress?.();
      this.#show(call);
    } else this.terminal.progress?.(`Called ${done} of ${total}`);
    this.#shown.add(call.tool);
  };

  readonly invalidCall = (call: TestCall): void => {
    this.terminal.progress?.();
    this.#line("");
    this.#line("A call without required inputs:");
    this.#show(call);
  };

  close(calls: readonly TestCall[], interrupted: boolean, documents: string): void {
    this.terminal.progress?.();
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    const failing = tools.filter((tool) =>
      calls.some((call) => call.tool === tool && call.verdict === "fails"),
    );
    const working = tools.filter(
      (tool) =>
        !failing.includes(tool) &&
        calls.some((call) => call.tool === tool && call.verdict === "works"),
    );
    const unknown = tools.filter((tool) => !failing.includes(tool) && !working.includes(tool));
    this.#line("");
    const work = tools.length === 1 ? "tool works" : "tools work";
    const count = formatCount(calls.length, "call");
    const end = interrupted ? ", then interrupted" : "";
    this.#line(`${working.length} of ${tools.length} ${work}, in ${count}${end}.`);
    for (const tool of unknown)
      this.#line(
        `  ${tool} was not checked: ${calls.find((call) => call.tool === tool)?.reason ?? ""}`,
      );
    if (failing.length > 0) this.#line(`  failing: ${failing.join(", ")}`);
    this.#line(`All temporary files were removed. To generate: mcp-gen ${documents} -o server`);
  }

  #show({ tool, input, requests, result, verdict, reason }: TestCall): void {
    const mark = { works: "✓", fails: "✗", unknown: "?" }[verdict];
    this.#line(`${mark} ${tool} ${truncate(JSON.stringify(input), 110)}`);
    for (const { method, url, status, violations } of requests) {
      const found = violations.length > 0 ? ` (${violations.join("; ")})` : "";
      this.#line(`    ${method} ${truncate(url, 100)} → ${status}${found}`);
    }
    if (requests.length === 0) this.#line("    no request was sent");
    const text =
      result.structured === undefined || result.isError
        ? result.text
        : JSON.stringify(result.structured);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of result.isError ? lines.slice(0, 6) : lines.slice(0, 1))
      this.#line(`    ${truncate(line, 140)}`);
    if (reason !== undefined) this.#line(`    (${reason})`);
  }

  #line(text: string): void {
    const indent = text.length - text.trimStart().length;
    this.terminal.print(`${text.slice(0, indent)}${toSingleLine(text)}\n`);
  }
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
