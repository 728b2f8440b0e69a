import { translatePhrase } from "../../language/foreign-verbs.js";
import { sequence } from "../../language/patterns.js";
import {
  isArticle,
  isConnective,
  isReadingVerb,
  isUnambiguousVerb,
  isVerb,
  joinPhrasalVerb,
  singularize,
  toImperative,
} from "../../language/grammar.js";
import {
  documentWords,
  readSummaryStart,
  removeGeneratedParts,
  splitGluedWord,
  splitPhrase,
} from "./document-words.js";
import {
  isGeneratedKey,
  isVersion,
  lettersOf,
  splitCompound,
  splitWords,
} from "../../language/words.js";
import { DJANGO_ACTIONS, FUNCTION_SUFFIXES, PLAIN_VERBS } from "../../language/lexicon.js";
import { segmentWords } from "../operations/path.js";
import type { OperationFacts } from "../operations/types.js";
import { isNonEnglish } from "../text/sentences.js";

/** Maximum number of characters of an operationId that are read. Names are much shorter. */
const MAX_ID_LENGTH = 1_000;

/** A version whose dots an identifier cannot have: `_v0_0_38` of `slurm_v0_0_38_get_jobs`. */
const WRITTEN_VERSION = /(^|[._-])v\d{1,3}(?:[._-]\d{1,3}){1,3}(?:[._-]|$)/g;

/**
 * Words of an operationId, in chunks between punctuation: `issues/list-for-repo` → [issues], [list,
 * for, repo]. Words that generators add, versions and numbers are left out. No chunk is empty;
 * there may be no chunks.
 */
export function tokenizeOperationId(text: string, classified: OperationFacts): string[][] {
  const id = text.slice(0, MAX_ID_LENGTH).replace(WRITTEN_VERSION, "$1");
  const cleaned =
    dottedMethod(id, classified) ??
    stripResultForm(
      stripMountPoint(
        stripPathSuffix(cleanOperationId(id, classified.operation.method), classified),
        classified,
      ),
    );
  const known = documentWords(classified);
  const unglued = withoutMarkedId(withoutGluedParameters(cleaned, classified), classified);
  const chunks = withoutParameters(splitAtMarks(unglued), classified)
    .filter((chunk) => !/^\d+$/.test(chunk))
    .map((chunk) => wordsOfChunk(chunk, classified, known))
    .flatMap((words) => splitAfterCollection(words, classified))
    .filter((words) => words.length > 0)
    .map(withoutVerbOfNext);
  return removeMethodChunk(
    stripFrameworkSuffixes(withoutTag(withoutModules(chunks), classified), cleaned, classified),
    classified,
  );
}

/**
 * `MoviesReviewsDetailedInfo` with the tag `Detailed Info`: drops the name of a group at the end of
 * an identifier without a verb, if the path does not have it.
 */
function withoutTag(
  chunks: string[][],
  { operation: { tags }, pathParts }: OperationFacts,
): string[][] {
  const [words = [], second] = chunks;
  if (second !== undefined || words.some(isUnambiguousVerb)) return chunks;
  const inPath = new Set(pathParts.flatMap((part) => (part.kind === "words" ? part.words : [])));
  const tag = tags
    .map(splitWords)
    .find((one) => one.length > 1 && one.length < words.length && endsWith(words, one));
  return !tag || tag.some((word) => inPath.has(word)) ? chunks : [words.slice(0, -tag.length)];
}

/** `PensGet_GetPen`: the verb at the end of a group belongs to the function after it. */
function withoutVerbOfNext(words: string[], i: number, chunks: string[][]): string[] {
  const verb = words.at(-1);
  const isSame = verb === chunks[i + 1]?.[0] && isVerb(verb);
  return isSame && words.length > 1 ? words.slice(0, -1) : words;
}

/** `get_assets__code_` of `/assets/{code}`: drops the marked ID of the path. */
function withoutMarkedId(id: string, { operation: { path } }: OperationFacts): string {
  const names = new Set([...path.matchAll(/\{(\w{1,40})\}/g)].map(([, name]) => name));
  return id.replace(/__([a-z]\w{0,40}?)_(_|$)/g, (match, name, end) =>
    names.has(name) ? end : match,
  );
}

/**
 * `ToolsController_uploadPhoto_id` of `/tools/{id}/photos`: drops parameters after the function. In
 * `get_image_by_imageId`, they belong to a phrase.
 */
