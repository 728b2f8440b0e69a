/** Base URL of the API. */
import type { ServerDefinition } from "../api-definition.js";
import { canParseUrl } from "../data/urls.js";
import type { ApiContext, Env } from "./types.js";

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
