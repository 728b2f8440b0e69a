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
    /\bin the background\b|\b(?:background|batch) (?:\w+ )?(?:job|task)\b|\blong[- ]running (?:\w+ )?(?:calls?|jobs?|operations?|process(?:es)?|quer(?:y|ies)|requests?|tasks?|work)\b/,
    /\b(?:en)?queued\b|\benqueues?\b|\bqueu(?:ing|eing)\b|\bqueues? (?:an?|it|them|the|this|up|for)\b/,
    /\b(?:add|put|place|send|submit|push)(?:ed|s)? (?:it |them )?(?:in|on|to)(?:to)? (?:a|the) queue\b/,
    /\bpoll(?:s|ed|ing)?\b/,
    /\bwithout waiting\b|\bwill be processed\b|\b(?:begin|start)s? processing\b/,
    /\b(?:job|task|process|operation|run|scan|execution) (?:(?:was|has been|is|will be|been|successfully|now) ){0,3}(?:created|started|scheduled|submitted|triggered|accepted|initiated)\b/,
  ),
  "i",
);

/** Texts of responses to what was only accepted. */
const ACCEPTED =
  /\b(?:accepted|requested|scheduled|submitted|started|triggered|initiated|in progress)\b/i;

/** Verbs of operations that start work. */
const STARTING =
  /^(?:re)?(?:start|run|execut|launch|generat|trigger|begin|render|train|submit|queue|enqueu|initiat|invok|schedul|deploy|build|sync|synchroniz|scan|crawl|refresh|aggregat|analyz|process|import|export|ingest|transcrib|translat|convert|migrat|backup|restor|clon|provision|fetch|perform|install|enumerat|index|evaluat|optimi[sz]|extract|transcod|replicat|upgrad)(?:e|es|s|ing)?$/;

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

/** Name of a service before that of an operation: `ExportService_DownloadExport`. */
const SERVICE = /^\w+?(?:Service|Controller|Resource|Api)[_.]/;

/** Last words of paths that only say that the thing before them is made. */
const PLAIN_SEGMENT = /^(?:async|create|new|add|bulk|batch)$/;

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
  const named = splitWords(operationId.replace(SERVICE, ""));
  // `builds_create` opens with the collection, and not with a verb.
  const [opening = ""] = named;
  const isCollection = segments.some((words) => words.length === 1 && words[0] === opening);
  const [first = "", second = ""] = isCollection && isPlural(opening) ? named.slice(1) : named;
  const [said = "", and, then = ""] = splitWords(
    summary === "" ? description.slice(0, 60) : summary,
  );
  // `Create and start a campaign`
  const verbs = [first, second, said, ...(and === "and" ? [then] : [])];
  const isEnd = [
    ...segments.slice(-2).map(([word = ""]) => word),
    last.at(-1) ?? "",
    said,
    first,
  ].some((word) => [word, word.replace(/s$/, "")].some((one) => ENDING_VERBS.has(one)));
  if (isEnd || ["GET", "HEAD"].includes(method)) return undefined;
  const responses = successResponses.map((response) => response.description ?? "");
  const texts = [summary, description.slice(0, MAX_TEXT), ...responses];
  const isDefinition =
    isPlural(last.at(-1) ?? "") && DEFINITION_NOUNS.has(singularize(last.at(-1)!));
  const isStart = [...verbs, ...(isDefinition ? [] : [last[0] ?? "", last.at(-1) ?? ""])].some(
    (word) => STARTING.test(word),
  );
  const isUpdate = UPDATING.test(said) || (UPDATING.test(first) && !STARTING.test(said));
  const noun = singularize(last.at(-1) ?? "");
  // `/invoices/batch` makes several at once.
  const isOfMany = segments.length > 1 && last.join() === "batch";
  const before = singularize(segments.at(-2)?.at(-1) ?? "");
  const isAccepted = successResponses.some(({ status }) => status === "202");
  const goesOn = texts.some((text) => GOES_ON.test(text));
  return signsOf({
    accepted: isAccepted,
    goesOn,
    saysAccepted: responses.some((text) => ACCEPTED.test(text)),
    startVerb: isStart,
    // Behind `/actions` stands a verb, of work or of anything else.
    jobPath:
      (JOB_NOUNS.has(noun) && !isOfMany) ||
      (before !== "action" &&
        JOB_NOUNS.has(before) &&
        (isStart || isPlural(last.at(-1) ?? "") || PLAIN_SEGMENT.test(last.at(-1) ?? ""))),
    update: isUpdate,
    notPost: method !== "POST",
    lastingPath: isLasting([...last.slice(0, -1), noun]),
    definition: isDefinition,
    setsStatus:
      [noun, before].some((one) => /^(?:status|state)$/.test(one)) ||
      (!isAccepted && [said, last[0] ?? ""].some((word) => /^(?:en|dis)ables?/.test(word))),
    atOnce: isToldSynchronous([...texts, operationId]) || isSynchronous(last),
    // A check that goes on after the response is work.
    checks:
      !isAccepted &&
      !goesOn &&
      [said, first, ...(last.length === 1 ? last : [])].some((word) => CHECKING.test(word)),
  });
}

/** True for an operation whose text begins with `Cancel`. */
export function isToldToCancel(classified: ClassifiedOperation | undefined): boolean {
  const { summary, description = "" } = classified?.operation ?? {};
  return /^(?:cancel|abort)s?\b/i.test(summary ?? description);
}
