/**
 * Security requirements of requests: the alternative whose variables are set, and the failures of
 * credentials.
 */
import type { ApiDefinition, SecurityRequirement } from "../api-definition.js";
import { credentialHeader, rulesOf, type SecuritySchemeDefinition } from "../security-schemes.js";
import { callsAnonymously, describeForeignOrigin } from "../request/origins.js";
import type { ApiContext, Env } from "../request/types.js";
import type { RequestMapping } from "../types.js";
import type { AuthFailure } from "./types.js";

/** A scheme and the variables that satisfy it. */
export interface ChosenScheme {
  readonly scheme: SecuritySchemeDefinition;
  readonly scopes: readonly string[];
  readonly variables: readonly string[];
  /** True if a forwarded header of the client satisfies it. */
  readonly isForwarded?: boolean;
  /** True if the token of the caller is exchanged for one of the API. */
  readonly isExchanged?: boolean;
}

/**
 * The alternative requirements of a request: those of its operation or the API's default, and none
 * if `<PREFIX>_AUTH` is `none`.
 */
export function requirementsOf(
  { security }: Pick<RequestMapping, "security">,
  { api, env }: ApiContext,
): readonly SecurityRequirement[] {
  return callsAnonymously(api, env) ? [] : (security ?? api.security ?? []);
}

type SchemeChoice = { readonly ok: true; readonly schemes: readonly ChosenScheme[] } | AuthFailure;

/**
 * Chooses the first complete alternative. `{}`, which is anonymous access, is the last choice at
 * any position, and the result if there are no alternatives.
 */
export function chooseAlternative(
  requirements: readonly SecurityRequirement[],
  context: ApiContext,
): SchemeChoice {
  const alternatives = requirements.flatMap((requirement) => combinationsOf(requirement, context));
  const complete = alternatives.filter(
    (schemes) => missingVariables(schemes, context.env).length === 0,
  );
  const schemesToUse = complete.find((schemes) => schemes.length > 0) ?? complete[0];
  if (schemesToUse !== undefined) return { ok: true, schemes: schemesToUse };
  if (requirements.length === 0) return { ok: true, schemes: [] };
  if (alternatives.length === 0)
    return unsupportedCredentials(
      `${context.api.title} asks for a kind of credentials that its document does not define.`,
    );
  return missingCredentials(
    context.api,
    alternatives.map((schemes) => missingVariables(schemes, context.env)),
    (context.forwarded ?? []).map(({ from }) => from),
  );
}

/** The options that the document offers. Only these are proposed to users. */
export function documentedOptions(
  scheme: SecuritySchemeDefinition,
): readonly (readonly string[])[] {
  const { options, unproposed } = rulesOf(scheme);
  const variable = unproposed?.(scheme);
  return options(scheme).filter(
    (variables) => variable === undefined || !variables.includes(variable),
  );
}

/**
 * Maximum number of combinations per requirement. Three options for each of a dozen schemes would
 * be half a million.
 */
const maxCombinations = 20;

/**
 * All combinations of options that satisfy every scheme; none if the document does not define one
 * of the schemes. A scheme with a complete option has only this one, so that messages list options
 * for missing variables only.
 */
function combinationsOf(
  requirement: SecurityRequirement,
  { api, env, forwarded = [], exchange }: ApiContext,
): readonly (readonly ChosenScheme[])[] {
  let combinations: readonly (readonly ChosenScheme[])[] = [[]];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = Object.hasOwn(api.securitySchemes, name) ? api.securitySchemes[name] : undefined;
    if (scheme === undefined) return [];
    const isForwarded = forwarded.some(
      ({ name: header, value }) =>
        value !== "" && header.toLowerCase() === credentialHeader(scheme),
    );
    const isExchanged = !isForwarded && exchange !== undefined && rulesOf(scheme).isToken;
    const withVariables = (variables: readonly string[]) => ({ scheme, scopes, variables });
    const options =
      isForwarded || isExchanged
        ? [{ ...withVariables([]), isForwarded, isExchanged }]
        : rulesOf(scheme).options(scheme).map(withVariables);
    const complete = options.find((option) => missingVariables([option], env).length === 0);
    const remaining = complete ? [complete] : documentedOptions(scheme).map(withVariables);
    combinations = combinations
      .flatMap((combination) => remaining.map((option) => [...combination, option]))
      .slice(0, maxCombinations);
  }
  return combinations;
}

function missingVariables(schemes: readonly ChosenScheme[], env: Env): readonly string[] {
  const missingNames = schemes.flatMap(({ scheme, variables }) =>
    variables.filter((variable) => !isSet(variable, scheme, env)),
  );
  return [...new Set(missingNames)];
}

function isSet(variable: string, scheme: SecuritySchemeDefinition, env: Env): boolean {
  return variable === rulesOf(scheme).mayBeEmpty?.(scheme)
    ? env[variable] !== undefined
    : (env[variable] ?? "").trim() !== "";
}

const RESTART = "in the environment of this server, then restart it; do not retry.";

/**
 * Credentials are missing.
 * @param sets alternative sets of variables
 * @param headers headers that clients may send instead
 */
function missingCredentials(
  { title, envPrefix }: ApiDefinition,
  sets: readonly (readonly string[])[],
  headers: readonly string[] = [],
): AuthFailure {
  const options = [...new Set(sets.map((set) => set.join(" and ")))];
  const [first = ""] = options;
  const variables = options.length === 1 ? first : options.join(", or ");
  const setting =
    `Not sent: the description of ${title} asks for credentials that are not set. Set ${variables}, ` +
    `or ${envPrefix}_AUTH=none to call without any, ${RESTART}`;
  if (headers.length === 0) return { ok: false, message: setting, missing: options };
  const header = `the header ${headers.join(" or ")} with its own credentials`;
  const message = `${setting} Or let the client of this server send ${header}.`;
  return { ok: false, message, missing: options };
}

/** The failure of a request that needs credentials and goes to an origin that does not get them. */
export function foreignOriginFailure(url: string, context: ApiContext): AuthFailure {
  return {
    ok: false,
    message:
      `Not sent: ${describeForeignOrigin(url, context)}. Tell the user; do not retry. To send them ` +
      `there, the user adds \`hosts: [${new URL(url).origin}]\` to mcp-gen.yaml and generates this ` +
      "server again.",
  };
}

/**
 * A variable is set to an unusable value.
 * @param problem a clause without a subject
 */
export function invalidCredentials(variables: readonly string[], problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${variables.join(" or ")} ${problem}. Correct it ${RESTART}`,
  };
}

/**
 * No variable can satisfy the scheme.
 * @param problem a sentence
 */
export function unsupportedCredentials(problem: string): AuthFailure {
  return { ok: false, message: `Not sent: ${problem} Tell the user; do not retry.` };
}

/**
 * A failure that may be temporary.
 * @param problem a main clause
 */
export function temporaryAuthFailure(problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${problem}. Try again in a minute; if it persists, tell the user.`,
  };
}

/**
 * The caller's own access is refused.
 * @param problem a main clause
 */
export function callerFailure(problem: string): AuthFailure {
  return {
    ok: false,
    message:
      `Not sent: ${problem}. Tell the user to sign in to this server again in its client, or to ` +
      "ask its administrator for access; do not retry before.",
  };
}
