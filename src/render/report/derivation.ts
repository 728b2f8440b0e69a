import type { Evidence, OperationEffects } from "../../plan/effects/index.js";
import type { Operation } from "../../model/types.js";
import type { OperationRef, PlannedTool, ToolPlan } from "../../plan/types.js";

/** Indications that are shown for the effect of an operation. */
const MAX_EVIDENCE = 3;

/** An operation that a tool stands for. */
export interface ReportSource {
  readonly operation: string;
  readonly operationId?: string;
  /** The effect and the evidence for it: `reads: GET, summary "list owners"`. Absent for workflows. */
  readonly evidence?: string;
  /** Summary and description in the document, shortened. Absent without any. */
  readonly text?: string;
  /** The tool that it is with one tool per operation. */
  readonly alone?: { readonly tool: string; readonly tokens: number };
}

const MAX_TEXT_LENGTH = 2000;

/**
 * Reads the operations that a tool stands for.
 * @param documented operations of the document
 * @param baseline plan of the same document with one tool per operation
 */
export function derivationReader(
  documented: ToolPlan["mock"]["operations"],
  baseline: ToolPlan | undefined,
): (tool: PlannedTool) => readonly ReportSource[] {
  const aloneByKey = new Map<string, ReportSource["alone"]>();
  baseline?.tools.forEach(({ definition: { name }, operations: [operation] }, i) => {
    const tokens = baseline.budget.costs[i]?.tokens ?? 0;
    if (operation) aloneByKey.set(keyOf(operation), { tool: name, tokens });
  });
  const texts = new Map(documented.map((operation) => [keyOf(operation), textOf(operation)]));
  return ({ operations, effects }) =>
    operations.map((operation, i) => {
      const { method, path, operationId } = operation;
      const alone = aloneByKey.get(keyOf(operation));
      const text = texts.get(keyOf(operation)) ?? "";
      return {
        operation: `${method} ${path}`,
        ...(operationId !== undefined && { operationId }),
        ...(effects?.[i] && { evidence: explain(effects[i]) }),
        ...(text !== "" && { text }),
        ...(alone && { alone }),
      };
    });
}

function textOf({
  summary = "",
  description = "",
}: Pick<Operation, "summary" | "description">): string {
  const text = [summary, description].filter((part) => part.trim() !== "").join("\n");
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
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
