import type { BoundRequest } from "../bind/types.js";
import type { ApiDefinition, SendBinding, ToolDefinition } from "../types.js";
import type { Input } from "../validate.js";

/** What is known about a call when its request is about to go out. */
export interface Call {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  readonly input: Input;
  readonly send: SendBinding;
  /** Without credentials. */
  readonly request: BoundRequest;
  /** The tool that shows what this one may have changed. */
  reader?(): string | undefined;
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Whether the call may change something. RFC 9110, section 9.2.1. */
export function isWrite({ send }: Pick<Call, "send">): boolean {
  return send.unsafe === true || !reading.has(send.method);
}

/** Method and URL, short enough for a sentence. */
export function where({ request }: Call): string {
  return `${request.method} ${request.url.length > 300 ? `${request.url.slice(0, 300)}…` : request.url}`;
}

/** `2 s`, `5 min`, `86400 s`. */
export function seconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** What to do before a write is tried again that may have taken effect. */
export function checkFirst({ reader }: Pick<Call, "reader">): string {
  const tool = reader?.();
  return tool === undefined
    ? "check whether it took effect"
    : `call ${tool} to see whether it took effect`;
}
