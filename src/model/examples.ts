import { isObject } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { ownProperty, type RawObject, readObject } from "./raw-object.js";
import { dereference } from "./references.js";

/**
 * Reads `example` and `examples` of a parameter, header or media type as values. External examples
 * are not fetched. OpenAPI 3.2, "Example Object": `dataValue` is the value, `serializedValue` its
 * text.
 */
export function readExamples(c: Context, owner: RawObject, pointer: Pointer): readonly unknown[] {
  if (!("example" in owner || "examples" in owner)) return [];
  const values: unknown[] = [];
  const example = ownProperty(owner, "example");
  if (example !== undefined && example !== null) values.push(example);
  const plural = ownProperty(owner, "examples");
  // An array is JSON Schema's form, and a frequent mistake here.
  if (Array.isArray(plural)) return [...values, ...plural];
  const named = readObject(c, owner, "examples", pointer) ?? {};
  for (const name of Object.keys(named)) {
    const located = dereference(c, named[name], pointer.child("examples").child(name), "example");
    const value = located && exampleValue(c, located.raw, located.pointer);
    if (value !== undefined) values.push(value);
  }
  return values;
}

function exampleValue(c: Context, raw: RawObject, pointer: Pointer): unknown {
  for (const key of ["value", "dataValue", "serializedValue"]) {
    const value = ownProperty(raw, key);
    if (value !== undefined) return value;
  }
  if (isObject(raw) && "externalValue" in raw) {
    c.diagnostics.add(
      "model-example",
      pointer,
      "`externalValue` is not fetched; the example is left out.",
    );
  }
  return undefined;
}
