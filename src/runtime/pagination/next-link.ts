/** Addresses of the next page, as APIs give them. */
import type { BoundRequest } from "../request/types.js";
import type { ApiDefinition, RequestMapping, ToolDefinition } from "../types.js";

/**
 * The address with `rel="next"` in a `Link` header; `undefined` when there is none. RFC 8288,
 * section 3.
 */
export function nextLinkInHeader(header: string | null): string | undefined {
  for (const [, target = "", parameters = ""] of (header ?? "").matchAll(
    /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]*))?)*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next")) return target;
  }
  return undefined;
}

/**
 * The address in a field of an answer: a text, or an object that holds one, as HAL and JSON:API
 * write it. A bare word is a cursor, and none.
 */
export function nextLinkInField(value: unknown): string | undefined {
  if (typeof value === "string") return /^(https?:\/\/|\/|\?)/i.test(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { href, url } = value as { readonly href?: unknown; readonly url?: unknown };
  return nextLinkInField(
    typeof href === "string" ? href : typeof url === "string" ? url : undefined,
  );
}

/**
 * The address that a request to the next page goes to: only within the origin, because the request
 * carries credentials.
 */
export function sameOriginUrl(target: URL, { url }: BoundRequest): string | undefined {
  const to = new URL(target);
  to.hash = "";
  return to.origin === new URL(url).origin && to.username === "" && to.password === ""
    ? to.href
    : undefined;
}

/**
 * What an agent has to pass for the page that a link leads to: the inputs that fill those of its
 * query parameters that differ from the ones that were sent. `undefined` when an input cannot say
 * it.
 */
export function inputsForLink(
  target: URL,
  { url }: BoundRequest,
  { query = {} }: RequestMapping,
  { inputSchema }: Pick<ToolDefinition, "inputSchema">,
  api: ApiDefinition,
): Record<string, unknown> | undefined {
  const [sent, wanted] = [new URL(url).searchParams, target.searchParams];
  const found = new Map<string, unknown>();
  for (const name of new Set(wanted.keys())) {
    const values = wanted.getAll(name);
    if (values.join("\n") === sent.getAll(name).join("\n") || isCredential(name, api)) continue;
    const wire = Object.hasOwn(query, name) ? query[name] : undefined;
    const input = typeof wire === "string" ? wire : wire && "from" in wire ? wire.from : undefined;
    const value =
      input === undefined || values.length > 1
        ? undefined
        : parseQueryValue(values[0] as string, propertyOf(inputSchema, input));
    if (input === undefined || value === undefined) return undefined;
    found.set(input, value);
  }
  return found.size > 0 ? Object.fromEntries(found) : undefined;
}

function isCredential(name: string, { securitySchemes }: ApiDefinition): boolean {
  return Object.values(securitySchemes).some(
    (scheme) => scheme.kind === "apiKey" && scheme.in === "query" && scheme.name === name,
  );
}

function propertyOf(
  schema: ToolDefinition["inputSchema"],
  name: string,
): { readonly type?: unknown } {
  const properties = (schema["properties"] ?? {}) as Record<string, { readonly type?: unknown }>;
  return Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {};
}

/**
 * A query holds text; an input may want a number. Lists and objects have no one way to be read
 * back.
 */
function parseQueryValue(text: string, { type }: { readonly type?: unknown }): unknown {
  const types = [type ?? "string"].flat();
  if (types.includes("string")) return text;
  if (
    (types.includes("integer") || types.includes("number")) &&
    text.trim() !== "" &&
    Number.isFinite(Number(text))
  )
    return Number(text);
  return types.includes("boolean") && (text === "true" || text === "false")
    ? text === "true"
    : undefined;
}
