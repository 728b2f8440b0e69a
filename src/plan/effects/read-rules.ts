/** Operations that only read: POST operations by evidence, safe methods unless it objects. */
import { COMPUTED_READS, isPureRead, mayMarkItem } from "../../language/verb-effects.js";
import { isAmbiguousVerb } from "../../language/grammar.js";
import { VERBS } from "../../language/verbs.js";
import { splitWords } from "../../language/words.js";
import { typesOf } from "../../json.js";
import { segmentWords } from "../operations/path.js";
import type { Evidence, OperationFacts } from "../operations/types.js";
import { fieldsOf, payloadOf } from "../outputs/payload.js";
import { resolveSchema } from "../schemas/refs.js";
import { commandsOfSafeMethod, takesAnyAction } from "./choices.js";
import { returnsFile, returnsResult, sendsCode, type SourcedStatement } from "./evidence.js";
import {
  FREE_CODE_TEXT,
  INPUT_VALUE,
  isCreatedByRequest,
  NOTHING_STORED,
  READING_NOUN,
} from "./phrases.js";
import { phraseRules } from "./phrase-rules.js";
import { evidenceOf, type EvidenceRule, weightOf } from "./rule.js";
import { actionsOf, type EffectSubject, phraseEvidence, toEvidence, writes } from "./subject.js";

type ReadRule = EvidenceRule<EffectSubject>;

/** Weight of the evidence with which a POST reads. */
const READS = 2;

/** Evidence for a read. `Validate an address` alone is not enough; `Returns …` beside it is. */
export const readRules: readonly ReadRule[] = [
  {
    id: "reading-verb",
    looksAt: "verb",
    adds: "reads",
    weight: READS,
    example: ["POST /items/query", "Search items", "R-I"],
    find: (subject) =>
      actionsOf(subject.statements)
        .filter((one) => isPureRead(one.verb) && !marksItem(one, subject.facts))
        .map(toEvidence),
  },
  {
    id: "checking-verb",
    looksAt: "verb",
    adds: "reads",
    weight: 1,
    example: ["POST /names", "Validate that a name is free", "R-I"],
    find: (subject) =>
      actionsOf(subject.statements)
        .filter((one) => !writes(one) && !isPureRead(one.verb) && !marksItem(one, subject.facts))
        .slice(0, 1)
        .map(toEvidence),
  },
  {
    id: "question",
    looksAt: "verb",
    adds: "reads",
    weight: 1,
    example: ["POST /names", "Validate whether a name is free", "R-I"],
    find: ({ statements }) =>
      actionsOf(statements)
        .filter((one) => !writes(one) && QUESTION.test(one.object))
        .slice(0, 1)
        .map((one) => ({ ...toEvidence(one), effect: "reads" as const })),
  },
  {
    id: "returns-file",
    looksAt: "response",
    adds: "reads",
    weight: 1,
    example: ["POST /reports/file", "Download reports", "R-I", { answer: "200 application/zip" }],
    find: ({ facts, statements }) =>
      actionsOf(statements).some(({ verb }) => verb === "download") && returnsFile(facts)
        ? [{ source: "response", effect: "reads", words: "a file" }]
        : [],
  },
  {
    id: "computed-result",
    looksAt: "response",
    adds: "reads",
    weight: 1,
    example: [
      "POST /portfolios/simulation",
      "Simulate portfolios",
      "R-I",
      { body: "assets[]", answer: "200 returns" },
    ],
    find: (subject) =>
      hasParameter(subject.facts) || !returnsComputed(subject)
        ? []
        : actionsOf(subject.statements)
            .filter(({ verb, source }) => COMPUTED_READS.has(verb) && STATED.has(source))
            .slice(0, 1)
            .map(() => ({ source: "response", effect: "reads", words: "a computed result" })),
  },
  {
    id: "reading-noun",
    looksAt: "verb",
    adds: "reads",
    weight: READS,
    example: ["POST /items/results", "Perform a search", "R-I"],
    find: ({ statements }) =>
      actionsOf(statements)
        .filter(({ object }) => READING_NOUN.test(object))
        .map(toEvidence),
  },
  {
    id: "nothing-stored",
    looksAt: "text",
    adds: "reads",
    weight: READS,
    example: ["POST /invoices/example", "Create an invoice\nThe invoice is not stored.", "R-I"],
    find: ({ statements: { sentences } }) =>
      sentences.flatMap((sentence) => {
        const [words] = NOTHING_STORED.exec(sentence) ?? [];
        return words === undefined
          ? []
          : [{ source: "description", effect: "reads", words } as const];
      }),
  },
  {
    id: "converts-input",
    looksAt: "verb",
    adds: "reads",
    weight: READS,
    example: ["POST /numbers/words", "Convert a number to words", "R-I"],
    find: ({ facts, statements: { stated } }) =>
      hasParameter(facts)
        ? []
        : stated
            .filter((one) => isConversion(one) && INPUT_VALUE.test(one.object))
            .map((one) => ({ ...toEvidence(one), effect: "reads" as const })),
  },
];

