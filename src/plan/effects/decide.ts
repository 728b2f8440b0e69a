import { COMPUTING_VERBS, isPureRead } from "../../language/verb-effects.js";
import { endsInParameter } from "../operations/path.js";
import type { Effect, Evidence, OperationEffects, OperationFacts } from "../operations/types.js";
import type { Schemas } from "../schemas/refs.js";
import {
  collectStatements,
  type OperationStatements,
  type SourcedStatement,
  transformsInput,
} from "./evidence.js";
import { losingPhrases, lossesOf } from "./loss-rules.js";
import { phraseRules } from "./phrase-rules.js";
import { IDEMPOTENT } from "./phrases.js";
import { readEvidenceOfPost, safeObjections } from "./read-rules.js";
import { isIrreversible, replacesAll } from "./replacement.js";
import { findOwnPhrase } from "./statements.js";
import { evidenceOf } from "./rule.js";
import { actionsOf, type EffectSubject, phraseEvidence, toEvidence, writes } from "./subject.js";

/** Decides what an operation does, from all evidence of the document. */
export function decideEffects(facts: OperationFacts, schemas: Schemas): OperationEffects {
  const statements = collectStatements(facts);
  const subject: EffectSubject = { facts, schemas, statements };
  const method = methodEvidence(facts.operation.method, statements.isSafe);
  const phrases = statements.isSafe
    ? [
        ...phraseEvidence(phraseRules.sideEffect, statements),
        ...evidenceOf(safeObjections, subject),
      ]
    : losingPhrases(subject);
  const readOnly = statements.isSafe
    ? isReadBySafeMethod(statements, phrases)
    : readEvidenceOfPost(subject) !== undefined;
  const losses = readOnly || transformsInput(facts) ? [] : lossesOf(subject);
  const main = mainStatement(statements, readOnly);
  const isDestructive = losses.length > 0;
  const conflict = conflictOf(facts, statements, readOnly, [method, ...phrases]);
  const action = mainAction(statements);
  return {
    effect: readOnly
      ? "reads"
      : (losses[0]?.effect ?? main?.effect ?? effectOfMethod(facts, method.effect)),
    ...(action && { mainAction: action }),
    isReadOnly: readOnly,
    isDestructive,
    isRepeatable: readOnly || isRepeatable(facts, statements, main),
    isIrreversible: !readOnly && isIrreversible(facts, statements, isDestructive),
    replacesAll: !readOnly && replacesAll(facts, statements),
    evidence: [
      method,
      ...actionsOf(statements).map(toEvidence),
      ...phrases,
      ...losses.filter(({ isUnknown }) => isUnknown),
    ],
    ...(conflict && { conflict }),
  };
}

/** First stated action, with the object of a later text: `Update` and `Update a pet`. */
const mainAction = ({ stated }: OperationStatements): SourcedStatement | undefined =>
  stated.find(({ verb, object }) => verb === stated[0]?.verb && object !== "") ?? stated[0];

const METHOD_EFFECTS: ReadonlyMap<string, Effect> = new Map([
  ["POST", "adds"],
  ["PUT", "changes"],
  ["PATCH", "changes"],
]);

function methodEvidence(method: string, isSafe: boolean): Evidence {
  const effect = isSafe ? "reads" : (METHOD_EFFECTS.get(method) ?? "destroys");
  return { source: "method", effect, words: method };
}

/**
 * Effect of an operation whose texts and names state none. A POST adds, unless a verb of unknown
 * effect names it: `POST /beds/{id}/water`.
 */
const effectOfMethod = ({ parsedId, endsInVerb }: OperationFacts, effect: Effect): Effect =>
  effect === "adds" && (endsInVerb || parsedId?.verb.some((verb) => !SAYS_POST.test(verb)))
    ? "changes"
    : effect;

const SAYS_POST = /^(?:post|batch|bulk)$/;

const SAYS_GET = /^(?:fetch|find|get|list|read|retrieve|show|view)$/;

/**
 * A safe method reads unless a text contradicts it. The name of the operation counts if no text
 * states a read.
 */
function isReadBySafeMethod(
  { stated, named }: OperationStatements,
  sideEffects: readonly Evidence[],
): boolean {
  if (sideEffects.length > 0 || stated.some(writes)) return false;
  // `prune` of `preview_prune` is what is previewed; `get` and `list` only repeat the method.
  const isPreview = named.some(
    ({ source, verb }) => source === "operationId" && isPureRead(verb) && !SAYS_GET.test(verb),
  );
  const writingNames = named.filter((one) => writes(one) && !(isPreview && one.source === "path"));
  if (writingNames.length === 0) return true;
  const isVague = stated.every(({ verb }) => verb === "return" || COMPUTING_VERBS.has(verb));
  // `Performs several operations` of `BatchDeleteAttributes`.
  const isCalledLoss =
    stated.some(({ verb }) => COMPUTING_VERBS.has(verb)) &&
    writingNames.some(({ effect }) => effect === "destroys" || effect === "removes");
  return stated.length > 0 && !(isVague && (writingNames.length > 1 || isCalledLoss));
}

/** Main action: of the texts, else of the names. */
function mainStatement(
  statements: OperationStatements,
  readOnly: boolean,
): SourcedStatement | undefined {
  const all = actionsOf(statements);
  return readOnly ? all.find(({ effect }) => effect === "reads") : (all.find(writes) ?? all[0]);
}

/** Verbs whose second equal call has a further effect, whatever the method. */
const REPEATED = /^(?:toggle|increment|increase|decrement|decrease|append|prepend)$/;

/** Verbs of making a thing, which gets an ID of the server if the path has none. */
const MAKING =
  /^(?:book|buy|clone|copy|create|duplicate|generate|insert|order|post|purchase|submit)$/;

/** `Add a new joke`, unlike `Add a tag to the set`. */
const ADDS_NEW = /^add (?:an? )?new\b/;

function isRepeatable(
  { operation: { method }, pathParts }: OperationFacts,
  statements: OperationStatements,
  main: SourcedStatement | undefined,
): boolean {
  if (statements.sentences.some((text) => findOwnPhrase(IDEMPOTENT, text))) return true;
  if (method !== "PUT" && method !== "DELETE") return false;
  if (main?.effect === "starts" || main?.effect === "sends") return false;
  const changesToo = actionsOf(statements).some(
    ({ effect }) => effect === "changes" || effect === "destroys",
  );
  const makes = MAKING.test(main?.verb ?? "") || ADDS_NEW.test(`${main?.verb} ${main?.object}`);
  const makesNew = makes && !endsInParameter(pathParts) && !changesToo;
  return !REPEATED.test(main?.verb ?? "") && !(method === "PUT" && makesNew);
}

/** Two pieces of evidence that contradict each other, where the careful one counts. */
function conflictOf(
  { operation: { method } }: OperationFacts,
  { stated, named, isSafe }: OperationStatements,
  readOnly: boolean,
  [methodItself, ...phrases]: readonly Evidence[],
): readonly [Evidence, Evidence] | undefined {
  if (readOnly || !methodItself) return undefined;
  const statedEvidence = stated.map(toEvidence);
  const writing = [...statedEvidence, ...named.map(toEvidence), ...phrases].find(writes);
  if (isSafe) return writing && [methodItself, writing];
  const [main] = statedEvidence;
  if (method !== "POST" || !main || writes(main) || !isPureRead(stated[0]?.verb ?? ""))
    return undefined;
  return writing && [main, writing];
}
