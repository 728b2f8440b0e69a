import { isObject, type JsonSchema } from "../../json.js";
import type { Findings, Where } from "../findings.js";
import { oneLine, quoteText } from "../../diagnostics/clean.js";
import { type Codes, codesOf } from "../describe/codes.js";
import type { SchemaGraph } from "./graph.js";
import { type Draft, MAX_ENUM, sizeOf, writeLeaf } from "./leaf.js";
import { isValues, withPlainTypes } from "./plain-types.js";
import { type AnySchema, namedSchema, refName, resolve, typesOf, type Schemas } from "./refs.js";
import { sameJson } from "./values.js";
import { textCache, withSentences } from "./text.js";

/** A schema that every host takes, and what it costs. */
export interface Projection {
  readonly schema: JsonSchema;
  /** About how many characters it takes as JSON. */
  readonly size: number;
  /** Properties in it, at all levels. */
  readonly nodes: number;
  /** Levels it needs; see `LEVEL`. */
  readonly height: number;
  /** Something below was too deep and accepts anything now. */
  readonly cut: boolean;
  /** Recursive schemas it refers to as `#/$defs/<name>`. */
  readonly defs: ReadonlySet<string>;
  /** Sentences in its description that say what keywords could not; for a caller that writes a description of its own. */
  readonly said: readonly string[];
}

/** Depth that a nested object or list costs; an alternative costs half of it. */
export const LEVEL = 2;
/** Levels of nesting in a tool's schema. */
export const MAX_DEPTH = 8 * LEVEL;
const MAX_DESCRIPTION = 200;
/** Claude refuses a whole request for one property name that does not match. */
const LEGAL_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Turns model-form schemas into portable ones (DESIGN, section 5.9). Remembers what it made: named schemas recur all over an API. */
export interface Projector {
  /** @param depth levels that may still be used, `MAX_DEPTH` at the top of an input */
  project(schema: AnySchema, depth: number, where: Where): Projection;
  /** The body of a `$defs` entry. */
  definition(name: string, depth: number, where: Where): Projection;
}

interface Memory {
  whole?: Projection;
  readonly cut: Projection[];
}

const NO_DEFS: ReadonlySet<string> = new Set();
const ANYTHING: Projection = { schema: {}, size: 2, nodes: 0, height: 0, cut: false, defs: NO_DEFS, said: [] };

/**
 * @param direction `input` leaves `readOnly` properties out, `output` those that are `writeOnly`
 */
