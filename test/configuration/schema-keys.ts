/** The keys of `mcp-gen.schema.json`. */
import { readFileSync } from "node:fs";

interface Node {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
}
const schema = JSON.parse(readFileSync("mcp-gen.schema.json", "utf8")) as Node;

/** Paths of the keys that an owner can write, with `*` for names and `[]` for items. */
function keysOf(node: Node, path: string): readonly string[] {
  if (node.$ref !== undefined) {
    // The keys of an API are those of the top level.
    return node.$ref.startsWith("#/properties/") ? [] : keysOf(targetOf(node.$ref), path);
  }
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    return [own, ...keysOf(member, own)];
  });
  const others = node.additionalProperties;
  return [
    ...members,
    ...(typeof others === "object" ? keysOf(others, `${path}.*`) : []),
    ...(node.items ? keysOf(node.items, `${path}[]`) : []),
    ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((one) => keysOf(one, path)),
  ];
}

function targetOf(ref: string): Node {
  const steps = ref.slice(2).split("/");
  return steps.reduce((node, step) => (node as Record<string, Node>)[step]!, schema);
}

/** Paths of all keys, but those of single APIs, which are the keys of the top level. */
export const schemaKeys: readonly string[] = [...new Set(keysOf(schema, ""))].filter(
  (key) => !key.startsWith("apis."),
);
