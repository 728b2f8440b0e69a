import { isObject } from "../json.js";
import type { At } from "./at.js";
import type { Context } from "./context.js";
import { deref, type Located } from "./deref.js";
import { quote } from "./findings.js";
import { isToken } from "./header-names.js";
import { bare, flag, own, record, text, type Raw } from "./read.js";
import { parseServerUrl } from "./server-url.js";
import type { OAuthFlow, SchemeText, SecurityScheme } from "./types.js";

export type Schemes = Readonly<Record<string, SecurityScheme>>;

/**
 * OpenAPI 3.x `components.securitySchemes`, or what a raw container of the same form holds.
 * Unusable ones are left out.
 */
export function readSchemes(c: Context, container: Raw, at: At, read: SchemeReader): Schemes {
  const schemes = bare<SecurityScheme>();
  for (const name of Object.keys(container)) {
    const located = deref(c, container[name], at.child(name), "security scheme", false);
    const scheme = located && read(c, located);
    if (typeof scheme === "string")
      c.findings.add(
        "model-security-scheme",
        at.child(name),
        `The security scheme ${quote(name)} ${scheme}; it is left out.`,
      );
    else if (scheme) schemes[name] = scheme;
  }
  return schemes;
}

/** Gives a scheme, or a clause that says why there is none. */
export type SchemeReader = (c: Context, located: Located) => SecurityScheme | string;

/** OpenAPI 3.x Security Scheme Object. */
export const readScheme: SchemeReader = (c, { raw, at }) => {
  const description = text(c, raw, "description", at);
  const deprecated = c.version === "3.2" && flag(c, raw, "deprecated", at) === true;
  const described: SchemeText = {
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
  };
  switch (own(raw, "type")) {
    case "apiKey":
      return apiKey(raw, described);
    case "http":
      return http(c, raw, at, described);
    case "oauth2":
      return oauth2(c, raw, at, described);
    case "openIdConnect":
      return openIdConnect(c, raw, at, described);
    case "mutualTLS":
      return { kind: "mutualTLS", ...described };
    default:
      return `has ${typeof raw.type === "string" ? `the unknown type ${quote(raw.type)}` : "no type"}`;
  }
};

export function apiKey(raw: Raw, described: SchemeText): SecurityScheme | string {
  const name = own(raw, "name");
  const location = own(raw, "in");
  if (typeof name !== "string" || name === "") return "has no name";
  if (location !== "query" && location !== "header" && location !== "cookie")
    return "says not where its key goes (`in`)";
  if (location !== "query" && !isToken(name)) return `has an illegal ${location} name`;
  return { kind: "apiKey", in: location, name, ...described };
}

function http(c: Context, raw: Raw, at: At, described: SchemeText): SecurityScheme | string {
  const scheme = text(c, raw, "scheme", at);
  if (scheme === undefined || !isToken(scheme)) return "has no legal `scheme`";
  const bearerFormat = text(c, raw, "bearerFormat", at);
  return {
    kind: "http",
    scheme: scheme.toLowerCase(),
    ...(bearerFormat !== undefined && { bearerFormat }),
    ...described,
  };
}

function openIdConnect(
  c: Context,
  raw: Raw,
  at: At,
  described: SchemeText,
): SecurityScheme | string {
  const url = webUrl(c, raw, "openIdConnectUrl", at);
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

function oauth2(c: Context, raw: Raw, at: At, described: SchemeText): SecurityScheme {
  const flows = record(c, raw, "flows", at) ?? {};
  const place = at.child("flows");
  const found = FLOWS.flatMap((flow) => {
    const value = own(flows, flow);
    return isObject(value) ? [oauthFlow(c, flow, value, place.child(flow))] : [];
  });
  const metadataUrl = c.version === "3.2" ? webUrl(c, raw, "oauth2MetadataUrl", at) : undefined;
  return {
    kind: "oauth2",
    flows: found,
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...described,
  };
}

/**
 * One OAuth flow; the fields have the same names in all versions (3.2 adds
 * `deviceAuthorizationUrl`).
 */
export function oauthFlow(c: Context, flow: OAuthFlow["flow"], raw: Raw, at: At): OAuthFlow {
  const authorizationUrl =
    webUrl(c, raw, "authorizationUrl", at) ?? webUrl(c, raw, "deviceAuthorizationUrl", at);
  const tokenUrl = webUrl(c, raw, "tokenUrl", at);
  const refreshUrl = webUrl(c, raw, "refreshUrl", at);
  const scopes = bare<string>();
  for (const [name, meaning] of Object.entries(record(c, raw, "scopes", at) ?? {}))
    scopes[name] = typeof meaning === "string" ? meaning : "";
  return {
    flow,
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
    ...(refreshUrl !== undefined && { refreshUrl }),
    scopes,
  };
}

/** A URL that credentials may be sent to: http(s) or relative, without credentials of its own. */
function webUrl(c: Context, raw: Raw, key: string, at: At): string | undefined {
  const written = text(c, raw, key, at);
  if (written === undefined) return undefined;
  const parsed = parseServerUrl(written);
  if ("problem" in parsed) {
    c.findings.add(
      "model-security-scheme",
      at.child(key),
      `\`${key}\` ${parsed.problem}; it is left out.`,
    );
    return undefined;
  }
  if (parsed.hadCredentials)
    c.findings.add(
      "model-server-credentials",
      at.child(key),
      `\`${key}\` has credentials in it; they are removed.`,
    );
  return parsed.hadCredentials ? parsed.url : written;
}
