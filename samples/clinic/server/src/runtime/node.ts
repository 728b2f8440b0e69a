// node: files of the runtime of mcp-gen as one module, each after those that it uses.

import { constants, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open, readFile, realpath, stat } from "node:fs/promises";
import type {
  IncomingHttpHeaders, IncomingMessage, Server as HttpServer, ServerResponse,
} from "node:http";
import type { AddressInfo, BlockList, Socket } from "node:net";
import paths from "node:path";
import { basename, join, parse } from "node:path";
import { Readable, type Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import util from "node:util";
import { parseArgs } from "node:util";
import {
  type AuthInfo, isJsonContentType, type JSONRPCMessage, type McpHttpHandler,
  type McpRequestContext, type Server, SUPPORTED_PROTOCOL_VERSIONS, type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import {
  type Caller, type LoadSignIn, noSignInProblem, type Platform, signInFunctions,
} from "./auth.js";
import { sendByFetch, startDeadline } from "./client.js";
import { canParseUrl, concatBytes, isObject } from "./data.js";
import {
  batchRevision, createBatchTracker, createMcpServer, type ErrorResponse, isModernRevision,
  messageTooLarge, parseLine, readSession, sessionFor,
} from "./protocol.js";
import type { BoundRequest, Env, Folder, LocalFile, SendFunction } from "./request.js";
import { interruptCalls, type ServerContext, type WorkerChannel } from "./server.js";
import {
  acceptsStream, authInfoOf, consentProblem, createConnector, createConsentPages, createHandler,
  createPolicy, createReadiness, errorReply, fetchHandler, type FetchHandlerOptions, guard,
  hasSessions, mcpPath, type OpenExchange, OpenExchanges, type Policy, readForwardedHeaders,
  readMessage, type Reply, scopeChallenge, serveMessage, viewOf,
} from "./transport.js";
import type { ApiDefinition } from "./types.js";

// ---- client/node-client.ts ----
// Requests of Node: to the API, and to authorization servers.

/**
 * Sends requests from Node with undici, which takes a third of the CPU of `fetch` and presents
 * client certificates. The first request loads undici. `fetch` sends the requests in Deno and Bun,
 * all requests once it has been replaced, and the requests that it refuses.
 */
export function createNodeClient(isFetchReplaced: () => boolean = watchFetch()): SendFunction {
  const isOtherRuntime = "bun" in process.versions || "deno" in process.versions;
  return async (request, options) => {
    const needsFetch = isOtherRuntime || isRefusedByFetch(request) || isFetchReplaced();
    if (needsFetch && !options.tls) return sendByFetch(request, options);
    const { sendByUndici } = await import("./client/undici.js");
    return sendByUndici(request, options);
  };
}

/** Ports of other protocols. Below 1024, only those of HTTP are allowed. Fetch Standard, "bad port". */
const blockedPorts: ReadonlySet<string> = new Set(
  "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080".split(
    " ",
  ),
);

const methodToken = /^[\w!#$%&'*+.^`|~-]+$/;

/** True if `fetch` rejects a request. undici would send some of these. */
function isRefusedByFetch({ method, url, body }: BoundRequest): boolean {
  const { protocol, username, password, port } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return true;
  if (username !== "" || password !== "") return true;
  if (!methodToken.test(method) || /^(?:TRACE|CONNECT|TRACK)$/i.test(method)) return true;
  if (body !== undefined && method === "HEAD") return true;
  return port !== "" && (Number(port) < 1024 || blockedPorts.has(port));
}

/** Keys of the global dispatcher, which sends for `fetch`: of undici 6 and 7, and of undici 8. */
const dispatcherKeys = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
];

/** Dispatchers that Node sets. */
const nodeDispatchers: ReadonlySet<string> = new Set(["Agent", "Dispatcher1Wrapper"]);

/**
 * Watches whether `fetch` or its global dispatcher is replaced, by a test, a proxy
 * (`NODE_USE_ENV_PROXY`, `setGlobalDispatcher`) or a tracer. The requests to the API must go
 * through the replacement.
 * @param hasDispatcher whether a global dispatcher exists before this server has fetched anything,
 *   so that Node has not set it
 */
export function watchFetch(hasDispatcher: boolean = globalDispatchers().length > 0): () => boolean {
  const { fetch } = globalThis;
  return () =>
    hasDispatcher ||
    globalThis.fetch !== fetch ||
    globalDispatchers().some(({ constructor }) => !nodeDispatchers.has(constructor.name));
}

function globalDispatchers(): readonly object[] {
  const globals = globalThis as { readonly [key: symbol]: object | undefined };
  return dispatcherKeys.flatMap((key) => globals[key] ?? []);
}

/** Milliseconds of a request without a signal. */
const maxMs = 60_000;

/** Maximum size of a response in bytes. Metadata, keys and tokens are smaller. */
const maxResponseBytes = 1_000_000;

/**
 * Creates a `fetch` for small responses, such as tokens and metadata of authorization servers.
 * Unlike that of Node, it uses the proxies of the environment. Redirects are returned, not
 * followed.
 */
export function createNodeFetch(send: SendFunction): typeof fetch {
  return async (target, init = {}) => {
    const { method = "GET", body, signal } = init;
    const headers = [...new Headers(init.headers)];
    const url = target instanceof Request ? target.url : String(target);
    const request = { method, url, headers, ...(body != null && { body: String(body) }) };
    const deadline = startDeadline(maxMs, signal ?? undefined);
    try {
      const response = await send(request, { deadline, isRepeatable: false });
      const { chunks, size } = await response.collect(maxResponseBytes);
      if (size > maxResponseBytes) throw new Error("The response is too large.");
      const content = size === 0 ? null : concatBytes(chunks, size);
      return new Response(content, { status: response.status, headers: [...response.headers] });
    } finally {
      deadline.dispose();
    }
  };
}

/** The `fetch` of this process for authorization servers. */
export const nodeFetch = createNodeFetch(createNodeClient());

// ---- server/flags.ts ----
// The command line of a server: its flags, and the text of `--help`.

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

// ---- server/files-folder.ts ----
// The folder of local files on Node: opened, read and written without leaving it.

/** Sentence for the user who asks for the folder; undefined if it is possible. */
export const filesProblem: string | undefined = undefined;

/** Maximum size of a file to read: requests are built in memory. */
const maxFileBytes = 50_000_000;
/** Numbered names that are tried for a file to save. */
const maxNames = 1000;

/** O_NONBLOCK keeps `open` from waiting for a FIFO. Windows has neither these flags nor FIFOs. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const writeFlags =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the configured folder.
 * @returns on failure, the reason as a clause without a subject
 */
export async function openFolder(path: string): Promise<Folder | string> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) return "is not a folder";
  if (root === parse(root).root)
    return "is the root of the file system; name a folder for files only";
  return {
    path: root,
    read: (reference) => readFromFolder(root, reference),
    save: (name, bytes) => saveInFolder(root, name, bytes),
  };
}

