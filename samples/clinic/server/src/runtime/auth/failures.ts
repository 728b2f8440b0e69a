import type { AuthFailure } from "./types.js";

const RESTART = "in the environment of this server, then restart it; do not retry.";

/**
 * Credentials are missing.
 * @param sets alternative sets of variables
 * @param headers headers that clients may send instead
 */
export function missingCredentials(
  title: string,
  sets: readonly (readonly string[])[],
  headers: readonly string[] = [],
): AuthFailure {
  const options = [...new Set(sets.map((set) => set.join(" and ")))];
  const [first = ""] = options;
  const variables = options.length === 1 ? first : `${options.join(", or ")},`;
  const setting = `Not sent: ${title} needs credentials. Set ${variables} ${RESTART}`;
  if (headers.length === 0) return { ok: false, message: setting, missing: options };
  const header = `the header ${headers.join(" or ")} with its own credentials`;
  const message = `${setting} Or let the client of this server send ${header}.`;
  return { ok: false, message, missing: options };
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
    message: `Not sent: ${problem}. Try again in a minute; if it stays so, tell the user.`,
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
