import type { SecuritySchemeDefinition } from "../types.js";
import type { Call } from "./call.js";

/**
 * The environment variables that hold this call's credentials, as a phrase: `A, or B and C`; empty
 * when the description declares none.
 */
export function credentialVariables({ api, send }: Call): string {
  const alternatives = (send.security ?? api.security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => variables(api.securitySchemes[name])),
  );
  const phrases = alternatives
    .filter((names) => names.length > 0)
    .map((names) => names.join(" and "));
  return [...new Set(phrases)].join(", or ");
}

function variables(scheme: SecuritySchemeDefinition | undefined): readonly string[] {
  if (!scheme) return [];
  switch (scheme.kind) {
    case "basic":
      return [scheme.usernameEnv, scheme.passwordEnv];
    case "oauth2":
      return [tokenVariables(scheme)];
    case "mutualTLS":
      return [scheme.certEnv, scheme.keyEnv];
    default:
      return [scheme.env];
  }
}

function tokenVariables({
  tokenEnv,
  clientIdEnv,
  clientSecretEnv,
}: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>): string {
  return clientIdEnv && clientSecretEnv
    ? `${tokenEnv} or ${clientIdEnv} with ${clientSecretEnv}`
    : tokenEnv;
}
