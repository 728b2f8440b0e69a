import type { ToolAnnotations } from "../runtime/types.js";
import type { ClassifiedOperation } from "./classified-operation.js";

/** Annotations of the tool of one operation. */
export function annotate({ effects }: ClassifiedOperation): ToolAnnotations {
  return {
    readOnlyHint: effects.isReadOnly,
    destructiveHint: effects.isDestructive,
    idempotentHint: effects.isRepeatable,
    openWorldHint: true,
  };
}

/** Strictest annotations of several operations. */
export function annotateAll(operations: readonly ClassifiedOperation[]): ToolAnnotations {
  const annotations = operations.map(annotate);
  return {
    readOnlyHint: annotations.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: annotations.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: annotations.every(({ idempotentHint }) => idempotentHint),
    openWorldHint: true,
  };
}
