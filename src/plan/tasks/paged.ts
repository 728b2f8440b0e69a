import type { Operation } from "../../model/types.js";
import { fit } from "../describe/sentences.js";
import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { PlannedRequest, ToolContext } from "../tool.js";
import { propertiesOf } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";
import { type Envelope, listEnvelope } from "./envelope.js";
import { answerOf, type Find } from "./find.js";
import { type FindResult, planFindResult } from "./find-result.js";
import { requestOf, withAdvice } from "./find-tool.js";
import { withLinkPages } from "./link-pages.js";
import type { Member } from "./member.js";
import type { MergedInput } from "./merge-inputs.js";
import { collectionWords, labelOf } from "./words.js";

/** Operations whose pages people want to be followed, and how to say that one has none. */
export type Paged = ReadonlyMap<Operation, (why: string) => void>;

/**
 * A list of one operation as `{items, next…}`, whatever envelope the API puts around it: only so
 * can pages be put together.
 */
export function pagedTool(
  tool: PlannedTool,
  request: PlannedRequest,
  context: ToolContext,
): PlannedTool {
  const refuse = context.paged.get(request.subject.operation);
  if (!refuse) return tool;
  const answer = answerOf(request.subject);
  const envelope =
    answer && listEnvelope(answer, collectionWords(request.subject), context.schemas);
  // A list of alternatives is a list as it is.
  if (!envelope && tool.definition.requests[0]?.read.wrap === "items")
    return withLinkPages(tool, request);
  if (!envelope)
    return (refuse(`the list in the answer of ${labelOf(request.subject)} cannot be told`), tool);
  const find = findOfOne(request, envelope, inputsOf(tool));
  const result = planFindResult(find, context);
  if (typeof result === "string") return (refuse(result), tool);
  return withResult(tool, find, result, context);
}

/** A task of one list alone. */
function findOfOne(
  request: PlannedRequest,
  envelope: Envelope,
  inputs: readonly MergedInput[],
): Find {
  const member: Member = { role: "list", request, envelope };
  return {
    collection: { path: request.subject.operation.path, words: [], searches: [] },
    members: [member],
    variants: [{ member, given: [] }],
    inputs: { inputs, defs: {} },
    item: envelope.item,
  };
}

/**
 * The tool with another result: what it says of it, the advice of its inputs, and how its answer is
 * read.
 */
function withResult(
  tool: PlannedTool,
  find: Find,
  result: FindResult,
  context: ToolContext,
): PlannedTool {
  const [member] = find.members as readonly [Member];
  const inputs = inputsOf(tool).map((merged) => withAdvice(merged, find, result.passedOn));
  const { definition } = tool;
  const before = context.output(member.request.subject);
  const [old, now] = [before && context.returns(before), context.returns(result.output)];
  const description =
    old !== undefined && now !== undefined
      ? fit(
          definition.description.replace(old, () => now),
          MAX_DESCRIPTION,
          false,
        )
      : definition.description;
  const inputSchema = {
    ...definition.inputSchema,
    properties: Object.fromEntries(inputs.map(({ input, schema }) => [input.name, schema])),
  };
  return {
    ...tool,
    inputs: inputs.map(({ input }) => input),
    output: result.output.result,
    definition: {
      ...definition,
      description,
      inputSchema,
      outputSchema: result.output.schema,
      requests: [requestOf(member, [], result, context)],
    },
  };
}

function inputsOf({ inputs, definition }: PlannedTool): readonly MergedInput[] {
  const properties = propertiesOf(definition);
  return inputs.map((input) => ({ input, schema: properties[input.name] ?? {} }));
}
