/**
 * URL of the request: base URL, path and query. For any input, the path has the segments of its
 * template, and none of them is `..`.
 */
import { canParseUrl } from "../data/urls.js";
import type { ServerDefinition } from "../api-definition.js";
import { isForm } from "../data/media-types.js";
import { ownProperty } from "../data/values.js";
import type { InputSource, ParameterSource, RequestMapping } from "../types.js";
import { fieldsOf, formBody, namedPairs, type Pair, pathText } from "./styles.js";
import {
  type BindingContext,
  isPinned,
  type ParameterValue,
  rejectPinnedNames,
  type ReportProblem,
  resolveParameter,
} from "./parameter-source.js";
import {
  encodeReservedPath,
  encodeReservedQuery,
  isStructured,
  percentEncode,
  serialize,
} from "./serialize.js";
import type { ApiContext, Env } from "./types.js";

/** Fills the template `/pets/{petId}` and encodes its literal text. */
export function bindPath(
  mapping: Pick<RequestMapping, "path" | "pathParams"> & Partial<Pick<RequestMapping, "method">>,
  binding: BindingContext,
): string {
  const { pathParams, method } = mapping;
  const segments = segmentsOf(mapping.path);
  return segments
    .map((segment, i) => {
      const mayBeEmpty = i === segments.length - 1 && mayBeRoot(segment, method);
      return bindSegment(segment, pathParams, binding, mayBeEmpty);
    })
    .join("/");
}

/**
 * True for the path of a folder at the end of a URL, which is empty for the root. A request that may
 * delete or replace needs a path.
 */
const mayBeRoot = ([before, name = "", after, ...others]: Segment, method = ""): boolean =>
  before === "" &&
  after === "" &&
  others.length === 0 &&
  /^(?:GET|HEAD|POST)$/.test(method) &&
  /(?:^|_|(?<=[a-z])(?=[DFP]))(?:[Dd]ir|[Dd]irectory|[Ff]older|[Pp]ath|[Pp]refix)$/.test(name);

/** A segment of a template: literal text at even indexes, names of parameters at odd ones. */
type Segment = readonly string[];

const segmentsByPath = new Map<string, readonly Segment[]>();

/** Segments by template. Their number is that of the templates of all tools. */
function segmentsOf(path: string): readonly Segment[] {
  let segments = segmentsByPath.get(path);
  if (!segments)
    segmentsByPath.set(
      path,
      (segments = (path.startsWith("/") ? path : `/${path}`).split("/").map(segmentOf)),
    );
  return segments;
}

/** Splits a segment at its expressions: the capture group is at odd indexes. */
function segmentOf(template: string): Segment {
  return template
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? encodeReservedPath(part) : part));
}

function bindSegment(
  segment: Segment,
  sources: RequestMapping["pathParams"],
  binding: BindingContext,
  mayBeEmpty: boolean,
): string {
  if (segment.length === 1) return segment[0]!;
  const parameters: ParameterValue[] = [];
  const parts = segment.map((part, index) => {
    if (index % 2 === 0) return part;
    const parameter = resolveParameter(
      part,
      ownProperty(sources, part) ?? part,
      binding,
      "is missing; the path needs a value",
    );
    if (parameter === undefined) return "";
    parameters.push(parameter);
    return parameterText(parameter);
  });
  const text = parts.join("");
  const [first] = parameters;
  if (first !== undefined && parts.length === 2 * parameters.length + 1)
    checkSegment(text, first.reportProblem, mayBeEmpty);
  return text;
}

function parameterText(parameter: ParameterValue): string {
  const encode = parameter.allowReserved === true ? encodeReservedPath : percentEncode;
  if (parameter.contentType !== undefined)
    return encode(serialize(parameter, parameter.contentType));
  return pathText(parameter, encode);
}

/**
 * Rejects `.` and `..`, which every URL parser removes, also as `%2e`. RFC 3986, section 5.2.4.
 * Servers that decode before they route would also remove `..%2F..`, and some cut `..;x` at the
 * semicolon.
 */
