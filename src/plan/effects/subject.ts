import type { Evidence, OperationFacts } from "../operations/types.js";
import type { Schemas } from "../schemas/refs.js";
import type { OperationStatements, SourcedStatement } from "./evidence.js";
import type { PhraseRule } from "./phrase-rules.js";
import { findOwnPhrase } from "./statements.js";

/** An operation whose effect is decided, with the statements of its document about it. */
export interface EffectSubject {
  readonly facts: OperationFacts;
  readonly schemas: Schemas;
  readonly statements: OperationStatements;
}

/** True for evidence of anything but a read. */
export const writes = ({ effect }: Pick<Evidence, "effect">): boolean => effect !== "reads";

export const toEvidence = ({ source, verb, effect, object }: SourcedStatement): Evidence => ({
  source,
  effect,
  words: [verb.replaceAll("_", " "), ...object.split(" ").slice(0, 3)].join(" ").trim(),
});

/** All actions that the document states: of texts, operationId and path. */
export const actionsOf = ({ stated, named }: OperationStatements): readonly SourcedStatement[] => [
  ...stated,
  ...named,
];

/**
 * Evidence of phrases in the sentences of an operation.
 * @param condition sentences that do not count
 */
export function phraseEvidence(
  rules: readonly PhraseRule[],
  { sentences }: OperationStatements,
  condition?: RegExp,
): readonly Evidence[] {
  return sentences.flatMap((sentence, i) =>
    rules.flatMap(({ id, pattern, adds }) => {
      const words = findOwnPhrase(pattern, sentence, condition);
      return words === undefined
        ? []
        : [{ source: i === 0 ? "summary" : "description", effect: adds, words, rule: id } as const];
    }),
  );
}
