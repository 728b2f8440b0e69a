/** The part of a tool's definition that hosts show to models: name, description and input schema. */
import { estimateTokens } from "../data/tokens.js";
import { isObject } from "../data/values.js";
import type { JsonSchema } from "../types.js";

export interface ShownDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/**
 * Estimates the tokens of a tool as a model reads it. Titles, annotations, output schemas and
 * `_meta` are usually not shown.
 */
export function estimateToolTokens({ name, description, inputSchema }: ShownDefinition): number {
  const shown = listedInputSchema(inputSchema as JsonSchema);
  return estimateTokens(JSON.stringify({ name, description, inputSchema: shown }));
}

/** Characters of a schema, without its annotations, that is listed once. */
const minLength = 300;

/** Identifiers of parts, and pointers to them, which a shortened copy could break. */
const fragileParts = /"\$(?:id|anchor|dynamicRef|recursiveRef)":|"\$ref":"(?!#\/\$defs\/)/;

/** Listed schemas. Definitions do not change. */
const listedSchemas = new WeakMap<JsonSchema, JsonSchema>();

/**
 * An input schema as `tools/list` has it: of equal nested schemas, the first one stands, and the
 * others name its place in their description. Calls are validated by the whole schema. A `$ref`
 * would not do: some hosts pass it on to models as it is, and others refuse the tool.
 */
export function listedInputSchema(schema: JsonSchema): JsonSchema {
  const listed = listedSchemas.get(schema) ?? withoutRepetitions(schema);
  listedSchemas.set(schema, listed);
  return listed;
}

function withoutRepetitions(root: JsonSchema): JsonSchema {
  const text = JSON.stringify(root);
  if (text.length < 2 * minLength || !mayRepeat(root) || fragileParts.test(text)) return root;
  const shortener = new RepetitionShortener(root);
  return shortener.hasRepetitions ? shortener.shorten(root, "") : root;
}

/** Characters of values of which a list may be listed once. */
const minValues = 150;

/** True if two parts have the same fields or values. Most schemas have none, so most are not compared. */
function mayRepeat(root: JsonSchema): boolean {
  const seen = new Set<string>();
  const isRepeated = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return false;
    const { properties, enum: values } = value as JsonSchema;
    const key = isObject(properties) ? Object.keys(properties).join() : String(values ?? "");
    const isLong = isObject(properties) || key.length > minValues;
    if (isLong && seen.has(key)) return true;
    if (isLong) seen.add(key);
    return Object.values(value).some(isRepeated);
  };
  return isRepeated(root);
}

/** Kinds of nested schemas, by the parts that equal ones share. */
type Kind = "fields" | "items" | "alternatives";

/** A nested schema that is long enough to be listed once. */
interface LongPart {
  readonly kind: Kind;
  /** Number that equal schemas share, apart from annotations. */
  readonly content: number;
}

class RepetitionShortener {
  readonly hasRepetitions: boolean;
  readonly #long = new Map<JsonSchema, LongPart>();
  /** Contents by kind and place. A place with several contents cannot be referred to. */
  readonly #contents = new Map<string, Set<number>>();
  /** Places of the schemas that stand, by content. */
  readonly #places = new Map<number, string>();

  constructor(root: JsonSchema) {
    const values = new ValueNumbers();
    const counts = new Map<number, number>();
    const survey = (part: JsonSchema, place: string | undefined): JsonSchema => {
      const kind = kindOf(part);
      if (kind !== undefined && place !== "") {
        const { id, length } = values.contentOf(part);
        this.#contentsAt(`${kind} ${place}`).add(id);
        if (length >= minLength) {
          this.#long.set(part, { kind, content: id });
          counts.set(id, (counts.get(id) ?? 0) + 1);
        }
      }
      return mapParts(part, place, survey);
    };
    survey(root, "");
    this.hasRepetitions = [...counts.values()].some((count) => count > 1);
  }

  #contentsAt(key: string): Set<number> {
    const contents = this.#contents.get(key) ?? new Set();
    this.#contents.set(key, contents);
    return contents;
  }

  /** @param place of the values in the arguments: `owner.pets[]`; undefined for values of any name */
  shorten(part: JsonSchema, place: string | undefined): JsonSchema {
    const long = this.#long.get(part);
    const first = long && this.#places.get(long.content);
    const reference = first === undefined ? undefined : referenceTo(first, part, long!.kind);
    if (reference) return reference;
    if (long && first === undefined && this.#isOnlyAt(place, long))
      this.#places.set(long.content, place!);
    return mapParts(part, place, (child, at) => this.shorten(child, at));
  }

  #isOnlyAt(place: string | undefined, { kind }: LongPart): boolean {
    return place !== undefined && this.#contents.get(`${kind} ${place}`)?.size === 1;
  }
}

