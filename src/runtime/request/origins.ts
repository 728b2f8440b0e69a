/** Origins that receive the credentials of an API: of its base URL, and those that are named. */
import type { ApiDefinition, HeaderSource } from "../api-definition.js";
import { credentialHeader } from "../security-schemes.js";
import type { ApiContext } from "./types.js";
import { resolveBaseUrl } from "./base-url.js";

type OriginContext = Pick<ApiContext, "api" | "env">;

/**
 * Lists the origins that receive credentials: that of the base URL, and the hosts of
 * `mcp-gen.yaml`. Servers of single operations are not among them.
 */
export function credentialOrigins(context: OriginContext): readonly string[] {
  const base = resolveBaseUrl(context.api.servers, context);
  return [...(base.ok ? [new URL(base.url).origin] : []), ...(context.api.hosts ?? [])];
}

/** True if a request to a URL may carry credentials of the API. */
export function receivesCredentials(url: string, context: OriginContext): boolean {
  return credentialOrigins(context).includes(new URL(url).origin);
}

/**
 * The reason why a request to a URL carries no credentials, as a clause: it names the origins that
 * get them.
 */
export function describeForeignOrigin(url: string, context: OriginContext): string {
  const origins = credentialOrigins(context);
  const { title, envPrefix } = context.api;
  const owner =
    origins.length === 0
      ? `credentials of ${title} have no origin, because ${envPrefix}_BASE_URL is not set`
      : `credentials of ${title} are for ${origins.join(" and ")} only`;
  return `${owner}, and this operation is at ${new URL(url).origin}`;
}

/** True if the server calls the API without credentials. */
export function callsAnonymously({ envPrefix }: ApiDefinition, env: OriginContext["env"]): boolean {
  return env[`${envPrefix}_AUTH`]?.trim().toLowerCase() === "none";
}

/** Variables that hold credentials: of the security schemes, and of secret parameters. */
export function credentialVariables({
  securitySchemes,
  secretParameters = [],
}: ApiDefinition): ReadonlySet<string> {
  const values = Object.values(securitySchemes).flatMap((scheme): unknown[] =>
    Object.values(scheme),
  );
  const names = values.filter((value): value is string => typeof value === "string");
  return new Set([...names, ...secretParameters]);
}

/** Value of a configured header; undefined if its variable is not set. */
export function headerValue(source: HeaderSource, env: OriginContext["env"]): string | undefined {
  if (typeof source === "string") return source;
  return "env" in source ? env[source.env] : source.value;
}

/** True for a header with a value of the environment, and for headers of credentials. */
export function mayHoldCredential(
  [name, source]: readonly [name: string, source: HeaderSource],
  api: Pick<ApiDefinition, "securitySchemes">,
): boolean {
  return typeof source !== "string" || isCredentialHeader(name, api);
}

function isCredentialHeader(
  name: string,
  { securitySchemes }: Pick<ApiDefinition, "securitySchemes">,
): boolean {
  const known = Object.values(securitySchemes).map(credentialHeader);
  return ["authorization", "proxy-authorization", "cookie", ...known].includes(name.toLowerCase());
}

/** Variables of the configured headers that credentials have by their names. */
export function credentialHeaderVariables(
  api: Pick<ApiDefinition, "headers" | "securitySchemes">,
): readonly string[] {
  return Object.entries(api.headers ?? {}).flatMap(([name, source]) => {
    const isCredential = isCredentialHeader(name, api) || SECRET_HEADER.test(name);
    return isCredential && typeof source !== "string" && "env" in source ? [source.env] : [];
  });
}

const SECRET_HEADER = /auth|token|secret|key\b/i;
