import type { JsonSchema } from "../../../json.js";
import { LEVEL, MAX_DEPTH, type Projection, type Projector } from "./projector.js";
import type { AnySchema } from "../refs.js";
import type { SchemaUsage } from "../../diagnostics.js";

/** Maximum size of one tool's input schema: about 6,000 tokens. */
export const MAX_NODES = 300;
export const MAX_SIZE = 24_000;

/** One of the schemas that share the limits of a tool. */
interface SchemaPart {
  readonly schema: AnySchema;
  readonly where: SchemaUsage;
}

/** A projected schema within the limits. */
export interface LimitedPart {
  readonly projection: Projection;
  /** Levels that remain when the schema was truncated. */
  readonly levels?: number;
}

interface LimitedItem {
  readonly make: (depth: number) => Projection;
  depth: number;
  projection: Projection;
  weakened: boolean;
}

/**
 * Projects the schemas of one tool within the limits. The largest schema loses its deepest level
 * until all of them fit, so that shallow parts remain.
 */
export function limitSchemas(
  claimants: readonly SchemaPart[],
  projector: Projector,
): {
  readonly fitted: readonly LimitedPart[];
  readonly defs: Readonly<Record<string, JsonSchema>>;
} {
  const unlimited = projectUnlimited(claimants, projector);
  if (unlimited) return { fitted: unlimited, defs: {} };
  const items = claimants.map(({ schema, where }) =>
    limitedItem((depth) => projector.project(schema, depth, where)),
  );
  const definitions = new Map<string, LimitedItem>();
  const where = claimants[0]?.where ?? { location: { pointer: "#" }, label: "" };
  const define = (name: string): LimitedItem =>
    limitedItem((depth) => projector.definition(name, depth, where));
  let used = reachableDefinitions(items, definitions, define);
  for (
    let all = [...items, ...used.values()];
    !isWithinLimits(all);
    all = [...items, ...used.values()]
  ) {
    if (!weakenLargest(all)) break;
    used = reachableDefinitions(items, definitions, define);
  }
  const fitted = items.map(({ projection, weakened, depth }): LimitedPart => ({
    projection,
    ...(weakened && { levels: Math.ceil(depth / LEVEL) }),
  }));
  return {
    fitted,
    defs: Object.fromEntries(
      [...used].sort(compareNames).map(([name, item]) => [name, item.projection.schema]),
    ),
  };
}

/** The common case: all schemas fit and none is recursive. */
function projectUnlimited(
  claimants: readonly SchemaPart[],
  projector: Projector,
): readonly LimitedPart[] | undefined {
  let [size, nodes] = [0, 0];
  const fitted: LimitedPart[] = [];
  for (const { schema, where } of claimants) {
    const projection = projector.project(schema, MAX_DEPTH, where);
    size += projection.size;
    nodes += projection.nodes + 1;
    if (projection.defs.size > 0 || size > MAX_SIZE || nodes > MAX_NODES) return undefined;
    fitted.push({ projection });
  }
  return fitted;
}

const compareNames = (
  [a]: readonly [string, LimitedItem],
  [b]: readonly [string, LimitedItem],
): number => (a < b ? -1 : a > b ? 1 : 0);

function limitedItem(make: (depth: number) => Projection): LimitedItem {
  return { make, depth: MAX_DEPTH, projection: make(MAX_DEPTH), weakened: false };
}

/** Definitions that the schemas refer to, directly or through others. */
function reachableDefinitions(
  items: readonly LimitedItem[],
  cache: Map<string, LimitedItem>,
  define: (name: string) => LimitedItem,
): Map<string, LimitedItem> {
  const used = new Map<string, LimitedItem>();
  const pending = items.flatMap((item) => [...item.projection.defs]);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (used.has(name)) continue;
    const item = cache.get(name) ?? define(name);
    cache.set(name, item);
    used.set(name, item);
    pending.push(...item.projection.defs);
  }
  return used;
}

function isWithinLimits(items: readonly LimitedItem[]): boolean {
  let [size, nodes] = [0, 0];
  for (const { projection } of items) {
    size += projection.size;
    nodes += projection.nodes + 1;
  }
  return size <= MAX_SIZE && nodes <= MAX_NODES;
}

/** Removes the deepest level of the largest schema; false when none can be reduced. */
function weakenLargest(items: readonly LimitedItem[]): boolean {
  const weight = ({ projection }: LimitedItem): number =>
    Math.max(projection.size / MAX_SIZE, projection.nodes / MAX_NODES);
  const reducible = items.filter(
    (item) => item.depth > 0 && (item.projection.height > 0 || item.projection.defs.size > 0),
  );
  const largest = reducible.reduce<LimitedItem | undefined>(
    (best, item) => (best === undefined || weight(item) > weight(best) ? item : best),
    undefined,
  );
  if (!largest) return false;
  largest.depth = Math.max(0, Math.min(largest.depth, largest.projection.height) - 1);
  largest.projection = largest.make(largest.depth);
  largest.weakened = true;
  return true;
}
