/** Reads of items that a write without a response has changed. */
import { isObject } from "../data/values.js";
import type { ApiResponse } from "../request/types.js";
import type { ResultFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { OperationBinding, ToolInput } from "../types.js";
import { nestedCall } from "./called-tool.js";
import type { RunningCall } from "./send-authenticated.js";

/** Share of the characters of a result that the item may take. */
const ITEM_SHARE = 0.5;

/**
 * Reads the item that a call has changed, with the tool that the operation names.
 * @param input input of the call, with IDs in place of names
 * @param callOperation calls the operation of a tool
 * @returns undefined where there is nothing to read, and after a failure, which is not one of the
 * call
 */
export async function readItemBack(
  running: RunningCall,
  { readBack }: OperationBinding,
  { status }: ApiResponse,
  input: ToolInput,
  callOperation: (running: RunningCall) => Promise<CallOutcome>,
): Promise<ResultFacts | undefined> {
  const { server, context } = running;
  // 202: the change may come later. 304: nothing has changed.
  if (!readBack || !server.settings.readBack || ![200, 201, 204, 205].includes(status))
    return undefined;
  const { maxResultCharacters } = server.settings;
  const call = nestedCall(running, readBack, input, Math.floor(maxResultCharacters * ITEM_SHARE));
  if (!call) return undefined;
  const { name } = call.info.tool;
  context.progress?.(`Reading it back with ${name}.`);
  const { outcome, result } = await callOperation(call);
  if (outcome !== "ok" || !isObject(result.structuredContent)) return undefined;
  return itemFacts(name, result.structuredContent);
}

/** The item as both forms of a result have it. */
function itemFacts(reader: string, item: object): ResultFacts {
  return {
    notes: [`current is what ${reader} returned after it.`],
    values: { current: item },
    blocks: [{ type: "text", text: JSON.stringify({ current: item }) }],
  };
}
