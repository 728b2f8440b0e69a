/** Tools whose calls choose one of several operations by the value of an input. */
import type { JsonSchema } from "../../json.js";
import type { OperationBinding, ToolEffect } from "../../runtime/types.js";
import { operationLabel } from "../operations/identity.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { nextPageSentence } from "../pagination/follow-pages.js";
import type { ToolText } from "../text/parts.js";
import { appendSentences, joinWithAnd, joinWithOr } from "../text/sentences.js";
import type { PlannedTask, ToolContext } from "../tool-context.js";
import { requestMapping, withoutNamespace } from "../tool.js";
import type { PlannedInput } from "../types.js";
import {
  type ActionMerge,
  actionTexts,
  combinedText,
  describeResult,
  purposeOf,
} from "./action-text.js";
import { choiceOutput } from "./choice-tool.js";
import { buildOperation } from "./find-tool.js";
import { buildMergedTool } from "./merged-tool.js";
import type { MergedInput } from "./merge-inputs.js";
import { inputNames, type Member, requiredNames } from "./variants.js";

export type { ActionMerge };

/** Builds the tool. Its annotations are those of the most dangerous operation. */
export function buildActionTool(
  merge: ActionMerge,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const { input, actions, result } = merge;
  const requests = actions.map(({ member }) => member.request);
  const operations = requests.map(({ classified }) => classified);
  const ownName = withoutNamespace(name, context);
  const texts = actionTexts(merge, ownName, context);
  const output = result?.output ?? choiceOutput(operations, context);
  const returns = output && describeResult(merge, output, context);
  const parts = {
    requests,
    inputs: [
      choiceInput(merge, texts),
      ...merge.inputs.inputs.map((merged) => describeInput(withNextPage(merged, merge), merge)),
    ],
    defs: merge.inputs.defs,
    output,
    bindings: actionBindings(merge, output, context),
    text: {
      ...combinedText(merge, texts, ownName),
      result: returns === undefined ? [] : [returns],
    },
    effect: effectOf(operations.map(({ effects }) => effects.effect)),
    reason: `Merges ${operations.map(operationLabel).join(", ")} by ${input}, as configured.`,
  };
  return { tool: buildMergedTool(parts, name, toolset, context), requests };
}

/** The requests, each with the value that chooses it. */
const actionBindings = (
  merge: ActionMerge,
  output: OutputPlan | undefined,
  context: ToolContext,
): readonly OperationBinding[] =>
  merge.actions.map(({ value, member }) => ({
    ...(merge.result
      ? buildOperation(member, [merge.input], merge.result, context)
      : {
          whenProvided: [merge.input],
          request: requestMapping(member.request, context),
          response: output?.wrap ? { wrap: output.wrap } : {},
        }),
    choice: { input: merge.input, value, required: ownRequired(member, merge) },
  }));

/** Inputs that an operation requires in addition to those of all. */
function ownRequired(member: Member, { inputs }: ActionMerge): readonly string[] {
  const common = new Set(
    inputs.inputs.flatMap(({ input }) => (input.required ? [input.name] : [])),
  );
  return requiredNames(member).filter((name) => !common.has(name));
}

/** Effects, the least dangerous first. */
const EFFECTS: readonly ToolEffect[] = [
  "reads",
  "adds",
  "changes",
  "starts",
  "sends",
  "removes",
  "destroys",
];

/** The most dangerous of several effects. */
function effectOf(effects: readonly ToolEffect[]): {
  readonly effect?: Exclude<ToolEffect, "reads">;
} {
  const [effect] = effects.toSorted((a, b) => EFFECTS.indexOf(b) - EFFECTS.indexOf(a));
  return effect === undefined || effect === "reads" ? {} : { effect };
}

/** The input that chooses the operation. It states what each value does and needs. */
function choiceInput(merge: ActionMerge, texts: readonly ToolText[]): MergedInput {
  const { input: name, actions } = merge;
  const sentences = actions.map(({ value, member }, i) => {
    const needed = ownRequired(member, merge);
    const purpose = purposeOf(texts[i] as ToolText).replace(/\.$/, "");
    return `${value}: ${purpose}${needed.length > 0 ? `; needs ${joinWithAnd(needed)}` : ""}.`;
  });
  const type: JsonSchema = { type: "string", enum: actions.map(({ value }) => value) };
  const description = sentences.join(" ");
  const input: PlannedInput = { name, description, required: true, type };
  return { input, schema: { ...type, description } };
}

/** Adds to an input the values with which it is used or needed, unless all operations have it. */
function describeInput(merged: MergedInput, merge: ActionMerge): MergedInput {
  const { input, schema } = merged;
  const valuesOf = (test: (member: Member) => boolean): readonly string[] =>
    merge.actions.filter(({ member }) => test(member)).map(({ value }) => value);
  const used = valuesOf((member) => inputNames(member).includes(input.name));
  const needed = valuesOf((member) => ownRequired(member, merge).includes(input.name));
  const isForAll = used.length === merge.actions.length;
  if (isForAll && needed.length === 0) return merged;
  const needs = needed.length > 0 ? `Required with ${merge.input} ${joinWithOr(needed)}.` : "";
  const uses =
    isForAll || needed.length === used.length
      ? ""
      : `Only with ${merge.input} ${joinWithOr(used)}.`;
  const description = appendSentences(input.description, [needs, uses].filter(Boolean).join(" "));
  return { input: { ...input, description }, schema: { ...schema, description } };
}

/** States for an input that the result has its value for the next page. */
function withNextPage(merged: MergedInput, { result }: ActionMerge): MergedInput {
  const { input, schema } = merged;
  if (!result?.nextInputs.has(input.name)) return merged;
  const description = appendSentences(input.description, nextPageSentence(input.name));
  return { input: { ...input, description }, schema: { ...schema, description } };
}
