/** Comments, names and literals of TypeScript. */
import { RESERVED_WORDS } from "../../reserved-words.js";
import { isDeviceName } from "../../file-name.js";
import { isObject } from "../../json.js";
import {
  type Code,
  escapeInvisible,
  type FilePath,
  markSafe,
  newline,
  sanitizeLine,
  toVisibleText,
} from "./safe.js";

/** Maximum columns of a line. */
const LINE = 100;
/** Maximum nesting. The loader rejects deeper documents. */
const MAX_DEPTH = 500;

/**
 * Names of members of `Object`. TypeScript types such a member like that of `Object`, so a string
 * inside loses its literal type.
 */
const objectMembers = new Set(
  (
    "constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf " +
    "propertyIsEnumerable"
  ).split(" "),
);

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
 * @param constantOf constants that replace objects inside the value
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

/** Maximum columns of a comment. */
const COLUMNS = 100;
/** Maximum characters of a comment. Longer text is truncated at a word. */
const MAX_LENGTH = 600;

/**
 * A JSDoc comment without indentation of its first line and without a final line break. Empty for
 * blank text.
 * @param indent indentation of the lines after the first
 * @param deprecated adds the tag `@deprecated`
 */
export function docComment(text: string, indent = 0, deprecated = false): Code {
  if (text === "" && !deprecated) return markSafe("");
  const safe = shorten(plain.test(text) ? text : neutralize(toVisibleText(text)).trim());
  if (!deprecated && safe.length + indent + 4 <= COLUMNS && safe !== "" && !safe.includes("\n"))
    return markSafe(`/** ${safe} */`);
  const lines = wrapLines(safe, COLUMNS - indent - 3);
  if (deprecated) lines.push("@deprecated");
  return markSafe(
    lines.length === 0
      ? ""
      : lines.length === 1
        ? `/** ${lines[0]!} */`
        : block(lines, " ".repeat(indent)),
  );
}

function block(lines: readonly string[], pad: string): string {
  let text = "/**\n";
  for (const line of lines) text += line === "" ? `${pad} *\n` : `${pad} * ${line}\n`;
  return `${text}${pad} */`;
}

/** A `//` comment with the text on one line. */
export function lineComment(text: string): Code {
  return markSafe(`// ${neutralize(sanitizeLine(text))}`);
}

/**
 * One line that needs no escaping: printable ASCII without `*`, `@` and `#`. Most descriptions
 * match.
 */
const plain = /^[!-")$-)+-?A-~](?:[ !-")$-)+-?A-~]*[!-")$-)+-?A-~])?$/;

/**
 * Neutralizes text that tools recognize in comments: the end of a comment, tags (`@ts-ignore`,
 * `@keep`, `@deprecated`), and pragmas (`#__PURE__`, `# sourceMappingURL=`).
 */
function neutralize(text: string): string {
  let safe = text;
  if (safe.includes("*/")) safe = safe.replaceAll("*/", "*\\/");
  if (safe.includes("@")) safe = safe.replace(/(?<![\w\\])@/g, "\\@");
  if (safe.includes("#")) safe = safe.replace(/#(?=__|\s*source(?:Mapping)?URL)/g, "\\#");
  return safe;
}

function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const space = text.lastIndexOf(" ", MAX_LENGTH);
  return `${text.slice(0, space > MAX_LENGTH / 2 ? space : MAX_LENGTH).trimEnd()}…`;
}

/** Wraps text at words and keeps one blank line between paragraphs. */
export function wrapLines(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim();
    if (words !== "") wrapLine(words, columns, lines);
    else if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
  }
  return lines;
}

function wrapLine(text: string, columns: number, lines: string[]): void {
  let rest = text;
  while (rest.length > columns) {
    const before = rest.lastIndexOf(" ", columns);
    const end = before > 0 ? before : rest.indexOf(" ", columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end + 1).trimStart();
  }
  lines.push(rest);
}

/**
 * Tests whether `name` can name a constant or a type of a generated module. ASCII only, so that
 * look-alikes are rejected.
 */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !RESERVED_WORDS.has(name);
}

/**
 * An identifier as code.
 * @throws when `name` is not an identifier, which is a defect of an earlier module
 */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new Error(`${JSON.stringify(name)} is not an identifier`);
  return markSafe(name);
}

/**
 * Text of letters, digits and underscores, which is safe in every language.
 * @throws when the text has other characters, which is a defect of an earlier module
 */
export function plainWord(text: string): Code {
  if (!/^\w+$/.test(text))
    throw new Error(`${JSON.stringify(text)} has other characters than letters, digits and _`);
  return markSafe(text);
}

/** Returns `preferred` when it is an unused identifier, else a similar one. */
export function uniqueIdentifier(preferred: string, used: { has(name: string): boolean }): Code {
  const stem = preferred.replace(/[^\w$]/g, "_").replace(/^(?=\d|$)/, "_");
  for (let i = 1; ; i++) {
    const name = i > 1 ? `${stem}_${i}` : RESERVED_WORDS.has(stem) ? `${stem}_` : stem;
    if (isIdentifier(name) && !used.has(name)) return markSafe(name);
  }
}

/**
 * One path segment made of any text: lower case, legal on every file system, not hidden, not `..`,
 * at most 80 bytes.
 */
export function fileName(text: string): FilePath {
  const safe =
    text
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "_")
      .replace(/^[-_]+/, "")
      .slice(0, 80) || "unnamed";
  return markSafe(isDeviceName(safe) || safe === "node_modules" ? `${safe}_` : safe);
}

/** A path below the output folder. Literal parts are trusted; each `${}` is one segment. */
export function filePath(parts: TemplateStringsArray, ...segments: readonly FilePath[]): FilePath {
  return markSafe(String.raw({ raw: parts }, ...segments));
}
