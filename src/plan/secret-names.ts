/** Secrets that no security scheme declares, by their names. */
import { isObject, type JsonValue } from "../json.js";
import type { SecuritySchemeDefinition } from "../runtime/security-schemes.js";
import type { EnvironmentVariable } from "./types.js";
import { splitWords } from "../language/words.js";

/** Ends of names of secrets, in words. */
const SECRET_SUFFIX = new RegExp(
  "(?:^|_)(?:secret|token|password|passwd|passphrase|passcode|pwd|credentials?|authorization|" +
    "auth|cookie|jwt|signature|apikey|pin|" +
    "(?:api|access|private|secret|shared|auth|signing|encryption|license|master|admin|" +
    "developer|consumer|client|partner|merchant|tenant|user|session|subscription|service|app|" +
    "account|function|functions|storage|host|write|integration)_?key)$",
);

/** Tests whether a parameter or variable of a name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_SUFFIX.test(splitWords(name).join("_").toLowerCase());
}

/** Values that say themselves what they are: with a scheme of HTTP, tokens of well-known services. */
const SECRET_VALUE =
  /^(?:(?:basic|bearer|token|apikey) +\S+|eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*|(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|[sr]k_(?:live|test)_|sk-|AKIA|AIza)[\w-]{10,})$/i;

/** Tests whether a constant of the configuration is a credential, or has one. */
export function isSecretConstant(name: string, value: JsonValue): boolean {
  if (isSecretName(name)) return true;
  if (typeof value === "string") return SECRET_VALUE.test(value);
  return isObject(value)
    ? Object.entries(value).some(([key, member]) => isSecretConstant(key, member))
    : Array.isArray(value) && value.some((item: JsonValue) => isSecretConstant("", item));
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
