/** The meaning of a `type` value in JSON Schema 2020-12. */
interface ResolvedType {
  readonly type: string;
  readonly format?: string;
}

const JSON_TYPES = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

/** Type names that no version has, with the type that authors mean. */
const TYPE_ALIASES: ReadonlyMap<string, ResolvedType> = new Map([
  ...["str", "text", "char", "password", "enum", "unicode"].map(
    (name) => [name, { type: "string" }] as const,
  ),
  ...[
    "uuid",
    "email",
    "uri",
    "url",
    "ipv4",
    "ipv6",
    "hostname",
    "byte",
    "binary",
    "date",
    "time",
  ].map((name) => [name, { type: "string", format: name === "url" ? "uri" : name }] as const),
  ...["datetime", "date-time", "timestamp"].map(
    (name) => [name, { type: "string", format: "date-time" }] as const,
  ),
  ...["int", "long", "short", "bigint"].map((name) => [name, { type: "integer" }] as const),
  ...["int32", "int64"].map((name) => [name, { type: "integer", format: name }] as const),
  ...["float", "double"].map((name) => [name, { type: "number", format: name }] as const),
  ...["decimal", "numeric"].map((name) => [name, { type: "number" }] as const),
  ["bool", { type: "boolean" }],
  ...["list", "tuple"].map((name) => [name, { type: "array" }] as const),
  ...["map", "dict", "hash", "json", "struct"].map((name) => [name, { type: "object" }] as const),
  ...["nil", "none", "nulltype"].map((name) => [name, { type: "null" }] as const),
]);

/** Swagger 2.0's type of uploads and downloads. */
const FILE: ResolvedType = { type: "string", format: "binary" };

/** True for the seven types of JSON Schema. */
export function isSchemaType(name: string): boolean {
  return JSON_TYPES.has(name);
}

/**
 * The meaning of a type that JSON Schema does not have.
 * @returns undefined for an unknown one (`any`, `T`)
 */
export function resolveTypeAlias(name: string): ResolvedType | undefined {
  const lower = name.toLowerCase();
  if (lower === "file") return FILE;
  return JSON_TYPES.has(lower) ? { type: lower } : TYPE_ALIASES.get(lower);
}