function withoutParameters(
  chunks: readonly string[],
  { operation: { path } }: OperationFacts,
): readonly string[] {
  const parameters = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name));
  const last = chunks.findLastIndex((chunk) => !parameters.has(chunk));
  return last > 0 && !isConnective(chunks[last]) ? chunks.slice(0, last + 1) : chunks;
}

/** `identitys` of `listIdentitysRoles`. */
const POSSESSIVE = /(?<=[a-z]{3}[b-df-hj-np-tv-xz]y)s$/;

function wordsOfChunk(
  chunk: string,
  classified: OperationFacts,
  known: ReadonlySet<string>,
): string[] {
  const words = removeGeneratedParts(
    splitWords(chunk)
      .filter((word) => !isVersion(word))
      .map((word) => word.replace(POSSESSIVE, "")),
    known,
  );
  const apart = splitAsSummary([...words], classified)
    .flatMap((word) => splitBySummary(word, classified) ?? word)
    .flatMap(
      (word) => splitPhrase(word, classified) ?? splitGluedWord(word, known, classified) ?? word,
    );
  const [first, second] = apart;
  const [verb = "", ...rest] = first === "id" && isVerb(second) ? apart.slice(1) : apart;
  const isRequest =
    /^(?:request|see)$/.test(verb) && rest.length > 0 && classified.operation.method === "GET";
  const { summary = "", description = "" } = classified.operation;
  const isOwnWord = known.has(verb) && !isNonEnglish(`${summary} ${description}`);
  const phrase = verb === "" ? [] : [isRequest ? "get" : verb, ...rest];
  const translated = isOwnWord ? phrase : translatePhrase(phrase);
  return joinPhrasalVerb(splitGluedVerb([...translated], classified));
}

/**
 * `betaGroups-builds-create` of `/betaGroups/{id}/builds`, `quoteCartAssign` with the tag
 * `quoteCart`: splits words that begin with path segments or a tag and continue with a verb. One
 * word alone may be a verb itself.
 */
function splitAfterCollection(
  words: string[],
  { pathParts, operation: { tags } }: OperationFacts,
): string[][] {
  const segments = pathParts.flatMap((part) => (part.kind === "words" ? [part.words] : []));
  const tagWords = tags.map((tag) => splitWords(tag).filter((word) => !isVersion(word)));
  const groups = [segments, ...tagWords.map((tag) => [tag])]
    .map((subjects) => leadingSubjects(words, subjects))
    .find(
      (found) =>
        found.some(([first = "", second]) => second !== undefined && !PLAIN_VERBS.has(first)) &&
        isUnambiguousVerb(words[found.flat().length]),
    );
  return groups ? [...groups, words.slice(groups.flat().length)] : [words];
}

/** Subjects that the words begin with, in order. Others between them are skipped. */
function leadingSubjects(
  words: readonly string[],
  subjects: readonly (readonly string[])[],
): string[][] {
  const found: string[][] = [];
  for (const subject of subjects) {
    const start = found.flat().length;
    const isNext = subject.every(
      (word, i) => singularize(word) === singularize(words[start + i] ?? ""),
    );
    if (isNext && subject.length > 0) found.push(words.slice(start, start + subject.length));
  }
  return found;
}

/** Folders of source code in identifiers: `src.shop.controllers.orders.by_id`. */
const MODULE_WORDS = /^(?:controllers|endpoints|handlers|routers|routes|views)$/;

function withoutModules(chunks: string[][]): string[][] {
  const last = chunks.findLastIndex(
    ([word = "", second], i) =>
      i > 0 && i < chunks.length - 1 && second === undefined && MODULE_WORDS.test(word),
  );
  return chunks.slice(last + 1);
}

/** `chat_postMessage` of `/chat.postMessage`: the path shows where the group ends. */
function dottedMethod(id: string, { pathParts }: OperationFacts): string | undefined {
  const last = pathParts.at(-1);
  return last?.kind === "words" &&
    last.text.includes(".") &&
    splitWords(id).join(" ") === last.words.join(" ")
    ? last.text
    : undefined;
}

