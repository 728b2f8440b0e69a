/** Sentences about the credentials that calls need. */
import { inlineCode } from "./inline-code.js";
import { equalJson } from "./schema/schema-version.js";
import type { SecurityRequirements } from "./types.js";

/** True if at least one alternative needs credentials. */
export function needsCredentials(security: SecurityRequirements): boolean {
  return security.some((alternative) => Object.keys(alternative).length > 0);
}

/**
 * Describes a changed requirement.
 * @param subject `It`, or another subject in the singular; `Calls` in the plural
 * @returns undefined if both are the same
 */
export function requirementChange(
  was: SecurityRequirements,
  now: SecurityRequirements,
  subject: string,
): string | undefined {
  if (equalJson(was, now)) return undefined;
  const need = subject === "Calls" ? "need" : "needs";
  if (!needsCredentials(now))
    return needsCredentials(was)
      ? `${subject} no longer ${need} credentials; until now: ${describe(was)}.`
      : undefined;
  if (!needsCredentials(was)) return `${subject} now ${need} credentials: ${describe(now)}.`;
  return (
    scopeSentence(was, now, `${subject} now ${need}`, `${subject} no longer ${need}`) ??
    orderSentence(was, now, subject) ??
    `${subject} now ${need} ${describe(now)} instead of ${describe(was)}.`
  );
}

/** Requirements that differ in the scopes of one scheme only. */
function scopeSentence(
  was: SecurityRequirements,
  now: SecurityRequirements,
  needs: string,
  needsNoLonger: string,
): string | undefined {
  const [before, after] = [was, now].map((security) => security.flatMap(Object.entries));
  const names = (entries: typeof before): readonly string[] => entries?.map(([name]) => name) ?? [];
  if (was.length !== 1 || now.length !== 1 || !equalJson(names(before), names(after)))
    return undefined;
  const changed = after!.flatMap(([name, scopes], i) => {
    const previous = before![i]![1] as readonly string[];
    return [
      ...difference(scopes, previous).map((scope) => [needs, scope, name] as const),
      ...difference(previous, scopes).map((scope) => [needsNoLonger, scope, name] as const),
    ];
  });
  const [only] = changed;
  return changed.length === 1 && only
    ? `${only[0]} the scope ${inlineCode(only[1])} of ${inlineCode(only[2])}.`
    : undefined;
}

/** The same alternatives in another order: the first one whose credentials are set is sent. */
function orderSentence(
  was: SecurityRequirements,
  now: SecurityRequirements,
  subject: string,
): string | undefined {
  const [before, after] = [was, now].map((security) =>
    security.map((alternative) => JSON.stringify(alternative)).sort(),
  );
  if (!equalJson(before, after)) return undefined;
  const prefer = subject === "Calls" ? "prefer" : "prefers";
  return `${subject} now ${prefer} credentials in the order ${describe(now)}.`;
}

function describe(security: SecurityRequirements): string {
  return security.map(describeAlternative).join(" or ");
}

function describeAlternative(alternative: SecurityRequirements[number]): string {
  const schemes = Object.entries(alternative).map(([name, scopes]) => {
    const list = scopes.map((scope) => inlineCode(scope)).join(", ");
    const label = scopes.length === 1 ? "scope" : "scopes";
    return `${inlineCode(name)}${scopes.length === 0 ? "" : ` (${label} ${list})`}`;
  });
  return schemes.length === 0 ? "no credentials" : schemes.join(" and ");
}

/** The values that only the first list has. */
export function difference(values: readonly string[], others: readonly string[]): string[] {
  return values.filter((value) => !others.includes(value));
}