/** Evidence of the request against a read by a safe method. Each rule is enough. */
export const safeObjections: readonly ReadRule[] = [
  {
    id: "any-action-of-safe-method",
    looksAt: "request",
    adds: "changes",
    weight: 1,
    example: ["GET /pods/{id}/actions", "Perform an action", "-D-", { query: "action" }],
    find: ({ facts, statements: { stated } }) =>
      takesAnyAction(facts, stated)
        ? [{ source: "request", effect: "changes", words: "any action" }]
        : [],
  },
  {
    id: "command-of-safe-method",
    looksAt: "request",
    adds: "changes",
    weight: 1,
    example: ["GET /health", "Access the health checks", "---", { query: "cmd=list|disable" }],
    find: ({ facts, schemas, statements: { stated } }) =>
      commandsOfSafeMethod(facts, schemas, stated).map((one) =>
        toEvidence({ ...one, source: "request" }),
      ),
  },
];

/** Evidence against a read. Each rule is enough. */
export const readObjections: readonly ReadRule[] = [
  {
    id: "writing-verb",
    looksAt: "verb",
    adds: "changes",
    weight: 1,
    example: ["POST /items/search", "Search items and update them", "---"],
    find: (subject) =>
      actionsOf(subject.statements)
        .filter((one) => !allows(one, subject))
        .map(toEvidence),
  },
  {
    id: "storing-phrase",
    looksAt: "text",
    adds: "adds",
    weight: 1,
    example: ["POST /items/search", "Search items\nThe query will be saved.", "---"],
    find: ({ statements }) => [
      ...phraseEvidence(phraseRules.loss, statements),
      ...phraseEvidence(phraseRules.storing, statements),
    ],
  },
  {
    id: "effect-of-input",
    looksAt: "request",
    adds: "changes",
    weight: 1,
    example: ["POST /items/search", "Search items", "---", { body: "text createMissing?" }],
    find: (subject) => {
      const input = inputNames(subject).find(namesEffect);
      return input === undefined ? [] : [{ source: "request", effect: "changes", words: input }];
    },
  },
  {
    id: "code-in-text",
    looksAt: "verb",
    adds: "starts",
    weight: 1,
    example: ["POST /databases/rows", "Query rows with an SQL statement", "---"],
    find: ({ statements: { stated } }) =>
      stated
        .filter(({ verb, object }) => verb !== "list" && FREE_CODE_TEXT.test(object))
        .map((one) => ({ ...toEvidence(one), effect: "starts" as const })),
  },
  {
    id: "creates-object",
    looksAt: "verb",
    adds: "adds",
    weight: 1,
    example: ["POST /session/ticket", "Get a token", "---"],
    // `/link/token/get` of an API whose paths end in verbs gets what another one creates.
    find: ({ statements }) =>
      (statements.named.some(({ source, verb }) => source === "path" && isPureRead(verb))
        ? []
        : actionsOf(statements)
      )
        .filter((one) => isSingleRead(one) && isCreatedByRequest(one.object))
        .map((one) => ({ ...toEvidence(one), effect: "adds" as const })),
  },
  {
    id: "only-created",
    looksAt: "response",
    adds: "adds",
    weight: 1,
    example: ["POST /items/offer", "Calculate an offer", "---", { answer: "201 id" }],
    find: ({ facts, statements }) =>
      actionsOf(statements).some(isSingleRead) && createsOnly(facts)
        ? [{ source: "response", effect: "adds", words: "201" }]
        : [],
  },
  {
    id: "sends-back",
    looksAt: "verb",
    adds: "changes",
    weight: 1,
    example: ["POST /orders/parcels", "Return an order", "---"],
    find: ({ facts, statements }) => {
      const returns = actionsOf(statements).filter(({ verb }) => verb === "return");
      const others = actionsOf(statements).filter(
        ({ verb }) => verb !== "return" && isPureRead(verb),
      );
      return returns.length > 0 && sendsBack(facts, statements.sentences, others.length > 0)
        ? [{ source: "summary", effect: "changes", words: "return" }]
        : [];
    },
  },
  {
    id: "no-result",
    looksAt: "response",
    adds: "starts",
    weight: 1,
    example: ["POST /items/search", "Search items", "---", { answer: "200 jobId" }],
    find: ({ facts, schemas }) =>
      returnsResult(facts, schemas)
        ? []
        : [{ source: "response", effect: "starts", words: "a response without a result" }],
  },
  {
    id: "code-in-request",
    looksAt: "request",
    adds: "starts",
    weight: 1,
    example: ["POST /rows/query", "Query rows", "---", { body: "sql" }],
    find: ({ facts, schemas }) =>
      sendsCode(facts, schemas)
        ? [{ source: "request", effect: "starts", words: "code of any effect" }]
        : [],
  },
];

/**
 * A POST reads if there is enough evidence for it, and none against it. Undefined for other
 * methods, and if it does not read.
 */
export function readEvidenceOfPost(subject: EffectSubject): readonly Evidence[] | undefined {
  if (subject.facts.operation.method !== "POST") return undefined;
  const evidence = evidenceOf(readRules, subject);
  const isRead = weightOf(evidence) >= READS && evidenceOf(readObjections, subject).length === 0;
  return isRead ? evidence : undefined;
}

