import { isObject, type JsonSchema } from "../../json.js";
import type { Content, RequestBody } from "../../model/types.js";
import { quoteText } from "../../diagnostics/clean.js";
import type { Findings } from "../findings.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";
import { sameJson } from "../schema/values.js";

/** Which media type of a body is sent: what a model writes most easily first. */
export function chooseContent(
  body: RequestBody,
  schemas: Schemas,
  findings: Findings,
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
  // One input holds a file of any kind; which one it is shows when it is sent.
  const others = isBinaryType(chosen.mediaType)
    ? rest.filter(({ mediaType }) => isBinaryType(mediaType))
    : [];
  reportOthers(
    chosen,
    rest.filter((content) => !others.includes(content)),
    findings,
  );
  return { content: chosen, others: others.map(({ mediaType }) => mediaType) };
}

/** The media type that a body is sent as, and, of a file, others that it may be. */
export interface ChosenContent {
  readonly content: Content;
  readonly others: readonly string[];
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
 * Multipart goes first when only it can carry a file that is required, or when the same schema has
 * files.
 */
function needsFile(multipart: Content, best: Content, schemas: Schemas): boolean {
  const schema = multipart.schema && resolve(schemas, multipart.schema);
  if (!schema?.properties) return false;
  const files = Object.keys(schema.properties).filter(
    (name) => fileKind(schema.properties?.[name], schemas, multipart, name) !== undefined,
  );
  return (
    files.some((name) => schema.required?.includes(name)) ||
    (files.length > 0 && sameSchema(multipart, best))
  );
}

/** Whether a field is a file or a list of files: bytes that JSON can only hold as base64. */
export function fileKind(
  schema: unknown,
  schemas: Schemas,
  content: Content,
  name: string,
): "one" | "many" | undefined {
  if (!isObject(schema))
    return schema === true && isBinaryType(encodingType(content, name)) ? "one" : undefined;
  const target = resolve(schemas, schema);
  if (isBytes(target, encodingType(content, name))) return "one";
  if (!typesOf(target).includes("array") || !isObject(target.items)) return undefined;
  return isBytes(resolve(schemas, target.items), encodingType(content, name)) ? "many" : undefined;
}

function encodingType(content: Content, name: string): string | undefined {
  return content.encoding && Object.hasOwn(content.encoding, name)
    ? content.encoding[name]?.contentType
    : undefined;
}

/** Whether a value of this schema, in a part of this media type, is bytes. */
export function isBytes(schema: JsonSchema, encodingType: string | undefined): boolean {
  const types = typesOf(schema).filter((type) => type !== "null");
  if (types.length > 0 && (types.length > 1 || types[0] !== "string")) return false;
  if (schema.contentEncoding !== undefined || schema.properties || schema.anyOf || schema.oneOf)
    return false;
  if (schema.format === "binary") return true;
  if (typeof schema.contentMediaType === "string") return isBinaryType(schema.contentMediaType);
  return (
    (types.length === 0 || schema.format === undefined) &&
    schema.enum === undefined &&
    isBinaryType(encodingType)
  );
}

/** Media types that are no text of any kind. */
export function isBinaryType(mediaType: string | undefined): boolean {
  if (mediaType === undefined) return false;
  return mediaType
    .split(",")
    .every(
      (one) =>
        !/^\s*(text\/|multipart\/|[^;]*[/+](json|xml|javascript|yaml|x-yaml|x-www-form-urlencoded|x-ndjson|jsonl)\b)/i.test(
          one,
        ),
    );
}

function sameSchema(a: Content, b: Content): boolean {
  return sameJson(a.schema ?? null, b.schema ?? null);
}

const MOST_NAMED = 8;

function reportOthers(chosen: Content, others: readonly Content[], findings: Findings): void {
  const [first] = others;
  if (!first) return;
  const named = others
    .slice(0, MOST_NAMED)
    .map((content) => quoteText(content.mediaType, 60))
    .join(", ");
  const list =
    others.length > MOST_NAMED ? `${named} and ${others.length - MOST_NAMED} more` : named;
  const same = others.every((content) => sameSchema(content, chosen));
  const message = `The body is sent as ${quoteText(chosen.mediaType, 60)}; ${list} ${others.length === 1 ? "is" : "are"} not used.`;
  findings.add(same ? "plan-body-equivalent" : "plan-body-alternative", message, first.place);
}
