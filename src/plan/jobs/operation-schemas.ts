/** Schemas of operations, and facts about the way in which they answer. */
import { anyOfPatterns } from "../../language/patterns.js";
import { isObject, type JsonSchema } from "../../json.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { allFields } from "../schemas/flat-object.js";
import type { Schemas } from "../schemas/refs.js";

/** Schemas of an operation: that of its success, and those of its body. */
export interface OperationSchemas {
  readonly success: JsonSchema | undefined;
  readonly bodies: readonly JsonSchema[];
  /** True if the document says that the API answers before the work is done. */
  readonly isAsynchronous: boolean;
  /** True if its name says that it starts a thing, and does not only create it. */
  readonly isStart: boolean;
  /** True if the document says that it changes a thing, and not that it may create one. */
  readonly isUpdate: boolean;
  /** True if a response may name the URL of a state. */
  readonly mayNameState: boolean;
  /** True if the document has the header with that URL. */
  readonly namesState: boolean;
  /** True if that header is one of states only, and not `Location`. */
  readonly hasStateHeader: boolean;
  /** True if the document has the `Location` of what was created, and no body. */
  readonly namesCreated: boolean;
}

/** Finds the schemas of an operation; undefined for one that was not selected. */
export type SchemasOf = (method: string, path: string) => OperationSchemas | undefined;

/** Collects the schemas of operations. Of several with one path, that without a query counts. */
export function operationSchemas(
  operations: readonly ClassifiedOperation[],
  schemas: Schemas,
): SchemasOf {
  const hasQuery = ({ operation }: ClassifiedOperation): boolean =>
    operation.fixedQuery !== undefined;
  const plainLast = [...operations.filter(hasQuery), ...operations.filter((one) => !hasQuery(one))];
  const byKey = new Map(
    plainLast.map((classified) => {
      const { operation, jsonContents } = classified;
      const { method, path, body } = operation;
      const facts = {
        success:
          schemaOfSuccess(classified, schemas) ??
          schemaOfExample(jsonContents) ??
          textId(classified),
        bodies: (body?.contents ?? []).flatMap(({ schema }) => (schema ? [schema] : [])),
        isAsynchronous: isAsynchronous(classified),
        isStart: isStart(classified),
        isUpdate: isUpdate(classified),
        mayNameState: isAccepted(classified) || namesState(classified),
        namesState: namesState(classified),
        hasStateHeader: headerNames(classified).some((name) => STATE_HEADER.test(name)),
        namesCreated: namesCreated(classified),
      };
      return [`${method} ${path}`, facts];
    }),
  );
  return (method, path) => byKey.get(`${method} ${path}`) ?? byKey.get(`${method} ${path}/`);
}

/** Schema of the first success; of a write whose first has no fields, that of a 202 with some. */
function schemaOfSuccess(
  { operation: { method }, successResponses, jsonContents }: ClassifiedOperation,
  schemas: Schemas,
): JsonSchema | undefined {
  const hasFields = ({ schema = {} }: (typeof jsonContents)[number]): boolean =>
    allFields(schema, schemas).size > 0;
  const [first] = jsonContents.filter(({ schema }) => schema !== undefined);
  if (!first || method === "GET" || hasFields(first)) return first?.schema;
  const accepted = successResponses.find(({ status }) => status === "202")?.contents ?? [];
  const own = jsonContents.find((one) => accepted.includes(one) && hasFields(one));
  return (own ?? first).schema;
}

/** Schema of a text that is the ID of work: "Job ID of the repair". */
function textId({ operation, successResponses }: ClassifiedOperation): JsonSchema | undefined {
  const isId = successResponses.some(
    ({ description = "", contents }) =>
      WORK_ID.test(description.slice(0, MAX_HEADER_TEXT)) &&
      contents.some(({ mediaType }) => mediaType.startsWith("text/plain")),
  );
  return isId && operation.method !== "GET" ? { type: "string" } : undefined;
}

const WORK_ID = /\b(?:job|task|operation|run|process|request)[ _-]?id(?:entifier)?\b/i;

/** Schema of the example of a response without one. */
function schemaOfExample(contents: ClassifiedOperation["jsonContents"]): JsonSchema | undefined {
  const example = contents.flatMap(({ examples = [] }) => examples).find((one) => isObject(one));
  return example === undefined ? undefined : exampleSchema(example, 0);
}

