/** Examples of calls: what a user says, and the inputs that answer it. */
import type { CallExample } from "../../configuration/types.js";
import { quoteText, sanitizeText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { isObject } from "../../json.js";
import { validateInput } from "../../runtime/tools/validate-input.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/** Adds the examples of a rule to the text of a tool. Invalid inputs are errors. */
export function applyExamples(
  tool: PlannedTool,
  { config: { examples = [] }, locationOf }: Rule,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  const valid = examples.flatMap((example, i): readonly CallExample[] => {
    // In x-mcp, items can have any form.
    if (!isObject(example) || typeof example.say !== "string" || !isObject(example.call)) return [];
    const problems = findProblems(tool, example);
    for (const problem of problems)
      diagnostics.add(
        "config-incompatible-value",
        `The example of ${tool.definition.name} is not a valid call: ${problem}`,
        locationOf("examples", i, "call"),
        "Correct the inputs of the call.",
      );
    const { say, call } = example;
    return problems.length > 0
      ? []
      : [{ say: sanitizeText(say.replace(/\s+/g, " ")).trim(), call }];
  });
  return valid.length === 0 ? tool : { ...tool, text: { ...tool.text, examples: valid } };
}

function findProblems(
  { definition, inputs }: PlannedTool,
  { call }: CallExample,
): readonly string[] {
  const names = inputs.map(({ name }) => name);
  const unknown = Object.keys(call).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    return unknown.map(
      (name) => `it has no input ${quoteText(name)}${suggestionFor(name, names) || "."}`,
    );
  const validated = validateInput(definition.inputSchema, call);
  return validated.ok
    ? []
    : validated.problems.map(({ input, problem }) => `${[input, problem].join(" ").trim()}.`);
}
