/** One value as the bytes or text of one media type. */
import type { XmlNode } from "../../types.js";
import { contentText } from "../content.js";
import { isBinary, isXml } from "../media-type.js";
import type { WireValue } from "../wire.js";
import { fileContent, MALFORMED_FILE } from "./file.js";
import { xmlDocument } from "./xml.js";

/**
 * `item` as `mediaType`. Strings of binary types are files (see `fileContent`); XML follows `xml`,
 * and a string without it is XML already. Problems are reported to the item.
 */
export function writeContent(
  item: WireValue,
  mediaType: string,
  xml?: XmlNode,
): string | Uint8Array {
  const { value } = item;
  if (isXml(mediaType) && (xml !== undefined || typeof value !== "string"))
    return xmlDocument(item, xml ?? {});
  if (typeof value !== "string" || !isBinary(mediaType)) return contentText(item, mediaType);
  const file = fileContent(value);
  if (file === undefined) item.refuse(MALFORMED_FILE);
  return file?.bytes ?? "";
}
