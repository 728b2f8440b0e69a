/** The check of a request's credentials. */
import {
  challengeOf,
  type CredentialCarrier,
  hasCredentials,
  type MockSecurityScheme,
  usesAuthorization,
} from "./security-schemes.js";
import type { MockApi, MockOperation } from "./types.js";

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

/** Challenges for the schemes of an operation. */
export function challengesOf(operation: MockOperation, { securitySchemes }: MockApi): string {
  const schemes = new Map(Object.entries(securitySchemes));
  const names = (operation.security ?? []).flatMap((alternative) => Object.keys(alternative));
  return [...new Set(names.flatMap((name) => schemes.get(name) ?? []).map(challengeOf))].join(", ");
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