export function projector(schemas: Schemas, graph: SchemaGraph, direction: "input" | "output", findings: Findings): Projector {
  const memory = new Map<JsonSchema, Memory>();
  const text = textCache(MAX_DESCRIPTION);
  const hidden = direction === "input" ? "readOnly" : "writeOnly";
  const leaf = { schemas, findings };

  function project(schema: AnySchema, depth: number, where: Where): Projection {
    if (typeof schema === "boolean") return ANYTHING;
    // Parameters are shared by many operations, fields by few.
    if (depth < MAX_DEPTH && isPlain(schema)) return plain(schema, where);
    const known = memory.get(schema);
    if (known?.whole && known.whole.height <= depth) return known.whole;
    const before = known?.cut[depth];
    if (before) return before;
    const made = refName(schema) === undefined ? build(schema, depth, where) : reference(schema, depth, where);
    const entry = known ?? { cut: [] };
    if (!known) memory.set(schema, entry);
    if (made.cut) entry.cut[depth] = made;
    else entry.whole = made;
    return made;
  }

  /** Cheaper made than remembered. */
  function plain(schema: JsonSchema, where: Where): Projection {
    const out: Draft = {};
    return finish(schema, out, NO_PARTS, false, writeLeaf(schema, out, where, leaf));
  }

  /** A reference becomes what it refers to; only recursion stays one. Annotations beside it win. */
  function reference(schema: JsonSchema, depth: number, where: Where): Projection {
    const name = refName(schema) as string;
    const target = namedSchema(schemas, name);
    if (!target || (refName(target) !== undefined && isEmpty(resolve(schemas, target)))) return ANYTHING;
    const recursive = graph.isRecursive(name);
    const base: Projection = recursive
      ? { schema: { $ref: `#/$defs/${name}` }, size: name.length + 20, nodes: 0, height: 0, cut: false, defs: new Set([name]), said: [] }
      : project(target, depth, { place: where.place, label: name });
    const beside: Draft = {};
    const description = text(schema.description);
    if (description !== "") beside.description = description;
    writeLeaf({ ...(schema.default !== undefined && { default: schema.default }), ...(schema.examples && { examples: schema.examples }) }, beside, where, leaf);
    if (Object.keys(beside).length === 0) return base;
    return { ...base, schema: { ...base.schema, ...beside }, size: base.size + sizeOf(beside) };
  }

  function build(schema: JsonSchema, depth: number, where: Where): Projection {
    const out: Draft = {};
    const said = writeLeaf(schema, out, where, leaf);
    const parts: Projection[] = [];
    const below = (child: AnySchema, cost: number, label: string): Projection => {
      const part = project(child, depth - cost, { place: where.place, label });
      parts.push({ ...part, height: part.height + cost });
      return part;
    };
    const cut = !fitsIn(schema, depth);
    if (!cut) {
      writeObject(schema, out, said, where, below);
      writeArray(schema, out, said, where, below);
      writeAlternatives(schema, out, said, where, below);
    } else if (out.type === undefined && out.enum === undefined) {
      out.type = typeOfAlternatives(schema);
    }
    reportRemoved(schema, where);
    return finish(schema, out, parts, cut, said);
  }

  function finish(schema: JsonSchema, out: Draft, parts: readonly Projection[], cut: boolean, said: string[]): Projection {
    if (schema.deprecated === true) said.push("Deprecated.");
    const description = withSentences(text(schema.description), said);
    if (description !== "") out.description = description;
    return measured(out, parts, cut, said);
  }

  /** Whether what stands inside a schema may be written at this depth. */
  function fitsIn(schema: JsonSchema, depth: number): boolean {
    if (schema.allOf || schema.anyOf || schema.oneOf) return depth >= 1 && (depth >= LEVEL || !schema.properties);
    return depth >= LEVEL || !(hasEntries(schema.properties) || isObject(schema.items) || isObject(schema.additionalProperties) || schema.prefixItems || schema.patternProperties);
  }

  function writeObject(schema: JsonSchema, out: Draft, said: string[], where: Where, below: Below): void {
    const properties: [string, JsonSchema][] = [];
    const refused: string[] = [];
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (property === false || isForbidden(property) || isHidden(property)) continue;
      if (!LEGAL_NAME.test(name) || name === "__proto__") refused.push(name);
      else properties.push([name, below(property, LEVEL, name).schema]);
    }
    if (properties.length > 0 || (schema.properties && !cutShort(schema))) out.properties = Object.fromEntries(properties);
    const required = schema.required?.filter((name) => properties.some(([known]) => known === name));
    if (required && required.length > 0) out.required = required;
    writeRest(schema, out, refused.length > 0, below);
    if (refused.length === 0) return;
    said.push(`Also takes ${refused.slice(0, 8).map((name) => quoteText(name, 40)).join(", ")}.`);
    findings.add("plan-schema-property", `${quoteText(where.label)} has properties whose names hosts refuse (${refused.slice(0, 8).map((name) => quoteText(name, 40)).join(", ")}); it takes any further property instead.`, where.place);
  }

  const cutShort = (schema: JsonSchema): boolean => !hasEntries(schema.properties);

  /** Further properties: closed objects stay closed, maps keep what they hold. */
  function writeRest(schema: JsonSchema, out: Draft, open: boolean, below: Below): void {
    const rest = schema.additionalProperties;
    if (open) return;
    if (rest === false && !hasEntries(schema.patternProperties)) out.additionalProperties = false;
    const values = anyOf(valuesBeside(schema).map((value) => below(value, LEVEL, "values").schema));
    if (!isEmpty(values)) out.additionalProperties = values;
  }

  function writeArray(schema: JsonSchema, out: Draft, said: string[], where: Where, below: Below): void {
    const tuple = schema.prefixItems;
    if (tuple) {
      const all = isObject(schema.items) && !isForbidden(schema.items) ? [...tuple, schema.items] : tuple;
      out.items = anyOf(all.map((item) => below(item, LEVEL + 1, where.label).schema));
      if (schema.items === false) out.maxItems ??= tuple.length;
      if (tuple.length <= MOST_PLACES) said.push(`In this order: ${tuple.map((item) => (isObject(item) ? placeName(resolve(schemas, item as JsonSchema)) : "anything")).join(", ")}.`);
      findings.add("plan-schema-keyword", `${quoteText(where.label)} is a list with a schema for each place; every item may be any of them now.`, where.place);
    } else if (isObject(schema.items)) {
      out.items = below(schema.items, LEVEL, where.label).schema;
    } else if (typesOf(schema).includes("array")) {
      // OpenAI refuses a tool with a list that does not say what it holds.
      out.items = {};
    }
  }

  /** `oneOf` becomes `anyOf`, which hosts know and overlapping alternatives satisfy. One that takes anything makes the choice idle. */
  function writeAlternatives(schema: JsonSchema, out: Draft, said: string[], where: Where, below: Below): void {
    const each = (list: readonly AnySchema[]): JsonSchema[] => distinct(list.map((part) => below(part, 1, where.label).schema));
    const all = schema.allOf ? each(schema.allOf).filter((part) => !isEmpty(part)) : [];
    for (const list of [schema.anyOf, schema.oneOf]) {
      if (!list) continue;
      const parts = each(list);
      const codes = parts.every(isValues) ? codesOf(list, schemas) : undefined;
      if (parts.some(isEmpty)) reportIdle(list, where);
      else if (parts.length === 1) all.push(parts[0] as JsonSchema);
      else if (codes && isOneList(parts, codes)) all.push(oneList(parts, codes.text, said, where));
      else all.push({ anyOf: parts });
      // What every value says of itself need not be said beside them; Gemini wants it nowhere else.
      if (codes && parts.every(({ type }) => type === out.type)) for (const key of ["type", "format"]) delete out[key];
    }
    if (all.length === 1) mergeOnly(out, all[0] as JsonSchema);
    else if (all.length > 1) out.allOf = all;
  }

  /** Alternatives of one value each are one list of values, whose meanings stand in the description. */
  function oneList(parts: readonly JsonSchema[], meanings: string | undefined, said: string[], where: Where): JsonSchema {
    const types = new Set(parts.map(({ type }) => type as string));
    const values = [...new Set(parts.flatMap((part) => part.enum ?? []))];
    const joined: Draft = {};
    said.push(...writeLeaf({ ...(types.size === 1 && { type: [...types][0] as string }), enum: values }, joined, where, leaf));
    if (meanings !== undefined) said.push(meanings);
    return withPlainTypes(joined) as JsonSchema;
  }

  /** `anyOf: [{required: [a]}, {required: [b]}]`: which properties go together is the API's to check. */
  function reportIdle(list: readonly AnySchema[], where: Where): void {
    if (!list.some((part) => isObject(part) && part.required !== undefined)) return;
    findings.add("plan-schema-keyword", `${quoteText(where.label)} says which of its properties go together; the tool does not check it.`, where.place);
  }

  function typeOfAlternatives(schema: JsonSchema): unknown {
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    const types = new Set(parts.flatMap((part) => (isObject(part) ? typesOf(resolve(schemas, part)) : [])));
    const known = parts.length > 0 && parts.every((part) => isObject(part) && typesOf(resolve(schemas, part)).length > 0);
    return known ? (types.size === 1 ? [...types][0] : [...types]) : undefined;
  }

  function isHidden(property: AnySchema): boolean {
    return isObject(property) && (property[hidden] === true || (refName(property) !== undefined && resolve(schemas, property)[hidden] === true));
  }

  function reportRemoved(schema: JsonSchema, where: Where): void {
    for (const key in schema) {
      if (!REMOVED.has(key) || schema[key] === undefined || (key === "not" && isForbidden(schema))) continue;
      findings.add("plan-schema-keyword", `${quoteText(where.label)} uses \`${key}\`, which many hosts do not know; the tool does not check it.`, where.place);
    }
  }

  const definition = (name: string, depth: number, where: Where): Projection => {
    const target = namedSchema(schemas, name);
    return target ? project(target, depth, { place: where.place, label: name }) : ANYTHING;
  };
  return { project, definition };
}

