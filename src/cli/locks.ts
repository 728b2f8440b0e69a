import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatDiagnostics, toSingleLine, quoteText } from "../diagnostics/index.js";
import { type Lock, type LockFile, readLock } from "../diff/index.js";
import { LOCK_PATH } from "../render/lock/index.js";
import { resolveCommand } from "./configuration.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";
import { pathKind } from "./path-kind.js";
import type { CommandOptions } from "./options.js";
import { runPipeline } from "./pipeline.js";
import type { Terminal } from "./terminal.js";

/** One side of a comparison. */
export interface ComparedLock {
  readonly lock: Lock;
  /** File of the lock, if there is one. */
  readonly file?: { readonly path: string } & Pick<LockFile, "lines" | "schemaLines">;
}

/** The meaning of a name on the command line. */
export type ComparisonInput =
  | { readonly kind: "lock"; readonly path: string; readonly text: string }
  | {
      readonly kind: "document";
      readonly source: string;
      readonly stdin?: () => Promise<Uint8Array>;
    };

/**
 * Classifies a name as a lock, a folder with a lock, or a document. Empty input is a lock without
 * tools, as `git show` prints it for a revision without one.
 * @returns the input, or a sentence that says why it is not usable
 */
export async function classifyInput(name: string): Promise<ComparisonInput | string> {
  if (name === "-") return classifyStream("-", await readInput());
  if (/^https?:/i.test(name)) return { kind: "document", source: name };
  const kind = pathKind(name);
  if (kind === "folder") return findLockInFolder(name);
  // Process substitution of a shell: <(command).
  if (kind === "pipe") return classifyStream(name, readFileSync(name));
  if (kind !== "file") return { kind: "document", source: name };
  const text = readFileSync(name, "utf8");
  return isLock(text) && !(text.trim() === "" && /\.ya?ml$/i.test(name))
    ? { kind: "lock", path: name, text }
    : { kind: "document", source: name };
}

function findLockInFolder(folder: string): ComparisonInput | string {
  const path = join(folder, LOCK_PATH);
  if (pathKind(path) === "file") return { kind: "lock", path, text: readFileSync(path, "utf8") };
  return (
    `${toSingleLine(folder)} has no ${LOCK_PATH}. ` +
    "Generate it first, or give a lock or a document instead."
  );
}

/** Classifies input that can be read only once. */
function classifyStream(name: string, bytes: Uint8Array): ComparisonInput {
  const text = new TextDecoder().decode(bytes);
  return isLock(text)
    ? { kind: "lock", path: name, text }
    : { kind: "document", source: "-", stdin: async () => bytes };
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Checks the start of the text only, because documents may be large. */
function isLock(text: string): boolean {
  return text.trim() === "" || /^\ufeff?\s*\{\s*"layout"\s*:/.test(text.slice(0, 200));
}

/**
 * Reads a lock, or plans the tools of a document.
 * @returns the lock, or the exit code after an error message
 */
export async function readOrPlanLock(
  input: ComparisonInput,
  options: CommandOptions,
  terminal: Terminal,
): Promise<ComparedLock | ExitCode> {
  if (input.kind === "document") return planLock(input, options, terminal);
  if (input.text.trim() === "") return { lock: { tools: [] } };
  const lock = readLock(input.text);
  if (typeof lock === "object") {
    const { lines, schemaLines } = lock;
    const file = { path: input.path, lines, schemaLines };
    return { lock, ...(pathKind(input.path) === "file" && { file }) };
  }
  terminal.error(
    `error: ${quoteText(input.path)} ${lock ?? "is not a lock of mcp-gen"}. ` +
      "Restore it from version control, or regenerate it.\n",
  );
  return exitCodes.document;
}

/** Plans the tools of a document, or of the document that the configuration names. */
export async function planLock(
  input: Partial<Extract<ComparisonInput, { kind: "document" }>>,
  options: CommandOptions,
  terminal: Terminal,
): Promise<ComparedLock | ExitCode> {
  const run = await resolveCommand(
    { ...(input.source !== undefined && { source: input.source }), options },
    terminal,
    "unused",
  );
  if (typeof run === "number") return run;
  const result = await runPipeline(
    {
      source: run.source,
      options: run.options,
      ...(run.configuration && { configuration: run.configuration }),
      ...(input.stdin && { stdin: input.stdin }),
    },
    terminal,
  );
  if (typeof result === "number") return result;
  const text = result.ok
    ? result.files?.find(({ path }) => path === LOCK_PATH)?.content
    : undefined;
  const lock = text === undefined ? undefined : readLock(text);
  if (typeof lock === "object") return { lock };
  const shown = result.diagnostics.filter(
    ({ severity }) => severity === "error" || (options.strict === true && severity === "warning"),
  );
  terminal.error(formatDiagnostics(shown, { source: run.source, colorize: terminal.paint }));
  return exitCodes.document;
}
