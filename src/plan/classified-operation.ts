import type { SourceLocation } from "../diagnostics/index.js";
import { toSingleLine } from "../diagnostics/text.js";
import type { Content, Operation, Response } from "../model/types.js";
import type { OperationEffects } from "./effects/index.js";
import type { ParsedOperationId } from "./names/parse-operation-id.js";
import type { OperationRef } from "./types.js";

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

/** Fields that identify an operation. */
interface OperationIdentity {
  readonly method: string;
  readonly path: string;
  readonly location: SourceLocation;
}

/** Key that distinguishes operations, also those of one method and path (`/files#upload`). */
export const operationKey = ({ method, path, location }: OperationIdentity): string =>
  `${method} ${path} ${location.pointer}`;

export const isSameOperation = (one: OperationIdentity, other: OperationIdentity): boolean =>
  operationKey(one) === operationKey(other);

export function operationRef({ operationId, method, path, location }: Operation): OperationRef {
  return { ...(operationId !== undefined && { operationId }), method, path, location };
}

/** Label of an operation in reasons and messages. */
export function operationLabel({ operation }: Pick<ClassifiedOperation, "operation">): string {
  return toSingleLine(operation.operationId ?? `${operation.method} ${operation.path}`).slice(
    0,
    80,
  );
}
