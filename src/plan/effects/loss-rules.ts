/** Operations that may lose data, access or running work. */
import { isPlural } from "../../language/grammar.js";
import {
  DISRUPTIVE_VERBS,
  isOwnActivity,
  OWN_MARK_REMOVALS,
  REVERSIBLE_CHANGES,
} from "../../language/verb-effects.js";
import { splitWords } from "../../language/words.js";
import { segmentWords } from "../operations/path.js";
import type { Effect, Evidence, OperationFacts } from "../operations/types.js";
import { chosenActions, overwritingOption, takesAnyAction } from "./choices.js";
import {
  endsRecordedActivity,
  sendsCode,
  setsWholeList,
  takesFile,
  type SourcedStatement,
} from "./evidence.js";
import { phraseRules } from "./phrase-rules.js";
import { LATER, LIGHT_LINK, RUNS_CODE } from "./phrases.js";
import { isIrreversible, replacesAll } from "./replacement.js";
import { evidenceOf, type EvidenceRule, strongestOf } from "./rule.js";
import { actionsOf, type EffectSubject, phraseEvidence, toEvidence, writes } from "./subject.js";

type LossRule = EvidenceRule<EffectSubject>;

/** Statements that count: `replacePet` of "Update a pet" is only how developers name a PUT. */
const countedActions = ({ statements }: EffectSubject): readonly SourcedStatement[] => [
  ...statements.stated,
  ...statements.named.filter(
    ({ source, verb }) =>
      !(source === "operationId" && verb === "replace" && statements.stated.length > 0),
  ),
];

const ruleOfVerbs = (
  id: string,
  adds: Effect,
  example: LossRule["example"],
  isLoss: (statement: SourcedStatement, facts: OperationFacts) => boolean,
): LossRule => ({
  id,
  looksAt: "verb",
  adds,
  weight: 6,
  example,
  find: (subject) =>
    countedActions(subject)
      .filter((one) => isLoss(one, subject.facts))
      .map((one) => ({ ...toEvidence(one), effect: adds })),
});

const destroys = ({ effect }: SourcedStatement): boolean => effect === "destroys";

const disrupts = (statement: SourcedStatement, facts: OperationFacts): boolean =>
  DISRUPTIVE_VERBS.has(statement.verb) &&
  !isOwnActivity(statement.object) &&
  !endsRecordedActivity(facts, statement);

const removes = ({ effect, verb, object }: SourcedStatement): boolean =>
  effect === "removes" && !OWN_MARK_REMOVALS.has(verb) && !LIGHT_LINK.test(object);

/** Evidence of a lower weight counts only without evidence of a higher one. */
export const lossRules: readonly LossRule[] = [
  ruleOfVerbs(
    "destroying-verb",
    "destroys",
    ["POST /vms/{id}/state", "Deallocate a VM", "-D-"],
    destroys,
  ),
  ruleOfVerbs(
    "disruptive-verb",
    "destroys",
    ["POST /vms/{id}/state", "Restart a VM", "-D-"],
    disrupts,
  ),
  ruleOfVerbs(
    "removing-verb",
    "removes",
    ["POST /teams/{id}/members", "Remove a member", "-D-"],
    removes,
  ),
  ruleOfVerbs(
    "runs-code",
    "starts",
    ["POST /hosts/{id}/shell", "Execute a command", "-D-"],
    ({ verb, object }) => RUNS_CODE.test(`${verb} ${object}`),
  ),
  {
    id: "loss-phrase",
    looksAt: "text",
    adds: "destroys",
    weight: 6,
    example: ["POST /sites/{id}/theme", "Apply a theme\nThe earlier theme is lost.", "-D-"],
    find: (subject) => losingPhrases(subject),
  },
  {
    id: "chosen-action",
    looksAt: "request",
    adds: "destroys",
    weight: 5,
    example: ["POST /vms/{id}/actions", "Run an action", "-D-", { body: "type=rename|rebuild" }],
    find: (subject) => {
      const { facts, schemas } = subject;
      const [main] = actionsOf(subject.statements);
      return chosenActions(facts, schemas, main)
        .map((one): SourcedStatement => ({ ...one, source: "request" }))
        .filter((one) => [destroys, disrupts, removes].some((isLoss) => isLoss(one, facts)))
        .map(toEvidence);
    },
  },
  {
    id: "whole-list",
    looksAt: "request",
    adds: "destroys",
    weight: 4,
    example: ["PUT /pages/{id}/tags", "Set the tags", "-DI", { body: "[]" }],
    find: (subject) =>
      isUnsafe(subject) && setsWholeList(subject.facts, subject.schemas, countedActions(subject))
        ? [{ source: "request", effect: "destroys", words: "a list of all items" }]
        : [],
  },
  {
    id: "overwriting-option",
    looksAt: "request",
    adds: "destroys",
    weight: 4,
    example: ["PUT /archives/{id}", "Extract an archive", "-DI", { query: "noOverwrite?" }],
    find: (subject) => {
      const words = isUnsafe(subject) ? overwritingOption(subject.facts) : undefined;
      return words === undefined ? [] : [{ source: "request", effect: "destroys", words }];
    },
  },
  {
    id: "method",
    looksAt: "method",
    adds: "destroys",
    weight: 3,
    example: ["DELETE /pets/{id}", "", "-DI"],
    find: (subject) => {
      const { method } = subject.facts.operation;
      const isLosing =
        !/^(?:GET|HEAD|OPTIONS|QUERY|POST|PUT|PATCH)$/.test(method) &&
        !(method === "DELETE" && isReversal(subject));
      return isLosing ? [{ source: "method", effect: "destroys", words: method }] : [];
    },
  },
  {
    id: "code-of-any-effect",
    looksAt: "path",
    adds: "starts",
    weight: 2,
    example: ["POST /graphql", "Query the graph", "-D-", { body: "query" }],
    find: ({ facts, schemas }) => {
      const { method, path } = facts.operation;
      const isCode = method === "POST" && /graphql|\bsql\b/i.test(path);
      return isCode && sendsCode(facts, schemas)
        ? [{ source: "request", effect: "starts", words: path }]
        : [];
    },
  },
  {
    id: "unknown-action",
    looksAt: "path",
    adds: "changes",
    weight: 1,
    example: ["POST /vms/{id}/deflate", "", "-D-"],
    find: (subject) => {
      const isAny = takesAnyAction(subject.facts, subject.statements.stated);
      const isUnstated = actionsOf(subject.statements).length === 0;
      const words = isAny ? "any action" : isUnstated ? unknownAction(subject) : undefined;
      return words === undefined
        ? []
        : [{ source: "path", effect: "changes", words, isUnknown: true }];
    },
  },
];