function checkSegment(segment: string, reportProblem: ReportProblem, mayBeEmpty: boolean): void {
  if (segment === "" && !mayBeEmpty) reportProblem("is empty; the path needs a value");
  const decoded = segment
    .replace(/%2e/gi, ".")
    .replace(/%2f|%5c/gi, "/")
    .replace(/%3b/gi, ";");
  const isDots = /^\.{1,2}(;|$)/.test(decoded);
  if (isDots || /(^|\/)\.\.([/;]|$)/.test(decoded))
    reportProblem('has a "." or ".." path segment, which would lead to another path');
}

/** Binds everything after the `?`; empty without parameters. */
export function bindQuery(
  mapping: Pick<RequestMapping, "query" | "querystring" | "isRaw">,
  binding: BindingContext,
): string {
  const pairs = Object.entries(mapping.query ?? {}).flatMap(([name, source]) =>
    parameterPairs(name, source, binding, mapping.isRaw === true),
  );
  const parts = pairs.map(([name, value]) => `${name}=${value}`);
  const querystring =
    mapping.querystring === undefined ? "" : bindQuerystring(mapping.querystring, binding);
  return (querystring === "" ? parts : [...parts, querystring]).join("&");
}

/** @param isRaw true if the caller has written the name, which no document declares */
function parameterPairs(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  isRaw: boolean,
): readonly Pair[] {
  const parameter = resolveParameter(name, source, binding);
  if (parameter === undefined) return [];
  const encode = parameter.allowReserved === true ? encodeReservedQuery : percentEncode;
  const pairs: readonly Pair[] =
    parameter.contentType === undefined
      ? namedPairs(parameter, { name: percentEncode, value: encode })
      : [[percentEncode(name), encode(serializeQueryValue(parameter, parameter.contentType))]];
  if (!isPinned(source))
    rejectPinnedNames(
      namesIn(pairs.map((pair) => pair.join("="))),
      binding.pinned.query,
      isRaw ? { ...parameter, name: "" } : parameter,
    );
  return pairs;
}

/** Decoded names of encoded pairs. Some receivers separate pairs at `;`, too. */
function namesIn(pairs: readonly string[]): readonly string[] {
  return pairs
    .flatMap((pair) => pair.split(/[&;]/))
    .flatMap((pair) => [...new URLSearchParams(pair).keys()]);
}

/**
 * Binds `in: querystring` of OpenAPI 3.2: a form, by fields or complete, or one encoded text of
 * another media type.
 */
function bindQuerystring(source: InputSource, binding: BindingContext): string {
  const parameter = resolveParameter("query", source, binding);
  if (parameter === undefined) return "";
  const contentType = parameter.contentType ?? "application/x-www-form-urlencoded";
  const text = serializeQueryValue(parameter, contentType);
  const query = isForm(contentType) ? encodeFormQuery(text) : percentEncode(text);
  rejectPinnedNames(namesIn([query]), binding.pinned.query, parameter);
  return query;
}

function serializeQueryValue(parameter: ParameterValue, contentType: string): string {
  const { value, encoding } = parameter;
  if (!isForm(contentType) || !isStructured(value)) return serialize(parameter, contentType);
  return formBody(fieldsOf(parameter), { encoding });
}

/** Encodes a complete form. Its structure stays. */
function encodeFormQuery(form: string): string {
  const text = form.startsWith("?") ? form.slice(1) : form;
  return text
    .split(/([&=+]+)/)
    .map((part, index) => (index % 2 === 1 ? part : encodeReservedQuery(part)))
    .join("");
}

/**
 * Base URL of the API, from the environment or the document's servers. OpenAPI 3.1.1, Server
 * Object.
 */
type BaseUrlResult =
  /** Absolute `http` or `https` URL without credentials, query, fragment and trailing slash. */
  | { readonly ok: true; readonly url: string }
  /** A sentence that names the variable to set. It repeats no value of a variable. */
  | { readonly ok: false; readonly problem: string };

