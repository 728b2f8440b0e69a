import type { SchemaNode } from "./usage.js";

/**
 * Names shared schemas uniquely. A schema that was made from a named one has its name. Others of
 * the same name are parts of it, or its form in inputs. A schema without a name is called like the
 * first input or property that has it.
 * @param reserved names of types, which only schemas made from them can have
 */
export function nameSharedSchemas(
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
    assign(first!, name);
    for (const node of others) assign(node, qualifiedName(name, node));
  }
  return names;
}

const isOutput = (node: SchemaNode): boolean => node.isOutput;
const compareSize = (a: SchemaNode, b: SchemaNode): number => b.size - a.size;

function groupBy(
  nodes: readonly SchemaNode[],
  keyOf: (node: SchemaNode) => string | undefined,
): ReadonlyMap<string, SchemaNode[]> {
  const groups = new Map<string, SchemaNode[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return groups;
}

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
