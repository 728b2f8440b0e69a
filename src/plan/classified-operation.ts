import type { Content, Operation, Response } from "../model/types.js";

/** Effect of an operation on its resource. */
export type OperationKind =
  | "list"
  | "get"
  | "search"
  | "create"
  | "update"
  | "replace"
  | "delete"
  | "action";

/** An operation with the facts that naming, describing and annotating need. Created once. */
export interface ClassifiedOperation {
  readonly operation: Operation;
  readonly pathParts: readonly PathSegment[];
  readonly kind: OperationKind;
  /** The last segment of the path is a verb: `/pets/{id}/adopt`, `/pets/findByStatus`. */
  readonly endsInVerb: boolean;
  /** Success responses, and their JSON contents. */
  readonly successResponses: readonly Response[];
  readonly jsonContents: readonly Content[];
}

/** One segment of a path template, or a part of one. */
export type PathSegment =
  | { readonly kind: "words"; readonly text: string; readonly words: readonly string[] }
  | { readonly kind: "param"; readonly name: string };