/**
 * Reads a file inside the folder. All paths outside have the same reason, whether they exist or
 * not. A file with several hard links may also be outside of the folder.
 */
async function readFromFolder(root: string, reference: string): Promise<LocalFile | string> {
  const notFound = "names no file in the folder for files";
  const path = resolveReference(root, reference);
  const realPath = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (realPath === undefined || !isInside(root, realPath)) return notFound;
  const handle = await open(realPath, openFlags).catch(() => undefined);
  if (!handle) return notFound;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || !(await isUnchanged(realPath, stats))) return notFound;
    if (stats.nlink > 1) return "has several hard links, which are not followed; use a copy of it";
    const tooLarge = `is larger than ${maxFileBytes} bytes`;
    if (stats.size > maxFileBytes) return tooLarge;
    const bytes = await handle.readFile();
    return bytes.byteLength > maxFileBytes ? tooLarge : { name: basename(realPath), bytes };
  } finally {
    await handle.close();
  }
}

/**
 * Resolves a reference: `file:a.pdf` is in the folder, `file:///x/a.pdf` is absolute. Undefined for
 * a path on another machine (`\\host\share`), to which Windows would present the user's
 * credentials.
 */
export function resolveReference(
  root: string,
  reference: string,
  { resolve, relative, isAbsolute }: PathFunctions = paths,
): string | undefined {
  const rest = reference.slice("file:".length);
  if (rest.includes("\0")) return undefined;
  try {
    const path = rest.startsWith("//") ? fileURLToPath(reference) : resolve(root, rest);
    const isOnOtherMachine = /^[\\/]{2}/.test(path);
    return isOnOtherMachine && !isInside(root, path, { relative, isAbsolute }) ? undefined : path;
  } catch {
    return undefined;
  }
}

type PathFunctions = Pick<typeof paths, "resolve" | "relative" | "isAbsolute">;

function isInside(
  root: string,
  path: string,
  { relative, isAbsolute }: Pick<PathFunctions, "relative" | "isAbsolute"> = paths,
): boolean {
  const relativePath = relative(root, path);
  return relativePath !== "" && !/^\.\.(?:[/\\]|$)/.test(relativePath) && !isAbsolute(relativePath);
}

/**
 * True if the opened file is still the one at the path: a parent folder may have been replaced by a
 * link between the check and the opening.
 */
async function isUnchanged(path: string, opened: Stats): Promise<boolean> {
  const [currentPath, currentStats] = await Promise.all([
    realpath(path).catch(() => undefined),
    stat(path).catch(() => undefined),
  ]);
  return (
    currentPath === path && currentStats?.ino === opened.ino && currentStats.dev === opened.dev
  );
}

async function saveInFolder(
  root: string,
  name: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const { name: stem, ext } = parse(basename(name));
  for (let count = 1; count <= maxNames; count++) {
    const path = join(root, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
    if ((await realpath(root).catch(() => undefined)) !== root) return undefined;
    const handle = await open(path, writeFlags, 0o644).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (handle === "EEXIST") continue;
    return typeof handle === "object" ? writeAll(handle, path, bytes) : undefined;
  }
  return undefined;
}

async function writeAll(
  handle: FileHandle,
  path: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    await handle.writeFile(bytes);
    return path;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

// ---- server/node-platform.ts ----
// Functions of Node for a server: its platform, the `.env` file and signals.

/**
 * The platform of Node. Its HTTP client and the sign-in are loaded on first use.
 * @param loadSignIn absent for an API without a sign-in
 */
export function createNodePlatform(loadSignIn?: LoadSignIn): Platform {
  return {
    readTextFile: (path) => readFile(path, "utf8"),
    openFolder,
    ...(loadSignIn && signInFunctions(loadSignIn)),
    send: createNodeClient(),
    fetch: nodeFetch,
  };
}

type EnvFileResult = { readonly ok: true; readonly env: Env } | { ok: false; problem: string };

/**
 * Adds the variables of a `.env` file to the environment, which takes precedence. A missing file
 * adds nothing. `<PREFIX>_ENV_FILE` names another file, or none if it is empty.
 * @param file default file
 * @returns the merged environment, or a sentence about a file that cannot be read
 */
export function withEnvFile(
  env: Env,
  prefix: string,
  file: string | URL | undefined,
): EnvFileResult {
  const configured = env[`${prefix}_ENV_FILE`];
  const path = configured ?? file;
  if (path === undefined || path === "") return { ok: true, env };
  try {
    return { ok: true, env: { ...util.parseEnv(decodeText(readFileSync(path))), ...env } };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && configured === undefined) return { ok: true, env };
    const name = configured === undefined ? ".env" : `The file of ${prefix}_ENV_FILE`;
    return { ok: false, problem: `${name} cannot be read (${code}).` };
  }
}

/** Decodes UTF-8 or UTF-16, which shells of Windows write, without a byte order mark. */
function decodeText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Variables of proxies, in both spellings. */
const proxyVariables = [
  ["http_proxy", "HTTP_PROXY"],
  ["https_proxy", "HTTPS_PROXY"],
  ["no_proxy", "NO_PROXY"],
] as const;

/** Sets the proxies of a `.env` file, which the client of Node reads from the process. */
export function applyProxies(env: Env): void {
  for (const spellings of proxyVariables) {
    if (spellings.some((name) => process.env[name] !== undefined)) continue;
    for (const name of spellings) if (env[name] !== undefined) process.env[name] = env[name];
  }
}

/**
 * Stops the process gracefully on the first SIGTERM or SIGINT, and at once on the second.
 * @param stop resolves when nothing is in flight, or after the grace period
 * @returns a function that stops the process gracefully, if nothing has stopped it yet
 */
export function onShutdownSignal(stop: () => Promise<void>): () => void {
  let isStopping = false;
  const begin = (): void => {
    if (isStopping) return;
    isStopping = true;
    void stop().then(() => process.exit(0));
  };
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(code);
      begin();
    });
  }
  return begin;
}

