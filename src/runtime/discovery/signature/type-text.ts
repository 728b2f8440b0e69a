import type { JsonSchema } from "../../types.js";

/** Options of the text of a type. */
export interface TypeTextOptions {
  /** Schema whose `$defs` are referred to. */
  readonly root: JsonSchema;
  /** Levels of objects that are written out. Deeper ones are `object`. */
  readonly depth: number;
  /** Values of an enum that are written out. */
  readonly maxValues: number;
  /** Members of an object that are written out; required ones always are. */
  readonly maxMembers: number;
}

/** A schema as a TypeScript type on one line: `"a" | "b"`, `{id: string, tags?: string[]}`. */
export function typeText(schema: unknown, options: TypeTextOptions): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const { $ref, enum: values, const: value, anyOf, oneOf, allOf, type } = schema as JsonSchema;
  if (typeof $ref === "string") return typeText(resolve($ref, options.root), deeper(options));
  if (Array.isArray(values)) return unionText(valueTexts(values, options.maxValues));
  if (value !== undefined) return JSON.stringify(value);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives))
    return unionText(alternatives.map((one) => typeText(withType(one, type), options)));
  if (Array.isArray(allOf)) return allOf.map((one) => typeText(one, options)).join(" & ");
  if (Array.isArray(type))
    return unionText(type.map((one) => typeText({ ...(schema as object), type: one }, options)));
  return plainText(schema as JsonSchema, options);
}

const deeper = (options: TypeTextOptions): TypeTextOptions => ({
  ...options,
  depth: options.depth - 1,
});

/** An alternative often leaves the type to the schema around it. */
function withType(alternative: unknown, type: unknown): unknown {
  if (type === undefined || typeof alternative !== "object" || alternative === null)
    return alternative;
  return Object.keys(alternative).some((key) => typeKeywords.has(key))
    ? alternative
    : { ...alternative, type };
}

const typeKeywords = new Set(["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"]);

function valueTexts(values: readonly unknown[], max: number): readonly string[] {
  const shown = values.slice(0, max).map((value) => JSON.stringify(value));
  return values.length > max ? [...shown, `\u2026${values.length - max} more`] : shown;
}

const unionText = (types: readonly string[]): string =>
  types.length === 0 ? "unknown" : [...new Set(types)].join(" | ");

function plainText(schema: JsonSchema, options: TypeTextOptions): string {
  const { type, items, format } = schema;
  switch (type) {
    case "string":
      return typeof format === "string" && statedFormats.has(format)
        ? `string<${format}>`
        : "string";
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "array":
      return items === undefined ? "unknown[]" : arrayText(typeText(items, options));
    default:
      return "properties" in schema || type === "object" ? objectText(schema, options) : "unknown";
  }
}

/** Formats that a value of a plain string would miss. */
const statedFormats = new Set(["date", "date-time", "time", "duration", "email", "uri", "uuid"]);

const arrayText = (item: string): string => (/[ |&]/.test(item) ? `(${item})[]` : `${item}[]`);

function objectText(schema: JsonSchema, options: TypeTextOptions): string {
  const { additionalProperties } = schema;
  const members = membersOf(schema);
  if (members.length === 0)
    return typeof additionalProperties === "object" && options.depth > 0
      ? `Record<string, ${typeText(additionalProperties, deeper(options))}>`
      : "object";
  if (options.depth <= 0) return "object";
  const shown = members.filter(({ isRequired }, i) => isRequired || i < options.maxMembers);
  const texts = shown.map((member) => memberText(member, deeper(options)));
  const omitted = members.length - shown.length;
  return `{${[...texts, ...(omitted > 0 ? [`\u2026${omitted} more`] : [])].join(", ")}}`;
}

/** An input or a field of an object. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Properties of a schema, required ones first. */
export function membersOf({ properties, required }: JsonSchema): readonly Member[] {
  const names = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const members = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, schema]): Member => ({ name, schema, isRequired: names.includes(name) }),
  );
  return [...members.filter((one) => one.isRequired), ...members.filter((one) => !one.isRequired)];
}

/** `limit?: integer = 20` */
export function memberText({ name, schema, isRequired }: Member, options: TypeTextOptions): string {
  const key = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
  const initial = schema["default"];
  const isShort = initial !== undefined && JSON.stringify(initial).length <= 24;
  const preset = isShort ? ` = ${JSON.stringify(initial)}` : "";
  return `${key}${isRequired ? "" : "?"}: ${typeText(schema, options)}${preset}`;
}

function resolve(ref: string, root: JsonSchema): unknown {
  const name = /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1];
  const defs = (root["$defs"] ?? {}) as Readonly<Record<string, unknown>>;
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}
