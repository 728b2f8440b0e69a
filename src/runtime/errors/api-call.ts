import type { ApiDefinition } from "../api-definition.js";
import type { BoundRequest } from "../request/types.js";
import type { RequestMapping, ToolDefinition, ToolInput } from "../types.js";

/** A tool call with the request that it sends. */
export interface ApiCall {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  readonly input: ToolInput;
  readonly mapping: RequestMapping;
  /** The request without credentials. */
  readonly request: BoundRequest;
  /** Finds the tool that shows the effect of this call. */
  verificationTool?(): string | undefined;
}

/** Maximum number of characters of a URL in a text. */
const MAX_URL = 300;

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** True if the call may change something. RFC 9110, section 9.2.1. */
export function isWrite({ mapping }: Pick<ApiCall, "mapping">): boolean {
  return mapping.unsafe === true || !READ_METHODS.has(mapping.method);
}

/** Method and URL, shortened for a sentence. */
export function requestLine({ request }: ApiCall): string {
  const { method, url } = request;
  return `${method} ${url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url}`;
}

/** Formats a duration in seconds: `2 s`. */
export function formatSeconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** Advice before a write is repeated that may have taken effect. */
export function verificationAdvice({
  verificationTool,
}: Pick<ApiCall, "verificationTool">): string {
  const tool = verificationTool?.();
  if (tool === undefined) return "check whether it took effect";
  return `call ${tool} to see whether it took effect`;
}

/**
 * Finds the tool that shows the effect of another one, by their names: `find_visits` for
 * `book_visit`, `get_pet_photo` for `upload_pet_photo`. `undefined` when there is none.
 * @param namespace first word of every tool's name
 */
export function findVerificationTool(
  tool: string,
  namespace: string | undefined,
  hasTool: (name: string) => boolean,
): string | undefined {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  const noun = tool.slice(prefix.length).split("_").slice(1).join("_");
  if (noun === "" || !tool.startsWith(prefix)) return undefined;
  const plurals = [noun, `${noun}s`, `${noun}es`, noun.replace(/y$/, "ies")];
  const names = [
    ...["find", "list", "search"].flatMap((verb) => plurals.map((plural) => `${verb}_${plural}`)),
    `get_${noun}`,
  ];
  return names.map((name) => prefix + name).find((name) => name !== tool && hasTool(name));
}
