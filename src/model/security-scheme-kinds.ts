/**
 * Kinds of security schemes that documents declare: their fields, how they are read, and where
 * their credentials are sent. Each kind has one row of `KINDS`.
 */
import type { SpecVersion } from "../load/types.js";
import { isObject, omitUndefined } from "../json.js";
import { type Reporter, quote } from "./diagnostics.js";
import { isToken } from "./header-names.js";
import type { Pointer } from "./pointer.js";
import {
  emptyRecord,
  ownProperty,
  type RawObject,
  readBoolean,
  readObject,
  readString,
} from "./raw-object.js";
import { parseServerUrl } from "./server-url.js";

/** OpenAPI Security Scheme Object, one shape per kind. */
export type SecurityScheme = SecuritySchemeText &
  (
    | { readonly kind: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly name: string }
    | { readonly kind: "http"; readonly scheme: string; readonly bearerFormat?: string }
    /** `metadataUrl` (3.2): the authorization server's metadata document (RFC 8414). */
    | {
        readonly kind: "oauth2";
        readonly flows: readonly OAuthFlow[];
        readonly metadataUrl?: string;
      }
    | { readonly kind: "openIdConnect"; readonly url: string }
    | { readonly kind: "mutualTLS" }
  );

export interface SecuritySchemeText {
  readonly description?: string;
  /** 3.2: used only when no other scheme is usable. */
  readonly deprecated?: true;
}

export interface OAuthFlow {
  readonly flow:
    | "authorizationCode"
    | "clientCredentials"
    | "implicit"
    | "password"
    | "deviceAuthorization";
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

type Kind = SecurityScheme["kind"];
type SchemeOf<K extends Kind> = Extract<SecurityScheme, { kind: K }>;

interface SchemeContext extends Reporter {
  readonly version: SpecVersion;
}

interface LocatedScheme {
  readonly raw: RawObject;
  readonly pointer: Pointer;
}

/** Returns a scheme, or a clause that explains why there is none. */
export type SchemeReader = (c: SchemeContext, located: LocatedScheme) => SecurityScheme | string;

interface SchemeKind<Scheme> {
  /** Reads the fields of a Security Scheme Object of OpenAPI 3.x; a clause if they are invalid. */
  readonly read: (
    c: SchemeContext,
    raw: RawObject,
    pointer: Pointer,
  ) => Omit<Scheme, "kind" | keyof SecuritySchemeText> | string;
  /** The credentials are sent in the `Authorization` header. */
  readonly usesAuthorization: (scheme: Scheme) => boolean;
  /** Clients prove themselves by it where they request a token. */
  readonly provesClient: (scheme: Scheme) => boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;

const KINDS: { readonly [K in Kind]: SchemeKind<SchemeOf<K>> } = {
  apiKey: {
    read: (_, raw) => readApiKey(raw),
    usesAuthorization: ({ in: location, name }) =>
      location === "header" && name.toLowerCase() === "authorization",
    provesClient: never,
  },
  http: {
    read: readHttp,
    usesAuthorization: always,
    provesClient: ({ scheme }) => scheme.toLowerCase() === "basic",
  },
  oauth2: { read: readOAuth2, usesAuthorization: always, provesClient: never },
  openIdConnect: { read: readOpenIdConnect, usesAuthorization: always, provesClient: never },
  mutualTLS: { read: () => ({}), usesAuthorization: never, provesClient: always },
};

const kindOf = ({ kind }: SecurityScheme): SchemeKind<SecurityScheme> =>
  KINDS[kind] as SchemeKind<SecurityScheme>;

/** True if the credentials of a scheme go into the `Authorization` header. */
export function usesAuthorizationHeader(scheme: SecurityScheme): boolean {
  return kindOf(scheme).usesAuthorization(scheme);
}

/** True if clients prove themselves by the scheme where they request a token. */
export function provesClient(scheme: SecurityScheme): boolean {
  return kindOf(scheme).provesClient(scheme);
}

/** OpenAPI 3.x Security Scheme Object. */
export const readSecurityScheme: SchemeReader = (c, { raw, pointer }) => {
  const description = readString(c, raw, "description", pointer);
  const deprecated = c.version === "3.2" && readBoolean(c, raw, "deprecated", pointer) === true;
  const type = ownProperty(raw, "type");
  if (typeof type !== "string") return "has no type";
  if (!Object.hasOwn(KINDS, type)) return `has the unknown type ${quote(type)}`;
  const kind = type as Kind;
  const fields = KINDS[kind].read(c, raw, pointer);
  if (typeof fields === "string") return fields;
  return {
    kind,
    ...fields,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
  } as SecurityScheme;
};

export function readApiKey(raw: RawObject): Pick<SchemeOf<"apiKey">, "in" | "name"> | string {
  const name = ownProperty(raw, "name");
  const location = ownProperty(raw, "in");
  if (typeof name !== "string" || name === "") return "has no name";
  if (location !== "query" && location !== "header" && location !== "cookie")
    return "has no valid key location (`in`)";
  if (location !== "query" && !isToken(name)) return `has an invalid ${location} name`;
  return { in: location, name };
}

function readHttp(
  c: SchemeContext,
  raw: RawObject,
  pointer: Pointer,
): Pick<SchemeOf<"http">, "scheme" | "bearerFormat"> | string {
  const scheme = readString(c, raw, "scheme", pointer);
  if (scheme === undefined || !isToken(scheme)) return "has no valid `scheme`";
  const bearerFormat = readString(c, raw, "bearerFormat", pointer);
  return { scheme: scheme.toLowerCase(), ...(bearerFormat !== undefined && { bearerFormat }) };
}

function readOpenIdConnect(
  c: SchemeContext,
  raw: RawObject,
  pointer: Pointer,
): Pick<SchemeOf<"openIdConnect">, "url"> | string {
  const url = readCredentialUrl(c, raw, "openIdConnectUrl", pointer);
  return url === undefined ? "has no usable `openIdConnectUrl`" : { url };
}

const FLOWS: readonly OAuthFlow["flow"][] = [
  "clientCredentials",
  "authorizationCode",
  "deviceAuthorization",
  "password",
  "implicit",
];

function readOAuth2(
  c: SchemeContext,
  raw: RawObject,
  pointer: Pointer,
): Pick<SchemeOf<"oauth2">, "flows" | "metadataUrl"> {
  const flows = readObject(c, raw, "flows", pointer) ?? {};
  const flowsPointer = pointer.child("flows");
  const oauthFlows = FLOWS.flatMap((flow) => {
    const value = ownProperty(flows, flow);
    return isObject(value) ? [readOAuthFlow(c, flow, value, flowsPointer.child(flow))] : [];
  });
  const metadataUrl =
    c.version === "3.2" ? readCredentialUrl(c, raw, "oauth2MetadataUrl", pointer) : undefined;
  return { flows: oauthFlows, ...(metadataUrl !== undefined && { metadataUrl }) };
}

/**
 * Reads one OAuth flow. The fields have the same names in all versions; 3.2 adds
 * `deviceAuthorizationUrl`.
 */
export function readOAuthFlow(
  c: SchemeContext,
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
  c: SchemeContext,
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
