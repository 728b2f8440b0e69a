/**
 * Content of a body, or of a part of it, by its media type: files, XML and other values.
 *
 * A file in a tool's input, which is JSON, is a `data:` URI, base64, or text that is the content
 * itself, as UTF-8. No file is opened: a path or a URL is sent as text. XML follows OpenAPI 3.1.1
 * and 3.2, XML Object; XML 1.0 and Namespaces in XML 1.0.
 */
import { decodeBase64 } from "../../data/bytes.js";
import { isBinary, isXml } from "../../data/media-types.js";
import { decodeOrKeep, omitUndefined, ownProperty } from "../../data/values.js";
import type { XmlNode } from "../../types.js";
import type { ParameterValue, ReportProblem } from "../parameter-source.js";
import { isReadonlyArray, isStructured, toText } from "../serialize.js";
import { serialize } from "../serialize-content.js";

interface FileContent {
  readonly bytes: Uint8Array;
  /** Media type of a `data:` URI. */
  readonly mediaType?: string;
  /** File name of a `data:` URI. */
  readonly name?: string;
}

/** Problem of an input that `decodeFileInput` cannot decode. */
export const MALFORMED_FILE = "is a data: URI whose base64 is malformed";

/**
 * A `data:` URI. RFC 2397. Its media type becomes a header, so the pattern excludes line breaks. Its
 * parameter `name` is a percent-encoded file name.
 */
const BASE64_DATA_URI = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)?((?:;[\w.-]+=[\w.+%~-]+)*);base64,/i;

/** Decodes a file input; `undefined` for a `data:` URI with malformed base64. */
export function decodeFileInput(text: string): FileContent | undefined {
  const dataUri = BASE64_DATA_URI.exec(text);
  if (dataUri === null)
    return { bytes: decodeCanonicalBase64(text) ?? new TextEncoder().encode(text) };
  const bytes = decodeCanonicalBase64(text.slice(dataUri[0].length));
  const [, type, parameters = ""] = dataUri;
  const [nameParameter = "", encodedName] = /;name=([^;]*)/i.exec(parameters) ?? [];
  const mediaType = type && type + parameters.replace(nameParameter, "");
  const name = encodedName && decodeOrKeep(encodedName);
  return bytes && omitUndefined({ bytes, mediaType, name });
}

/** Detects the media type of a file input: by its `data:` URI, otherwise by its first bytes. */
export function detectFileInputType(text: string): string | undefined {
  const file = decodeFileInput(text);
  return file && (file.mediaType ?? detectMediaType(file.bytes));
}

/**
 * Decodes complete, canonical base64 (RFC 4648, section 4), so that other text is hardly ever
 * mistaken for it. Lines of 64 or 76 characters, as of `base64` and PEM, are joined first.
 */
function decodeCanonicalBase64(text: string): Uint8Array | undefined {
  const isWrapped = /^(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})\r?\n/.test(text);
  const base64 = isWrapped ? text.replace(/\r?\n/g, "") : text;
  return isCanonicalBase64(base64) ? decodeBase64(base64) : undefined;
}

/** Number of padding characters, at most 2. */
function paddingLength(text: string): number {
  if (text.endsWith("==")) return 2;
  return text.endsWith("=") ? 1 : 0;
}

function isCanonicalBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  if (/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - paddingLength(text)))) return false;
  // In canonical base64, the bits before the padding are zero.
  const tail = text.slice(-4);
  return btoa(atob(tail)) === tail;
}

/** First bytes of file types, for APIs that accept several. */
const SIGNATURES: readonly (readonly [mediaType: string, bytes: string, offset?: number])[] = [
  ["image/png", "89504e470d0a1a0a"],
  ["image/jpeg", "ffd8ff"],
  ["image/gif", "47494638"],
  ["image/webp", "57454250", 8],
  ["image/bmp", "424d"],
  ["image/tiff", "49492a00"],
  ["image/tiff", "4d4d002a"],
  ["application/pdf", "25504446"],
  ["application/zip", "504b0304"],
  ["application/gzip", "1f8b"],
  ["audio/mpeg", "494433"],
  ["audio/wav", "57415645", 8],
  ["audio/ogg", "4f676753"],
  ["video/mp4", "66747970", 4],
];

/** Detects a media type by the first bytes; `undefined` when they are unknown. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return SIGNATURES.find(([, signature, offset = 0]) => hex.startsWith(signature, offset * 2))?.[0];
}

/**
 * Serializes a value as the bytes or text of a media type. Strings of binary types are files. XML
 * follows `xml`; a string without it is XML already.
 */
export function serializeContent(
  item: ParameterValue,
  mediaType: string,
  xml?: XmlNode,
): string | Uint8Array {
  const { value } = item;
  if (isXml(mediaType) && (xml !== undefined || typeof value !== "string"))
    return xmlDocument(item, xml ?? {});
  if (typeof value !== "string" || !isBinary(mediaType)) return serialize(item, mediaType);
  const file = decodeFileInput(value);
  if (file === undefined) item.reportProblem(MALFORMED_FILE);
  return file?.bytes ?? "";
}

/** A named value of the document, with the reporter of its problems. */
type XmlContent = Pick<ParameterValue, "name" | "value" | "reportProblem">;

/**
 * Serializes the document of one value. `node` or `root.name` names the root. An array is wrapped,
 * because a document has one root.
 */
function xmlDocument(root: XmlContent, node: XmlNode): string {
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
  else if (isStructured(value)) addProperties(inside, propertiesOf(content), node);
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

function propertiesOf({ value, reportProblem }: XmlContent): readonly XmlContent[] {
  return Object.entries(value as object).map(([name, member]) => ({
    name,
    value: member,
    reportProblem,
  }));
}

/** Serializes an element. Items have their own name, otherwise the name of the wrapping element. */
function serializeElement(content: XmlContent, node: XmlNode): string {
  const { name, value, reportProblem } = content;
  const inside = emptyElement();
  if (isReadonlyArray(value)) addArrayItems(inside, { ...content, name: node.name ?? name }, node);
  else if (isStructured(value)) addProperties(inside, propertiesOf(content), node);
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