const RESTART_ADVICE = "in the environment of this server, then restart it; do not retry";

/**
 * Resolves the URL that paths are appended to: `<PREFIX>_BASE_URL`, otherwise the first of
 * `servers` with its variables filled in. A relative server is ignored, because its base is
 * unknown.
 */
export function resolveBaseUrl(
  servers: readonly ServerDefinition[],
  context: ApiContext,
): BaseUrlResult {
  const cached = resolvedUrls.get(context.env)?.get(servers);
  if (cached) return cached;
  const result = findBaseUrl(servers, context);
  resolvedUrls.set(
    context.env,
    (resolvedUrls.get(context.env) ?? new Map<readonly ServerDefinition[], BaseUrlResult>()).set(
      servers,
      result,
    ),
  );
  return result;
}

/** Resolved URLs by environment and servers, which do not change while a server runs. */
const resolvedUrls = new WeakMap<Env, Map<readonly ServerDefinition[], BaseUrlResult>>();

function findBaseUrl(servers: readonly ServerDefinition[], context: ApiContext): BaseUrlResult {
  const variable = `${context.api.envPrefix}_BASE_URL`;
  const override = context.env[variable];
  if (override) return overrideUrl(variable, override);
  const [server] = servers;
  return server === undefined
    ? missingUrlResult(variable, "The API's document names no server", context.api.basePath)
    : serverUrl(server, variable, context);
}

function overrideUrl(variable: string, value: string): BaseUrlResult {
  const url = normalizeUrl(value);
  if (url !== undefined) return { ok: true, url };
  const problem =
    `${variable} is not a base URL: an absolute http or https URL ` +
    `without user name, query and fragment. Correct it ${RESTART_ADVICE}.`;
  return { ok: false, problem };
}

function serverUrl(server: ServerDefinition, variable: string, context: ApiContext): BaseUrlResult {
  const problem = variableProblem(server, context);
  if (problem !== undefined) return { ok: false, problem };
  const url = normalizeUrl(
    server.url.replace(
      /\{([^{}]*)\}/g,
      (expression, name: string) => variableValue(server, name, context) ?? expression,
    ),
  );
  return url === undefined
    ? missingUrlResult(variable, "The server of the API's document is not a complete URL")
    : { ok: true, url };
}

function missingUrlResult(variable: string, reason: string, basePath?: string): BaseUrlResult {
  const path = basePath === undefined ? "" : ` with the base path ${basePath}`;
  const example = `https://api.example.com${basePath ?? "/v1"}`;
  return {
    ok: false,
    problem: `${reason}. Set ${variable} to the API's base URL${path}, such as ${example}, ${RESTART_ADVICE}.`,
  };
}

function variableValue(
  server: ServerDefinition,
  name: string,
  context: ApiContext,
): string | undefined {
  const variable =
    server.variables && Object.hasOwn(server.variables, name) ? server.variables[name] : undefined;
  return variable && (context.env[variable.env] || variable.default);
}

function variableProblem(server: ServerDefinition, context: ApiContext): string | undefined {
  for (const { env, enum: allowed } of Object.values(server.variables ?? {})) {
    const value = context.env[env];
    if (!value || !allowed || allowed.includes(value)) continue;
    const values = allowed.map((value) => JSON.stringify(value)).join(", ");
    return `${env} must be one of ${values}. Correct it ${RESTART_ADVICE}.`;
  }
  return undefined;
}

/**
 * Normalizes a base URL; `undefined` when it is not one. Remaining braces are variables without a
 * value.
 */
function normalizeUrl(text: string): string | undefined {
  if (!/^\s*https?:\/\/[^{}]*$/i.test(text) || !canParseUrl(text)) return undefined;
  const { href, username, password } = new URL(text);
  if (username !== "" || password !== "" || /[?#]/.test(href)) return undefined;
  return href.endsWith("/") ? href.slice(0, -1) : href;
}
