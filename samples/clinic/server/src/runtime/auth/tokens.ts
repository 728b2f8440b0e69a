/** Tokens of OAuth 2.0 schemes: grants of the environment. */
import { resolveBaseUrl } from "../request/url.js";
import type { ApiContext } from "../request/types.js";
import type { SecuritySchemeDefinition } from "../api-definition.js";
import type { ChosenScheme } from "./choice.js";
import { type AccessTokenResult, getToken } from "./token-cache.js";
import type { Grant } from "./token-endpoint.js";
import type { AuthOptions } from "./types.js";

type OAuthScheme = Extract<SecuritySchemeDefinition, { kind: "oauth2" }>;

/**
 * Gets the token of a scheme from the cache or the token endpoint. Rejects only if `options.signal`
 * is aborted.
 */
export async function getAccessToken(
  choice: ChosenScheme,
  scheme: OAuthScheme,
  context: ApiContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  const grant = buildGrant(choice, scheme, context);
  return getToken(JSON.stringify(grant), grant, options);
}

/**
 * A refresh token is good for the scopes it was granted; client credentials ask for those of the
 * operation.
 */
function buildGrant(choice: ChosenScheme, scheme: OAuthScheme, context: ApiContext): Grant {
  const { env } = context;
  const client = {
    ...tokenEndpoint(scheme, context),
    clientId: env[scheme.clientIdEnv ?? ""] ?? "",
    clientSecret: env[scheme.clientSecretEnv ?? ""] ?? "",
    variables: choice.variables,
  };
  const refreshToken = choice.variables.includes(scheme.refreshTokenEnv ?? "")
    ? env[scheme.refreshTokenEnv ?? ""]
    : undefined;
  const extraParameters = Object.fromEntries(
    new URLSearchParams(env[scheme.tokenParametersEnv ?? ""] ?? ""),
  );
  if (refreshToken !== undefined)
    return {
      ...client,
      parameters: { ...extraParameters, grant_type: "refresh_token", refresh_token: refreshToken },
    };
  const scope = (choice.scopes.length > 0 ? choice.scopes : (scheme.scopes ?? [])).join(" ");
  return {
    ...client,
    parameters: {
      ...extraParameters,
      grant_type: "client_credentials",
      ...(scope === "" ? {} : { scope }),
    },
  };
}

/**
 * The token endpoint: the configured one before that of the document. OpenAPI 3.2, "Relative
 * References in API URLs".
 */
function tokenEndpoint(
  { tokenUrl, tokenUrlEnv, discoveryUrl }: OAuthScheme,
  context: ApiContext,
): Pick<Grant, "tokenUrl" | "discoveryUrl"> {
  const url = context.env[tokenUrlEnv ?? ""]?.trim() || tokenUrl;
  if (url === undefined) return { tokenUrl: "", discoveryUrl };
  if (URL.canParse(url)) return { tokenUrl: url };
  const base = resolveBaseUrl(context.api.servers, context);
  return {
    tokenUrl: base.ok && URL.canParse(url, `${base.url}/`) ? new URL(url, `${base.url}/`).href : "",
  };
}
