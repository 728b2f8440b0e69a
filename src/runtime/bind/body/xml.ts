/** XML bodies. OpenAPI 3.1.1 and 3.2, XML Object; XML 1.0 and Namespaces in XML 1.0. */
import type { XmlNode } from "../../types.js";
import { isCompound, isList } from "../sendable.js";
import { plainText } from "../text.js";
import { own, type Refuse, type WireValue } from "../wire.js";

/** A named value inside the document, and whom to tell when XML cannot hold it. */
export type XmlContent = Pick<WireValue, "name" | "value" | "refuse">;

/**
 * The document of one value. The root is named by `node`, else `root.name`; an array is wrapped,
 * for there is one root.
 */
export function xmlDocument(root: XmlContent, node: XmlNode): string {
  return PROLOG + elementOf(root, node);
}

/** The document of an object whose properties come from different inputs. */
export function xmlDocumentOf(
  root: Omit<XmlContent, "value">,
  properties: readonly XmlContent[],
  node: XmlNode,
): string {
  const inside = newInside();
  addProperties(inside, properties, node);
  return PROLOG + element(root.name, node, inside, root.refuse);
}

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NIL = { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:nil": "true" };

/**
 * Escaped attributes of one element, by qualified name; a namespace that is declared twice is
 * declared once.
 */
type Attributes = Map<string, string>;

/** What is inside one element. */
interface Inside {
  readonly attributes: Attributes;
  readonly children: string[];
}

/** One value in the element around it: an attribute, text, one element or several. */
function add(inside: Inside, content: XmlContent, node: XmlNode): void {
  const { value, refuse } = content;
  if (node.attribute === true) addAttribute(inside.attributes, content, node);
  else if (isList(value) && node.wrapped !== true) addItems(inside, content, node);
  else if (node.bare === undefined) inside.children.push(elementOf(content, node));
  else if (isCompound(value)) addProperties(inside, propertiesOf(content), node);
  else if (value !== null)
    inside.children.push(
      node.bare === "cdata"
        ? cdata(plainText(value), refuse)
        : escapeText(plainText(value), refuse),
    );
}

function addItems(inside: Inside, { name, value, refuse }: XmlContent, node: XmlNode): void {
  if (!isList(value)) return;
  for (const [index, item] of value.entries())
    add(inside, { name, value: item, refuse }, node.places?.[index] ?? node.items ?? {});
}

function addProperties(inside: Inside, properties: readonly XmlContent[], node: XmlNode): void {
  for (const property of properties)
    add(inside, property, own(node.properties, property.name) ?? {});
}

function propertiesOf({ value, refuse }: XmlContent): readonly XmlContent[] {
  return Object.entries(value as object).map(([name, member]) => ({ name, value: member, refuse }));
}

/** Items are named by themselves, else like the element that wraps them. */
function elementOf(content: XmlContent, node: XmlNode): string {
  const { name, value, refuse } = content;
  const inside = newInside();
  if (isList(value)) addItems(inside, { ...content, name: node.name ?? name }, node);
  else if (isCompound(value)) addProperties(inside, propertiesOf(content), node);
  else if (value !== null) inside.children.push(escapeText(plainText(value), refuse));
  else for (const [key, nil] of Object.entries(NIL)) inside.attributes.set(key, nil);
  return element(name, node, inside, refuse);
}

function newInside(): Inside {
  return { attributes: new Map(), children: [] };
}

/** The one sequence that would end it is spread over two. */
function cdata(text: string, refuse: Refuse): string {
  checkCharacters(text, refuse);
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function addAttribute(attributes: Attributes, property: XmlContent, node: XmlNode): void {
  if (property.value === null) return;
  const name = qualifiedName(property.name, node, property.refuse);
  // A default namespace does not apply to attributes, so that only a prefix can put one into a
  // namespace.
  if (node.prefix !== undefined) declareNamespace(attributes, node, property.refuse);
  attributes.set(name, escapeAttribute(plainText(property.value), property.refuse));
}

function element(
  fallback: string,
  node: XmlNode,
  { attributes, children }: Inside,
  refuse: Refuse,
): string {
  const name = qualifiedName(fallback, node, refuse);
  declareNamespace(attributes, node, refuse);
  const written = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
  return `<${name}${written}>${children.join("")}</${name}>`;
}

function declareNamespace(
  attributes: Attributes,
  { prefix, namespace }: XmlNode,
  refuse: Refuse,
): void {
  if (namespace !== undefined)
    attributes.set(
      prefix === undefined ? "xmlns" : `xmlns:${prefix}`,
      escapeAttribute(namespace, refuse),
    );
}

function qualifiedName(fallback: string, node: XmlNode, refuse: Refuse): string {
  const name = node.name ?? fallback;
  const qualified = node.prefix === undefined ? name : `${node.prefix}:${name}`;
  if (!/^[\p{L}_][\p{L}\p{N}\p{M}._:-]*$/u.test(qualified))
    refuse("has a property whose name cannot name an XML element");
  return qualified;
}

/** A carriage return would be read as a line feed. */
function escapeText(text: string, refuse: Refuse): string {
  return escapeMarkup(text, refuse).replace(/\r/g, "&#13;");
}

/** White space in an attribute would be read as spaces. */
function escapeAttribute(text: string, refuse: Refuse): string {
  return escapeMarkup(text, refuse).replace(
    /["\t\n\r]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

function escapeMarkup(text: string, refuse: Refuse): string {
  checkCharacters(text, refuse);
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** XML 1.0, section 2.2: most control characters cannot be written at all. */
function checkCharacters(text: string, refuse: Refuse): void {
  // eslint-disable-next-line no-control-regex
  if (/[^\t\n\r\x20-\uFFFD]/.test(text)) refuse("has a control character, which XML cannot hold");
}
