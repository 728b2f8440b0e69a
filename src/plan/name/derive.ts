import type { Subject } from "../kind.js";
import { pathInId } from "./clean-id.js";
import { verbFor } from "./guess.js";
import { isAdjective, isParticiple, isPlural, plural, pluralPhrase, singularPhrase } from "./inflect.js";
import { mentions, missingFrom, nounOf, pathNoun } from "./noun.js";
import { parseOperationId, type ParsedId } from "./operation-id.js";
import { pathParts } from "./path.js";
import { isPhrasal } from "./phrasal.js";
import { keptPositions } from "./repeats.js";
import { isLink, isStrongVerb, isVerb } from "./verbs.js";

/** A name in words before it is made to fit, and where it comes from. */
export interface DerivedName {
  readonly words: readonly string[];
  /** Positions of words that only qualify, given up first when the name is too long. */
  readonly extra?: ReadonlySet<number>;
  /** Words that would stand behind the verb, for when the name without them is another's. */
  readonly hidden?: readonly string[];
  readonly from: "operationId" | "path";
}

/** Names one operation by itself, from its operationId when that is good, else from its path. Looks at no other operation. */
export function deriveName(subject: Subject): DerivedName {
  const id = subject.operation.operationId;
  const path = id === undefined ? undefined : pathInId(id, subject.operation.path);
  if (path !== undefined) return { ...once(fromPath({ ...subject, parts: pathParts(path) })), from: "operationId" };
  const parsed = id === undefined ? undefined : parseOperationId(id, subject);
  if (!parsed) return { ...once(fromPath(subject)), from: "path" };
  return { ...once(fromOperationId(parsed, subject)), ...(parsed.hidden && { hidden: parsed.hidden }), from: "operationId" };
}

/** What a name says twice, it says once. */
function once({ words, extra }: Words): Words {
  const kept = keptPositions(words);
  if (!kept) return { words, ...(extra && { extra }) };
  return { words: kept.map((i) => words[i] as string), extra: new Set(kept.flatMap((from, to) => (extra?.has(from) ? [to] : []))) };
}

type Words = Pick<DerivedName, "words" | "extra">;

function fromOperationId({ group, verb, rest }: ParsedId, subject: Subject): Words {
  const [first, ...further] = rest;
  if (verb[0] === "get" && further.length > 0 && SEARCHING.has(first as string)) return fromOperationId({ group, verb: [first as string], rest: further }, subject);
  const guessed = verb.length === 0 ? verbFor(subject) : undefined;
  const at = guessed === undefined ? -1 : rest.indexOf(guessed);
  if (at >= 0) return fromOperationId({ group: [...group, ...rest.slice(0, at)], verb: [guessed as string], rest: rest.slice(at + 1) }, subject);
  const words = plainVerb(verb, rest, subject);
  const object = ordered(withoutListWord(rest, words, subject).filter((word, i, all) => !isArticle(word) || i === all.length - 1), verb.length === 0);
  if (object.length === 0) return { words: [...words, ...groupNoun(withoutVerb(group, words), words, subject)] };
  if (verb.length > 0 && group.length === 0 && saysPath(object, subject)) return { words: [...words, ...pathNoun(subject, words)] };
  if (verb.length > 0 && isLink(object[0])) return { words: [...words, ...groupNoun(group, words, subject), ...object] };
  if (object.length === 1 && object[0] === "all") return { words: [...words, ...(group.length > 0 ? pluralPhrase(group) : pathNoun(subject, words))] };
  const many = rest[0] === "all" && object.length < rest.length && !isPlural(object.at(-1) as string);
  if (verb.length === 0 && words[0] === "create" && mentions(subject.parts, object.at(-1) as string)) return fromOperationId({ group, verb: ["create"], rest: singularPhrase(object) }, subject);
  const missing = missingFrom(withoutVerb(many ? group : singularPhrase(group), words), object);
  const extra = new Set(missing.map((_, i) => words.length + i));
  return { words: [...words, ...missing, ...(words[0] === "list" ? listObject(object, subject, verb[0] === "list" && group.length === 0) : object)], extra };
}

