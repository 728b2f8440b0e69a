/** Effects of the calls within one that failed, and the calls that revert them. */
import { quoteInput } from "../errors/next-tools.js";
import { inputOfPath } from "../request/path-values.js";
import type { ResponseHeaders } from "../request/types.js";
import type { ToolRegistry } from "../tools/tool-registry.js";
import type { OperationBinding, ToolDefinition } from "../types.js";
import { createdId } from "./created-id.js";

/** A write that took effect. */
export interface Effect {
  readonly tool: string;
  /** Call that reverts it: `delete_pet with petId "p1"`. */
  readonly revert?: string;
}

/** A successful request of a creation. */
interface Creation {
  readonly url: string;
  readonly headers: Pick<ResponseHeaders, "get">;
  readonly body: unknown;
}

/** The call that removes what a request has created; undefined if the server offers none. */
export function revertingCall(
  tools: Pick<ToolRegistry, "get">,
  { revert, readBack }: Pick<OperationBinding, "revert" | "readBack">,
  { url, headers, body }: Creation,
): string | undefined {
  const tool = revert === undefined ? undefined : tools.get(revert);
  const id = readBack?.created && createdId(readBack.created, headers, body);
  if (!tool || !("operations" in tool) || id === undefined) return undefined;
  const path = `${new URL(url).pathname.replace(/\/$/, "")}/${encodeURIComponent(id)}`;
  const input = inputOfPath(tool as ToolDefinition, path);
  if (!input) return undefined;
  const values = Object.entries(input).map(([name, value]) => `${name} ${quoteInput(name, value)}`);
  return `${tool.name} with ${values.join(" and ")}`;
}

/** Sentence about calls that revert effects, the latest first. It is a hint: the user decides. */
export function revertText(reverts: readonly (string | undefined)[]): readonly string[] {
  const calls = reverts.flatMap((one) => one ?? []).toReversed();
  if (calls.length === 0) return [];
  return [`Only if the user wants to undo it: call ${[...new Set(calls)].join(", then ")}.`];
}

/** Maximum number of effects that are listed. */
const MAX_EFFECTS = 20;

/** Lines about the writes of a call whose code failed after them. */
export function effectLines(effects: readonly Effect[]): readonly string[] {
  if (effects.length === 0) return [];
  const listed = effects.slice(-MAX_EFFECTS);
  const names = [...new Set(listed.map(({ tool }) => tool))].join(", ");
  return [
    `Took effect before, do not repeat: ${names}.`,
    ...revertText(listed.map(({ revert }) => revert)),
  ];
}
