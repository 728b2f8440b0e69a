/** Reads of states that the text of a write names. */
import { anyOfPatterns } from "../../language/patterns.js";
import { createCrossReferences } from "../cross-references/link.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { sentencesOf } from "../text/sentences.js";
import { type CrossReferences, TOOL_MARK } from "../text/tool-marks.js";
import { pathKey } from "./state-readers.js";

/** Finds the paths of the reads, without names of parameters, by which a text says work is followed. */
export type NamedReaders = (method: string, path: string) => readonly string[];

/** Collects the reads that texts of operations name. Each text is read once, when it is needed. */
export function namedReaders(operations: readonly ClassifiedOperation[]): NamedReaders {
  const references = createCrossReferences(operations.map(({ operation }) => operation));
  const byKey = new Map(
    operations.map((one) => [`${one.operation.method} ${one.operation.path}`, one] as const),
  );
  return (method, path) => {
    const found = byKey.get(`${method} ${path}`) ?? byKey.get(`${method} ${path}/`);
    return found ? readersIn(found, references) : [];
  };
}

/** Maximum number of characters of a text that are read. */
const MAX_TEXT = 4_000;

function readersIn(
  { operation, successResponses }: ClassifiedOperation,
  { link, operationOf }: CrossReferences,
): readonly string[] {
  const responses = successResponses.map(({ description = "" }) => description);
  const sentences = [operation.description ?? "", ...responses]
    .flatMap((text) => text.slice(0, MAX_TEXT).split("\n"))
    .flatMap((line) => sentencesOf(line))
    .filter((sentence) => FOLLOWED.test(sentence));
  const marks = sentences.flatMap((sentence) => [...link(sentence, operation).matchAll(TOOL_MARK)]);
  const named = marks.flatMap(([, index]) => operationOf(Number(index)) ?? []);
  return [...new Set(named.filter(({ method }) => method === "GET"))].map(({ path }) =>
    pathKey(path),
  );
}

/** Sentences about the way in which work is followed, and not about states in general. */
const FOLLOWED = new RegExp(
  anyOfPatterns(
    /\bpoll(?:s|ed|ing)?\b/,
    /\b(?:check|track|monitor|follow|query|know|see|view|determine|watch)(?:ing|s)? (?:on )?(?:the |its |your )?(?:[\w-]+ ){0,4}(?:status|state|progress|completion|results?)\b/,
    /\b(?:get|retrieve|fetch|obtain|read)(?:ing|s)? (?:the |its |your )?(?:[\w-]+ ){0,4}(?:status|progress|completion)\b/,
    /\b(?:status|progress) (?:of|for) (?:the|this|your|an?) (?:[\w-]+ ){0,2}(?:job|task|operation|request|export|import|report|scan|run|process|batch)\b/,
    /\b(?:until|when|if|whether) (?:the |it |its |your )(?:[\w-]+ ){0,3}(?:is|are|has|have) (?:been )?(?:done|complete|completed|finished|ready|available)\b/,
  ),
  "i",
);
