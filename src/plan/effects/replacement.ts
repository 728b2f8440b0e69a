/** Statements that an effect is final, or that a request replaces what exists. */
import { isJsonMediaType } from "../outputs/payload.js";
import type { OperationFacts } from "../operations/types.js";
import type { OperationStatements } from "./evidence.js";
import { phraseRules, type PhraseRule } from "./phrase-rules.js";
import { LATER, REVERSIBLE } from "./phrases.js";
import { findOwnPhrase, isAboutAction } from "./statements.js";
import { actionsOf, writes } from "./subject.js";

const states = (rules: readonly PhraseRule[], sentence: string, condition?: RegExp): boolean =>
  rules.some(({ pattern }) => findOwnPhrase(pattern, sentence, condition) !== undefined);

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
  { stated, named, sentences }: OperationStatements,
): boolean {
  const { body, method } = operation;
  const [main] = [...stated, ...named];
  if (body?.contents.some(({ mediaType }) => isJsonMediaType(mediaType)) !== true) return false;
  const isUpdate = [...stated, ...named].some(({ verb }) => PARTIAL_VERBS.test(verb));
  const losesOmitted = sentences.some((one) => states(phraseRules.omission, one, LATER));
  if (isUpdate || method === "PATCH") return losesOmitted && method !== "POST";
  return (
    losesOmitted ||
    (method === "PUT" && /^(?:overwrite|replace)$/.test(main?.verb ?? "")) ||
    sentences.some((one) => states(phraseRules.replacing, one))
  );
}
