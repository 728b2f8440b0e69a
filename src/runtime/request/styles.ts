/**
 * Parameter styles: values as `name=value` pairs, or as text in a path or a header; and forms,
 * whose fields may have a style.
 *
 * OpenAPI 3.1.1, "Style Examples", and 3.2 for `cookie`. RFC 6570, sections 2.3 and 3.2, for the
 * rest: `null`, empty arrays and empty objects are omitted, an empty string is a value.
 * Beyond both, as real APIs read it:
 * - an array or object inside an exploded or delimited value is JSON;
 * - `deepObject` nests, `a[b][c]=1`, and numbers the items of arrays, `a[0]=x`, at every level;
 * - `spaceDelimited` and `pipeDelimited` with `explode` repeat the parameter, as `form` does.
 */
import { chooseMediaType } from "../data/media-types.js";
import { ownProperty } from "../data/values.js";
import type { FieldEncoding, PartEncodings } from "../types.js";
import type { ParameterValue } from "./parameter-source.js";
import {
  type Encode,
  encodeReservedQuery,
  isReadonlyArray,
  isStructured,
  itemsOf,
  percentEncode,
  type SerializableValue,
  toText,
  verbatim,
} from "./serialize.js";
import { serialize } from "./serialize-content.js";

/** Encoded name and value of a query, a form or a cookie. */
export type Pair = readonly [name: string, value: string];

/** Encoders of names and values at the location of the pairs. */
export interface Codec {
  readonly name: Encode;
  readonly value: Encode;
}

/**
 * Writes the pairs of a query, cookie or form, encoded. The caller writes the delimiters between
 * them.
 */
export function namedPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  switch (parameter.style) {
    case "deepObject":
      return deepObjectPairs(parameter, codec);
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      return delimitedPairs(parameter, codec, DELIMITERS[parameter.style]);
    default:
      return pairsOf(parameter, codec, parameter.explode ?? true, ",");
  }
}

/** Writes the text of a path parameter, with the prefix of `matrix` and `label`. */
export function pathText(parameter: ParameterValue, encode: Encode): string {
  const explode = parameter.explode ?? false;
  switch (parameter.style) {
    case "matrix":
      return pairsOf(parameter, { name: encode, value: encode }, explode, ",")
        .map(matrixPair)
        .join("");
    case "label":
      return labelText(listText(parameter.value, encode, explode, explode ? "." : ","));
    default:
      return delimitedText(parameter, encode) ?? "";
  }
}

/** Delimiters of ssv, pipes and tsv of Swagger 2.0. */
const DELIMITERS = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" } as const;

/**
 * Writes items in a path or header, delimited by commas or by an encoded delimiter of Swagger 2.0.
 */
function delimitedText(parameter: ParameterValue, encode: Encode): string | undefined {
  const { style, value, explode = false } = parameter;
  if (style !== "spaceDelimited" && style !== "pipeDelimited" && style !== "tabDelimited")
    return listText(value, encode, explode, ",");
  return reportDelimiter(parameter, DELIMITERS[style])
    ? undefined
    : listText(value, encode, false, encode(DELIMITERS[style]));
}

/**
 * Writes the style `simple` of a header, without percent-encoding. OpenAPI 3.2, "Fixed Fields for
 * use with `schema`".
 */
export function headerText(parameter: ParameterValue): string | undefined {
  const { value } = parameter;
  if (isStructured(value) && flattenMembers(membersOf(value)).some(isSplitOrTrimmed))
    parameter.reportProblem(
      "has an item with a comma, or with a space or tab at an end, which separate items here",
    );
  return delimitedText(parameter, verbatim);
}

/**
 * A quoted string, or the rest of the text after a quote without an end, so that no character is
 * read twice. RFC 9110, section 5.6.4.
 */
const QUOTED_STRING = /"(?:\\.|[^"\\])*("|\\?$)/gs;

/** True for an item that would arrive as others. Commas in quotes stay. RFC 9110, section 5.6. */
function isSplitOrTrimmed(item: string): boolean {
  const unquoted = item.replace(QUOTED_STRING, (text, end) => (end === '"' ? "" : text));
  return unquoted.includes(",") || /^[\t ]|[\t ]$/.test(item);
}

/** A member of an array or object as text. Items have no key. `null` is omitted. */
type Member = readonly [key: string | undefined, text: string];

function membersOf(value: Extract<SerializableValue, object>): readonly Member[] {
  const entries = isReadonlyArray(value)
    ? value.map((item) => [undefined, item] as const)
    : Object.entries(value);
  return entries
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, toText(member)]);
}

/** Flattens members: `["a", "b"]` and `{a: "b"}` become `a`, `b`. */
function flattenMembers(members: readonly Member[]): readonly string[] {
  return members.flatMap(([key, text]) => (key === undefined ? [text] : [key, text]));
}

