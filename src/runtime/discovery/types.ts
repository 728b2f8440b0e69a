import type { CallOutcome } from "../call/outcome.js";
import type { AnyTool } from "../tools/hooks.js";
import type { StoredTool } from "../tools/serialized-tools.js";
import type { ToolDefinition } from "../types.js";
import type { Input } from "../call/validate.js";

/** What every tool shows of itself. */
export type ToolListing = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool of the server itself: it knows the other tools, and asks nobody else. */
export interface BuiltInTool extends ToolListing {
  handle(input: Input): CallOutcome | Promise<CallOutcome>;
}

/** A call of it is a call of another tool, in every respect. */
export interface ForwardingTool extends ToolListing {
  /** The tool that is meant, and its arguments; or what is wrong, for the agent. */
  forward(
    given: unknown,
  ): { readonly tool: AnyTool; readonly arguments: unknown } | { readonly problem: string };
}

export type DiscoveryTool = BuiltInTool | ForwardingTool;

/** The tools that are found, described and called. */
export interface ToolLookup {
  /** In their order. */
  readonly tools: readonly StoredTool[];
  find(name: string): AnyTool | undefined;
  /** Why there is no such tool, and which ones are near: a sentence or two. */
  explainMissing(name: string): string;
}

/** What the three tools are called. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}
