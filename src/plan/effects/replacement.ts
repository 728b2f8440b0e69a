/** Statements that an effect is final, or that a request replaces what exists. */
import { isJsonMediaType } from "../outputs/payload.js";
import type { OperationFacts } from "../operations/types.js";
import type { OperationStatements } from "./evidence.js";
import { phraseRules, type PhraseRule } from "./phrase-rules.js";
import { LATER, REVERSIBLE } from "./phrases.js";
import { findOwnPhrase, isAboutAction } from "./statements.js";
import { actionsOf, writes } from "./subject.js";

const states = (rules: readonly PhraseRule[], sentence: string, condition?: RegExp): boolean =>
  rules.some(({ pattern }) => findOwnPhrase(pattern, condition)(sentence) !== undefined);

/** The document states that the action itself cannot be undone, and does not state the opposite. */
export function isIrreversible(
  { operation: { method } }: OperationFacts,
  statements: OperationStatements,
  isDestructive: boolean,
): boolean {
  const { sentences } = statements;
  if (sentences.some((sentence) => REVERSIBLE.test(sentence))) return false;
  const verbs = new Set(
    actionsOf(statements)
      .filter(writes)
      .map(({ verb }) => verb),
  );
  if (method === "DELETE") verbs.add("delete");
  return sentences.some(
    (sentence) =>
      states(phraseRules.irreversible, sentence, LATER) &&
      isAboutAction(sentence, verbs) &&
      (isDestructive ||
        /^(?:this|the (?:action|operation|change|process)|warning|note|it)\b/.test(sentence)),
  );
}

/** Verbs of operations that change only the provided fields. */
const PARTIAL_VERBS = /^(?:update|change|edit|modify|patch|adjust|alter|amend)$/;

/** The document states that omitted fields are lost. */
export function replacesAll(
  { operation }: OperationFacts,
  statements: OperationStatements,
): boolean {
  const actions = actionsOf(statements);
  const takesJson = operation.body?.contents.some(({ mediaType }) => isJsonMediaType(mediaType));
  if (takesJson !== true || operation.method === "PATCH") return false;
  if (actions.some(({ verb }) => PARTIAL_VERBS.test(verb))) return false;
  return (
    (operation.method === "PUT" && /^(?:overwrite|replace)$/.test(actions[0]?.verb ?? "")) ||
    statements.sentences.some((sentence) => states(phraseRules.replacing, sentence))
  );
}
