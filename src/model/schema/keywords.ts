import { isObject, type JsonSchema } from "../../json.js";
import { type Context, isOpenApi31OrLater } from "../context.js";
import type { Pointer } from "../pointer.js";
import { quote } from "../diagnostics.js";
import { emptyRecord, isExtension, isTrue, type RawObject } from "../raw-object.js";
import { dereference, type LocatedObject } from "../references.js";
import { finalizeValues } from "./finalize-values.js";
import {
  loosenByDescription,
  loosenByExamples,
  loosenRequired,
  unescapePattern,
} from "./loosen.js";
import {
  isInModelForm,
  type KeywordContext,
  type KeywordReader,
  reportInvalidKeyword,
} from "./schema-object.js";
import { valueReaders } from "./value-keywords.js";

const readSubschema: KeywordReader = (step, value, key) => {
  step.out[key] = step.convert(step.c, value, step.pointer.child(key));
};

/** `properties` and similar keywords: schemas by name. */
const readNamedSubschemas: KeywordReader = (step, value, key) => {
  const located = resolveNamedSubschemas(step, value, key);
  if (!located) return;
  const schemas = emptyRecord<JsonSchema | boolean>();
  for (const name of Object.keys(located.raw)) {
    const raw = located.raw[name];
    schemas[name] = isInModelForm(raw)
      ? raw
      : step.convert(step.c, raw, located.pointer.child(name));
  }
  step.out[key] = schemas;
};

/**
 * No version allows `properties` to be a reference, but documents of several files contain them.
 */
function resolveNamedSubschemas(
  step: KeywordContext,
  value: unknown,
  key: string,
): LocatedObject | undefined {
  if (!isObject(value)) {
    reportInvalidKeyword(step, key, "an object", value);
    return undefined;
  }
  const pointer = step.pointer.child(key);
  return typeof value.$ref === "string"
    ? dereference(step.c, value, pointer, "set of schemas")
    : { raw: value, pointer };
}

const properties: KeywordReader = (step, value, key) => {
  readNamedSubschemas(step, value, key);
  if (!isObject(value)) return;
  const draft3 = Object.keys(value).filter(
    (name) => isObject(value[name]) && isTrue(value[name].required),
  );
  if (draft3.length > 0)
    step.out.required = [...new Set([...(step.out.required ?? []), ...draft3])];
};

const readSubschemaList: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) return reportInvalidKeyword(step, key, "an array of schemas", value);
  if (value.length === 0)
    return reportInvalidKeyword(step, key, "a non-empty array of schemas", value);
  const pointer = step.pointer.child(key);
  step.out[key] = value.map((item, index) => step.convert(step.c, item, pointer.child(index)));
};

/** `oneOf` or `anyOf` with one schema. `composeAllOf` merges it with its siblings. */
const alternatives: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) readSubschemaList(step, value, key);
  else if (value.length !== 1) readSubschemaList(step, readEmptyAsNull(step, value, key), key);
};

/**
 * Some generators write "or null" as an alternative without a type: `{ nullable: true }` or `{}`.
 * Taken literally, it accepts every value. Beside a real null it does mean any value.
 */
function readEmptyAsNull(
  { c, pointer }: KeywordContext,
  members: readonly unknown[],
  key: string,
): readonly unknown[] {
  const others = members.filter((member) => !isEmptyAlternative(member));
  const isMeant =
    others.length > 0 && !others.some((member) => isObject(member) && isNullType(member));
  if (!isMeant || others.length === members.length) return members;
  c.diagnostics.add(
    "model-schema-alternatives",
    pointer.child(key),
    `An alternative without a type in \`${key}\` is read as null.`,
  );
  return [...others, { type: "null" }];
}

/** True for a schema with only `nullable` and texts. */
function isEmptyAlternative(member: unknown): boolean {
  return (
    isObject(member) && Object.keys(member).every((name) => TEXTS.has(name) || isExtension(name))
  );
}

const TEXTS = new Set(["nullable", "title", "description"]);

function isNullType({ type, nullable }: Readonly<Record<string, unknown>>): boolean {
  return type === "null" || (Array.isArray(type) && type.includes("null")) || isTrue(nullable);
}

/**
 * An array of `items` (drafts up to 2019-09) becomes `prefixItems`, and `additionalItems` becomes
 * `items`. OpenAPI 2.0 and 3.0 do not have such arrays. Without a type, some converters write the
 * alternatives of a value this way.
 */
const items: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) return readSubschema(step, value, key);
  const { c, raw, pointer, out } = step;
  if (
    !isOpenApi31OrLater(c) &&
    value.length > 0 &&
    raw.type === undefined &&
    raw.anyOf === undefined &&
    raw.oneOf === undefined &&
    raw.additionalItems === undefined
  ) {
    c.diagnostics.add(
      "model-schema-alternatives",
      pointer.child(key),
      `An array of schemas in \`items\` without a type is not valid in OpenAPI ${c.version}; it is read as \`anyOf\`.`,
    );
    out.anyOf = value.map((item, index) => step.convert(c, item, pointer.child(key).child(index)));
    return;
  }
  if (value.length > 0)
    step.out.prefixItems = value.map((item, index) =>
      step.convert(step.c, item, step.pointer.child(key).child(index)),
    );
  const { additionalItems } = step.raw;
  if (additionalItems !== undefined)
    step.out.items = step.convert(step.c, additionalItems, step.pointer.child("additionalItems"));
};

