import { sep } from "node:path";

/** One word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) && !text.startsWith("~")
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * One word of a command that a person is told to type: for the shells of Windows, where `'` quotes
 * nothing in one of them, or for others.
 */
export function quoteForUser(text: string, platform: string = process.platform): string {
  if (platform !== "win32") return quoteForShell(text);
  return /^[\w@+=:,./\\~-]+$/.test(text) ? text : `"${text}"`;
}

/**
 * A path, or an argument with one, as every system reads it, where it was typed: on Windows, `\` is
 * what people and shells put between folders.
 */
export function withSlashes(text: string, separator: string = sep): string {
  return separator === "\\" ? text.replaceAll("\\", "/") : text;
}

/**
 * Whether a text may stand in a workflow at all: GitHub replaces expressions before anything is
 * quoted, and YAML has no place for some characters.
 */
export function isSafeInWorkflow(text: string): boolean {
  return !text.includes("${{") && !/[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u.test(text);
}
