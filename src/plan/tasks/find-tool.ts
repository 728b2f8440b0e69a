import { oneLine } from "../../diagnostics/clean.js";
import type { JsonSchema } from "../../json.js";
import type { RequestBinding } from "../../runtime/types.js";
import { annotate } from "../annotations.js";
import { ended } from "../describe/sentences.js";
import { sentenceCase } from "../name/title.js";
import { refOf } from "../select/index.js";
import { identifierFor, sendOf, type ToolContext, verbFirst } from "../tool.js";
import type { PlannedTool } from "../types.js";
import type { Find } from "./find.js";
import type { FindResult } from "./find-result.js";
import { describeFind } from "./find-text.js";
import { inputNames, type Member } from "./member.js";
import type { MergedInput } from "./merge-inputs.js";
import { passOn } from "./next-inputs.js";
import { labelOf } from "./words.js";

/** Writes the tool of a whole collection down. */
export function planFind(
  find: Find,
  result: FindResult,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTool {
  const { subject } = (find.members[0] as Member).request;
  const inputs = find.inputs.inputs.map((merged) => withAdvice(merged, find, result.passedOn));
  const own = verbFirst(name, context);
  return {
    definition: {
      name,
      title: sentenceCase(own.split("_")),
      description: describeFind(find, own, context.returns(result.output)),
      annotations: annotate(subject, "find"),
      inputSchema: mergedSchema(inputs, find.inputs.defs),
      outputSchema: result.output.schema,
      requests: find.variants.map(({ member, given }) => requestOf(member, given, result, context)),
    },
    toolset,
    identifier: identifierFor(name, context),
    inputs: inputs.map(({ input }) => input),
    output: result.output.result,
    operations: find.members.map(({ request }) => refOf(request.subject.operation)),
    reasons: [
      reasonOf(find),
      ...new Set(find.members.flatMap(({ request }) => request.inputs.reasons)),
    ],
  };
}

/** One way to use the tool, as data. */
export function requestOf(
  member: Member,
  given: readonly string[],
  { reads, pages }: FindResult,
  context: ToolContext,
): RequestBinding {
  const binding = pages.get(member);
  return {
    given,
    send: sendOf(member.request, context),
    read: reads.get(member) ?? {},
    ...(binding && { pages: binding }),
  };
}

/** The input schema of several operations. */
export function mergedSchema(
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

function reasonOf({ members, collection }: Find): string {
  const names = members.map(({ request }) => labelOf(request.subject)).join(", ");
  return `Stands for ${names}: they read ${oneLine(collection.path)}, with the same credentials and the same kind of result.`;
}

/**
 * An input that chooses what is found says what it goes with; one that turns the page, where its
 * value comes from.
 */
export function withAdvice(
  { input, schema }: MergedInput,
  find: Find,
  passedOn: FindResult["passedOn"],
): MergedInput {
  const sentence = [exclusion(input.name, find), passedOn.has(input.name) ? passOn(input.name) : ""]
    .filter((part) => part !== "")
    .join(" ");
  if (sentence === "") return { input, schema };
  const description = `${ended(input.description)} ${sentence}`;
  return { input: { ...input, description }, schema: { ...schema, description } };
}

function exclusion(name: string, { variants, inputs }: Find): string {
  const own = variants.filter(({ given }) => given.includes(name));
  if (own.length === 0) return "";
  const usable = new Set(own.flatMap(({ member }) => inputNames(member)));
  const others = inputs.inputs.map(({ input }) => input.name).filter((other) => !usable.has(other));
  if (others.length === 0) return "";
  if (others.length <= 3) return `Not together with ${others.join(", ")}.`;
  const partners = [...usable].filter((other) => other !== name);
  return partners.length === 0
    ? "Give it alone."
    : partners.length <= 4
      ? `Goes only with ${partners.join(", ")}.`
      : `Not together with ${others.slice(0, 3).join(", ")} and other filters.`;
}