/** Numbers of JSON values. Equal values have the same one. */
class ValueNumbers {
  readonly #ids = new Map<string, NumberedValue>();
  readonly #known = new Map<object, NumberedValue>();

  /** The number of a schema without its annotations. */
  contentOf(part: JsonSchema): NumberedValue {
    const { description: _, title: __, default: ___, examples: ____, ...content } = part;
    return this.#numberOf(content);
  }

  #numberOf(value: unknown): NumberedValue {
    if (typeof value !== "object" || value === null)
      return this.#numbered(JSON.stringify(value) ?? "", 0);
    const found = this.#known.get(value);
    if (found) return found;
    let key = Array.isArray(value) ? "[" : "{";
    let nested = 0;
    for (const [name, part] of Object.entries(value)) {
      const { id, length } = this.#numberOf(part);
      key += `${JSON.stringify(name)}${id},`;
      nested += length;
    }
    const numbered = this.#numbered(key, nested);
    this.#known.set(value, numbered);
    return numbered;
  }

  #numbered(key: string, nested: number): NumberedValue {
    const numbered = this.#ids.get(key) ?? { id: this.#ids.size, length: key.length + nested };
    this.#ids.set(key, numbered);
    return numbered;
  }
}

interface NumberedValue {
  readonly id: number;
  /** Approximate length as JSON. */
  readonly length: number;
}

function kindOf({ properties, items, anyOf }: JsonSchema): Kind | undefined {
  if (isObject(properties)) return "fields";
  if (isObject(items)) return "items";
  return Array.isArray(anyOf) ? "alternatives" : undefined;
}

/** A schema of the same type without parts; undefined for values of several types. */
function referenceTo(first: string, part: JsonSchema, kind: Kind): JsonSchema | undefined {
  const type = typeOf(part);
  if (type === undefined) return undefined;
  const { description, default: preset } = part;
  const text = typeof description === "string" ? description.replace(/[^.!?]$/, "$&.") : "";
  const reference = `Same ${wordFor(part, kind)} as \`${first}\` above.`;
  return {
    ...type,
    description: `${text} ${reference}`.trim(),
    ...(preset !== undefined && { default: preset }),
  };
}

/** A value that may be null has the parts of its other alternative. */
function wordFor({ anyOf }: JsonSchema, kind: Kind): Kind {
  const parts = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]) : [];
  const others = parts.filter((part) => part["type"] !== "null");
  return (kind === "alternatives" && others.length === 1 && kindOf(others[0]!)) || kind;
}

/** The type of a schema, also of one that may be null. */
function typeOf({ type, anyOf }: JsonSchema): JsonSchema | undefined {
  if (type !== undefined) return { type };
  const types = new Set(
    (Array.isArray(anyOf) ? anyOf : [{}]).map((one: JsonSchema) => one["type"]),
  );
  const isNullable = types.delete("null");
  const [only] = types;
  if (types.size !== 1 || typeof only !== "string") return undefined;
  return isNullable ? { anyOf: [{ type: only }, { type: "null" }] } : { type: only };
}

/** Copies a schema with its parts changed. The alternatives of a value have its place. */
function mapParts(
  schema: JsonSchema,
  place: string | undefined,
  change: (part: JsonSchema, place: string | undefined) => JsonSchema,
): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const { properties, items, additionalProperties } = schema;
  const changed = (part: unknown, at: string | undefined): unknown =>
    isObject(part) ? change(part, at) : part;
  if (isObject(properties))
    copy["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [
        name,
        changed(part, memberOf(place, name)),
      ]),
    );
  if (isObject(items)) copy["items"] = change(items, place && `${place}[]`);
  if (isObject(additionalProperties))
    copy["additionalProperties"] = change(additionalProperties, undefined);
  for (const key of ["anyOf", "oneOf", "allOf"])
    if (Array.isArray(schema[key]))
      copy[key] = schema[key].map((part: unknown) => changed(part, place));
  return copy;
}

const memberOf = (place: string | undefined, name: string): string | undefined =>
  place === "" ? name : place && `${place}.${name}`;
