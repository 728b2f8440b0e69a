/** The effect of an operation on the API's data or on the world, with the evidence for it. */
import { quoteText } from "../../diagnostics/text.js";
import type { Evidence, Effect, OperationEffects } from "../operations/types.js";
import { joinWithAnd } from "../text/sentences.js";

const MAX_WORDS_LENGTH = 60;
const MAX_EVIDENCE = 3;

/** `the summary says "delete a pet"`, `the method is GET`. */
export function describeEvidence({ source, words, isUnknown }: Evidence): string {
  if (source === "method") return `the method is ${words}`;
  const quoted = quoteText(words, MAX_WORDS_LENGTH);
  return isUnknown ? `nothing says what ${quoted} does` : `the ${source} says ${quoted}`;
}

const LOSING: ReadonlySet<Effect> = new Set<Effect>(["destroys", "removes"]);

/**
 * Explains annotations that differ from those of the method: a `GET` that is not read-only, a
 * `POST` that is or that is destructive. Undefined for all others.
 */
export function explainEffects(effects: OperationEffects): string | undefined {
  const { isReadOnly, isDestructive, evidence } = effects;
  const [method, ...others] = evidence;
  if (!method) return undefined;
  const isSafe = method.effect === "reads";
  const isExpected = isSafe
    ? isReadOnly
    : !isReadOnly && isDestructive === LOSING.has(method.effect);
  if (isExpected) return undefined;
  const label = isReadOnly
    ? "Read-only"
    : isDestructive
      ? "Destructive"
      : isSafe
        ? "Not read-only"
        : "Not destructive";
  const because = others.filter(({ effect, isUnknown }) =>
    isDestructive ? LOSING.has(effect) || isUnknown : (effect === "reads") === isReadOnly,
  );
  const reasons = [...new Set((because.length > 0 ? because : others).map(describeEvidence))];
  return reasons.length === 0
    ? undefined
    : `${label}, because ${joinWithAnd(reasons.slice(0, MAX_EVIDENCE))}.`;
}
