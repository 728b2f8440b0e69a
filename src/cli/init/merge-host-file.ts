import { isObject } from "../../json.js";
import type { Host } from "./hosts.js";

/** A server as hosts start it. */
export interface HostedServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The new content of a host's file, or the reason why it stays as it is. */
type MergeResult =
  | { readonly kind: "changed"; readonly content: string }
  | { readonly kind: "unchanged" }
  /** A clause after the path, and the entry to add by hand. */
  | { readonly kind: "conflict"; readonly problem: string; readonly entry: string };

/**
 * Adds a server to the configuration of a host. Everything else in the file stays.
 * @param text current content; undefined without a file
 * @param replace whether an entry of the same name is replaced
 */
export function mergeHostFile(
  host: Host,
  server: HostedServer,
  text: string | undefined,
  replace: boolean,
): MergeResult {
  return host.format === "json"
    ? mergeJson(host, server, text, replace)
    : mergeToml(host, server, text ?? "", replace);
}

function mergeJson(
  { key, hasType }: Host,
  { name, command, args }: HostedServer,
  text: string | undefined,
  replace: boolean,
): MergeResult {
  const entry = { ...(hasType && { type: "stdio" }), command, args };
  const snippet = JSON.stringify({ [key]: { [name]: entry } }, null, 2);
  const content = text?.trim() ? parseJson(text) : {};
  const servers = isObject(content) ? (content[key] ?? {}) : undefined;
  if (!isObject(content) || !isObject(servers))
    return { kind: "conflict", problem: "is not plain JSON", entry: snippet };
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (JSON.stringify(present) === JSON.stringify(entry)) return { kind: "unchanged" };
  if (present !== undefined && !replace)
    return { kind: "conflict", problem: `has another server ${name}`, entry: snippet };
  const merged = { ...content, [key]: { ...servers, [name]: entry } };
  return { kind: "changed", content: `${JSON.stringify(merged, null, 2)}\n` };
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
  { name, command, args }: HostedServer,
  text: string,
  replace: boolean,
): MergeResult {
  const tableName = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  const table = `[${key}.${tableName}]`;
  const lines = [table, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const entry = `${lines.join("\n")}\n`;
  if (text.includes(entry)) return { kind: "unchanged" };
  if (text.split("\n").some((line) => line.trim() === table)) {
    const problem = replace ? "has this server, and TOML is not rewritten" : `has ${table}`;
    return { kind: "conflict", problem, entry };
  }
  return { kind: "changed", content: text === "" ? entry : `${text.trimEnd()}\n\n${entry}` };
}
