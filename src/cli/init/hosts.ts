/** Hosts of MCP servers: their configuration files, and the credentials in `.env`. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import { toSingleLine } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { replaceFile } from "../../write/add-files.js";
import type { Terminal } from "../terminal.js";
import {
  claudeCodeEntry,
  claudeDesktopEntry,
  codexEntry,
  cursorEntry,
  type EntryWriter,
  geminiEntry,
  type HostedServer,
  type HostEntry,
  vscodeEntry,
} from "./host-entries.js";
import { setJsonMember, setRootMember } from "./json-member.js";

/** A program that runs MCP servers, and the file that lists them. */
export interface Host {
  readonly id: string;
  readonly title: string;
  /** Path of its configuration: of this project, or of the user. */
  readonly file: (system: System) => string;
  readonly format: "json" | "toml";
  /** Key of the servers in the file. */
  readonly key: "mcpServers" | "servers" | "mcp_servers";
  readonly entry: EntryWriter;
}

/** Properties of a system that determine the paths of configurations. */
interface System {
  readonly platform: string;
  readonly home: string;
  /** `%APPDATA%` of Windows. */
  readonly appData?: string | undefined;
}

function currentSystem(): System {
  return { platform: process.platform, home: homedir(), appData: process.env.APPDATA };
}

/** Known hosts, by the names that `--host` takes. */
export const hosts: readonly Host[] = [
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    file: claudeDesktopFile,
    format: "json",
    key: "mcpServers",
    entry: claudeDesktopEntry,
  },
  {
    id: "claude-code",
    title: "Claude Code (.mcp.json)",
    file: () => ".mcp.json",
    format: "json",
    key: "mcpServers",
    entry: claudeCodeEntry,
  },
  {
    id: "cursor",
    title: "Cursor (.cursor/mcp.json)",
    file: () => join(".cursor", "mcp.json"),
    format: "json",
    key: "mcpServers",
    entry: cursorEntry,
  },
  {
    id: "vscode",
    title: "VS Code (.vscode/mcp.json)",
    file: () => join(".vscode", "mcp.json"),
    format: "json",
    key: "servers",
    entry: vscodeEntry,
  },
  {
    id: "codex",
    title: "Codex (~/.codex/config.toml)",
    file: ({ home }) => join(home, ".codex", "config.toml"),
    format: "toml",
    key: "mcp_servers",
    entry: codexEntry,
  },
  {
    id: "gemini",
    title: "Gemini CLI (.gemini/settings.json)",
    file: () => join(".gemini", "settings.json"),
    format: "json",
    key: "mcpServers",
    entry: geminiEntry,
  },
];

/** https://modelcontextprotocol.io/quickstart/user */
function claudeDesktopFile({ platform, home, appData }: System): string {
  const name = join("Claude", "claude_desktop_config.json");
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(appData ?? join(home, "AppData", "Roaming"), name);
  return join(home, ".config", name);
}

/** The new content of a host's file, or the reason why it stays as it is. */
type MergeResult =
  | { readonly kind: "changed"; readonly content: string }
  | { readonly kind: "unchanged" }
  /** The host takes such a server elsewhere. */
  | { readonly kind: "elsewhere"; readonly advice: string }
  /** A clause after the path, and the entry to add by hand. */
  | { readonly kind: "conflict"; readonly problem: string; readonly entry: string };

/**
 * Adds a server to the configuration of a host. The other contents of the file stay the same.
 * @param text current content; undefined without a file
 * @param replace whether an entry of the same name is replaced
 */
export function mergeHostFile(
  host: Host,
  server: HostedServer,
  text: string | undefined,
  replace: boolean,
): MergeResult {
  const written = host.entry(server);
  if (!written) return { kind: "elsewhere", advice: connectorAdvice(host, server) };
  return host.format === "json"
    ? mergeJson(host, server.name, written, text, replace)
    : mergeToml(host, server.name, written, text ?? "", replace);
}

function connectorAdvice({ title }: Host, { url }: HostedServer): string {
  return `${title} connects to a URL as a connector: Settings, Connectors, Add custom connector, ${url}`;
}

