import { groupBy } from "../../groups.js";
import { isObject, type JsonSchema } from "../../json.js";
import { SCHEMA_KEYWORDS } from "../../json-schema.js";
import type { SchemaOrigins } from "../schemas/refs.js";
import type { PlannedTool, SharedSchema } from "../types.js";
import { collectSchemaNodes, type SchemaNode } from "./usage.js";

/** A shared schema with the toolsets whose tools use it. */
interface UsedSchema extends Omit<SharedSchema, "toolset"> {
  readonly toolsets: ReadonlySet<string>;
}

/** Longest schema that is not shared. It fits on one line. */
const MAX_SIZE_IN_PLACE = 80;
/** Estimated characters of a reference. */
const REFERENCE_SIZE = 16;

/**
 * Selects the schemas that are written once and referenced: named schemas, and schemas that are
 * used several times. Small ones remain inline.
 * @param tools with interned schemas
 * @returns the schemas in name order
 */
export function shareSchemas(
  tools: readonly PlannedTool[],
  origins: SchemaOrigins,
  typeNames: ReadonlySet<string>,
): readonly UsedSchema[] {
  const nodes = collectSchemaNodes(tools, origins);
  const shared = selectShared(nodes);
  const names = nameSharedSchemas([...shared], typeNames);
  return [...shared]
    .map((node) => ({
      name: names.get(node)!,
      schema: node.schema,
      references: [...new Set(nearestShared(node, shared))].map((one) => names.get(one)!),
      toolsets: node.toolsets,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function selectShared(nodes: readonly SchemaNode[]): ReadonlySet<SchemaNode> {
  const largest = largestByOrigin(nodes);
  const shared = new Set<SchemaNode>();
  const sizes = new Map<SchemaNode, number>();
  for (const node of nodes) {
    const size = node.children.reduce((sum, child) => sum + sizes.get(child)!, node.ownSize);
    const isShared =
      size > MAX_SIZE_IN_PLACE && (node.references > 1 || largest.get(node.origin) === node);
    if (isShared) shared.add(node);
    sizes.set(node, isShared ? REFERENCE_SIZE : size);
  }
  return shared;
}

/** The most complete schema made from each named one; that of an output if there is any. */
function largestByOrigin(
  nodes: readonly SchemaNode[],
): ReadonlyMap<string | undefined, SchemaNode> {
  const largest = new Map<string | undefined, SchemaNode>();
  for (const node of nodes) {
    if (node.origin === undefined) continue;
    const best = largest.get(node.origin);
    if (!best || rank(node) > rank(best)) largest.set(node.origin, node);
  }
  return largest;
}

const rank = ({ isOutput, size }: SchemaNode): number => (isOutput ? 1e9 : 0) + size;

/** The shared schemas that a schema contains directly. */
function nearestShared(node: SchemaNode, shared: ReadonlySet<SchemaNode>): readonly SchemaNode[] {
  return node.children.flatMap((child) =>
    shared.has(child) ? child : nearestShared(child, shared),
  );
}

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

  /** A list or a map of schemas; the same object if no schema changes. */
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

/**
 * Names shared schemas uniquely. A schema that was made from a named one has its name. Others of
 * the same name are parts of it, or its form in inputs. A schema without a name is called like the
 * first input or property that has it.
 * @param reserved names of types, which only schemas made from them can have
 */
function nameSharedSchemas(
  nodes: readonly SchemaNode[],
  reserved: ReadonlySet<string>,
): ReadonlyMap<SchemaNode, string> {
  const names = new Map<SchemaNode, string>();
  const taken = new Set(reserved);
  const assign = (node: SchemaNode, name: string): void => {
    const unique = uniqueName(name, taken);
    taken.add(unique);
    names.set(node, unique);
  };
  for (const [origin, variants] of groupBy(nodes, ({ origin }) => origin)) {
    const [outputs, inputs] = [variants.filter(isOutput), variants.filter((one) => !isOutput(one))];
    const stems = outputs.length > 0 ? [origin, `${origin}Input`] : [origin, origin];
    [outputs, inputs].forEach((list, i) =>
      list.sort(compareSize).forEach((node, n) => {
        const isWhole = n === 0 && (i === 0 || outputs.length === 0);
        if (isWhole) names.set(node, origin);
        else assign(node, n === 0 ? stems[i]! : `${stems[i]!}Part`);
      }),
    );
  }
  for (const [name, variants] of groupBy(nodes, nameFromPosition)) {
    const [first, ...others] = variants.sort((a, b) => b.toolsets.size - a.toolsets.size);
    assign(first, name);
    for (const node of others) assign(node, qualifiedName(name, node));
  }
  return names;
}

const isOutput = (node: SchemaNode): boolean => node.isOutput;
const compareSize = (a: SchemaNode, b: SchemaNode): number => b.size - a.size;

/**
 * `per_page` for an input, `PetList` for a result with one list of pets, `PetTags` for a property
 * of a pet, `PetTagsItem` for an item of its list.
 */
function nameFromPosition(node: SchemaNode): string | undefined {
  if (node.origin !== undefined) return undefined;
  const { label, kind, owner = "" } = node.position;
  if (kind === "input") return label;
  const item = kind === "result" ? listedOrigin(node) : undefined;
  if (item !== undefined) return `${item}List`;
  return `${owner}${pascalCase(label)}${SUFFIXES[kind]}` || "Value";
}

const SUFFIXES = { property: "", item: "Item", alternative: "Option", result: "Result" } as const;

/** Named schema of the items, if the properties of a schema have exactly one list of such. */
function listedOrigin({ children }: SchemaNode): string | undefined {
  const origins = children.flatMap(({ schema, children: [item] }) =>
    schema.type === "array" && item?.origin !== undefined ? item.origin : [],
  );
  return origins.length === 1 ? origins[0] : undefined;
}

/** Adds the toolset, if only one has the schema. */
function qualifiedName(name: string, { toolsets, position }: SchemaNode): string {
  const [toolset = "", ...others] = toolsets;
  if (others.length > 0) return name;
  return position.kind === "input" ? `${toolset}_${name}` : pascalCase(toolset) + name;
}

function pascalCase(text: string): string {
  return text.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, first: string) =>
    first.toUpperCase(),
  );
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const unique = i === 1 ? name : `${name}${name.includes("_") ? "_" : ""}${i}`;
    if (!taken.has(unique)) return unique;
  }
}
