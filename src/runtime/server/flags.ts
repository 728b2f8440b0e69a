/** The command line of a server: its flags, and the text of `--help`. */
import { parseArgs } from "node:util";
import type { ApiDefinition } from "../api-definition.js";

/** Variables, without their prefix, that flags override. */
const variables = {
  "base-url": "BASE_URL",
  files: "FILES_DIR",
  toolsets: "TOOLSETS",
  "read-only": "READ_ONLY",
  "dry-run": "DRY_RUN",
  "raw-requests": "RAW_REQUESTS",
  mode: "MODE",
  listed: "LISTED",
} as const;
type Overriding = keyof typeof variables;

/** Values of flags, by the name of the variable without its prefix. */
export type SettingOverrides = Readonly<Partial<Record<(typeof variables)[Overriding], string>>>;

/** The command of a command line. */
export type Command =
  | { readonly kind: "stdio"; readonly overrides: SettingOverrides }
  | ToolCommand
  | {
      readonly kind: "http";
      readonly host: string;
      readonly port: number;
      readonly allowUnauthenticated: boolean;
      /** Number of processes that serve requests. */
      readonly workers: number;
      readonly overrides: SettingOverrides;
    }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  /** The problem, as a sentence. */
  | { readonly kind: "invalid"; readonly problem: string };

/** A command that prints tools or calls one of them. */
export type ToolCommand = ToolsCommand | DescribeCommand | CallCommand;

interface PrintingCommand {
  readonly format: "text" | "json" | "table";
  readonly overrides: SettingOverrides;
}

/** The tools that match words; without words, all. */
export interface ToolsCommand extends PrintingCommand {
  readonly kind: "tools";
  readonly words: readonly string[];
}

/** Inputs and results of tools. */
export interface DescribeCommand extends PrintingCommand {
  readonly kind: "describe";
  readonly names: readonly string[];
}

/** One call of a tool. */
export interface CallCommand extends PrintingCommand {
  readonly kind: "call";
  readonly tool: string;
  /** The input, as it is on the command line. */
  readonly args: readonly string[];
}

const commandNames = ["tools", "describe", "call"] as const;

const options = {
  stdio: { type: "boolean" },
  http: { type: "boolean" },
  host: { type: "string" },
  port: { type: "string" },
  "base-url": { type: "string" },
  files: { type: "string" },
  toolsets: { type: "string", multiple: true },
  "read-only": { type: "boolean" },
  "dry-run": { type: "boolean" },
  "raw-requests": { type: "boolean" },
  mode: { type: "string" },
  listed: { type: "string", multiple: true },
  "allow-unauthenticated": { type: "boolean" },
  json: { type: "boolean" },
  table: { type: "boolean" },
  workers: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** Reads the command line. */
export function parseFlags(argv: readonly string[]): Command {
  const name = commandNames.find((one) => one === argv[0]);
  const parsed = readFlags(name ? argv.slice(1) : argv, name !== undefined);
  if (typeof parsed === "string") return invalidCommand(parsed);
  const { values: flags, positionals } = parsed;
  if (flags.help) return { kind: "help" };
  if (flags.version) return { kind: "version" };
  const overrides = readOverrides(flags);
  if (flags.stdio && flags.http) return invalidCommand("--stdio and --http exclude each other");
  if (name && flags.http) return invalidCommand(`${name} and --http exclude each other`);
  if (!name && (flags.json || flags.table))
    return invalidCommand("--json and --table need tools, describe or call");
  if (!flags.http) {
    const httpFlag = (["host", "port", "allow-unauthenticated", "workers"] as const).find(
      (name) => flags[name] !== undefined,
    );
    if (httpFlag) return invalidCommand(`--${httpFlag} needs --http`);
    const format = flags.json ? "json" : flags.table ? "table" : "text";
    return name
      ? readCommand(name, positionals, { format, overrides })
      : { kind: "stdio", overrides };
  }
  const { port: portText = "3000" } = flags;
  const port = Number(portText);
  if (!/^\d+$/.test(portText) || port > 65_535)
    return invalidCommand("--port must be a number from 0 to 65535");
  const { workers = "1" } = flags;
  if (!/^[1-9]\d?$/.test(workers)) return invalidCommand("--workers must be a number from 1 to 99");
  return {
    kind: "http",
    host: flags.host ?? "127.0.0.1",
    port,
    allowUnauthenticated: flags["allow-unauthenticated"] ?? false,
    workers: Number(workers),
    overrides,
  };
}

/** Reads the arguments of a command. */
function readCommand(
  kind: ToolCommand["kind"],
  args: readonly string[],
  printing: PrintingCommand,
): Command {
  const [tool, ...rest] = args;
  if (kind === "tools") return { kind, words: args, ...printing };
  if (tool === undefined) return invalidCommand(`${kind} needs the name of a tool`);
  if (kind === "describe") return { kind, names: args, ...printing };
  return { kind, tool, args: rest, ...printing };
}

function readOverrides(flags: Flags["values"]): SettingOverrides {
  const entries = Object.entries(variables).flatMap(([flag, variable]) => {
    const value = flags[flag as Overriding];
    return value === undefined ? [] : [[variable, String(value)] as const];
  });
  return Object.fromEntries(entries);
}

function invalidCommand(problem: string): Command {
  return { kind: "invalid", problem: `${problem}; see --help.` };
}

type Flags = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: boolean }>>;