// ---- transport/http/direct-exchange.ts ----
// Requests of revisions before 2026-07-28 that `node:http` serves without `Request`, `Response` and
// streams of the web. They take a fifth of the time of a call. Only plain requests are served so;
// the SDK serves everything else, and a response has the same form.

/** Creates the MCP server of one request. */
export type ConnectServer = (request: McpRequestContext) => Server;

interface PlainRequest {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

const MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/**
 * The message, if it is one request of a client before 2026-07-28 that accepts JSON and streams.
 * `initialize` and everything that is unusual is left to the SDK.
 */
export function plainRequest(
  message: unknown,
  headers: IncomingHttpHeaders,
): PlainRequest | undefined {
  const { accept = "*/*", "content-type": contentType, "mcp-protocol-version": revision } = headers;
  if (!isObject(message) || !Object.keys(message).every((key) => MEMBERS.has(key)))
    return undefined;
  const { jsonrpc, id, method, params } = message;
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  if (jsonrpc !== "2.0" || !hasId || typeof method !== "string") return undefined;
  if (method === "initialize" || !isPlainMeta(params)) return undefined;
  const isSupported = revision === undefined || isSupportedRevision(revision);
  if (!isSupported || !isJsonContentType(contentType ?? null)) return undefined;
  return acceptsStream(accept) ? (message as unknown as PlainRequest) : undefined;
}

function isSupportedRevision(revision: string | readonly string[]): boolean {
  return (
    typeof revision === "string" &&
    SUPPORTED_PROTOCOL_VERSIONS.includes(revision) &&
    !isModernRevision(revision)
  );
}

/** True for parameters without metadata, or with a progress token only. */
function isPlainMeta(params: unknown): boolean {
  if (params === undefined) return true;
  if (!isObject(params)) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  if (!isObject(meta) || !Object.keys(meta).every((key) => key === "progressToken")) return false;
  const { progressToken: token } = meta;
  return typeof token === "string" || (typeof token === "number" && Number.isSafeInteger(token));
}

/** The caller of a request, its connection, and its session if it has one. */
interface DirectOptions {
  readonly authInfo: AuthInfo;
  readonly signal: AbortSignal;
  readonly session?: { readonly exchanges: OpenExchanges; readonly key: string } | undefined;
}

/**
 * Serves a plain request.
 * @param signal aborted when the client disconnects
 */
export async function serveDirectly(
  connect: ConnectServer,
  message: PlainRequest,
  headers: IncomingHttpHeaders,
  { authInfo, signal, session }: DirectOptions,
  outgoing: ServerResponse,
): Promise<void> {
  const request = { headers: { get: (name: string) => headerOf(headers, name) } } as Request;
  const server = connect({ era: "legacy", authInfo, requestInfo: request });
  const transport = new ResponseTransport(outgoing, message.id);
  await server.connect(transport);
  const close = (): void => void server.close().catch(() => undefined);
  signal.addEventListener("abort", close, { once: true });
  transport.onmessage?.(message as JSONRPCMessage, { authInfo, request });
  const remove = session?.exchanges.add(session.key, transport);
  await transport.completion;
  remove?.();
  signal.removeEventListener("abort", close);
  close();
}

/** Value of a header, as `Headers` has it. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (typeof value === "string" ? value : value?.join(", ")) ?? null;
}

/** Headers of the SDK for a stream, without `Connection`. */
const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Milliseconds between two comments that keep a connection open, as in the SDK. */
const KEEP_ALIVE_MS = 15_000;

const eventOf = (message: JSONRPCMessage): string =>
  `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** Writes the messages about one request as server-sent events. */
class ResponseTransport implements Transport, OpenExchange {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves after the response, or when the transport is closed. */
  readonly completion: Promise<void>;
  readonly #outgoing: ServerResponse;
  readonly requestId: string | number;
  /** Questions to the client: the IDs that it sees, and those of the server. */
  readonly #questions = new Map<string, string | number>();
  readonly #timer: NodeJS.Timeout;
  #complete: () => void = () => undefined;
  #isClosed = false;

  constructor(outgoing: ServerResponse, id: string | number) {
    this.#outgoing = outgoing;
    this.requestId = id;
    this.completion = new Promise((resolve) => (this.#complete = resolve));
    this.#timer = setInterval(() => this.#write(": keepalive\n\n"), KEEP_ALIVE_MS);
  }

  async start(): Promise<void> {}

  /** Drops messages about other requests, for which a client has no stream. */
  async send(
    message: JSONRPCMessage,
    options?: { readonly relatedRequestId?: string | number },
  ): Promise<void> {
    if (this.#isClosed) return;
    if ("method" in message) {
      if (options?.relatedRequestId === this.requestId) this.#write(eventOf(this.#asSent(message)));
      return;
    }
    this.#startResponse();
    this.#outgoing.end(eventOf(message));
    this.#end();
  }

  answer(message: object): boolean {
    const { id } = message as { readonly id?: unknown };
    const own = this.#questions.get(String(id));
    if (own === undefined) return false;
    this.#questions.delete(String(id));
    this.onmessage?.({ ...message, id: own } as JSONRPCMessage);
    return true;
  }

  cancel(message: object): void {
    this.onmessage?.(message as JSONRPCMessage);
    if (!this.#isClosed) this.#startResponse();
    void this.close();
  }

  /** A question gets an ID that is unique in the session: each call counts from 0. */
  #asSent(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message) || !("id" in message)) return message;
    const id = crypto.randomUUID();
    this.#questions.set(id, message.id);
    return { ...message, id };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
    this.#outgoing.end();
    this.onclose?.();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#complete();
  }

  #startResponse(): void {
    if (!this.#outgoing.headersSent) this.#outgoing.writeHead(200, STREAM_HEADERS);
  }

  #write(text: string): void {
    if (this.#outgoing.writableEnded || this.#outgoing.destroyed) return;
    this.#startResponse();
    this.#outgoing.write(text);
  }
}

// ---- transport/http/serve-metrics.ts ----
// Stands in for the port of the metrics, which are left out.

export function metricsReader(_: unknown): () => string {
  return () => "";
}

export function listenForMetrics(..._: readonly unknown[]): string | undefined {
  return undefined;
}

// ---- transport/http/trusted-proxies.ts ----
// Proxies that may name the caller of a request in a header.

type TrustedProxiesResult =
  | { readonly ok: true; readonly isTrustedProxy: (address: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/** Networks of this machine, which a server trusts that only this machine can reach. */
const LOOPBACK = ["127.0.0.0/8", "::1"];

/**
 * Reads the addresses and networks (`10.0.0.0/8`) of trusted proxies. Without any, a server that
 * other machines can reach does not start, because its clients could choose the name of the caller.
 * @param prefix prefix of the environment variables
 */
export async function readTrustedProxies(
  { callerHeader, trustedProxies }: Pick<Policy, "callerHeader" | "trustedProxies">,
  prefix: string,
  isLocal: boolean,
): Promise<TrustedProxiesResult> {
  const variable = `${prefix}_TRUSTED_PROXIES`;
  if (callerHeader !== undefined && trustedProxies.length === 0 && !isLocal)
    return {
      ok: false,
      problem:
        `Refusing to serve other machines: every client could send the header of ${prefix}_CALLER_HEADER. ` +
        `Set ${variable} to the addresses or networks of the proxy that sets it, such as 10.0.0.0/8.`,
    };
  const net = await import("node:net");
  const networks = new net.BlockList();
  const listed = trustedProxies.length > 0 ? trustedProxies : LOOPBACK;
  const invalid = listed.find((text) => !addNetwork(networks, text, net.isIP));
  if (invalid !== undefined)
    return {
      ok: false,
      problem: `${variable}: ${JSON.stringify(invalid)} is not an IP address or a network, such as 10.0.0.0/8.`,
    };
  return { ok: true, isTrustedProxy: (address) => isListed(networks, address, net.isIP) };
}

type IsIp = (address: string) => number;

/**
 * Adds an address, or a network in CIDR notation.
 * @returns false if the text is neither
 */
function addNetwork(networks: BlockList, text: string, isIp: IsIp): boolean {
  const [, address = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIp(address);
  if (version === 0) return false;
  if (bits === undefined) networks.addAddress(address, familyOf(version));
  else if (Number(bits) > (version === 4 ? 32 : 128)) return false;
  else networks.addSubnet(address, Number(bits), familyOf(version));
  return true;
}

function isListed(networks: BlockList, address: string, isIp: IsIp): boolean {
  const [withoutZone = ""] = address.split("%", 1);
  const version = isIp(withoutZone);
  return version !== 0 && networks.check(withoutZone, familyOf(version));
}

const familyOf = (version: number): "ipv4" | "ipv6" => (version === 4 ? "ipv4" : "ipv6");

// ---- transport/http/serve-http.ts ----
// MCP over Streamable HTTP, with the server of Node.

interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Serves other machines without authentication. */
  readonly allowUnauthenticated: boolean;
  /** The process that started this one as one of several. */
  readonly parent?: WorkerChannel;
}

/**
 * Limits against clients that hold connections: slow requests end with 408, large headers with 431.
 * Idle connections are kept open longer than clients and load balancers do (mostly 60 s), because a
 * server that closes first may meet a request in flight.
 */
const serverLimits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/**
 * Milliseconds for which the server continues to accept requests after a signal, while a client is
 * connected. A request in transit gets a response, which ends the connection.
 */
const idleGraceMs = 1000;

/** Milliseconds for the responses of calls that end at their deadline or are interrupted. */
const responseFlushMs = 1000;

/** Milliseconds between two checks of the connections of a server that stops. */
const stoppingPollMs = 50;

/** The URL at which clients reach a server, or a sentence with the reason why it cannot start. */
type ListenResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Serves MCP over Streamable HTTP until the process receives a signal.
 * @param loadSignIn absent for an API without a sign-in
 */
export async function serveHttp(
  context: ServerContext,
  options: HttpOptions,
  loadSignIn?: LoadSignIn,
): Promise<ListenResult> {
  const isLocal = ["127.0.0.1", "::1", "localhost"].includes(options.host);
  const created = createPolicy(context, {
    isLocal,
    allowUnauthenticated: options.allowUnauthenticated,
    optIn: "--allow-unauthenticated",
  });
  if (!created.ok) return { ok: false, problem: created.problems.join("\n") };
  const proxies = await readTrustedProxies(created.policy, context.api.envPrefix, isLocal);
  if (!proxies.ok) return proxies;
  const { signIn } = created.policy;
  const withoutSignIn = signIn && !loadSignIn ? noSignInProblem(context.api) : undefined;
  const signInProblem = signIn && (consentProblem(context) ?? withoutSignIn);
  if (signInProblem !== undefined) return { ok: false, problem: signInProblem };
  const consents = signIn && loadSignIn && createConsentPages(context, signIn, loadSignIn);
  const readiness = createReadiness(context, created.policy.verify?.hasKeys);
  const { isTrustedProxy } = proxies;
  const exchanges = isOneProcess(context, options) ? new OpenExchanges() : undefined;
  const policy = { ...created.policy, isTrustedProxy, consents, readiness, exchanges };
  const { server, stop } = await createNodeServer(context, policy);
  const problem = await listen(server, options, context);
  if (problem !== undefined) return { ok: false, problem };
  const metricsProblem = await startMetrics(context, options.parent);
  if (metricsProblem !== undefined) {
    server.close();
    return { ok: false, problem: metricsProblem };
  }
  const url = `${serverUrl(server)}${mcpPath}`;
  context.log.info(`Listening on ${url}`);
  const begin = onShutdownSignal(() => {
    readiness.stop();
    return stop();
  });
  options.parent?.onStop(begin);
  return { ok: true, url };
}

/** True for a server of one process: the next request of a session may reach any other one. */
const isOneProcess = ({ store }: ServerContext, { parent }: HttpOptions): boolean =>
  parent === undefined && store === undefined;

async function startMetrics(
  context: ServerContext,
  parent: WorkerChannel | undefined,
): Promise<string | undefined> {
  if (!context.metrics) return undefined;
  const read = await metricsReader(context.metrics);
  if (!parent) return listenForMetrics(context, read);
  parent.serveMetrics(read);
  return undefined;
}

interface NodeServer {
  readonly server: HttpServer;
  /** Stops after the requests in flight, or after a grace period. */
  stop(): Promise<void>;
}

/**
 * Creates the server. `node:http` is imported dynamically, so that a start over stdio does not load
 * it.
 */
export async function createNodeServer(
  context: ServerContext,
  policy: Policy,
): Promise<NodeServer> {
  const { createServer: createHttpServer } = await import("node:http");
  const connect = createConnector(context, policy);
  const serving: ServingState = {
    context,
    connect,
    handler: createHandler(context, connect),
    policy,
    openResponses: new Set(),
    sockets: new Set(),
    isStopping: false,
  };
  const server = createHttpServer(serverLimits, (request, response) => {
    serving.openResponses.add(response.on("close", () => serving.openResponses.delete(response)));
    serveRequest(serving, request, response).catch((error: unknown) => {
      if (isAborted(request)) context.log.debug("A client aborted its request", error);
      else context.log.error("http", error);
      response.destroy();
    });
  });
  server.on("connection", (socket) => {
    serving.sockets.add(socket.on("close", () => serving.sockets.delete(socket)));
  });
  return { server, stop: () => stopGracefully(server, serving) };
}

interface ServingState {
  readonly context: ServerContext;
  readonly connect: ConnectServer;
  readonly handler: McpHttpHandler;
  readonly policy: Policy;
  /** Responses in flight, without subscriptions. */
  readonly openResponses: Set<ServerResponse>;
  readonly sockets: Set<Socket>;
  /** True after a signal: each response ends its connection. */
  isStopping: boolean;
}

/**
 * Completes the requests in flight and those in transit, and stops. Clients with open connections
 * lose no call: the last response of a connection announces its end. A connection that waits to be
 * accepted when the port is closed is reset by the system; its request has no effect.
 */
async function stopGracefully(server: HttpServer, serving: ServingState): Promise<void> {
  serving.isStopping = true;
  for (const response of serving.openResponses) endConnection(response);
  const endAll = (): unknown => serving.handler.close().finally(() => server.closeAllConnections());
  let timeout = setTimeout(() => {
    interruptCalls(serving.context);
    timeout = setTimeout(endAll, responseFlushMs);
  }, serverGraceMs(serving.context));
  // `close` ends idle connections at once.
  const idleUntil = Date.now() + idleGraceMs;
  while (Date.now() < idleUntil && (await isConnected(server))) await delay(stoppingPollMs);
  // The event loop accepts all connections that wait just before it runs immediates.
  await new Promise(setImmediate);
  const closed = new Promise((resolve) => server.close(resolve));
  const interval = setInterval(() => {
    server.closeIdleConnections();
    // To Node, connections that clients opened in advance are not idle.
    for (const socket of serving.sockets) if (socket.bytesRead === 0) socket.destroy();
    // Only subscriptions are open now; they end with a response.
    if (serving.openResponses.size === 0) void serving.handler.close();
  }, stoppingPollMs);
  await closed;
  clearInterval(interval);
  clearTimeout(timeout);
}

/** Milliseconds for the calls in flight: by default, until each of them must have ended. */
function serverGraceMs({ settings, runningCalls }: ServerContext): number {
  const longest = Math.max(settings.timeoutMs, runningCalls.longestMs());
  return settings.shutdownGraceMs ?? longest + responseFlushMs;
}

function isConnected(server: HttpServer): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count > 0)));
}

/** Tells the client to send its next request over another connection. RFC 9112, section 9.6. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}

/** True if the client closed the connection before the request was complete. */
function isAborted({ complete, destroyed }: IncomingMessage): boolean {
  return !complete && destroyed;
}

/**
 * True if a request names one host: with one `Host` header, and no other host in its target. RFC
 * 9112, sections 3.2 and 3.2.2.
 */
function hasOneHost({ rawHeaders, headers, url = "/" }: IncomingMessage): boolean {
  if (!isSentOnce(rawHeaders, "host")) return false;
  if (url.startsWith("/") || url === "*") return true;
  if (!canParseUrl(url)) return false;
  // As `URL` writes it: in lower case, without the default port of the scheme.
  const target = new URL(url);
  const host = `${target.protocol}//${headers.host}`;
  return canParseUrl(host) && new URL(host).host === target.host;
}

