import { isObject, type JsonSchema } from "../../json.js";
import type { XmlNode } from "../../runtime/types.js";
import { refName, resolve, typesOf, type Schemas } from "../schema/refs.js";

const MAX_DEPTH = 8;
/** Schemas looked at for one body: recursive ones would multiply. */
const MAX_VISITS = 1000;

interface Walk {
  readonly schemas: Schemas;
  visits: number;
}

type Draft = { -readonly [K in keyof XmlNode]: XmlNode[K] };

/** The names and places of XML elements that a schema asks for; only what differs from "named as the property". */
export function xmlRoot(schema: JsonSchema, schemas: Schemas): XmlNode {
  const node = nodeOf(schema, { schemas, visits: 0 }, 0) ?? {};
  const name = node.name ?? refName(schema);
  return name === undefined ? node : { ...node, name };
}

function nodeOf(schema: JsonSchema, walk: Walk, depth: number): XmlNode | undefined {
  if (depth > MAX_DEPTH || ++walk.visits > MAX_VISITS) return undefined;
  const target = resolve(walk.schemas, schema);
  const node: Draft = { ...keywords(target.xml), ...keywords(schema.xml) };
  const properties = propertyNodes(target, walk, depth);
  if (properties.length > 0) node.properties = Object.fromEntries(properties);
  const items = typesOf(target).includes("array") && isObject(target.items) ? nodeOf(target.items, walk, depth + 1) : undefined;
  if (items) node.items = items;
  return Object.keys(node).length > 0 ? node : undefined;
}

function propertyNodes(schema: JsonSchema, walk: Walk, depth: number): [string, XmlNode][] {
  const parts = [schema, ...(schema.allOf ?? []).filter(isObject).map((part) => resolve(walk.schemas, part as JsonSchema))];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, property]): [string, XmlNode][] => {
      const node = isObject(property) ? nodeOf(property, walk, depth + 1) : undefined;
      return node ? [[name, node]] : [];
    }),
  );
}

/** OpenAPI 3.2 says `nodeType: attribute` for what was `attribute: true`. */
function keywords(xml: unknown): Draft {
  const node: Draft = {};
  if (!isObject(xml)) return node;
  for (const key of ["name", "namespace", "prefix"] as const) if (typeof xml[key] === "string" && xml[key] !== "") node[key] = xml[key];
  if (xml.attribute === true || xml.nodeType === "attribute") node.attribute = true;
  if (xml.wrapped === true || xml.nodeType === "element") node.wrapped = true;
  return node;
}
