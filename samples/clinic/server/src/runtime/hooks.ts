import type { CallToolResult } from "@modelcontextprotocol/server";
import type { BoundRequest, Env, ForwardedHeader } from "./bind/types.js";
import type { Failure } from "./send/index.js";
import type { ToolDefinition } from "./types.js";
import type { Input } from "./validate.js";

/** What a hook is told about the call it takes part in. */
export interface CallInfo {
  readonly tool: ToolDefinition;
  /** Checked against the tool's input schema. */
  readonly input: Input;
  readonly env: Env;
  /** Aborted when the client takes the call back or the deadline is over. */
  readonly signal: AbortSignal;
  /** What the client passes on to the API, where it may; credentials, most likely. */
  readonly forwarded: readonly ForwardedHeader[];
}

/**
 * A tool of the owner's own: defined like the generated ones, but answered by a function instead of a request. What it returns must
 * satisfy the output schema; what it throws is logged, and the agent is told of an internal error.
 */
export interface CustomTool<Input = never, Output = unknown> extends Omit<ToolDefinition<Input, Output>, "requests"> {
  run(input: Input, call: CallInfo): Output | Promise<Output>;
}

/** Ties a custom tool to its input and output types. Returns what it is given. */
export function defineCustomTool<Input, Output>(tool: CustomTool<Input, Output>): CustomTool<Input, Output> {
  return tool;
}

/** Any tool: one that sends a request, or the owner's own. */
export type AnyTool = ToolDefinition | CustomTool;

/** What the owner of a server adds to it, in `src/custom`. */
export interface Hooks {
  /** Tools that replace the generated ones of the same name, or stand beside them. */
  readonly tools?: readonly AnyTool[];
  /** Changes a request before it is sent; it has its credentials by then. */
  beforeRequest?(request: BoundRequest, call: CallInfo): BoundRequest | Promise<BoundRequest>;
  /** Changes a successful result before the agent gets it. */
  afterResponse?(result: CallToolResult, call: CallInfo): CallToolResult | Promise<CallToolResult>;
  /** Changes what the agent is told about a failure. */
  mapError?(text: string, failure: Failure, call: CallInfo): string | Promise<string>;
}

/** The generated tools with the owner's in their places. */
export function withCustomTools(tools: readonly AnyTool[], custom: readonly AnyTool[] = []): readonly AnyTool[] {
  const byName = new Map([...tools, ...custom.map(withoutFingerprint)].map((tool) => [tool.name, tool]));
  return [...byName.values()];
}

/** One that was made from a generated tool is not what the lock says any more. */
function withoutFingerprint(tool: AnyTool): AnyTool {
  return tool.fingerprint === undefined ? tool : { ...tool, fingerprint: undefined };
}
