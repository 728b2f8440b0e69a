/**
 * Environment of a served document. The names of its variables come from the document's title, so
 * the document must not choose which variables of the shell are sent: only those of its `.env` file
 * and those that the user names reach the server.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import { InvalidArgumentError, Option } from "commander";
import { toSingleLine } from "../diagnostics/index.js";
import type { ToolPlan } from "../plan/index.js";
import { tokenOrigins } from "../plan/security/origins.js";
import { credentialOrigins } from "../runtime/request/origins.js";
import { isInCurrentFolder, isUrl, realPath } from "./configuration.js";
import type { ResolvedCommand } from "./resolved-command.js";
import { notEmpty } from "./options.js";
import { quoteForUser } from "./terminal.js";

/** Options that pass variables on. */
export interface EnvironmentOptions {
  /** `NAME` or `NAME=VALUE`. */
  readonly env?: readonly string[];
  readonly envFile?: string;
}

export function environmentOptions(): readonly Option[] {
  return [
    new Option(
      "--env <name>",
      "variable of the environment to pass on, or NAME=VALUE; repeatable",
    ).argParser(variable),
    new Option(
      "--env-file <file>",
      "file of variables (default: .env, if document or mcp-gen.yaml are in this folder)",
    ).argParser(notEmpty),
  ];
}

function variable(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^[A-Za-z_]\w*(=|$)/.test(text))
    throw new InvalidArgumentError("Give NAME or NAME=VALUE, as in CLINIC_API_KEY.");
  return [...before, text];
}

/** First words of variables of the system, of Node and of tracing, which every server gets. */
const SYSTEM_VARIABLES = new RegExp(
  "^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TZ|LANG|LC_\\w+|TERM|NO_COLOR|FORCE_COLOR|TMPDIR|TEMP|TMP|" +
    "XDG_\\w+|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMDATA|PROGRAMFILES|SYSTEMROOT|SYSTEMDRIVE|" +
    "WINDIR|COMSPEC|PATHEXT|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|NODE_\\w+|SSL_CERT_(?:FILE|DIR)|" +
    "OTEL_\\w+|LOG_LEVEL)$",
  "i",
);

/** Environment of a server, with the source of each variable that the user set for it. */
export interface ServerEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Variables of the file and of the user, without those of the system. */
  readonly variables: NodeJS.ProcessEnv;
  /** Path of the file of variables. */
  readonly file?: string;
  /** Variables that `--env` names and the environment does not have. */
  readonly missing: readonly string[];
  /** `.env` or `--env`, by variable. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Builds the environment of the server of a plan.
 * @param inherited environment of this process
 * @returns the environment, or a sentence about a file that cannot be read
 */
export function serverEnvironment(
  { api }: Pick<ToolPlan, "api">,
  run: ResolvedCommand,
  { env: given = [], envFile }: EnvironmentOptions,
  inherited: NodeJS.ProcessEnv = process.env,
): ServerEnvironment | string {
  const file = envFile ?? defaultFile(run);
  const path = file === undefined ? "" : resolve(file);
  const fileVariable = { [`${api.envPrefix}_ENV_FILE`]: path };
  const values = file === undefined ? {} : readVariables(path);
  if (values === undefined) return `${toSingleLine(file ?? "")} cannot be read`;
  const named = namedVariables(given, inherited);
  const ofFile = Object.keys(values).map((name) => [name, file ?? ""] as const);
  return {
    env: { ...systemVariables(inherited), ...named, ...fileVariable },
    variables: { ...values, ...named },
    ...(file !== undefined && { file }),
    missing: given.filter((name) => !name.includes("=") && inherited[name] === undefined),
    sources: new Map([...ofFile, ...Object.keys(named).map((name) => [name, "--env"] as const)]),
  };
}

/** Variables of a file in UTF-8 or UTF-16; undefined if it cannot be read. */
function readVariables(path: string): NodeJS.ProcessEnv | undefined {
  try {
    const bytes = readFileSync(path);
    return parseEnv(bytes.toString(bytes[0] === 0xff ? "utf16le" : "utf8"));
  } catch {
    return undefined;
  }
}

function systemVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => SYSTEM_VARIABLES.test(name)));
}

