import { quoteText } from "../../diagnostics/clean.js";
import type { Findings } from "../findings.js";
import type { Subject } from "../kind.js";
import type { ToolName } from "./index.js";
import { wordsOf } from "./words.js";

/** Says which names are not what their operationIds ask for. */
export function reportNames(
  subjects: readonly Subject[],
  names: ReadonlyMap<Subject, ToolName>,
  findings: Findings,
): void {
  for (const subject of subjects) {
    const { operationId, place } = subject.operation;
    const named = names.get(subject) as ToolName;
    if (
      operationId !== undefined &&
      named.from === "path" &&
      wordsOf(operationId).join("").length < 2
    ) {
      findings.add(
        "plan-name",
        `The operationId ${quoteText(operationId, 60)} gives no name in ASCII letters; the tool is called ${named.name} by its path.`,
        place,
      );
    }
    if (named.clash === undefined) continue;
    findings.add(
      "plan-name-clash",
      `Another operation has the same name; this one is called ${named.name}.`,
      place,
      "Give the operation an operationId of its own.",
    );
  }
}
