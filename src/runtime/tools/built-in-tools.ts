import type { ToolDefinition, ToolInput } from "../types.js";
import type { AnyTool } from "./hooks.js";
import type { CallOutcome } from "./outcome.js";
import type { StoredTool } from "./serialized-tools.js";

/** The part of a tool's definition that `tools/list` returns. */
export type ToolListing = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool that the server answers by itself, without a request to the API. */
export interface BuiltInTool extends ToolListing {
  handle(input: ToolInput): CallOutcome | Promise<CallOutcome>;
}

/** The call that a forwarding tool stands for. */
interface ForwardedCall {
  readonly tool: AnyTool;
  readonly arguments: unknown;
  /** Text of the inputs, for an agent that has not read the schema. */
  signature(): Promise<string>;
}

/** A tool whose call is replaced by the call of another tool. */
export interface ForwardingTool extends ToolListing {
  /** Returns the tool to call with its arguments, or an error text for the agent. */
  forward(input: unknown): ForwardedCall | { readonly problem: string };
}

export type DiscoveryTool = BuiltInTool | ForwardingTool;

/** The tools that the discovery tools search, describe and call. */
export interface ToolLookup {
  /** In the order of the registry. */
  readonly tools: readonly StoredTool[];
  find(name: string): AnyTool | undefined;
  /** One or two sentences for an unknown name, with the nearest known names. */
  explainMissing(name: string): string;
}