/** True for a header that is absent or sent once. Of several, a proxy may have checked another. */
function isSentOnce(rawHeaders: readonly string[], name: string): boolean {
  return rawHeaders.filter((sent, i) => i % 2 === 0 && sent.toLowerCase() === name).length < 2;
}

async function serveRequest(
  { context, connect, handler, policy, openResponses, isStopping }: ServingState,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (isStopping) endConnection(outgoing);
  const { method = "GET", headers } = incoming;
  if (!hasOneHost(incoming)) return sendReply(outgoing, errorReply(400, "The host is ambiguous."));
  const repeated = ["authorization", policy.callerHeader ?? []]
    .flat()
    .find((name) => !isSentOnce(incoming.rawHeaders, name));
  if (repeated !== undefined)
    return sendReply(outgoing, errorReply(400, `The header ${repeated} is sent twice.`));
  const guardResult = await guard(
    { method, ...splitTarget(incoming), header: (name) => joinHeader(headers[name]) },
    policy,
  );
  if (guardResult.reply) {
    const { status } = guardResult.reply;
    if (status === 401 || status === 403) context.metrics?.addRejection(status);
    return sendReply(outgoing, guardResult.reply);
  }
  for (const [name, value] of Object.entries(guardResult.headers)) outgoing.setHeader(name, value);
  const disconnected = new AbortController();
  outgoing.on("close", () => outgoing.writableFinished || disconnected.abort());
  const hasBody = method !== "GET" && method !== "HEAD";
  const revision = joinHeader(headers["mcp-protocol-version"]);
  const readResult = hasBody ? await readMessage(incoming, revision) : undefined;
  const { body, message } = readResult ?? {};
  const caller = { ...guardResult.caller, address: incoming.socket.remoteAddress ?? "" };
  const view = viewOf(context, caller);
  const reply = readResult?.reply ?? scopeChallenge(view, policy, caller, { message, revision });
  if (reply) return sendReply(outgoing, reply);
  if (isObject(message) && message["method"] === "subscriptions/listen") {
    openResponses.delete(outgoing);
  }
  const session = sessionOf(policy, caller, headers);
  const status = session?.exchanges.accept(session.key, message);
  if (status === 202) return sendReply(outgoing, { status, headers: {}, body: "" });
  if (status === 400)
    return sendReply(outgoing, errorReply(400, "No call waits for this answer any longer."));
  const { signal } = disconnected;
  const plain = policy.consents ? undefined : plainRequest(message, headers);
  if (plain) {
    const asked = session?.supportsForms ? { ...caller, answersForms: true as const } : caller;
    const direct = { authInfo: authInfoOf(asked), signal, session };
    return serveDirectly(connect, plain, headers, direct, outgoing);
  }
  const authInfo = authInfoOf(caller);
  // A parsed message replaces the body.
  const request = toRequest(incoming, message === undefined ? body : undefined, signal);
  const options = { authInfo, parsedBody: message };
  const issued = hasSessions(policy) ? sessionFor(message) : undefined;
  if (issued !== undefined) outgoing.setHeader("mcp-session-id", issued);
  await writeResponse(await serveMessage(handler, request, options), outgoing);
}

