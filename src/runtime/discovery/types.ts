import type { Ended } from "../ended.js";
import type { AnyTool } from "../hooks.js";
import type { StoredTool } from "../packed.js";
import type { ToolDefinition } from "../types.js";
import type { Input } from "../validate.js";

/** What every tool shows of itself. */
export type Shown = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool of the server itself: it knows the other tools, and asks nobody else. */
export interface OwnTool extends Shown {
  serve(input: Input): Ended | Promise<Ended>;
}

/** A call of it is a call of another tool, in every respect. */
export interface ForwardingTool extends Shown {
  /** The tool that is meant, and its arguments; or what is wrong, for the agent. */
  forward(
    given: unknown,
  ): { readonly tool: AnyTool; readonly given: unknown } | { readonly problem: string };
}

export type DiscoveryTool = OwnTool | ForwardingTool;

/** The tools that are found, described and called. */
export interface Known {
  /** In their order. */
  readonly tools: readonly StoredTool[];
  find(name: string): AnyTool | undefined;
  /** Why there is no such tool, and which ones are near: a sentence or two. */
  whyNot(name: string): string;
}
