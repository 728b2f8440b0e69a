/** Phrases of advice for an agent: inputs, the request and settings. */
import { canParseUrl } from "../data/urls.js";
import { ownProperty, beginningOf } from "../data/values.js";
import type { ApiCall } from "../request/types.js";

/** Maximum number of characters of a URL in a text. */
const MAX_URL = 300;

/** Maximum number of characters of an input's value in advice. */
const MAX_VALUE = 100;

/** Names of the inputs that have a value in a call. */
export function presentInputs({ input }: Pick<ApiCall, "input">): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null);
}

/** Names of inputs as a phrase: `a, b and c`. */
export function joinNames(names: readonly string[]): string {
  if (names.length > 4) return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** Formats the value of an input for a sentence; the name for an input without a value. */
export function formatInput(name: string, value: unknown): string {
  if (value === undefined || value === null) return name;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return beginningOf(text, MAX_VALUE);
}

/** Formats the value of an input as `formatInput` does, with quotation marks around text. */
export function quoteInput(name: string, value: unknown): string {
  const text = formatInput(name, value);
  return typeof value === "string" ? JSON.stringify(text) : text;
}

/** Method and URL, shortened for a sentence. */
export function requestLine({ request, api, tool, isOfSeveral }: ApiCall): string {
  const { method, url } = request;
  const whose = isOfSeveral || tool.api !== undefined ? `${api.title}: ` : "";
  return `${whose}${method} ${beginningOf(url, MAX_URL)}`;
}

/** Formats a duration in seconds: `2 s`. */
export function formatSeconds(ms: number): string {
  return `${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/**
 * Variable of the base URL, with the base URL of a request. A base path of the document that it
 * lacks is named, because users often leave it out.
 */
export function baseUrlSetting(call: ApiCall): string {
  const { api } = call;
  const base = baseUrlOf(call);
  const documented = documentedBasePath(call);
  const path = new URL(base).pathname.replace(/\/$/, "");
  const hint =
    documented === "" || documented === path
      ? ""
      : `; the API's document has the base path ${documented}`;
  return `${api.envPrefix}_BASE_URL (now ${base}${hint})`;
}

/** Path of the document's first server; empty for the root. */
function documentedBasePath({ api, mapping }: ApiCall): string {
  const [server] = mapping.servers ?? api.servers;
  if (server === undefined) return api.basePath ?? "";
  const url = server.url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => ownProperty(server.variables, name)?.default ?? expression,
  );
  return canParseUrl(url) ? decodeURI(new URL(url).pathname).replace(/\/$/, "") : "";
}

/** Base URL that a request was sent to. */
export function baseUrlOf({ mapping, request }: Pick<ApiCall, "mapping" | "request">): string {
  const { origin, pathname } = new URL(request.url);
  const segments = pathname.split("/");
  // The template's own segments end the path; what is before them is the base path.
  const own = mapping.path.split("/").length - 1;
  const base = segments.slice(0, Math.max(1, segments.length - own)).join("/");
  return `${origin}${base}`;
}
