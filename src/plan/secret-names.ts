/** Secrets that no security scheme declares, by their names. */
import type { SecuritySchemeDefinition } from "../runtime/security-schemes.js";
import type { EnvironmentVariable } from "./types.js";
import { splitWords } from "../language/words.js";

/** Ends of names of secrets, in words. */
const SECRET_SUFFIX = new RegExp(
  "(?:^|_)(?:secret|token|password|passwd|passphrase|credentials?|signature|apikey|pin|" +
    "(?:api|access|private|secret|auth|signing|subscription|service|app|account)_?key)$",
);

/** Tests whether a parameter or variable of a name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_SUFFIX.test(splitWords(name).join("_").toLowerCase());
}

/** Names of the secret variables that are not those of security schemes. */
export function otherSecretVariables(
  schemes: Readonly<Record<string, SecuritySchemeDefinition>>,
  variables: readonly EnvironmentVariable[],
): readonly string[] {
  const declared = new Set(
    Object.values(schemes).flatMap((scheme): unknown[] => Object.values(scheme)),
  );
  return variables.flatMap(({ name, secret }) => (secret && !declared.has(name) ? [name] : []));
}