/** The session of a request, bound to its caller and to the headers that are forwarded. */
function sessionOf(
  { exchanges, ...policy }: Policy,
  { realm = "", id }: Caller,
  headers: IncomingHttpHeaders,
):
  | { readonly exchanges: OpenExchanges; readonly key: string; readonly supportsForms: boolean }
  | undefined {
  if (!exchanges || isModernRevision(headerOf(headers, "mcp-protocol-version") ?? undefined))
    return undefined;
  const sessionId = headerOf(headers, "mcp-session-id");
  const session = readSession(sessionId);
  if (!session) return undefined;
  const request = { headers: { get: (name: string) => headerOf(headers, name) } } as Request;
  const forwarded = readForwardedHeaders(request, policy).map(({ value }) => value);
  const key = JSON.stringify([sessionId, realm, id, ...forwarded]);
  return { exchanges, key, supportsForms: session.supportsForms && exchanges.hasRoom(key) };
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses the port; give another with --port",
  EACCES: "permission denied for the port; give one above 1023 with --port",
  EADDRNOTAVAIL: "this machine does not have the address; give another with --host",
  ENOTFOUND: "the host is unknown; give another with --host",
};

function listenProblem(code = "unknown error"): string {
  return LISTEN_PROBLEMS[code] ?? code;
}

