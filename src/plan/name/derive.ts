import type { OperationKind, Subject } from "../kind.js";
import { isPlural, plural, pluralPhrase, singular, singularPhrase } from "./inflect.js";
import { parseOperationId, type ParsedId } from "./operation-id.js";
import { endsInParam, type PathPart } from "./path.js";
import { isLink, isVerb } from "./verbs.js";
import { shortHash } from "./hash.js";

/** A name in words before it is made to fit, and where it comes from. */
export interface DerivedName {
  readonly words: readonly string[];
  /** Positions of words that only qualify, given up first when the name is too long. */
  readonly extra?: ReadonlySet<number>;
  readonly from: "operationId" | "path";
}

/** Names one operation by itself, from its operationId when that is good, else from its path. Looks at no other operation. */
export function deriveName(subject: Subject): DerivedName {
  const id = subject.operation.operationId;
  const parsed = id === undefined ? undefined : parseOperationId(id, subject);
  if (parsed) return { ...fromOperationId(parsed, subject), from: "operationId" };
  return { ...fromPath(subject), from: "path" };
}

const KIND_VERBS: Readonly<Record<OperationKind, string>> = {
  list: "list", get: "get", search: "search", create: "create", update: "update", replace: "replace", delete: "delete", action: "run",
};

/** The verb for an operation that brings none of its own. */
export function verbFor({ kind, operation, parts }: Subject): string {
  if (kind !== "action") return operation.method === "HEAD" ? "check" : KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParam(parts) ? "add" : "set";
  if (operation.method === "POST") return "create";
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

type Words = Pick<DerivedName, "words" | "extra">;

function fromOperationId({ group, verb, rest }: ParsedId, subject: Subject): Words {
  const words = plainVerb(verb, rest, subject);
  const object = withoutListWord(rest, words, subject).filter((word, i, all) => !isArticle(word) || i === all.length - 1);
  if (verb.length > 0 && group.length === 0 && object.length === 0) return { words: [...words, ...pathNoun(subject, words)] };
  if (verb.length > 0 && (object.length === 0 || isLink(object[0]) || object[0] === "all")) {
    return { words: [...words, ...groupNoun(group, words, subject), ...withoutLoneAll(object)] };
  }
  const missing = missingFrom(singularPhrase(group), object);
  const extra = new Set(missing.map((_, i) => words.length + i));
  return { words: [...words, ...missing, ...(words[0] === "list" ? listObject(object, subject) : object)], extra };
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
  if (first === "post" && operation.method === "POST" && !mentions(subject.parts, "post")) return [kind === "action" ? "create" : verbFor(subject)];
  if (first === "put" && operation.method === "PUT") return [verbFor(subject)];
  if (first === "patch" && operation.method === "PATCH") return ["update"];
  return [first];
}

const RAILS: Readonly<Record<string, string>> = { "GET index": "list", "GET show": "get", "POST store": "create" };

function mentions(parts: readonly PathPart[], word: string): boolean {
  const last = parts.at(-1);
  return last?.kind === "words" && last.words.includes(word);
}

/** `pet list` → `pet` when the verb already says so; `one` of `findOne` goes too. */
function withoutListWord(rest: readonly string[], verb: readonly string[], subject: Subject): readonly string[] {
  if (verb[0] === "list" && rest.length > 1 && rest.at(-1) === "list") return pluralPhrase(rest.slice(0, -1));
  if (verb[0] === "get" && rest[0] === "one") return rest.slice(1);
  return subject.kind === "list" && rest.length === 1 && rest[0] === "all" ? [] : rest;
}

const withoutLoneAll = (object: readonly string[]): readonly string[] => (object.length === 1 && object[0] === "all" ? [] : object);

/** The words of a group that its object does not say already, in either number. */
function missingFrom(group: readonly string[], object: readonly string[]): string[] {
  const said = new Set(object.flatMap((word) => [word, singular(word)]));
  return group.filter((word) => !said.has(word) && !said.has(singular(word)) && !isLink(word));
}

/** The object that the group names: many for a list, one for nearly everything else. */
function groupNoun(group: readonly string[], verb: readonly string[], subject: Subject): string[] {
  if (group.length === 0) return pathNoun(subject, verb);
  const last = subject.parts.at(-1);
  const wholeCollection = last?.kind === "words" && last.words.at(-1) === group.at(-1) && !/^(create|add)$/.test(verb[0] ?? "");
  if (verb[0] === "list") return group.some(isPlural) ? [...group] : pluralPhrase(group);
  return wholeCollection || verb[0] === "search" ? [...group] : singularPhrase(group);
}

/** `ListAccount` on `/Accounts` lists accounts. */
function listObject(object: readonly string[], { parts }: Subject): string[] {
  const end = object.findIndex(isLink);
  const head = end < 0 ? object.length - 1 : end - 1;
  return object.map((word, i) => (i === head && mentions(parts, plural(word)) ? plural(word) : word));
}

/** Names an operation by its path: `GET /pets/{id}/visits` → list pet visits; `POST /pets/{id}/adopt` → adopt pet. */
function fromPath(subject: Subject): Words {
  const { parts } = subject;
  const last = parts.at(-1);
  if (last?.kind === "words" && parts.length > 1 && (subject.pathVerb || subject.kind === "search")) return { words: fromPathVerb(last.words, subject) };
  if (last?.kind === "words" && /[.]|[a-z][A-Z]/.test(last.text) && last.words.some(isVerb)) {
    const parsed = parseOperationId(last.text, { ...subject, parts: [] });
    if (parsed && parsed.verb.length > 0) return fromOperationId(parsed, subject);
  }
  const verb = verbFor(subject);
  return { words: [verb, ...pathNoun(subject, [verb])] };
}

function fromPathVerb(words: readonly string[], subject: Subject): string[] {
  const [verb, ...rest] = words as [string, ...string[]];
  const before = subject.parts.slice(0, -1);
  const noun = nounOf(before, before.at(-1)?.kind === "param" || !/^(search|query|lookup|count|export|find|list)$/.test(verb));
  if (rest.length === 0 || isLink(rest[0])) return [verb, ...noun, ...rest];
  return [verb, ...missingFrom(noun, rest), ...rest];
}

function pathNoun(subject: Subject, verb: readonly string[]): string[] {
  const { parts, operation } = subject;
  const one = endsInParam(parts) || /^(create|add)$/.test(verb[0] ?? "");
  const noun = nounOf(parts, one && !(verb[0] === "list"));
  if (noun.length > 0) return noun;
  return parts.length > 0 || operation.path.length > 1 ? [shortHash(operation.path)] : ["root"];
}

/** The last static piece, with the one before it in front: `/pets/{id}/visits` → pet visits. */
function nounOf(parts: readonly PathPart[], one: boolean): string[] {
  const named = parts.filter((part) => part.kind === "words");
  const last = named.at(-1);
  if (!last) return [];
  const object = one ? singularPhrase(last.words) : last.words;
  return [...missingFrom(parentWords(parts, parts.lastIndexOf(last)), object), ...object];
}

/** The static piece before: one thing when a parameter follows it, a topic as it is written when none does. */
function parentWords(parts: readonly PathPart[], index: number): readonly string[] {
  const before = parts[index - 1];
  if (before?.kind === "words") return before.words;
  const owner = parts.slice(0, index).findLast((part) => part.kind === "words");
  return owner ? singularPhrase(owner.words) : [];
}
