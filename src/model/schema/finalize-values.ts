import { formatCount } from "../../diagnostics/index.js";
import { isObject, typesOf } from "../../json.js";
import type { RawObject } from "../raw-object.js";
import { coerceValue, isTemplateVariable, valueKey } from "./json-values.js";
import {
  areDistinctStrings,
  type DraftSchema,
  isNullable,
  type KeywordContext,
} from "./schema-object.js";

/** Infers a missing type and checks values against it, after all keywords are read. */
export function finalizeValues(step: KeywordContext): void {
  const { out } = step;
  if (out.type === undefined) inferType(out);
  if (!("enum" in out || "const" in out || "default" in out)) return;
  const types = typesWithNull(step);
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

function typesWithNull({ c, raw, out }: KeywordContext): readonly string[] {
  const types = typesOf(out);
  return types.length > 0 && isNullable(c, raw) ? [...types, "null"] : types;
}

function finalizeEnum(
  { c, pointer, out }: KeywordContext,
  values: readonly unknown[],
  types: readonly string[],
): void {
  if ((types.length === 0 || types.includes("string")) && areDistinctStrings(values)) return;
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
    report(`\`enum\` repeats ${formatCount(duplicates, "value")}; duplicates are removed.`);
  if (mistyped > 0)
    report(
      `\`enum\` has ${formatCount(mistyped, "value")} of another type than ${types.join(" or ")}; ` +
        "they are converted if that is lossless, else left out.",
    );
  if (distinct.size > 0) out.enum = [...distinct.values()];
  else delete out.enum;
}

function finalizeConst({ c, pointer, out }: KeywordContext, types: readonly string[]): void {
  const coerced = coerceValue(out.const, types);
  if (coerced === out.const) return;
  c.diagnostics.add(
    "model-schema-keyword",
    pointer.child("const"),
    `\`const\` is not of type ${types.join(" or ")}; it is ${coerced === undefined ? "left out" : "converted"}.`,
  );
  if (coerced === undefined) delete out.const;
  else out.const = coerced;
}

function finalizeDefault(step: KeywordContext, types: readonly string[]): void {
  const { c, pointer, out } = step;
  if (isTemplateVariable(out.default)) return dropTemplateVariable(step);
  const coerced = coerceValue(out.default, types);
  const isListed =
    out.enum === undefined || typeof coerced === "object" || out.enum.includes(coerced);
  if (coerced === out.default && isListed) return;
  if (out.default === null) return dropNullDefault(step);
  const problem =
    coerced === out.default ? "is not a value of `enum`" : `is not of type ${types.join(" or ")}`;
  const isKept = coerced !== undefined && isListed;
  c.diagnostics.add(
    "model-schema-default",
    pointer.child("default"),
    `\`default\` ${problem}; it is ${isKept ? "converted" : "left out"}.`,
  );
  if (isKept) out.default = coerced;
  else delete out.default;
}

/** Removes `default: "{{orderId}}"`, which would be sent as it stands. */
function dropTemplateVariable({ c, pointer, out }: KeywordContext): void {
  c.diagnostics.add(
    "model-schema-default",
    pointer.child("default"),
    "`default` is the variable of a template, not a value; it is left out.",
  );
  delete out.default;
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

/** Extensions with a text per value, the most telling first. */
const EXTENSIONS =
  "x-enum-descriptions x-enumDescriptions x-ms-enum x-enumNames x-enum-names x-enum-varnames".split(
    " ",
  );

/**
 * Reads the meanings of enum values: from extensions, as a list in the order of the values or an
 * object by value, or from a Markdown table of the description.
 * @returns the texts by value; undefined unless at least two values have a text that adds
 * information
 */
function readEnumMeanings(
  raw: RawObject,
  values: readonly unknown[],
): Readonly<Record<string, string>> | undefined {
  for (const key of EXTENSIONS) {
    const meanings = keepTelling(
      values,
      textsOf(raw[key], Array.isArray(raw.enum) ? raw.enum : []),
    );
    if (meanings) return meanings;
  }
  return typeof raw.description === "string"
    ? keepTelling(values, readTable(raw.description))
    : undefined;
}

function textsOf(extension: unknown, values: readonly unknown[]): ReadonlyMap<string, unknown> {
  if (Array.isArray(extension))
    return new Map(values.map((value, index) => [String(value), extension[index]]));
  if (!isObject(extension)) return new Map();
  if (!Array.isArray(extension.values)) return new Map(Object.entries(extension));
  const entries = extension.values.filter(isObject);
  return new Map(
    entries.map(({ value, description, name }) => [String(value), description ?? name]),
  );
}

/** Rows of Markdown tables: the text of the second cell by that of the first. */
function readTable(description: string): ReadonlyMap<string, string> {
  const rows = description.split("\n").flatMap((line) => {
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|");
    const [value = "", text = ""] = cells.map((cell) => cell.trim());
    return line.trim().startsWith("|")
      ? [[value.replace(/^[`"'*]+|(?<![`"'*])[`"'*]+$/g, ""), text]]
      : [];
  });
  return new Map(rows as [string, string][]);
}

function keepTelling(
  values: readonly unknown[],
  texts: ReadonlyMap<string, unknown>,
): Readonly<Record<string, string>> | undefined {
  const entries = values.flatMap((value) => {
    const text = texts.get(String(value));
    return typeof text === "string" && normalize(text) !== normalize(String(value))
      ? [[String(value), text.trim()] as const]
      : [];
  });
  return entries.length < 2 ? undefined : Object.fromEntries(entries);
}

const normalize = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
