/** Operations that the document describes and the API does not offer. */
import type { Operation } from "../../model/types.js";

/** Maximum number of characters of a description that are read: a limitation stands at its start. */
const MAX_READ = 300;

const NOT_OFFERED = [
  /\bnot (?:yet |currently )?implemented\b/i,
  /\b(?:this|the) (?:endpoint|operation|method|call|route) (?:is|has been|was) (?:now |currently |temporarily |permanently )?(?:disabled|deactivated|discontinued|removed|switched off)\b/i,
];

/** True if the document's words say that an operation is not implemented, or disabled. */
export function isUnavailable({ summary = "", description = "" }: Operation): boolean {
  const text = `${summary}\n${description.slice(0, MAX_READ)}`;
  return NOT_OFFERED.some((pattern) => pattern.test(text));
}