/** Evidence of a loss: the strongest alone. */
export const lossesOf = (subject: EffectSubject): readonly Evidence[] =>
  strongestOf(evidenceOf(lossRules, subject));

const isUnsafe = ({ statements }: EffectSubject): boolean => !statements.isSafe;

/** Phrases about a loss, about the replacement of what exists, and about a change for good. */
export function losingPhrases(subject: EffectSubject): readonly Evidence[] {
  const { facts, statements } = subject;
  if (statements.isSafe) return [];
  return [
    ...phraseEvidence(phraseRules.loss, statements),
    ...(replacesAll(facts, statements)
      ? [
          ...phraseEvidence(phraseRules.omission, statements, LATER),
          ...phraseEvidence(phraseRules.replacing, statements),
        ]
      : []),
    ...finalPhrases(subject),
  ];
}

/** A change that the document calls final. Additions and messages remove nothing. */
function finalPhrases({ facts, statements }: EffectSubject): readonly Evidence[] {
  const main = actionsOf(statements).find(writes);
  return /^(?:changes|removes|starts)$/.test(main?.effect ?? "") &&
    isIrreversible(facts, statements, false)
    ? phraseEvidence(phraseRules.irreversible, statements, LATER)
    : [];
}

/**
 * Last words of a POST where nothing says what the call does: `POST /vms/{id}/deflate`, "Pair a
 * device". A plural is a collection to which the POST adds, and 201 states that something was
 * created, and a file is uploaded. `destructiveHint: false` would be a claim without evidence.
 */
function unknownAction({ facts }: EffectSubject): string | undefined {
  const { operation, pathParts, successResponses } = facts;
  const last = segmentWords(pathParts, -1).at(-1);
  if (operation.method !== "POST" || last === undefined) return undefined;
  const creates = takesFile(facts) || successResponses.some(({ status }) => status === "201");
  return creates || isPlural(last) ? undefined : last;
}

/**
 * True if all evidence about a DELETE describes a reversible action: `Disable alerts`, `Unstar`.
 * The verb delete in the operationId contradicts `Archive a flag`, but not the removal of one's own
 * mark.
 */
function isReversal(subject: EffectSubject): boolean {
  const { operationId = "" } = subject.facts.operation;
  const deletes = splitWords(operationId).some((word) => /^(?:delete|destroy|purge)$/.test(word));
  const writing = countedActions(subject).filter(writes);
  return (
    writing.length > 0 &&
    writing.every(
      ({ effect, verb }) => effect === "removes" || (!deletes && REVERSIBLE_CHANGES.has(verb)),
    )
  );
}
