import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { toSingleLine } from "../../diagnostics/index.js";
import { replaceFile } from "../../write/add-files.js";
import type { Terminal } from "../terminal.js";
import { currentSystem, type Host, type HostedServer, mergeHostFile } from "./hosts.js";

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
  return writeText(path, setVariables(text, values), terminal, 0o600);
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
    if (merged.kind === "changed") return writeText(path, merged.content, terminal);
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
  mode?: number,
): boolean {
  const problem = replaceFile(path, content, { makesFolder: true });
  if (problem) {
    terminal.error(`error: ${problem.message}\n`);
    return false;
  }
  if (mode !== undefined) chmodSync(path, mode);
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
 * Quotes a value so that `.env` parsers read it back.
 * @throws Error for a value that cannot be quoted
 */
function quoteValue(value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  const quoted = ["'", '"', "`"].map((quote) => quote + value + quote);
  const readable = quoted.find((text) => parseEnv(`A=${text}\n`).A === value);
  if (readable === undefined) throw new Error("the value cannot be quoted");
  return readable;
}