function pairsOf(
  parameter: ParameterValue,
  codec: Codec,
  explode: boolean,
  delimiter: string,
): readonly Pair[] {
  const name = codec.name(parameter.name);
  if (!isStructured(parameter.value)) return [[name, codec.value(toText(parameter.value))]];
  const members = membersOf(parameter.value);
  if (members.length === 0) return [];
  if (!explode) return [[name, flattenMembers(members).map(codec.value).join(delimiter)]];
  return members.map(([key, text]) => [
    key === undefined ? name : codec.name(key),
    codec.value(text),
  ]);
}

/** Writes an expansion without a name; `undefined` when it is empty. */
function listText(
  value: SerializableValue,
  encode: Encode,
  explode: boolean,
  delimiter: string,
): string | undefined {
  if (!isStructured(value)) return encode(toText(value));
  const members = membersOf(value);
  if (members.length === 0) return undefined;
  if (!explode) return flattenMembers(members).map(encode).join(delimiter);
  return members
    .map(([key, text]) => (key === undefined ? encode(text) : `${encode(key)}=${encode(text)}`))
    .join(delimiter);
}

/** Writes a matrix pair. For an empty value, only the name is written. RFC 6570, section 3.2.7. */
function matrixPair([name, value]: Pair): string {
  return value === "" ? `;${name}` : `;${name}=${value}`;
}

function labelText(text: string | undefined): string {
  return text === undefined ? "" : `.${text}`;
}

function delimitedPairs(
  parameter: ParameterValue,
  codec: Codec,
  delimiter: Delimiter,
): readonly Pair[] {
  const explode = parameter.explode ?? false;
  return !explode && reportDelimiter(parameter, delimiter)
    ? []
    : pairsOf(parameter, codec, explode, codec.value(delimiter));
}

type Delimiter = (typeof DELIMITERS)[keyof typeof DELIMITERS];
const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  " ": "a space",
  "|": '"|"',
  "\t": "a tab",
};

/**
 * Reports an item that contains the delimiter, because it would arrive encoded like any other
 * character.
 */
function reportDelimiter({ value, reportProblem }: ParameterValue, delimiter: Delimiter): boolean {
  if (
    !isStructured(value) ||
    !flattenMembers(membersOf(value)).some((text) => text.includes(delimiter))
  )
    return false;
  reportProblem(`has an item with ${DELIMITER_NAMES[delimiter]} in it, which separates items here`);
  return true;
}

function deepObjectPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  const descend = (name: string, value: SerializableValue): readonly Pair[] => {
    if (value === null) return [];
    if (!isStructured(value)) return [[codec.name(name), codec.value(toText(value))]];
    return Object.entries(value).flatMap(([key, member]) => {
      if (/[[\]]/.test(key))
        parameter.reportProblem('has a key with "[" or "]" in it, which denote nesting here');
      return descend(`${name}[${key}]`, member);
    });
  };
  return descend(parameter.name, parameter.value);
}

/**
 * Serializes a body of `application/x-www-form-urlencoded`. OpenAPI 3.1.1 and 3.2, "Encoding the
 * `x-www-form-urlencoded` Media Type". Fields with `style`, `explode` or `allowReserved`
 * are written like query parameters. Others are written by media type: the declared one, otherwise
 * text for scalars and JSON for objects. Arrays repeat the name.
 */
export function formBody(fields: readonly ParameterValue[], body: PartEncodings): string {
  return fields
    .flatMap((field) => fieldPairs(field, encodingOf(body, field)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function fieldPairs(field: ParameterValue, encoding: FieldEncoding): readonly Pair[] {
  if (hasStyle(encoding)) {
    const { style, explode, allowReserved } = encoding;
    return namedPairs(
      { ...field, style, explode },
      { name: percentEncode, value: allowReserved === true ? encodeReservedQuery : percentEncode },
    );
  }
  return itemsOf(field.value).map((item) => {
    const mediaType =
      declaredMediaType(encoding, item) ?? (isStructured(item) ? "application/json" : "text/plain");
    return [percentEncode(field.name), percentEncode(serialize({ value: item }, mediaType))];
  });
}

/** Returns the encoding of a field. OpenAPI 3.1.1, Encoding Object. */
export function encodingOf(
  body: PartEncodings,
  field: Pick<ParameterValue, "name">,
): FieldEncoding {
  return ownProperty(body.encoding, field.name) ?? {};
}

/** True if a field is written like a query parameter. Its media type is ignored then. */
export function hasStyle(encoding: FieldEncoding): boolean {
  return (
    encoding.style !== undefined ||
    encoding.explode !== undefined ||
    encoding.allowReserved !== undefined
  );
}

/**
 * Chooses the media type of a value that is not a file: of several, JSON for arrays and objects,
 * otherwise the first.
 */
export function declaredMediaType(
  { contentType }: FieldEncoding,
  value: SerializableValue,
): string | undefined {
  return contentType === undefined
    ? undefined
    : chooseMediaType(contentType, isStructured(value) ? "application/json" : undefined);
}

/** Lists the fields of an object. */
export function fieldsOf({
  value,
  reportProblem,
}: Pick<ParameterValue, "value" | "reportProblem">): readonly ParameterValue[] {
  return isStructured(value)
    ? Object.entries(value).map(([name, field]) => ({ name, value: field, reportProblem }))
    : [];
}
