import type { ClassifiedOperation } from "../classify.js";
import { isCountable, nameFromOperationId, type NameWords } from "./from-operation-id.js";
import {
  isConnective,
  isPhrasalVerb,
  isPlural,
  isSearchVerb,
  isUnambiguousVerb,
  isVerb,
  pluralizeLast,
} from "./grammar.js";
import { inferVerb } from "./infer-verb.js";
import { parseOperationId } from "./parse-operation-id.js";
import { nounOfPath, nounOfSegments, segmentWords, wordsNotIn } from "./path.js";

/** The words of a name; undefined when the next rule is to give them. */
type PathRule = (subject: ClassifiedOperation) => NameWords | undefined;

/** From the narrowest to the widest: the first that applies names the operation. */
export const pathRules: readonly PathRule[] = [
  endsInVerb,
  endsInIdentifier,
  isSingleVerb,
  readByParameter,
  startsWithSearch,
  kindAndNoun,
];

/**
 * Names an operation by its path: `GET /pets/{id}/visits` → list pet visits; `POST
 * /pets/{id}/adopt` → adopt pet.
 */
export function nameFromPath(subject: ClassifiedOperation): NameWords {
  for (const rule of pathRules) {
    const found = rule(subject);
    if (found) return found;
  }
  return kindAndNoun(subject);
}

/** `POST /pets/{id}/adopt`, `GET /pets/search`. */
function endsInVerb(subject: ClassifiedOperation): NameWords | undefined {
  const words = segmentWords(subject.pathParts, -1);
  if (
    words.length === 0 ||
    subject.pathParts.length < 2 ||
    !(subject.endsInVerb || subject.kind === "search")
  )
    return undefined;
  return { words: nameFromPathVerb(words, subject) };
}

/**
 * `POST /chat.postMessage`, `GET /GetPrediction`: the last piece is written as an operationId is.
 */
function endsInIdentifier(subject: ClassifiedOperation): NameWords | undefined {
  const last = subject.pathParts.at(-1);
  if (last?.kind !== "words" || !/[.]|[a-z][A-Z]/.test(last.text) || !last.words.some(isVerb))
    return undefined;
  const parsed = parseOperationId(last.text, { ...subject, pathParts: [] });
  return parsed && parsed.verb.length > 0 ? nameFromOperationId(parsed, subject) : undefined;
}

/** What `POST /<word>` makes, rather than does. */
const VERBS_OF_RESOURCES = new Set(
  "commit pull push dispute place split invite leave set patch".split(" "),
);

/** `POST /convert`. */
function isSingleVerb({ pathParts: parts, operation }: ClassifiedOperation): NameWords | undefined {
  const words = segmentWords(parts, -1);
  const isVerbOnly =
    parts.length === 1 &&
    words.length === 1 &&
    isUnambiguousVerb(words[0]) &&
    !VERBS_OF_RESOURCES.has(words[0] as string);
  return isVerbOnly && operation.method === "POST" ? { words } : undefined;
}

/** `GET /documents/findByMention/{mention}`. */
function readByParameter(subject: ClassifiedOperation): NameWords | undefined {
  const { pathParts: parts } = subject;
  const words = segmentWords(parts, -2);
  if (
    parts.length < 3 ||
    parts.at(-1)?.kind !== "param" ||
    words.length < 2 ||
    !/^(find|search|get|list)$/.test(words[0] as string)
  )
    return undefined;
  return { words: nameFromPathVerb(words, { ...subject, pathParts: parts.slice(0, -1) }) };
}

/** `GET /search/movie`. */
function startsWithSearch({
  pathParts: parts,
  operation,
}: ClassifiedOperation): NameWords | undefined {
  const [words, before] = [segmentWords(parts, -1), segmentWords(parts, -2)];
  return words.length > 0 &&
    before.length === 1 &&
    operation.method === "GET" &&
    isSearchVerb(before[0])
    ? { words: [...before, ...words] }
    : undefined;
}

/** `GET /pets` lists pets, by what it gives; `OPTIONS /pets` gets their options. */
function kindAndNoun(subject: ClassifiedOperation): NameWords {
  const verb = inferVerb(subject);
  const noun = nounOfPath(subject, [verb]);
  return {
    words: [
      verb,
      ...(verb === "list" && isSingleResource(noun) ? pluralizeLast(noun) : noun),
      ...(subject.operation.method === "OPTIONS" ? ["options"] : []),
    ],
  };
}

/** A list of `/api/device` is of devices; of `/files/category` nobody knows. */
const isSingleResource = (noun: readonly string[]): boolean =>
  isCountable(noun.at(-1) as string) && !noun.some((word) => isConnective(word) || isPlural(word));

/** `adopt` of `/pets/{id}/adopt` → adopt pet; `add labels` → add pet labels. */
function nameFromPathVerb(words: readonly string[], subject: ClassifiedOperation): string[] {
  const size = isPhrasalVerb(words[0], words[1]) ? 2 : 1;
  const [verb, rest] = [words.slice(0, size).join("_"), words.slice(size)];
  const before = subject.pathParts.slice(0, -1);
  const noun = nounOfSegments(
    before,
    before.at(-1)?.kind === "param" || !/^(search|query|lookup|count|export|find|list)$/.test(verb),
  );
  if (rest.length === 0 || isConnective(rest[0])) return [verb, ...noun, ...rest];
  return [verb, ...wordsNotIn(noun, rest), ...rest];
}
