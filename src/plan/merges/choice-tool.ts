import { effectField, requestMapping, withoutNamespace } from "../tool.js";
import { writeOpening } from "../descriptions/opening.js";
import { cleanProse } from "../descriptions/prose.js";
import type { ToolText } from "../text/parts.js";
import { writeToolText } from "../descriptions/tool.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { operationLabel } from "../operations/identity.js";
import type { OperationBinding } from "../../runtime/types.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import type { PlannedTask, ToolContext } from "../tool-context.js";
import { agentText } from "./find-description.js";
import { describeUsage } from "./find-tool.js";
import type { FindMerge } from "./find.js";
import { buildMergedTool } from "./merged-tool.js";

const NO_NEXT_INPUTS: ReadonlySet<string> = new Set();

/**
 * Builds the tool of operations without a list. The provided inputs choose the operation: create,
 * or replace with an ID. The result is the result of the chosen operation.
 */
export function buildChoiceTool(
  find: FindMerge,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const operations = find.members.map(({ request }) => request.classified);
  const requests = find.members.map(({ request }) => request);
  const output = choiceOutput(operations, context);
  const variants = orderVariants(find);
  const returns = output && context.describeOutput(output);
  const parts = {
    requests,
    inputs: find.inputs.inputs.map((merged) => describeUsage(merged, find, NO_NEXT_INPUTS)),
    defs: find.inputs.defs,
    output,
    bindings: choiceBindings(find, output, context),
    text: choiceText(variants, withoutNamespace(name, context), returns, context),
    effect: effectField(variants[0].member.request.classified),
    reason: `Merges ${operations.map(operationLabel).join(", ")}, as configured.`,
  };
  return { tool: buildMergedTool(parts, name, toolset, context), requests };
}

/** The requests, each with the inputs that choose it. */
const choiceBindings = (
  { variants }: FindMerge,
  output: OutputPlan | undefined,
  context: ToolContext,
): readonly OperationBinding[] =>
  variants.map(({ member, whenProvided }) => ({
    whenProvided,
    request: requestMapping(member.request, context),
    response: output?.wrap ? { wrap: output.wrap } : {},
  }));

/** Union of the results. */
export function choiceOutput(
  operations: readonly ClassifiedOperation[],
  context: ToolContext,
): OutputPlan | undefined {
  const [first] = operations as readonly [ClassifiedOperation, ...ClassifiedOperation[]];
  return context.planOutput({
    ...first,
    successResponses: operations.flatMap(({ successResponses }) => successResponses),
    jsonContents: operations.flatMap(({ jsonContents }) => jsonContents),
  });
}

type Variant = FindMerge["variants"][number];

/** Variants, the one with the fewest conditions first. */
const orderVariants = ({ variants }: FindMerge): readonly [Variant, ...Variant[]] =>
  variants.toSorted((a, b) => a.whenProvided.length - b.whenProvided.length) as [
    Variant,
    ...Variant[],
  ];

/** `Create a user. With userId: Replace a user.` */
function choiceText(
  [main, ...others]: readonly [Variant, ...Variant[]],
  name: string,
  returns: string | undefined,
  { crossReferences: { link } }: ToolContext,
): ToolText {
  const { operation } = main.member.request.classified;
  const { summary, description } = agentText(operation, link);
  return writeToolText({
    name,
    effects: main.member.request.classified.effects,
    summary: cleanProse(summary),
    description,
    details: others.map(({ member, whenProvided }) => {
      const text = agentText(member.request.classified.operation, link);
      const { first } = writeOpening(name, cleanProse(text.summary), cleanProse(text.description));
      return { text: first, condition: { given: whenProvided, omitted: [] } };
    }),
    result: returns === undefined ? [] : [returns],
    deprecated: operation.deprecated,
  });
}