/**
 * Starts to listen. Later errors, of accepting connections, are logged; without a listener, they
 * would end the process.
 * @returns the reason why the server cannot listen, as a sentence; undefined if it listens
 */
function listen(
  server: HttpServer,
  { host, port }: HttpOptions,
  { log }: ServerContext,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (server.listening) log.error("http", error);
      else resolve(`Cannot listen on ${host} port ${port}: ${listenProblem(error.code)}.`);
    });
    server.listen(port, host, () => resolve(undefined));
  });
}

/** Sends a reply. The body of a rejected request is not read, so the connection closes. */
function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response
    .writeHead(status, { ...headers, ...(status >= 400 && { connection: "close" }) })
    .end(body);
}

/**
 * Path and query of a request target, which proxies may send as an absolute URL (RFC 9112, section
 * 3.2.2).
 */
function splitTarget({ url = "/" }: IncomingMessage): {
  readonly path: string;
  readonly query: string;
} {
  const [path = "", ...query] = url.split("?");
  const withoutOrigin = path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]*/i, "");
  return { path: withoutOrigin, query: query.join("?") };
}

function joinHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

function serverUrl(server: HttpServer): string {
  const { address: host, port, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}

/** Body of a request: read, or still to be read. */
export type RequestBody = Uint8Array | string | ReadableStream<Uint8Array>;

/**
 * Converts a request of `node:http` to a web-standard one. The package of the SDK for this loads
 * HTTP/2, which would slow down every start.
 * @param body the body, if it has been read, or its stream
 * @param target the request target, if a router has changed it
 * @param signal aborted when the client disconnects
 */
export function toRequest(
  incoming: IncomingMessage,
  body: RequestBody | undefined,
  signal: AbortSignal,
  target = incoming.url,
): Request {
  const { method = "GET", headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line) => [name, line] as [string, string]),
  );
  const url = new URL(target ?? "/", "http://localhost");
  // A stream is read while the response is written only in one direction (Fetch Standard, 5.3).
  const request = new Request(url, { method, headers: pairs, body, duplex: "half" });
  return withSignal(request, signal);
}

