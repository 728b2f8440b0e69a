/** Values of an error document in XML. */
import type { ApiResponse } from "../../request/types.js";
import { isXml, parseContentType } from "../../data/media-types.js";
import { decodeText } from "../../response/decode.js";
import { decodeEntities } from "./extract.js";

/** Limits of what is read, so that the time is bounded. */
const MAX_READ = 32 * 1024;
const MAX_ELEMENTS = 50;

/** An element without elements in it. */
const LEAF = /<((?:[\w.-]{1,40}:)?([\w.-]{1,60}))(?:\s[^<>]{0,300})?>([^<]{1,2000})<\/\1\s{0,5}>/g;

/**
 * Texts of the innermost elements, by their names: `{"Code": "NoSuchKey", "Key": "a.txt"}`. Empty
 * for a body that is not XML. Of several elements of one name, a list.
 */
export function xmlValues({
  headers,
  body,
  size,
}: Pick<ApiResponse, "headers" | "body" | "size">): Readonly<Record<string, unknown>> {
  const { essence, charset } = parseContentType(headers.get("content-type"));
  if (size === 0 || !isXml(essence) || /html/.test(essence)) return {};
  const text = decodeText(body, charset).text.slice(0, MAX_READ);
  const values = new Map<string, string[]>();
  for (const [, , name = "", content = ""] of [...text.matchAll(LEAF)].slice(0, MAX_ELEMENTS)) {
    values.set(name, [...(values.get(name) ?? []), decodeEntities(content).trim()]);
  }
  return Object.fromEntries(
    [...values].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]),
  );
}
