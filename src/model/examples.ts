import { isObject } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref } from "./deref.js";
import { own, record, type Raw } from "./read.js";

/**
 * `example` and `examples` of a parameter, header or media type, as values. External ones are not
 * fetched. OpenAPI 3.2, "Example Object": `dataValue` is the value, `serializedValue` its text.
 */
export function examplesOf(c: Context, owner: Raw, at: At): readonly unknown[] {
  if (!("example" in owner || "examples" in owner)) return [];
  const found: unknown[] = [];
  const example = own(owner, "example");
  if (example !== undefined && example !== null) found.push(example);
  const several = own(owner, "examples");
  // A list is how JSON Schema writes it, and a frequent mistake here.
  if (Array.isArray(several)) return [...found, ...several];
  const named = record(c, owner, "examples", at) ?? {};
  for (const name of Object.keys(named)) {
    const located = deref(c, named[name], at.child("examples").child(name), "example", false);
    const value = located && valueOf(c, located.raw, located.at);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function valueOf(c: Context, raw: Raw, at: At): unknown {
  for (const key of ["value", "dataValue", "serializedValue"]) {
    const value = own(raw, key);
    if (value !== undefined) return value;
  }
  if (isObject(raw) && "externalValue" in raw) {
    c.findings.add("model-example", at, "`externalValue` is not fetched; the example is left out.");
  }
  return undefined;
}
