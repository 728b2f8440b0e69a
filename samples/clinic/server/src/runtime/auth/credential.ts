/**
 * From the variables of one security scheme to the header, query parameter or cookie that the API
 * wants.
 */
import type { ApiContext, ClientCertificate, Env } from "../bind/types.js";
import { isCookieValue, isHeaderValue } from "../bind/headers.js";
import { isWellFormed } from "../bind/sendable.js";
import type { SecuritySchemeDefinition } from "../types.js";
import type { ChosenScheme } from "./choose.js";
import { readCertificate } from "./certificate.js";
import type { AuthOptions } from "./index.js";
import { incorrect, type Refusal } from "./refusal.js";
import { base64, formsOf } from "./secrets.js";
import { accessToken } from "./tokens.js";

/** Something to add to the request itself. */
export interface MessageCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
  /** Every form in which the secret may come back in an answer. */
  readonly secrets: readonly string[];
}

export type Credential =
  | MessageCredential
  | { readonly in: "connection"; readonly tls: ClientCertificate };
export type CredentialResult = { readonly ok: true; readonly credential: Credential } | Refusal;

/**
 * Reads, and for OAuth 2.0 obtains, the credential. Every failure names variables, never their
 * values.
 */
export async function credentialOf(
  chosen: ChosenScheme,
  context: ApiContext,
  options: AuthOptions,
): Promise<CredentialResult> {
  const { scheme, variables } = chosen;
  const { env } = context;
  if (scheme.kind === "mutualTLS") return readCertificate(scheme, context);
  if (scheme.kind === "basic" && env[scheme.usernameEnv]?.includes(":"))
    return incorrect([scheme.usernameEnv], "has a colon, which a user name cannot have");
  if (scheme.kind !== "oauth2") return checked(fromVariables(scheme, env), variables);
  if (variables.includes(scheme.tokenEnv))
    return checked(bearer(env[scheme.tokenEnv] ?? ""), variables);
  const token = await accessToken(chosen, scheme, context, options);
  if (!token.ok) return token;
  const credential = bearer(token.value);
  return checked({ ...credential, secrets: [...credential.secrets, ...token.secrets] }, variables);
}

type StaticScheme = Exclude<SecuritySchemeDefinition, { kind: "mutualTLS" | "oauth2" }>;

function fromVariables(scheme: StaticScheme, env: Env): MessageCredential {
  switch (scheme.kind) {
    case "basic":
      return basic(env[scheme.usernameEnv] ?? "", env[scheme.passwordEnv] ?? "");
    case "bearer":
      return bearer(env[scheme.env] ?? "");
    case "http":
      return authorization(scheme.scheme, env[scheme.env] ?? "");
    case "apiKey": {
      const value = env[scheme.env] ?? "";
      return { in: scheme.in, name: scheme.name, value, secrets: formsOf(value) };
    }
  }
}

/** RFC 6750. People paste tokens with the word before them. */
function bearer(token: string): MessageCredential {
  return authorization("Bearer", token.replace(/^bearer +/i, ""));
}

/**
 * RFC 7617, in UTF-8. The user name is a secret only where it stands for the password, as API keys
 * do.
 */
function basic(username: string, password: string): MessageCredential {
  const credential = authorization("Basic", base64(`${username}:${password}`));
  const secret =
    password.length < 8 ? [...formsOf(username), ...formsOf(password)] : formsOf(password);
  return { ...credential, secrets: [...credential.secrets, ...secret] };
}

function authorization(scheme: string, credentials: string): MessageCredential {
  return {
    in: "header",
    name: "Authorization",
    value: `${scheme} ${credentials}`,
    secrets: formsOf(credentials),
  };
}

/** `fetch` would throw an error with the value in it. */
function checked(credential: MessageCredential, variables: readonly string[]): CredentialResult {
  const isLegal = { header: isHeaderValue, cookie: isCookieValue, query: isWellFormed }[
    credential.in
  ];
  if (isLegal(credential.value)) return { ok: true, credential };
  return incorrect(
    variables,
    `has a character that a ${credential.in} cannot carry, such as a line break`,
  );
}
