/** The inputs that an API's message is about, by their values and their nouns in it. */
import { isObject, ownProperty } from "../data/values.js";
import { pluralize, singularize } from "../language/inflection.js";
import { inputOf, mappedInputs } from "../request/parameter-source.js";
import type { ApiCall } from "../request/types.js";
import { wordsOf } from "./api-error/code-words.js";
import { pathInputs } from "./input-errors.js";
import { isInOtherPath } from "./message-paths.js";
import { quoteInput } from "./next-tools.js";

/** A value of a call, with the path of its input: `tags.0.id`. */
export interface GivenValue {
  readonly path: string;
  readonly value: unknown;
}

/** A value that a message may name, with its nouns. */
interface Candidate extends GivenValue {
  readonly isInPath: boolean;
  /** The name of the input says nothing about the thing, such as `name`. */
  readonly isUnnamed?: boolean;
  /** Nouns in the singular, the own ones of the input first. */
  readonly nouns: readonly string[];
}

/** Inputs that a message names, or the reason why there are none. */
export interface MissingEvidence {
  readonly named: readonly GivenValue[];
  /** True if the message names a thing that no input stands for. */
  readonly isAboutOther: boolean;
}

/** Limits of the values that are compared with a message. */
const MAX_CANDIDATES = 200;
const MAX_CANDIDATE_DEPTH = 5;
const MAX_NAMED = 3;
const MAX_VALUE_LENGTH = 200;

/**
 * Finds the inputs that a message is about: by their values in it, otherwise by their nouns. The
 * last clause that calls something missing says what: `Cannot create pet "p1": owner ID does not
 * exist`.
 */
export function findMissing(call: ApiCall, message: string): MissingEvidence {
  const clauses = message.split(CLAUSE_END);
  const cause = clauses.findLastIndex((clause) => IS_MISSING.test(clause));
  const inCause = cause > 0 ? findIn(call, clauses.slice(cause).join("")) : undefined;
  return inCause?.named.length ? inCause : findIn(call, message);
}

/** The place between two clauses. */
const CLAUSE_END = /(?<=[.:;]\s)/;

