import { isModern, type Context } from "../context.js";
import type { Raw } from "../read.js";
import { areDistinctTexts } from "./leaf.js";
import type { Step } from "./step.js";
import { typesOf, type Draft } from "./types.js";
import { coerced, valueKey } from "./values.js";

/**
 * What can only be said once all keywords are read: the type that goes without saying, and values
 * against it.
 */
export function settleValues(step: Step): void {
  const { out } = step;
  if (out.type === undefined) inferType(out);
  if (!("enum" in out || "const" in out || "default" in out)) return;
  const types = allowedTypes(step);
  if (out.enum !== undefined) settleEnum(step, out.enum, types);
  if ("const" in out) settleConst(step, types);
  if ("default" in out) settleDefault(step, types);
}

/**
 * `nullable` of 3.0, `x-nullable` of 2.0; people leave them in documents of any version, and mean
 * them.
 */
export function isNullable(c: Context, raw: Raw): boolean {
  return raw.nullable === true || (raw["x-nullable"] === true && !isModern(c));
}

/**
 * Nobody writes `properties` for anything but an object, or `items` for anything but an array. A
 * list of `items` without a type is another matter: some mean alternatives by it.
 */
function inferType(out: Draft): void {
  if ("enum" in out || "const" in out || out.anyOf || out.oneOf) return;
  if (out.properties !== undefined) out.type = "object";
  else if (out.items !== undefined && out.prefixItems === undefined) out.type = "array";
}

function allowedTypes({ c, raw, out }: Step): readonly string[] | undefined {
  const types = typesOf(out);
  return types && isNullable(c, raw) ? [...types, "null"] : types;
}

function settleEnum(
  { c, at, out }: Step,
  values: readonly unknown[],
  types: readonly string[] | undefined,
): void {
  if ((types === undefined || types.includes("string")) && areDistinctTexts(values)) return;
  const kept = new Map<string, unknown>();
  let repeated = 0;
  let wrong = 0;
  for (const value of values) {
    const fitting = coerced(value, types);
    if (fitting !== value) wrong++;
    if (fitting === undefined) continue;
    const key = valueKey(fitting);
    if (kept.has(key)) repeated++;
    else kept.set(key, fitting);
  }
  if (repeated === 0 && wrong === 0) return;
  const report = (message: string): void =>
    c.findings.add("model-schema-enum", at.child("enum"), message);
  if (repeated > 0) report(`\`enum\` repeats ${counted(repeated)}; each is kept once.`);
  if (wrong > 0)
    report(
      `\`enum\` has ${counted(wrong)} of another type than ${types?.join(" or ")}, converted where nothing is lost, and else left out.`,
    );
  if (kept.size > 0) out.enum = [...kept.values()];
  else delete out.enum;
}

function settleConst({ c, at, out }: Step, types: readonly string[] | undefined): void {
  const fitting = coerced(out.const, types);
  if (fitting === out.const) return;
  c.findings.add(
    "model-schema-keyword",
    at.child("const"),
    `\`const\` is not of type ${types?.join(" or ")}; it is ${fitting === undefined ? "left out" : "converted"}.`,
  );
  if (fitting === undefined) delete out.const;
  else out.const = fitting;
}

function settleDefault(step: Step, types: readonly string[] | undefined): void {
  const { c, at, out } = step;
  const fitting = coerced(out.default, types);
  const listed =
    out.enum === undefined || typeof fitting === "object" || out.enum.includes(fitting);
  if (fitting === out.default && listed) return;
  if (out.default === null) return nullDefault(step);
  const why =
    fitting === out.default
      ? "is none of the values of `enum`"
      : `is not of type ${types?.join(" or ")}`;
  const kept = fitting !== undefined && listed;
  c.findings.add(
    "model-schema-default",
    at.child("default"),
    `\`default\` ${why}; it is ${kept ? "converted" : "left out"}.`,
  );
  if (kept) out.default = fitting;
  else delete out.default;
}

/** Many generators write `default: null` for "no default". */
function nullDefault({ c, at, out }: Step): void {
  c.findings.add(
    "model-schema-annotation",
    at.child("default"),
    "`default` is null, which the schema does not allow; it is left out.",
  );
  delete out.default;
}

function counted(count: number): string {
  return count === 1 ? "1 value" : `${count} values`;
}
