/**
 * What is said instead of sending a request without credentials. Names variables, never their
 * values.
 */

export interface Refusal {
  readonly ok: false;
  readonly message: string;
}

const AFTERWARDS = "in the environment of this server, then restart it; do not retry.";

/** `sets`: each of them would do. `headers`: what clients may send instead. */
export function missing(
  title: string,
  sets: readonly (readonly string[])[],
  headers: readonly string[] = [],
): Refusal {
  const ways = [...new Set(sets.map((set) => set.join(" and ")))];
  const [only = ""] = ways;
  const instead =
    headers.length === 0
      ? ""
      : ` Or let the client of this server send the header ${headers.join(" or ")} with its own credentials.`;
  return {
    ok: false,
    message: `Not sent: ${title} needs credentials. Set ${ways.length === 1 ? only : `${ways.join(", or ")},`} ${AFTERWARDS}${instead}`,
  };
}

/** `problem`: a clause without a subject. */
export function incorrect(variables: readonly string[], problem: string): Refusal {
  return {
    ok: false,
    message: `Not sent: ${variables.join(" or ")} ${problem}. Correct it ${AFTERWARDS}`,
  };
}

/** `problem`: a sentence about something that no variable can mend. */
export function impossible(problem: string): Refusal {
  return { ok: false, message: `Not sent: ${problem} Tell the user; do not retry.` };
}

/** `problem`: a main clause about something that may pass. */
export function later(problem: string): Refusal {
  return {
    ok: false,
    message: `Not sent: ${problem}. Try again in a minute; if it stays so, tell the user.`,
  };
}
