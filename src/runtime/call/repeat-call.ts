/** Reads a full result without a store: the call that its URI states is made again. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { digestOf, readCall, withCall } from "../response/call-reference.js";
import { contentsOf, type ResultStore, type StoredContents } from "../response/result-store.js";
import type { FullResult } from "../response/redact.js";
import type { ServerContext } from "../server/context.js";
import type { AnyTool, RepeatedResult } from "../tools/definitions.js";
import { textOfResult } from "../tools/tool-error.js";
import type { ToolInput } from "../types.js";

type CallWith = (server: ServerContext, tool: AnyTool, input: ToolInput) => Promise<CallToolResult>;

/**
 * Repeats a call with a store that takes its full result. Only tools of the caller that just read
 * are called.
 */
export async function readByCalling(
  server: ServerContext,
  uri: string,
  call: CallWith,
): Promise<RepeatedResult | undefined> {
  const reference = readCall(uri);
  const tool = reference && server.tools.get(reference.tool);
  if (!reference || !tool?.annotations.readOnlyHint) return undefined;
  const { input, digest } = reference;
  const taken: FullResult[] = [];
  const result = await call({ ...server, resultStore: capturingStore(taken) }, tool, input);
  if (result.isError) return { ok: false, result };
  const full = taken[0] ?? { mimeType: "application/json", text: textOfWhole(result) };
  const current = "text" in full ? await digestOf(full.text) : "";
  const base = `result://${tool.name}`;
  const contents: StoredContents = contentsOf(withCall(base, input, current) ?? uri, full);
  return { ok: true, contents, tool: tool.name, hasChanged: current !== digest };
}

/** The text of a result that is not too large any more. */
function textOfWhole(result: CallToolResult): string {
  const { structuredContent } = result;
  return structuredContent ? JSON.stringify(structuredContent) : textOfResult(result);
}

/** A store that only takes results. */
function capturingStore(taken: FullResult[]): ResultStore {
  const store: ResultStore = {
    lifetimeText: "this call",
    store: (_, fullResult) => void taken.push(fullResult),
    read: () => undefined,
    forCaller: () => store,
  };
  return store;
}
