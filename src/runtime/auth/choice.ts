/** Which of the ways into the API is configured, and what to say when none is. */
import type { ApiContext, Env } from "../request/types.js";
import type { SecurityRequirement, SecuritySchemeDefinition } from "../types.js";
import { unsupportedCredentials, missingCredentials } from "./failures.js";
import { type AuthFailure } from "./types.js";

/** A scheme to satisfy, with the variables that it will be satisfied from. */
export interface ChosenScheme {
  readonly scheme: SecuritySchemeDefinition;
  readonly scopes: readonly string[];
  readonly variables: readonly string[];
  /** The client sends what satisfies it. */
  readonly isForwarded?: boolean;
}

export type SchemeChoice =
  | { readonly ok: true; readonly schemes: readonly ChosenScheme[] }
  | AuthFailure;

/**
 * The first alternative that is complete. `{}`, anonymous access, comes last wherever it stands; no
 * alternatives mean it.
 */
export function chooseAlternative(
  requirements: readonly SecurityRequirement[],
  context: ApiContext,
): SchemeChoice {
  const alternatives = requirements.flatMap((requirement) => combinationsOf(requirement, context));
  const complete = alternatives.filter(
    (schemes) => missingVariables(schemes, context.env).length === 0,
  );
  const chosen = complete.find((schemes) => schemes.length > 0) ?? complete[0];
  if (chosen !== undefined) return { ok: true, schemes: chosen };
  if (requirements.length === 0) return { ok: true, schemes: [] };
  if (alternatives.length === 0)
    return unsupportedCredentials(
      `${context.api.title} asks for a kind of credentials that its document does not define.`,
    );
  return missingCredentials(
    context.api.title,
    alternatives.map((schemes) => missingVariables(schemes, context.env)),
    (context.forwarded ?? []).map(({ from }) => from),
  );
}

/**
 * Sets of variables, each of which satisfies the scheme by itself, the preferred one first: an
 * access token before what could be exchanged for one.
 */
export function variableOptions(scheme: SecuritySchemeDefinition): readonly (readonly string[])[] {
  switch (scheme.kind) {
    case "basic":
      return [[scheme.usernameEnv, scheme.passwordEnv]];
    case "mutualTLS":
      return [[scheme.certEnv, scheme.keyEnv]];
    case "oauth2":
      return oauthVariableOptions(scheme);
    default:
      return [[scheme.env]];
  }
}

function oauthVariableOptions(
  scheme: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>,
): readonly (readonly string[])[] {
  const { tokenEnv, refreshTokenEnv, clientIdEnv, clientSecretEnv, tokenUrl, discoveryUrl } =
    scheme;
  if ((tokenUrl ?? discoveryUrl) === undefined || clientIdEnv === undefined) return [[tokenEnv]];
  const refresh = refreshTokenEnv === undefined ? [] : [[refreshTokenEnv, clientIdEnv]];
  const client = clientSecretEnv === undefined ? [] : [[clientIdEnv, clientSecretEnv]];
  return [[tokenEnv], ...refresh, ...client];
}

/** The header that carries the credentials, in lower case; nothing when none does. */
function credentialHeader(scheme: SecuritySchemeDefinition): string | undefined {
  if (scheme.kind === "mutualTLS") return undefined;
  if (scheme.kind !== "apiKey") return "authorization";
  return scheme.in === "query"
    ? undefined
    : scheme.in === "cookie"
      ? "cookie"
      : scheme.name.toLowerCase();
}

/**
 * Combinations of ways that are told, or tried, of one requirement: with three ways for each of a
 * dozen schemes, there are half a million.
 */
const maxCombinations = 20;

/**
 * Every combination of ways that satisfies all schemes together; none if the document does not
 * define one of them. A way that is complete stands for its scheme: only what is missing has to be
 * told in all ways.
 */
function combinationsOf(
  requirement: SecurityRequirement,
  { api, env, forwarded = [] }: ApiContext,
): readonly (readonly ChosenScheme[])[] {
  let combinations: readonly (readonly ChosenScheme[])[] = [[]];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = Object.hasOwn(api.securitySchemes, name) ? api.securitySchemes[name] : undefined;
    if (scheme === undefined) return [];
    const isForwarded = forwarded.some(
      ({ name: header, value }) =>
        value !== "" && header.toLowerCase() === credentialHeader(scheme),
    );
    const options = isForwarded
      ? [{ scheme, scopes, variables: [], isForwarded }]
      : variableOptions(scheme).map((variables) => ({ scheme, scopes, variables }));
    const complete = options.find((option) => missingVariables([option], env).length === 0);
    const remaining = complete ? [complete] : options;
    combinations = combinations
      .flatMap((combination) => remaining.map((option) => [...combination, option]))
      .slice(0, maxCombinations);
  }
  return combinations;
}

function missingVariables(schemes: readonly ChosenScheme[], env: Env): readonly string[] {
  const missing = schemes.flatMap(({ scheme, variables }) =>
    variables.filter((variable) => !isSet(variable, scheme, env)),
  );
  return [...new Set(missing)];
}

/**
 * A password may be empty: some APIs take a key as the user name and nothing else. It still has to
 * be said.
 */
function isSet(variable: string, scheme: SecuritySchemeDefinition, env: Env): boolean {
  if (scheme.kind === "basic" && variable === scheme.passwordEnv)
    return env[variable] !== undefined;
  return (env[variable] ?? "").trim() !== "";
}
