/**
 * XML of bodies and of their parts. OpenAPI 3.1.1 and 3.2, XML Object; XML 1.0 and Namespaces in
 * XML 1.0.
 */
import { ownProperty } from "../../data/values.js";
import type { XmlNode } from "../../types.js";
import type { ParameterValue, ReportProblem } from "../parameter-source.js";
import { isReadonlyArray, isStructured, toText } from "../serialize.js";
import { fieldsOf } from "../styles.js";

/** A named value of the document, with the reporter of its problems. */
type XmlContent = Pick<ParameterValue, "name" | "value" | "reportProblem">;

/**
 * Serializes the document of one value. `node` or `root.name` names the root. An array is wrapped,
 * because a document has one root.
 */
export function xmlDocument(root: XmlContent, node: XmlNode): string {
  return PROLOG + serializeElement(root, node);
}

/** Serializes the document of an object whose properties come from different inputs. */
export function xmlDocumentOf(
  root: Omit<XmlContent, "value">,
  properties: readonly XmlContent[],
  node: XmlNode,
): string {
  const inside = emptyElement();
  addProperties(inside, properties, node);
  return PROLOG + formatElement(root.name, node, inside, root.reportProblem);
}

const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NIL = { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:nil": "true" };

/** Escaped attributes of one element, by qualified name. */
type Attributes = Map<string, string>;

interface ElementContent {
  readonly attributes: Attributes;
  readonly children: string[];
}

/** Adds a value to its parent: an attribute, text, one element or several. */
function addValue(inside: ElementContent, content: XmlContent, node: XmlNode): void {
  const { value, reportProblem } = content;
  if (node.attribute === true) addAttribute(inside.attributes, content, node);
  else if (isReadonlyArray(value) && node.wrapped !== true) addArrayItems(inside, content, node);
  else if (node.nodeType === undefined) inside.children.push(serializeElement(content, node));
  else if (isStructured(value)) addProperties(inside, fieldsOf(content), node);
  else if (value !== null)
    inside.children.push(
      node.nodeType === "cdata"
        ? cdata(toText(value), reportProblem)
        : escapeText(toText(value), reportProblem),
    );
}

function addArrayItems(
  inside: ElementContent,
  { name, value, reportProblem }: XmlContent,
  node: XmlNode,
): void {
  if (!isReadonlyArray(value)) return;
  for (const [index, item] of value.entries())
    addValue(
      inside,
      { name, value: item, reportProblem },
      node.prefixItems?.[index] ?? node.items ?? {},
    );
}

function addProperties(
  inside: ElementContent,
  properties: readonly XmlContent[],
  node: XmlNode,
): void {
  for (const property of properties)
    addValue(inside, property, ownProperty(node.properties, property.name) ?? {});
}

/** Serializes an element. Items have their own name, otherwise the name of the wrapping element. */
function serializeElement(content: XmlContent, node: XmlNode): string {
  const { name, value, reportProblem } = content;
  const inside = emptyElement();
  if (isReadonlyArray(value)) addArrayItems(inside, { ...content, name: node.name ?? name }, node);
  else if (isStructured(value)) addProperties(inside, fieldsOf(content), node);
  else if (value !== null) inside.children.push(escapeText(toText(value), reportProblem));
  else for (const [key, nil] of Object.entries(NIL)) inside.attributes.set(key, nil);
  return formatElement(name, node, inside, reportProblem);
}

function emptyElement(): ElementContent {
  return { attributes: new Map(), children: [] };
}

/** Writes a CDATA section. The sequence that would end it is split over two sections. */
function cdata(text: string, reportProblem: ReportProblem): string {
  checkCharacters(text, reportProblem);
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function addAttribute(attributes: Attributes, property: XmlContent, node: XmlNode): void {
  if (property.value === null) return;
  const name = qualifiedName(property.name, node, property.reportProblem);
  // A default namespace does not apply to attributes, so that only a prefix can put one into a
  // namespace.
  if (node.prefix !== undefined) declareNamespace(attributes, node, property.reportProblem);
  attributes.set(name, escapeAttribute(toText(property.value), property.reportProblem));
}

function formatElement(
  fallback: string,
  node: XmlNode,
  { attributes, children }: ElementContent,
  reportProblem: ReportProblem,
): string {
  const name = qualifiedName(fallback, node, reportProblem);
  declareNamespace(attributes, node, reportProblem);
  const attributeText = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join("");
  return `<${name}${attributeText}>${children.join("")}</${name}>`;
}

function declareNamespace(
  attributes: Attributes,
  { prefix, namespace }: XmlNode,
  reportProblem: ReportProblem,
): void {
  if (namespace !== undefined)
    attributes.set(
      prefix === undefined ? "xmlns" : `xmlns:${prefix}`,
      escapeAttribute(namespace, reportProblem),
    );
}

function qualifiedName(fallback: string, node: XmlNode, reportProblem: ReportProblem): string {
  const name = node.name ?? fallback;
  const qualified = node.prefix === undefined ? name : `${node.prefix}:${name}`;
  if (!/^[\p{L}_][\p{L}\p{N}\p{M}._:-]*$/u.test(qualified))
    reportProblem("has a property whose name cannot name an XML element");
  return qualified;
}

/** Escapes text. A carriage return would be read as a line feed. */
function escapeText(text: string, reportProblem: ReportProblem): string {
  return escapeMarkup(text, reportProblem).replace(/\r/g, "&#13;");
}

/** Escapes an attribute. White space would be read as spaces. */
function escapeAttribute(text: string, reportProblem: ReportProblem): string {
  return escapeMarkup(text, reportProblem).replace(
    /["\t\n\r]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

function escapeMarkup(text: string, reportProblem: ReportProblem): string {
  checkCharacters(text, reportProblem);
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Reports control characters that XML cannot hold. XML 1.0, section 2.2. */
function checkCharacters(text: string, reportProblem: ReportProblem): void {
  // eslint-disable-next-line no-control-regex
  if (/[^\t\n\r\x20-\uFFFD]/.test(text))
    reportProblem("has a control character, which XML cannot hold");
}