/**
 * Gives a request and its clones a signal. A signal that is passed to `new Request` is followed by
 * an own signal of the request, which stops following once the request is garbage, even if it has
 * listeners (Node 20 to 24). Calls of disconnected clients would go on.
 */
function withSignal(request: Request, signal: AbortSignal): Request {
  const clone = (): Request => withSignal(Request.prototype.clone.call(request), signal);
  return Object.defineProperties(request, { signal: { value: signal }, clone: { value: clone } });
}

/**
 * Writes a web-standard response at the speed of the client, until the client disconnects. Its
 * `Connection` is left out, because the server decides when a connection ends.
 */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, headers);
  if (response.body) await writeBody(response.body, outgoing);
  outgoing.end();
}

async function writeBody(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk))
      await new Promise<void>((resolve) => onceDrained(outgoing, resolve));
  }
}

function onceDrained(outgoing: ServerResponse, resume: () => void): void {
  const done = (): void => {
    outgoing.off("drain", done).off("close", done);
    resume();
  };
  outgoing.on("drain", done).on("close", done);
}

// ---- transport/stdio/local-consent.ts ----
// Stands in for the consent of users, which no scheme of the API needs.

export function localConsent(_: unknown): undefined {
  return undefined;
}

// ---- transport/stdio/serve-stdio.ts ----
// MCP over stdin and stdout, for one client.

/** Serves one client over stdin and stdout. The process ends with the connection. */
export function serveStdio(context: ServerContext): void {
  const transport = new LineTransport(process.stdin, process.stdout, reserveStdout());
  const { close } = serveConnection(() => createConnection(context), {
    transport,
    onerror: (error) => context.log.debug("stdio", error),
  });
  transport.onfinished = () => void close();
  void transport.closed.then(() => process.exit(0));
  onShutdownSignal(() => {
    transport.end(context.settings.shutdownGraceMs ?? graceMs, () => interruptCalls(context));
    return transport.closed;
  });
}

/**
 * Creates a server. A connection may have two: one for version negotiation, and the one that stays.
 */
function createConnection(context: ServerContext): Server {
  const server = createMcpServer(context, { consent: localConsent(context) });
  context.toolListChanges?.subscribe(() => void server.sendToolListChanged().catch(() => {}));
  return server;
}

/**
 * Reserves stdout for the protocol. Other output of the process (console.log, a dependency) goes to
 * stderr, because any other line would break the client.
 * @returns a function that writes to stdout
 */
function reserveStdout(): WriteOut {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => write(text, done);
}

/** Maximum size of a message in bytes. */
const maxBytes = 10 * 1024 * 1024;

/** Milliseconds for calls in flight after a signal. Clients end a process that takes longer. */
const graceMs = 4000;

/** Milliseconds for responses in flight after the client has closed its end. */
const drainMs = 1500;

/** Milliseconds for writing the last responses. */
const flushMs = 300;

/**
 * Writes text to the output. Returns false when the output is full; `done` is called when the text
 * is written.
 */
type WriteOut = (text: string, done?: () => void) => boolean;

