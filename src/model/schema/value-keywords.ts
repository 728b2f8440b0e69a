import { isObject } from "../../json.js";
import { quote } from "../diagnostics.js";
import { isTextBoolean, isTrue, readTextBoolean } from "../raw-object.js";
import {
  type KeywordContext,
  type KeywordReader,
  reportInvalidKeyword,
  toTypeKeyword,
} from "./schema-object.js";
import { isSchemaType, resolveTypeAlias } from "./json-values.js";

const readText: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") return reportInvalidKeyword(step, key, "a string", value);
  if (value !== "") step.out[key] = value;
};

/** A format that repeats the name of a type (`string`, `object`) has no meaning. */
const format: KeywordReader = (step, value, key) => {
  if (typeof value !== "string" || !isSchemaType(value)) readText(step, value, key);
};

const readFlag: KeywordReader = (step, value, key) => {
  const flag = readTextBoolean(step.c, value, step.pointer.child(key));
  if (typeof flag === "boolean") step.out[key] = flag;
  else reportInvalidKeyword(step, key, "a boolean", value);
};

const readCount: KeywordReader = (step, value, key) => {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) step.out[key] = value;
  else reportInvalidKeyword(step, key, "a non-negative integer", value);
};

const multipleOf: KeywordReader = (step, value, key) => {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) step.out[key] = value;
  else reportInvalidKeyword(step, key, "a positive number", value);
};

/**
 * `minimum` and `maximum`. A boolean `exclusive…` next to them (2.0, 3.0) makes the bound
 * exclusive.
 */
const bound: KeywordReader = (step, value, key) => {
  if (typeof value !== "number" || !Number.isFinite(value))
    return reportInvalidKeyword(step, key, "a number", value);
  const exclusive = key === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  step.out[isTrue(step.raw[exclusive]) ? exclusive : key] = value;
};

const exclusiveBound: KeywordReader = (step, rawValue, key) => {
  const value = readTextBoolean(step.c, rawValue, step.pointer.child(key));
  if (typeof value === "number" && Number.isFinite(value)) step.out[key] = value;
  else if (typeof value !== "boolean") reportInvalidKeyword(step, key, "a number", value);
  else if (
    value &&
    typeof step.raw[key === "exclusiveMinimum" ? "minimum" : "maximum"] !== "number"
  ) {
    step.c.diagnostics.add(
      "model-schema-keyword",
      step.pointer.child(key),
      `\`${key}: true\` has no bound; it is left out.`,
    );
  }
};

const type: KeywordReader = (step, value, key) => {
  if (typeof value === "string") {
    const known = readTypeName(step, value);
    if (known !== undefined) step.out.type = known;
  } else if (Array.isArray(value) && value.length > 0) {
    readTypeList(step, value);
  } else {
    reportInvalidKeyword(step, key, "a type name", value);
  }
};

/**
 * Reads a list of types, as 3.1 allows. An unknown name may mean any type, so it removes the
 * restriction.
 */
function readTypeList(step: KeywordContext, names: readonly unknown[]): void {
  const types = new Set<string>();
  let unknown = false;
  for (const name of names) {
    if (typeof name !== "string")
      reportInvalidKeyword(step, "type", "an array of type names", name);
    const known = typeof name === "string" ? readTypeName(step, name) : undefined;
    if (known === undefined) unknown = true;
    else types.add(known);
  }
  if (!unknown) step.out.type = toTypeKeyword([...types]);
}

function readTypeName(step: KeywordContext, name: string): string | undefined {
  if (isSchemaType(name)) return name;
  const meaning = resolveTypeAlias(name);
  if (meaning?.format !== undefined && step.raw.format === undefined)
    step.out.format = meaning.format;
  const isFile = name === "file" && step.c.version === "2.0";
  if (!isFile) {
    const replacement = meaning ? `read as \`${meaning.type}\`` : "left out";
    step.c.diagnostics.add(
      "model-schema-type",
      step.pointer.child("type"),
      `Unknown type ${quote(name)}; it is ${replacement}.`,
    );
  }
  return meaning?.type;
}

const required: KeywordReader = (step, value, key) => {
  if (typeof value === "boolean" || isTextBoolean(value)) return booleanRequired(step, value);
  if (!Array.isArray(value)) return reportInvalidKeyword(step, key, "an array of names", value);
  const names = value.filter((name): name is string => typeof name === "string");
  if (names.length < value.length)
    reportInvalidKeyword(
      step,
      key,
      "an array of names",
      value.find((name) => typeof name !== "string"),
    );
  const all = new Set([...(step.out.required ?? []), ...names]);
  if (all.size > 0) step.out.required = [...all];
};

