import type { SourceLocation } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import type { JsonValue } from "../../runtime/types.js";
import {
  type BoundParameter,
  boundParameters,
  changeInput,
  sourceInput,
} from "../bound-parameters.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { fixedValueSchema, fixedValueSentence } from "../merges/merge-inputs.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";

/** Input whose presence selects one of several operations. */
export function selectingInput(
  tool: PlannedTool,
  matches: (parameter: BoundParameter) => boolean,
): string | undefined {
  const inputs = new Set(
    boundParameters(tool).flatMap((parameter) =>
      matches(parameter) ? (sourceInput(parameter.source) ?? []) : [],
    ),
  );
  const selecting = tool.definition.operations.flatMap(({ whenProvided }) => whenProvided);
  return selecting.find((name) => inputs.has(name));
}

/** Keeps an input that selects an operation, with the configured value only. */
export function keepSelectingInput(tool: PlannedTool, name: string, value: JsonValue): PlannedTool {
  const schema = fixedValueSchema(value);
  const kept = changeInput(tool, name, (input) => {
    const description = appendSentences(input.description, fixedValueSentence(value));
    return { input: { ...input, type: schema, description }, schema: { ...schema, description } };
  });
  return {
    ...kept,
    reasons: [
      ...kept.reasons,
      `${quoteText(name, 60)} takes one value, as configured; it selects the operation.`,
    ],
  };
}

/** Rejects a value that is not known at generation for an input that selects an operation. */
export function rejectSelectingInput(
  tool: PlannedTool,
  name: string,
  location: SourceLocation,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  diagnostics.add(
    "config-incompatible-value",
    `${quoteText(name)} selects one of the operations of ${tool.definition.name}.`,
    location,
    "Use fixed, or give that operation a tool of its own.",
  );
  return tool;
}
