import type { RequestHeader } from "../load/types.js";

/** Message about a header that cannot be sent. */
export const INVALID_HEADER =
  'MCP_GEN_HEADER must be the name and the value of a header, as in "Authorization: Bearer …"';

/** Reads the header of the request for the document from `MCP_GEN_HEADER`. */
export function readDocumentHeader({
  MCP_GEN_HEADER: text,
}: NodeJS.ProcessEnv): RequestHeader | undefined | "invalid" {
  if (!text) return undefined;
  const [, name = "", value = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  try {
    const [header] = new Headers([[name, value.trim()]]);
    return header;
  } catch {
    return "invalid";
  }
}