/** Draft 7's `dependencies`, which has been split into two keywords. */
const dependencies: KeywordReader = (step, value, key) => {
  if (!isObject(value)) return reportInvalidKeyword(step, key, "an object", value);
  for (const [name, dependency] of Object.entries(value)) dependencyOn(step, name, dependency);
};

function dependencyOn(step: KeywordContext, name: string, dependency: unknown): void {
  if (Array.isArray(dependency)) {
    const names = dependency.filter((item) => typeof item === "string");
    step.out.dependentRequired = {
      ...(step.out.dependentRequired as object | undefined),
      [name]: names,
    };
  } else {
    const schema = step.convert(step.c, dependency, step.pointer.child("dependencies").child(name));
    step.out.dependentSchemas = {
      ...(step.out.dependentSchemas as object | undefined),
      [name]: schema,
    };
  }
}

const subschemaReaders: Readonly<Record<string, KeywordReader>> = {
  ...{
    properties,
    patternProperties: readNamedSubschemas,
    dependentSchemas: readNamedSubschemas,
    dependencies,
  },
  ...{
    additionalProperties: readSubschema,
    propertyNames: readSubschema,
    unevaluatedProperties: readSubschema,
  },
  ...{
    items,
    prefixItems: readSubschemaList,
    contains: readSubschema,
    unevaluatedItems: readSubschema,
  },
  ...{
    oneOf: alternatives,
    anyOf: alternatives,
    not: readSubschema,
    if: readSubschema,
    then: readSubschema,
    else: readSubschema,
    contentSchema: readSubschema,
  },
};

const ignore: KeywordReader = () => {};

/** Keywords that other code handles, or that are meaningless once references are resolved. */
const KEYWORDS_READ_ELSEWHERE = [
  ...["discriminator", "nullable", "x-nullable", "additionalItems"],
  ...(
    "$id $anchor $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs " +
    "definitions"
  ).split(" "),
];

const reference: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") reportInvalidKeyword(step, key, "a string", value);
};

/** Draft 4's `$id`, or a property of an object whose `properties` keyword is missing. */
const id: KeywordReader = (step, value, key) => {
  if (typeof value !== "string") reportUnknownKeyword(step, key);
};

const dialect: KeywordReader = ({ c, pointer }, value, key) =>
  reportUnknownDialect(c, value, pointer.child(key));

const allOf: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) reportInvalidKeyword(step, key, "an array of schemas", value);
};

const READERS: ReadonlyMap<string, KeywordReader> = new Map([
  ...KEYWORDS_READ_ELSEWHERE.map((key) => [key, ignore] as const),
  ...Object.entries({ $ref: reference, $dynamicRef: reference, $schema: dialect, allOf, id }),
  ...Object.entries(valueReaders),
  ...Object.entries(subschemaReaders),
]);

/**
 * Converts all keywords of a schema object to JSON Schema 2020-12, except references, `allOf`,
 * `nullable` and `discriminator`. Invalid and unknown keywords are left out with a diagnostic.
 */
export function readKeywords(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  convert: KeywordContext["convert"],
): JsonSchema {
  const step: KeywordContext = { c, raw, pointer, out: {}, convert };
  for (const key in raw) {
    const reader = READERS.get(key);
    if (reader) {
      if (raw[key] !== null || KEYWORDS_WITH_NULL.has(key)) reader(step, raw[key], key);
    } else if (!isExtension(key)) {
      reportUnknownKeyword(step, key);
    }
  }
  finalizeValues(step);
  const readable = unescapePattern(c, step.out, pointer);
  const described = loosenByDescription(c, readable, readable.description, pointer);
  const schema = loosenRequired(c, described, pointer);
  return schema.examples ? loosenByExamples(c, schema, pointer) : schema;
}

/** Keywords for which `null` is data. For all others it is an empty value in YAML. */
const KEYWORDS_WITH_NULL = new Set(["const", "default", "example"]);

/** JSON Schema treats unknown keywords as annotations from 3.1 on. Before, they are mistakes. */
function reportUnknownKeyword({ c, pointer }: KeywordContext, key: string): void {
  const code = isOpenApi31OrLater(c) ? "model-schema-annotation" : "model-schema-unknown";
  c.diagnostics.add(
    code,
    pointer.child(key),
    `The schema keyword ${quote(key)} is not one of OpenAPI ${c.version}; it is left out.`,
  );
}

const KNOWN_DIALECT =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

/**
 * Reports a schema dialect other than JSON Schema 2020-12: the document's (`jsonSchemaDialect`) or
 * a schema's (`$schema`).
 */
export function reportUnknownDialect(c: Context, dialect: unknown, pointer: Pointer): void {
  if (typeof dialect !== "string" || KNOWN_DIALECT.test(dialect)) return;
  c.diagnostics.add(
    "model-dialect",
    pointer,
    `Schemas with the dialect ${quote(dialect)} are read as JSON Schema 2020-12.`,
  );
}
