import { statSync } from "node:fs";
import { sep } from "node:path";

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
