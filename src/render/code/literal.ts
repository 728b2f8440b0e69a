import { type Code, escapeInvisible, markSafe, newline } from "./safe.js";
import { isObject } from "../../json.js";

/** Maximum columns of a line. */
const LINE = 100;
/** Maximum nesting. The loader rejects deeper documents. */
const MAX_DEPTH = 500;

/**
 * Names of members of `Object`. TypeScript types such a member like that of `Object`, so a string
 * inside loses its literal type.
 */
const objectMembers = new Set([
  "constructor",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
]);

function constAssertion(name: string, value: unknown): string {
  return typeof value === "object" && value !== null && objectMembers.has(name) ? " as const" : "";
}

/** Printable ASCII without quotes and backslashes. Most strings match. */
const plainText = /^[ !#-[\]-~]*$/;

/** A string literal of JavaScript and JSON. Lone surrogates are escaped. */
export function quoteString(text: string): string {
  return plainText.test(text) ? `"${text}"` : escapeInvisible(JSON.stringify(text));
}

/** A string literal. */
export function stringLiteral(text: string): Code {
  return markSafe(quoteString(text));
}

const plainKey = /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,8})$/;

/**
 * The key of a member of an object literal, bare where possible. `"__proto__"` is computed, because
 * it would set the prototype.
 */
export function propertyKey(name: string): Code {
  if (name === "__proto__") return markSafe('["__proto__"]');
  return markSafe(plainKey.test(name) ? name : quoteString(name));
}

/** The key of a member of a type. */
export function memberKey(name: string): Code {
  return markSafe(plainKey.test(name) ? name : quoteString(name));
}

type Members = Readonly<Record<string, unknown>>;

/**
 * A JSON value as formatted TypeScript: on one line where it fits, else one member per line. Omits
 * `undefined` members and writes `null` for other values that JSON lacks.
 *
 * Each part is written once. The parts of a value that fits on its line also fit on lines of their
 * own, so the short and the long form share them.
 * @param indent indentation of the lines after the first
 * @param column start of the value on its first line
 * @param constantOf constants that stand for objects inside the value
 */
export function literal(
  value: unknown,
  indent = 0,
  column = indent,
  constantOf: ConstantLookup = noConstant,
): Code {
  return markSafe(write(value, indent, LINE - column, constantOf));
}

/** Returns the constant that holds an object; undefined if none does. */
export type ConstantLookup = (value: object) => Code | undefined;

const noConstant: ConstantLookup = () => undefined;

/** @param room characters left on the line */
function write(value: unknown, indent: number, room: number, constantOf: ConstantLookup): string {
  if (typeof value === "string") return quoteString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const constant = constantOf(value);
  if (constant !== undefined) return constant;
  if (indent > 2 * MAX_DEPTH) throw new Error(`A value is nested deeper than ${MAX_DEPTH} levels`);
  return Array.isArray(value)
    ? writeList(value, indent, room, constantOf)
    : writeObject(value as Members, indent, room, constantOf);
}

/** The value of a constant, which does not refer to itself. */
export function constantLiteral(value: object, constantOf: ConstantLookup): Code {
  return literal(value, 0, 0, (part) => (part === value ? undefined : constantOf(part)));
}

function writeObject(
  object: Members,
  indent: number,
  room: number,
  constantOf: ConstantLookup,
): string {
  const members: string[] = [];
  let length = 2;
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const key = propertyKey(name);
    const constant = isObject(value) ? constantOf(value) : undefined;
    const text = constant ?? write(value, indent + 2, LINE - indent - key.length - 5, constantOf);
    const member =
      constant === name ? name : `${key}: ${text}${constant ? "" : constAssertion(name, value)}`;
    length += member.length + 2;
    members.push(member);
  }
  if (length === 2) return "{}";
  if (length <= room) return `{ ${members.join(", ")} }`;
  const line = newline(indent + 2);
  return `{${line}${members.join(`,${line}`)},${newline(indent)}}`;
}

function writeList(
  items: readonly unknown[],
  indent: number,
  room: number,
  constantOf: ConstantLookup,
): string {
  if (items.length === 0) return "[]";
  const parts: string[] = [];
  let length = 0;
  let scalars = true;
  for (const item of items) {
    const part = write(item, indent + 2, LINE - indent - 3, constantOf);
    if (typeof item === "object" && item !== null) scalars = false;
    length += part.length + 2;
    parts.push(part);
  }
  if (length <= room) return `[${parts.join(", ")}]`;
  const line = newline(indent + 2);
  return `[${line}${(scalars ? fillLines(parts, LINE - indent - 3) : parts).join(`,${line}`)},${newline(indent)}]`;
}

/** Fills each line with as many short values as fit. */
function fillLines(texts: readonly string[], room: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const text of texts) {
    const longer = row === "" ? text : `${row}, ${text}`;
    if (row !== "" && longer.length > room) rows.push(row);
    row = row !== "" && longer.length > room ? text : longer;
  }
  return row === "" ? rows : [...rows, row];
}