/** Values of which nothing is lost when they stand together: what is said of each, and that they are not too many. */
function isOneList(parts: readonly JsonSchema[], { isComplete }: Codes): boolean {
  return parts.length <= MAX_ENUM && (isComplete || parts.every(({ description }) => description === undefined));
}

const NO_PARTS: readonly Projection[] = [];

/** Nothing inside it, and nothing to remove: most schemas are a type and a text. */
function isPlain(schema: JsonSchema): boolean {
  if (schema.type === "object" || schema.type === "array") return false;
  for (const key in schema) if (NOT_PLAIN.has(key)) return false;
  return true;
}

type Below = (child: AnySchema, cost: number, label: string) => Projection;

const REMOVED = new Set(["not", "if", "dependentSchemas", "dependentRequired", "unevaluatedProperties", "unevaluatedItems", "patternProperties", "propertyNames", "contains"]);

const NOT_PLAIN = new Set([...REMOVED, "$ref", "properties", "items", "prefixItems", "additionalProperties", "allOf", "anyOf", "oneOf"]);

const MOST_PLACES = 6;

/** What stands at one place of a list, in a few words. */
function placeName(schema: JsonSchema): string {
  const said = [schema.title, schema.description].find((words) => typeof words === "string" && words !== "" && words.length <= 40 && !/[.,;:\n]/.test(words));
  return said === undefined ? typesOf(schema).join(" or ") || "anything" : oneLine(said);
}