/** `airport list` of a list is about airports. */
const withoutVerb = (group: readonly string[], [verb]: readonly string[]): readonly string[] => (verb === "list" && group.length > 1 ? group.filter((word) => word !== verb) : group);

/** `teams all`, `season current` of an identifier without a verb: which ones stands before what. A link at the end links nothing. */
function ordered(object: readonly string[], isNoun: boolean): readonly string[] {
  const [before, last] = [object.at(-2), object.at(-1) as string];
  if (before === undefined) return object;
  const isSentence = /^(is|are|has|have|can)$/.test(object[0] as string);
  if (isNoun && !isSentence && (last === "all" || WHICH.has(last))) return [last, ...object.slice(0, isLink(before) ? -2 : -1)];
  return DANGLING.has(last) && !isParticiple(before) && !isPhrasal(before, last) ? object.slice(0, -1) : object;
}

/** Says which ones, and nothing else. */
const WHICH = new Set("active inactive current latest recent upcoming popular trending pending available".split(" "));

const DANGLING = new Set(["for", "to", "with", "from", "using"]);

/** `getSearchMovie`, or `GET /search/movie`, searches movies. */
const SEARCHING = new Set(["search", "discover", "lookup"]);

/** `listOnCalls` of `/oncalls`: what starts like a link is the thing itself. */
function saysPath(object: readonly string[], { parts }: Subject): boolean {
  const last = parts.at(-1);
  return isLink(object[0]) && last?.kind === "words" && last.words.join("") === object.join("");
}

const isArticle = (word: string): boolean => word === "a" || word === "an" || word === "the";

/** HTTP words become what they do here: `get` of a list is `list`, `post` is `create`, or `update` of one thing. */
function plainVerb(verb: readonly string[], rest: readonly string[], subject: Subject): string[] {
  const { kind, operation } = subject;
  const [first] = verb;
  if (first === undefined) return [verbFor(subject)];
  if (verb.length > 1) return [...verb];
  if (/^(get|find|list)$/.test(first) && (rest[0] === "all" || rest.at(-1) === "list") && kind === "list") return ["list"];
  if (first === "get" && kind === "list" && !/^(by|one)$/.test(rest[0] ?? "")) return ["list"];
  if (first === "find" && rest[0] === "one") return ["get"];
  if (/^(index|show|store)$/.test(first)) return [RAILS[`${operation.method} ${first}`] ?? first];
  if (first === "post" && operation.method === "POST" && !mentions(subject.parts, "post")) return [verbFor(subject)];
  if (first === "put" && operation.method === "PUT") return [verbFor(subject)];
  if (first === "patch" && operation.method === "PATCH") return ["update"];
  return [first];
}

const RAILS: Readonly<Record<string, string>> = { "GET index": "list", "GET show": "get", "POST store": "create" };

/** `pet list` → `pet` when the verb already says so; `one` of `findOne` goes too. */
function withoutListWord(rest: readonly string[], verb: readonly string[], { parts }: Subject): readonly string[] {
  if (verb[0] !== "list") return verb[0] === "get" && rest[0] === "one" ? rest.slice(1) : rest;
  if (rest.length > 1 && rest.at(-1) === "list" && !mentions(parts, "lists")) return pluralPhrase(rest.slice(0, -1));
  return MANY.has(rest[0] as string) && !isLink(rest[1]) ? rest.slice(1) : rest;
}

const MANY = new Set(["all", "multiple", "several"]);

/** The object that the group names: many for a list, one for nearly everything else. */
function groupNoun(group: readonly string[], verb: readonly string[], subject: Subject): string[] {
  if (group.length === 0) return pathNoun(subject, verb);
  const last = subject.parts.at(-1);
  const wholeCollection = last?.kind === "words" && last.words.at(-1) === group.at(-1) && !/^(create|add)$/.test(verb[0] ?? "");
  if (verb[0] === "list") return group.some(isPlural) ? [...group] : pluralPhrase(group);
  if (verb[0] === "search") return searched(group, subject);
  if (wholeCollection) return [...group];
  return MASS_VERBS.has(verb[0] ?? "") && isOnMany(group, subject) ? pluralPhrase(group) : singularPhrase(group);
}

