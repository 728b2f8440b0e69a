/** Descriptions of response statuses that say more than the status itself. */
import { groupBy } from "../groups.js";
import { pluralize, singularize } from "../language/inflection.js";
import type { Operation } from "../model/types.js";
import type { OperationBinding } from "../runtime/types.js";
import { splitWords } from "../language/words.js";
import { extractErrorCodes } from "./documented-errors.js";
import { flattenMarkdown } from "./text/markdown.js";
import { memoize } from "../language/patterns.js";
import { truncateText } from "./text/sentences.js";
import type { PlannedTool } from "./types.js";

const MAX_TEXT_LENGTH = 240;

/** A description that recurs as often is stored once, for all operations. */
const MIN_SHARED = 3;

/** Descriptions by status: `404`, `5XX`. */
export type StatusTexts = Readonly<Record<string, string>>;

interface DocumentedStatuses {
  readonly tools: readonly PlannedTool[];
  /** The description of each status that most operations repeat. */
  readonly statuses: StatusTexts | undefined;
}

/** Adds the descriptions of the statuses of their operations to tools. */
export function addDocumentedStatuses(
  tools: readonly PlannedTool[],
  operations: readonly Operation[],
): DocumentedStatuses {
  const texts = new Map(
    operations.map((operation) => [
      `${operation.method} ${operation.path}`,
      Object.entries(describedStatuses(operation)),
    ]),
  );
  const textsOf = ({ request: { method, path } }: OperationBinding) =>
    texts.get(`${method} ${path}`) ?? [];
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const shared = sharedTexts(bindings.flatMap(textsOf));
  const describe = (binding: OperationBinding): OperationBinding => {
    const statuses = textsOf(binding).map(
      ([status, text]) => [status, shared.get(status) === text || text] as const,
    );
    return statuses.length === 0 ? binding : { ...binding, statuses: Object.fromEntries(statuses) };
  };
  return {
    tools: tools.map((tool) => ({
      ...tool,
      definition: { ...tool.definition, operations: tool.definition.operations.map(describe) },
    })),
    statuses: shared.size === 0 ? undefined : Object.fromEntries(shared),
  };
}

/** The most frequent description of each status, where it recurs. */
function sharedTexts(
  texts: readonly (readonly [status: string, text: string])[],
): ReadonlyMap<string, string> {
  const byStatus = [...groupBy(texts, ([status]) => status)].sort();
  return new Map(
    byStatus.flatMap(([status, entries]) => {
      const groups = [...groupBy(entries, ([, text]) => text)];
      const [text, uses] = groups.reduce((a, b) => (b[1].length > a[1].length ? b : a));
      return uses.length < MIN_SHARED ? [] : [[status, text] as const];
    }),
  );
}

/**
 * Descriptions of the statuses of an operation that tell an agent more than the status. That of the
 * only success with a body describes the result, as the tool does. Where a read returns no body,
 * the description is all of the answer: `container exists`.
 */
export function describedStatuses({
  operationId = "",
  method,
  path,
  responses,
}: Pick<Operation, "operationId" | "method" | "path" | "responses">): StatusTexts {
  const successes = responses.filter(({ status }) => /^[23]/.test(status));
  const ownWords = (): ReadonlySet<string> =>
    new Set(
      [operationId, ...path.split(/[/{}]/)]
        .flatMap((text) => splitWords(text))
        .flatMap(bothNumbers),
    );
  return Object.fromEntries(
    responses.flatMap((response) => {
      const isSuccess = successes.includes(response);
      const describesResult = isSuccess && successes.length === 1 && response.contents.length > 0;
      if (!/^[2-5](?:\d\d|XX)$/.test(response.status) || describesResult) return [];
      const text = statusText(`${response.status} ${response.description ?? ""}`);
      const isAnswer = /^(?:GET|HEAD)$/.test(method) && response.contents.length === 0;
      return isInformative(text, isSuccess && !isAnswer ? ownWords() : NO_WORDS)
        ? [[response.status, text]]
        : [];
    }),
  );
}

const NO_WORDS: ReadonlySet<string> = new Set();

const bothNumbers = (word: string): readonly string[] => [word, pluralize(word), singularize(word)];

/**
 * The description without lists of error codes, which are explained by code. Memoized by status and
 * description, because most operations share them.
 */
const statusText = memoize((statusAndDescription): string => {
  const [status = ""] = statusAndDescription.split(" ", 1);
  const description = statusAndDescription.slice(status.length + 1);
  const { rest } = extractErrorCodes(description, /^[45]/.test(status));
  const text = flattenMarkdown(rest).replace(new RegExp(`^${status}\\s*[-–—:.]\\s*`), "");
  const shortened = truncateText(text, MAX_TEXT_LENGTH, false);
  return shortened === text || shortened.endsWith("…") ? shortened : `${shortened} …`;
});

/**
 * Words of descriptions such as `Not found`, `Bad request`, `Successful operation` and `Default
 * error`, which say no more than the status.
 */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `a acceptable accepted access action all allowed an and any api are arguments auth
  authenticated authentication authorization authorized bad be been body by caller client code
  completed conflict content could created credentials default deleted deletion denied details
  done due empty entity error errors everything exceeded executed expected experienced fail
  failed failure fine for forbidden found from gateway general generic gone good had has have
  http implemented in information insufficient internal invalid is it item json large limit
  limited made many media method missing modified no not object occurred of ok okay on one
  operation or parameter parameters parsing payload permission permissions please precondition
  problem problems processable processed provided query rate reached request requested
  requests required resource resources response responses result results return returned
  returns see server service something status succeeded success successful successfully that
  the there this timeout to too type unacceptable unauthenticated unauthorised unauthorized
  unavailable unexpected unknown unprocessable unsupported updated used valid validation was
  went were when with wrong you your`.split(/\s+/),
);

const wordsOf = memoize(
  (text): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
);

function isInformative(text: string, ownWords: ReadonlySet<string>): boolean {
  return wordsOf(text).some(
    (word) => !/^\d+(?:xx)?$/.test(word) && !GENERIC_WORDS.has(word) && !ownWords.has(word),
  );
}