function readFlags(argv: readonly string[], allowPositionals: boolean): Flags | string {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals });
  } catch (error) {
    // Its message names the argument: "Unknown option '--x'. To specify a positional argument …"
    return error instanceof Error
      ? error.message.split(". ")[0]!
      : "The command line cannot be read";
  }
}

/**
 * Text of `--help`.
 * @param toolsets toolsets that `--toolsets` accepts
 * @param missing features of the runtime that the project was generated without
 */
export function helpText(
  api: ApiDefinition,
  toolsets: readonly string[],
  missing: readonly string[],
): string {
  const toolsetList = toolsets.length > 1 ? `\nToolsets: ${toolsets.join(", ")}\n` : "";
  return `${api.name}: an MCP server

${describeFlags(api)}${describeSignIn(api)}
${describeEnvironment(api)}${describeApis(api)}
${describeHttpEnvironment(api)}${toolsetList}${describeMissing(missing)}
The credentials of the API are described in README.md and .env.example.
`;
}

/** Flags and variables of these features are refused, with a sentence that says so. */
function describeMissing(missing: readonly string[]): string {
  if (missing.length === 0) return "";
  return `
Left out of this project, because nothing needed it: ${missing.join(", ")}.
To add one: mcp-gen with --features ${missing[0]}.
`;
}

/** The variables of the APIs of a server of several. */
function describeApis({ envPrefix: prefix, apis }: ApiDefinition): string {
  if (!apis) return "";
  const prefixes = Object.values(apis).map(({ envPrefix }) => envPrefix);
  return `
Environment of each API (${prefixes.map((one) => `${one}_…`).join(", ")})
  ${prefixes[0]}_BASE_URL and its credentials, and any of AUTH, TIMEOUT_MS, MAX_RETRY_WAIT_MS,
                           STRICT_INPUTS, MAX_CONCURRENCY, MAX_QUEUE, CALLS_PER_MINUTE, their limits
                           per caller, MAX_RESPONSE_BYTES, DRY_RUN, RAW_REQUESTS, READ_BACK, FOLLOW_PAGES and
                           LOOK_UP_NAMES. Their defaults are the variables with ${prefix}_ alone.
`;
}

function describeFlags({ envPrefix: prefix, listBudget, apis }: ApiDefinition): string {
  return `\
  --stdio                  serve one client over stdin and stdout (default)
  --http                   serve clients over Streamable HTTP at /mcp
  --port NUMBER            port for --http (3000)
  --host ADDRESS           address for --http (127.0.0.1)
  --allow-unauthenticated  let --http serve other machines without authentication, as
                           ${prefix}_ALLOW_UNAUTHENTICATED=1
  --workers NUMBER         processes that --http starts to serve requests (1)
${apis ? "" : `  --base-url URL           address of the API, instead of ${prefix}_BASE_URL\n`}\
  --files DIR              folder in which tools may read and save files, instead of ${prefix}_FILES_DIR
  --toolsets NAME,NAME     offer the tools of these toolsets only, instead of ${prefix}_TOOLSETS
  --read-only              offer only tools that change nothing, as ${prefix}_READ_ONLY=true
  --dry-run                send reads only, and show the requests of writes, as ${prefix}_DRY_RUN=true
  --raw-requests           offer send_request, which sends any request to the API with its
                           credentials, as ${prefix}_RAW_REQUESTS=true
  --mode MODE              tools: list every tool; discovery: list four that find, describe and call
                           the others; hybrid: list these and the tools that most work starts with;
                           instead of ${prefix}_MODE (${listBudget?.mode ?? "tools"})
  --listed NAME,NAME       tools that hybrid lists, instead of ${prefix}_LISTED; hosts that defer tools
                           are asked to show them always
  --version, --help

  tools [WORDS]            print the tools, or those that match the words best
  describe TOOL…           print inputs and results as TypeScript; --json: with JSON Schemas
  call TOOL [INPUT]        call one tool. INPUT: '{"limit": 2}', @FILE or - (stdin) with such JSON,
                           or pairs: limit=2, tags:='["a"]' for JSON, photo=file:cat.png for a file
                           of the folder; --json, --table: print the result so. Exit codes: 1 for a
                           failed call, 2 for a mistake in the command or the settings
`;
}

