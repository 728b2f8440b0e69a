/** The terminal: output, exit codes, and commands for the shell of the user. */
import { statSync } from "node:fs";
import { sep } from "node:path";
import type { Severity } from "../diagnostics/diagnostic.js";
import { sanitizeText, toSingleLine } from "../diagnostics/text.js";

/**
 * Output of a command: results to `print`, everything else to `error`. Both take whole lines and
 * remove control characters.
 */
export interface Terminal {
  readonly print: (text: string) => void;
  readonly error: (text: string) => void;
  /** Colors text for `error`, if colors are enabled. */
  readonly paint: (severity: Severity, text: string) => string;
  /**
   * Shows a text in the last line of stderr, if it is a terminal; without a text, clears the line.
   */
  readonly progress?: (text?: string) => void;
}

const CODES: Readonly<Record<Severity, string>> = { error: "31", warning: "33", info: "36" };
const ESCAPE = "\u001b";

/**
 * Tests whether messages are colored: on a terminal, unless NO_COLOR is set or TERM is dumb
 * (https://no-color.org), and always with FORCE_COLOR other than 0 (https://force-color.org).
 */
export function usesColors(
  { FORCE_COLOR: force, NO_COLOR: no, TERM: term }: NodeJS.ProcessEnv,
  isTerminal: boolean,
): boolean {
  if (force) return force !== "0" && force !== "false";
  return isTerminal && !no && term !== "dumb";
}

/**
 * The terminal of this process. A closed stdout ends the run without an error.
 */
export function processTerminal(setExitCode: (code: number) => void): Terminal {
  const coloured = usesColors(process.env, process.stderr.isTTY === true);
  process.stdout.on("error", ignoreClosedPipe);
  process.stderr.on("error", ignoreClosedPipe);
  return {
    print: (text) => void process.stdout.write(sanitizeText(text)),
    error: (text) => void process.stderr.write(coloured ? text : sanitizeText(text)),
    ...(process.stderr.isTTY === true &&
      process.env.TERM !== "dumb" && {
        progress: (text = "") => void process.stderr.write(`\r${ESCAPE}[2K${sanitizeText(text)}`),
      }),
    paint: (severity, text) =>
      coloured ? `${ESCAPE}[${CODES[severity]}m${text}${ESCAPE}[39m` : text,
  };

  function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
    if (error.code !== "EPIPE") throw error;
    setExitCode(0);
  }
}

const refusals: Readonly<Record<string, string>> = {
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EMFILE: "too many files are open",
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  EBUSY: "it is in use",
};

/**
 * Describes an error of the file system in one sentence.
 * @returns undefined for any other error
 */
export function describeRefusal(error: unknown): string | undefined {
  const { code, path, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (syscall === "uv_cwd")
    return "error: The current folder no longer exists. Change to another one, then run mcp-gen there.\n";
  if (typeof code !== "string" || typeof path !== "string") return undefined;
  const reason = refusals[code] ?? `the system reported ${toSingleLine(code)}`;
  return `error: ${toSingleLine(path)} cannot be opened: ${reason}.\n`;
}

/** Describes a bug of mcp-gen in one sentence, with the stack if requested. */
export function describeDefect(error: unknown, verbose: boolean): string {
  const cause = error instanceof Error ? error.message : String(error);
  const first = sanitizeText(cause.split("\n", 1)[0] ?? "").slice(0, 300);
  const more = verbose ? `${error instanceof Error ? (error.stack ?? "") : ""}\n` : "";
  const hint = verbose ? "" : " Run it with --verbose for details.";
  return `error: This is a bug in mcp-gen (${first}). Please report it together with the document.${hint}\n${more}`;
}

/** Exit codes, printed by `--help` and stable for scripts. */
export const exitCodes = {
  done: 0,
  /** `--check` found differences, `diff --fail-on` found changes, or `try` found a failing tool. */
  different: 1,
  usage: 2,
  /** A document, overlay or configuration is not usable, or `--strict` found warnings. */
  document: 3,
  /** The output folder was rejected or is not writable. Nothing was changed. */
  refused: 4,
  /** A bug in mcp-gen. */
  defect: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Quotes a word for POSIX shells. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith("~")
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Quotes a word of a command for the user's shell. On Windows only double quotes work in all
 * shells. A quote inside them is doubled, and so are backslashes before a quote, as
 * `CommandLineToArgvW` reads them. No quoting keeps cmd.exe from replacing `%NAME%`.
 */
export function quoteForUser(text: string, platform: string = process.platform): string {
  if (platform !== "win32") return quoteForShell(text);
  if (/^[\w@+:./\\~-]+$/.test(text)) return text;
  return `"${text.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, "$&$&")}"`;
}

/** The command that copies a file. On Windows `copy` works in every shell. */
export function copyCommand(platform: string = process.platform): string {
  return platform === "win32" ? "copy" : "cp";
}

/**
 * A command that a host starts with npx. On Windows npx is a batch file, which only a shell starts.
 */
export function npxCommand(platform: string = process.platform): string {
  return platform === "win32" ? "cmd /c npx" : "npx";
}

/** Replaces `\` by `/` on Windows, so that every system reads the path. */
export function withSlashes(text: string, separator: string = sep): string {
  return separator === "\\" ? text.replaceAll("\\", "/") : text;
}

/**
 * Tests whether a text can be part of a GitHub workflow, where `${{` is always replaced and YAML
 * forbids some characters.
 */
export function isSafeInWorkflow(text: string): boolean {
  return !text.includes("${{") && !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}

/** Returns the kind of a path, following links; undefined when it is absent or not accessible. */
export function pathKind(path: string): "file" | "folder" | "pipe" | "other" | undefined {
  try {
    const found = statSync(path);
    return found.isFile()
      ? "file"
      : found.isDirectory()
        ? "folder"
        : found.isFIFO()
          ? "pipe"
          : "other";
  } catch {
    return undefined;
  }
}
