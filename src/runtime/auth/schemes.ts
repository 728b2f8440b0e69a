/** Reads the credential of a security scheme from its variables. */
import {
  bearerCredential,
  fixedCredential,
  rulesOf,
  type CredentialPlace,
  type FixedScheme,
} from "../security-schemes.js";
import type {
  AccessTokenResult,
  AuthContext,
  AuthOptions,
  CredentialResult,
  MessageCredential,
} from "./types.js";
import { readCertificate } from "./client-certificate.js";
import { isCookieValue } from "../request/cookies.js";
import { isHeaderValue } from "../request/headers.js";
import { isWellFormed } from "../request/serialize.js";
import type { Env } from "../request/types.js";
import { type ChosenScheme, invalidCredentials } from "./requirements.js";
import { getAccessToken, getExchangedToken } from "./tokens.js";
import { secretForms } from "../response/secret-forms.js";

/**
 * Reads a credential, or requests an access token with OAuth 2.0. Failures name variables, never
 * their values.
 */
export async function readCredential(
  choice: ChosenScheme,
  context: AuthContext,
  options: AuthOptions,
): Promise<CredentialResult> {
  const { scheme, variables, isExchanged } = choice;
  const { env, exchange } = context;
  if (isExchanged && exchange)
    return tokenCredential(await getExchangedToken(choice, exchange, context, options), variables);
  if (scheme.kind === "mutualTLS") return readCertificate(scheme, context);
  if (scheme.kind !== "oauth2") return readFixedCredential(scheme, env, variables);
  if (variables.includes(scheme.tokenEnv))
    return checkCredential(bearer(env[scheme.tokenEnv] ?? ""), variables);
  return tokenCredential(await getAccessToken(choice, scheme, context, options), variables);
}

/** The credential of a token that an authorization server issued. */
function tokenCredential(token: AccessTokenResult, variables: readonly string[]): CredentialResult {
  if (!token.ok) return token;
  const credential = bearer(token.value);
  return checkCredential(
    { ...credential, secrets: [...credential.secrets, ...token.secrets] },
    variables,
  );
}

function readFixedCredential(
  scheme: FixedScheme,
  env: Env,
  variables: readonly string[],
): CredentialResult {
  const credential = fixedCredential(scheme, env);
  if ("invalid" in credential) return invalidCredentials([credential.invalid], credential.problem);
  const place = rulesOf(scheme).place(scheme) as CredentialPlace;
  const secrets = credential.secrets.flatMap(secretForms);
  return checkCredential({ ...place, value: credential.value, secrets }, variables);
}

function bearer(token: string): MessageCredential {
  const { value, secrets } = bearerCredential(token);
  return { in: "header", name: "Authorization", value, secrets: secrets.flatMap(secretForms) };
}

/** Rejects a value that cannot be sent, because the error of the HTTP client would contain it. */
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
