import { collectionWords } from "../related-operations.js";
import { inputProperties } from "../bound-parameters.js";
import type { ToolName } from "../names/index.js";
import { operationLabel } from "../operations/identity.js";
import { type Envelope, findListEnvelope } from "../pagination/envelope.js";
import { addLinkHeaderPagination } from "../pagination/hints.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { planTool } from "../tool.js";
import type { PlannedTool } from "../types.js";
import { buildOperation, describeUsage, type FindResult, planFindResult } from "./find-tool.js";
import { type FindMerge, responseSchema } from "./find.js";
import type { MergedInput } from "./merge-inputs.js";
import type { Member } from "./variants.js";

/** Plans the tool of one operation. */
export function planSingleTask(
  request: PlannedRequest,
  name: ToolName,
  toolset: string,
  context: ToolContext,
): PlannedTask {
  const tool = planTool(request, name, toolset, context);
  const isPaginated = context.paginated.has(request.classified.operation);
  return {
    tool: isPaginated
      ? planPaginatedTool(tool, request, context)
      : addLinkHeaderPagination(tool, request),
    requests: [request],
  };
}

/**
 * Gives a list of one operation the result `{items, next…}`, whatever its envelope. Following pages
 * needs this form.
 */
function planPaginatedTool(
  tool: PlannedTool,
  request: PlannedRequest,
  context: ToolContext,
): PlannedTool {
  const reject = context.paginated.get(request.classified.operation);
  if (!reject) return tool;
  const responseBody = responseSchema(request.classified);
  const envelope =
    responseBody &&
    findListEnvelope(responseBody, collectionWords(request.classified), context.schemas);
  // A list of alternatives needs no envelope.
  if (!envelope && tool.definition.operations[0]?.response.wrap === "items")
    return addLinkHeaderPagination(tool, request);
  if (!envelope)
    return (
      reject(`the list in the response of ${operationLabel(request.classified)} is ambiguous`), tool
    );
  const find = singleOperationFind(request, envelope, toolInputs(tool));
  const result = planFindResult(find, context);
  if (typeof result === "string") return (reject(result), tool);
  return replaceResult(tool, find, result, context);
}

/** Merge of a single list. */
function singleOperationFind(
  request: PlannedRequest,
  envelope: Envelope,
  inputs: readonly MergedInput[],
): FindMerge {
  const member: Member = { role: "list", request, envelope };
  return {
    collection: { path: request.classified.operation.path, words: [], searches: [] },
    members: [member],
    variants: [{ member, whenProvided: [] }],
    inputs: { inputs, defs: {} },
    item: envelope.item,
  };
}

/**
 * Replaces the result of a tool: its description, the advice of its inputs, and the mapping of its
 * response.
 */
function replaceResult(
  tool: PlannedTool,
  find: FindMerge,
  result: FindResult,
  context: ToolContext,
): PlannedTool {
  const [member] = find.members as readonly [Member];
  const inputs = toolInputs(tool).map((merged) => describeUsage(merged, find, result.nextInputs));
  const { definition } = tool;
  const returns = context.describeOutput(result.output);
  const inputSchema = {
    ...definition.inputSchema,
    properties: Object.fromEntries(inputs.map(({ input, schema }) => [input.name, schema])),
  };
  return {
    ...tool,
    inputs: inputs.map(({ input }) => input),
    output: result.output.resultSchema,
    text: returns === undefined ? tool.text : { ...tool.text, result: [returns] },
    definition: {
      ...definition,
      inputSchema,
      outputSchema: result.output.schema,
      operations: [buildOperation(member, [], result, context)],
    },
  };
}

function toolInputs({ inputs, definition }: PlannedTool): readonly MergedInput[] {
  const properties = inputProperties(definition);
  return inputs.map((input) => ({ input, schema: properties[input.name] ?? {} }));
}