const IS_MISSING =
  /\b(?:no such|unknown)\b|\bno\b.{1,200}\b(?:found|exists?)\b|(?:\bnot|n't) (?:be )?(?:found|exist)\b/i;

function findIn(call: ApiCall, message: string): MissingEvidence {
  const byValue = findNamedValues(call, message);
  if (byValue.length > 0) return { named: byValue, isAboutOther: false };
  const candidates = candidatesOf(call);
  const byFile = FILE_IS_MISSING.test(message) ? candidates.filter(isFilePath) : [];
  if (byFile.length > 0) return { named: distinct(byFile), isAboutOther: false };
  if (UNKNOWN_FIELD.test(message)) return { named: [], isAboutOther: true };
  const nouns = missingNouns(message);
  // An object stands for nothing that an API could look up, and neither does a list of objects.
  const values = candidates.filter(({ value }) => ![value].flat().some(isObject));
  const byNoun = values.filter((one) => one.nouns.some((noun) => nouns.all.has(noun)));
  // Two words name an input more exactly than one, and its own words more than those of its path.
  const byPair = byNoun.filter((one) => one.nouns.some((noun) => nouns.pairs.has(noun)));
  const byOwn = byNoun.filter(({ isUnnamed }) => isUnnamed !== true);
  const named = [byPair, byOwn].find(({ length }) => length > 0) ?? byNoun;
  if (named.length > 0) return { named: distinct(named), isAboutOther: false };
  const known = new Set([...partNouns(call), ...GENERIC_NOUNS]);
  return { named: [], isAboutOther: [...nouns.single].some((noun) => !known.has(noun)) };
}

/** Messages of operating systems about the path of a file: `no such file or directory`. */
const FILE_IS_MISSING = /\bno such file or directory\b|\bENOENT\b|\bFileNotFoundException\b/i;

const FILE_NOUNS: ReadonlySet<string> = new Set(
  "path file filename filepath directory dir folder".split(" "),
);

const isFilePath = ({ nouns: [own = ""], value }: Candidate): boolean =>
  FILE_NOUNS.has(own) && typeof value === "string";

/** `Attribute nameColor does not exist`: the request has a field that the API does not know. */
const UNKNOWN_FIELD =
  /\b(?:argument|attribute|column|field|option|parameter|property) ["'`]?[\w.$-]{1,80}["'`]? (?:does not|doesn't) exist\b/i;

/** Words before a value in which something is missing: `provider not found for "routes"`. */
const MISSING_IN =
  /\b([a-z]{2,30}) (?:(?:was|is|could|does|do) ?)?(?:not (?:be )?found|(?:not|n't) exist) (?:for|in|on|of|under|at) ["'`]?$/i;

/** True if the text before a value says that something else is missing in it. */
function isPlaceOfMissing(before: string, { nouns }: Candidate): boolean {
  const [, missing] = MISSING_IN.exec(before) ?? [];
  return missing !== undefined && !nouns.includes(singularize(missing.toLowerCase()));
}

/** Words before the thing that is missing, which those that it belongs to follow. */
const FIRST_IS_MISSING =
  /\b(?:no|unknown)\b|(?:\bnot|n't|unable to|failed to|cannot) (?:find|fetch|get|load|retrieve|look ?up|read)\b|\b(?:failed|error) (?:find|fetch|gett|load|retriev|read)ing\b/i;

/**
 * Finds the inputs whose values stand in a message, of all inputs that were sent. After "no" or
 * "could not find", the first one is meant: `no feature "a" in project "b"`.
 */
export function findNamedValues(call: ApiCall, message: string): readonly GivenValue[] {
  const found = candidatesOf(call).flatMap((one) => {
    const at = positionOf(call, message, one);
    return at < 0 ? [] : [{ one, at }];
  });
  const start = message.search(FIRST_IS_MISSING);
  // Of two values at one position, the longer one stands there.
  const first = found
    .filter(({ at }) => start >= 0 && at > start)
    .toSorted((a, b) => a.at - b.at || valueText(b.one).length - valueText(a.one).length)
    .slice(0, 1);
  const named = first.length > 0 ? first : found;
  return distinct(named.flatMap(({ one, at }) => [one, ...partsOfReference(call, message, at)]));
}

const valueText = ({ value }: GivenValue): string => String(value);

/** Characters between the parts of a reference, and those that no reference has. */
const [JOINS, ENDS] = [/^[:/@#|.,~]*$/, /[\s"'`()<>[\]{}]/];

/**
 * The values of the path that a message writes as one reference: `component:default/cart` of a
 * kind, a namespace and a name. Empty where the text at a position has anything else.
 */
function partsOfReference(call: ApiCall, message: string, at: number): readonly Candidate[] {
  const before =
    message
      .slice(Math.max(0, at - MAX_VALUE_LENGTH), at)
      .split(ENDS)
      .at(-1) ?? "";
  const reference = before + (message.slice(at, at + MAX_PATH_LENGTH).split(ENDS)[0] ?? "");
  const inPath = candidatesOf(call).filter(({ isInPath }) => isInPath);
  const parts: Candidate[] = [];
  let rest = reference;
  for (const one of inPath.toSorted((a, b) => valueText(b).length - valueText(a).length)) {
    if (!rest.includes(valueText(one))) continue;
    rest = rest.replace(valueText(one), "");
    parts.push(one);
  }
  return parts.length > 1 && JOINS.test(rest) ? inPath.filter((one) => parts.includes(one)) : [];
}

/** Keeps one input per value, the outermost one first. */
function distinct(candidates: readonly Candidate[]): readonly GivenValue[] {
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  const paths = [...byPath.keys()];
  const inner = (path: string): boolean => paths.some((other) => path.startsWith(`${other}.`));
  return [...byPath.values()].filter(({ path }) => !inner(path)).slice(0, MAX_NAMED);
}

/** The values that a call has sent, those of its path first. */
function candidatesOf(call: ApiCall): readonly Candidate[] {
  const inPath = Object.entries(call.mapping.pathParams ?? {}).flatMap(([name, source]) => {
    const input = inputOf(source);
    if (input === undefined || call.input[input] === undefined) return [];
    const nouns = [...nounsOf(name), ...nounsOf(input), ...collectionBefore(call, name)];
    return [{ path: input, value: call.input[input], isInPath: true, nouns }];
  });
  const others = [...new Set(mappedInputs(call.mapping))].filter(
    (name) => !pathInputs(call).includes(name),
  );
  const found: Candidate[] = [...inPath];
  const owner = lastCollection(call);
  for (const name of others) {
    const isBody = call.mapping.body?.from === name;
    collect({ path: name, name, value: call.input[name], owner, isBody }, 0, found);
  }
  return found.slice(0, MAX_CANDIDATES);
}

/** A value, the name of its field, and the nouns of the thing that it is a field of. */
interface FieldValue extends GivenValue {
  readonly name: string;
  readonly owner: readonly string[];
  /** True for a whole body and the items of one. */
  readonly isBody: boolean;
}

/** Collects a value and the values inside of it. */
function collect(field: FieldValue, depth: number, found: Candidate[]): void {
  const { path, name, value, owner, isBody } = field;
  if (value === undefined || value === null || typeof value === "boolean") return;
  if (depth > MAX_CANDIDATE_DEPTH || found.length > MAX_CANDIDATES) return;
  const own = nounsOf(name);
  const isUnnamed = isBody || isIdentifierWord(name);
  const nouns = isUnnamed ? [...own, ...owner] : own;
  found.push({ path, value, isInPath: false, isUnnamed, nouns });
  if (typeof value !== "object") return;
  const isList = Array.isArray(value);
  // The ID of a part identifies the part: `matchers.0.name` names a matcher, beside a silence.
  const inner = isUnnamed ? owner : own;
  for (const [key, item] of Object.entries(value))
    collect(
      {
        path: `${path}.${key}`,
        name: isList ? name : key,
        value: item,
        owner: isList ? owner : inner,
        isBody: isList && isBody,
      },
      depth + 1,
      found,
    );
}

/** Words of identifiers, which say nothing about the thing that they identify. */
const ID_WORDS: ReadonlySet<string> = new Set(
  "id ids uuid uuids guid key keys name names slug ref refs number no code identifier hash".split(
    " ",
  ),
);

/** True for a name of identifiers alone, such as `id`, not for an operator such as `_eq`. */
function isIdentifierWord(name: string): boolean {
  const words = wordsOf(name);
  return words.length > 0 && words.every((word) => ID_WORDS.has(word));
}

/** The end of a name in one word: `jobid`. */
const ID_ENDING = /(?<=.{3})(?:id|uuid)$/;

/** The noun of a name without the words of identifiers: `pet` for `pet_ids`; empty for `id`. */
function nounsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  while (words.length > 0 && ID_WORDS.has(words.at(-1)!)) words.pop();
  const last = words.at(-1);
  if (last === undefined || last.length < 3) return [];
  const compound = words.length > 1 ? [singularize(words.join(""))] : [];
  const [stem = last] = last.split(ID_ENDING, 1);
  return [...new Set([singularize(last), ...compound, stem])];
}

