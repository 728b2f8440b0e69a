import type { OperationFacts } from "../classify.js";
import { splitWords } from "../names/words.js";
import { chosenActions, overwritingOption } from "./choices.js";
import { isJsonMediaType } from "../outputs/payload.js";
import type { Schemas } from "../schemas/refs.js";
import {
  collectStatements,
  type OperationStatements,
  returnsResult,
  sendsCode,
  setsWholeList,
  type SourcedStatement,
  transformsInput,
} from "./evidence.js";
import {
  FREE_CODE_TEXT,
  IDEMPOTENT,
  INPUT_VALUE,
  IRREVERSIBLE,
  isCreatedByRequest,
  LATER,
  LIGHT_LINK,
  LOSS,
  NOTHING_STORED,
  READING_NOUN,
  REPLACES_ALL,
  REVERSIBLE,
  RUNS_CODE,
  SIDE_EFFECT,
} from "./phrases.js";
import type { Effect, Evidence, OperationEffects } from "./index.js";
import {
  DISRUPTIVE_VERBS,
  isOwnActivity,
  isPureRead,
  mayMarkItem,
  OWN_MARK_REMOVALS,
  REVERSIBLE_CHANGES,
} from "./verbs.js";
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
  const evidence = [method, ...[...stated, ...named].map(toEvidence), ...phrases];
  const readOnly = isSafe
    ? isReadBySafeMethod(statements, phrases)
    : isReadByPost(facts, schemas, statements, phrases);
  const losses =
    readOnly || transformsInput(facts) ? [] : lossesOf(facts, schemas, statements, phrases);
  const main = mainStatement(statements, readOnly);
  const effect = readOnly ? "reads" : (losses[0]?.effect ?? main?.effect ?? method.effect);
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

const writes = ({ effect }: Pick<Evidence, "effect">): boolean => effect !== "reads";

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

/**
 * A POST reads if all evidence describes a read, and its response contains a result. Requests with
 * code, and those that create the returned data, do not read.
 */
function isReadByPost(
  facts: OperationFacts,
  schemas: Schemas,
  { stated, named, sentences }: OperationStatements,
  losses: readonly Evidence[],
): boolean {
  if (facts.operation.method !== "POST" || losses.length > 0) return false;
  const all = [...stated, ...named];
  const isOnItem = facts.pathParts.some(({ kind }) => kind === "param");
  const main = all.find(
    ({ verb, object, source }) =>
      READING_NOUN.test(object) ||
      (isPureRead(verb) && !(isOnItem && mayMarkItem(verb, object, isText(source)))),
  );
  const isPreview = sentences.some((sentence) => NOTHING_STORED.test(sentence));
  const converts = convertsInput(facts, stated);
  const reads = (one: SourcedStatement): boolean =>
    !writes(one) ||
    (isPreview && /^(?:generate|create|make)$/.test(one.verb)) ||
    (converts && isConversion(one));
  if (!(main ?? (isPreview || converts)) || !all.every(reads)) return false;
  if (stated.some(({ object }) => FREE_CODE_TEXT.test(object))) return false;
  if (all.some(createsItsObject) || (isSingleRead(main) && createsOnly(facts))) return false;
  // `Return an order` sends it back.
  if (main?.verb === "return" && !sentences.some((text) => text.startsWith("returns ")))
    return false;
  return returnsResult(facts, schemas) && !sendsCode(facts, schemas);
}

const isText = (source: Evidence["source"]): boolean =>
  source === "summary" || source === "description";

const isConversion = ({ verb }: SourcedStatement): boolean => /^(?:convert|transform)$/.test(verb);

/** `Convert a number to words` changes nothing; `Convert a lead` of `/leads/{id}/convert` does. */
const convertsInput = (
  { pathParts }: OperationFacts,
  stated: readonly SourcedStatement[],
): boolean =>
  pathParts.every(({ kind }) => kind === "words") &&
  stated.some((one) => isConversion(one) && INPUT_VALUE.test(one.object));

/** Reads of one resource, which a POST can also create. */
const isSingleRead = (one: SourcedStatement | undefined): boolean =>
  one !== undefined && /^(?:get|obtain|fetch|retrieve|return|calculate|compute)$/.test(one.verb);

const createsItsObject = (one: SourcedStatement): boolean =>
  isSingleRead(one) && isCreatedByRequest(one.object);

/** The only success is 201 Created. */
const createsOnly = ({ successResponses }: OperationFacts): boolean =>
  successResponses.length > 0 && successResponses.every(({ status }) => status === "201");

/** Evidence of a loss. */
function lossesOf(
  facts: OperationFacts,
  schemas: Schemas,
  { stated, named, isSafe }: OperationStatements,
  phrases: readonly Evidence[],
): readonly Evidence[] {
  const all = [...stated, ...named.filter((one) => !(copiesMethod(one) && stated.length > 0))];
  const losing = [
    ...all.filter(isLosing).map(toEvidence),
    ...all.filter(runsCode).map((one) => ({ ...toEvidence(one), effect: "starts" as const })),
    ...(isSafe ? [] : phrases),
  ];
  if (losing.length > 0) return losing;
  const chosen = chosenActions(facts, schemas, stated[0] ?? named[0]).map(
    (one): SourcedStatement => ({ ...one, source: "request" }),
  );
  if (chosen.some(isLosing)) return chosen.filter(isLosing).map(toEvidence);
  const { method, path } = facts.operation;
  const words = setsWholeList(facts, schemas, all)
    ? "a list of all items"
    : overwritingOption(facts);
  if (words !== undefined && !isSafe) return [{ source: "request", effect: "destroys", words }];
  const evidence = methodEvidence(method, isSafe);
  if (evidence.effect === "destroys" && !(method === "DELETE" && isReversal(all, facts)))
    return [evidence];
  return method === "POST" && /graphql|\bsql\b/i.test(path) && sendsCode(facts, schemas)
    ? [{ source: "request", effect: "starts", words: path }]
    : [];
}

/** `replacePet` of "Update a pet": developers name a PUT so. */
const copiesMethod = ({ source, verb }: SourcedStatement): boolean =>
  source === "operationId" && verb === "replace";

const isLosing = ({ effect, verb, object }: SourcedStatement): boolean =>
  effect === "destroys" ||
  (DISRUPTIVE_VERBS.has(verb) && !isOwnActivity(object)) ||
  (effect === "removes" && !OWN_MARK_REMOVALS.has(verb) && !LIGHT_LINK.test(object));

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
