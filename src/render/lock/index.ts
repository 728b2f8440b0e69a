import { hash } from "node:crypto";
import type { PlannedTool } from "../../plan/types.js";
import { escapeJson } from "../code/index.js";
import type { GeneratedFile } from "../types.js";
import { canonicalJson } from "./canonical-json.js";

/** Where the record of the definitions of tools is written, below the output folder. */
export const LOCK_PATH = "mcp-gen.lock.json";

/** Layout of the file; a later layout gets a later number. */
const LOCK_LAYOUT = 1;

/** The definition of one tool, written down. */
export interface LockEntry {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** Its entry in the lock. */
  readonly json: string;
}

/**
 * Writes definitions down as `tools/list` sends them, less `_meta`. The fingerprint is the SHA-256
 * of the canonical form of the definition (RFC 8785), so that a client can compute it whatever its
 * JSON parser does to the order of members.
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
 * `mcp-gen.lock.json`: the definition of every tool, for review where the project is kept, and for
 * `mcp-gen diff`. By name, so that a tool that is added or moved in the document changes no other
 * lines.
 */
export function lockFile(tools: readonly LockEntry[]): GeneratedFile {
  const entries = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ json }) => json);
  return {
    path: LOCK_PATH,
    content: `{\n"layout": ${LOCK_LAYOUT},\n"tools": [\n${entries.join(",\n")}\n]\n}\n`,
  };
}
