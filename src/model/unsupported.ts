import { isObject } from "../json.js";
import type { Context } from "./context.js";
import { quote } from "./diagnostics.js";
import type { LocatedOperation } from "./paths.js";
import { Pointer } from "./pointer.js";
import { isExtension, ownProperty } from "./raw-object.js";

/** Reports the parts of a document that do not become tools, once each. */
export function reportUnsupported(c: Context, operations: readonly LocatedOperation[]): void {
  reportCallbacks(c, operations);
  reportWebhooks(c);
  reportUnknownDialect(
    c,
    ownProperty(c.document.root, "jsonSchemaDialect"),
    Pointer.root.child("jsonSchemaDialect"),
  );
}

function reportCallbacks(c: Context, operations: readonly LocatedOperation[]): void {
  const withCallbacks = operations.filter(
    ({ raw }) => isObject(raw.callbacks) && Object.keys(raw.callbacks).length > 0,
  );
  const [first] = withCallbacks;
  if (!first) return;
  const count = withCallbacks.reduce(
    (sum, { raw }) => sum + Object.keys(raw.callbacks as object).length,
    0,
  );
  c.diagnostics.add(
    "model-callbacks",
    first.pointer.child("callbacks"),
    `${countPhrase(count, "callback")} left out: a tool sends requests and cannot receive them.`,
  );
}

function reportWebhooks(c: Context): void {
  for (const key of ["webhooks", "x-webhooks"]) {
    const webhooks = ownProperty(c.document.root, key);
    const count = isObject(webhooks)
      ? Object.keys(webhooks).filter((name) => !isExtension(name)).length
      : 0;
    if (count > 0)
      c.diagnostics.add(
        "model-webhooks",
        Pointer.root.child(key),
        `${countPhrase(count, "webhook")} left out: a tool sends requests and cannot receive them.`,
      );
  }
}

/** Reports that no operation is left, with the first reason, or that there never was one. */
export function reportNoOperations(c: Context): void {
  const { firstOmission } = c.diagnostics;
  if (firstOmission) {
    const problem = { ...firstOmission, code: "model-no-operations" } as const;
    return c.diagnostics.addProblem(problem, "no operation is left");
  }
  const hasPaths = isObject(ownProperty(c.document.root, "paths"));
  const pointer = hasPaths ? Pointer.root.child("paths") : Pointer.root;
  const message = hasPaths
    ? "The document has no usable operations"
    : "The document has no `paths` and therefore no operations";
  c.diagnostics.add("model-no-operations", pointer, `${message}.`);
}

function countPhrase(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`;
}

const KNOWN_DIALECT =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

/**
 * Reports a schema dialect other than JSON Schema 2020-12: the document's (`jsonSchemaDialect`) or
 * a schema's (`$schema`).
 */
export function reportUnknownDialect(c: Context, dialect: unknown, pointer: Pointer): void {
  if (typeof dialect !== "string" || KNOWN_DIALECT.test(dialect)) return;
  c.diagnostics.add(
    "model-dialect",
    pointer,
    `Schemas with the dialect ${quote(dialect)} are read as JSON Schema 2020-12.`,
  );
}
