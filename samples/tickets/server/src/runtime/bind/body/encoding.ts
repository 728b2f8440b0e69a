/** How one field of a form or multipart body is written. OpenAPI 3.1.1, Encoding Object. */
import type { BodyBinding, FieldEncoding } from "../../types.js";
import { own, type WireValue } from "../wire.js";

export function encodingOf(body: BodyBinding, field: Pick<WireValue, "name">): FieldEncoding {
  return own(body.encoding, field.name) ?? {};
}

/** True when the field is written as a query parameter would be; its media type does not count then. */
export function isStyled(encoding: FieldEncoding): boolean {
  return encoding.style !== undefined || encoding.explode !== undefined || encoding.allowReserved !== undefined;
}
