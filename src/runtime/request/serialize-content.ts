/** Values as contents of media types: parameters with `content`, fields of forms, text bodies. */
import { isEventStream, isForm, isJson, isJsonLines, isJsonSequence } from "../data/media-types.js";
import {
  isReadonlyArray,
  isStructured,
  itemsOf,
  percentEncode,
  type SerializableValue,
  toJson,
  toText,
} from "./serialize.js";

/** Serializes a value as a media type. A string is the text itself, except in JSON. */
export function serialize(
  { value }: { readonly value: SerializableValue },
  mediaType: string,
): string {
  if (isJson(mediaType)) return toJson(value);
  if (isJsonLines(mediaType))
    return toRecords(value)
      .map((record) => `${toJson(record)}\n`)
      .join("");
  if (isJsonSequence(mediaType))
    return toRecords(value)
      .map((record) => `\x1e${toJson(record)}\n`)
      .join("");
  if (isEventStream(mediaType) && isStructured(value))
    return toRecords(value).map(serializeEvent).join("");
  if (isForm(mediaType) && isStructured(value)) return serializeForm(Object.entries(value));
  return toText(value);
}

/**
 * Serializes `application/x-www-form-urlencoded` by the defaults of the Encoding Object (OpenAPI
 * 3.1.1 and 3.2). Arrays repeat the name, objects are JSON. A space is `%20`, which decoders of
 * forms and of URLs accept.
 */
function serializeForm(
  fields: readonly (readonly [name: string, value: SerializableValue])[],
): string {
  return fields
    .flatMap(([name, value]) =>
      itemsOf(value).map((item) => `${percentEncode(name)}=${percentEncode(toText(item))}`),
    )
    .join("&");
}

/** Serializes one event: `{data, event, id, retry}`, or data alone. WHATWG HTML, section 9.2.5. */
function serializeEvent(event: SerializableValue): string {
  const fields =
    isStructured(event) && !isReadonlyArray(event)
      ? Object.entries(event)
      : [["data", event] as const];
  const lines = fields.flatMap(([name, value]) =>
    value === null || !/^\w+$/.test(name)
      ? []
      : toText(value)
          .split(/\r\n|\n|\r/)
          .map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join("")}\n`;
}

function toRecords(value: SerializableValue): readonly SerializableValue[] {
  return isReadonlyArray(value) ? value : [value];
}
