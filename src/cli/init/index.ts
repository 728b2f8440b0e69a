import { existsSync, rmSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { suggestionFor, toSingleLine } from "../../diagnostics/index.js";
import { omitUndefined } from "../../json.js";
import type { ToolPlan } from "../../plan/index.js";
import { CONFIGURATION_FILE } from "../configuration.js";
import { type ExitCode, exitCodes, quoteForUser, type Terminal } from "../terminal.js";
import { runGenerate } from "../generate.js";
import { type CommandOptions, notEmpty } from "../options.js";
import type { ResolvedCommand } from "../resolved-command.js";
import { newProgram, parse, reportUsageError, toApisCommand, withDocument } from "../program.js";
import { planDocument } from "../pipeline.js";
import {
  chosenCredentials,
  loginCommands,
  missingSecrets,
  neededVariables,
  plansOfApis,
  summarizeBriefly,
} from "../summary.js";
import { type Answers, ask, type GivenAnswers } from "./ask.js";
import { configurationText, type Documents, resolveInit } from "./configuration.js";
import type { HostedServer } from "./host-entries.js";
import { describeList, listedTools } from "./first-list.js";
import {
  describeUnwritable,
  type Host,
  hosts,
  readEnvFile,
  writeEnvFile,
  writeHostFiles,
  writeText,
} from "./hosts.js";

const NAME = "mcp-gen init";

const afterHelp = `
Sets up a server for a document, or for several: writes mcp-gen.yaml, generates the project with its .env, and adds
it to the configuration of hosts. On a terminal it asks for the values that no option sets. Elsewhere,
and with --yes, it does not ask. Existing files are merged, never replaced.

Examples:
  mcp-gen init                               uses openapi.yaml in this folder, and asks
  mcp-gen init billing.yaml crm=customers.yaml   one server for several APIs
  mcp-gen init openapi.yaml --host claude-code --set CLINIC_API_KEY=abc --ci github
`;

interface InitOptions extends CommandOptions {
  readonly toolsets?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  readonly host?: readonly string[];
  readonly url?: string;
  readonly yes?: boolean;
}

/** Names under which documents are found in the current folder. */
const DOCUMENT_NAMES = ["openapi", "swagger"].flatMap((name) =>
  ["yaml", "yml", "json"].map((extension) => `${name}.${extension}`),
);

/** Finds a document in the current folder by its name. */
function findDocument(): string | undefined {
  return DOCUMENT_NAMES.find((name) => existsSync(name));
}

/** `mcp-gen init [spec]`: from a document to a tool in a host. */
export async function runInit(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const groups = [{ title: "Options:", options: initOptions() }];
  const program = withDocument(
    newProgram(NAME, "[options] [spec...]", groups, terminal),
  ).addHelpText("after", afterHelp);
  const command = parse(program, args, toApisCommand);
  if (typeof command === "number") return command;
  const options = command.options as InitOptions;
  const isConfigured = existsSync(CONFIGURATION_FILE);
  const found = isConfigured || command.sources ? undefined : findDocument();
  const source = command.source ?? found;
  if (source === "-" || (source === undefined && !command.sources && !isConfigured))
    return reportUsageError(
      terminal,
      source === "-"
        ? "mcp-gen.yaml needs the document in a file or at a URL"
        : "Give an OpenAPI document: a path or an https: URL",
      NAME,
    );
  const documents = omitUndefined({ source, sources: command.sources });
  const run = await resolveInit(documents, shapingOptions(options), terminal, NAME);
  if (typeof run === "number") return run;
  const planned = await planDocument(run, {}, terminal);
  if (typeof planned === "number") return planned;
  const given = givenAnswers(options, run.outDir, isConfigured);
  const answers = isInteractive(options) ? await ask(planned.plan, given) : withDefaults(given);
  if (!answers) return (terminal.error("Nothing was written.\n"), exitCodes.usage);
  return setUp(run, planned.plan, answers, options, terminal);
}

function initOptions(): readonly Option[] {
  return [
    new Option("-o, --output <dir>", "folder of the server (default: ./server)").argParser(
      notEmpty,
    ),
    new Option("--name <package>", "npm name of the project").argParser(notEmpty),
    new Option("--namespace <prefix>", "prefix of every tool name").argParser(notEmpty),
    new Option("--base-url <url>", "base URL of the API").argParser(notEmpty),
    new Option(
      "--toolsets <names>",
      "toolsets to list, separated by commas (default: all)",
    ).argParser((names: string) => names.split(",").map((name) => name.trim())),
    new Option("--set <NAME=VALUE>", "variable of .env; repeatable").argParser(assignment),
    new Option("--host <name>", "host to configure; repeatable")
      .choices(hosts.map(({ id }) => id))
      .argParser(hostName),
    new Option(
      "--url <url>",
      "endpoint of the running server, to which hosts connect instead of starting one",
    ).argParser(endpoint),
    new Option("--ci <system>", "also write a CI workflow").choices(["github"]),
    new Option("--yes", "do not ask"),
    new Option("--force", "replace a server of the same name in configurations of hosts"),
  ];
}

function assignment(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("Give NAME=VALUE, as in CLINIC_API_KEY=abc.");
  return { ...before, [name]: value };
}

function endpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === "") return text;
  throw new InvalidArgumentError("Give an http(s) URL: https://mcp.example.com/mcp.");
}