/** True for an action that does not contradict a read. */
function allows(one: SourcedStatement, { facts, statements }: EffectSubject): boolean {
  if (!writes(one) || isReadObject(one, statements.stated)) return true;
  const isPreview = statements.sentences.some((sentence) => NOTHING_STORED.test(sentence));
  return (
    (isPreview && /^(?:generate|create|make)$/.test(one.verb)) ||
    (isConversion(one) &&
      !hasParameter(facts) &&
      statements.stated.some((other) => isConversion(other) && INPUT_VALUE.test(other.object)))
  );
}

/** `/near-misses/request` of "Find near misses to the request": the texts name a thing so. */
const isReadObject = (
  { source, verb }: SourcedStatement,
  stated: readonly SourcedStatement[],
): boolean =>
  source === "path" &&
  isAmbiguousVerb(verb) &&
  stated.every((one) => isPureRead(one.verb)) &&
  stated.some(({ object }) => {
    const words = object.split(" ");
    return words.length > 1 && words.at(-1) === verb && words.at(-2) !== "to";
  });

/** Parts of a document that state what an operation does in words. */
const STATED: ReadonlySet<string> = new Set(["summary", "description"]);

/** The request has data, and the result has fields of which none identifies a stored thing. */
function returnsComputed({ facts, schemas }: EffectSubject): boolean {
  const { operation, jsonContents, successResponses } = facts;
  const { schema } = jsonContents[0] ?? {};
  const fields = [
    ...(schema ? fieldsOf(payloadOf(schema, schemas).schema, schemas) : NO_FIELDS).keys(),
  ];
  const isAnswered = successResponses.every(({ status }) => status === "200");
  const hasData = operation.body !== undefined;
  return isAnswered && hasData && fields.length > 0 && !fields.some((name) => STORED.test(name));
}

const NO_FIELDS: ReadonlyMap<string, unknown> = new Map();

/** Fields of what an API stores. */
const STORED =
  /^_?(?:id|uuid|guid|uid|sid|href|self|created_?(?:at|on|date)?|status|state)$|_id$|[a-z]Id$/i;

/** A verb of reading that marks the item of the path: `POST /messages/{id}/read`. */
const marksItem = ({ verb, object, source }: SourcedStatement, facts: OperationFacts): boolean =>
  hasParameter(facts) &&
  mayMarkItem(verb, object, source === "summary" || source === "description");

const hasParameter = ({ pathParts }: OperationFacts): boolean =>
  pathParts.some(({ kind }) => kind === "param");

/** `Convert a number to words` changes nothing; `Convert a lead` of `/leads/{id}/convert` does. */
const isConversion = ({ verb }: SourcedStatement): boolean => /^(?:convert|transform)$/.test(verb);

/** Reads of one resource, which a POST can also create. */
const isSingleRead = ({ verb }: SourcedStatement): boolean =>
  /^(?:get|obtain|fetch|retrieve|return|calculate|compute)$/.test(verb);

/**
 * `Return an order` sends it back, and so does every `POST /orders/{id}/returns`. `Return the
 * orders of …`, `Returns …`, and another verb of reading describe a result.
 */
function sendsBack(
  { pathParts }: OperationFacts,
  sentences: readonly string[],
  readsToo: boolean,
): boolean {
  if (/^returns?$/.test(segmentWords(pathParts, -1).at(-1) ?? "")) return true;
  return !readsToo && !sentences.some((text) => RETURNS_RESULT.test(text));
}

const RETURNS_RESULT =
  /^returns |^return (?:all|the|(?:an? )?(?:array|list|set) of|(?:[\w-]+ ){0,2}(?:data|details|information|statistics))\b/;

/** The only success is 201 Created. */
const createsOnly = ({ successResponses }: OperationFacts): boolean =>
  successResponses.length > 0 && successResponses.every(({ status }) => status === "201");

/** Names of the switches of a request: boolean fields of its body and parameters. */
function inputNames({ facts: { operation }, schemas }: EffectSubject): readonly string[] {
  const fields = (operation.body?.contents ?? []).flatMap(({ schema }) =>
    Object.entries((schema && resolveSchema(schemas, schema).properties) ?? {}),
  );
  const parameters = operation.parameters.map(({ name, schema }) => [name, schema] as const);
  return [...fields, ...parameters].flatMap(([name, schema]) =>
    typeof schema === "object" && typesOf(resolveSchema(schemas, schema)).includes("boolean")
      ? [name]
      : [],
  );
}

/** `whether a name is free`, `that the file is complete`. */
const QUESTION = /^(?:whether|if)\b|^that (?:all|an?|the|this|your)\b/;

/** `createMissing`, `save`, `notify_owner`; not `include_deleted`, `expand` or `depositHistory`. */
function namesEffect(name: string): boolean {
  const [first = ""] = splitWords(name);
  const { effect = "reads", class: verbClass } = VERBS.get(first) ?? {};
  return verbClass === "verb" && /^(?:adds|destroys|sends)$/.test(effect) && first !== "duplicate";
}