function mergeJson(
  { key }: Host,
  name: string,
  { entry, inputs = [] }: HostEntry,
  text: string | undefined,
  replace: boolean,
): MergeResult {
  const root = { ...(inputs.length > 0 && { inputs }), [key]: { [name]: entry } };
  const snippet = JSON.stringify(root, null, 2);
  const content = text?.trim() ? parseJson(text) : {};
  const servers = isObject(content) ? (content[key] ?? {}) : undefined;
  const known = isObject(content) ? (content["inputs"] ?? []) : [];
  if (!isObject(content) || !isObject(servers) || !Array.isArray(known))
    return { kind: "conflict", problem: "is not plain JSON", entry: snippet };
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const missing = inputs.filter(
    ({ id }) => !known.some((one) => isObject(one) && one["id"] === id),
  );
  if (JSON.stringify(present) === JSON.stringify(entry) && missing.length === 0)
    return { kind: "unchanged" };
  if (present !== undefined && JSON.stringify(present) !== JSON.stringify(entry) && !replace)
    return { kind: "conflict", problem: `has another server ${name}`, entry: snippet };
  if (!text?.trim()) return { kind: "changed", content: `${snippet}\n` };
  const withEntry = setJsonMember(text, [key, name], entry);
  return {
    kind: "changed",
    content:
      missing.length === 0 ? withEntry : setRootMember(withEntry, "inputs", [...known, ...missing]),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Appends a table. A file with a table of this name is not edited, because TOML is not parsed. */
function mergeToml(
  { key }: Host,
  name: string,
  { entry: values }: HostEntry,
  text: string,
  replace: boolean,
): MergeResult {
  const tableName = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  const table = `[${key}.${tableName}]`;
  // Texts and lists of texts have the same form in JSON and TOML.
  const lines = Object.entries(values).map(
    ([option, value]) => `${option} = ${JSON.stringify(value)}`,
  );
  const entry = `${[table, ...lines].join("\n")}\n`;
  if (text.includes(entry)) return { kind: "unchanged" };
  if (text.split("\n").some((line) => line.trim() === table)) {
    const problem = replace ? "has this server, and TOML is not rewritten" : `has ${table}`;
    return { kind: "conflict", problem, entry };
  }
  return { kind: "changed", content: text === "" ? entry : `${text.trimEnd()}\n\n${entry}` };
}

/**
 * Writes `.env` of a generated project, readable by the user only. An existing file keeps its
 * other lines; a new one starts from `.env.example`.
 * @returns whether it was written
 */
export function writeEnvFile(
  folder: string,
  values: Readonly<Record<string, string>>,
  terminal: Terminal,
): boolean {
  const path = join(folder, ".env");
  const text = readIfPresent(path) ?? readIfPresent(join(folder, ".env.example")) ?? "";
  return writeText(path, setVariables(text, values), terminal, {
    mode: 0o600,
    within: [".", folder],
  });
}

/** Variables of the `.env` of a generated project. */
export function readEnvFile(folder: string): Readonly<Record<string, string>> {
  return parseEnv(readIfPresent(join(folder, ".env")) ?? "") as Record<string, string>;
}

/**
 * Adds the server to the configuration of each host. A file that cannot be merged is not changed,
 * and the entry is printed.
 * @returns whether every host is configured
 */
export function writeHostFiles(
  hosts: readonly Host[],
  server: HostedServer,
  replace: boolean,
  terminal: Terminal,
): boolean {
  const results = hosts.map((host) => {
    const path = host.file(currentSystem());
    const merged = mergeHostFile(host, server, readIfPresent(path), replace);
    // A file of the user may be a link to anywhere, one of the project may not.
    if (merged.kind === "changed")
      return writeText(path, merged.content, terminal, isAbsolute(path) ? {} : { within: ["."] });
    if (merged.kind === "elsewhere") {
      terminal.print(`${merged.advice}\n`);
      return true;
    }
    if (merged.kind === "unchanged") {
      terminal.print(`${toSingleLine(path)} already has the server.\n`);
      return true;
    }
    terminal.error(
      `${toSingleLine(path)} ${merged.problem} and is not changed. Add this to it:\n${merged.entry}\n`,
    );
    return false;
  });
  return results.every(Boolean);
}

/** Writes a file, creates its folder, and prints the path or the problem. */
export function writeText(
  path: string,
  content: string,
  terminal: Terminal,
  options: Parameters<typeof replaceFile>[2] = {},
): boolean {
  const problem = replaceFile(path, content, { makesFolder: true, ...options });
  if (problem) {
    terminal.error(`error: ${problem.message}\n`);
    return false;
  }
  terminal.print(`Wrote ${toSingleLine(path)}.\n`);
  return true;
}

function readIfPresent(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/**
 * Sets variables in the text of a `.env` file. Lines of other variables and comments stay; an
 * example line of a variable (`# NAME=…`) is replaced.
 */
export function setVariables(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (current, [name, value]) => setVariable(current, name, quoteValue(value)),
    text,
  );
}

function setVariable(text: string, name: string, value: string): string {
  const line = new RegExp(`^(?:# )?${name}=.*$`, "m");
  const assignment = `${name}=${value}`;
  if (line.test(text)) return text.replace(line, () => assignment);
  return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${assignment}\n`;
}

/**
 * Explains why `.env` cannot hold a value. The format has no escapes, and not every reader takes a
 * value of several lines.
 * @returns undefined for a value that can be written
 */
export function describeUnwritable(value: string): string | undefined {
  const isWritable = !/[\r\n]/.test(value) && quote(value) !== undefined;
  return isWritable
    ? undefined
    : "A .env file cannot hold this value, because it has several lines or all of ', \" and `. " +
        "Set the variable in the environment of the server";
}

/** @throws Error for a value that `describeUnwritable` explains */
function quoteValue(value: string): string {
  const quoted = quote(value);
  if (quoted === undefined) throw new Error("the value cannot be quoted");
  return quoted;
}

/**
 * Quotes a value, where necessary, so that `.env` parsers read it back. `docker run --env-file` and
 * `kubectl` take quotes for a part of the value; Compose expands `$` without them.
 */
function quote(value: string): string | undefined {
  if (!/['"`#$\\]/.test(value) && parseEnv(`A=${value}\n`).A === value) return value;
  return ["'", '"', "`"]
    .map((mark) => mark + value + mark)
    .find((text) => parseEnv(`A=${text}\n`).A === value);
}