function hostName(name: string, before: readonly string[] = []): readonly string[] {
  if (hosts.some(({ id }) => id === name)) return [...before, name];
  throw new InvalidArgumentError(`Known hosts: ${hosts.map(({ id }) => id).join(", ")}.`);
}

function isInteractive({ yes }: InitOptions): boolean {
  return yes !== true && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Options that shape the tools, and go into the configuration. */
function shapingOptions({ output, name, namespace, baseUrl }: InitOptions): CommandOptions {
  return {
    ...(output !== undefined && { output }),
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
}

function givenAnswers(
  { output, toolsets, set, host, ci }: InitOptions,
  configured: string | undefined,
  isConfigured: boolean,
): GivenAnswers {
  return {
    output: output ?? configured,
    toolsets,
    variables: set,
    hosts: host?.map((id) => hosts.find((known) => known.id === id) as Host),
    // mcp-gen.yaml is not changed if it exists.
    approve: isConfigured ? false : undefined,
    ci: ci === undefined ? undefined : true,
  };
}

function withDefaults({
  output,
  toolsets,
  variables,
  hosts: chosen,
  approve,
  ci,
}: GivenAnswers): Answers {
  return {
    output: output ?? "./server",
    toolsets: toolsets ?? [],
    variables: variables ?? {},
    hosts: chosen ?? [],
    approve: approve ?? false,
    ci: ci ?? false,
  };
}

/** Writes the configuration, the project, `.env`, the files of hosts and the workflow. */
async function setUp(
  run: ResolvedCommand,
  plan: ToolPlan,
  answers: Answers,
  options: InitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const unknown = answers.toolsets.find((name) => !plan.toolsets.some((set) => set.name === name));
  if (unknown !== undefined)
    return reportUsageError(
      terminal,
      `Unknown toolset ${toSingleLine(unknown)}; known: ${plan.toolsets.map(({ name }) => name).join(", ")}`,
      NAME,
    );
  const problem =
    mistypedVariable(plan, answers.variables) ?? unwritableVariable(answers.variables);
  if (problem !== undefined) return reportUsageError(terminal, problem, NAME);
  const documents = plan.apis ? namedDocuments(run, plan.apis) : run.source;
  const code = await generateConfigured(documents, answers, options, terminal);
  if (code !== exitCodes.done) return code;
  const { envPrefix } = plan.api;
  for (const variable of foreignVariables(plan, answers.variables))
    terminal.error(
      `The server does not read ${variable}: its variables start with ${envPrefix}_.\n`,
    );
  const variables = {
    ...answers.variables,
    ...(answers.toolsets.length > 0 && { [`${envPrefix}_TOOLSETS`]: answers.toolsets.join(",") }),
  };
  const isSet = writeEnvFile(answers.output, variables, terminal);
  const server = hostedServer(plan, answers, options.url);
  const isHosted = writeHostFiles(answers.hosts, server, options.force === true, terminal);
  terminal.print(nextSteps(plan, answers));
  return isSet && isHosted ? exitCodes.done : exitCodes.refused;
}

/** The documents of several APIs by the names of these. */
function namedDocuments(
  { apis = [] }: ResolvedCommand,
  members: NonNullable<ToolPlan["apis"]>,
): Documents {
  return Object.fromEntries(members.map(({ name }, i) => [name, apis[i]?.source ?? ""]));
}

/** The server as entries of hosts describe it. */
function hostedServer(plan: ToolPlan, answers: Answers, url: string | undefined): HostedServer {
  const { name, envPrefix } = plan.api;
  return {
    name,
    folder: answers.output,
    ...(url !== undefined && { url }),
    tokenVariable: `${envPrefix}_HTTP_TOKEN`,
    secrets: missingSecrets(plan, readEnvFile(answers.output)),
    list: listedTools(plan, answers.toolsets),
    modeVariable: `${envPrefix}_MODE`,
  };
}

/**
 * Writes `mcp-gen.yaml`, unless it exists, and generates the project from it. If that fails, a new
 * `mcp-gen.yaml` is removed, so that the next run of init can write another.
 */
async function generateConfigured(
  documents: Documents,
  { output, approve, ci }: Answers,
  options: InitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const isNew = !existsSync(CONFIGURATION_FILE);
  if (!isNew) terminal.print(`${CONFIGURATION_FILE} exists and is not changed.\n`);
  else if (
    !writeConfiguration(configurationText(documents, output, { ...options, approve }), terminal)
  )
    return exitCodes.refused;
  const code = await runGenerate(
    {
      outDir: output,
      options: { config: CONFIGURATION_FILE, ...(ci && { ci: "github" }) },
      args: [],
    },
    terminal,
    { formatSummary: summarizeBriefly },
  );
  if (code === exitCodes.done || !isNew) return code;
  rmSync(CONFIGURATION_FILE);
  terminal.error(`Removed ${CONFIGURATION_FILE} again.\n`);
  return code;
}

function writeConfiguration(text: string, terminal: Terminal): boolean {
  return writeText(CONFIGURATION_FILE, text, terminal, { within: ["."] });
}

/** Variables of every server, without its prefix. */
const COMMON_VARIABLES = /^(?:LOG_LEVEL|HTTPS?_PROXY|NO_PROXY|NODE_\w+|OTEL_\w+)$/i;

/** Names of variables that the generated code does not read. Hooks may read them. */
function foreignVariables(
  { api, environment }: ToolPlan,
  values: Answers["variables"],
): readonly string[] {
  const known = new Set(environment.map(({ name }) => name));
  return Object.keys(values).filter(
    (name) =>
      !known.has(name) && !name.startsWith(`${api.envPrefix}_`) && !COMMON_VARIABLES.test(name),
  );
}

/** Explains the first unknown variable that resembles one of the server. Hooks may read others. */
function mistypedVariable(
  { environment }: ToolPlan,
  values: Answers["variables"],
): string | undefined {
  const names = environment.map(({ name }) => name);
  const messages = Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => ({ name, suggestion: suggestionFor(name, names) }))
    .filter(({ suggestion }) => suggestion !== "");
  const [first] = messages;
  return first && `Unknown variable ${first.name}${first.suggestion}`;
}

/** Explains the first value that `.env` cannot hold, without printing it. */
function unwritableVariable(values: Answers["variables"]): string | undefined {
  const problems = Object.entries(values).map(([name, value]) => {
    const problem = describeUnwritable(value);
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
  return problems.flat()[0];
}

/** Lists the remaining steps. */
function nextSteps(plan: ToolPlan, { output, toolsets, hosts: configured }: Answers): string {
  const file = quoteForUser(`${output}/.env`);
  const values = readEnvFile(output);
  const needed = neededVariables(plan, values);
  const fill = needed === "" ? "" : `  fill in ${file}, which Git ignores: ${needed}\n`;
  const titles = configured.map(({ title }) => title.replace(/ \(.*/, ""));
  const last =
    titles.length > 0
      ? `  restart ${titles.join(", ")}: ${describeList(plan, toolsets)}\n`
      : "  connect a host: README.md of the server has its configuration\n";
  const signsIn = (own: ToolPlan): boolean =>
    chosenCredentials(own, values)?.some((part) => part.includes(" ")) ?? false;
  const login = loginCommands(plan, signsIn)
    .map((command) => `  ${command}   (to sign in)\n`)
    .join("");
  const [checked] = plansOfApis(plan).flatMap((own) => findCheckTool(own) ?? []);
  const check = checked
    ? `  node dist/server.js call ${checked}   (to check the credentials)\n`
    : "";
  const enter = `  cd ${quoteForUser(output)}\n`;
  return `Next:\n${fill}${enter}  npm install\n  npm run build\n${login}${check}${last}`;
}

/** Finds a tool that only reads, needs credentials, and can be called without an input. */
function findCheckTool({ tools, mock }: ToolPlan): string | undefined {
  const secured = new Set(
    mock.operations
      .filter(({ security = [] }) => security.length > 0 && security.every(isRequired))
      .map(({ location }) => location.pointer),
  );
  return tools.find(
    ({ definition: { annotations, inputSchema }, operations }) =>
      annotations?.readOnlyHint === true &&
      [inputSchema["required"] ?? []].flat().length === 0 &&
      operations.every(({ location }) => secured.has(location.pointer)),
  )?.definition.name;
}

function isRequired(requirement: object): boolean {
  return Object.keys(requirement).length > 0;
}
