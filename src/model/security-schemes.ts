import { isObject, omitUndefined } from "../json.js";
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { dereference, type LocatedObject } from "./references.js";
import { isToken } from "./header-names.js";
import {
  emptyRecord,
  readBoolean,
  ownProperty,
  readObject,
  readString,
  type RawObject,
} from "./raw-object.js";
import { parseServerUrl } from "./servers.js";
import type { OAuthFlow, SecuritySchemeText, SecurityScheme } from "./types.js";

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/**
 * Reads OpenAPI 3.x `components.securitySchemes` or an equivalent container. Unusable schemes are
 * left out.
 */
export function readSecuritySchemes(
  c: Context,
  container: RawObject,
  pointer: Pointer,
  readScheme: SchemeReader,
): SecuritySchemes {
  const schemes = emptyRecord<SecurityScheme>();
  for (const name of Object.keys(container)) {
    const located = dereference(c, container[name], pointer.child(name), "security scheme");
    const scheme = located && readScheme(c, located);
    if (typeof scheme === "string")
      c.diagnostics.add(
        "model-security-scheme",
        pointer.child(name),
        `The security scheme ${quote(name)} ${scheme}; it is left out.`,
      );
    else if (scheme) schemes[name] = scheme;
  }
  return schemes;
}

/** Returns a scheme, or a clause that explains why there is none. */
export type SchemeReader = (c: Context, located: LocatedObject) => SecurityScheme | string;

/** OpenAPI 3.x Security Scheme Object. */
export const readSecurityScheme: SchemeReader = (c, { raw, pointer }) => {
  const description = readString(c, raw, "description", pointer);
  const deprecated = c.version === "3.2" && readBoolean(c, raw, "deprecated", pointer) === true;
  const described: SecuritySchemeText = {
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
  };
  switch (ownProperty(raw, "type")) {
    case "apiKey":
      return readApiKey(raw, described);
    case "http":
      return readHttp(c, raw, pointer, described);
    case "oauth2":
      return readOAuth2(c, raw, pointer, described);
    case "openIdConnect":
      return readOpenIdConnect(c, raw, pointer, described);
    case "mutualTLS":
      return { kind: "mutualTLS", ...described };
    default:
      return `has ${typeof raw.type === "string" ? `the unknown type ${quote(raw.type)}` : "no type"}`;
  }
};

export function readApiKey(raw: RawObject, described: SecuritySchemeText): SecurityScheme | string {
  const name = ownProperty(raw, "name");
  const location = ownProperty(raw, "in");
  if (typeof name !== "string" || name === "") return "has no name";
  if (location !== "query" && location !== "header" && location !== "cookie")
    return "has no valid key location (`in`)";
  if (location !== "query" && !isToken(name)) return `has an invalid ${location} name`;
  return { kind: "apiKey", in: location, name, ...described };
}

function readHttp(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  described: SecuritySchemeText,
): SecurityScheme | string {
  const scheme = readString(c, raw, "scheme", pointer);
  if (scheme === undefined || !isToken(scheme)) return "has no valid `scheme`";
  const bearerFormat = readString(c, raw, "bearerFormat", pointer);
  return {
    kind: "http",
    scheme: scheme.toLowerCase(),
    ...(bearerFormat !== undefined && { bearerFormat }),
    ...described,
  };
}

function readOpenIdConnect(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  described: SecuritySchemeText,
): SecurityScheme | string {
  const url = readCredentialUrl(c, raw, "openIdConnectUrl", pointer);
  return url === undefined
    ? "has no usable `openIdConnectUrl`"
    : { kind: "openIdConnect", url, ...described };
}

const FLOWS: readonly OAuthFlow["flow"][] = [
  "clientCredentials",
  "authorizationCode",
  "deviceAuthorization",
  "password",
  "implicit",
];

function readOAuth2(
  c: Context,
  raw: RawObject,
  pointer: Pointer,
  described: SecuritySchemeText,
): SecurityScheme {
  const flows = readObject(c, raw, "flows", pointer) ?? {};
  const flowsPointer = pointer.child("flows");
  const oauthFlows = FLOWS.flatMap((flow) => {
    const value = ownProperty(flows, flow);
    return isObject(value) ? [readOAuthFlow(c, flow, value, flowsPointer.child(flow))] : [];
  });
  const metadataUrl =
    c.version === "3.2" ? readCredentialUrl(c, raw, "oauth2MetadataUrl", pointer) : undefined;
  return {
    kind: "oauth2",
    flows: oauthFlows,
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...described,
  };
}

/**
 * Reads one OAuth flow. The fields have the same names in all versions; 3.2 adds
 * `deviceAuthorizationUrl`.
 */
export function readOAuthFlow(
  c: Context,
  flow: OAuthFlow["flow"],
  raw: RawObject,
  pointer: Pointer,
): OAuthFlow {
  const authorizationUrl =
    readCredentialUrl(c, raw, "authorizationUrl", pointer) ??
    readCredentialUrl(c, raw, "deviceAuthorizationUrl", pointer);
  const tokenUrl = readCredentialUrl(c, raw, "tokenUrl", pointer);
  const refreshUrl = readCredentialUrl(c, raw, "refreshUrl", pointer);
  const scopes = emptyRecord<string>();
  for (const [name, meaning] of Object.entries(readObject(c, raw, "scopes", pointer) ?? {}))
    scopes[name] = typeof meaning === "string" ? meaning : "";
  return omitUndefined({
    flow,
    authorizationUrl,
    tokenUrl,
    refreshUrl,
    scopes,
  });
}

/**
 * Reads a URL that credentials may be sent to: http(s) or relative, without embedded credentials.
 */
function readCredentialUrl(
  c: Context,
  raw: RawObject,
  key: string,
  pointer: Pointer,
): string | undefined {
  const url = readString(c, raw, key, pointer);
  if (url === undefined) return undefined;
  const parsed = parseServerUrl(url);
  if ("problem" in parsed) {
    c.diagnostics.add(
      "model-security-scheme",
      pointer.child(key),
      `\`${key}\` ${parsed.problem}; it is left out.`,
    );
    return undefined;
  }
  if (parsed.hadCredentials)
    c.diagnostics.add(
      "model-server-credentials",
      pointer.child(key),
      `\`${key}\` contains credentials; they are removed.`,
    );
  return parsed.hadCredentials ? parsed.url : url;
}
