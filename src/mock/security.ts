import { decodeForm, pairOf } from "./styles.js";
import type { MockApi, MockOperation, MockSecurityScheme } from "./types.js";
import type { Wire } from "./parameters.js";

/**
 * What is missing for the security of an operation, or undefined when one alternative is complete.
 * Only the presence and form of credentials is judged; a mock knows no secrets.
 */
export function missingCredentials(
  operation: MockOperation,
  wire: Wire,
  api: MockApi,
): string | undefined {
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0) return undefined;
  const schemes = new Map(Object.entries(api.securitySchemes));
  const lacking = alternatives.map((alternative) =>
    lackingOf(Object.keys(alternative), schemes, wire),
  );
  if (lacking.some((names) => names.length === 0)) return undefined;
  return `needs ${lacking.map((names) => names.join(" and ")).join(", or ")}`;
}

function lackingOf(
  names: readonly string[],
  schemes: ReadonlyMap<string, MockSecurityScheme>,
  wire: Wire,
): readonly string[] {
  const lacking = names.filter((name) => !present(schemes.get(name), wire));
  // There is one Authorization header: of several schemes that want it together, one has to do.
  const sharing = names.filter((name) => usesAuthorization(schemes.get(name)));
  return sharing.some((name) => !lacking.includes(name))
    ? lacking.filter((name) => !sharing.includes(name))
    : lacking;
}

function usesAuthorization(scheme: MockSecurityScheme | undefined): boolean {
  return scheme?.kind === "http" || scheme?.kind === "oauth2" || scheme?.kind === "openIdConnect";
}

function present(scheme: MockSecurityScheme | undefined, wire: Wire): boolean {
  if (!scheme) return true;
  switch (scheme.kind) {
    case "apiKey":
      return hasKey(scheme.in, scheme.name, wire);
    case "http":
      return hasHttpCredentials(scheme.scheme, wire.headers["authorization"]);
    case "oauth2":
    case "openIdConnect":
      return hasHttpCredentials("bearer", wire.headers["authorization"]);
    case "mutualTLS":
      return true; // A client certificate cannot be asked for over plain HTTP.
  }
}

function hasKey(place: "query" | "header" | "cookie", name: string, wire: Wire): boolean {
  if (place === "header") return Boolean(wire.headers[name.toLowerCase()]);
  const pairs =
    place === "query" ? wire.query.split("&") : (wire.headers["cookie"] ?? "").split(/; ?/u);
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
