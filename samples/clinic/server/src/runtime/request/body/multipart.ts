/** Multipart bodies. RFC 7578; OpenAPI 3.1.1, Encoding Object. */
import {
  chooseMediaType,
  essence,
  isBinary,
  isMultipart,
  mediaTypeOfFile,
} from "../../data/media-types.js";
import { concatBytes, utf8Bytes } from "../../data/bytes.js";
import { ownProperty } from "../../data/values.js";
import type { BodyMapping, FieldEncoding } from "../../types.js";
import { type Header, isHeaderValue, isToken } from "../headers.js";
import { addProblem, type BindingContext, type ParameterValue } from "../parameter-source.js";
import {
  isReadonlyArray,
  isStructured,
  itemsOf,
  serializationProblem,
  verbatim,
} from "../serialize.js";
import { declaredMediaType, encodingOf, fieldsOf, hasStyle, namedPairs } from "../styles.js";
import { decodeFileInput, detectMediaType, MALFORMED_FILE, serializeContent } from "./content.js";

interface Part {
  readonly headers: readonly Header[];
  readonly content: string | Uint8Array;
}

/** A multipart body, with its boundary in `contentType`. */
export interface Multipart {
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Encoding of the parts and media type of the whole. */
type MultipartEncoding = Pick<
  BodyMapping,
  "contentType" | "encoding" | "prefixEncoding" | "itemEncoding"
>;

/**
 * Builds parts of named fields. Arrays repeat the name. A part of a type other than `form-data` has
 * a media type. `style`, `explode` and `allowReserved` write text parts like query parameters,
 * without percent-encoding.
 */
export function multipartBody(
  fields: readonly ParameterValue[],
  body: MultipartEncoding,
  binding: BindingContext,
): Multipart {
  const isFormData = essence(body.contentType) === "multipart/form-data";
  const parts = fields.flatMap((field) => {
    const encoding = encodingOf(body, field);
    if (isFormData && hasStyle(encoding)) return styledParts(field, encoding);
    return itemsOf(field.value).map((item, index) =>
      partOf({ ...field, value: item }, encoding, index, binding),
    );
  });
  return assemble(body.contentType, isFormData ? parts : parts.map(withMediaType));
}

/**
 * Builds a sequence of parts from an array. Parts have only the names of their encodings. OpenAPI
 * 3.2, "Encoding By Position".
 */
export function multipartSequence(
  whole: ParameterValue,
  { contentType, prefixEncoding = [], itemEncoding = {} }: MultipartEncoding,
  binding: BindingContext,
): Multipart {
  const items = isReadonlyArray(whole.value) ? whole.value : [whole.value];
  const parts = items.flatMap((value, index): readonly Part[] => {
    const encoding = prefixEncoding[index] ?? itemEncoding;
    if (value === null) return [];
    const { headers, content } = partOf({ ...whole, value }, encoding, index, binding);
    const dispositionHeaders = Object.entries(encoding.headers ?? {}).filter(([name]) =>
      isDisposition(name),
    );
    return [
      {
        headers: [...dispositionHeaders, ...headers.filter(([name]) => !isDisposition(name))],
        content,
      },
    ];
  });
  return assemble(contentType, parts.map(withMediaType));
}

const isDisposition = (name: string): boolean => name.toLowerCase() === "content-disposition";

function styledParts(field: ParameterValue, encoding: FieldEncoding): readonly Part[] {
  const { style, explode } = encoding;
  const pairs = namedPairs({ ...field, style, explode }, { name: verbatim, value: verbatim });
  return pairs.map(([name, content]) => ({ headers: [contentDisposition(name)], content }));
}

function partOf(
  item: ParameterValue,
  encoding: FieldEncoding,
  index: number,
  binding: BindingContext,
): Part {
  const declared = declaredMediaType(encoding, item.value);
  if (declared !== undefined && isMultipart(declared))
    return nestedPart(item, { ...encoding, contentType: declared }, binding);
  const isFile = encoding.file ?? (declared !== undefined && isBinary(declared));
  const filename = filenameOf(encoding.filenameInput, index, binding);
  if (isFile && typeof item.value === "string")
    return filePart(item, item.value, encoding, filename);
  const mediaType = declared ?? (isStructured(item.value) ? "application/json" : undefined);
  const headers = [
    contentDisposition(item.name, filename),
    ...partHeaders(mediaType, encoding, item),
  ];
  // Text with an encoding of its own is not decoded for its media type.
  const isText = encoding.file === false && typeof item.value === "string";
  return {
    headers,
    content: serializeContent(
      item,
      isText ? "text/plain" : (mediaType ?? "text/plain"),
      encoding.xml,
    ),
  };
}

/** Builds a part that has parts itself. OpenAPI 3.2, "Nested Encoding". */
function nestedPart(
  item: ParameterValue,
  encoding: FieldEncoding & MultipartEncoding,
  binding: BindingContext,
): Part {
  const isObject = isStructured(item.value) && !isReadonlyArray(item.value);
  const { contentType, content } = isObject
    ? multipartBody(fieldsOf(item), encoding, binding)
    : multipartSequence(item, encoding, binding);
  return {
    headers: [contentDisposition(item.name), ...partHeaders(contentType, encoding, item)],
    content,
  };
}

/**
 * Builds the part of a file. It always has a file name, because many servers take a part without
 * one for text.
 * @param givenName absent: the name in the `data:` URI
 */
function filePart(
  item: ParameterValue,
  text: string,
  encoding: FieldEncoding,
  givenName: string | undefined,
): Part {
  const file = decodeFileInput(text);
  const filename = givenName ?? file?.name ?? "file";
  if (file === undefined) item.reportProblem(MALFORMED_FILE);
  const detectedType =
    file?.mediaType ??
    (/[,*]/.test(encoding.contentType ?? "") && file
      ? (detectMediaType(file.bytes) ?? mediaTypeOfFile(filename))
      : undefined);
  const mediaType =
    chooseMediaType(encoding.contentType, detectedType) ??
    file?.mediaType ??
    "application/octet-stream";
  return {
    headers: [contentDisposition(item.name, filename), ...partHeaders(mediaType, encoding, item)],
    content: file?.bytes ?? "",
  };
}

/** Reads the file name from the input: one for a single file, or one for each. */
function filenameOf(
  input: string | undefined,
  index: number,
  binding: BindingContext,
): string | undefined {
  const filenames = input === undefined ? undefined : ownProperty(binding.input, input);
  const name: unknown = Array.isArray(filenames) ? filenames[index] : filenames;
  if (typeof name !== "string" || name === "") return undefined;
  const problem = serializationProblem(name);
  if (problem !== undefined) addProblem(binding, input ?? "", problem);
  return name;
}

function contentDisposition(name: string, filename?: string): Header {
  const file = filename === undefined ? "" : `; filename="${escapeName(filename)}"`;
  return ["Content-Disposition", `form-data; name="${escapeName(name)}"${file}`];
}

/** Escapes a name as browsers do. WHATWG HTML, "multipart/form-data encoding algorithm". */
function escapeName(name: string): string {
  return name.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}

/** Builds the media type header and the constant headers of a part. */
function partHeaders(
  mediaType: string | undefined,
  encoding: FieldEncoding,
  item: ParameterValue,
): readonly Header[] {
  const fixed = Object.entries(encoding.headers ?? {}).filter(
    ([name]) => !/^content-(?:type|disposition)$/i.test(name),
  );
  const headers: readonly Header[] =
    mediaType === undefined ? fixed : [["Content-Type", mediaType], ...fixed];
  if (headers.some(([name, value]) => !isToken(name) || !isHeaderValue(value)))
    item.reportProblem("would have a part header that cannot be sent");
  return headers;
}

function withMediaType(part: Part): Part {
  if (part.headers.some(([name]) => name === "Content-Type")) return part;
  return { ...part, headers: [...part.headers, ["Content-Type", "text/plain; charset=utf-8"]] };
}

function assemble(contentType: string, parts: readonly Part[]): Multipart {
  const boundary = `part-${crypto.randomUUID()}`;
  const chunks = parts.flatMap(({ headers, content }) => [
    `--${boundary}\r\n${headers.map(headerLine).join("")}\r\n`,
    content,
    "\r\n",
  ]);
  return {
    contentType: `${contentType}; boundary=${boundary}`,
    content: encodeChunks([...chunks, `--${boundary}--\r\n`]),
  };
}

function headerLine([name, value]: Header): string {
  return `${name}: ${value}\r\n`;
}

function encodeChunks(chunks: readonly (string | Uint8Array)[]): Uint8Array {
  const encoded = chunks.map((chunk) => (typeof chunk === "string" ? utf8Bytes(chunk) : chunk));
  const size = encoded.reduce((total, { byteLength }) => total + byteLength, 0);
  return concatBytes(encoded, size);
}
