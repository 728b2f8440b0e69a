import type { BoundRequest } from "../request/types.js";
import type { ApiDefinition, RequestMapping, ToolDefinition, ToolInput } from "../types.js";

/** What is known about a call when its request is about to go out. */
export interface ApiCall {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  readonly input: ToolInput;
  readonly mapping: RequestMapping;
  /** Without credentials. */
  readonly request: BoundRequest;
  /** The tool that shows what this one may have changed. */
  verificationTool?(): string | undefined;
}

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Whether the call may change something. RFC 9110, section 9.2.1. */
export function isWrite({ mapping }: Pick<ApiCall, "mapping">): boolean {
  return mapping.unsafe === true || !READ_METHODS.has(mapping.method);
}

/** Method and URL, short enough for a sentence. */
export function requestLine({ request }: ApiCall): string {
  return `${request.method} ${request.url.length > 300 ? `${request.url.slice(0, 300)}…` : request.url}`;
}

/** `2 s`, `5 min`, `86400 s`. */
export function formatSeconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** What to do before a write is tried again that may have taken effect. */
export function verificationAdvice({
  verificationTool,
}: Pick<ApiCall, "verificationTool">): string {
  const tool = verificationTool?.();
  return tool === undefined
    ? "check whether it took effect"
    : `call ${tool} to see whether it took effect`;
}

/** Whether there is a tool of this name. */
export type HasTool = (name: string) => boolean;

/**
 * The tool that shows what another one may have changed, by their names: `find_visits` for
 * `book_visit`, `get_pet_photo` for `upload_pet_photo`. `undefined` when there is none.
 * @param namespace the first word of every tool's name
 */
export function findVerificationTool(
  tool: string,
  namespace: string | undefined,
  has: HasTool,
): string | undefined {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const noun = tool.slice(prefix.length).split("_").slice(1).join("_");
  if (noun === "" || !tool.startsWith(prefix)) return undefined;
  const many = [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, "ies")];
  const names = [
    ...["find", "list", "search"].flatMap((verb) => many.map((one) => `${verb}_${one}`)),
    `get_${noun}`,
  ];
  return names.map((name) => prefix + name).find((name) => name !== tool && has(name));
}
