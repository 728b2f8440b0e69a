import { chooseMediaType } from "../../data/media-types.js";
import { ownProperty } from "../../data/object.js";
import type { FieldEncoding, PartEncodings } from "../../types.js";
import type { ParameterValue } from "../parameter-source.js";
import { encodeReservedQuery, percentEncode } from "../percent-encoding.js";
import { isStructured, itemsOf, type SerializableValue, serialize } from "../serialize.js";
import { namedPairs, type Pair } from "../styles.js";

/**
 * Bodies of `application/x-www-form-urlencoded`. OpenAPI 3.1.1 and 3.2, "Encoding the
 * `x-www-form-urlencoded` Media Type".
 */

/**
 * Serializes fields. Those with `style`, `explode` or `allowReserved` are written like query
 * parameters. Others are written by media type: the declared one, otherwise text for scalars and
 * JSON for objects. Arrays repeat the name.
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
export function fieldsOf({ value, reportProblem }: ParameterValue): readonly ParameterValue[] {
  return isStructured(value)
    ? Object.entries(value).map(([name, field]) => ({ name, value: field, reportProblem }))
    : [];
}
