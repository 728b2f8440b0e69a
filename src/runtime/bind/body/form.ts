/**
 * `application/x-www-form-urlencoded` bodies. OpenAPI 3.1.1 and 3.2, "Encoding the
 * `x-www-form-urlencoded` Media Type".
 */
import type { FieldEncoding, PartEncodings } from "../../types.js";
import { contentText, itemsOf } from "../content.js";
import { encodeReservedQuery, percentEncode } from "../percent.js";
import { isCompound } from "../sendable.js";
import { namedPairs, type Pair } from "../styles.js";
import type { WireValue } from "../wire.js";
import { declaredType, encodingOf, isStyled } from "./encoding.js";

/**
 * Fields with a `style`, `explode` or `allowReserved` are written as query parameters are. All
 * others by media type: the given one, or text for scalars and JSON for objects; arrays repeat the
 * name, each item written by itself.
 */
export function formBody(fields: readonly WireValue[], body: PartEncodings): string {
  return fields
    .flatMap((field) => fieldPairs(field, encodingOf(body, field)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function fieldPairs(field: WireValue, encoding: FieldEncoding): readonly Pair[] {
  if (isStyled(encoding)) {
    const { style, explode, allowReserved } = encoding;
    return namedPairs(
      { ...field, style, explode },
      { name: percentEncode, value: allowReserved === true ? encodeReservedQuery : percentEncode },
    );
  }
  return itemsOf(field.value).map((item) => {
    const mediaType =
      declaredType(encoding, item) ?? (isCompound(item) ? "application/json" : "text/plain");
    return [percentEncode(field.name), percentEncode(contentText({ value: item }, mediaType))];
  });
}
