/** Reads of items that a write without a response has changed. */
import { isObject, omitUndefined } from "../data/values.js";
import type { ApiResponse } from "../request/types.js";
import type { ResultFacts } from "../response/result-facts.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { ToolRegistry } from "../tools/tool-registry.js";
import type { OperationBinding, ToolDefinition, ToolInput } from "../types.js";
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
  const { server, info, context } = running;
  // 202: the change may come later. 304: nothing has changed.
  if (!readBack || !server.settings.readBack || ![200, 201, 204, 205].includes(status))
    return undefined;
  const tool = findReader(server.tools, readBack.tool);
  if (!tool) return undefined;
  context.progress?.(`Reading it back with ${tool.name}.`);
  const { settings } = server;
  const maxResultCharacters = Math.floor(settings.maxResultCharacters * ITEM_SHARE);
  const { outcome, result } = await callOperation({
    ...running,
    server: { ...server, settings: { ...settings, maxResultCharacters } },
    info: { ...info, tool, input: readerInput(readBack.inputs, input) },
  });
  if (outcome !== "ok" || !isObject(result.structuredContent)) return undefined;
  return itemFacts(tool.name, result.structuredContent);
}

function findReader({ get }: ToolRegistry, name: string): ToolDefinition | undefined {
  const tool = get(name);
  return tool && "operations" in tool ? tool : undefined;
}

function readerInput(
  inputs: Readonly<Record<string, string>>,
  input: ToolInput,
): Record<string, unknown> {
  return omitUndefined(
    Object.fromEntries(Object.entries(inputs).map(([to, from]) => [to, input[from]])),
  );
}

/** The item as both forms of a result have it. */
function itemFacts(reader: string, item: object): ResultFacts {
  return {
    notes: [`current is what ${reader} returned after it.`],
    values: { current: item },
    blocks: [{ type: "text", text: JSON.stringify({ current: item }) }],
  };
}
