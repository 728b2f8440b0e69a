import type { ApiDefinition, SecuritySchemeDefinition } from "../../runtime/api-definition.js";

/** Maximum number of alternatives that are listed. */
const MAX_ALTERNATIVES = 6;

/**
 * Describes the alternative sets of variables that satisfy the default security requirement.
 * @returns `SHOP_TOKEN, or SHOP_USER and SHOP_PASSWORD`; undefined without a choice, and if calls
 *   work without credentials
 */
export function describeCredentialChoice({
  security = [],
  securitySchemes,
}: Pick<ApiDefinition, "security" | "securitySchemes">): string | undefined {
  const sets = security.flatMap((requirement) =>
    combine(
      Object.keys(requirement).flatMap((name) => {
        const scheme = Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
        return scheme ? [variableSets(scheme)] : [];
      }),
    ),
  );
  const texts = [...new Set(sets.map((set) => set.join(" and ")))].slice(0, MAX_ALTERNATIVES);
  if (texts.length < 2 || texts.includes("")) return undefined;
  return texts.join(texts.some((text) => text.includes(" ")) ? ", or " : " or ");
}

/** Combines one option of each scheme, in every way. */
function combine(schemes: readonly (readonly (readonly string[])[])[]): readonly string[][] {
  return schemes.reduce<readonly string[][]>(
    (sets, options) =>
      sets
        .flatMap((set) => options.map((option) => [...new Set([...set, ...option])]))
        .slice(0, MAX_ALTERNATIVES),
    [[]],
  );
}

/** Sets of variables that satisfy a scheme, the simplest first. */
function variableSets(scheme: SecuritySchemeDefinition): readonly (readonly string[])[] {
  switch (scheme.kind) {
    case "basic":
      return [[scheme.usernameEnv, scheme.passwordEnv]];
    case "mutualTLS":
      return [[scheme.certEnv, scheme.keyEnv]];
    case "oauth2":
      return oauthVariableSets(scheme);
    default:
      return [[scheme.env]];
  }
}

function oauthVariableSets({
  tokenEnv,
  refreshTokenEnv,
  clientIdEnv,
  clientSecretEnv,
  tokenUrl,
  discoveryUrl,
  signIn,
}: Extract<SecuritySchemeDefinition, { kind: "oauth2" }>): readonly (readonly string[])[] {
  if ((tokenUrl ?? discoveryUrl) === undefined || clientIdEnv === undefined) return [[tokenEnv]];
  return [
    [tokenEnv],
    ...(signIn ? [[`${clientIdEnv} (then login)`]] : []),
    ...(refreshTokenEnv === undefined ? [] : [[refreshTokenEnv, clientIdEnv]]),
    ...(clientSecretEnv === undefined ? [] : [[clientIdEnv, clientSecretEnv]]),
  ];
}
