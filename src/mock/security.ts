/** The check of a request's credentials. */
import { decodeForm, pairOf } from "./pairs.js";
import type { MockApi, MockOperation, MockSecurityScheme } from "./types.js";

type Kind = MockSecurityScheme["kind"];
type SchemeOf<K extends Kind> = MockSecurityScheme & { readonly kind: K };

/** Parts of a request that carry credentials. */
interface CredentialCarrier {
  /** Without the leading `?`. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface SchemeCheck<Scheme> {
  readonly usesAuthorization: boolean;
  readonly isSatisfied: (scheme: Scheme, request: CredentialCarrier) => boolean;
}

const bearer: SchemeCheck<MockSecurityScheme> = {
  usesAuthorization: true,
  isSatisfied: (_, { headers }) => hasHttpCredentials("bearer", headers["authorization"]),
};

const CHECKS: { readonly [K in Kind]: SchemeCheck<SchemeOf<K>> } = {
  apiKey: {
    usesAuthorization: false,
    isSatisfied: ({ in: place, name }, request) => hasKey(place, name, request),
  },
  http: {
    usesAuthorization: true,
    isSatisfied: ({ scheme }, { headers }) => hasHttpCredentials(scheme, headers["authorization"]),
  },
  oauth2: bearer,
  openIdConnect: bearer,
  // A client certificate cannot be asked for over plain HTTP.
  mutualTLS: { usesAuthorization: false, isSatisfied: () => true },
};

const checkOf = ({ kind }: MockSecurityScheme): SchemeCheck<MockSecurityScheme> =>
  CHECKS[kind] as SchemeCheck<MockSecurityScheme>;

function usesAuthorization(scheme: MockSecurityScheme | undefined): boolean {
  return scheme !== undefined && checkOf(scheme).usesAuthorization;
}

/** True for a request with the credentials of a scheme, and for a scheme that is not defined. */
function hasCredentials(
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

/**
 * The missing credentials of an operation, or undefined when one alternative is complete. Only the
 * presence and the form of credentials are checked, because the mock knows no secrets.
 */
export function missingCredentials(
  operation: MockOperation,
  raw: CredentialCarrier,
  api: MockApi,
): string | undefined {
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0) return undefined;
  const schemes = new Map(Object.entries(api.securitySchemes));
  const missing = alternatives.map((alternative) =>
    missingSchemes(Object.keys(alternative), schemes, raw),
  );
  if (missing.some((names) => names.length === 0)) return undefined;
  return `needs ${missing.map((names) => names.join(" and ")).join(", or ")}`;
}

function missingSchemes(
  names: readonly string[],
  schemes: ReadonlyMap<string, MockSecurityScheme>,
  raw: CredentialCarrier,
): readonly string[] {
  const missing = names.filter((name) => !hasCredentials(schemes.get(name), raw));
  // A request has one Authorization header. It is sufficient for all schemes that need it.
  const sharing = names.filter((name) => usesAuthorization(schemes.get(name)));
  return sharing.some((name) => !missing.includes(name))
    ? missing.filter((name) => !sharing.includes(name))
    : missing;
}

/** Names of the query parameters that carry API keys of an operation. */
export function apiKeyNames(operation: MockOperation, api: MockApi): ReadonlySet<string> {
  const schemes = new Map(Object.entries(api.securitySchemes));
  const names =
    operation.security?.flatMap((alternative) => Object.keys(alternative)) ?? schemes.keys();
  const keys = [...names]
    .map((n) => schemes.get(n))
    .flatMap((s) => (s?.kind === "apiKey" && s.in === "query" ? [s.name] : []));
  return new Set(
    keys.filter(
      (key) =>
        !operation.parameters.some(
          (parameter) => parameter.in === "query" && parameter.name === key,
        ),
    ),
  );
}
