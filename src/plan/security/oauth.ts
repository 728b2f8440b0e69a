import type { SecurityScheme } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/types.js";
import { isCallable } from "../servers.js";
import type { AddVariable, SchemeUse } from "./scheme.js";

type OAuthScheme = Extract<SecurityScheme, { kind: "oauth2" }>;

/** Where tokens come from. */
type Endpoint = { readonly tokenUrl: string } | { readonly discoveryUrl: string };

/**
 * A token can always be given; where the address of the metadata is one to trust, the server can
 * also get one, or refresh it.
 */
export function defineOpenIdConnect(
  url: string,
  { scopes, needed }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const isFound = isAbsolute(url) && isEndpoint(url);
  const tokenEnv = add("token", "Access token (OpenID Connect)", { required: needed && !isFound });
  return isFound
    ? obtained(tokenEnv, { discoveryUrl: url }, true, scopes, add)
    : given(tokenEnv, scopes);
}

/** A token can always be given; a flow with a token endpoint can also get one, or refresh it. */
export function defineFlows(
  { flows, metadataUrl }: OAuthScheme,
  { scopes, needed }: SchemeUse,
  add: AddVariable,
): SecuritySchemeDefinition {
  const machine = flows.find(
    (flow) => flow.flow === "clientCredentials" && isEndpoint(flow.tokenUrl),
  );
  const user = flows.find(
    (flow) =>
      flow.flow !== "clientCredentials" &&
      (isEndpoint(flow.refreshUrl) || isEndpoint(flow.tokenUrl)),
  );
  const tokenUrl =
    machine?.tokenUrl ?? (isEndpoint(user?.refreshUrl) ? user?.refreshUrl : user?.tokenUrl);
  const discoveryUrl =
    metadataUrl !== undefined && isAbsolute(metadataUrl) && isEndpoint(metadataUrl)
      ? metadataUrl
      : undefined;
  const endpoint =
    tokenUrl !== undefined
      ? { tokenUrl }
      : discoveryUrl !== undefined
        ? { discoveryUrl }
        : undefined;
  const tokenEnv = add("token", "Access token (OAuth 2.0)", {
    required: needed && endpoint === undefined,
  });
  if (endpoint === undefined) return given(tokenEnv, scopes);
  return obtained(
    tokenEnv,
    endpoint,
    user !== undefined || "discoveryUrl" in endpoint,
    scopes,
    add,
  );
}

function given(tokenEnv: string, scopes: readonly string[]): SecuritySchemeDefinition {
  return { kind: "oauth2", tokenEnv, ...(scopes.length > 0 && { scopes }) };
}

/** @param refreshes there may be a refresh token */
function obtained(
  tokenEnv: string,
  endpoint: Endpoint,
  refreshes: boolean,
  scopes: readonly string[],
  add: AddVariable,
): SecuritySchemeDefinition {
  const optional = { required: false };
  const plain = { required: false, secret: false };
  const where = "tokenUrl" in endpoint ? "the document's" : "the one that the metadata name";
  return {
    kind: "oauth2",
    tokenEnv,
    clientIdEnv: add("client id", "OAuth 2.0 client ID, to get access tokens with", plain),
    clientSecretEnv: add("client secret", "OAuth 2.0 client secret", optional),
    ...(refreshes && {
      refreshTokenEnv: add("refresh token", "OAuth 2.0 refresh token", optional),
    }),
    ...endpoint,
    tokenUrlEnv: add("token url", `Token endpoint, instead of ${where}`, plain),
    tokenParametersEnv: add(
      "token parameters",
      "More fields of token requests, such as audience=https://api.example.com",
      plain,
    ),
    ...(scopes.length > 0 && { scopes }),
  };
}

function isAbsolute(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url);
}

/**
 * Credentials go nowhere but to `https:`, or to this machine. What is relative is at the API's own
 * address; the runtime looks at it.
 */
function isEndpoint(url: string | undefined): boolean {
  if (url === undefined || url === "" || url.includes("{")) return false;
  if (!isAbsolute(url)) return true;
  return (
    isCallable({ url }) &&
    (/^https:/i.test(url) || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/i.test(url))
  );
}
