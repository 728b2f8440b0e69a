import { isObject, type JsonSchema } from "../../json.js";
import { isModern } from "../context.js";
import { deref, type Located } from "../deref.js";
import { bare } from "../read.js";
import { isPlainLeaf } from "./leaf.js";
import { invalid, type KeywordReader, type Step } from "./step.js";

const one: KeywordReader = (step, value, key) => {
  step.out[key] = step.convert(step.c, value, step.at.child(key));
};

/** `properties` and its relatives: schemas by any name. */
const byName: KeywordReader = (step, value, key) => {
  const found = namedSchemasOf(step, value, key);
  if (!found) return;
  const schemas = bare<JsonSchema | boolean>();
  for (const name of Object.keys(found.raw)) {
    const raw = found.raw[name];
    schemas[name] = isPlainLeaf(raw) ? raw : step.convert(step.c, raw, found.at.child(name));
  }
  step.out[key] = schemas;
};

/**
 * No version lets `properties` be a reference to a whole set; documents in many files do it all the
 * same.
 */
function namedSchemasOf(step: Step, value: unknown, key: string): Located | undefined {
  if (!isObject(value)) {
    invalid(step, key, "an object", value);
    return undefined;
  }
  const at = step.at.child(key);
  return typeof value.$ref === "string"
    ? deref(step.c, value, at, "set of schemas", true)
    : { raw: value, at };
}

const properties: KeywordReader = (step, value, key) => {
  byName(step, value, key);
  if (!isObject(value)) return;
  const draft3 = Object.keys(value).filter(
    (name) => isObject(value[name]) && value[name].required === true,
  );
  if (draft3.length > 0)
    step.out.required = [...new Set([...(step.out.required ?? []), ...draft3])];
};

const inOrder: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) return invalid(step, key, "a list of schemas", value);
  if (value.length === 0) return invalid(step, key, "a list of at least one schema", value);
  const at = step.at.child(key);
  step.out[key] = value.map((item, index) => step.convert(step.c, item, at.child(index)));
};

/**
 * `oneOf` and `anyOf` of one schema are that schema; `compose` merges it with what stands beside.
 */
const alternatives: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value) || value.length !== 1) inOrder(step, value, key);
};

/**
 * A list of `items` (drafts up to 2019-09) is `prefixItems` now, and `additionalItems` has become
 * `items`. OpenAPI 2.0 and 3.0 know no such lists; where no type says that an array is meant,
 * converters have written the alternatives of a value so.
 */
const items: KeywordReader = (step, value, key) => {
  if (!Array.isArray(value)) return one(step, value, key);
  const { c, raw, at, out } = step;
  if (
    !isModern(c) &&
    value.length > 0 &&
    raw.type === undefined &&
    raw.anyOf === undefined &&
    raw.oneOf === undefined &&
    raw.additionalItems === undefined
  ) {
    c.findings.add(
      "model-schema-alternatives",
      at.child(key),
      `A list of schemas under \`items\` without a type is not of OpenAPI ${c.version}; it is taken as alternatives (anyOf).`,
    );
    out.anyOf = value.map((item, index) => step.convert(c, item, at.child(key).child(index)));
    return;
  }
  if (value.length > 0)
    step.out.prefixItems = value.map((item, index) =>
      step.convert(step.c, item, step.at.child(key).child(index)),
    );
  const { additionalItems } = step.raw;
  if (additionalItems !== undefined)
    step.out.items = step.convert(step.c, additionalItems, step.at.child("additionalItems"));
};

/** Draft 7's `dependencies` is two keywords now. */
const dependencies: KeywordReader = (step, value, key) => {
  if (!isObject(value)) return invalid(step, key, "an object", value);
  for (const [name, dependency] of Object.entries(value)) dependencyOn(step, name, dependency);
};

function dependencyOn(step: Step, name: string, dependency: unknown): void {
  if (Array.isArray(dependency)) {
    const names = dependency.filter((item) => typeof item === "string");
    step.out.dependentRequired = {
      ...(step.out.dependentRequired as object | undefined),
      [name]: names,
    };
  } else {
    const schema = step.convert(step.c, dependency, step.at.child("dependencies").child(name));
    step.out.dependentSchemas = {
      ...(step.out.dependentSchemas as object | undefined),
      [name]: schema,
    };
  }
}

/** Keywords whose values hold schemas, by name. */
export const schemaReaders: Readonly<Record<string, KeywordReader>> = {
  ...{ properties, patternProperties: byName, dependentSchemas: byName, dependencies },
  ...{ additionalProperties: one, propertyNames: one, unevaluatedProperties: one },
  ...{ items, prefixItems: inOrder, contains: one, unevaluatedItems: one },
  ...{
    oneOf: alternatives,
    anyOf: alternatives,
    not: one,
    if: one,
    then: one,
    else: one,
    contentSchema: one,
  },
};
