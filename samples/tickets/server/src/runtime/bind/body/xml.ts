/** XML bodies. OpenAPI 3.1.1, XML Object; 3.2, "Handling `null` Values"; XML 1.0 and Namespaces in XML 1.0. */
import type { XmlNode } from "../../types.js";
import { isCompound, isList } from "../sendable.js";
import { plainText } from "../text.js";
import { own, type Refuse, type WireValue } from "../wire.js";

/** A named value inside the document, and whom to tell when XML cannot hold it. */
export type XmlContent = Pick<WireValue, "name" | "value" | "refuse">;

/** The document of one value. The root is named by `node`, else `root.name`; an array is wrapped, for there is one root. */
export function xmlDocument(root: XmlContent, node: XmlNode): string {
  return PROLOG + elements(root, isList(root.value) ? { ...node, wrapped: true } : node);
}

/** The document of an object whose properties come from different inputs. */
export function xmlDocumentOf(root: Omit<XmlContent, "value">, properties: readonly XmlContent[], node: XmlNode): string {
  return PROLOG + objectElement(root.name, properties, node, root.refuse);
}

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NIL = { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:nil": "true" };

/** Escaped attributes of one element, by qualified name; a namespace that is declared twice is declared once. */
type Attributes = Map<string, string>;

function elements(content: XmlContent, node: XmlNode): string {
  const { name, value, refuse } = content;
  if (isList(value)) return listElements(content, node);
  if (value === null) return element(name, node, new Map(Object.entries(NIL)), "", refuse);
  if (!isCompound(value)) return element(name, node, new Map(), escapeText(plainText(value), refuse), refuse);
  const properties = Object.entries(value).map(([key, member]) => ({ name: key, value: member, refuse }));
  return objectElement(name, properties, node, refuse);
}

/** Items are named by themselves, else like the element that wraps them, else like the property; never by the unwrapped array. */
function listElements({ name, value, refuse }: XmlContent, node: XmlNode): string {
  const itemName = node.wrapped === true ? (node.name ?? name) : name;
  const items = isList(value) ? value.map((item) => elements({ name: itemName, value: item, refuse }, node.items ?? {})) : [];
  return node.wrapped === true ? element(name, node, new Map(), items.join(""), refuse) : items.join("");
}

function objectElement(name: string, properties: readonly XmlContent[], node: XmlNode, refuse: Refuse): string {
  const attributes: Attributes = new Map();
  const children: string[] = [];
  for (const property of properties) {
    const child = own(node.properties, property.name) ?? {};
    if (child.attribute !== true) children.push(elements(property, child));
    else if (property.value !== null) addAttribute(attributes, property, child);
  }
  return element(name, node, attributes, children.join(""), refuse);
}

function addAttribute(attributes: Attributes, property: XmlContent, node: XmlNode): void {
  const name = qualifiedName(property.name, node, property.refuse);
  // A default namespace does not apply to attributes, so that only a prefix can put one into a namespace.
  if (node.prefix !== undefined) declareNamespace(attributes, node, property.refuse);
  attributes.set(name, escapeAttribute(plainText(property.value), property.refuse));
}

function element(fallback: string, node: XmlNode, attributes: Attributes, content: string, refuse: Refuse): string {
  const name = qualifiedName(fallback, node, refuse);
  declareNamespace(attributes, node, refuse);
  const written = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
  return `<${name}${written}>${content}</${name}>`;
}

function declareNamespace(attributes: Attributes, { prefix, namespace }: XmlNode, refuse: Refuse): void {
  if (namespace !== undefined) attributes.set(prefix === undefined ? "xmlns" : `xmlns:${prefix}`, escapeAttribute(namespace, refuse));
}

function qualifiedName(fallback: string, node: XmlNode, refuse: Refuse): string {
  const name = node.name ?? fallback;
  const qualified = node.prefix === undefined ? name : `${node.prefix}:${name}`;
  if (!/^[\p{L}_][\p{L}\p{N}\p{M}._:-]*$/u.test(qualified)) refuse("has a property whose name cannot name an XML element");
  return qualified;
}

/** A carriage return would be read as a line feed. */
function escapeText(text: string, refuse: Refuse): string {
  return escapeMarkup(text, refuse).replace(/\r/g, "&#13;");
}

/** White space in an attribute would be read as spaces. */
function escapeAttribute(text: string, refuse: Refuse): string {
  return escapeMarkup(text, refuse).replace(/["\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** XML 1.0, section 2.2: most control characters cannot be written at all. */
function escapeMarkup(text: string, refuse: Refuse): string {
  // eslint-disable-next-line no-control-regex
  if (/[^\t\n\r\x20-\uFFFD]/.test(text)) refuse("has a control character, which XML cannot hold");
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
