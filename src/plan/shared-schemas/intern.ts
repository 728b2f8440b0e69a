import { isObject, type JsonSchema } from "../../json.js";
import type { SchemaOrigins } from "../schemas/origins.js";
import { SCHEMA_KEYWORDS } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";

/**
 * Makes equal schemas of the tools identical objects, so that later passes write, measure and
 * compare each of them once. Schemas with different origins stay apart.
 */
export function internSchemas(
  tools: readonly PlannedTool[],
  origins: SchemaOrigins,
): readonly PlannedTool[] {
  const interner = new SchemaInterner(origins);
  return tools.map((tool) => {
    const { inputSchema, outputSchema } = tool.definition;
    const schemas = {
      inputSchema: interner.intern(inputSchema),
      ...(outputSchema && { outputSchema: interner.intern(outputSchema) }),
    };
    return { ...tool, definition: { ...tool.definition, ...schemas } };
  });
}

/** A schema that occurs once per content and origin. */
interface Interned {
  readonly schema: JsonSchema;
  readonly id: number;
}

class SchemaInterner {
  readonly #bySchema = new Map<JsonSchema, Interned>();
  readonly #byContent = new Map<string, Interned>();

  constructor(private readonly origins: SchemaOrigins) {}

  intern(schema: JsonSchema): JsonSchema {
    return this.#find(schema).schema;
  }

  #find(schema: JsonSchema): Interned {
    const known = this.#bySchema.get(schema);
    if (known) return known;
    const origin = this.origins.get(schema);
    const writer: ContentWriter = { content: origin === undefined ? "" : JSON.stringify(origin) };
    for (const key in schema)
      if (schema[key] !== undefined) this.#keyword(key, schema[key], writer);
    const { content, changes } = writer;
    const interned = this.#byContent.get(content) ?? {
      schema: changes ? { ...schema, ...changes } : schema,
      id: this.#byContent.size,
    };
    this.#byContent.set(content, interned);
    this.#bySchema.set(schema, interned);
    this.#bySchema.set(interned.schema, interned);
    if (changes && origin !== undefined) this.origins.set(interned.schema, origin);
    return interned;
  }

  /** Adds a keyword to the content. Subschemas are represented by their ID. */
  #keyword(key: string, value: unknown, writer: ContentWriter): void {
    writer.content += `\n${key}:`;
    const kind = typeof value === "object" ? SCHEMA_KEYWORDS.get(key) : undefined;
    if (typeof value === "string") writer.content += `${value.length}"${value}`;
    else if (kind === undefined || value === null) writer.content += JSON.stringify(value);
    else {
      const interned = kind === "one" ? this.#part(value, writer) : this.#parts(value, writer);
      if (interned !== value) (writer.changes ??= {})[key] = interned;
    }
  }

  #part(part: unknown, writer: ContentWriter): unknown {
    if (!isObject(part)) {
      writer.content += `${JSON.stringify(part)},`;
      return part;
    }
    const { schema, id } = this.#find(part);
    writer.content += `${id},`;
    return schema;
  }

  /** A list or a map of schemas; the same object when no schema changes. */
  #parts(parts: unknown, writer: ContentWriter): unknown {
    const isList = Array.isArray(parts);
    const interned: [string, unknown][] = [];
    let isChanged = false;
    for (const [name, part] of Object.entries(parts as object)) {
      if (!isList) writer.content += `${name.length}"${name}`;
      const schema = this.#part(part, writer);
      isChanged ||= schema !== part;
      interned.push([name, schema]);
    }
    if (!isChanged) return parts;
    return isList ? interned.map(([, schema]) => schema) : Object.fromEntries(interned);
  }
}

type Changes = { [keyword: string]: unknown };

interface ContentWriter {
  content: string;
  /** Keywords with a subschema that another object replaces. */
  changes?: Changes;
}