/** The noun of the last segment before a parameter of the path: `pet` for `/pets/{id}`. */
function collectionBefore({ mapping: { path } }: ApiCall, parameter: string): readonly string[] {
  const before = path.slice(0, Math.max(0, path.indexOf(`{${parameter}}`)));
  return nounsOf(before.split("/").findLast((segment) => /^[a-z]/i.test(segment)) ?? "");
}

/**
 * Nouns of the segments after which no parameter follows: `lease` for `/v3/lease/revoke`, and for a
 * collection only its own, `alias` for `/images/aliases`.
 */
function lastCollection({ mapping: { path } }: ApiCall): readonly string[] {
  const segments = path.slice(path.lastIndexOf("}") + 1).split("/");
  const last = segments.at(-1)!;
  const own = nounsOf(last);
  return own.some((noun) => pluralize(noun) === last) ? own : segments.flatMap(nounsOf);
}

/** Nouns of what the path has below its last item: `photo` of `/pets/{petId}/photo`. */
function partNouns(call: ApiCall): readonly string[] {
  const parameters = Object.keys(call.mapping.pathParams ?? {});
  return [...lastCollection(call), ...parameters.flatMap((name) => collectionBefore(call, name))];
}

/** Nouns that stand for any thing, and other words next to "not found". */
const GENERIC_NOUNS: ReadonlySet<string> = new Set(
  (
    "the an any some all this that these one requested specified given provided resource item " +
    "object entity record document page route url path endpoint with not could can cannot was " +
    "were are has have been for from and you your are looking such find found get fetch load " +
    "lookup result query model app exist data error failed failure unable operation request " +
    "which matching match value key name id user_id uuid http status api server row content file " +
    "code message does did but may might there none nothing anything via parameter element"
  ).split(" "),
);

