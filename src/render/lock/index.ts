import { hash } from "node:crypto";
import type { BudgetPlan, PlannedTool, SharedSchema } from "../../plan/types.js";
import type { GeneratedFile } from "../types.js";
import { canonicalJson } from "./canonical-json.js";
import { type ReferenceLookup, writeJson } from "./write-json.js";

/** Path of the lock, below the output folder. */
export const LOCK_PATH = "mcp-gen.lock.json";

/** Version of the file's layout. Since 2, tools refer to shared schemas. */
const LOCK_LAYOUT = 2;

/** The lock entry of one tool. */
export interface LockEntry {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** The entry without its references resolved. */
  readonly entry: object;
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
    return { name, fingerprint, entry: { ...listed, ...rest } };
  });
}

/**
 * `mcp-gen.lock.json`: the definition of every tool, for code review and for `mcp-gen diff`. Sorted
 * by name, so that an added or moved tool changes no other lines. A shared schema is written once,
 * so that its change is one change of the file.
 */
export function lockFile(
  tools: readonly LockEntry[],
  sharedSchemas: readonly SharedSchema[],
  listMode: BudgetPlan["mode"],
): GeneratedFile {
  const shared = sharedSchemas.filter(({ schema }) => !hasReference(schema));
  const names = new Map<object, string>(shared.map(({ name, schema }) => [schema, name]));
  const referenceTo: ReferenceLookup = (value) => {
    const name = names.get(value);
    return name === undefined ? undefined : `#/schemas/${name}`;
  };
  const schemas = shared.map(({ name, schema }) => {
    const own: ReferenceLookup = (value) => (value === schema ? undefined : referenceTo(value));
    return `${JSON.stringify(name)}: ${writeJson(schema, own)}`;
  });
  const entries = [...tools]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ entry }) => writeJson(entry, referenceTo, true));
  return {
    path: LOCK_PATH,
    content: [
      "{",
      `"layout": ${LOCK_LAYOUT},`,
      `"listMode": "${listMode}",`,
      ...(schemas.length > 0 ? [`"schemas": {\n${schemas.join(",\n")}\n},`] : []),
      `"tools": [\n${entries.join(",\n")}\n]`,
      "}\n",
    ].join("\n"),
  };
}

/**
 * True for a schema that refers to the definitions of its root. It means nothing elsewhere, so the
 * lock keeps it in place.
 */
function hasReference(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "$ref" in value || Object.values(value).some(hasReference);
}
