import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toSingleLine } from "../diagnostics/index.js";
import { LOCK_PATH } from "../render/lock.js";
import { pathKind } from "./terminal.js";

/** The meaning of a name on the command line. */
export type ComparisonInput =
  | { readonly kind: "lock" | "tool list"; readonly path: string; readonly text: string }
  | {
      readonly kind: "document";
      readonly source: string;
      readonly stdin?: () => Promise<Uint8Array>;
    }
  /** Those of a server of several APIs, `NAME=` before those that are named. */
  | { readonly kind: "documents"; readonly sources: readonly string[] };

/** The meaning of a single name. */
type SingleInput = Exclude<ComparisonInput, { kind: "documents" }>;

/**
 * Classifies a name as a lock, a folder with a lock, a tool list, or a document. Empty input is a
 * lock without tools, as `git show` prints it for a revision without one.
 * @returns the input, or a sentence with the reason why it is not usable
 */
export async function classifyInput(name: string): Promise<SingleInput | string> {
  if (name === "-") return classifyStream("-", await readInput());
  if (/^https?:/i.test(name)) return { kind: "document", source: name };
  const kind = pathKind(name);
  if (kind === "folder") return findLockInFolder(name);
  // Process substitution of a shell: <(command).
  if (kind === "pipe") return classifyStream(name, readFileSync(name));
  if (kind !== "file") return { kind: "document", source: name };
  const text = readFileSync(name, "utf8");
  const isEmptyDocument = text.trim() === "" && /\.ya?ml$/i.test(name);
  const textKind = isEmptyDocument ? "document" : kindOf(text);
  return textKind === "document"
    ? { kind: textKind, source: name }
    : { kind: textKind, path: name, text };
}

function findLockInFolder(folder: string): SingleInput | string {
  const path = join(folder, LOCK_PATH);
  if (pathKind(path) === "file") return { kind: "lock", path, text: readFileSync(path, "utf8") };
  return (
    `${toSingleLine(folder)} has no ${LOCK_PATH}. ` +
    "Generate it first, or give a lock or a document instead."
  );
}

/** Classifies input that can be read only once. */
function classifyStream(name: string, bytes: Uint8Array): SingleInput {
  const text = new TextDecoder().decode(bytes);
  const kind = kindOf(text);
  return kind === "document"
    ? { kind, source: "-", stdin: async () => bytes }
    : { kind, path: name, text };
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Checks the start of the text only, because documents may be large. */
function kindOf(text: string): SingleInput["kind"] {
  const [, key] = /^\ufeff?\s*\{\s*"(\w+)"\s*:/.exec(text.slice(0, 200)) ?? [];
  if (key === "layout" || text.trim() === "") return "lock";
  return key !== undefined && LIST_KEYS.has(key) ? "tool list" : "document";
}

/** First members of a result of `tools/list`, and of the JSON-RPC response with it. */
const LIST_KEYS = new Set(["tools", "result", "jsonrpc"]);