/** FastAPI identifiers consist of function, path and method: `read_item_items__id__get`. */
function stripPathSuffix(id: string, { operation }: OperationFacts): string {
  const method = `_${operation.method.toLowerCase()}`;
  if (!id.endsWith(method)) return id;
  const suffix = operation.path.replace(/\W/g, "_") + method;
  return id.length > suffix.length && id.endsWith(suffix)
    ? id.slice(0, -suffix.length).replace(/_+$/, "")
    : id;
}

/** `api_ping_get_collection` of `/api/ping`: an identifier of path and method. */
const stripMountPoint = (id: string, { operation: { path } }: OperationFacts): string =>
  path.startsWith("/api/") && FORM_OF_PATH.test(id) ? id.slice("api_".length) : id;

const FORM_OF_PATH = /^api_\w+_(?:get|get_collection|post|put|patch|delete)$/;

/**
 * `betaGroups-get_instance`, `api_books_get_collection`, `apps-builds-get_to_many_related`: drops
 * the words that only distinguish one item from many.
 */
const stripResultForm = (id: string): string => id.replace(RESULT_FORM, "");

const RESULT_FORM = sequence(
  /(?<=[-_](?:get|create|update|replace|delete))_/,
  /(?:instance|collection|to_(?:one|many)_related|to_(?:one|many)(?=_relationships?))/,
  /(?=$|_relationships?$)/,
);

/** `Add_rules_to_the_dictionary`: a sentence, whose first word is not a group. */
const SENTENCE = /^[A-Z][a-z]+_(?:\w+_)?[a-z]+_(?:\w+_)?[A-Za-z]+$/;

const SENTENCE_IN_WORDS = /^[A-Z][A-Za-z]+ .* /;

/**
 * `Claim_PutByclaimNbr` of `/claims/{claimNbr}`, `Accounts_PutByIdModel` of `/accounts/{id}`: drops
 * the parameters of the function. In `getPetById`, they belong to a phrase.
 */
function withoutGluedParameters(id: string, { operation }: OperationFacts): string {
  const at = id.lastIndexOf("By");
  if (at < 1) return id;
  const inPath = [...operation.path.matchAll(/\{([^{}]{1,40})\}/g)].map(([, name = ""]) => name);
  const isGlued = /^[a-z]/.test(inPath[0] ?? "") && id.endsWith(`By${inPath.join("")}`);
  const names = [...inPath, ...operation.parameters.map(({ name }) => name), ...BODY_NAMES];
  const given = namesIn(lettersOf(id.slice(at + 2)), new Set(names.map(lettersOf)));
  const hasBody = given.some((name) => BODY_NAMES.includes(name));
  const isOfPath = inPath.length > 0 && given.length > 1 && given.some((name) => /id$/.test(name));
  return isGlued || hasBody || isOfPath ? id.slice(0, at) : id;
}

/** Names of a request body in functions. */
const BODY_NAMES: readonly string[] = ["model", "body"];

/** Names that a text consists of; none if it has other words. */
function namesIn(text: string, names: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (rest !== "") {
    const name = [...names].find((one) => one !== "" && rest.startsWith(one));
    if (name === undefined) return [];
    found.push(name);
    rest = rest.slice(name.length);
  }
  return found;
}

