import type { OperationFacts, Effect, Evidence, OperationEffects } from "../operations/types.js";
import { isPlural } from "../../language/grammar.js";
import { segmentWords } from "../operations/path.js";
import { splitWords } from "../../language/words.js";
import { chosenActions, overwritingOption } from "./choices.js";
import { isJsonMediaType } from "../outputs/payload.js";
import type { Schemas } from "../schemas/refs.js";
import {
  collectStatements,
  endsRecordedActivity,
  type OperationStatements,
  sendsCode,
  setsWholeList,
  type SourcedStatement,
  transformsInput,
} from "./evidence.js";
import {
  IDEMPOTENT,
  IRREVERSIBLE,
  LATER,
  LIGHT_LINK,
  LOSS,
  REPLACES_ALL,
  REVERSIBLE,
  RUNS_CODE,
  SIDE_EFFECT,
} from "./phrases.js";
import { isReadByPost, writes } from "./read-by-post.js";
import {
  DISRUPTIVE_VERBS,
  isOwnActivity,
  isPureRead,
  OWN_MARK_REMOVALS,
  REVERSIBLE_CHANGES,
} from "../../language/verb-effects.js";
import { findOwnPhrase, isAboutAction, type PhraseFinder } from "./statements.js";

/** Decides what an operation does, from all evidence of the document. */
export function decideEffects(facts: OperationFacts, schemas: Schemas): OperationEffects {
  const statements = collectStatements(facts);
  const { stated, named, isSafe } = statements;
  const method = methodEvidence(facts.operation.method, isSafe);
  const phrases = isSafe
    ? phraseEvidence(statements, findOwnPhrase(SIDE_EFFECT), "changes")
    : [
        ...phraseEvidence(statements, findOwnPhrase(LOSS), "destroys"),
        ...(replacesAll(facts, statements)
          ? phraseEvidence(statements, findOwnPhrase(REPLACES_ALL), "destroys")
          : []),
        ...finalEvidence(facts, statements),
      ];
  const readOnly = isSafe
    ? isReadBySafeMethod(statements, phrases)
    : isReadByPost(facts, schemas, statements, phrases);
  const losses =
    readOnly || transformsInput(facts) ? [] : lossesOf(facts, schemas, statements, phrases);
  const evidence = [
    method,
    ...[...stated, ...named].map(toEvidence),
    ...phrases,
    ...losses.filter(({ isUnknown }) => isUnknown),
  ];
  const main = mainStatement(statements, readOnly);
  const effect = readOnly
    ? "reads"
    : (losses[0]?.effect ?? main?.effect ?? effectOfMethod(facts, method.effect));
  const isDestructive = !readOnly && losses.length > 0;
  const [action] = stated;
  const conflict = conflictOf(facts, statements, readOnly, [method, ...phrases]);
  return {
    effect,
    ...(action && { mainAction: action }),
    isReadOnly: readOnly,
    isDestructive,
    isRepeatable: readOnly || isRepeatable(facts, statements, main),
    isIrreversible: !readOnly && isIrreversible(facts, statements, isDestructive),
    replacesAll: !readOnly && replacesAll(facts, statements),
    evidence,
    ...(conflict && { conflict }),
  };
}

const toEvidence = ({ source, verb, effect, object }: SourcedStatement): Evidence => ({
  source,
  effect,
  words: [verb.replaceAll("_", " "), ...object.split(" ").slice(0, 3)].join(" ").trim(),
});

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

function phraseEvidence(
  { sentences }: OperationStatements,
  find: PhraseFinder,
  effect: Effect,
): readonly Evidence[] {
  return sentences.flatMap((sentence, i) => {
    const words = find(sentence);
    return words === undefined
      ? []
      : [{ source: i === 0 ? "summary" : "description", effect, words } as const];
  });
}

/** A change that the document calls final. Additions and messages remove nothing. */
function finalEvidence(
  facts: OperationFacts,
  statements: OperationStatements,
): readonly Evidence[] {
  const { stated, named } = statements;
  const main = [...stated, ...named].find(writes);
  return /^(?:changes|removes|starts)$/.test(main?.effect ?? "") &&
    isIrreversible(facts, statements, false)
    ? phraseEvidence(statements, findOwnPhrase(IRREVERSIBLE, LATER), "destroys")
    : [];
}

/**
 * A safe method reads unless a text contradicts it. The name of the operation counts if no text
 * states a read.
 */
function isReadBySafeMethod(
  { stated, named }: OperationStatements,
  sideEffects: readonly Evidence[],
): boolean {
  if (sideEffects.length > 0 || stated.some(writes)) return false;
  const writingNames = named.filter(writes);
  if (writingNames.length === 0) return true;
  const isVague = stated.every(({ verb }) => verb === "return");
  return stated.length > 0 && !(isVague && writingNames.length > 1);
}

