/** Lists of the parts of a thing, read together with the thing. */
import { isObject } from "../data/values.js";
import { isRateLimitExhausted } from "../client/rate-limit-headers.js";
import type { ApiResponse } from "../request/types.js";
import type { ResultFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { IncludedLists, OperationBinding, ToolInput } from "../types.js";
import { nestedCall } from "./called-tool.js";
import { notSent, RATE_LIMITED, runAtOnce, textOfOne } from "./run-at-once.js";
import type { RunningCall } from "./send-authenticated.js";

/** Share of the characters of a result that all lists together may take. */
export const LISTS_SHARE = 0.5;

/** Names of the lists that a call asks for. */
export function includedNames(
  { included }: Pick<OperationBinding, "included">,
  input: ToolInput,
): readonly string[] {
  const given = included ? input[included.input] : undefined;
  return Array.isArray(given) ? [...new Set(given as readonly string[])] : [];
}

/**
 * Reads the lists that a call asks for: one request for each, with a share of the size of the
 * result. A failure stands in the place of its list, and is not one of the call.
 * @param input input of the call, with IDs in place of names
 * @param callOperation calls the operation of a tool
 */
export async function readIncludedLists(
  running: RunningCall,
  operation: OperationBinding,
  { headers }: ApiResponse,
  input: ToolInput,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<ResultFacts | undefined> {
  const names = includedNames(operation, input);
  const { included } = operation;
  if (!included || names.length === 0) return undefined;
  const { lists } = included;
  const share = Math.floor(
    (running.server.settings.maxResultCharacters * LISTS_SHARE) / names.length,
  );
  const isExhausted = isRateLimitExhausted(headers);
  const outcomes = await runAtOnce(names, async (name) => {
    const call = nestedCall(running, lists[name]!, input, share);
    if (!call) return notSent(`this server does not offer ${lists[name]!.tool}`);
    return isExhausted ? notSent(RATE_LIMITED) : callOperation(call);
  });
  const isOffered = (tool: string): boolean => running.server.tools.lookUp(tool) !== undefined;
  return includedFacts(names, lists, outcomes, isOffered);
}

function includedFacts(
  names: readonly string[],
  lists: IncludedLists["lists"],
  outcomes: readonly CallOutcome[],
  isOffered: (tool: string) => boolean,
): ResultFacts {
  const included = Object.fromEntries(
    outcomes.map(({ result }, i) => [names[i]!, resultValue(result)] as const),
  );
  const notes = names.flatMap((name, i) => {
    const { result, isPartial } = outcomes[i]!;
    if (result.isError) return [`included.${name} could not be read; it has the error.`];
    const { tool } = lists[name]!;
    if (!isOffered(tool)) return isPartial ? [`included.${name} is not the whole list.`] : [];
    const source = `included.${name} is what ${tool} returned`;
    return [isPartial ? `${source}: not the whole list.` : `${source}.`];
  });
  const links = outcomes.flatMap(({ result }) =>
    result.content.filter(({ type }) => type !== "text"),
  );
  const text = { type: "text" as const, text: JSON.stringify({ included }) };
  return { notes, values: { included }, blocks: [text, ...links] };
}

/** The result of a list, or its error. */
function resultValue(result: CallOutcome["result"]): unknown {
  const { isError, structuredContent } = result;
  if (!isError && isObject(structuredContent)) return structuredContent;
  return { [isError ? "error" : "result"]: textOfOne(result) };
}
