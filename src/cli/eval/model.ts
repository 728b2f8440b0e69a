/** `mcp-gen eval --model`. */
import { readFileSync, statSync } from "node:fs";
import {
  type AgentOptions,
  type AgentRun,
  attemptLines,
  compareRuns,
  comparisonLines,
  EVAL_MARKER,
  type Host,
  junit,
  type ModelAccess,
  modelApis,
  type NamedRun,
  runTasks,
  scoreLines,
  type Task,
  titleOf,
  totalScores,
  transcriptPage,
} from "../../eval/index.js";
import { resolveCommand } from "../configuration.js";
import { asciiJson } from "../json-output.js";
import { deliver } from "../pipeline.js";
import { reportUsageError } from "../program.js";
import type { ResolvedCommand } from "../resolved-command.js";
import { type ExitCode, exitCodes, type Terminal } from "../terminal.js";
import { writeJunit } from "./check.js";
import { type Generated, generateServer } from "./generated-server.js";
import type { EvalOptions, ModelName } from "./options.js";

const NAME = "mcp-gen eval";
/** Most tokens of one response of the model. */
const RESPONSE_TOKENS = 4096;
const TIMEOUT_MS = 300_000;
const RETRY_DELAY_MS = 1000;

interface ModelRun {
  readonly run: ResolvedCommand;
  readonly tasks: readonly Task[];
  readonly generated: Generated;
  readonly options: EvalOptions;
  readonly model: ModelName;
}

/** Lets a model work on the tasks, and prints the scores. */
export async function runModel(request: ModelRun, terminal: Terminal): Promise<ExitCode> {
  const { tasks, generated, options, model } = request;
  const access = accessTo(model, options);
  if (typeof access === "string") return reportUsageError(terminal, access, NAME);
  const other = await findVariant(request, terminal);
  if (typeof other === "number") return other;
  const { protocol, host } = new URL(access.baseUrl);
  terminal.error(
    `Prompts and results of the mock are sent to ${protocol}//${host}` +
      `${access.key === undefined ? " without a key" : ""}.\n`,
  );
  const settings = agentOptions(access, options, options.json ? undefined : terminal);
  const first = await runTasks(tasks, generated.plan, generated.files, settings);
  const second =
    other && (await runTasks(tasks, other.plan, other.files, { ...settings, ...other.settings }));
  return report(request, [first, ...(second ? [second] : [])], terminal);
}

/** Access to the model, or a usage problem. A key is sent only to the origin that it is for. */
function accessTo({ provider, name }: ModelName, options: EvalOptions): ModelAccess | string {
  const api = modelApis[provider];
  if (!api) return `There is no API ${provider}`;
  const { baseUrl = api.baseUrl, keyEnv, temperature } = options;
  const isOwn = new URL(baseUrl).origin === new URL(api.baseUrl).origin;
  const variable = keyEnv ?? (isOwn ? api.keyVariable : undefined);
  const key = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !key)
    return `Set ${variable} to the key of the model's API in the environment`;
  return {
    api,
    baseUrl,
    ...(key && { key }),
    settings: {
      name,
      maxTokens: RESPONSE_TOKENS,
      ...(temperature !== undefined && { temperature }),
    },
    timeoutMs: TIMEOUT_MS,
    retryDelayMs: RETRY_DELAY_MS,
  };
}

function agentOptions(
  access: ModelAccess,
  options: EvalOptions,
  terminal: Terminal | undefined,
): AgentOptions {
  const { host, maxTurns, maxTokens, maxCost, price, repeat, mode } = options;
  return {
    access,
    host: host as Host,
    limits: {
      turns: maxTurns,
      tokens: maxTokens,
      ...(maxCost !== undefined && { cost: maxCost }),
    },
    ...(price && { prices: price }),
    repeat,
    ...(mode && { mode }),
    onAttempt: (task, attempt) =>
      terminal?.print(
        attemptLines(task, attempt)
          .map((line) => `${line}\n`)
          .join(""),
      ),
  };
}

/** A second server, or another list of the same one. */
interface Variant extends Generated {
  readonly settings: Pick<AgentOptions, "mode">;
}

async function findVariant(
  { run, generated, options: { compare } }: ModelRun,
  terminal: Terminal,
): Promise<Variant | undefined | ExitCode> {
  if (compare === undefined) return undefined;
  const [, key, value] = /^(mode|granularity)=(\w+)$/.exec(compare) ?? [];
  if (key === "mode" && (value === "tools" || value === "hybrid" || value === "discovery"))
    return { ...generated, settings: { mode: value } };
  if (key === "granularity" && (value === "task" || value === "operation"))
    return toVariant(
      await generateServer({ ...run, options: { ...run.options, granularity: value } }, terminal),
    );
  if (key !== undefined)
    return reportUsageError(terminal, `--compare: there is no ${key} ${value}`, NAME);
  const { configuration: _, configurationFile: _file, ...command } = run;
  const other = await resolveCommand(
    { ...command, options: { ...run.options, config: compare } },
    terminal,
    "unused",
  );
  return typeof other === "number" ? other : toVariant(await generateServer(other, terminal));
}

function toVariant(generated: Generated | ExitCode): Variant | ExitCode {
  return typeof generated === "number" ? generated : { ...generated, settings: {} };
}

function report(
  { generated: { plan }, options }: ModelRun,
  runs: readonly AgentRun[],
  terminal: Terminal,
): ExitCode {
  const names = ["this server", options.compare ?? ""];
  const named = runs.map((run, i): NamedRun => ({ name: names[i] as string, run }));
  const [first, second] = runs as readonly [AgentRun, AgentRun?];
  const comparison = second && compareRuns(first, second);
  const isEnough =
    first.stopped === undefined && (totalScores(first)?.done ?? 0) >= (options.min ?? 1);
  if (options.json)
    terminal.print(asciiJson({ ok: isEnough, runs: named, ...(comparison && { comparison }) }));
  else {
    const lines = [
      ...named.flatMap(({ name, run }) => [
        "",
        ...(second ? [`${name}:`] : []),
        ...scoreLines(run),
      ]),
      ...(second ? ["", ...comparisonLines(names[1] as string, comparison)] : []),
    ];
    terminal.print(lines.map((line) => `${line}\n`).join(""));
  }
  const page = writePage(options.html, transcriptPage(plan.api.title, named), terminal);
  if (page !== exitCodes.done) return page;
  const cases = first.tasks.map(({ task, attempts }) => ({
    name: titleOf(task),
    problems: attempts.flatMap(({ judgement }) => judgement.problems),
  }));
  return writeJunit(options.junit, junit(`${plan.api.title}: tasks`, cases), isEnough, terminal);
}

function writePage(file: string | undefined, text: string, terminal: Terminal): ExitCode {
  if (file === undefined) return exitCodes.done;
  if (isForeignFile(file)) {
    terminal.error(`error: ${file} exists and is not a page of this command. Give another file.\n`);
    return exitCodes.refused;
  }
  return deliver(text, file, "the transcripts.", { ...terminal, print: terminal.error });
}

function isForeignFile(file: string): boolean {
  return (
    statSync(file, { throwIfNoEntry: false })?.isFile() === true &&
    !readFileSync(file, "utf8").slice(0, 2000).includes(EVAL_MARKER)
  );
}
