/** How one field of a form or multipart body is written. OpenAPI 3.1.1, Encoding Object. */
import type { FieldEncoding, PartEncodings } from "../../types.js";
import { chooseMediaType } from "../media-type.js";
import { isCompound, type Sendable } from "../sendable.js";
import { own, type WireValue } from "../wire.js";

export function encodingOf(body: PartEncodings, field: Pick<WireValue, "name">): FieldEncoding {
  return own(body.encoding, field.name) ?? {};
}

/**
 * True when the field is written as a query parameter would be; its media type does not count then.
 */
export function isStyled(encoding: FieldEncoding): boolean {
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
export function declaredType({ contentType }: FieldEncoding, value: Sendable): string | undefined {
  return contentType === undefined
    ? undefined
    : chooseMediaType(contentType, isCompound(value) ? "application/json" : undefined);
}

/** The fields of a value that is an object. */
export function fieldsOf({ value, refuse }: WireValue): readonly WireValue[] {
  return isCompound(value)
    ? Object.entries(value).map(([name, field]) => ({ name, value: field, refuse }))
    : [];
}
