/**
 * A value as text of a media type: parameters with `content`, fields of forms, and bodies that are
 * text.
 */
import { isEventStream, isForm, isJson, isJsonLines, isJsonSequence } from "./media-type.js";
import { percentEncode } from "./percent.js";
import { isCompound, isList, type Sendable } from "./sendable.js";
import { jsonText, plainText } from "./text.js";
import type { WireValue } from "./wire.js";

/** `value` as this media type. A string is the text itself, except where the media type is JSON. */
export function contentText({ value }: Pick<WireValue, "value">, mediaType: string): string {
  if (isJson(mediaType)) return jsonText(value);
  if (isJsonLines(mediaType))
    return records(value)
      .map((record) => `${jsonText(record)}\n`)
      .join("");
  if (isJsonSequence(mediaType))
    return records(value)
      .map((record) => `\x1e${jsonText(record)}\n`)
      .join("");
  if (isEventStream(mediaType) && isCompound(value)) return records(value).map(eventText).join("");
  if (isForm(mediaType) && isCompound(value)) return formText(Object.entries(value));
  return plainText(value);
}

/**
 * `application/x-www-form-urlencoded` by the defaults of the Encoding Object (OpenAPI 3.1.1 and
 * 3.2): arrays repeat the name, objects are JSON. Spaces are `%20`, which every decoder of forms
 * reads, and those of plain URLs too.
 */
export function formText(fields: readonly (readonly [name: string, value: Sendable])[]): string {
  return fields
    .flatMap(([name, value]) =>
      itemsOf(value).map((item) => `${percentEncode(name)}=${percentEncode(plainText(item))}`),
    )
    .join("&");
}

/** The items of an array, or the value alone; never `null`, which a form cannot express. */
export function itemsOf(value: Sendable): readonly Sendable[] {
  return (isList(value) ? value : [value]).filter((item) => item !== null);
}

/** One event: `{data, event, id, retry}`, or data alone. WHATWG HTML, section 9.2.5. */
function eventText(event: Sendable): string {
  const fields =
    isCompound(event) && !isList(event) ? Object.entries(event) : [["data", event] as const];
  const lines = fields.flatMap(([name, value]) =>
    value === null || !/^\w+$/.test(name)
      ? []
      : plainText(value)
          .split(/\r\n|\n|\r/)
          .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join("")}\n`;
}

function records(value: Sendable): readonly Sendable[] {
  return isList(value) ? value : [value];
}
