import { flatten } from "./markdown.js";
import { opening } from "./opening.js";
import { ended, fit } from "./sentences.js";

/** Hosts cut descriptions at 1,024 characters; ours end before. */
export const MAX_DESCRIPTION = 1000;

/** What a description is written from. */
export interface DescriptionSource {
  readonly name: string;
  readonly method: string;
  /** Flattened already: the title is made of it too. */
  readonly summary: string;
  readonly description?: string | undefined;
  /** `Returns …`, when there is something to say. */
  readonly returns?: string | undefined;
  readonly deprecated: boolean;
}

/**
 * What a model reads about a tool: what it does, what else the document says, what comes back, what it changes.
 * The document's language is kept. The middle gives way when there is too much.
 */
export function describeTool(source: DescriptionSource): string {
  const { first, rest } = opening(source.name, source.summary, flatten(source.description ?? ""));
  const tail = [source.returns, sideEffect(source), source.deprecated ? "Deprecated." : undefined].filter((part) => part !== undefined).join(" ");
  const room = MAX_DESCRIPTION - first.length - tail.length - 2;
  const middle = rest === "" ? "" : fit(ended(rest), room);
  return [first, middle, tail].filter((part) => part !== "").join(" ");
}

/** What a DELETE deletes, nothing brings back; but to unfollow or unlock something deletes no data. */
function sideEffect({ method, name }: DescriptionSource): string | undefined {
  return method === "DELETE" && /(^|_)(delete|remove|destroy|purge|erase)(_|$)/.test(name) ? "Deletes data; cannot be undone." : undefined;
}
