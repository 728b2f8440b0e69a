import type { ToolAnnotations, ToolDefinition } from "../runtime/types.js";
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

/** Effect of an operation as a field of its tool, which has none when it reads. */
export function effectField({
  effects: { effect },
}: ClassifiedOperation): Pick<ToolDefinition, "effect"> {
  return effect === "reads" ? {} : { effect };
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
