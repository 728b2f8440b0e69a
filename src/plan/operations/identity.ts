/** Identity and labels of operations. */
import type { SourceLocation } from "../../diagnostics/index.js";
import { toSingleLine } from "../../diagnostics/text.js";
import type { Operation } from "../../model/types.js";
import type { ClassifiedOperation, OperationRef } from "./types.js";

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
