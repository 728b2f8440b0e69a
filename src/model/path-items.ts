import { isObject } from "../json.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import { deref } from "./deref.js";
import { kindOf, quote } from "./findings.js";
import { isToken } from "./header-names.js";
import { isExtension, neededRecord, own, record, type Raw } from "./read.js";
import { parseTemplate, type PathTemplate } from "./template.js";

/** One usable entry of `paths`. */
export interface PathItem {
  readonly template: PathTemplate;
  readonly raw: Raw;
  /** Where a field of it stands: beside a `$ref`, or where that leads. */
  readonly atOf: (key: string) => At;
}

/** One operation before it is read. */
export interface RawOperation {
  readonly method: string;
  readonly raw: Raw;
  readonly at: At;
}

/**
 * The usable path items, in document order; others are left out with a warning. OpenAPI 3.2, "Paths
 * Object".
 */
export function readPathItems(c: Context): readonly PathItem[] {
  const paths = neededRecord(c, c.document.root, "paths", At.root) ?? {};
  return Object.keys(paths).flatMap((key) =>
    isExtension(key) ? [] : (readItem(c, key, paths[key]) ?? []),
  );
}

function readItem(c: Context, key: string, value: unknown): PathItem | undefined {
  const at = At.root.child("paths").child(key);
  const template = parseTemplate(key);
  if ("problem" in template) {
    c.findings.add(
      "model-path",
      at,
      `The path ${quote(key)} ${template.problem}; its operations are left out.`,
    );
    return undefined;
  }
  if (!isObject(value)) {
    c.findings.add(
      "model-path",
      at,
      `The path item of ${quote(key)} must be an object, but is ${kindOf(value)}; it is left out.`,
    );
    return undefined;
  }
  reportExtras(c, key, template, at);
  return { template, ...referenced(c, value, at) };
}

/** A path item may be a reference with fields beside it; those count. */
function referenced(c: Context, value: Raw, at: At): Omit<PathItem, "template"> {
  if (typeof value.$ref !== "string") return { raw: value, atOf: (key) => at.child(key) };
  const target = deref(c, { $ref: value.$ref }, at, "path item", true);
  const { $ref: _, ...beside } = value;
  if (!target) return { raw: beside, atOf: (key) => at.child(key) };
  return {
    raw: { ...target.raw, ...beside },
    atOf: (key) => (Object.hasOwn(beside, key) ? at : target.at).child(key),
  };
}

function reportExtras(
  c: Context,
  key: string,
  { query, fragment, expanded }: PathTemplate,
  at: At,
): void {
  if (query.length > 0)
    c.findings.add(
      "model-path-query",
      at,
      `The path ${quote(key)} has a query; it is sent with every request.`,
    );
  if (expanded.length > 0)
    c.findings.add(
      "model-path-query",
      at,
      `The path ${quote(key)} has a query expression; its names are sent when parameters declare them.`,
    );
  if (fragment !== "")
    c.findings.add(
      "model-path-fragment",
      at,
      `The path ${quote(key)} has a fragment, which is never sent; it is removed.`,
    );
}

const METHODS: readonly string[] = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
];
const FIELDS = new Set(["summary", "description", "servers", "parameters", "$ref"]);

/** The operations of a path item, in the order they are written. */
export function operationsOf(c: Context, { raw, atOf }: PathItem): readonly RawOperation[] {
  return Object.keys(raw).flatMap((key) => {
    if (isMethod(c, key)) return operation(c, key.toUpperCase(), raw[key], atOf(key)) ?? [];
    if (key === "additionalOperations" && c.version === "3.2") return additional(c, raw, atOf(key));
    if (!FIELDS.has(key) && !isExtension(key))
      c.findings.add(
        "model-method",
        atOf(key),
        `${quote(key)} is no HTTP method that OpenAPI ${c.version} knows; it is left out.`,
      );
    return [];
  });
}

function isMethod(c: Context, key: string): boolean {
  return METHODS.includes(key) || (key === "query" && c.version === "3.2");
}

/**
 * OpenAPI 3.2: operations with any other method, in the capitals that are sent. One that has a
 * field of its own belongs there.
 */
function additional(c: Context, raw: Raw, at: At): readonly RawOperation[] {
  const owner = at.up ?? At.root;
  const operations = record(c, raw, "additionalOperations", owner) ?? {};
  return Object.keys(operations).flatMap((written) => {
    const method = additionalMethod(c, written, raw, at.child(written));
    return method === undefined
      ? []
      : (operation(c, method, own(operations, written), at.child(written)) ?? []);
  });
}

function additionalMethod(c: Context, written: string, item: Raw, at: At): string | undefined {
  const field = written.toLowerCase();
  if (isToken(written) && !isMethod(c, field)) return written;
  const isFree = isMethod(c, field) && own(item, field) === undefined;
  const problem = isFree
    ? `belongs under \`${field}\`, and is read as if it stood there`
    : isToken(written)
      ? `stands beside \`${field}\`, which means the same; the operation is left out`
      : "is no legal HTTP method; the operation is left out";
  c.findings.add("model-method", at, `${quote(written)} ${problem}.`);
  return isFree ? field.toUpperCase() : undefined;
}

/** `fetch` refuses these. */
const UNSENDABLE = new Set(["TRACE", "CONNECT", "TRACK"]);

function operation(
  c: Context,
  method: string,
  value: unknown,
  place: At,
): RawOperation | undefined {
  // No version lets an operation be a reference; documents in many files do it all the same.
  const located =
    isObject(value) && typeof value.$ref === "string"
      ? deref(c, value, place, "operation", true)
      : { raw: value, at: place };
  if (!located) return undefined;
  const { raw, at } = located;
  if (!isObject(raw)) {
    c.findings.add(
      "model-operation",
      at,
      `An operation must be an object, but this is ${kindOf(raw)}; it is left out.`,
    );
    return undefined;
  }
  if (!UNSENDABLE.has(method.toUpperCase())) return { method, raw, at };
  c.findings.add(
    "model-method",
    at,
    `${method} requests cannot be sent by HTTP clients; the operation is left out.`,
  );
  return undefined;
}
