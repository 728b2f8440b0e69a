/** Kinds of security schemes, and the check of the credentials of each. */
import { decodeForm, pairOf } from "./pairs.js";

/** A security scheme of the API. */
export type MockSecurityScheme =
  | { readonly kind: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly name: string }
  | { readonly kind: "http"; readonly scheme: string }
  | { readonly kind: "oauth2" | "openIdConnect" | "mutualTLS" };

type Kind = MockSecurityScheme["kind"];
type SchemeOf<K extends Kind> = MockSecurityScheme & { readonly kind: K };

/** Parts of a request that carry credentials. */
export interface CredentialCarrier {
  /** Without the leading `?`. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface SchemeCheck<Scheme> {
  readonly usesAuthorization: boolean;
  readonly isSatisfied: (scheme: Scheme, request: CredentialCarrier) => boolean;
  /** Challenge of a response 401. */
  readonly challenge: (scheme: Scheme) => string;
}

const bearer: SchemeCheck<MockSecurityScheme> = {
  usesAuthorization: true,
  isSatisfied: (_, { headers }) => hasHttpCredentials("bearer", headers["authorization"]),
  challenge: () => "Bearer",
};

const CHECKS: { readonly [K in Kind]: SchemeCheck<SchemeOf<K>> } = {
  apiKey: {
    usesAuthorization: false,
    isSatisfied: ({ in: place, name }, request) => hasKey(place, name, request),
    challenge: () => "ApiKey",
  },
  http: {
    usesAuthorization: true,
    isSatisfied: ({ scheme }, { headers }) => hasHttpCredentials(scheme, headers["authorization"]),
    challenge: ({ scheme }) => (/^basic$/iu.test(scheme) ? 'Basic realm="mock"' : scheme),
  },
  oauth2: bearer,
  openIdConnect: bearer,
  // A client certificate cannot be asked for over plain HTTP.
  mutualTLS: { usesAuthorization: false, isSatisfied: () => true, challenge: () => "Certificate" },
};

const checkOf = ({ kind }: MockSecurityScheme): SchemeCheck<MockSecurityScheme> =>
  CHECKS[kind] as SchemeCheck<MockSecurityScheme>;

/** The challenge for a scheme. RFC 9110, section 11.6.1. */
export function challengeOf(scheme: MockSecurityScheme): string {
  return checkOf(scheme).challenge(scheme);
}

export function usesAuthorization(scheme: MockSecurityScheme | undefined): boolean {
  return scheme !== undefined && checkOf(scheme).usesAuthorization;
}

/** True for a request with the credentials of a scheme, and for a scheme that is not defined. */
export function hasCredentials(
  scheme: MockSecurityScheme | undefined,
  request: CredentialCarrier,
): boolean {
  return scheme === undefined || checkOf(scheme).isSatisfied(scheme, request);
}

function hasKey(
  place: "query" | "header" | "cookie",
  name: string,
  { headers, query }: CredentialCarrier,
): boolean {
  if (place === "header") return Boolean(headers[name.toLowerCase()]);
  const pairs = place === "query" ? query.split("&") : (headers["cookie"] ?? "").split(/; ?/u);
  return pairs.map(pairOf).some(([key, value]) => decodeForm(key) === name && value !== "");
}

/** RFC 9110, 11.4; Basic by RFC 7617. */
function hasHttpCredentials(scheme: string, header: string | undefined): boolean {
  const [name = "", credentials = ""] = (header ?? "").split(/ +/u);
  if (name.toLowerCase() !== scheme.toLowerCase() || credentials === "") return false;
  return (
    scheme.toLowerCase() !== "basic" ||
    Buffer.from(credentials, "base64").toString("utf8").includes(":")
  );
}
