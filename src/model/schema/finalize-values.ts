import { readEnumMeanings } from "./enum-meanings.js";
import { coerceValue, valueKey } from "./json-values.js";
import type { KeywordContext } from "./keyword-reader.js";
import { areDistinctStrings } from "./model-form.js";
import { isNullable } from "./nullable.js";
import { type DraftSchema, typesOf } from "./schema-object.js";

/** Infers a missing type and checks values against it, after all keywords are read. */
export function finalizeValues(step: KeywordContext): void {
  const { out } = step;
  if (out.type === undefined) inferType(out);
  if (!("enum" in out || "const" in out || "default" in out)) return;
  const types = allowedTypes(step);
  if (out.enum !== undefined) finalizeEnum(step, out.enum, types);
  const meanings = out.enum && readEnumMeanings(step.raw, out.enum);
  if (meanings) out["x-enum-meanings"] = meanings;
  if ("const" in out) finalizeConst(step, types);
  if ("default" in out) finalizeDefault(step, types);
}

/**
 * Infers `object` from `properties` and `array` from `items`. An array-valued `items` without a
 * type is excluded: some authors mean alternatives by it.
 */
function inferType(out: DraftSchema): void {
  if ("enum" in out || "const" in out || out.anyOf || out.oneOf) return;
  if (out.properties !== undefined) out.type = "object";
  else if (out.items !== undefined && out.prefixItems === undefined) out.type = "array";
}

function allowedTypes({ c, raw, out }: KeywordContext): readonly string[] | undefined {
  const types = typesOf(out);
  return types && isNullable(c, raw) ? [...types, "null"] : types;
}

function finalizeEnum(
  { c, pointer, out }: KeywordContext,
  values: readonly unknown[],
  types: readonly string[] | undefined,
): void {
  if ((types === undefined || types.includes("string")) && areDistinctStrings(values)) return;
  const distinct = new Map<string, unknown>();
  let duplicates = 0;
  let mistyped = 0;
  for (const value of values) {
    const coerced = coerceValue(value, types);
    if (coerced !== value) mistyped++;
    if (coerced === undefined) continue;
    const key = valueKey(coerced);
    if (distinct.has(key)) duplicates++;
    else distinct.set(key, coerced);
  }
  if (duplicates === 0 && mistyped === 0) return;
  const report = (message: string): void =>
    c.diagnostics.add("model-schema-enum", pointer.child("enum"), message);
  if (duplicates > 0)
    report(`\`enum\` repeats ${countValues(duplicates)}; duplicates are removed.`);
  if (mistyped > 0)
    report(
      `\`enum\` has ${countValues(mistyped)} of another type than ${types?.join(" or ")}; ` +
        "they are converted if that is lossless, else left out.",
    );
  if (distinct.size > 0) out.enum = [...distinct.values()];
  else delete out.enum;
}

function finalizeConst(
  { c, pointer, out }: KeywordContext,
  types: readonly string[] | undefined,
): void {
  const coerced = coerceValue(out.const, types);
  if (coerced === out.const) return;
  c.diagnostics.add(
    "model-schema-keyword",
    pointer.child("const"),
    `\`const\` is not of type ${types?.join(" or ")}; it is ${coerced === undefined ? "left out" : "converted"}.`,
  );
  if (coerced === undefined) delete out.const;
  else out.const = coerced;
}

function finalizeDefault(step: KeywordContext, types: readonly string[] | undefined): void {
  const { c, pointer, out } = step;
  const coerced = coerceValue(out.default, types);
  const isListed =
    out.enum === undefined || typeof coerced === "object" || out.enum.includes(coerced);
  if (coerced === out.default && isListed) return;
  if (out.default === null) return dropNullDefault(step);
  const problem =
    coerced === out.default ? "is not a value of `enum`" : `is not of type ${types?.join(" or ")}`;
  const isKept = coerced !== undefined && isListed;
  c.diagnostics.add(
    "model-schema-default",
    pointer.child("default"),
    `\`default\` ${problem}; it is ${isKept ? "converted" : "left out"}.`,
  );
  if (isKept) out.default = coerced;
  else delete out.default;
}

/** Removes `default: null`, which many generators write for "no default". */
function dropNullDefault({ c, pointer, out }: KeywordContext): void {
  c.diagnostics.add(
    "model-schema-annotation",
    pointer.child("default"),
    "`default` is null, which the schema does not allow; it is left out.",
  );
  delete out.default;
}

function countValues(count: number): string {
  return count === 1 ? "1 value" : `${count} values`;
}
