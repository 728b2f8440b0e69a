import { isObject, type JsonSchema } from "../json.js";

/** RFC 9110, section 8.3.1, without parameters. Ranges (`image/*`) have the same form. */
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** A media type parameter: a token or a quoted string, in visible ASCII. */
const PARAMETER =
  /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+=("[\x20-\x21\x23-\x5b\x5d-\x7e]*"|[!#$%&'*+.^_`|~0-9a-zA-Z-]+)$/;

/**
 * Text up to the next separator. Parameters follow a semicolon; documents also write a comma before
 * one. Separators inside quotes do not count.
 */
const SEGMENT = /(?:"[^"]*"|[^;,]|,(?!\s*[!#$%&'*+.^_`|~0-9a-z-]+=))+/gi;

interface MediaType {
  /** Lower case. Only multipart types, which are never compared, include parameters. */
  readonly name: string;
  /** Parameters of other types, except `charset`: `version=2`. */
  readonly parameters: readonly string[];
  /** Parameters that cannot be sent. */
  readonly droppedParameters: readonly string[];
}

/**
 * Parses a media type.
 * @returns undefined for an invalid one, which must never reach a header
 */
export function parseMediaType(text: string): MediaType | undefined {
  const [type = "", ...parameterTexts] = text.match(SEGMENT) ?? [];
  const name = type.trim().toLowerCase();
  const parameters = parameterTexts
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== "");
  if (!MEDIA_TYPE.test(name) || /[\u0000-\u001f\u007f]/.test(text)) return undefined;
  const valid = parameters.filter(
    (parameter) => PARAMETER.test(parameter) && !/^boundary=/i.test(parameter),
  );
  if (name.startsWith("multipart/"))
    return { name: [name, ...valid].join("; "), parameters: [], droppedParameters: [] };
  const relevant = parameters.filter((parameter) => !/^charset=/i.test(parameter));
  // In lists of media types, commas, asterisks and `q` have a meaning of their own.
  const sendable = relevant.filter(
    (parameter) => valid.includes(parameter) && !/^q=|[,*]/i.test(parameter),
  );
  return {
    name,
    parameters: sendable,
    droppedParameters: relevant.filter((parameter) => !sendable.includes(parameter)),
  };
}

/** The media type with its parameters, as it is sent. */
export function formatMediaType({ name, parameters }: MediaType): string {
  return [name, ...parameters].join("; ");
}

/** True for media types with parts or pairs that an Encoding Object can describe. */
export function isFormType(mediaType: string): boolean {
  return mediaType.startsWith("multipart/") || mediaType === "application/x-www-form-urlencoded";
}

export function isXmlType(mediaType: string): boolean {
  return /[/+]xml$/.test(mediaType);
}

/**
 * Chooses the concrete type for a media range.
 * - `text/*` becomes plain text.
 * - `*\/*` and `application/*` follow the schema: octet-stream for binary strings and without a
 * schema, plain text for other strings, else JSON.
 * - `multipart/*` becomes octet-stream in requests without a schema of fields.
 * - Other ranges (`image/*`) stay unchanged: a request has the type of its file.
 */
export function concreteMediaType(
  name: string,
  schema: JsonSchema | undefined,
  direction: "request" | "response",
): string {
  if (!name.endsWith("/*")) return name;
  if (name === "text/*") return "text/plain";
  const isOpaque = schema === undefined || schema.type === "string";
  if (name === "multipart/*" && isOpaque && direction === "request")
    return "application/octet-stream";
  if (name !== "*/*" && name !== "application/*") return name;
  if (schema === undefined || isBinary(schema)) return "application/octet-stream";
  return schema.type === "string" ? "text/plain" : "application/json";
}

function isBinary(schema: JsonSchema): boolean {
  if (schema.type !== "string" && schema.type !== undefined) return false;
  return (
    schema.format === "binary" ||
    schema.format === "byte" ||
    schema.contentEncoding !== undefined ||
    (isObject(schema) && schema.contentMediaType !== undefined)
  );
}