/** Number of words before and after "not found" that may name the thing. */
const BEFORE = 5;
const AFTER = 5;

/** Nouns of the things that a message calls missing, in the singular. */
interface MissingNouns {
  readonly single: ReadonlySet<string>;
  /** Two words as one: `tsigkey` of "TSIG key". */
  readonly pairs: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

function missingNouns(message: string): MissingNouns {
  const phrases = message
    .slice(0, 2000)
    .split(/[.;:!?](?:\s|$)|, /)
    .flatMap(missingPhrases);
  const pairs = phrases
    .flatMap((words) => words.slice(1).map((word, i) => `${words[i]}${word}`))
    .map(singularize);
  const isNoun = (word: string): boolean => /^\p{L}[\p{L}\p{N}]{2,}/u.test(word);
  const single = phrases.flat().filter(isNoun).map(singularize);
  return { single: new Set(single), pairs: new Set(pairs), all: new Set([...single, ...pairs]) };
}

/** The part below an item that a message calls missing: `manual` of `/parts/{id}/manual`. */
export function missingPart(call: ApiCall, message: string): string | undefined {
  const part = partOf(call);
  const nouns = missingNouns(message).all;
  return part !== undefined && nounsOf(part).some((noun) => nouns.has(noun)) ? part : undefined;
}

/** The part below an item that a path reads or deletes: `photo` of `/pets/{petId}/photo`. */
export function partOf({ mapping: { method, path } }: ApiCall): string | undefined {
  const isWithoutBody = /^(?:GET|HEAD|DELETE)$/.test(method);
  const [, part] = isWithoutBody ? (/\}\/([a-z][a-z_-]*)$/i.exec(path) ?? []) : [];
  return part?.replace(/[_-]/g, " ");
}

