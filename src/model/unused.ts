import { isObject } from "../json.js";
import { At } from "./at.js";
import type { Context } from "./context.js";
import { reportDialect } from "./dialect.js";
import type { RawOperation } from "./path-items.js";
import { isExtension, own } from "./read.js";

/** What a document describes besides requests that a tool can send: said once each. */
export function reportUnused(c: Context, operations: readonly RawOperation[]): void {
  reportCallbacks(c, operations);
  reportWebhooks(c);
  reportDialect(c, own(c.document.root, "jsonSchemaDialect"), At.root.child("jsonSchemaDialect"));
  reportEmpty(c, operations);
}

function reportCallbacks(c: Context, operations: readonly RawOperation[]): void {
  const withCallbacks = operations.filter(
    ({ raw }) => isObject(raw.callbacks) && Object.keys(raw.callbacks).length > 0,
  );
  const [first] = withCallbacks;
  if (!first) return;
  const count = withCallbacks.reduce(
    (sum, { raw }) => sum + Object.keys(raw.callbacks as object).length,
    0,
  );
  c.findings.add(
    "model-callbacks",
    first.at.child("callbacks"),
    `${counted(count, "callback")} left out: a tool sends requests and cannot receive them.`,
  );
}

function reportWebhooks(c: Context): void {
  for (const key of ["webhooks", "x-webhooks"]) {
    const webhooks = own(c.document.root, key);
    const count = isObject(webhooks)
      ? Object.keys(webhooks).filter((name) => !isExtension(name)).length
      : 0;
    if (count > 0)
      c.findings.add(
        "model-webhooks",
        At.root.child(key),
        `${counted(count, "webhook")} left out: a tool sends requests and cannot receive them.`,
      );
  }
}

/** A server without tools is no success. */
function reportEmpty(c: Context, operations: readonly RawOperation[]): void {
  if (operations.length > 0 || c.findings.failed) return;
  const hasPaths = isObject(own(c.document.root, "paths"));
  const message = hasPaths
    ? "The document has no usable operations: there is nothing to make tools of."
    : "The document has no `paths`, and so no operations to make tools of.";
  c.findings.add("model-no-operations", hasPaths ? At.root.child("paths") : At.root, message);
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`;
}
