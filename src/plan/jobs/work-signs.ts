/** Signs that a write starts work, with their weights. */
import { anyOfPatterns } from "../../language/patterns.js";
import { isPlural, singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { type Sign, signsOf } from "./signs.js";
import { DEFINITION_NOUNS, ENDING_VERBS, isLasting, JOB_NOUNS } from "./words.js";

/** Texts that the API answers before the work is done. */
const GOES_ON = new RegExp(
  anyOfPatterns(
    /\basync(?:hronous(?:ly)?)?\b/,
    /\bin the background\b|\b(?:background|batch) (?:\w+ )?(?:job|task)\b|\blong[- ]running\b/,
    /\b(?:en)?queue[sd]?\b|\bqueu(?:ing|eing)\b/,
    /\bpoll(?:s|ed|ing)?\b/,
    /\bwithout waiting\b|\bwill be processed\b/,
    /\b(?:job|task|process|operation|run|scan|execution) (?:\w+ ){0,2}(?:was |has been |is )?(?:created|started|scheduled|submitted|triggered|accepted|initiated)\b/,
  ),
  "i",
);

/** Texts of responses to what was only accepted. */
const ACCEPTED =
  /\b(?:accepted|requested|scheduled|submitted|started|triggered|initiated|in progress)\b/i;

/** Verbs of operations that start work. */
const STARTING =
  /^(?:re)?(?:start|run|execut|launch|generat|trigger|begin|render|train|submit|queue|enqueu|initiat|invok|schedul|deploy|build|sync|synchroniz|scan|crawl|refresh|aggregat|analyz|process|import|export|ingest|transcrib|translat|convert|migrat|backup|restor|clon|provision|fetch|perform|install)(?:e|es|s|ing)?$/;

/** Texts of calls that return when the work is done. */
const AT_ONCE =
  /\bsynchronously\b|\bsynchronous (?:\w+ )?(?:api|call|endpoint|execution|method|mode|operation|process\w*|request|response|version)\b|\b(?:waits|and wait) (?:for|until) (?:\w+ ){0,4}(?:complet|finish|end)/i;

/** True for texts of which none says that something goes on: `Asynchronous postconditions`. */
const isToldSynchronous = (texts: readonly string[]): boolean =>
  texts.some((text) => AT_ONCE.test(text)) && !texts.some((text) => /\basync/i.test(text));

/** True for `start-sync` and `execute-and-wait`, the twins of calls that go on. */
const isSynchronous = (words: readonly string[]): boolean =>
  words.length > 1 && /^(?:sync|synchronous|wait)$/.test(words.at(-1)!);

/** Verbs of calls that only look at what they are given. */
const CHECKING = /^(?:lint|validat|verif|preview|estimat)(?:e|es|s|y|ies|ing)?$/;

/** Verbs of a change. */
const UPDATING = /^(?:updat|modif|edit|chang|patch|renam|approv|set|replac)(?:e|es|s|ing|y|ies)?$/;

/** Maximum number of characters of a text that are read. */
const MAX_TEXT = 4_000;

/** Words of the segments of a path that name no parameter, one list for each. */
const wordsOfSegments = (path: string): readonly (readonly string[])[] =>
  path
    .split(/[/:.]/)
    .filter((segment) => segment !== "" && !segment.includes("{"))
    .map((segment) => splitWords(segment));

/** Signs that an operation starts work; undefined for one that ends work, or reads. */
export function signsOfWork({
  operation,
  successResponses,
}: ClassifiedOperation): readonly Sign[] | undefined {
  const { method, path, operationId = "", summary = "", description = "" } = operation;
  const segments = wordsOfSegments(path);
  const last = segments.at(-1) ?? [];
  const [first = "", second = ""] = splitWords(operationId);
  const [said = ""] = splitWords(summary === "" ? description.slice(0, 60) : summary);
  const verbs = [first, second, said];
  const isEnd = [...segments.slice(-2).map(([word = ""]) => word), said, first].some((word) =>
    ENDING_VERBS.has(word.replace(/(?<=l|s|t)s$/, "")),
  );
  if (isEnd || ["GET", "HEAD"].includes(method)) return undefined;
  const responses = successResponses.map((response) => response.description ?? "");
  const texts = [summary, description.slice(0, MAX_TEXT), ...responses];
  const isStart = [...verbs, last[0] ?? "", last.at(-1) ?? ""].some((word) => STARTING.test(word));
  const isUpdate = [said, first].some((word) => UPDATING.test(word));
  const noun = singularize(last.at(-1) ?? "");
  const before = singularize(segments.at(-2)?.at(-1) ?? "");
  return signsOf({
    accepted: successResponses.some(({ status }) => status === "202"),
    goesOn: texts.some((text) => GOES_ON.test(text)),
    saysAccepted: responses.some((text) => ACCEPTED.test(text)),
    startVerb: isStart,
    // Behind `/actions` stands a verb, of work or of anything else.
    jobPath: JOB_NOUNS.has(noun) || (before !== "action" && JOB_NOUNS.has(before)),
    update: isUpdate,
    notPost: method !== "POST",
    lastingPath: isLasting([...last.slice(0, -1), noun]),
    definition: isPlural(last.at(-1) ?? "") && DEFINITION_NOUNS.has(noun),
    setsStatus: [noun, before].some((one) => /^(?:status|state)$/.test(one)),
    atOnce: isToldSynchronous(texts) || isSynchronous(last),
    checks: [said, first, ...(last.length === 1 ? last : [])].some((word) => CHECKING.test(word)),
  });
}
