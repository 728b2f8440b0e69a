/** Links to the next page in headers and bodies of responses. */
import type { BoundRequest } from "../request/types.js";
import type { ApiDefinition, RequestMapping, ToolDefinition } from "../types.js";

/**
 * Reads the `rel="next"` target of a `Link` header; `undefined` when there is none. RFC 8288,
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
 * Reads a link from a field of the body: a text, or an object with one, as in HAL and JSON:API. A
 * word without a slash is a cursor, not a link.
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
 * Returns the URL of the next page, if it has the origin of the API. The request carries
 * credentials.
 */
export function sameOriginUrl(target: URL, { url }: BoundRequest): string | undefined {
  const to = new URL(target);
  to.hash = "";
  return to.origin === new URL(url).origin && to.username === "" && to.password === ""
    ? to.href
    : undefined;
}

/**
 * Finds the inputs that an agent passes for a linked page: those that set the query parameters that
 * differ from the first request. `undefined` when inputs cannot express the link.
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

/** Parses a query value by the type of its input. Lists and objects have no unambiguous form. */
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
