/** Inputs that the document has for other calls of a read, sent in the query on demand. */
import { inputOf } from "../request/parameter-source.js";
import type { InputProblem } from "../request/types.js";
import type { ServerContext } from "../server/context.js";
import type { AnyTool, BuiltInTool } from "../tools/definitions.js";
import type { PreparedInput } from "../tools/prepare-input.js";
import type { RequestMapping, ToolDefinition } from "../types.js";
import { selectOperation } from "./select-operation.js";

/** A tool and its input, before the call is made. */
export interface CheckedInput {
  readonly tool: AnyTool | BuiltInTool;
  readonly prepared: PreparedInput;
  /** The way to send an input that is refused. */
  readonly offer?: string;
}

/**
 * Opens the operation that an input selects for the parameters that only other operations of the
 * tool declare, such as an `expand` of the list beside an ID: many APIs take them in both. The
 * first such call is refused and offered to its caller.
 */
export function sendOtherQuery(
  { corrections, settings }: Pick<ServerContext, "corrections" | "settings">,
  checked: CheckedInput,
  args: unknown,
  caller: string,
): CheckedInput {
  const { tool, prepared } = checked;
  if (!prepared.ok || !("operations" in tool) || settings.strictInputs) return checked;
  const selected = selectOperation(tool, prepared.input);
  if (selected.ok || !selected.withoutThem) return checked;
  const { withoutThem: operation, problems } = selected;
  const query = queryOfOthers(tool, problems);
  if (!query || operation.request.method !== "GET") return checked;
  const offer = corrections.offerOtherQuery({ caller, tool, args, problems });
  if (offer !== undefined) return { tool, prepared: { ok: false, problems }, offer };
  const { request } = operation;
  const opened = { ...operation, request: { ...request, query: { ...request.query, ...query } } };
  const operations = tool.operations.map((one) => (one === operation ? opened : one));
  const otherQuery = problems.map(({ input }) => input);
  const changes = { ...prepared.changes, otherQuery };
  return { tool: { ...tool, operations }, prepared: { ...prepared, changes } };
}

/**
 * Parameters of other operations that take these inputs. Undefined if one has none, or chooses the
 * operation itself, as words of a search do.
 */
function queryOfOthers(
  { annotations, operations }: ToolDefinition,
  problems: readonly InputProblem[],
): RequestMapping["query"] | undefined {
  const parameters = operations.flatMap(({ request }) => Object.entries(request.query ?? {}));
  const choosing = new Set(operations.flatMap(({ whenProvided }) => whenProvided));
  const found = problems.map(({ input }) =>
    choosing.has(input) ? undefined : parameters.find(([, source]) => inputOf(source) === input),
  );
  return annotations.readOnlyHint && found.every((one) => one !== undefined)
    ? Object.fromEntries(found)
    : undefined;
}
