/** Reads for a question about a write: the thing as it is, and the dry run of the API. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { omitUndefined } from "../data/values.js";
import type { ApiCall } from "../request/types.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { OperationBinding, RequestMapping, ToolInput } from "../types.js";
import { nestedCall } from "./called-tool.js";
import type { RunningCall } from "./send-authenticated.js";

/** Maximum number of characters of a thing that is read before a write. */
const MAX_THING = 20_000;

type RunOperation = (running: RunningCall) => Promise<CallOutcome>;

/** The reads before a question about a write. None without a gate, which asks. */
export function readsBeforeWrite(
  running: RunningCall,
  operation: OperationBinding,
  input: ToolInput,
  callOperation: RunOperation,
): Pick<ApiCall, "readThing" | "previewWrite"> {
  if (!running.context.gate) return {};
  return omitUndefined({
    readThing: thingReader(running, operation, input, callOperation),
    previewWrite: previewer(running, operation, input, callOperation),
  });
}

/**
 * Returns the function that reads the thing before a write. Undefined for a thing that nothing
 * reads, that only a list has, or that the write creates.
 */
function thingReader(
  running: RunningCall,
  { readBack, shows, request }: OperationBinding,
  input: ToolInput,
  callOperation: RunOperation,
): (() => Promise<CallToolResult | undefined>) | undefined {
  const read = readBack && !readBack.created && !readBack.listed ? readBack : shows;
  const call = request.isRaw
    ? rawRead(running, request)
    : read && nestedCall(running, read, input, MAX_THING);
  if (!call) return undefined;
  return async () => {
    const { outcome, result } = await callOperation(call);
    return outcome === "ok" ? result : undefined;
  };
}

/**
 * Returns the function that sends a write as a dry run of the API, for the question about it.
 * Undefined if the API has none, or if the call is one.
 */
function previewer(
  running: RunningCall,
  { preview }: OperationBinding,
  input: ToolInput,
  callOperation: RunOperation,
): (() => Promise<CallToolResult | undefined>) | undefined {
  if (!preview || input[preview.input] === preview.value) return undefined;
  const { context, info } = running;
  const { gate: _, ...ungated } = context;
  const previewed = { ...input, [preview.input]: preview.value };
  const call = { ...running, context: ungated, info: { ...info, input: previewed } };
  return async () => (await callOperation({ ...call, hasLookedUp: true })).result;
}

/** The GET of what `send_request` changes or removes at the same path. */
function rawRead(running: RunningCall, { method }: RequestMapping): RunningCall | undefined {
  if (!["PUT", "PATCH", "DELETE"].includes(method)) return undefined;
  const { info } = running;
  const input = { method: "GET", path: String(info.input["path"]).split("?")[0] };
  return { ...running, info: { ...info, input }, hasLookedUp: true };
}
