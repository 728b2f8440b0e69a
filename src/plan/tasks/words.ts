import { oneLine } from "../../diagnostics/clean.js";
import { isObject } from "../../json.js";
import type { Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";

/** How reasons and messages call an operation. */
export function labelOf({ operation }: Pick<Subject, "operation">): string {
  return oneLine(operation.operationId ?? `${operation.method} ${operation.path}`).slice(0, 80);
}

/**
 * What the document says about an operation; the description that it has for agents (`x-mcp`) goes
 * first.
 */
export function documentText({ xMcp, summary = "", description = "" }: Operation): {
  readonly summary: string;
  readonly description: string;
  readonly forAgents: boolean;
} {
  const own =
    isObject(xMcp) && typeof xMcp.description === "string" && xMcp.description.trim() !== ""
      ? xMcp.description
      : undefined;
  return own === undefined
    ? { summary, description, forAgents: false }
    : { summary: "", description: own, forAgents: true };
}

/** The words of the last piece of a path that has any: what the operation is about. */
export function collectionWords({ parts }: Pick<Subject, "parts">): readonly string[] {
  const last = parts.findLast((part) => part.kind === "words");
  return last?.kind === "words" ? last.words : [];
}
