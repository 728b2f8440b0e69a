import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Redact } from "../redact.js";
import type { Kept, Whole } from "./index.js";

export interface LinkOptions {
  /** Absent: nothing is kept. */
  readonly kept?: Kept | undefined;
  readonly redact: Redact;
}

/** A result that shows only a part of the whole, with a link to the whole, if that can be kept. */
export function withWhole(result: CallToolResult, tool: string, whole: Whole | undefined, { kept, redact }: LinkOptions): CallToolResult {
  const link = whole && kept?.keep(tool, "text" in whole ? { ...whole, text: redact(whole.text) } : whole);
  if (!link) return result;
  const note = `Note: the whole result (${link.size} bytes) can be read for ${kept?.howLong} as the resource ${link.uri}.`;
  return { ...result, content: [...result.content, { type: "text", text: note }, link] };
}
