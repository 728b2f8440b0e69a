import type { Content, Operation, Response } from "../model/types.js";
import type { OperationEffects } from "./effects/types.js";
import type { ParsedOperationId } from "./names/parse-operation-id.js";

/** Role of an operation for its resource. */
export type OperationKind =
  | "list"
  | "get"
  | "search"
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "action";

/** An operation with the facts that follow from its path and responses. */
export interface OperationFacts {
  readonly operation: Operation;
  readonly pathParts: readonly PathSegment[];
  /** The last segment of the path is a verb: `/pets/{id}/adopt`, `/pets/findByStatus`. */
  readonly endsInVerb: boolean;
  /** Success responses, and their JSON contents. */
  readonly successResponses: readonly Response[];
  readonly jsonContents: readonly Content[];
  /** Absent without an operationId that says more than method and path. */
  readonly parsedId?: ParsedOperationId;
}

/** An operation with the facts that naming, describing and annotating need. Created once. */
export interface ClassifiedOperation extends OperationFacts {
  readonly kind: OperationKind;
  readonly effects: OperationEffects;
}

/** One segment of a path template, or a part of one. */
export type PathSegment =
  | { readonly kind: "words"; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: "param"; readonly name: string };
