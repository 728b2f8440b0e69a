/** The effect of an operation on the API's data or on the world, with the evidence for it. */
import { quoteText } from "../../diagnostics/text.js";
import type { ToolEffect } from "../../runtime/types.js";
import { joinWithAnd } from "../text/sentences.js";

/** Effect of an operation on the API's data or on the world. */
export type Effect = ToolEffect;

/** Part of the document that describes the effect of an operation. */
export type EvidenceSource =
  | "method"
  | "operationId"
  | "path"
  | "summary"
  | "description"
  | "request"
  | "response";

/** One indication of an effect, with the words of the document. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly effect: Effect;
  /** Words of the document: `Delete`, `will be overwritten`. */
  readonly words: string;
  /** True if the document does not say what the words do. */
  readonly isUnknown?: true;
}

/** An action that a text states: `Sends an email` → send, an email. */
export interface Action {
  /** In the imperative. Phrasal verbs have an underscore. */
  readonly verb: string;
  readonly effect: Effect;
  /** Lower-case words after the verb, up to the end of the sentence. */
  readonly object: string;
}

/** Effect of an operation, with the evidence for it. */
export interface OperationEffects {
  readonly effect: Effect;
  /** Action that the summary or, without one, the first sentence states. */
  readonly mainAction?: Action;
  readonly isReadOnly: boolean;
  /** Data, access or running work can be lost. */
  readonly isDestructive: boolean;
  /** A second equal call has no further effect. */
  readonly isRepeatable: boolean;
  /** The document states that the effect cannot be undone. */
  readonly isIrreversible: boolean;
  /** The document states that omitted fields are lost. */
  readonly replacesAll: boolean;
  readonly evidence: readonly Evidence[];
  /** Evidence that contradicts the method or other evidence, so that the careful reading counts. */
  readonly conflict?: readonly [Evidence, Evidence];
}

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
