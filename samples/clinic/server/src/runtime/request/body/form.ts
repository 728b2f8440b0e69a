import { chooseMediaType } from "../../media-types.js";
import type { FieldEncoding, PartEncodings } from "../../types.js";
import { type ParameterValue } from "../parameter-source.js";
import { encodeReservedQuery, percentEncode } from "../percent-encoding.js";
import { isStructured, type SerializableValue } from "../serializable.js";
import { itemsOf, serialize } from "../serialize.js";
import { namedPairs, type Pair } from "../styles.js";
import { ownProperty } from "../../object.js";

/**
 * `application/x-www-form-urlencoded` bodies. OpenAPI 3.1.1 and 3.2, "Encoding the
 * `x-www-form-urlencoded` Media Type".
 */

/**
 * Fields with a `style`, `explode` or `allowReserved` are written as query parameters are. All
 * others by media type: the given one, or text for scalars and JSON for objects; arrays repeat the
 * name, each item written by itself.
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

/** How one field of a form or multipart body is written. OpenAPI 3.1.1, Encoding Object. */

export function encodingOf(
  body: PartEncodings,
  field: Pick<ParameterValue, "name">,
): FieldEncoding {
  return ownProperty(body.encoding, field.name) ?? {};
}

/**
 * True when the field is written as a query parameter would be; its media type does not count then.
 */
export function hasStyle(encoding: FieldEncoding): boolean {
  return (
    encoding.style !== undefined ||
    encoding.explode !== undefined ||
    encoding.allowReserved !== undefined
  );
}

/**
 * The one media type of a value that is no file: of several, JSON for what only JSON can hold
 * whole, else the first.
 */
export function declaredMediaType(
  { contentType }: FieldEncoding,
  value: SerializableValue,
): string | undefined {
  return contentType === undefined
    ? undefined
    : chooseMediaType(contentType, isStructured(value) ? "application/json" : undefined);
}

/** The fields of a value that is an object. */
export function fieldsOf({ value, reportProblem }: ParameterValue): readonly ParameterValue[] {
  return isStructured(value)
    ? Object.entries(value).map(([name, field]) => ({ name, value: field, reportProblem }))
    : [];
}
