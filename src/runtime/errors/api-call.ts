import type { ApiDefinition } from "../api-definition.js";
import type { BoundRequest, SentCredentials } from "../request/types.js";
import type { RequestMapping, ToolDefinition, ToolInput } from "../types.js";

/** A tool call with the request that it sends. */
export interface ApiCall {
  readonly api: ApiDefinition;
  readonly tool: ToolDefinition;
  readonly input: ToolInput;
  readonly mapping: RequestMapping;
  /** The request without credentials. */
  readonly request: BoundRequest;
  /** Sources of the credentials that were sent. Absent before the request was sent. */
  readonly credentials?: SentCredentials;
  /** Finds an offered tool. */
  readonly findTool: FindTool;
  /** True if another operation of the tool serves the input without one part of it. */
  servesWithout?(input: string): boolean;
}

/** The part of a tool that decides whether it can be called. */
export type CallableTool = Pick<ToolDefinition, "name" | "inputSchema"> &
  Partial<Pick<ToolDefinition, "producers" | "operations" | "annotations">>;

/** Finds an offered tool by its name. */
export type FindTool = (name: string) => CallableTool | undefined;

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

/** Variable of the base URL, with the base URL of a request. */
export function baseUrlSetting({ api, mapping, request }: ApiCall): string {
  const { origin, pathname } = new URL(request.url);
  const segments = pathname.split("/");
  // The template's own segments end the path; what is before them is the base path.
  const own = mapping.path.split("/").length - 1;
  const base = segments.slice(0, Math.max(1, segments.length - own)).join("/");
  return `${api.envPrefix}_BASE_URL (now ${origin}${base})`;
}