/** Any of the schemas; anything, where that is one of them or there are none. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const parts = schemas.filter((one, i) => schemas.findIndex((other) => sameJson(one, other)) === i);
  return parts.length < 2 || parts.some(isEmpty) ? (parts.find(isEmpty) ?? parts[0] ?? {}) : { anyOf: parts };
}

/**
 * What may stand under other names than those of `properties`; nothing when that is anything. Hosts know no patterns of names, so
 * each such value may have any name. An object of one pattern and nothing else is a map, although it does not say that it is closed.
 */
function valuesBeside({ additionalProperties: rest, patternProperties, properties, unevaluatedProperties }: JsonSchema): readonly AnySchema[] {
  const patterns = Object.values(patternProperties ?? {}) as AnySchema[];
  if (isObject(rest)) return [rest, ...patterns];
  const isMap = patterns.length === 1 && rest === undefined && !hasEntries(properties) && unevaluatedProperties === undefined;
  return rest === false || isMap ? patterns : [];
}

const hasEntries = (record: unknown): boolean => isObject(record) && Object.keys(record).length > 0;
const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).length === 0;

/** `{ not: {} }` is how the model writes `false`: nothing is valid. */
function isForbidden(schema: AnySchema): boolean {
  return isObject(schema) && isObject(schema.not) && Object.keys(schema.not).length === 0 && Object.keys(schema).length === 1;
}

/** Schemas without repetitions of the same object; memoised parts are identical. */
function distinct(list: readonly JsonSchema[]): JsonSchema[] {
  return [...new Set(list)];
}

/** What must hold besides: its keywords join those of the schema when none is there twice. */
function mergeOnly(out: Draft, only: JsonSchema): void {
  if (Object.keys(only).some((key) => key in out && key !== "description" && key !== "type")) out.allOf = [only];
  else for (const [key, value] of Object.entries(only)) out[key] ??= value;
}

function measured(draft: Draft, parts: readonly Projection[], cut: boolean, said: readonly string[]): Projection {
  const out = withPlainTypes(draft);
  let size = 2;
  for (const key in out) size += key.length + 4 + (HOLDERS.has(key) ? holderSize(key, out[key]) : sizeOf(out[key]));
  let [nodes, height, anyCut] = [hasEntries(out.properties) ? Object.keys(out.properties as object).length : 0, 0, cut];
  let defs = NO_DEFS;
  for (const part of parts) {
    size += part.size;
    nodes += part.nodes;
    height = Math.max(height, part.height);
    anyCut ||= part.cut;
    if (part.defs.size > 0) defs = defs.size === 0 ? part.defs : new Set([...defs, ...part.defs]);
  }
  return { schema: out, size, nodes, height, cut: anyCut, defs, said };
}

const HOLDERS = new Set(["properties", "items", "additionalProperties", "anyOf", "allOf"]);

/** What holds parts costs its names; the parts are counted by themselves. */
function holderSize(key: string, value: unknown): number {
  if (key !== "properties") return 4;
  let size = 2;
  for (const name in value as object) size += name.length + 4;
  return size;
}
