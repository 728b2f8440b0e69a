/** Reads the credential of a security scheme from its variables. */
import { isCookieValue, isHeaderValue } from "../request/headers.js";
import { isWellFormed } from "../request/serializable.js";
import type { Env } from "../request/types.js";
import type { AuthContext } from "./types.js";
import type { SecuritySchemeDefinition } from "../types.js";
import { readCertificate } from "./certificates.js";
import type { ChosenScheme } from "./choice.js";
import { invalidCredentials } from "./failures.js";
import { base64, secretForms } from "./secrets.js";
import { getAccessToken } from "./tokens.js";
import type { AuthOptions, CredentialResult, MessageCredential } from "./types.js";

/**
 * Reads a credential, or requests an access token with OAuth 2.0. Failures name variables, never
 * their values.
 */
export async function readCredential(
  chosen: ChosenScheme,
  context: AuthContext,
  options: AuthOptions,
): Promise<CredentialResult> {
  const { scheme, variables } = chosen;
  const { env } = context;
  if (scheme.kind === "mutualTLS") return readCertificate(scheme, context);
  if (scheme.kind === "basic" && env[scheme.usernameEnv]?.includes(":"))
    return invalidCredentials([scheme.usernameEnv], "has a colon, which a user name cannot have");
  if (scheme.kind !== "oauth2")
    return checkCredential(readStaticCredential(scheme, env), variables);
  if (variables.includes(scheme.tokenEnv))
    return checkCredential(bearer(env[scheme.tokenEnv] ?? ""), variables);
  const token = await getAccessToken(chosen, scheme, context, options);
  if (!token.ok) return token;
  const credential = bearer(token.value);
  return checkCredential(
    { ...credential, secrets: [...credential.secrets, ...token.secrets] },
    variables,
  );
}

type StaticScheme = Exclude<SecuritySchemeDefinition, { kind: "mutualTLS" | "oauth2" }>;

function readStaticCredential(scheme: StaticScheme, env: Env): MessageCredential {
  switch (scheme.kind) {
    case "basic":
      return basic(env[scheme.usernameEnv] ?? "", env[scheme.passwordEnv] ?? "");
    case "bearer":
      return bearer(env[scheme.env] ?? "");
    case "http":
      return authorization(scheme.scheme, env[scheme.env] ?? "");
    case "apiKey": {
      const value = env[scheme.env] ?? "";
      return { in: scheme.in, name: scheme.name, value, secrets: secretForms(value) };
    }
  }
}

/** A bearer token (RFC 6750), without the scheme name that people paste with it. */
function bearer(token: string): MessageCredential {
  return authorization("Bearer", token.replace(/^bearer +/i, ""));
}

/**
 * Basic credentials in UTF-8 (RFC 7617). The user name is a secret if it replaces the password, as
 * API keys do.
 */
function basic(username: string, password: string): MessageCredential {
  const credential = authorization("Basic", base64(`${username}:${password}`));
  const secrets =
    password.length < 8
      ? [...secretForms(username), ...secretForms(password)]
      : secretForms(password);
  return { ...credential, secrets: [...credential.secrets, ...secrets] };
}

function authorization(scheme: string, credentials: string): MessageCredential {
  return {
    in: "header",
    name: "Authorization",
    value: `${scheme} ${credentials}`,
    secrets: secretForms(credentials),
  };
}

/** Rejects a value that cannot be sent, because the error of the HTTP client would hold it. */
function checkCredential(
  credential: MessageCredential,
  variables: readonly string[],
): CredentialResult {
  const isLegal = { header: isHeaderValue, cookie: isCookieValue, query: isWellFormed }[
    credential.in
  ];
  if (isLegal(credential.value)) return { ok: true, credential };
  return invalidCredentials(
    variables,
    `has a character that a ${credential.in} cannot carry, such as a line break`,
  );
}
