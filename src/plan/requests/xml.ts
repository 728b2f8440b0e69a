import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type { XmlElementNames } from "../../model/types.js";
import type { XmlNode } from "../../runtime/types.js";
import { refName, resolveSchema, type Schemas } from "../schemas/refs.js";

const MAX_XML_DEPTH = 8;
/** Maximum schemas visited for one body, because recursive ones multiply. */
const MAX_VISITS = 1000;

interface XmlWalk {
  readonly schemas: Schemas;
  readonly elements: XmlElementNames;
  visits: number;
}

type XmlNodeDraft = { -readonly [K in keyof XmlNode]: XmlNode[K] };

/**
 * Element names and positions that a schema requires, starting at the root. Contains only what
 * differs from the property names.
 */
export function xmlRoot(
  schema: JsonSchema,
  schemas: Schemas,
  elements: XmlElementNames = { names: {}, useComponentNames: false },
): XmlNode {
  const { nodeType: _, ...node } = nodeOf(schema, { schemas, elements, visits: 0 }, 0) ?? {};
  const name = node.name ?? componentName(schema, elements);
  const { items } = resolveSchema(schemas, schema);
  const itemName = isObject(items)
    ? (node.items?.name ?? componentName(items, elements))
    : undefined;
  return {
    ...node,
    ...(name !== undefined && { name }),
    ...(itemName !== undefined && { items: { ...node.items, name: itemName } }),
  };
}

/** Name of the component that a schema refers to. Roots and items have no other name. */
function componentName(schema: JsonSchema, { names }: XmlElementNames): string | undefined {
  const key = refName(nonNullAlternative(schema));
  return key === undefined || !Object.hasOwn(names, key) ? key : names[key];
}

function nodeOf(schema: JsonSchema, walk: XmlWalk, depth: number): XmlNode | undefined {
  if (depth > MAX_XML_DEPTH || ++walk.visits > MAX_VISITS) return undefined;
  const target = resolveSchema(walk.schemas, nonNullAlternative(schema));
  const isList = typesOf(target).includes("array");
  const node: XmlNodeDraft = { ...keywords(target.xml, isList), ...keywords(schema.xml, isList) };
  const isUnnamed = !isList && node.name === undefined && node.nodeType === undefined;
  if (isUnnamed && walk.elements.useComponentNames) {
    const component = componentName(schema, walk.elements);
    if (component !== undefined) node.name = component;
  }
  const properties = propertyNodes(target, walk, depth);
  if (properties.length > 0) node.properties = Object.fromEntries(properties);
  if (isList) addItemNodes(node, target, walk, depth);
  return Object.keys(node).length > 0 ? node : undefined;
}

function addItemNodes(node: XmlNodeDraft, list: JsonSchema, walk: XmlWalk, depth: number): void {
  const items = isObject(list.items) ? nodeOf(list.items, walk, depth + 1) : undefined;
  if (items) node.items = items;
  const positions = (list.prefixItems ?? []).map((item) =>
    isObject(item) ? (nodeOf(item as JsonSchema, walk, depth + 1) ?? {}) : {},
  );
  if (positions.some((position) => Object.keys(position).length > 0)) node.prefixItems = positions;
}

function propertyNodes(schema: JsonSchema, walk: XmlWalk, depth: number): [string, XmlNode][] {
  const parts = [
    schema,
    ...(schema.allOf ?? [])
      .filter(isObject)
      .map((part) => resolveSchema(walk.schemas, part as JsonSchema)),
  ];
  return parts.flatMap((part) =>
    Object.entries(part.properties ?? {}).flatMap(([name, property]): [string, XmlNode][] => {
      const node = isObject(property) ? nodeOf(property, walk, depth + 1) : undefined;
      return node ? [[name, node]] : [];
    }),
  );
}

/** The alternative that is not null. Null has no XML Object. */
function nonNullAlternative(schema: JsonSchema): JsonSchema {
  const parts = (schema.anyOf ?? []).filter((part) => !(isObject(part) && part.type === "null"));
  const [alternative] = parts;
  return schema.anyOf?.length === 2 && parts.length === 1 && isObject(alternative)
    ? alternative
    : schema;
}

/**
 * `nodeType: attribute` of OpenAPI 3.2 replaces `attribute: true`. By default, a list has no
 * element of its own.
 */
function keywords(xml: unknown, isList: boolean): XmlNodeDraft {
  const node: XmlNodeDraft = {};
  if (!isObject(xml)) return node;
  const { nodeType } = xml;
  if (nodeType === "text" || nodeType === "cdata" || (nodeType === "none" && !isList))
    return { nodeType };
  for (const key of ["name", "namespace", "prefix"] as const)
    if (typeof xml[key] === "string" && xml[key] !== "") node[key] = xml[key];
  if (xml.attribute === true || nodeType === "attribute") node.attribute = true;
  if (xml.wrapped === true || nodeType === "element") node.wrapped = true;
  return node;
}
