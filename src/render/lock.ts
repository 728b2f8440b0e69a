import { hash } from "node:crypto";
import type { PlannedTool } from "../plan/types.js";
import { escapeJson } from "./code/index.js";
import type { GeneratedFile } from "./types.js";

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

/**
 * Serializes a value as canonical JSON: members sorted by code unit, no white space. RFC 8785.
 *
 * `JSON.stringify` formats numbers and strings as the RFC requires. Half of all objects in tool
 * schemas have only a type, or a type and a description, so small objects determine the speed. Most
 * of the others are shared between tools.
 * @param value JSON; `undefined` members are omitted
 * @param known canonical form of objects that were serialized before; the objects must not change
 */
export function canonicalJson(value: unknown, known = new Map<object, string>()): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, known)).join(",")}]`;
  const before = known.get(value);
  if (before !== undefined) return before;
  const json = writeObject(value as Members, known);
  known.set(value, json);
  return json;
}

type Members = Readonly<Record<string, unknown>>;

function writeObject(members: Members, known: Map<object, string>): string {
  let json = "";
  for (const name of sortNames(Object.keys(members))) {
    const value = members[name];
    if (value !== undefined)
      json += `${json === "" ? "" : ","}${writeString(name)}:${canonicalJson(value, known)}`;
  }
  return `{${json}}`;
}

/** Printable ASCII without quotes and backslashes. Most strings match. */
const plain = /^[ !#-[\]-~]*$/;

function writeString(value: string): string {
  return plain.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** Sorts in place by code unit. Insertion sort is fastest for the few members of most objects. */
function sortNames(names: string[]): string[] {
  if (names.length > 24) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
