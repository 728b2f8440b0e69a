import { isObject, type JsonSchema } from "../../../json.js";
import { quoteText } from "../../../diagnostics/clean.js";
import { type AnySchema, refName, resolve } from "../refs.js";
import { anyOf } from "./any-of.js";
import { hasEntries, isEmpty, isForbidden } from "./keywords.js";
import { type Direction, LEVEL, type Writing } from "./writing.js";

/** Claude refuses a whole request for one property name that does not match. */
const LEGAL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Properties and what is said of further ones. */
export function writeObject(schema: JsonSchema, writing: Writing): void {
  const { out, said, where, below, findings } = writing;
  const properties: [string, JsonSchema][] = [];
  const refused: string[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property === false || isForbidden(property) || isHidden(property, writing)) continue;
    if (!LEGAL_NAME.test(name) || name === "__proto__") refused.push(name);
    else properties.push([name, below(property, LEVEL, name).schema]);
  }
  if (properties.length > 0 || hasEntries(schema.properties))
    out.properties = Object.fromEntries(properties);
  const required = schema.required?.filter((name) => properties.some(([known]) => known === name));
  if (required && required.length > 0) out.required = required;
  if (refused.length === 0) return writeRest(schema, writing);
  const names = refused
    .slice(0, 8)
    .map((name) => quoteText(name, 40))
    .join(", ");
  said.push(`Also takes ${names}.`);
  findings.add(
    "plan-schema-property",
    `${quoteText(where.label)} has properties whose names hosts refuse (${names}); it takes any further property instead.`,
    where.place,
  );
}

/** Further properties: closed objects stay closed, maps keep what they hold. */
function writeRest(schema: JsonSchema, { out, below }: Writing): void {
  const rest = schema.additionalProperties;
  if (rest === false && !hasEntries(schema.patternProperties)) out.additionalProperties = false;
  const values = anyOf(valuesBeside(schema).map((value) => below(value, LEVEL, "values").schema));
  if (!isEmpty(values)) out.additionalProperties = values;
}

function isHidden(property: AnySchema, { hidden, schemas }: Direction): boolean {
  return (
    isObject(property) &&
    (property[hidden] === true ||
      (refName(property) !== undefined && resolve(schemas, property)[hidden] === true))
  );
}

/**
 * What may stand under other names than those of `properties`; nothing when that is anything. Hosts
 * know no patterns of names, so each such value may have any name. An object of one pattern and
 * nothing else is a map, although it does not say that it is closed.
 */
function valuesBeside({
  additionalProperties: rest,
  patternProperties,
  properties,
  unevaluatedProperties,
}: JsonSchema): readonly AnySchema[] {
  const patterns = Object.values(patternProperties ?? {}) as AnySchema[];
  if (isObject(rest)) return [rest, ...patterns];
  const isMap =
    patterns.length === 1 &&
    rest === undefined &&
    !hasEntries(properties) &&
    unevaluatedProperties === undefined;
  return rest === false || isMap ? patterns : [];
}
