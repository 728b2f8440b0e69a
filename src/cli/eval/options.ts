/** Options of `mcp-gen eval`. */
import { InvalidArgumentError, Option } from "commander";
import { canParseUrl } from "../../runtime/data/urls.js";
import {
  collect,
  type CommandOptions,
  notEmpty,
  type OptionGroup,
  planningOptions,
} from "../options.js";

/** Names before the colon of `--model`. */
const PROVIDERS = ["openai", "anthropic"] as const;

/** Hosts whose form of results models get; the first is the default. */
const HOSTS = ["claude-code", "codex", "vscode", "gemini", "opencode", "claude.ai", "chatgpt"];

/** A model and the API that offers it. */
export interface ModelName {
  readonly provider: (typeof PROVIDERS)[number];
  readonly name: string;
}

export interface EvalOptions extends CommandOptions {
  readonly tasks?: string;
  /** Folder of a generated project, for which its configuration is searched. */
  readonly project?: string;
  readonly draft?: boolean;
  readonly record?: string;
  readonly say?: string;
  /** Logs of agents. */
  readonly transcript?: readonly string[];
  readonly model?: ModelName;
  /** Base URL of the model's API. */
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly host: (typeof HOSTS)[number];
  readonly mode?: "tools" | "hybrid" | "discovery";
  readonly repeat: number;
  readonly temperature?: number;
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxCost?: number;
  readonly price?: { readonly input: number; readonly output: number };
  readonly min?: number;
  readonly compare?: string;
  readonly junit?: string;
  readonly html?: string;
}

/** Options with their headings. The base URL of the API has no use here: a mock responds. */
export function evalOptions(): readonly OptionGroup[] {
  const folder = new Option(
    "-o, --output <dir>",
    "folder of the generated project, whose src/custom takes part",
  ).argParser(notEmpty);
  const others = planningOptions(folder).map(({ title, options }) => ({
    title,
    options: options.filter(({ long }) => long !== "--base-url"),
  }));
  return [{ title: "Tasks:", options: taskOptions() }, modelOptions(), ...others];
}

function taskOptions(): readonly Option[] {
  return [
    new Option("--tasks <file>", "file of the tasks (default: eval.yaml)").argParser(notEmpty),
    new Option(
      "--project <dir>",
      "run in the folder whose mcp-gen.yaml has this project as its output, for npm run eval",
    ).argParser(notEmpty),
    new Option("--draft", "print candidates for tasks, to be edited"),
    new Option(
      "--record <file>",
      "run the server command after -- for a host, and add its calls to the file as a task",
    ).argParser(notEmpty),
    new Option("--say <text>", "words of the user in the recorded task").argParser(notEmpty),
    new Option(
      "--transcript <file>",
      "judge the calls in a log of an agent, JSON lines with task, name and args (repeatable)",
    ).argParser(collect),
    new Option("--min <share>", "share of the tasks that must be done (default: all)").argParser(
      number(0, 1),
    ),
    new Option("--junit <file>", "also write the results as JUnit XML").argParser(notEmpty),
  ];
}

function modelOptions(): OptionGroup {
  const options = [
    new Option(
      "--model <api:name>",
      "let a model work on the tasks: openai:NAME or anthropic:NAME",
    ).argParser(modelName),
    new Option("--base-url <url>", "base URL of the model's API, if it is another one").argParser(
      modelUrl,
    ),
    new Option(
      "--key-env <name>",
      "variable with the API key (default: OPENAI_API_KEY or ANTHROPIC_API_KEY, none with --base-url)",
    ).argParser(notEmpty),
    new Option("--host <host>", "form in which the model gets results")
      .choices(HOSTS)
      .default(HOSTS[0]),
    new Option("--mode <mode>", "listed tools (default: as the server would)").choices([
      "tools",
      "hybrid",
      "discovery",
    ]),
    new Option("--repeat <k>", "attempts at each task").default(1).argParser(number(1, 100, true)),
    new Option("--temperature <t>", "temperature of the model").argParser(number(0, 2)),
    new Option("--max-turns <n>", "most responses of the model in an attempt")
      .default(20)
      .argParser(number(1, 1000, true)),
    new Option("--max-tokens <n>", "most tokens of an attempt, read and written")
      .default(500_000)
      .argParser(number(1000, 1e9, true)),
    new Option("--max-cost <amount>", "most money of the run; needs --price").argParser(
      number(0, 1e6),
    ),
    new Option("--price <in,out>", "price of a million tokens, read and written").argParser(price),
    new Option(
      "--compare <variant>",
      "also run another mcp-gen.yaml, mode=discovery or granularity=operation, and compare",
    ).argParser(notEmpty),
    new Option("--html <file>", "also write a page with the transcripts").argParser(notEmpty),
  ];
  return { title: "Model:", options };
}

function modelName(value: string): ModelName {
  const [, name, model] = /^(\w+):(.+)$/.exec(value) ?? [];
  const provider = PROVIDERS.find((one) => one === name);
  if (provider === undefined || model === undefined)
    throw new InvalidArgumentError("Write it as openai:NAME or anthropic:NAME.");
  return { provider, name: model };
}

/** Keys and prompts are sent there, so it must be encrypted unless it is this machine. */
function modelUrl(value: string): string {
  const url = canParseUrl(value) ? new URL(value) : undefined;
  const isLocal = url && /^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (url && isSafe && url.username === "" && url.search === "")
    return value.replace(/(?<!\/)\/+$/, "");
  throw new InvalidArgumentError(
    "It must be an https: URL, or an http: URL of this machine, without credentials and query.",
  );
}

/** Parses a number between two bounds. */
function number(minimum: number, maximum: number, isWhole = false) {
  return (value: string): number => {
    const parsed = Number(value.trim() === "" ? NaN : value);
    if (parsed >= minimum && parsed <= maximum && (!isWhole || Number.isInteger(parsed)))
      return parsed;
    const kind = isWhole ? "a whole number" : "a number";
    throw new InvalidArgumentError(`It must be ${kind} from ${minimum} to ${maximum}.`);
  };
}

function price(value: string): EvalOptions["price"] {
  const [input = NaN, output = NaN, ...rest] = value.split(",").map(Number);
  if (input >= 0 && output >= 0 && rest.length === 0) return { input, output };
  throw new InvalidArgumentError("Write two numbers, as in 3,15.");
}
