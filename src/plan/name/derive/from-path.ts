import type { Subject } from "../../kind.js";
import { isLink } from "../function-words.js";
import { isPlural, pluralPhrase } from "../inflect.js";
import { missingFrom, nounOf, pathNoun } from "../noun.js";
import { parseOperationId } from "../operation-id/index.js";
import { wordsAt } from "../path.js";
import { isPhrasal } from "../phrasal.js";
import { isStrongVerb, isVerb } from "../verbs.js";
import { fromOperationId } from "./from-id.js";
import { verbFor } from "./guess.js";
import { isCountable } from "./object.js";
import type { Wording } from "./index.js";
import { isSearching } from "./searching.js";

/** The words of a name; undefined when the next rule is to give them. */
type Rule = (subject: Subject) => Wording | undefined;

/** From the narrowest to the widest: the first that applies names the operation. */
export const pathRules: readonly Rule[] = [
  endsInVerb,
  endsInIdentifier,
  isVerbAlone,
  readsByParameter,
  startsWithSearch,
  kindAndNoun,
];

/**
 * Names an operation by its path: `GET /pets/{id}/visits` → list pet visits; `POST
 * /pets/{id}/adopt` → adopt pet.
 */
export function fromPath(subject: Subject): Wording {
  for (const rule of pathRules) {
    const found = rule(subject);
    if (found) return found;
  }
  return kindAndNoun(subject);
}

/** `POST /pets/{id}/adopt`, `GET /pets/search`. */
function endsInVerb(subject: Subject): Wording | undefined {
  const words = wordsAt(subject.parts, -1);
  if (
    words.length === 0 ||
    subject.parts.length < 2 ||
    !(subject.pathVerb || subject.kind === "search")
  )
    return undefined;
  return { words: fromPathVerb(words, subject) };
}

/**
 * `POST /chat.postMessage`, `GET /GetPrediction`: the last piece is written as an operationId is.
 */
function endsInIdentifier(subject: Subject): Wording | undefined {
  const last = subject.parts.at(-1);
  if (last?.kind !== "words" || !/[.]|[a-z][A-Z]/.test(last.text) || !last.words.some(isVerb))
    return undefined;
  const parsed = parseOperationId(last.text, { ...subject, parts: [] });
  return parsed && parsed.verb.length > 0 ? fromOperationId(parsed, subject) : undefined;
}

/** What `POST /<word>` makes, rather than does. */
const THINGS = new Set("commit pull push dispute place split invite leave set patch".split(" "));

/** `POST /convert`. */
function isVerbAlone({ parts, operation }: Subject): Wording | undefined {
  const words = wordsAt(parts, -1);
  const isVerbOnly =
    parts.length === 1 &&
    words.length === 1 &&
    isStrongVerb(words[0]) &&
    !THINGS.has(words[0] as string);
  return isVerbOnly && operation.method === "POST" ? { words } : undefined;
}

/** `GET /documents/findByMention/{mention}`. */
function readsByParameter(subject: Subject): Wording | undefined {
  const { parts } = subject;
  const words = wordsAt(parts, -2);
  if (
    parts.length < 3 ||
    parts.at(-1)?.kind !== "param" ||
    words.length < 2 ||
    !/^(find|search|get|list)$/.test(words[0] as string)
  )
    return undefined;
  return { words: fromPathVerb(words, { ...subject, parts: parts.slice(0, -1) }) };
}

/** `GET /search/movie`. */
function startsWithSearch({ parts, operation }: Subject): Wording | undefined {
  const [words, before] = [wordsAt(parts, -1), wordsAt(parts, -2)];
  return words.length > 0 &&
    before.length === 1 &&
    operation.method === "GET" &&
    isSearching(before[0])
    ? { words: [...before, ...words] }
    : undefined;
}

/** `GET /pets` lists pets, by what it gives; `OPTIONS /pets` gets their options. */
function kindAndNoun(subject: Subject): Wording {
  const verb = verbFor(subject);
  const noun = pathNoun(subject, [verb]);
  return {
    words: [
      verb,
      ...(verb === "list" && isOneThing(noun) ? pluralPhrase(noun) : noun),
      ...(subject.operation.method === "OPTIONS" ? ["options"] : []),
    ],
  };
}

/** A list of `/api/device` is of devices; of `/files/category` nobody knows. */
const isOneThing = (noun: readonly string[]): boolean =>
  isCountable(noun.at(-1) as string) && !noun.some((word) => isLink(word) || isPlural(word));

/** `adopt` of `/pets/{id}/adopt` → adopt pet; `add labels` → add pet labels. */
function fromPathVerb(words: readonly string[], subject: Subject): string[] {
  const size = isPhrasal(words[0], words[1]) ? 2 : 1;
  const [verb, rest] = [words.slice(0, size).join("_"), words.slice(size)];
  const before = subject.parts.slice(0, -1);
  const noun = nounOf(
    before,
    before.at(-1)?.kind === "param" || !/^(search|query|lookup|count|export|find|list)$/.test(verb),
  );
  if (rest.length === 0 || isLink(rest[0])) return [verb, ...noun, ...rest];
  return [verb, ...missingFrom(noun, rest), ...rest];
}
