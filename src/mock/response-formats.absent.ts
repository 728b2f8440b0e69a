/** Stands in for other formats than JSON: no response of the API has one. */
import type { ResponseContent } from "./response-formats.js";

export function serializeAs(_: string, { value }: ResponseContent): string {
  return String(value());
}
