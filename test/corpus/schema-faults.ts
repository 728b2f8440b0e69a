import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../src/json.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/**
 * Lists the reasons for which a validator would not compile a schema: the meta-schema, patterns,
 * and `$ref`s that lead nowhere. Compiling takes thirty times as long.
 */
export function schemaFaults(schema: Readonly<Record<string, unknown>>): string[] {
  const violations = ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? []);
  return [
    ...violations.map(({ instancePath, message }) => `${instancePath} ${message}`),
    ...subschemasOf(schema).flatMap((part) => [
      ...patternsOf(part).flatMap(patternFaults),
      ...(isResolvable(part["$ref"], schema) ? [] : [`${String(part["$ref"])} leads nowhere`]),
    ]),
  ];
}

/** Lists a schema and those inside of it. Names of properties and values are not keywords. */
export function subschemasOf(schema: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(schema)) return schema.flatMap(subschemasOf);
  if (!isObject(schema)) return [];
  const parts = Object.entries(schema).flatMap(([key, part]) => {
    if (namedSchemas.has(key)) return subschemasOf(Object.values(part as object));
    return values.has(key) ? [] : subschemasOf(part);
  });
  return [schema, ...parts];
}

const namedSchemas = new Set(["properties", "patternProperties", "dependentSchemas", "$defs"]);
const values = new Set(["enum", "const", "default", "examples"]);

function patternsOf({ pattern, patternProperties }: Readonly<Record<string, unknown>>): string[] {
  const patterns = typeof pattern === "string" ? [pattern] : [];
  return [...patterns, ...Object.keys((patternProperties ?? {}) as object)];
}

function patternFaults(pattern: string): string[] {
  try {
    new RegExp(pattern, "u").test("");
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function isResolvable(ref: unknown, schema: Readonly<Record<string, unknown>>): boolean {
  if (ref === undefined || ref === "#") return true;
  const name = /^#\/\$defs\/([^/]+)$/.exec(String(ref))?.[1];
  return name !== undefined && Object.hasOwn((schema["$defs"] ?? {}) as object, name);
}
