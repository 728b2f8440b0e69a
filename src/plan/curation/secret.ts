import { wordsOf } from "../name/words.js";

/** How names of secrets end, in words. */
const ENDS =
  /(?:^|_)(?:secret|token|password|passwd|passphrase|credentials?|signature|(?:api|access|private|secret|auth|signing|subscription|service|app|account)_?key|apikey|pin)$/;

/**
 * Whether a value that `mcp-gen.yaml` takes from the environment is one that nobody may see: by the
 * name of the parameter, or of the variable.
 */
export function isSecret(parameter: string, variable: string): boolean {
  return [parameter, variable].some((name) => ENDS.test(wordsOf(name).join("_").toLowerCase()));
}
