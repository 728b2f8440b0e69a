/**
 * `mcp-gen.lock.json`: the definitions of all tools, and where their requests and credentials go,
 * for code review and `mcp-gen diff`.
 */
import type { BudgetPlan, CustomTool, PlannedTool, ToolPlan } from "../plan/types.js";
import { newline, quoteString } from "./code/index.js";
import { commaLines } from "./comma-lines.js";
import { type ListedTool, listedTools } from "./listed-tools.js";
import { lockedApis, lockedRequests, type LockedPlan } from "./locked-api.js";
import type { GeneratedFile } from "./types.js";

/** Path of the lock, below the output folder. */
export const LOCK_PATH = "mcp-gen.lock.json";

/**
 * Version of the file's layout. Since 2, tools refer to shared schemas. Since 3, tools have no
 * fingerprints, which would change with every shared schema. Since 4, it has the APIs.
 */
const LOCK_LAYOUT = 4;

/**
 * `mcp-gen.lock.json`: the definition of every tool as `tools/list` sends it, without `_meta`, for
 * code review and for `mcp-gen diff`. Sorted by name, so that an added or moved tool changes no
 * other lines. A shared schema is written once, so that its change is one change of the file. So
 * are the base URL and the credentials; only requests that differ from them have their own.
 */
export function lockFile({
  sharedSchemas,
  budget,
  omitted = [],
  ...plan
}: LockedPlan &
  Pick<ToolPlan, "sharedSchemas"> &
  Partial<Pick<ToolPlan, "omitted" | "customTools">> & {
    readonly budget: Pick<BudgetPlan, "mode">;
  }): GeneratedFile {
  const { api, otherApis } = lockedApis(plan);
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
  const entries = [...listedTools(plan)]
    .sort((a, b) => (a.listing.name < b.listing.name ? -1 : 1))
    .map((tool) => writeJson(lockEntry(tool), referenceTo, true));
  return {
    path: LOCK_PATH,
    // Joined once, because most of the text is in the entries.
    content: [
      "{",
      `"layout": ${LOCK_LAYOUT},`,
      `"listMode": "${budget.mode}",`,
      `"api": ${writeJson(api, noReference, true)},`,
      ...(otherApis ? [`"otherApis": ${writeJson(otherApis, noReference, true)},`] : []),
      ...(schemas.length > 0 ? ['"schemas": {', ...commaLines(schemas), "},"] : []),
      ...unselectedLines(omitted),
      '"tools": [',
      ...commaLines(entries),
      "]",
      "}\n",
    ].join("\n"),
  };
}

/**
 * Operations that wait for a rule, as methods by path. `mcp-gen diff` lists those that the document
 * gets later.
 */
function unselectedLines(omitted: ToolPlan["omitted"]): readonly string[] {
  const methods = new Map<string, string[]>();
  for (const { method, path, isUnselected } of omitted)
    if (isUnselected) methods.set(path, [...(methods.get(path) ?? []), method]);
  if (methods.size === 0) return [];
  const entries = [...methods].sort(([a], [b]) => (a < b ? -1 : 1));
  const sorted = entries.map(([path, list]) => [path, list.sort().join(" ")]);
  return [`"unselected": ${writeJson(Object.fromEntries(sorted), noReference, true)},`];
}

const noReference: ReferenceLookup = () => undefined;

function lockEntry({ listing, generated, custom }: ListedTool): object {
  const { name, title, description, annotations, inputSchema, outputSchema } = listing;
  const definition = { name, title, description, annotations, inputSchema, outputSchema };
  if (custom) return { ...definition, ...customEntry(custom) };
  return { ...definition, ...(generated && requestsEntry(generated)) };
}

/** A tool of the project's own code sends the requests of other tools, or none. */
function customEntry({ computed }: CustomTool): object {
  return { custom: true, computed, operations: [] };
}

function requestsEntry(tool: PlannedTool): object {
  return {
    hidden: tool.definition.hidden,
    approve: approvalOf(tool),
    operations: tool.operations.map(({ method, path }) => `${method} ${path}`),
    requests: lockedRequests(tool),
  };
}

/** The question before the requests of a tool: for a yes, or for the name of the thing. */
function approvalOf({ text, definition }: PlannedTool): true | "name" | undefined {
  if (!text.asksUser) return undefined;
  return typeof definition.approve === "object" ? "name" : true;
}

/**
 * True for a schema that refers to the definitions of its root. It is not valid elsewhere, so it
 * remains inline in the lock.
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

/** Maximum columns of a line. */
const LINE = 100;

/** Returns the target of the `$ref` that replaces an object; undefined if none does. */
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
  // A part that does not fit on a line of its own makes the value too long, too.
  if (fitsOn(parts, room - 4)) return `${open}${space}${parts.join(", ")}${space}${close}`;
  const line = newline(indent + 2);
  return `${open}${line}${parts.join(`,${line}`)}${newline(indent)}${close}`;
}

/** True if parts, separated by a comma and a blank, have at most `room` characters. */
function fitsOn(parts: readonly string[], room: number): boolean {
  let length = -2;
  for (const part of parts) {
    length += part.length + 2;
    if (length > room) return false;
  }
  return true;
}

function writeParts(value: object, indent: number, referenceTo: ReferenceLookup): string[] {
  const room = LINE - indent - 3;
  if (Array.isArray(value)) return value.map((item) => write(item, indent + 2, room, referenceTo));
  const parts: string[] = [];
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    const key = `${quoteString(name)}: `;
    parts.push(key + write(member, indent + 2, room - key.length, referenceTo));
  }
  return parts;
}