/** The owner of a quoted thing: `for table "people"` of `index "by_age" for table "people"`. */
const CONTEXT_OF =
  /(?<=["'`]) (?:for|of|in|on|from) (?:the )?[a-z]{2,30} ["'`][^"'`]{0,200}["'`]/gi;

/** The words before "not found", and those after "no" and "could not find". */
function missingPhrases(clause: string): readonly (readonly string[])[] {
  const words = wordsOf(clause.replace(CONTEXT_OF, " ").replace(/["'`][^"'`]{0,200}["'`]/g, " "));
  return words.flatMap((word, i) => {
    if (/^(?:found|exist|exists)$/.test(word)) return [words.slice(Math.max(0, i - BEFORE), i)];
    if (/^(?:such|find|unknown|no)$/.test(word)) return [words.slice(i + 1, i + 1 + AFTER)];
    return [];
  });
}

/** Number of characters around a value that are read. */
const CONTEXT = 50;

/** Number of characters of a path in a message that are read. */
const MAX_PATH_LENGTH = 300;

/** Position of a value in a message, as a whole and not as one of its own words; −1 without one. */
function positionOf(call: ApiCall, message: string, candidate: Candidate): number {
  const { value, isInPath, path, nouns } = candidate;
  const isNumber = typeof value === "number";
  if (typeof value !== "string" && !isNumber) return -1;
  const text = String(value);
  if (text === "" || text.length > MAX_VALUE_LENGTH) return -1;
  if (isNumber && !isInPath && !/(?:^|[._])id$|I[dD]$/.test(path)) return -1;
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const before = message.slice(Math.max(0, at - CONTEXT), at);
    const after = message.slice(at + text.length, at + text.length + CONTEXT);
    if (isPartOfWord(before, after) || QUALIFIES.test(after)) continue;
    const start = message.slice(Math.max(0, at - MAX_PATH_LENGTH), at);
    if (isPlaceOfMissing(before, candidate) || isInOtherPath(call, text, start, after)) continue;
    const isNamed = nouns.includes(singularize(wordsOf(before).at(-1) ?? ""));
    const isMissing = isInPath && /\w $/.test(before) && MISSING_AFTER.test(after);
    if (NAMING_VALUE.test(text) || isNamed || isMissing || isMarked(before)) return at;
  }
  return -1;
}

/** `Provider main not found` has the value of the path before these words. */
const MISSING_AFTER =
  /^ (?:(?:was|is|could|does) )?(?:not (?:be )?(?:found|exist|known)|unknown)\b/i;

/** A value that is no word and no small number, which messages have for other reasons, too. */
const NAMING_VALUE = /[_:/.@-]|\d\D|\D\d|\d{3}/;

/** `no such column: pets.color` is about the column, and `a.txt` is not `a`. */
const QUALIFIES = /^["'`\]]?\.["'`[]?[\p{L}_]/u;

const isPartOfWord = (before: string, after: string): boolean =>
  /[\p{L}\p{N}_]$|[\p{L}\p{N}]-$/u.test(before.slice(-2)) ||
  /^[\p{L}\p{N}_]|^-[\p{L}\p{N}]/u.test(after.slice(0, 2));

/** True for a word that quotation marks or the words before it mark as a value. */
const isMarked = (before: string): boolean =>
  /(?:["'`[(<=#{]|: ?|\w\.|\b(?:for|named|called|name|id|with|no such \w{1,30}) )$/i.test(before);

/** Names of inputs that hold one ID. */
const ID_NAME = /(?:^|_)(?:id|uuid|guid)$|(?:[a-z]I[dD]|Uuid|UUID)$|^I[dD]$/;

/**
 * The IDs of a call outside of its path, at any depth of its body: by their names, or because other
 * tools return them.
 */
export function otherIds(call: ApiCall): readonly GivenValue[] {
  const isId = ({ path, value }: Candidate): boolean =>
    (typeof value === "string" || typeof value === "number") &&
    (ID_NAME.test(path.split(".").at(-1) ?? "") ||
      ownProperty(call.tool.producers, path) !== undefined);
  return distinct(candidatesOf(call).filter((one) => !one.isInPath && isId(one)));
}

/** The values of a call's path. */
export function pathValues(call: ApiCall): readonly GivenValue[] {
  return pathInputs(call).map((name) => ({ path: name, value: call.input[name] }));
}

/** Lists values with the paths of their inputs: `pet_id "p1" and visit_id "v1"`. */
export function formatValues(values: readonly GivenValue[], conjunction: "and" | "or"): string {
  return values
    .map(({ path, value }) => `${path} ${quoteInput(path, value)}`)
    .join(` ${conjunction} `);
}

/** Name of the input of a value: `tags` of `tags.0.id`. */
export function rootOf({ path }: GivenValue): string {
  return path.split(".")[0] ?? path;
}
