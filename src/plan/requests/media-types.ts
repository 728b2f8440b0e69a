import { joinFirst } from "../../diagnostics/index.js";
import { singularize } from "../../language/inflection.js";
import { isObject, isSameJson, type JsonSchema, typesOf } from "../../json.js";
import type { Content, Operation, RequestBody } from "../../model/types.js";
import { quoteText } from "../../diagnostics/text.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { splitWords } from "../../language/words.js";
import { flattenObject } from "../schemas/flat-object.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";

/**
 * Chooses the media type of a request body. Types that a model writes easily take precedence, and
 * multipart does for uploads.
 */
export function chooseContent(
  operation: Operation,
  body: RequestBody,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): ChosenContent {
  const ranked = body.contents
    .map((content, order) => ({ content, order, rank: rankOf(content.mediaType) }))
    .sort((a, b) => a.rank - b.rank || a.order - b.order);
  const best = (ranked[0] as (typeof ranked)[number]).content;
  const multipart = ranked.find(({ rank }) => rank === FORM_RANK || rank === MULTIPART_RANK);
  const isMultipart = multipart && needsFile(operation, multipart.content, best, schemas);
  const chosen = isMultipart ? multipart.content : (archiveOf(body, best) ?? best);
  const rest = body.contents.filter((content) => content !== chosen);
  // One input takes files of any type; the type is detected when the file is sent.
  const others = isBinaryMediaType(chosen.mediaType)
    ? rest.filter(({ mediaType }) => isBinaryMediaType(mediaType))
    : [];
  const filesElsewhere = new Set(
    multipart && chosen === best && multipart.content !== best
      ? fileNames(multipart.content, schemas)
      : [],
  );
  const withFile =
    multipart && filesElsewhere.size > 0 && takesSameFields(multipart.content, chosen, schemas)
      ? multipart.content
      : undefined;
  reportUnusedContents(
    chosen,
    rest.filter((content) => !others.includes(content) && content !== withFile),
    diagnostics,
  );
  return {
    content: toFormData(chosen, schemas, diagnostics),
    alternativeTypes: others.map(({ mediaType }) => mediaType),
    filesElsewhere,
    ...(withFile && { withFile }),
  };
}

/** The chosen content and, for files, further media types that the API accepts. */
export interface ChosenContent {
  readonly content: Content;
  readonly alternativeTypes: readonly string[];
  /** Fields that are files in a multipart type that was not chosen. */
  readonly filesElsewhere: ReadonlySet<string>;
  /** The multipart type in which a file can be sent beside the fields of the chosen one. */
  readonly withFile?: Content;
}

const FORM_DATA = "multipart/form-data";
const FORM_RANK = 4;
const MULTIPART_RANK = 5;

/** Multipart types that clients use for uploads. Others are mistyped or specific to one server. */
const MULTIPART = /^multipart\/(?:mixed|related|alternative|byteranges|digest|parallel)$/;

function rankOf(mediaType: string): number {
  const type = mediaType.split(";", 1)[0] as string;
  if (type === "application/json") return 0;
  if (/\+json$/.test(type) || type === "text/json") return type.includes("patch") ? 2 : 1;
  if (type === "application/x-www-form-urlencoded") return 3;
  if (type === FORM_DATA) return FORM_RANK;
  if (MULTIPART.test(type)) return MULTIPART_RANK;
  if (/[/+]xml$/.test(type)) return 6;
  if (/jsonl|ndjson|json-seq|json-lines/.test(type)) return 7;
  return type.startsWith("text/") ? 8 : 9;
}

/** Reads `multipart/*` and mistyped multipart types with fields as form data. */
function toFormData(content: Content, schemas: Schemas, diagnostics: DiagnosticCollector): Content {
  const { mediaType, schema = {}, location } = content;
  const isKnown = [FORM_RANK, MULTIPART_RANK].includes(rankOf(mediaType));
  if (isKnown || !mediaType.startsWith("multipart/")) return content;
  if (mediaType !== "multipart/*" && !flattenObject(schemas, schema)) return content;
  const message = `${quoteText(mediaType, 60)} is read as ${FORM_DATA}.`;
  diagnostics.add("plan-multipart-type", message, location);
  return { ...content, mediaType: FORM_DATA };
}

/**
 * Prefers multipart for uploads whose file is required, or whose schema is the same in both types.
 * A required file in the same schema needs no further evidence.
 */
function needsFile(
  operation: Operation,
  multipart: Content,
  best: Content,
  schemas: Schemas,
): boolean {
  const schema = multipart.schema && resolveSchema(schemas, multipart.schema);
  const files = fileNames(multipart, schemas);
  if (multipart === best || files.length === 0) return false;
  const hasRequiredFile = files.some((name) => schema?.required?.includes(name));
  const isSame = sameSchema(multipart, best);
  return isSame && hasRequiredFile
    ? true
    : (isSame || hasRequiredFile) && isUpload(operation, files);
}

/** Words of descriptions of files that only bytes can be: `tarfile of files to copy`. */
const ARCHIVE = /\b(?:tar(?:ball|file)?|zip(?: ?file)?|archive|gzip)\b/i;

/** The content that carries an archive as bytes, where the schema is text in each media type. */
function archiveOf(body: RequestBody, best: Content): Content | undefined {
  const isText = typesOf(best.schema ?? {}).join() === "string" && rankOf(best.mediaType) < 3;
  if (!isText || !ARCHIVE.test(body.description ?? "")) return undefined;
  return body.contents.find(
    (content) => isBinaryMediaType(content.mediaType) && sameSchema(content, best),
  );
}

/** True if each of two bodies has the required fields of the other one, apart from files. */
function takesSameFields(multipart: Content, chosen: Content, schemas: Schemas): boolean {
  const [withFile, plain] = [multipart, chosen].map(({ schema = {} }) =>
    flattenObject(schemas, schema),
  );
  if (!withFile || !plain) return false;
  const files = new Set(fileNames(multipart, schemas));
  return (
    [...withFile.required].every((name) => files.has(name) || plain.properties.has(name)) &&
    [...plain.required].every((name) => !files.has(name) && withFile.properties.has(name))
  );
}

/** Names of the file fields of a multipart body. */
function fileNames(content: Content, schemas: Schemas): readonly string[] {
  const properties = content.schema && resolveSchema(schemas, content.schema).properties;
  return Object.keys(properties ?? {}).filter(
    (name) => fileKind(properties?.[name], schemas, content, name) !== undefined,
  );
}

const UPLOAD_WORD = /^(?:upload|import|attach|file$)/;

/** True when the path, ID or summary of an operation names an upload, or one of its files. */
function isUpload(
  { path, operationId = "", summary = "" }: Operation,
  files: readonly string[],
): boolean {
  const nouns = new Set(files.flatMap((name) => splitWords(name).map(singularize)));
  return splitWords(`${path} ${operationId} ${summary}`)
    .map(singularize)
    .some((word) => UPLOAD_WORD.test(word) || nouns.has(word));
}

/** Detects files and lists of files, which JSON can only represent as base64. */
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
  /^[^;]*[/+-](?:json|xml|javascript|yaml|x-yaml|x-www-form-urlencoded|x-ndjson|jsonl)\b/i;

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
  const names = others.map((content) => quoteText(content.mediaType, 60));
  const isEquivalent = others.every((content) => sameSchema(content, chosen));
  diagnostics.add(
    isEquivalent ? "plan-body-equivalent" : "plan-body-alternative",
    `The body is sent as ${quoteText(chosen.mediaType, 60)}, not as ${joinFirst(names, MAX_NAMED_TYPES)}.`,
    first.location,
  );
}
