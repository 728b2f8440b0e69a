import type { PlannedRequest } from "../tool.js";
import type { Envelope } from "./envelope.js";

/** One operation of a `find_…` tool, the most general first in its list. */
export interface Member {
  readonly role: "list" | "search" | "get";
  readonly request: PlannedRequest;
  /** Where its answer has the items, or the one item. */
  readonly envelope: Envelope;
}

/** A way to use the tool: the inputs that choose it, and the operation that serves it. */
export interface Variant {
  readonly member: Member;
  readonly given: readonly string[];
}

/** Names of the inputs of an operation. */
export function inputNames({ request }: Member): readonly string[] {
  return request.inputs.inputs.map((input) => input.name);
}

export function requiredNames({ request }: Member): readonly string[] {
  return request.inputs.inputs.filter((input) => input.required).map((input) => input.name);
}
