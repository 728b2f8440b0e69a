/** Exchange of a caller's token for a token of the API. RFC 8693. */
import type { SecuritySchemeDefinition } from "../api-definition.js";
import type { ApiContext, CallerExchange } from "../request/types.js";
import type { ChosenScheme } from "./choice.js";
import { callerFailure, unsupportedCredentials } from "./failures.js";
import { type AccessTokenResult, getToken } from "./token-cache.js";
import type { Grant, Refusal } from "./token-endpoint.js";
import type { AuthFailure, AuthOptions } from "./types.js";

const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Gets the token of the API for one caller, from the cache or the token endpoint. The key of the
 * cache has the hash of the caller's token. Rejects only if `options.signal` is aborted.
 */
export async function getExchangedToken(
  { scheme, scopes }: ChosenScheme,
  exchange: CallerExchange,
  context: ApiContext,
  options: AuthOptions,
): Promise<AccessTokenResult> {
  if (exchange.token === "")
    return callerFailure(
      "this caller has no access token to exchange: it did not sign in at the issuer",
    );
  const grant = exchangeGrant(scheme, scopes, exchange, context);
  const { parameters } = grant;
  const subject_token = await sha256(exchange.token);
  const key = JSON.stringify({ ...grant, parameters: { ...parameters, subject_token } });
  return getToken(key, grant, options);
}

function exchangeGrant(
  { kind }: SecuritySchemeDefinition,
  scopes: readonly string[],
  { token, settings }: CallerExchange,
  { api }: ApiContext,
): Grant {
  const { issuer, tokenUrl, clientId, clientSecret, fields } = settings;
  // "Roles" of other schemes are not scopes. OpenAPI 3.1.1, Security Requirement Object.
  const scope = fields["scope"] ?? (kind === "oauth2" ? scopes.join(" ") : "");
  const { scope: _, ...others } = fields;
  return {
    ...(tokenUrl === undefined ? { tokenUrl: "", issuer } : { tokenUrl }),
    clientId,
    clientSecret,
    parameters: {
      ...others,
      ...(scope !== "" && { scope }),
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: ACCESS_TOKEN,
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
    },
    variables: [`${api.envPrefix}_TOKEN_EXCHANGE`],
    explainRefusal: (refusal) => explainRefusal(refusal, scope, api.envPrefix),
  };
}

/** Names what the authorization server refused. RFC 6749, section 5.2; RFC 8693, section 2.2.2. */
function explainRefusal({ host, status, code }: Refusal, scope: string, prefix: string) {
  const variable = `${prefix}_TOKEN_EXCHANGE`;
  const cause = code === undefined ? `${status}` : `${status} ${code}`;
  const refuse = (what: string): string => `${host} refused ${what} (${cause})`;
  switch (code) {
    case "invalid_client":
      return serverFailure(refuse(`this server's client (${variable}_CLIENT_ID)`));
    case "unauthorized_client":
    case "unsupported_grant_type":
      return serverFailure(
        refuse(`to exchange tokens for this server's client (${variable}_CLIENT_ID)`),
      );
    case "invalid_target":
      return serverFailure(refuse(`the audience or resource of ${variable}`));
    case "invalid_scope":
      return callerFailure(refuse(`the scopes of this call (${scope}) for this caller`));
    case undefined:
      return serverFailure(refuse("the exchange of the caller's token"));
    default:
      return callerFailure(refuse("the caller's token"));
  }
}

/** A failure that the administrator of the server settles. */
function serverFailure(problem: string): AuthFailure {
  return unsupportedCredentials(`${problem}.`);
}

async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
