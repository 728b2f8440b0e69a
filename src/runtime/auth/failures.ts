import type { AuthFailure } from "./types.js";

const RESTART = "in the environment of this server, then restart it; do not retry.";

/** `sets`: each of them would do. `headers`: what clients may send instead. */
export function missingCredentials(
  title: string,
  sets: readonly (readonly string[])[],
  headers: readonly string[] = [],
): AuthFailure {
  const options = [...new Set(sets.map((set) => set.join(" and ")))];
  const [first = ""] = options;
  const forwardedHint =
    headers.length === 0
      ? ""
      : ` Or let the client of this server send the header ${headers.join(" or ")} with its own credentials.`;
  return {
    ok: false,
    message: `Not sent: ${title} needs credentials. Set ${options.length === 1 ? first : `${options.join(", or ")},`} ${RESTART}${forwardedHint}`,
  };
}

/** `problem`: a clause without a subject. */
export function invalidCredentials(variables: readonly string[], problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${variables.join(" or ")} ${problem}. Correct it ${RESTART}`,
  };
}

/** `problem`: a sentence about something that no variable can mend. */
export function unsupportedCredentials(problem: string): AuthFailure {
  return { ok: false, message: `Not sent: ${problem} Tell the user; do not retry.` };
}

/** `problem`: a main clause about something that may pass. */
export function temporaryAuthFailure(problem: string): AuthFailure {
  return {
    ok: false,
    message: `Not sent: ${problem}. Try again in a minute; if it stays so, tell the user.`,
  };
}
