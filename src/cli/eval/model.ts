/** `mcp-gen eval --model`. */
import {
  type AgentOptions,
  costOfRun,
  attemptLines,
  type Host,
  type ModelAccess,
  modelApis,
  runTasks,
  type Task,
} from "../../eval/index.js";
import { resolveCommand } from "../configuration.js";
import { reportUsageError } from "../program.js";
import type { ResolvedCommand } from "../resolved-command.js";
import type { ExitCode, Terminal } from "../terminal.js";
import { type Generated, generateServer } from "./generated-server.js";
import type { EvalOptions, ModelName } from "./options.js";
import { reportRuns } from "./report-runs.js";

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
    other &&
    (await runTasks(tasks, other.plan, other.files, {
      ...settings,
      ...other.settings,
      // Both runs together cost no more than one may.
      spent: costOfRun(first, settings.prices),
    }));
  const { title } = generated.plan.api;
  return reportRuns({ title, runs: [first, ...(second ? [second] : [])], options }, terminal);
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
