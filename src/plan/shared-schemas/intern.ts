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
    for (const key in schema) this.#keyword(key, schema[key], writer);
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
    const kind = typeof value === "object" ? SCHEMA_KEYWORDS.get(key) : undefined;
    writer.content += `\n${key}:`;
    if (kind === undefined || value === null) {
      writer.content += JSON.stringify(value);
      return;
    }
    if (kind === "one") {
      const part = this.#find(value as JsonSchema);
      writer.content += part.id;
      if (part.schema !== value) (writer.changes ??= {})[key] = part.schema;
      return;
    }
    const parts = Object.entries(value as object).map(([name, part]) => {
      const found = isObject(part) ? this.#find(part as JsonSchema) : undefined;
      writer.content += `${kind === "map" ? JSON.stringify(name) : ""}${found ? found.id : String(part)},`;
      return [name, found ? found.schema : part] as const;
    });
    if (parts.every(([name, part]) => (value as Changes)[name] === part)) return;
    (writer.changes ??= {})[key] =
      kind === "map" ? Object.fromEntries(parts) : parts.map(([, part]) => part);
  }
}

type Changes = { [keyword: string]: unknown };

interface ContentWriter {
  content: string;
  /** Keywords with a subschema that another object replaces. */
  changes?: Changes;
}