function describeEnvironment({
  envPrefix: prefix,
  maxResultTokens = 8000,
  strictInputs = false,
}: ApiDefinition): string {
  return `\
Environment (switches take true, 1, yes or on, and false, 0, no or off)
  ${prefix}_AUTH                none: call the API without credentials, whatever its description requires
  ${prefix}_APPROVALS           before requests that need the user's approval: ask, refuse, off (ask if approve
                           is configured, else off)
  ${prefix}_TIMEOUT_MS          deadline of a call (30000)
  ${prefix}_SHUTDOWN_GRACE_MS   time that calls in flight have after SIGTERM (their deadline; stdio: 4000)
  ${prefix}_MAX_RETRY_WAIT_MS   longest wait of a call before retries, in total (5000)
  ${prefix}_STRICT_INPUTS       refuse inputs of another type, such as "5" for a number, and fields that
                           the API's description lacks (${strictInputs})
  ${prefix}_MAX_CONCURRENCY     concurrent requests to the API (32)
  ${prefix}_MAX_QUEUE           calls that may wait (10000)
  ${prefix}_CALLS_PER_MINUTE    calls per minute (0: no limit)
  ${prefix}_MAX_CONCURRENCY_PER_CALLER, ${prefix}_CALLS_PER_MINUTE_PER_CALLER
                             the same limits for each caller (0: none)
  ${prefix}_MAX_RESPONSE_BYTES  largest response of the API (10000000)
  ${prefix}_MAX_RESULT_TOKENS   largest result for the model (${maxResultTokens})
  ${prefix}_KEPT_RESULT_BYTES   memory for results too large to be shown, read as resources (50000000; 0: none,
                           their calls are repeated)
  ${prefix}_STORE               state that several processes share: redis://HOST, rediss://HOST or file:DIR
                             (memory: none); ${prefix}_STORE_KEY encrypts it
  ${prefix}_FILES_DIR           folder in which tools may read files (file:NAME) and save them; none if not set
  ${prefix}_ENV_FILE            file of variables, instead of .env beside package.json; empty: none
  ${prefix}_LOG_CALLERS         how the log names callers: hash, name (hash)
  LOG_LEVEL                    debug, info, warn, error, silent (info)
`;
}

function describeHttpEnvironment({ envPrefix: prefix }: ApiDefinition): string {
  return `\
Environment of --http (lists are separated by commas)
  ${prefix}_HTTP_TOKEN             bearer tokens; clients must send one of them
  ${prefix}_HTTP_OAUTH_ISSUER      authorization server whose access tokens (JWT) are accepted
  ${prefix}_HTTP_PUBLIC_URL        public address of this server; required with the issuer
  ${prefix}_HTTP_OAUTH_AUDIENCE    audience of the tokens (the public URL)
  ${prefix}_HTTP_OAUTH_SCOPES      required scopes of a token (read|write: read, or the broader write)
  ${prefix}_HTTP_OAUTH_TOOL_SCOPES limits the tools to the scopes of the token: auto, always, never (auto)
  ${prefix}_HTTP_OAUTH_JWKS_URL    keys of the issuer (found through its metadata)
  ${prefix}_HTTP_OAUTH_ALGORITHMS  accepted signature algorithms (the asymmetric ones)
  ${prefix}_ALLOWED_HOSTS          additional host names of this server
  ${prefix}_ALLOWED_ORIGINS        origins of pages that may call: https://app.example.com
  ${prefix}_METRICS_PORT, ${prefix}_METRICS_HOST
                                address of /metrics for Prometheus (off, 127.0.0.1)
  ${prefix}_READY_NEEDS_STORE      /ready is 503 after the store is lost, too (false)
  ${prefix}_CALLER_HEADER          header by which a proxy names the user of a request, for limits per caller
  ${prefix}_TRUSTED_PROXIES        addresses and networks of the proxies that may send it: 10.0.0.0/8 (this machine,
                                if only this machine can reach the server)
  ${prefix}_FORWARD_HEADERS        headers of clients to forward to the API: X-Api-Key, X-User-Token=Authorization
  ${prefix}_HTTP_SIGN_IN_CLIENT_ID, ${prefix}_HTTP_SIGN_IN_CLIENT_SECRET
                                client of this server at the issuer: each caller consents to the API in a browser
  ${prefix}_TOKEN_EXCHANGE         audience of the API: each caller's token is exchanged for one of the API
                                (RFC 8693); or fields: resource=https://api.example.com&scope=read
  ${prefix}_TOKEN_EXCHANGE_CLIENT_ID, ${prefix}_TOKEN_EXCHANGE_CLIENT_SECRET
                                client of this server at the token endpoint
  ${prefix}_TOKEN_EXCHANGE_URL     token endpoint (the one in the issuer's metadata)
`;
}

/** Commands of APIs whose users can sign in. */
function describeSignIn({ securitySchemes, apis }: ApiDefinition): string {
  const all = [securitySchemes, ...Object.values(apis ?? {}).map((api) => api.securitySchemes)];
  const hasSignIn = all
    .flatMap((schemes) => Object.values(schemes))
    .some((scheme) => scheme.kind === "oauth2" && scheme.signIn);
  const name = apis ? "API " : "";
  return hasSignIn
    ? `\
  login ${name}[SCHEME]           sign in to the API in a browser; --device: on another device;
                           --port NUMBER: port of the redirect, where one is registered
  logout, status ${name}[SCHEME]  revoke and remove the tokens; show who is signed in
`
    : "";
}
