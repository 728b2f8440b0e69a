/** The tool of several operations, whichever merge it is made by. */
import type { JsonSchema } from "../../json.js";
import type { OperationBinding, ToolDefinition } from "../../runtime/types.js";
import { toSentenceCase } from "../names/format-name.js";
import { operationRef } from "../operations/identity.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import type { ToolText } from "../text/parts.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";
import { annotateAll, identifierFor, withoutNamespace } from "../tool.js";
import type { PlannedTool } from "../types.js";
import type { MergedInput, MergedInputs } from "./merge-inputs.js";

/** What merges differ in. */
interface MergedParts {
  /** Requests of the operations, in the order of the document or the configuration. */
  readonly requests: readonly PlannedRequest[];
  readonly inputs: readonly MergedInput[];
  readonly defs: MergedInputs["defs"];
  readonly output: OutputPlan | undefined;
  readonly bindings: readonly OperationBinding[];
  readonly text: ToolText;
  readonly effect?: Pick<ToolDefinition, "effect">;
  /** Why the operations are one tool. */
  readonly reason: string;
}

/** Builds the tool. Its annotations are those of the most dangerous operation. */
export function buildMergedTool(
  { requests, inputs, defs, output, bindings, text, effect, reason }: MergedParts,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTool {
  const operations = requests.map(({ classified }) => classified);
  return {
    definition: {
      name,
      title: toSentenceCase(withoutNamespace(name, context).split("_")),
      description: "",
      annotations: annotateAll(operations),
      inputSchema: mergedInputSchema(inputs, defs),
      ...(output && { outputSchema: output.schema }),
      operations: bindings,
      ...effect,
    },
    text,
    toolset,
    identifier: identifierFor(name, context),
    inputs: inputs.map(({ input }) => input),
    ...(output && { output: output.resultSchema }),
    operations: operations.map(({ operation }) => operationRef(operation)),
    effects: operations.map(({ effects }) => effects),
    reasons: [reason, ...new Set(requests.flatMap((request) => request.inputs.reasons))],
  };
}

/** Input schema of several operations. */
function mergedInputSchema(
  inputs: readonly MergedInput[],
  defs: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const required = inputs.filter(({ input }) => input.required).map(({ input }) => input.name);
  return {
    type: "object",
    properties: Object.fromEntries(inputs.map(({ input, schema }) => [input.name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
}