/** Verbs of which a collection is the object, not one thing of it. */
const MASS_VERBS = new Set("prune purge query count export import clear compare sync reindex".split(" "));

/** `guild_search` of `/guilds/{id}/messages/search` searches messages. */
function searched(group: readonly string[], subject: Subject): string[] {
  const before = subject.parts.at(-2);
  if (isOnMany(group, subject)) return pluralPhrase(group);
  return before?.kind === "words" && subject.parts.length > 2 ? [...missingFrom(group, before.words), ...before.words] : [...group];
}

/** `/images/search`: the piece before the verb is the group itself, and no parameter picks one. */
function isOnMany(group: readonly string[], { parts }: Subject): boolean {
  const before = parts.at(-2);
  return before?.kind === "words" && before.words.at(-1) === plural(group.at(-1) ?? "");
}

/** `ListAccount` on `/Accounts` lists accounts; so does `ListNumberCountry`, which gives a list, wherever it is. */
function listObject(object: readonly string[], { parts, kind }: Subject, said: boolean): string[] {
  const end = object.findIndex(isLink);
  const head = end < 0 ? object.length - 1 : end - 1;
  const many = said && end < 0 && kind === "list" && !object.some(isPlural) && isCountable(object[head] as string);
  return object.map((word, i) => (i === head && (mentions(parts, plural(word)) || many) ? plural(word) : word));
}

/** `pricing`, `v2` and `mine` have no plural. */
const isCountable = (word: string): boolean => /^[a-z]{3,}$/.test(word) && !word.endsWith("ing") && !isAdjective(word) && !/^(all|mine|own|self|usage|latest|details?|by|log)$/.test(word);

/** Names an operation by its path: `GET /pets/{id}/visits` → list pet visits; `POST /pets/{id}/adopt` → adopt pet. */
function fromPath(subject: Subject): Words {
  const { parts } = subject;
  const last = parts.at(-1);
  if (last?.kind === "words" && parts.length > 1 && (subject.pathVerb || subject.kind === "search")) return { words: fromPathVerb(last.words, subject) };
  if (last?.kind === "words" && /[.]|[a-z][A-Z]/.test(last.text) && last.words.some(isVerb)) {
    const parsed = parseOperationId(last.text, { ...subject, parts: [] });
    if (parsed && parsed.verb.length > 0) return fromOperationId(parsed, subject);
  }
  if (parts.length === 1 && last?.kind === "words" && subject.operation.method === "POST" && last.words.length === 1 && isStrongVerb(last.words[0]) && !OR_NOUN.has(last.text)) return { words: last.words };
  const before = parts.at(-2);
  if (last?.kind === "param" && before?.kind === "words" && parts.length > 2 && before.words.length > 1 && /^(find|search|get|list)$/.test(before.words[0] as string)) {
    return { words: fromPathVerb(before.words, { ...subject, parts: parts.slice(0, -1) }) };
  }
  if (last?.kind === "words" && before?.kind === "words" && before.words.length === 1 && subject.operation.method === "GET" && SEARCHING.has(before.words[0] as string)) {
    return { words: [before.words[0] as string, ...last.words] };
  }
  const verb = verbFor(subject);
  const noun = pathNoun(subject, [verb]);
  return { words: [verb, ...noun, ...(subject.operation.method === "OPTIONS" ? ["options"] : [])] };
}

/** What `POST /<word>` makes, rather than does. */
const OR_NOUN = new Set("commit pull push dispute place split invite leave set patch".split(" "));

function fromPathVerb(words: readonly string[], subject: Subject): string[] {
  const [verb, ...rest] = isPhrasal(words[0], words[1]) ? [words.slice(0, 2).join("_"), ...words.slice(2)] : (words as [string, ...string[]]);
  const before = subject.parts.slice(0, -1);
  const noun = nounOf(before, before.at(-1)?.kind === "param" || !/^(search|query|lookup|count|export|find|list)$/.test(verb));
  if (rest.length === 0 || isLink(rest[0])) return [verb, ...noun, ...rest];
  return [verb, ...missingFrom(noun, rest), ...rest];
}
