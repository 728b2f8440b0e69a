import { hash } from "node:crypto";
import type { BudgetPlan, PlannedTool, SharedSchema } from "../plan/types.js";
import { newline, quoteString } from "./code/index.js";
import type { GeneratedFile } from "./types.js";

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
  const known = new Map<unknown, boolean>();
  const shared = sharedSchemas.filter(({ schema }) => !hasReference(schema, known));
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
 * @param known results by object: shared schemas contain each other
 */
function hasReference(value: unknown, known: Map<unknown, boolean>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const found =
    known.get(value) ??
    ("$ref" in value || Object.values(value).some((part) => hasReference(part, known)));
  known.set(value, found);
  return found;
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

/** Maximum columns of a line. */
const LINE = 100;

/** Returns the target of the `$ref` that stands for an object; undefined if none does. */
type ReferenceLookup = (value: object) => string | undefined;

/**
 * Writes JSON for review: objects and lists on one line where they fit, else one member per line.
 * @param isExpanded writes the members of the value itself on lines of their own
 */
function writeJson(value: object, referenceTo: ReferenceLookup, isExpanded = false): string {
  return write(value, 0, isExpanded ? 0 : LINE, referenceTo);
}

/** @param room characters left on the line */
function write(value: unknown, indent: number, room: number, referenceTo: ReferenceLookup): string {
  if (typeof value === "string") return quoteString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const target = referenceTo(value);
  if (target !== undefined) return `{ "$ref": ${quoteString(target)} }`;
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  const parts = writeParts(value, indent, referenceTo);
  if (parts.length === 0) return `${open}${close}`;
  const length = parts.reduce((sum, part) => sum + part.length + 2, 2);
  if (length <= room && !parts.some((part) => part.includes("\n")))
    return `${open}${space}${parts.join(", ")}${space}${close}`;
  const line = newline(indent + 2);
  return `${open}${line}${parts.join(`,${line}`)}${newline(indent)}${close}`;
}

function writeParts(value: object, indent: number, referenceTo: ReferenceLookup): string[] {
  const room = LINE - indent - 3;
  if (Array.isArray(value)) return value.map((item) => write(item, indent + 2, room, referenceTo));
  const parts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const key = `${quoteString(name)}: `;
    parts.push(key + write(member, indent + 2, room - key.length, referenceTo));
  }
  return parts;
}
