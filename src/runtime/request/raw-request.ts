/** Requests that a caller writes itself: the tool `send_request`. */
import { parseJsonText } from "../data/json-text.js";
import { isJson, isSequence, parseContentType } from "../data/media-types.js";
import { isObject } from "../data/values.js";
import type { BodyMapping, RequestMapping, ToolInput } from "../types.js";
import { bindRequest } from "./bind-request.js";
import { encodeReservedPath } from "./serialize.js";
import type { ApiContext, BindResult, InputProblem } from "./types.js";

/** Methods that `send_request` takes. */
export const RAW_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A request as a mapping with its input. The names of the input are those of the tool's parts. */
type RawRequest =
  | { readonly ok: true; readonly mapping: RequestMapping; readonly input: ToolInput }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Reads the input of `send_request` as a mapping. The path stays below the base URL: it has no `.`
 * and `..` segments in any encoding, and is no other address.
 */
export function readRawRequest(template: RequestMapping, input: ToolInput): RawRequest {
  const [path = "", ...rest] = String(input["path"]).split("?");
  const problem = pathProblem(path);
  if (problem !== undefined) return { ok: false, problems: [{ input: "path", problem }] };
  const problems = partProblems(input);
  if (problems.length > 0) return { ok: false, problems };
  const query = [...queryOf(rest.join("?")), ...Object.entries(objectOf(input["query"]))];
  const values = query.map(([name, value]) => [`query.${name}`, value] as const);
  const body = bodyMapping(input);
  return {
    ok: true,
    mapping: {
      ...template,
      method: String(input["method"]),
      path,
      pathParams: { path: "path" },
      query: Object.fromEntries(query.map(([name]) => [name, `query.${name}`])),
      ...(body && { body }),
    },
    input: { ...Object.fromEntries(values), ...input },
  };
}

/** Problems of parts that cannot be sent as they are. */
function partProblems({ method, query, body }: ToolInput): readonly InputProblem[] {
  const hasNoBody = method === "GET" || method === "HEAD";
  const objects = Object.entries(objectOf(query)).filter(([, value]) => isObject(value));
  return [
    ...(hasNoBody && body !== undefined
      ? [{ input: "body", problem: `cannot be sent with ${method}` }]
      : []),
    ...objects.map(([name, value]) => ({
      input: `query.${name}`,
      problem: `is an object; write each name as the API does, such as ${JSON.stringify(`${name}[${Object.keys(value as object)[0] ?? "key"}]`)}`,
    })),
  ];
}

/** Binds a request. Text of a JSON body is sent as it is, so that its numbers keep their digits. */
export function bindRawRequest(
  { mapping, input }: Extract<RawRequest, { ok: true }>,
  context: ApiContext,
): BindResult {
  const { body } = input;
  const { essence } = parseContentType(mapping.body?.contentType ?? "");
  const isRows = isSequence(essence);
  const isText = typeof body === "string" && (isJson(essence) || isRows);
  if (isText && !isRows && parseJsonText(body) === undefined)
    return { ok: false, problems: [{ input: "body", problem: "is not JSON" }] };
  const { pathParams: _, path, ...others } = mapping;
  const bound = bindRequest({ ...others, path: "/" }, input, context);
  if (!bound.ok) return bound;
  const url = withPath(bound.request.url, path);
  // A URL that a parser would change is a different one.
  if (new URL(url).href !== url)
    return { ok: false, problems: [{ input: "path", problem: "is not the path of a URL" }] };
  return { ok: true, request: { ...bound.request, url, ...(isText && { body }) } };
}

/** Puts a path in the place of the root. The paths of a template would be cached. */
function withPath(url: string, path: string): string {
  const [base = "", ...query] = url.split("?");
  const segments = path.replace(/^\//, "").split("/").map(encodeReservedPath);
  return [`${base}${segments.join("/")}`, ...query].join("?");
}

function bodyMapping({ body, contentType }: ToolInput): BodyMapping | undefined {
  if (body === undefined) return undefined;
  const isText = typeof body === "string" && parseJsonText(body) === undefined;
  const fallback = isText ? "text/plain" : "application/json";
  return { contentType: typeof contentType === "string" ? contentType : fallback, from: "body" };
}

const objectOf = (value: unknown): object => (isObject(value) ? value : {});

/** Parameters that the path has. A repeated name becomes a list. */
function queryOf(text: string): readonly (readonly [string, unknown])[] {
  const parameters = new URLSearchParams(text);
  return [...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? values[0] : values] as const;
  });
}

/** Maximum rounds of decoding. Proxies and servers may decode a path one after the other. */
const MAX_DECODINGS = 8;

/** The problem of a path, as a clause. */
function pathProblem(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path))
    return "must be a path below the base URL of the API, not another address";
  // oxlint-disable-next-line no-control-regex
  if (/[\\#\0-\x1f\x7f]/.test(path))
    return "has a backslash, a # or a control character; percent-encode it";
  if (/%(?![0-9a-f]{2})/i.test(path)) return "has a % that is not a percent-encoding; write %25";
  return hasDotSegment(path)
    ? 'has a "." or ".." path segment, which would lead to another path'
    : undefined;
}

function hasDotSegment(path: string): boolean {
  let text = path;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    if (text.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;|$)/.test(segment))) return true;
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