function namedVariables(
  given: readonly string[],
  inherited: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const entries = given.flatMap((text) => {
    const [, name = "", assigned, value = ""] = /^(\w+)(=([^]*))?$/.exec(text) ?? [];
    const current = assigned === undefined ? inherited[name] : value;
    return current === undefined ? [] : [[name, current] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The `.env` file of the current folder, if the document or its configuration is in it. A link to a
 * file of another folder is not followed: a downloaded repository can have such a link, and would
 * send the secrets of another project to its own hosts.
 */
function defaultFile(run: ResolvedCommand): string | undefined {
  return isOwn(run) && existsSync(".env") && !leadsOutside(".env") ? ".env" : undefined;
}

/** True if a file of the current folder is a link to one outside of it. */
function leadsOutside(path: string): boolean {
  return /^\.\.(?:[/\\]|$)|^(?:[/\\]|[A-Za-z]:)/.test(relative(realPath("."), realPath(path)));
}

/** True if the configuration, or every document, is in the current folder. */
function isOwn({ source, apis, configurationFile }: ResolvedCommand): boolean {
  if (configurationFile !== undefined && isInCurrentFolder(configurationFile)) return true;
  return documentsOf({ source, apis }).every((path) => isInCurrentFolder(path));
}

function documentsOf({
  source,
  apis,
}: Pick<ResolvedCommand, "source" | "apis">): readonly string[] {
  return apis?.map((api) => api.source) ?? [source];
}

/** Describes the variables that the server gets, and the hosts that it sends them to. */
export function describeEnvironment(
  { api, environment }: Pick<ToolPlan, "api" | "environment">,
  { variables: env, sources }: ServerEnvironment,
): string {
  const set = environment.filter(({ name }) => sources.has(name));
  const names = set.map(({ name }) => `${name} (${toSingleLine(sources.get(name) ?? "")})`);
  const variables = names.length === 0 ? "none" : names.join(", ");
  const hosts = api.apis
    ? Object.values(api.apis).map((one) => describeHosts(one, env, ` of ${one.title}`))
    : [describeHosts(api, env, "")];
  return `Variables that are set: ${variables}.${hosts.join("")}\n`;
}

/** Describes the hosts that get the credentials of an API. */
function describeHosts(api: ToolPlan["api"], env: NodeJS.ProcessEnv, owner: string): string {
  const origins = credentialOrigins({ api, env });
  if (origins.length === 0) return "";
  const targets = [...new Set(tokenOrigins(api).map(([, origin]) => origin))];
  const tokens = targets.filter((origin) => !origins.includes(origin));
  const endpoints = tokens.length === 0 ? "" : `, client secrets to ${tokens.join(", ")}`;
  return ` Credentials${owner} go to ${origins.join(", ")}${endpoints}.`;
}

/** Maximum number of names in a sentence. */
const MAX_NAMES = 5;

/** Names what is set, but not for this server: variables of the shell, and files of variables. */
export function describeUnused(
  { api, environment }: Pick<ToolPlan, "api" | "environment">,
  run: ResolvedCommand,
  { file, sources, missing }: ServerEnvironment,
  inherited: NodeJS.ProcessEnv = process.env,
): string {
  const known = new Set(environment.map(({ name }) => name));
  const names = Object.keys(inherited).filter(
    (name) => (known.has(name) || name.startsWith(`${api.envPrefix}_`)) && !sources.has(name),
  );
  const flags = names.slice(0, MAX_NAMES).map((name) => `--env ${name}`);
  const variables =
    names.length === 0
      ? []
      : [
          `Variables of the environment are not used unless they are named: add ${flags.join(" ")}.`,
        ];
  const files = file === undefined ? unusedFiles(run) : [];
  const reason = isOwn(run)
    ? "it is a link to a file of another folder"
    : "the document is not in the current folder";
  const sentences = files.map(
    (path) =>
      `${toSingleLine(path)} is not used, because ${reason}. ` +
      `To use it, add --env-file ${quoteForUser(path)}.`,
  );
  const absent =
    missing.length === 0 ? [] : [`Named by --env, but not set: ${missing.join(", ")}.`];
  return [...sentences, ...variables, ...absent].map((line) => `${line}\n`).join("");
}

function unusedFiles(run: ResolvedCommand): readonly string[] {
  const beside = documentsOf(run).flatMap((source) =>
    source === "-" || isUrl(source) ? [] : [join(dirname(source), ".env")],
  );
  return [...new Set([".env", ...beside])].filter((path) => existsSync(path));
}
