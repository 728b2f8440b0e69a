import { describeType } from "../diagnostics/index.js";
import { isObject } from "../json.js";
import { type Context, isOpenApi31OrLater } from "./context.js";
import type { Pointer } from "./pointer.js";
import { type Problem, quote } from "./diagnostics.js";
import { isExtension, type RawObject } from "./raw-object.js";
import type { BrokenReference, ReferenceTarget } from "./reference-resolver.js";

/** A raw object and its position. */
export interface LocatedObject {
  readonly raw: RawObject;
  readonly pointer: Pointer;
}

/**
 * Returns the object at a pointer, or the target of a Reference Object there (OpenAPI 3.1,
 * "Reference Object").
 * @param kind `parameter`, `response` …, for messages
 * @param effect clause for the message when there is no object
 * @returns undefined, with a diagnostic, when there is no object
 */
export function dereference(
  c: Context,
  value: unknown,
  pointer: Pointer,
  kind: string,
  effect = `the ${kind} is left out`,
): LocatedObject | undefined {
  const located = locateObject(c, value, pointer, kind);
  if (!("problem" in located)) return located;
  c.diagnostics.addProblem(located.problem, effect);
  return undefined;
}

/** Like `dereference`, but returns the problem. */
export function locateObject(
  c: Context,
  value: unknown,
  pointer: Pointer,
  kind: string,
): LocatedObject | { readonly problem: Problem } {
  if (isObject(value) && typeof value.$ref !== "string") return { raw: value, pointer };
  const target = c.references.follow(value, pointer);
  if ("reason" in target) return { problem: describeBrokenReference(c, target, kind) };
  if (isObject(target.value))
    return withSiblings(c, value, pointer, { raw: target.value, pointer: target.pointer });
  return { problem: describeWrongTarget(value, target, pointer, kind) };
}

function describeWrongTarget(
  value: unknown,
  target: ReferenceTarget,
  pointer: Pointer,
  kind: string,
): Problem {
  const type = describeType(target.value);
  return target.pointer === pointer
    ? {
        code: "model-value-type",
        location: pointer.location,
        message: `This ${kind} must be an object, but is ${type}`,
      }
    : {
        code: "model-ref-target",
        location: pointer.child("$ref").location,
        message: `\`$ref\` ${quote(refOf(value))} points to ${type}, not to a ${kind}`,
      };
}

/** Reports a chain of references that does not resolve. */
export function reportBrokenReference(
  c: Context,
  broken: BrokenReference,
  kind: string,
  effect: string,
): undefined {
  return void c.diagnostics.addProblem(describeBrokenReference(c, broken, kind), effect);
}

/** Describes a chain of references that does not resolve, as `load` has found it. */
export function describeBrokenReference(
  c: Context,
  { reason, chain, pointer }: BrokenReference,
  kind: string,
): Problem {
  const last = chain.at(-1) ?? "";
  const known = c.document.brokenRefs?.get(last);
  if (known) c.reportedRefs.add(last);
  if (known?.location) return { ...known, location: known.location };
  return {
    code: reason === "circular" ? "model-ref-circular" : "model-ref-missing",
    location: pointer.child("$ref").location,
    message:
      reason === "circular"
        ? circularReferenceMessage(chain)
        : `\`$ref\` ${quote(last)} of a ${kind} does not resolve`,
  };
}

/** `circular $ref A -> B -> A: …` without a full stop, starting where the cycle starts. */
export function circularReferenceMessage(chain: readonly string[]): string {
  const circle = chain.slice(chain.indexOf(chain.at(-1) ?? ""));
  const path = circularReferencePath(circle.map((ref) => ref.slice(ref.lastIndexOf("/") + 1)));
  return `${path}: these only refer to each other`;
}

/** The names of a cycle; for a long one the beginning and the end. */
export function circularReferencePath(names: readonly string[]): string {
  const visible = names.length > 10 ? [...names.slice(0, 8), "…", ...names.slice(-1)] : names;
  return `circular $ref ${visible.map((name) => quote(name).slice(1, -1)).join(" -> ")}`;
}

/**
 * Applies `summary` and `description` next to a `$ref`, which override the target's from 3.1 on.
 * The nearest wins. Earlier versions ignore siblings.
 */
function withSiblings(
  c: Context,
  value: unknown,
  pointer: Pointer,
  target: LocatedObject,
): LocatedObject {
  let overrides: Map<string, unknown> | undefined;
  for (
    let current: ReferenceTarget | undefined = { value, pointer };
    current && isReference(current.value);
    current = c.references.find(current.value.$ref, current.pointer)
  ) {
    for (const key in current.value) {
      if (key === "$ref" || isExtension(key)) continue;
      if (!isOpenApi31OrLater(c) || !TEXTS.has(key))
        reportIgnoredSiblings(c, [key], current.pointer);
      else if (!overrides?.has(key)) (overrides ??= new Map()).set(key, current.value[key]);
    }
  }
  return overrides === undefined
    ? target
    : { raw: { ...target.raw, ...Object.fromEntries(overrides) }, pointer: target.pointer };
}

const TEXTS = new Set(["summary", "description"]);

function isReference(value: unknown): value is RawObject & { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === "string";
}

/** Reports siblings of a `$ref` that the specification tells readers to ignore. */
export function reportIgnoredSiblings(c: Context, keys: readonly string[], pointer: Pointer): void {
  const names = keys.slice(0, 5).map(quote).join(", ");
  c.diagnostics.add(
    "model-ref-siblings",
    pointer,
    `${names} next to a \`$ref\` is ignored by OpenAPI ${c.version}.`,
  );
}

function refOf(value: unknown): string {
  return isObject(value) && typeof value.$ref === "string" ? value.$ref : "";
}