/** Evidence of a loss. */
function lossesOf(
  facts: OperationFacts,
  schemas: Schemas,
  { stated, named, isSafe }: OperationStatements,
  phrases: readonly Evidence[],
): readonly Evidence[] {
  const all = [...stated, ...named.filter((one) => !(copiesMethod(one) && stated.length > 0))];
  const losing = [
    ...all.filter((one) => isLosing(one, facts)).map(toEvidence),
    ...all.filter(runsCode).map((one) => ({ ...toEvidence(one), effect: "starts" as const })),
    ...(isSafe ? [] : phrases),
  ];
  if (losing.length > 0) return losing;
  const chosen = chosenActions(facts, schemas, stated[0] ?? named[0])
    .map((one): SourcedStatement => ({ ...one, source: "request" }))
    .filter((one) => isLosing(one, facts));
  if (chosen.length > 0) return chosen.map(toEvidence);
  const { method, path } = facts.operation;
  const words = setsWholeList(facts, schemas, all)
    ? "a list of all items"
    : overwritingOption(facts);
  if (words !== undefined && !isSafe) return [{ source: "request", effect: "destroys", words }];
  const evidence = methodEvidence(method, isSafe);
  if (evidence.effect === "destroys" && !(method === "DELETE" && isReversal(all, facts)))
    return [evidence];
  if (method === "POST" && /graphql|\bsql\b/i.test(path) && sendsCode(facts, schemas))
    return [{ source: "request", effect: "starts", words: path }];
  const unknown = all.length === 0 ? unknownAction(facts) : undefined;
  return unknown === undefined
    ? []
    : [{ source: "path", effect: "changes", words: unknown, isUnknown: true }];
}

/**
 * Last word of a POST on one item, where nothing says what the call does: `POST /vms/{id}/deflate`.
 * A plural is a collection to which the POST adds, and 201 states that something was created.
 * `destructiveHint: false` would be a claim without evidence.
 */
function unknownAction({
  operation: { method },
  pathParts,
  successResponses,
}: OperationFacts): string | undefined {
  const [last] = segmentWords(pathParts, -1).slice(-1);
  if (method !== "POST" || last === undefined || pathParts.at(-2)?.kind !== "param")
    return undefined;
  const creates = successResponses.some(({ status }) => status === "201");
  return creates || isPlural(last) ? undefined : last;
}

/** `replacePet` of "Update a pet": developers name a PUT so. */
const copiesMethod = ({ source, verb }: SourcedStatement): boolean =>
  source === "operationId" && verb === "replace";

function isLosing(statement: SourcedStatement, facts: OperationFacts): boolean {
  const { effect, verb, object } = statement;
  const disrupts =
    DISRUPTIVE_VERBS.has(verb) && !isOwnActivity(object) && !endsRecordedActivity(facts, statement);
  const removes = effect === "removes" && !OWN_MARK_REMOVALS.has(verb) && !LIGHT_LINK.test(object);
  return effect === "destroys" || disrupts || removes;
}

const runsCode = ({ verb, object }: SourcedStatement): boolean =>
  RUNS_CODE.test(`${verb} ${object}`);

/**
 * True if all evidence about a DELETE describes a reversible action: `Disable alerts`, `Unstar`.
 * The verb delete in the operationId contradicts `Archive a flag`, but not the removal of one's own
 * mark.
 */
function isReversal(
  all: readonly SourcedStatement[],
  { operation: { operationId = "" } }: OperationFacts,
): boolean {
  const deletes = splitWords(operationId).some((word) => /^(?:delete|destroy|purge)$/.test(word));
  return (
    all.some(writes) &&
    all
      .filter(writes)
      .every(
        ({ effect, verb }) => effect === "removes" || (!deletes && REVERSIBLE_CHANGES.has(verb)),
      )
  );
}

/** Main action: of the texts, else of the names. */
function mainStatement(
  { stated, named }: OperationStatements,
  readOnly: boolean,
): SourcedStatement | undefined {
  const all = [...stated, ...named];
  return readOnly ? all.find(({ effect }) => effect === "reads") : (all.find(writes) ?? all[0]);
}

function isRepeatable(
  { operation: { method } }: OperationFacts,
  { sentences }: OperationStatements,
  main: SourcedStatement | undefined,
): boolean {
  if (sentences.some((sentence) => findOwnPhrase(IDEMPOTENT)(sentence))) return true;
  if (method !== "PUT" && method !== "DELETE") return false;
  if (main?.effect === "starts" || main?.effect === "sends") return false;
  return !/^(?:toggle|increment|increase|decrement|decrease|append|prepend)$/.test(
    main?.verb ?? "",
  );
}

/** The document states that the action itself cannot be undone, and does not state the opposite. */
function isIrreversible(
  { operation: { method } }: OperationFacts,
  { stated, named, sentences }: OperationStatements,
  isDestructive: boolean,
): boolean {
  if (sentences.some((sentence) => REVERSIBLE.test(sentence))) return false;
  const verbs = new Set([...stated, ...named].filter(writes).map(({ verb }) => verb));
  if (method === "DELETE") verbs.add("delete");
  return sentences.some(
    (sentence) =>
      findOwnPhrase(IRREVERSIBLE, LATER)(sentence) !== undefined &&
      isAboutAction(sentence, verbs) &&
      (isDestructive ||
        /^(?:this|the (?:action|operation|change|process)|warning|note|it)\b/.test(sentence)),
  );
}

/** Verbs of operations that change only the provided fields. */
const PARTIAL_VERBS = /^(?:update|change|edit|modify|patch|adjust|alter|amend)$/;

/** The document states that omitted fields are lost. */
function replacesAll(
  { operation }: OperationFacts,
  { stated, named, sentences }: OperationStatements,
): boolean {
  const [main] = [...stated, ...named];
  const takesJson = operation.body?.contents.some(({ mediaType }) => isJsonMediaType(mediaType));
  if (takesJson !== true || operation.method === "PATCH") return false;
  if ([...stated, ...named].some(({ verb }) => PARTIAL_VERBS.test(verb))) return false;
  return (
    (operation.method === "PUT" && /^(?:overwrite|replace)$/.test(main?.verb ?? "")) ||
    sentences.some((sentence) => findOwnPhrase(REPLACES_ALL)(sentence) !== undefined)
  );
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