/**
 * Reports draft 3's `required: true` on a property. The reader of `properties` adds the name to the
 * parent's list.
 */
function booleanRequired({ c, pointer }: KeywordContext, value: boolean | "true" | "false"): void {
  const type = typeof value === "string" ? `"${value}"` : "a boolean";
  const moved =
    isTrue(value) && pointer.parent?.key === "properties"
      ? "; the property is required in its parent instead"
      : "; it is left out";
  c.diagnostics.add(
    "model-schema-keyword",
    pointer.child("required"),
    `\`required\` must be an array of names, but is ${type}${moved}.`,
  );
}

const readEnum: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) return reportInvalidKeyword(step, key, "an array", value);
  if (value.length > 0) step.out.enum = value;
  else
    step.c.diagnostics.add(
      "model-schema-enum",
      step.pointer.child(key),
      "`enum` is empty, so no value would be valid; it is left out.",
    );
};

const copyValue: KeywordReader = (step, value, key) => {
  step.out[key] = value;
};

const example: KeywordReader = (step, value) => {
  // An empty `example:` in YAML is null. It counts only if null is a valid value.
  if (value !== null || isTrue(step.raw.nullable))
    step.out.examples = [value, ...(step.out.examples ?? [])];
};

/**
 * An array in JSON Schema. A map of Example Objects, as media types have it, is a frequent mistake.
 */
const examples: KeywordReader = (step, value, key) => {
  const values = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value).map((item) => (isObject(item) && "value" in item ? item.value : item))
      : undefined;
  if (values === undefined) reportInvalidKeyword(step, key, "an array", value);
  else if (values.length > 0) step.out.examples = [...(step.out.examples ?? []), ...values];
};

const XML_FIELDS: Readonly<Record<string, string>> = {
  name: "string",
  namespace: "string",
  prefix: "string",
  attribute: "boolean",
  wrapped: "boolean",
  nodeType: "string",
};

const NODE_TYPES: ReadonlySet<unknown> = new Set(["element", "attribute", "text", "cdata", "none"]);

/** Reads an XML Object, which requests with XML bodies need. OpenAPI 3.2, "XML Object". */
const xml: KeywordReader = (step, value, key) => {
  if (!isObject(value)) return reportInvalidKeyword(step, key, "an object", value);
  const isKnownType = value.nodeType === undefined || NODE_TYPES.has(value.nodeType);
  if (!isKnownType)
    step.c.diagnostics.add(
      "model-schema-keyword",
      step.pointer.child(key).child("nodeType"),
      "`nodeType` must be element, attribute, text, cdata or none; it is left out.",
    );
  step.out.xml = Object.fromEntries(
    Object.entries(value).filter(
      ([field, item]) =>
        Object.hasOwn(XML_FIELDS, field) &&
        typeof item === XML_FIELDS[field] &&
        (field !== "nodeType" || isKnownType),
    ),
  );
};

const externalDocs: KeywordReader = ({ c, pointer }, _value, key) => {
  c.diagnostics.add(
    "model-schema-annotation",
    pointer.child(key),
    "`externalDocs` of a schema is left out: JSON Schema has no such keyword.",
  );
};

const dependentRequired: KeywordReader = (step, value, key) => {
  if (!isObject(value)) return reportInvalidKeyword(step, key, "an object", value);
  const lists = Object.entries(value).filter(
    ([, names]) => Array.isArray(names) && names.every((name) => typeof name === "string"),
  );
  if (lists.length < Object.keys(value).length)
    reportInvalidKeyword(step, key, "an object with arrays of names", value);
  step.out.dependentRequired = Object.fromEntries(lists);
};

/** Keywords with data as values, by name. */
export const valueReaders: Readonly<Record<string, KeywordReader>> = {
  ...{
    title: readText,
    description: readText,
    format,
    pattern: readText,
    contentEncoding: readText,
    contentMediaType: readText,
  },
  ...{ readOnly: readFlag, writeOnly: readFlag, deprecated: readFlag, uniqueItems: readFlag },
  ...{
    minLength: readCount,
    maxLength: readCount,
    minItems: readCount,
    maxItems: readCount,
    minProperties: readCount,
    maxProperties: readCount,
  },
  ...{ minContains: readCount, maxContains: readCount, multipleOf, minimum: bound, maximum: bound },
  ...{ exclusiveMinimum: exclusiveBound, exclusiveMaximum: exclusiveBound },
  ...{
    type,
    required,
    enum: readEnum,
    const: copyValue,
    default: copyValue,
    example,
    examples,
    xml,
    externalDocs,
    dependentRequired,
  },
};