/** Splits at slashes, dots and colons, and at `_` between camel-case words. */
function splitAtMarks(id: string): string[] {
  const text = id.slice(0, 400);
  // `Test gemfile.lock file`: a sentence has no groups.
  if (SENTENCE_IN_WORDS.test(text)) return [text];
  const isCamelCase =
    text.includes("_") &&
    (/[a-z][A-Z]/.test(text) || (/^[A-Z][a-z]/.test(text) && !SENTENCE.test(text)));
  return text.split(isCamelCase ? /[/\\.:#]+|_+/ : /[/\\.:#]+|__+/).filter((chunk) => chunk !== "");
}

/**
 * `getusertokens` with the summary `Get user tokens`: splits compounds where the summary or a tag
 * separates the words.
 */
function splitAsSummary(idWords: string[], { operation }: OperationFacts): string[] {
  const { summary = "", tags } = operation;
  const words = idWords.some((word) => splitCompound(word, tags))
    ? idWords.flatMap((word) => splitCompound(word, tags) ?? word)
    : idWords;
  // The summary is split only when a long word starts with its first word, which is rare.
  const long = words.filter((word) => word.length > 8);
  if (summary === "" || summary.length > 60 || long.length === 0) return words;
  const { word: first } = readSummaryStart(operation);
  if (first === "" || !long.some((word) => word !== first && word.startsWith(first))) return words;
  const summaryWords = splitWords(summary);
  const compound = [summaryWords, summaryWords.filter((word) => !isArticle(word))].find(
    (candidate) => candidate.length > 1 && words.includes(candidate.join("")),
  );
  return compound ? words.flatMap((word) => (word === compound.join("") ? compound : word)) : words;
}

/**
 * `pricesonatable` with the summary `Get prices on a price table`: words of the summary in its
 * order, some of which may be left out.
 */
function splitBySummary(
  word: string,
  { operation: { summary = "" } }: OperationFacts,
): readonly string[] | undefined {
  if (word.length < MIN_GLUED || summary.length > MAX_SUMMARY || isVerb(word)) return undefined;
  const words = splitWords(summary);
  const pieces = words.includes(word) ? undefined : piecesInOrder(word, words, 0);
  return pieces && pieces.length > 1 ? pieces : undefined;
}

const [MIN_GLUED, MAX_SUMMARY] = [12, 120];

/** Words from an index on, in order, that a text consists of. */
function piecesInOrder(
  text: string,
  words: readonly string[],
  from: number,
): readonly string[] | undefined {
  if (text === "") return [];
  for (let i = from; i < words.length; i++) {
    const word = words[i] as string;
    const rest = text.startsWith(word)
      ? piecesInOrder(text.slice(word.length), words, i + 1)
      : undefined;
    if (rest) return [word, ...rest];
  }
  return undefined;
}

/**
 * `getuser`, `GETUSER` → get, user; `re-run` → rerun; `del-user` → delete user; `deletes a pet` →
 * delete a pet.
 */
function splitGluedVerb(words: string[], { operation }: OperationFacts): string[] {
  const [first, second] = words;
  if (first === undefined || isVerb(first)) return words;
  if (first === "del") return ["delete", ...words.slice(1)];
  const spelledOut = spelledOutVerb(first, operation);
  if (spelledOut !== undefined && second !== undefined) return [spelledOut, ...words.slice(1)];
  // `doShareContent`
  if (first === "do" && isVerb(second)) return words.slice(1);
  if (/^(?:re|un|auto)$/.test(first) && isVerb(second))
    return [`${first}${second}`, ...words.slice(2)];
  const glued =
    /^(get|list|create|update|delete)(?!ed|ing|er|or|ion)([a-z]{3,})\d{0,2}$/.exec(first) ??
    /^(get|post|put|patch|delete)(\d\w*)$/.exec(first) ??
    (operation.method === "GET" ? null : GLUED_WRITE.exec(first));
  return glued ? [glued[1] as string, glued[2] as string, ...words.slice(1)] : words;
}

/** `calcPrice` of "Calculates a price" → calculate: the first verb of the texts, abbreviated. */
function spelledOutVerb(
  word: string,
  { summary = "", description = "" }: OperationFacts["operation"],
): string | undefined {
  return word.length < MIN_ABBREVIATION
    ? undefined
    : [summary, description]
        .map((text) => readSummaryStart({ summary: text }).word)
        .map((stated) => toImperative(stated) ?? stated)
        .find((verb) => verb.length > word.length && verb.startsWith(word) && isVerb(verb));
}

const MIN_ABBREVIATION = 3;

/** `setthermpoint`, `addmember`; not `settings`, `setup` and `address`, `addon`. */
const GLUED_WRITE = /^(set(?!t(?:ing|le)|up)|add(?!r|on|iti|ed|er|ing)|remove(?!d|r))([a-z]{3,})$/;

/** `Widgets_ListItems_Post` of `/widgets/listItems`: drops a last chunk that is only the method. */
function removeMethodChunk(
  chunks: string[][],
  { operation, pathParts }: OperationFacts,
): string[][] {
  const [before, last] = [chunks.at(-2), chunks.at(-1)];
  const [verb] = segmentWords(pathParts, -1);
  const isMethod = operation.method === "POST" && last?.length === 1 && last[0] === "post";
  return isMethod && isUnambiguousVerb(verb) && before?.includes(verb as string)
    ? chunks.slice(0, -1)
    : chunks;
}

const METHOD_AND_PATH = /^(?:get|post|put|patch|delete|head|options)[-_: ]*(\/[^\s]*)$/i;

/**
 * Path inside an operationId of the form method and path (`get-/crm/v3/cards/{id}_getById`). It can
 * be longer than the operation's path, because a part can be in the server's URL. Undefined for all
 * other identifiers.
 */
export function pathInOperationId(id: string, path: string): string | undefined {
  const match = id.length > 400 || !id.includes("/") ? undefined : METHOD_AND_PATH.exec(id)?.[1];
  if (match === undefined) return undefined;
  const withoutSuffix = match.replace(/_[A-Za-z]+$/, "");
  return [match, withoutSuffix].find((text) => text.endsWith(path));
}

/**
 * Removes what generators append: `listPetsUsingGET_1`, `petsGET`, `listPets2020_05_31`.
 * Empty when the whole identifier is a generated key.
 */
export function cleanOperationId(id: string, method: string): string {
  if (isGeneratedKey(id)) return "";
  if (/[a-z]$/.test(id) && !/\d/.test(id.slice(-8))) return id;
  const withoutDate = id
    .slice(0, 400)
    .replace(/[_-]?\d{4}[_-]\d\d[_-]\d\d$/, "")
    .replace(/[_-]alt\d{1,2}$/, "")
    .replace(/(?<=.)[-.](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{4,8}$/, "");
  const withoutMethod = withoutDate.replace(
    /[_-]?[uU]sing[_-]?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:_\d{1,3})?$/,
    "",
  );
  if (withoutMethod !== withoutDate) return withoutMethod;
  const methodSuffix = /[a-z\d}][_-]?([A-Z]{3,7})(?:_\d{1,3})?$/.exec(withoutDate);
  return methodSuffix?.[1] === method ? withoutDate.slice(0, methodSuffix.index + 1) : withoutDate;
}

/**
 * Removes suffixes of frameworks: `get_agent_route` → get agent, unless the document knows routes;
 * `order_complete_create` of `POST /order/{id}/complete` → order, complete.
 */
function stripFrameworkSuffixes(
  chunks: string[][],
  id: string,
  classified: OperationFacts,
): string[][] {
  const lastChunk = chunks.at(-1);
  if (lastChunk === undefined || lastChunk.length < 3 || /[A-Z]/.test(id)) return chunks;
  const before = chunks.slice(0, -1);
  const suffix = singularize(lastChunk.at(-1) as string);
  if (
    FUNCTION_SUFFIXES.has(suffix) &&
    lastChunk.some(isVerb) &&
    !documentHas(suffix, lastChunk, classified)
  )
    return [...before, lastChunk.slice(0, -1)];
  const action = actionOf(lastChunk, classified);
  return action === undefined ? chunks : [...before, ...action];
}

/** True when the path, the tags or the summary contain the word. */
function documentHas(
  word: string,
  chunk: readonly string[],
  { operation: { summary = "", tags }, pathParts }: OperationFacts,
): boolean {
  const summaryWords = splitWords(summary);
  const written = summaryWords.join(" ") === chunk.join(" ") ? [] : summaryWords;
  const words = [
    ...written,
    ...tags.flatMap(splitWords),
    ...pathParts.flatMap((part) => (part.kind === "words" ? part.words : splitWords(part.name))),
  ];
  return words.some((candidate) => singularize(candidate) === word);
}

/**
 * `order_complete_create`: the words before the suffix are the last path segment and a verb, so
 * nothing is created.
 */
function actionOf(
  chunk: readonly string[],
  { operation: { method }, pathParts }: OperationFacts,
): string[][] | undefined {
  const suffix = Object.hasOwn(DJANGO_ACTIONS, method)
    ? (DJANGO_ACTIONS[method] as readonly string[])
    : [];
  const segment = segmentWords(pathParts, -1);
  if (suffix.length === 0 || segment.length === 0 || !endsWith(chunk, suffix)) return undefined;
  const rest = chunk.slice(0, -suffix.length);
  const isVerbal = method === "GET" ? isReadingVerb(segment[0]) : segment.some(isUnambiguousVerb);
  if (!isVerbal || rest.length <= segment.length || !endsWith(rest, segment)) return undefined;
  return [rest.slice(0, -segment.length), [...segment]];
}

function endsWith(words: readonly string[], end: readonly string[]): boolean {
  return words.slice(-end.length).join(" ") === end.join(" ");
}
