import { isObject, type JsonSchema } from "../../json.js";
import type { Content, RequestBody } from "../../model/types.js";
import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { resolveSchema, typesOf, type Schemas } from "../schemas/refs.js";
import { isSameJson } from "../schemas/values.js";

/** Chooses the media type of a request body. Types that a model writes easily go first. */
export function chooseContent(
  body: RequestBody,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): ChosenContent {
  const ranked = body.contents
    .map((content, order) => ({ content, order, rank: rankOf(content.mediaType) }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order);
  const best = (ranked[0] as (typeof ranked)[number]).content;
  const multipart = ranked.find(({ content }) =>
    content.mediaType.startsWith("multipart/"),
  )?.content;
  const chosen =
    multipart && multipart !== best && needsFile(multipart, best, schemas) ? multipart : best;
  const rest = body.contents.filter((content) => content !== chosen);
  // One input takes files of any type; the type is detected when the file is sent.
  const others = isBinaryMediaType(chosen.mediaType)
    ? rest.filter(({ mediaType }) => isBinaryMediaType(mediaType))
    : [];
  reportUnusedContents(
    chosen,
    rest.filter((content) => !others.includes(content)),
    diagnostics,
  );
  return { content: chosen, alternativeTypes: others.map(({ mediaType }) => mediaType) };
}

/** The chosen content and, for files, further media types that the API accepts. */
interface ChosenContent {
  readonly content: Content;
  readonly alternativeTypes: readonly string[];
}

function rankOf(mediaType: string): number {
  const type = mediaType.split(";", 1)[0] as string;
  if (type === "application/json") return 0;
  if (/\+json$/.test(type) || type === "text/json") return type.includes("patch") ? 2 : 1;
  if (type === "application/x-www-form-urlencoded") return 3;
  if (type === "multipart/form-data") return 4;
  if (type.startsWith("multipart/")) return 5;
  if (/[/+]xml$/.test(type)) return 6;
  if (/jsonl|ndjson|json-seq|json-lines/.test(type)) return 7;
  return type.startsWith("text/") ? 8 : 9;
}

/**
 * Prefers multipart when only it can carry a required file, or when its schema is the same and has
 * files.
 */
function needsFile(multipart: Content, best: Content, schemas: Schemas): boolean {
  const schema = multipart.schema && resolveSchema(schemas, multipart.schema);
  if (!schema?.properties) return false;
  const files = Object.keys(schema.properties).filter(
    (name) => fileKind(schema.properties?.[name], schemas, multipart, name) !== undefined,
  );
  return (
    files.some((name) => schema.required?.includes(name)) ||
    (files.length > 0 && sameSchema(multipart, best))
  );
}

/** Detects files and lists of files, which JSON can only hold as base64. */
export function fileKind(
  schema: unknown,
  schemas: Schemas,
  content: Content,
  name: string,
): "one" | "many" | undefined {
  if (!isObject(schema))
    return schema === true && isBinaryMediaType(encodingType(content, name)) ? "one" : undefined;
  const target = resolveSchema(schemas, schema);
  if (isBinarySchema(target, encodingType(content, name))) return "one";
  if (!typesOf(target).includes("array") || !isObject(target.items)) return undefined;
  return isBinarySchema(resolveSchema(schemas, target.items), encodingType(content, name))
    ? "many"
    : undefined;
}

function encodingType(content: Content, name: string): string | undefined {
  return content.encoding && Object.hasOwn(content.encoding, name)
    ? content.encoding[name]?.contentType
    : undefined;
}

/** True when a value of this schema, in a part of this media type, is binary. */
export function isBinarySchema(schema: JsonSchema, encodingType: string | undefined): boolean {
  const types = typesOf(schema).filter((type) => type !== "null");
  if (types.length > 0 && (types.length > 1 || types[0] !== "string")) return false;
  if (schema.contentEncoding !== undefined || schema.properties || schema.anyOf || schema.oneOf)
    return false;
  if (schema.format === "binary") return true;
  if (typeof schema.contentMediaType === "string")
    return isBinaryMediaType(schema.contentMediaType);
  return (
    (types.length === 0 || schema.format === undefined) &&
    schema.enum === undefined &&
    isBinaryMediaType(encodingType)
  );
}

/** True for media types that are not text. */
export function isBinaryMediaType(mediaType: string | undefined): boolean {
  if (mediaType === undefined) return false;
  return !mediaType
    .split(",")
    .some((candidate) => TEXT_TYPE.test(candidate) || TEXT_FORMAT.test(candidate));
}

const TEXT_TYPE = /^\s*(?:text|multipart)\//i;
const TEXT_FORMAT =
  /^[^;]*[/+](?:json|xml|javascript|yaml|x-yaml|x-www-form-urlencoded|x-ndjson|jsonl)\b/i;

function sameSchema(a: Content, b: Content): boolean {
  return isSameJson(a.schema ?? null, b.schema ?? null);
}

const MAX_NAMED_TYPES = 8;

function reportUnusedContents(
  chosen: Content,
  others: readonly Content[],
  diagnostics: DiagnosticCollector,
): void {
  const [first] = others;
  if (!first) return;
  const names = others
    .slice(0, MAX_NAMED_TYPES)
    .map((content) => quoteText(content.mediaType, 60))
    .join(", ");
  const more = others.length - MAX_NAMED_TYPES;
  const list = more > 0 ? `${names} and ${more} more` : names;
  const isEquivalent = others.every((content) => sameSchema(content, chosen));
  diagnostics.add(
    isEquivalent ? "plan-body-equivalent" : "plan-body-alternative",
    `The body is sent as ${quoteText(chosen.mediaType, 60)}, not as ${list}.`,
    first.location,
  );
}
