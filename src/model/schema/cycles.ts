import { isObject, type JsonSchema } from "../../json.js";
import type { Context } from "../context.js";
import { Pointer } from "../pointer.js";
import { circularReferencePath } from "../references.js";

/**
 * Breaks each cycle of schemas that refer to themselves without a property or an item in between
 * (`A: { anyOf: [A] }`), with a warning. No value can be validated against them, and validators
 * loop. JSON Schema 2020-12 core, section 9.4.1.
 */
export function breakCircularSchemas(c: Context, schemas: Record<string, JsonSchema>): void {
  const done = new Set<string>();
  for (const key of Object.keys(schemas)) if (!done.has(key)) visit(c, schemas, key, done);
}

/** Depth-first search without recursion. `path` leads from the start to the current schema. */
function visit(
  c: Context,
  schemas: Record<string, JsonSchema>,
  start: string,
  done: Set<string>,
): void {
  const path: { readonly key: string; readonly next: Iterator<string> }[] = [];
  const onPath = new Set<string>();
  const enter = (key: string): void => {
    path.push({ key, next: inPlaceReferences(schemas[key]).values() });
    onPath.add(key);
    done.add(key);
  };
  enter(start);
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const step = top.next.next();
    if (step.done) {
      path.pop();
      onPath.delete(top.key);
    } else if (onPath.has(step.value)) {
      breakCircle(c, schemas, [...path.map(({ key }) => key), step.value]);
    } else if (!done.has(step.value)) {
      enter(step.value);
    }
  }
}

function breakCircle(
  c: Context,
  schemas: Record<string, JsonSchema>,
  path: readonly string[],
): void {
  const circle = path.slice(path.indexOf(path.at(-1) ?? ""));
  const isBroken = circle.some((key) => Object.keys(schemas[key] ?? {}).length === 0);
  const [first = ""] = circle;
  if (isBroken) return;
  schemas[first] = {};
  const message = `${circularReferencePath(circle)}: validating a value would never end; any value is accepted.`;
  const pointer = c.schemas.entryOf(first)?.pointer ?? Pointer.root;
  c.diagnostics.add("model-ref-circular", pointer, message);
}

/** The named schemas that apply to the same instance as this one. */
function inPlaceReferences(schema: unknown, references = new Set<string>()): ReadonlySet<string> {
  if (!isObject(schema)) return references;
  if (typeof schema.$ref === "string") references.add(schema.$ref.slice("#/$defs/".length));
  for (const key of ["allOf", "anyOf", "oneOf"])
    if (Array.isArray(schema[key]))
      for (const member of schema[key]) inPlaceReferences(member, references);
  for (const key of ["not", "if", "then", "else"]) inPlaceReferences(schema[key], references);
  if (isObject(schema.dependentSchemas))
    for (const member of Object.values(schema.dependentSchemas))
      inPlaceReferences(member, references);
  return references;
}
