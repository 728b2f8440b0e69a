/** Failures that code of the project throws, and that agents read. */
import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * A failure of a call with a text for the agent. Thrown by a custom tool or a hook, its message is
 * what the agent reads. `call.tools` throws it for a tool whose call failed, with that tool's text.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";

  /**
   * @param message text for the agent: what happened, and what to do next
   * @param result result of the tool whose call failed
   */
  constructor(
    message: string,
    readonly result?: CallToolResult,
  ) {
    super(message);
  }
}

/** True for a `ToolError`, also one of another copy of the runtime, as hot reload loads it. */
export const isToolError = (error: unknown): error is ToolError =>
  error instanceof Error && error.name === "ToolError";

/** Text of the result of a failed call. */
export function textOfResult({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