/**
 * JSON-RPC over two streams, one message per line. Unlike the transport of the SDK, it responds to
 * invalid lines, survives messages that are too large, responds to requests in flight when the
 * input ends, and pauses the input while the output is full.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#stdio
 */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called after the last response, to end subscriptions. The connection closes soon after. */
  onfinished?: () => void;

  readonly #lines = createLineReader(
    maxBytes,
    (line) => this.#receive(line),
    () => void this.#write(messageTooLarge(maxBytes)),
  );
  /** Number of requests in flight by id. An id may be in use more than once. */
  readonly #inFlight = new Map<unknown, number>();
  readonly #batches = createBatchTracker((responses) => void this.#write(responses));
  #revision: string | undefined;
  /** Lines to write at the end of this turn of the event loop. */
  #pendingLines = "";
  #flushing: Promise<void> | undefined;
  #resolveFlushed: () => void = () => {};
  #isEnding = false;
  #closed = false;
  #resolveClosed!: () => void;

  /** Resolves when the connection is closed and all lines are written. */
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #writeOut: WriteOut;

  /** @param writeOut writes to the output; separate, because `output.write` may be redirected */
  constructor(input: Readable, output: Writable, writeOut: WriteOut) {
    this.#input = input;
    this.#output = output;
    this.#writeOut = writeOut;
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Uint8Array) => this.#lines.push(chunk));
    this.#input.on("end", () => {
      this.#lines.end();
      this.end(drainMs);
    });
    this.#input.on("error", () => this.end(drainMs));
    // The client has disconnected.
    this.#output.on("error", () => void this.close());
  }

  /** Sets the negotiated revision, before 2026-07-28. */
  setProtocolVersion(version: string): void {
    this.#revision = version;
  }

  /**
   * Accepts no more requests, and closes after the requests in flight or the grace period.
   * @param interrupt ends the requests in flight, whose responses are written then
   */
  end(afterMs: number, interrupt = (): void => {}): void {
    this.#isEnding = true;
    if (this.#inFlight.size === 0) return this.#finish();
    setTimeout(() => {
      interrupt();
      setTimeout(() => this.#finish(), flushMs);
    }, afterMs);
  }

  #finish(): void {
    if (!this.onfinished) return void this.close();
    this.onfinished();
    setTimeout(() => void this.close(), flushMs);
  }

  /** Resolves when the output has room for the next message. */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("id" in message) || "method" in message) return this.#write(message);
    const writing = this.#batches.complete(message.id, message)
      ? Promise.resolve()
      : this.#write(message);
    this.#finishRequest(message.id);
    return writing;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.onclose?.();
    this.#writeOut(this.#pendingLines, this.#resolveClosed);
    setTimeout(this.#resolveClosed, flushMs);
  }

  #receive(line: string): void {
    if (this.#closed || this.#isEnding || line.trim() === "") return;
    const parsed = parseLine(line, this.#revision === batchRevision);
    if ("batch" in parsed) {
      this.#batches.start(parsed.batch);
      for (const entry of parsed.batch) if (entry.ok) this.#deliver(entry.message);
    } else if (parsed.ok) this.#deliver(parsed.message);
    else void this.#write(parsed.response);
  }

  #deliver(message: JSONRPCMessage): void {
    if ("method" in message) this.#countRequest(message);
    this.onmessage?.(message);
  }

  /**
   * Counts requests in flight. Subscriptions do not count, because their response is sent at their
   * end.
   */
  #countRequest(
    message: JSONRPCMessage & {
      readonly method: string;
      readonly params?: Readonly<Record<string, unknown>>;
    },
  ): void {
    if ("id" in message) {
      if (message.method !== "subscriptions/listen")
        this.#inFlight.set(message.id, (this.#inFlight.get(message.id) ?? 0) + 1);
    } else if (message.method === "notifications/cancelled") {
      this.#batches.complete(message.params?.["requestId"]);
      this.#finishRequest(message.params?.["requestId"]);
    }
  }

  #write(
    message: JSONRPCMessage | ErrorResponse | readonly (JSONRPCMessage | ErrorResponse)[],
  ): Promise<void> {
    this.#pendingLines += `${JSON.stringify(message)}\n`;
    return (this.#flushing ??= new Promise((resolve) => {
      this.#resolveFlushed = resolve;
      setImmediate(() => this.#flush());
    }));
  }

  #flush(): void {
    const lines = this.#pendingLines;
    this.#pendingLines = "";
    if (!this.#closed && lines && !this.#writeOut(lines)) return this.#flushWhenDrained();
    this.#flushing = undefined;
    this.#resolveFlushed();
  }

  /** Pauses the input until the output drains, so that responses do not pile up. */
  #flushWhenDrained(): void {
    this.#input.pause();
    const resume = (): void => {
      this.#output.off("drain", resume).off("close", resume);
      if (!this.#closed) this.#input.resume();
      this.#flush();
    };
    this.#output.on("drain", resume).on("close", resume);
  }

  #finishRequest(id: unknown): void {
    const remaining = (this.#inFlight.get(id) ?? 0) - 1;
    if (remaining > 0) this.#inFlight.set(id, remaining);
    else this.#inFlight.delete(id);
    if (this.#isEnding && this.#inFlight.size === 0) this.#finish();
  }
}

/** Splits a stream of bytes into lines. */
interface LineReader {
  push(chunk: Uint8Array): void;
  /** Ends the stream. Text after the last line feed is a line. */
  end(): void;
}

const lineFeed = 0x0a;

/**
 * Calls `onLine` with each line, without its end. A line above `maxBytes` is dropped, with one call
 * of `onTooLong`.
 */
function createLineReader(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): LineReader {
  let parts: Uint8Array[] = [];
  let size = 0;

  function append(part: Uint8Array): void {
    size += part.byteLength;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  }

  function endLine(): void {
    if (size > maxBytes) onTooLong();
    else onLine(Buffer.concat(parts).toString("utf8"));
    parts = [];
    size = 0;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        append(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      if (from < chunk.byteLength) append(chunk.subarray(from));
    },
    end() {
      if (size > 0) endLine();
    },
  };
}

// ---- transport/http/node-handler.ts ----
// MCP as a handler of another server of Node: Express, Koa, Fastify, Connect, or `node:http`.

/** A request whose body the other server may have read. */
interface ReadableRequest extends IncomingMessage {
  /** Path with the part that a router has removed, as in Express. */
  readonly originalUrl?: string;
  /** Parsed, or as bytes or text. */
  readonly body?: unknown;
}

/** Handles a request, and sends its response. */
export type NodeHandler = (request: ReadableRequest, response: ServerResponse) => Promise<void>;

/**
 * The server as a handler for another server of Node. The router of that server chooses the path.
 * @throws Error for an invalid setting, or if access would be open without consent
 */
export function nodeHandler(options: FetchHandlerOptions): NodeHandler {
  const handle = fetchHandler({ path: "*", ...options });
  return async (incoming, outgoing) => {
    const disconnected = new AbortController();
    outgoing.on("close", () => outgoing.writableFinished || disconnected.abort());
    const request = toRequest(
      incoming,
      bodyOf(incoming),
      disconnected.signal,
      incoming.originalUrl,
    );
    await writeResponse(await handle(request), outgoing);
  };
}

function bodyOf(incoming: ReadableRequest): RequestBody | undefined {
  const { method = "GET", body } = incoming;
  if (method === "GET" || method === "HEAD") return undefined;
  // What a body parser has read cannot be read again.
  if (incoming.readableEnded) return textOf(body);
  return Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
}

function textOf(body: unknown): RequestBody | undefined {
  if (body === undefined || typeof body === "string") return body;
  return body instanceof Uint8Array ? body : JSON.stringify(body);
}
