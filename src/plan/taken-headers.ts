/** Response headers that later calls need: `X-Subject-Token`, which another operation takes. */
import type { ApiModel, Operation } from "../model/types.js";
import type { OperationBinding } from "../runtime/types.js";
import type { PlannedTool } from "./types.js";

/** The request header that takes the value of a response header of another name. RFC 9110, section 13.1. */
const CONDITION = /^if-match$/;

/**
 * Adds to each operation that returns a body the declared headers that other operations take,
 * because nothing else of the result has their values. Those of pages are cursors already.
 */
export function addTakenHeaders(
  tools: readonly PlannedTool[],
  { operations }: Pick<ApiModel, "operations">,
): readonly PlannedTool[] {
  const taken = new Set(operations.flatMap(headerParameters));
  const byLine = new Map(operations.map((one) => [`${one.method} ${one.path}`, one]));
  const extend = (binding: OperationBinding): OperationBinding => {
    const { request, response, pagination } = binding;
    const operation = byLine.get(`${request.method} ${request.path}`);
    if (!operation || pagination || response.headers) return binding;
    const headers = declaredHeaders(operation).filter((name) => taken.has(name.toLowerCase()));
    return headers.length === 0 ? binding : { ...binding, response: { ...response, headers } };
  };
  return tools.map((tool) => {
    const bindings = tool.definition.operations;
    const extended = bindings.map(extend);
    const isSame = extended.every((one, i) => one === bindings[i]);
    return isSame ? tool : { ...tool, definition: { ...tool.definition, operations: extended } };
  });
}

/** Names of the response headers whose values an operation takes, in lower case. */
const headerParameters = ({ parameters }: Operation): readonly string[] =>
  parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name }) => name.toLowerCase())
    .map((name) => (CONDITION.test(name) ? "etag" : name));

const declaredHeaders = ({ responses }: Operation): readonly string[] => [
  ...new Set(
    responses
      .filter(({ status }) => status.startsWith("2"))
      .flatMap(({ headers }) => headers.map(({ name }) => name)),
  ),
];
