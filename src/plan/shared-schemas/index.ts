import type { SchemaOrigins } from "../schemas/origins.js";
import type { PlannedTool, SharedSchema } from "../types.js";
import { nameSharedSchemas } from "./names.js";
import { collectSchemaNodes, type SchemaNode } from "./usage.js";

export { internSchemas } from "./intern.js";

/** A shared schema with the toolsets whose tools use it. */
interface UsedSchema extends Omit<SharedSchema, "toolset"> {
  readonly toolsets: ReadonlySet<string>;
}

/** Longest schema that stays where it is used. It fits on one line. */
const MAX_SIZE_IN_PLACE = 80;
/** Estimated characters of a reference. */
const REFERENCE_SIZE = 16;

/**
 * Selects the schemas that are written once and referred to: schemas with a name of their own, and
 * schemas in several places. Small ones stay in place.
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
