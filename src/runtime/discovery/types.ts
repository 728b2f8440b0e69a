import type { CallOutcome } from "../call/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import type { StoredTool } from "../tools/serialized-tools.js";
import type { ToolDefinition } from "../types.js";
import type { Input } from "../call/validate.js";

/** The part of a tool's definition that `tools/list` returns. */
export type ToolListing = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool that the server answers by itself, without a request to the API. */
export interface BuiltInTool extends ToolListing {
  handle(input: Input): CallOutcome | Promise<CallOutcome>;
}

/** A tool whose call is replaced by the call of another tool. */
export interface ForwardingTool extends ToolListing {
  /** Returns the tool to call with its arguments, or an error text for the agent. */
  forward(
    input: unknown,
  ): { readonly tool: AnyTool; readonly arguments: unknown } | { readonly problem: string };
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

/** Names of the three discovery tools. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}
