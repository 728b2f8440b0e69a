import type { Operation } from "../../model/types.js";
import { fit } from "../describe/sentences.js";
import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { PlannedRequest, ToolContext } from "../tool.js";
import { propertiesOf } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";
import { listEnvelope } from "./envelope.js";
import { answerOf, type Find } from "./find.js";
import { planFindResult } from "./find-result.js";
import { requestOf, withAdvice } from "./find-tool.js";
import { withLinkPages } from "./link-pages.js";
import { collectionWords, labelOf } from "./words.js";

/** Operations whose pages people want to be followed, and how to say that one has none. */
export type Paged = ReadonlyMap<Operation, (why: string) => void>;

/**
 * A list of one operation as `{items, next…}`, whatever envelope the API puts around it: only so can pages be put together.
 */
export function pagedTool(tool: PlannedTool, request: PlannedRequest, context: ToolContext): PlannedTool {
  const refuse = context.paged.get(request.subject.operation);
  if (!refuse) return tool;
  const answer = answerOf(request.subject);
  const envelope = answer && listEnvelope(answer, collectionWords(request.subject), context.schemas);
  // A list of alternatives is a list as it is.
  if (!envelope && tool.definition.requests[0]?.read.wrap === "items") return withLinkPages(tool, request);
  if (!envelope) return refuse(`the list in the answer of ${labelOf(request.subject)} cannot be told`), tool;
  const member = { role: "list", request, envelope } as const;
  const find: Find = { collection: { path: request.subject.operation.path, words: [], searches: [] }, members: [member], variants: [{ member, given: [] }], inputs: { inputs: [], defs: {} }, item: envelope.item };
  const result = planFindResult({ ...find, inputs: { inputs: inputsOf(tool), defs: {} } }, context);
  if (typeof result === "string") return refuse(result), tool;
  const inputs = inputsOf(tool).map((merged) => withAdvice(merged, find, result.passedOn));
  const { definition } = tool;
  const before = context.output(request.subject);
  const [old, now] = [before && context.returns(before), context.returns(result.output)];
  const description = old !== undefined && now !== undefined ? fit(definition.description.replace(old, () => now), MAX_DESCRIPTION, false) : definition.description;
  return {
    ...tool,
    inputs: inputs.map(({ input }) => input),
    output: result.output.result,
    definition: {
      ...definition,
      description,
      inputSchema: { ...definition.inputSchema, properties: Object.fromEntries(inputs.map(({ input, schema }) => [input.name, schema])) },
      outputSchema: result.output.schema,
      requests: [requestOf(member, [], result, context)],
    },
  };
}

function inputsOf({ inputs, definition }: PlannedTool): Find["inputs"]["inputs"] {
  const properties = propertiesOf(definition);
  return inputs.map((input) => ({ input, schema: properties[input.name] ?? {} }));
}
