/** Places of the keys of a configuration, for a key that stands in a wrong one. */

/** A JSON Schema of a configuration. */
interface Node {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
}

/** A step to a key: its name, or one of any name or index. */
type Step = string | typeof anyName | typeof anyIndex;
const anyName = Symbol("any name");
const anyIndex = Symbol("any index");

const MAX_PLACES = 2;

/**
 * Paths at which a schema has the key that a path ends with, those nearest to it first. Names that
 * an owner chooses are those of the path where they can be.
 */
export function placesOfKey(path: readonly string[], schema: Node): readonly string[] {
  const key = path.at(-1) ?? "";
  // The keys of an API, below `apis`, are those of the top level.
  const isOfApi = path[0] === "apis";
  const found = [...placesBelow(schema, [], schema)].filter(
    (place) => place.at(-1) === key && (place[0] === "apis" && place.length > 1) === isOfApi,
  );
  const ranked = found.toSorted(
    (a, b) => sharedSteps(b, path) - sharedSteps(a, path) || a.length - b.length,
  );
  return [...new Set(ranked.map((place) => printPlace(place, path)))].slice(0, MAX_PLACES);
}

/** @param refs references that lead to the node; a definition may contain itself */
function* placesBelow(
  node: Node,
  path: readonly Step[],
  root: Node,
  refs: readonly string[] = [],
): Generator<readonly Step[]> {
  const { $ref: ref, properties = {}, additionalProperties: others, items } = node;
  const below = (member: Node, place: readonly Step[]) => placesBelow(member, place, root, refs);
  if (ref !== undefined) {
    if (!refs.includes(ref)) yield* placesBelow(targetOf(ref, root), path, root, [...refs, ref]);
    return;
  }
  for (const [name, member] of Object.entries(properties)) {
    yield [...path, name];
    yield* below(member, [...path, name]);
  }
  if (typeof others === "object") yield* below(others, [...path, anyName]);
  if (items) yield* below(items, [...path, anyIndex]);
  for (const form of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) yield* below(form, path);
}

function targetOf(ref: string, { $defs = {}, properties = {} }: Node): Node {
  const name = ref.replace(/^#\/(?:\$defs|properties)\//, "");
  return (ref.startsWith("#/$defs/") ? $defs : properties)[name] ?? {};
}

/** Number of steps that a place and a path have in common. */
function sharedSteps(place: readonly Step[], path: readonly string[]): number {
  const end = place.findIndex((step, i) => path[i] === undefined || !fits(step, path[i]));
  return end < 0 ? place.length : end;
}

function fits(step: Step, name: string): boolean {
  if (step === anyIndex) return /^\d+$/.test(name);
  return step === anyName || step === name;
}

/** A place as a path, with the names of another path up to where they part. */
function printPlace(place: readonly Step[], path: readonly string[]): string {
  const shared = sharedSteps(place, path);
  const nameOf = (step: Step, i: number): string => {
    if (step === anyIndex) return "[]";
    if (typeof step === "string") return `.${step}`;
    return `.${i < shared && i < path.length - 1 ? path[i] : "NAME"}`;
  };
  return place.map(nameOf).join("").slice(1);
}
