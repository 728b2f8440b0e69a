import { type JsonSchema } from "../../json.js";
import { SCHEMA_KEYWORDS, visitSchema } from "../../json-schema.js";
import type { SchemaOrigins } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";

/** Position of a schema, from which an unnamed schema gets its name. */
interface SchemaPosition {
  /** Name of the nearest property, or of the tool. */
  readonly label: string;
  /** Named schema around it. */
  readonly owner?: string | undefined;
  /** `input`: the schema is an input of a tool, whose name is used as it is. */
  readonly kind: "input" | "property" | "item" | "alternative" | "result";
}

/** An interned schema, and everything that uses it. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** Named schema that it was made from. */
  readonly origin: string | undefined;
  /** Subschemas, in order; one that occurs twice is there twice. */
  readonly children: readonly SchemaNode[];
  /** Characters of the schema on one line, without its subschemas. */
  readonly ownSize: number;
  /** Characters of the complete schema. */
  readonly size: number;
  /** First position in the order of the tools. */
  readonly position: SchemaPosition;
  /** Number of its uses. */
  references: number;
  isOutput: boolean;
  /** Toolsets whose tools contain it. */
  readonly toolsets: Set<string>;
}

/** Collects the interned schemas of all tools. A schema is after its subschemas. */
export function collectSchemaNodes(
  tools: readonly PlannedTool[],
  origins: SchemaOrigins,
): readonly SchemaNode[] {
  const collector = new NodeCollector(origins);
  for (const tool of tools) collector.addTool(tool);
  return collector.nodes;
}

class NodeCollector {
  readonly nodes: SchemaNode[] = [];
  readonly #bySchema = new Map<JsonSchema, SchemaNode>();

  constructor(private readonly origins: SchemaOrigins) {}

  addTool({ definition, identifier, toolset }: PlannedTool): void {
    const { inputSchema, outputSchema } = definition;
    for (const input of childrenOf(inputSchema, { label: "", kind: "result" }, true))
      markUsed(this.#node(...input), toolset, false);
    if (outputSchema)
      markUsed(this.#node(outputSchema, { label: identifier, kind: "result" }), toolset, true);
  }

  #node(schema: JsonSchema, position: SchemaPosition): SchemaNode {
    const known = this.#bySchema.get(schema);
    if (known) {
      known.references++;
      return known;
    }
    const origin = this.origins.get(schema);
    const owner = origin ?? position.owner;
    const children = childrenOf(schema, { ...position, owner }, false).map((child) =>
      this.#node(...child),
    );
    const ownSize = sizeWithoutChildren(schema);
    const node: SchemaNode = {
      schema,
      origin,
      children,
      ownSize,
      size: children.reduce((sum, child) => sum + child.size, ownSize),
      position,
      references: 1,
      isOutput: false,
      toolsets: new Set(),
    };
    this.nodes.push(node);
    this.#bySchema.set(schema, node);
    return node;
  }
}

/** Marks a schema and its subschemas as used by a toolset. */
function markUsed(node: SchemaNode, toolset: string, isOutput: boolean): void {
  if (node.toolsets.has(toolset) && (node.isOutput || !isOutput)) return;
  node.toolsets.add(toolset);
  node.isOutput ||= isOutput;
  for (const child of node.children) markUsed(child, toolset, isOutput);
}

/** Lists the subschemas of a schema, except booleans, with their positions. */
function childrenOf(
  schema: JsonSchema,
  { label, owner }: SchemaPosition,
  isInput: boolean,
): readonly (readonly [JsonSchema, SchemaPosition])[] {
  const children: [JsonSchema, SchemaPosition][] = [];
  visitSchema(schema, (child, keyword, name) => {
    const kind =
      name !== undefined
        ? isInput && keyword === "properties"
          ? "input"
          : "property"
        : SCHEMA_KEYWORDS.get(keyword) === "one"
          ? "item"
          : "alternative";
    children.push([child, { label: name ?? label, owner, kind }]);
  });
  return children;
}

/** Characters of a schema on one line, with its property names and without its subschemas. */
function sizeWithoutChildren(schema: JsonSchema): number {
  let size = 4;
  for (const key in schema) {
    const value = schema[key];
    if (value === undefined) continue;
    size += key.length + 4;
    if (SCHEMA_KEYWORDS.has(key) && typeof value === "object" && value !== null)
      for (const name in value) size += Array.isArray(value) ? 2 : name.length + 4;
    else size += typeof value === "string" ? value.length + 2 : JSON.stringify(value).length;
  }
  return size;
}
