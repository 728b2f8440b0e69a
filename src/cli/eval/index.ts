import { formatDiagnostics, toSingleLine } from "../../diagnostics/index.js";
import type { Task } from "../../eval/index.js";
import { ServerExitedError } from "../../try/index.js";
import { resolveCommand } from "../configuration.js";
import { deliver } from "../pipeline.js";
import { newProgram, parse, reportUsageError, toApisCommand, withDocument } from "../program.js";
import type { ResolvedCommand } from "../resolved-command.js";
import { type ExitCode, exitCodes, pathKind, type Terminal } from "../terminal.js";
import { checkAll } from "./check.js";
import { generateServer } from "./generated-server.js";
import { runModel } from "./model.js";
import { type EvalOptions, evalOptions } from "./options.js";
import { record } from "./record.js";

const NAME = "mcp-gen eval";

const DEFAULT_FILE = "eval.yaml";

const afterHelp = `
Tests tasks: what a user says, and the calls that solve it. Without a model, it checks that the calls
are valid, succeed with a mock of the API, that agents can know their IDs, and that the search finds
their tools. With --model, an agent works on the tasks with the generated server and the mock, and is
scored. The real API is never called. The exit code is 1 if tasks fail.

Examples:
  mcp-gen eval openapi.yaml --draft > eval.yaml
  mcp-gen eval openapi.yaml
  mcp-gen eval openapi.yaml --model anthropic:NAME --repeat 3 --html tasks.html
  mcp-gen eval openapi.yaml --model openai:NAME --base-url http://localhost:11434/v1 --min .85
  mcp-gen eval openapi.yaml --model openai:NAME --compare mode=discovery
  mcp-gen eval --transcript log.jsonl --html tasks.html
  mcp-gen eval --record eval.yaml --say "Book a check-up" -- node dist/server.js
`;

/** `mcp-gen eval [spec]`. */
export async function runEval(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const dashes = args.indexOf("--");
  const [own, server] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)];
  const program = withDocument(newProgram(NAME, "[options] [spec...]", evalOptions(), terminal));
  const command = parse(program.addHelpText("after", afterHelp), own, toApisCommand);
  if (typeof command === "number") return command;
  const options = command.options as EvalOptions;
  const problem = findUsageProblem(options, server);
  if (problem !== undefined) return reportUsageError(terminal, problem, NAME);
  if (options.project !== undefined) {
    const { findConfigurationFolder } = await import("./configuration-folder.js");
    const home = await findConfigurationFolder(options.project);
    if (home === undefined) return reportUsageError(terminal, describeHomeless(options), NAME);
    process.chdir(home);
  }
  if (options.record !== undefined) return record(options.record, options.say, server, terminal);
  if (options.transcript) return judgeTranscriptFiles(options.transcript, options, terminal);
  const { baseUrl: _, ...planning } = options;
  const run = await resolveCommand({ ...command, options: planning }, terminal, "unused");
  if (typeof run === "number") return run;
  return options.draft ? draft(run, terminal) : evaluate(run, options, terminal);
}

function describeHomeless({ project }: EvalOptions): string {
  return (
    `No mcp-gen.yaml above ${toSingleLine(project ?? "")} has it as its output. ` +
    "Add spec and output to mcp-gen.yaml, or run mcp-gen eval with the document and -o"
  );
}

function findUsageProblem(options: EvalOptions, server: readonly string[]): string | undefined {
  const { model, record: file, say, maxCost, price, transcript } = options;
  if (file !== undefined && server.length === 0)
    return "Give the command of the server after --, as in: --record eval.yaml -- node dist/server.js";
  if (file === undefined && server.length > 0) return "A command after -- needs --record FILE";
  if (file === undefined && say !== undefined) return "--say needs --record FILE";
  if (maxCost !== undefined && price === undefined)
    return "--max-cost needs the price of a million tokens: --price IN,OUT";
  if (transcript && model) return "--transcript needs no --model: the calls were made already";
  const modelOnly = (["compare", "html", "baseUrl", "keyEnv", "temperature"] as const).find(
    (option) => options[option] !== undefined && !(transcript && option === "html"),
  );
  if (model === undefined && modelOnly !== undefined)
    return `--${modelOnly.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --model`;
  return undefined;
}

async function draft(run: ResolvedCommand, terminal: Terminal): Promise<ExitCode> {
  const generated = await generateServer(run, terminal);
  if (typeof generated === "number") return generated;
  const { draftTasks, writeDraft } = await import("../../eval/draft.js");
  return deliver(writeDraft(draftTasks(generated.plan, generated.files)), undefined, "", terminal);
}

async function evaluate(
  run: ResolvedCommand,
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const tasks = await loadTasks(options, terminal);
  if (typeof tasks === "number") return tasks;
  try {
    const generated = await generateServer(run, terminal);
    if (typeof generated === "number") return generated;
    return options.model
      ? await runModel({ run, tasks, generated, options, model: options.model }, terminal)
      : await checkAll({ tasks, generated, options }, terminal);
  } catch (error) {
    if (!(error instanceof ServerExitedError)) throw error;
    terminal.error(`error: ${toSingleLine(error.message).replace(/(?<!\.)\.+$/, "")}.\n`);
    return exitCodes.different;
  }
}

async function judgeTranscriptFiles(
  files: readonly string[],
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const tasks = await loadTasks(options, terminal);
  if (typeof tasks === "number") return tasks;
  return (await import("./transcript.js")).judgeLogs(files, tasks, options, terminal);
}

async function loadTasks(
  { tasks: named, json }: EvalOptions,
  terminal: Terminal,
): Promise<readonly Task[] | ExitCode> {
  const file = named ?? DEFAULT_FILE;
  if (named === undefined && pathKind(file) === undefined)
    return reportUsageError(
      terminal,
      `There is no ${file} in the current folder. Give the tasks with --tasks FILE, or start with --draft`,
      NAME,
    );
  const { readTasks } = await import("../../eval/read-tasks.js");
  const { tasks, diagnostics } = await readTasks(file);
  if (tasks) return tasks;
  terminal.error(
    formatDiagnostics(diagnostics, {
      source: file,
      verbose: true,
      colorize: terminal.paint,
    }),
  );
  if (json) terminal.print(`${JSON.stringify({ ok: false, diagnostics })}\n`);
  return exitCodes.document;
}
