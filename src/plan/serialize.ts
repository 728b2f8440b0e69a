import { hash } from "node:crypto";
import type { PlannedTool } from "./types.js";

/** Fingerprint and size of a definition as `tools/list` sends it, without `_meta`. */
export interface SerializedDefinition {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** Bytes of JSON without the output schema. */
  readonly bytes: number;
  /** Bytes of the output schema; 0 if there is none. */
  readonly outputBytes: number;
}

const OUTPUT_KEY = ',"outputSchema":';

/**
 * Serializes each definition once, for its fingerprint and for the budget. The fingerprint is the
 * SHA-256 of the canonical form (RFC 8785), which clients can compute from parsed JSON in any member
 * order. Schemas that tools share are serialized once.
 */
export function serializeDefinitions(
  tools: readonly PlannedTool[],
): readonly SerializedDefinition[] {
  const known = new Map<object, string>();
  return tools.map(({ definition }) => {
    const { name, title, description, annotations, inputSchema, outputSchema } = definition;
    const listed = { name, title, description, annotations, inputSchema, outputSchema };
    const json = canonicalJson(listed, known);
    const outputBytes = outputSchema ? Buffer.byteLength(canonicalJson(outputSchema, known)) : 0;
    return {
      name,
      fingerprint: `sha256:${hash("sha256", json, "hex")}`,
      bytes: Buffer.byteLength(json) - (outputSchema ? OUTPUT_KEY.length + outputBytes : 0),
      outputBytes,
    };
  });
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
