import { type AnySchema, refName, type SchemaSet } from "./schema-set.js";
import type { Schema } from "./types.js";
import { propertiesOf } from "./inspect-schema.js";

/**
 * The reason for which a text is not well-formed XML, as a clause, or undefined when it is.
 * Supports elements, attributes, references, comments, CDATA and processing instructions, but no
 * DTD.
 */
export function xmlError(text: string): string | undefined {
  const open: string[] = [];
  let roots = 0;
  let at = 0;
  for (const token of text.matchAll(TOKEN)) {
    const between = text.slice(at, token.index);
    const stray = strayTextError(between, open.length > 0);
    if (stray) return stray;
    at = token.index + token[0].length;
    const [, closing, opening, attributes = "", empty] = token;
    if (closing !== undefined && open.pop() !== closing)
      return `closes <${closing}> that is not open`;
    if (opening === undefined) continue;
    if (open.length === 0 && ++roots > 1) return "has more than one root element";
    const problem = attributeError(attributes);
    if (problem) return `<${opening}> ${problem}`;
    if (empty === undefined || empty === "") open.push(opening);
  }
  if (open.length > 0) return `does not close <${open.at(-1) ?? ""}>`;
  return strayTextError(text.slice(at), false) ?? (roots === 0 ? "has no root element" : undefined);
}

const NAME = "[\\p{L}_:][\\p{L}\\p{N}_:.\\-]*";
const SKIPPED_MARKUP = "<!--[^]*?-->|<!\\[CDATA\\[[^]*?\\]\\]>|<\\?[^]*?\\?>";
const ATTRIBUTE = `\\s+[^\\s<>"'/=]+\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`;
const TOKEN = new RegExp(
  `${SKIPPED_MARKUP}|</(${NAME})\\s*>|<(${NAME})((?:${ATTRIBUTE})*)\\s*(/?)>`,
  "gu",
);
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/u;

function strayTextError(text: string, inside: boolean): string | undefined {
  if (text.includes("<")) return "has an unescaped <";
  if (REFERENCE.test(text)) return "has an unescaped &";
  return !inside && text.trim() !== "" ? "has text outside of its root element" : undefined;
}

function attributeError(text: string): string | undefined {
  if (REFERENCE.test(text)) return "has an attribute with an unescaped &";
  const names = [...text.matchAll(/\s([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/gu)].map((m) => m[1]);
  return new Set(names).size === names.length ? undefined : "repeats an attribute";
}

/** Serializes a value by the XML Objects of its schema (OpenAPI "XML Object"). */
export function toXml(value: unknown, schema: AnySchema | undefined, schemas: SchemaSet): string {
  const root = toElements(value, schema, rootName(schema), schemas, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>${root}`;
}

function rootName(schema: AnySchema | undefined): string {
  const ref = typeof schema === "object" ? schema["$ref"] : undefined;
  return typeof ref === "string" ? refName(ref) : "root";
}

function xmlObject(schema: AnySchema | undefined, schemas: SchemaSet): Schema {
  const target = schemas.resolve(schema);
  return ((typeof target === "object" ? target["xml"] : undefined) as Schema | undefined) ?? {};
}

function toElements(
  value: unknown,
  schema: AnySchema | undefined,
  fallback: string,
  schemas: SchemaSet,
  depth: number,
): string {
  const target = schemas.resolve(schema);
  const xml = xmlObject(target, schemas);
  const name = elementName(xml, fallback);
  if (depth > 30 || value === undefined) return "";
  if (Array.isArray(value)) {
    const item =
      typeof target === "object" ? (target["items"] as AnySchema | undefined) : undefined;
    const wrapped = xml["wrapped"] === true || depth === 0;
    const inner = value
      .map((v) => toElements(v, item, wrapped ? fallback : name, schemas, depth + 1))
      .join("");
    return wrapped ? `<${name}${namespaceOf(xml)}>${inner}</${name}>` : inner;
  }
  if (typeof value !== "object" || value === null)
    return `<${name}${namespaceOf(xml)}>${escapeXml(value)}</${name}>`;
  return objectElement(
    value as Record<string, unknown>,
    target,
    name,
    namespaceOf(xml),
    schemas,
    depth,
  );
}

function objectElement(
  value: Record<string, unknown>,
  schema: AnySchema,
  name: string,
  namespace: string,
  schemas: SchemaSet,
  depth: number,
): string {
  const { schemas: properties } = propertiesOf(schema, schemas);
  let attributes = namespace;
  let inner = "";
  for (const [key, item] of Object.entries(value)) {
    const xml = xmlObject(properties.get(key), schemas);
    if (xml["attribute"] === true) attributes += ` ${elementName(xml, key)}="${escapeXml(item)}"`;
    else inner += toElements(item, properties.get(key), key, schemas, depth + 1);
  }
  return `<${name}${attributes}>${inner}</${name}>`;
}

function elementName(xml: Schema, fallback: string): string {
  const name = typeof xml["name"] === "string" ? xml["name"] : fallback;
  return typeof xml["prefix"] === "string" ? `${xml["prefix"]}:${name}` : name;
}

function namespaceOf(xml: Schema): string {
  if (typeof xml["namespace"] !== "string") return "";
  return ` xmlns${typeof xml["prefix"] === "string" ? `:${xml["prefix"]}` : ""}="${escapeXml(xml["namespace"])}"`;
}

function escapeXml(value: unknown): string {
  const text = value === null ? "" : String(value);
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
