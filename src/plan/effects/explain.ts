import { quoteText } from "../../diagnostics/text.js";
import { joinWithAnd } from "../text/sentences.js";
import type { Effect, Evidence, OperationEffects } from "./types.js";

const MAX_WORDS_LENGTH = 60;
const MAX_EVIDENCE = 3;

/** `the summary says "delete a pet"`, `the method is GET`. */
export const describeEvidence = ({ source, words }: Evidence): string =>
  source === "method"
    ? `the method is ${words}`
    : `the ${source} says ${quoteText(words, MAX_WORDS_LENGTH)}`;

const LOSING: ReadonlySet<Effect> = new Set<Effect>(["destroys", "removes"]);

/**
 * Explains annotations that the method alone does not give: a `GET` that is not read-only, a `POST`
 * that is or that is destructive. Undefined for all others.
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
  const because = others.filter(({ effect }) =>
    isDestructive ? LOSING.has(effect) : (effect === "reads") === isReadOnly,
  );
  const reasons = [...new Set((because.length > 0 ? because : others).map(describeEvidence))];
  return reasons.length === 0
    ? undefined
    : `${label}, because ${joinWithAnd(reasons.slice(0, MAX_EVIDENCE))}.`;
}
