import { isObject } from "../json.js";
import type { At } from "./at.js";
import { isModern, type Context } from "./context.js";
import { kindOf, quote } from "./findings.js";
import { isExtension, type Raw } from "./read.js";
import type { BrokenChain, Target } from "./refs.js";

/** A raw object and where it is defined. */
export interface Located {
  readonly raw: Raw;
  readonly at: At;
}

/**
 * The object that stands at a place, or that a Reference Object there leads to (OpenAPI 3.1,
 * "Reference Object").
 * @param what `parameter`, `response` …, for messages
 * @param needed a dangling reference makes the document unusable; otherwise the object is left out
 *   with a warning
 * @returns undefined when there is none; a diagnostic says so
 */
export function deref(
  c: Context,
  value: unknown,
  at: At,
  what: string,
  needed: boolean,
): Located | undefined {
  if (isObject(value) && typeof value.$ref !== "string") return { raw: value, at };
  const target = c.refs.follow(value, at);
  if ("broken" in target) return reportBroken(c, target, what, needed);
  if (isObject(target.value))
    return withSiblings(c, value, at, { raw: target.value, at: target.at });
  if (target.at === at) {
    c.findings.add(
      "model-value-type",
      at,
      `This ${what} must be an object, but is ${kindOf(value)}; it is left out.`,
    );
  } else {
    const message = `\`$ref\` ${quote(refOf(value))} points at ${kindOf(target.value)}, not at a ${what}.`;
    c.findings.add(needed ? "model-ref-target" : "model-ref-left-out", at.child("$ref"), message);
  }
  return undefined;
}

/** Says why a chain of references leads nowhere. */
export function reportBroken(
  c: Context,
  { broken, chain, at }: BrokenChain,
  what: string,
  needed: boolean,
): undefined {
  const last = chain.at(-1) ?? "";
  const message =
    broken === "circular"
      ? circularMessage(chain)
      : `\`$ref\` ${quote(last)} of a ${what} points at nothing in the document.`;
  const code = broken === "circular" ? "model-ref-circular" : "model-ref-missing";
  c.findings.add(
    needed ? code : "model-ref-left-out",
    at.child("$ref"),
    needed ? message : `${message} The ${what} is left out.`,
  );
}

/** `circular $ref A -> B -> A`, starting where the circle starts. */
export function circularMessage(chain: readonly string[]): string {
  const circle = chain.slice(chain.indexOf(chain.at(-1) ?? ""));
  return `${circularPath(circle.map((ref) => ref.slice(ref.lastIndexOf("/") + 1)))}: these refer to each other and to nothing else.`;
}

/** Names on the way round; of a long way the beginning and the end. */
export function circularPath(names: readonly string[]): string {
  const shown = names.length > 10 ? [...names.slice(0, 8), "…", ...names.slice(-1)] : names;
  return `circular $ref ${shown.map((name) => quote(name).slice(1, -1)).join(" -> ")}`;
}

/**
 * From 3.1 on `summary` and `description` beside a `$ref` override those of the target, and the
 * nearest counts; before, siblings are ignored.
 */
function withSiblings(c: Context, value: unknown, at: At, target: Located): Located {
  let honoured: Map<string, unknown> | undefined;
  for (
    let here: Target | undefined = { value, at };
    here && isReference(here.value);
    here = c.refs.find(here.value.$ref, here.at)
  ) {
    for (const key in here.value) {
      if (key === "$ref" || isExtension(key)) continue;
      if (!isModern(c) || !TEXTS.has(key)) reportIgnoredSiblings(c, [key], here.at);
      else if (!honoured?.has(key)) (honoured ??= new Map()).set(key, here.value[key]);
    }
  }
  return honoured === undefined
    ? target
    : { raw: { ...target.raw, ...Object.fromEntries(honoured) }, at: target.at };
}

const TEXTS = new Set(["summary", "description"]);

function isReference(value: unknown): value is Raw & { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === "string";
}

/** Siblings of a `$ref` that the specification tells readers to ignore. */
export function reportIgnoredSiblings(c: Context, keys: readonly string[], at: At): void {
  const names = keys.slice(0, 5).map(quote).join(", ");
  c.findings.add(
    "model-ref-siblings",
    at,
    `${names} beside a \`$ref\`: ignored, as OpenAPI ${c.version} says.`,
  );
}

function refOf(value: unknown): string {
  return isObject(value) && typeof value.$ref === "string" ? value.$ref : "";
}
