import { hash } from "node:crypto";
import type { PlannedTool } from "../../plan/types.js";
import { escapeJson } from "../code/index.js";
import type { GeneratedFile } from "../types.js";
import { canonicalJson } from "./canonical-json.js";

/** Path of the lock, below the output folder. */
export const LOCK_PATH = "mcp-gen.lock.json";

/** Version of the file's layout. */
const LOCK_LAYOUT = 1;

/** The lock entry of one tool. */
export interface LockEntry {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** The entry as JSON. */
  readonly json: string;
}

/**
 * Creates lock entries of definitions as `tools/list` sends them, without `_meta`. The fingerprint
 * is the SHA-256 of the canonical form (RFC 8785), which clients can compute from parsed JSON in
 * any member order.
 */
export function createLockEntries(tools: readonly PlannedTool[]): readonly LockEntry[] {
  const known = new Map<object, string>();
  return tools.map(({ definition, operations }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    const listed = { name, title, description, annotations, inputSchema, outputSchema };
    const fingerprint = `sha256:${hash("sha256", canonicalJson(listed, known), "hex")}`;
    const rest = {
      operations: operations.map(({ method, path }) => `${method} ${path}`),
      fingerprint,
    };
    return { name, fingerprint, json: escapeJson(JSON.stringify({ ...listed, ...rest }, null, 2)) };
  });
}

/**
 * `mcp-gen.lock.json`: the definition of every tool, for code review and for `mcp-gen diff`. Sorted
 * by name, so that an added or moved tool changes no other lines.
 */
export function lockFile(tools: readonly LockEntry[]): GeneratedFile {
  const entries = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ json }) => json);
  return {
    path: LOCK_PATH,
    content: `{\n"layout": ${LOCK_LAYOUT},\n"tools": [\n${entries.join(",\n")}\n]\n}\n`,
  };
}
