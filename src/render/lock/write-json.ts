import { newline, quoteString } from "../code/index.js";

/** Maximum columns of a line. */
const LINE = 100;

/** Returns the target of the `$ref` that stands for an object; undefined if none does. */
export type ReferenceLookup = (value: object) => string | undefined;

/**
 * Writes JSON for review: objects and lists on one line where they fit, else one member per line.
 * @param isExpanded writes the members of the value itself on lines of their own
 */
export function writeJson(value: object, referenceTo: ReferenceLookup, isExpanded = false): string {
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
