import type { Evidence, OperationEffects } from "../../plan/effects/index.js";
import type { OperationRef, PlannedTool, ToolPlan } from "../../plan/types.js";

/** Indications that are shown for the effect of an operation. */
const MAX_EVIDENCE = 3;

/** An operation that a tool stands for. */
export interface ReportSource {
  readonly operation: string;
  readonly operationId?: string;
  /** What it does, and the evidence: `reads: GET, summary "list owners"`. Absent for workflows. */
  readonly evidence?: string;
  /** The tool that it is with one tool per operation. */
  readonly alone?: { readonly tool: string; readonly tokens: number };
}

/**
 * Reads the operations that a tool stands for.
 * @param baseline plan of the same document with one tool per operation
 */
export function derivationReader(
  baseline: ToolPlan | undefined,
): (tool: PlannedTool) => readonly ReportSource[] {
  const aloneByKey = new Map<string, ReportSource["alone"]>();
  baseline?.tools.forEach(({ definition: { name }, operations: [operation] }, i) => {
    const tokens = baseline.budget.costs[i]?.tokens ?? 0;
    if (operation) aloneByKey.set(keyOf(operation), { tool: name, tokens });
  });
  return ({ operations, effects }) =>
    operations.map((operation, i) => {
      const { method, path, operationId } = operation;
      const alone = aloneByKey.get(keyOf(operation));
      return {
        operation: `${method} ${path}`,
        ...(operationId !== undefined && { operationId }),
        ...(effects?.[i] && { evidence: explain(effects[i]) }),
        ...(alone && { alone }),
      };
    });
}

function explain({ effect, evidence }: OperationEffects): string {
  const own = evidence.filter((item) => item.effect === effect).slice(0, MAX_EVIDENCE);
  return `${effect}: ${own.map(wordsOf).join(", ")}`;
}

function wordsOf({ source, words }: Evidence): string {
  return source === "method" ? words : `${source} "${words}"`;
}

/** Key of an operation, as far as a document has it: its place. */
export function keyOf({ method, location }: OperationRef): string {
  return `${method} ${location.file ?? ""} ${location.pointer}`;
}