function exampleSchema(value: unknown, depth: number): JsonSchema {
  if (isObject(value) && depth < 3) {
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      exampleSchema(one, depth + 1),
    ]);
    return {
      type: "object",
      properties: Object.fromEntries(entries) as Record<string, JsonSchema>,
    };
  }
  if (Array.isArray(value)) return { type: "array" };
  return typeof value === "object" ? {} : { type: typeof value as "string" };
}

/** Phrases of operations whose work goes on after the response. */
const ASYNCHRONOUS = new RegExp(
  anyOfPatterns(
    /\basynchronous(?:ly)?\b/,
    /\bstarts? (?:an? |the )?(?:\w+ )?job\b/,
    /\b(?:task|run|scan|request) (?:was |has been |is )?(?:en)?queued\b/,
    /\bin the background\b|\b(?:background|batch) (?:\w+ )?(?:job|task)\b|\blong[- ]running\b/,
    /\b(?:is|are|been|details?) queued\b|\bqueued for\b/,
    /\bjob (?:was |has been )?(?:created|started|queued)\b/,
  ),
  "i",
);

/** Maximum number of characters of a text that are read. */
const MAX_TEXT = 4_000;

function isAsynchronous({ operation, successResponses }: ClassifiedOperation): boolean {
  const { summary = "", description = "" } = operation;
  const responses = successResponses.map((response) => response.description ?? "");
  const texts = [summary, description.slice(0, MAX_TEXT), ...responses];
  return (
    successResponses.some(({ status }) => status === "202") ||
    texts.some((text) => ASYNCHRONOUS.test(text))
  );
}

/** Verbs of names and summaries of operations that start work. */
const STARTING =
  /^(?:start|run|execute|launch|generate|trigger|begin|render|train|submit|queue|enqueue)$/;

const isStart = ({ operation: { operationId = "", summary = "" } }: ClassifiedOperation): boolean =>
  [operationId, summary].some((name) => STARTING.test(splitWords(name)[0] ?? ""));

/** Verbs of a change, and those of a start that rule it out. */
const [UPDATING, CREATING] = [
  /\b(?:updat|modif|edit|chang|patch|renam|approv)(?:e|es|ing|y|ies|s)?\b/i,
  /\b(?:creat|deploy|provision|start|launch|register|install|add)(?:e|es|ing|s)?\b/i,
];

function isUpdate({
  operation: { summary, description = "", operationId = "" },
}: ClassifiedOperation): boolean {
  const said = summary ?? description.split(/[.\n]/, 1)[0]!;
  const words = said === "" ? splitWords(operationId).join(" ") : said;
  const [first = ""] = description.slice(0, MAX_TEXT).split(/\.\s|\n/, 1);
  return UPDATING.test(words) && !CREATING.test(`${words} ${first}`);
}

/** Headers with the URL of a state. */
const STATE_HEADER = /^(?:operation-location|azure-asyncoperation)$/i;

const headerNames = ({ successResponses }: ClassifiedOperation): readonly string[] =>
  successResponses.flatMap(({ headers }) => headers.map(({ name }) => name));

function namesState(classified: ClassifiedOperation): boolean {
  const names = headerNames(classified);
  if (names.some((name) => STATE_HEADER.test(name))) return true;
  if (classified.successResponses.some(tellsHeader)) return true;
  const isNamed = names.some((name) => /^location$/i.test(name));
  return isNamed && (isAccepted(classified) || isAsynchronous(classified));
}

/** Headers with the URL of a state, in the text of a response. */
const TOLD_HEADER = new RegExp(
  anyOfPatterns(
    /\b(?:operation-location|azure-asyncoperation)\b/,
    /["'`]?\blocation\b["'`]? (?:\w+ )?header\b/,
  ),
  "i",
);

/** True for a 202 whose text says that it has such a header. */
function tellsHeader({ status, description = "" }: SuccessResponse): boolean {
  return status === "202" && TOLD_HEADER.test(description.slice(0, MAX_HEADER_TEXT));
}

type SuccessResponse = ClassifiedOperation["successResponses"][number];

/** Maximum number of characters of a response's text that are read. */
const MAX_HEADER_TEXT = 500;

function namesCreated({ successResponses, jsonContents }: ClassifiedOperation): boolean {
  const [created] = successResponses.filter(({ status }) => status === "201");
  const isNamed = created?.headers.some(({ name }) => /^location$/i.test(name)) === true;
  return isNamed && jsonContents.every(({ schema }) => schema === undefined);
}

const isAccepted = ({ successResponses }: ClassifiedOperation): boolean =>
  successResponses.some(({ status }) => status === "202");
