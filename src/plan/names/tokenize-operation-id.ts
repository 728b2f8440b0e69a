import type { ClassifiedOperation } from "../classify.js";
import {
  isArticle,
  isQuantifier,
  isUnambiguousVerb,
  isVerb,
  joinPhrasalVerb,
  singularize,
  toImperative,
} from "./grammar.js";
import { segmentWords } from "./path.js";
import { isGeneratedKey, isVersion, splitCompound, splitWords } from "./words.js";

/**
 * The words of an operationId, in the chunks that its punctuation parts: `issues/list-for-repo` →
 * [issues], [list, for, repo]. What tools put into it, versions and numbers are left out; every
 * chunk has a word, and there may be no chunk.
 */
export function tokenizeOperationId(id: string, subject: ClassifiedOperation): string[][] {
  const plain =
    dottedMethod(id, subject) ??
    stripPathSuffix(cleanOperationId(id, subject.operation.method), subject);
  const texts = splitAtMarks(plain).filter((chunk) => !/^\d+$/.test(chunk));
  const chunks = texts.map((chunk) =>
    joinPhrasalVerb(
      splitGluedVerb(
        splitAsSummary(
          splitWords(chunk).filter((word) => !isVersion(word)),
          subject,
        ),
      ),
    ),
  );
  return removeMethodChunk(
    stripFrameworkSuffixes(
      chunks.filter((words) => words.length > 0),
      plain,
      subject,
    ),
    subject,
  );
}

/** `chat_postMessage` of `/chat.postMessage`: the path says where the group ends. */
function dottedMethod(id: string, { pathParts: parts }: ClassifiedOperation): string | undefined {
  const last = parts.at(-1);
  return last?.kind === "words" &&
    last.text.includes(".") &&
    splitWords(id).join(" ") === last.words.join(" ")
    ? last.text
    : undefined;
}

/** FastAPI names are function, path and method in one: `read_item_items__id__get`. */
function stripPathSuffix(id: string, { operation }: ClassifiedOperation): string {
  const method = `_${operation.method.toLowerCase()}`;
  if (!id.endsWith(method)) return id;
  const suffix = operation.path.replace(/\W/g, "_") + method;
  return id.length > suffix.length && id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
}

/** `jobs_api_routes_cancel_job`: what Python calls the module ends here. */
const MODULE = /_api_(?:routes|v\d+)_(?=[a-z])/;

/** `Add_rules_to_the_dictionary`: words, of which no first one is a group. */
const SENTENCE = /^[A-Z][a-z]+_(?:\w+_)?[a-z]+_(?:\w+_)?[A-Za-z]+$/;

/**
 * Slashes, dots and colons part a group from its operation; so does `_` between camel-case words.
 */
function splitAtMarks(id: string): string[] {
  const whole = id.slice(0, 400);
  const text = whole.includes("_api_") ? whole.replace(MODULE, ".") : whole;
  const camel =
    text.includes("_") &&
    (/[a-z][A-Z]/.test(text) || (/^[A-Z][a-z]/.test(text) && !SENTENCE.test(text)));
  return text.split(camel ? /[/\\.:#]+|_+/ : /[/\\.:#]+|__+/).filter((chunk) => chunk !== "");
}

/**
 * `getusertokens` of the summary `Get user tokens`: the summary says where its words end, or a tag
 * does.
 */
function splitAsSummary(
  own: string[],
  { operation: { summary = "", tags } }: ClassifiedOperation,
): string[] {
  const words = own.some((word) => splitCompound(word, tags))
    ? own.flatMap((word) => splitCompound(word, tags) ?? word)
    : own;
  // Hardly any word starts as the summary does and goes on: only then is it read.
  if (summary === "" || summary.length > 60 || !words.some((word) => word.length > 8)) return words;
  const first = summary.slice(0, Math.max(summary.indexOf(" "), 0)).toLowerCase();
  if (
    first === "" ||
    !words.some((word) => word.length > 8 && word.length > first.length && word.startsWith(first))
  )
    return words;
  const said = splitWords(summary);
  const glued = [said, said.filter((word) => !isArticle(word))].find(
    (one) => one.length > 1 && words.includes(one.join("")),
  );
  return glued ? words.flatMap((word) => (word === glued.join("") ? glued : word)) : words;
}

/**
 * `getuser`, `GETUSER`: a first word that starts with a plain verb is two words; `re-run` is one;
 * `deletes a pet` is told, not asked.
 */
function splitGluedVerb(words: string[]): string[] {
  const [first, second] = words;
  if (first === undefined || isVerb(first)) return words;
  const told = isArticle(second) || isQuantifier(second) ? toImperative(first) : undefined;
  if (told !== undefined) return [told, ...words.slice(1)];
  if ((first === "re" || first === "un") && isVerb(second))
    return [`${first}${second}`, ...words.slice(2)];
  const glued =
    /^(get|list|create|update|delete)(?!ed|ing|er|or|ion)([a-z]{3,})$/.exec(first) ??
    /^(get|post|put|patch|delete)(\d\w*)$/.exec(first);
  return glued ? [glued[1] as string, glued[2] as string, ...words.slice(1)] : words;
}

/**
 * `Widgets_ListItems_Post` of `/widgets/listItems`: a last chunk that is only the method adds
 * nothing to the verb of the path.
 */
function removeMethodChunk(
  chunks: string[][],
  { operation, pathParts: parts }: ClassifiedOperation,
): string[][] {
  const [before, last] = [chunks.at(-2), chunks.at(-1)];
  const [verb] = segmentWords(parts, -1);
  const isMethod = operation.method === "POST" && last?.length === 1 && last[0] === "post";
  return isMethod && isUnambiguousVerb(verb) && before?.includes(verb as string)
    ? chunks.slice(0, -1)
    : chunks;
}

const METHOD_AND_PATH = /^(?:get|post|put|patch|delete|head|options)[-_: ]*(\/[^\s]*)$/i;

/**
 * The path of an operationId that is method and path (`get-/crm/v3/cards/{id}_getById`): it may be
 * longer than the operation's, part of which can stand in the server's URL. Undefined for all other
 * identifiers.
 */
export function pathInOperationId(id: string, path: string): string | undefined {
  const found = id.length > 400 || !id.includes("/") ? undefined : METHOD_AND_PATH.exec(id)?.[1];
  if (found === undefined) return undefined;
  const bare = found.replace(/_[A-Za-z]+$/, "");
  return (
    [found, bare].find((text) => text.endsWith(path)) ?? (found.includes("{") ? found : undefined)
  );
}

/**
 * An operationId without what tools put behind it: `listPetsUsingGET_1`, `petsGET`,
 * `listPets2020_05_31`, `listPets-e46a`. Empty when all of it is a generated key.
 */
export function cleanOperationId(id: string, method: string): string {
  if (/[a-z]$/.test(id) && !/\d/.test(id.slice(-8))) return id;
  if (isGeneratedKey(id)) return "";
  const plain = id
    .slice(0, 400)
    .replace(/[_-]?\d{4}[_-]\d\d[_-]\d\d$/, "")
    .replace(/(?<=.)[-.](?=[a-f]*\d)(?=\d*[a-f])[\da-f]{4,8}$/, "");
  const using = plain.replace(
    /[_-]?[uU]sing[_-]?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?:_\d{1,3})?$/,
    "",
  );
  if (using !== plain) return using;
  const shouted = /[a-z\d}][_-]?([A-Z]{3,7})(?:_\d{1,3})?$/.exec(plain);
  return shouted?.[1] === method ? plain.slice(0, shouted.index + 1) : plain;
}

/** What functions of a web framework are called behind what they do. */
const FUNCTION_SUFFIXES = new Set(["route", "endpoint", "handler", "controller", "api"]);

/** What Django's REST framework puts behind every identifier, by the method. */
const DJANGO_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  POST: ["create"],
  PUT: ["update"],
  PATCH: ["partial", "update"],
  DELETE: ["destroy"],
};

/**
 * The chunks of an operationId without what frameworks put behind it: `get_agent_route` → get
 * agent, unless the document knows routes; `order_complete_create` of `POST /order/{id}/complete` →
 * order, complete.
 */
export function stripFrameworkSuffixes(
  chunks: string[][],
  id: string,
  subject: ClassifiedOperation,
): string[][] {
  const own = chunks.at(-1);
  if (own === undefined || own.length < 3 || /[A-Z]/.test(id)) return chunks;
  const before = chunks.slice(0, -1);
  if (
    FUNCTION_SUFFIXES.has(own.at(-1) as string) &&
    own.some(isVerb) &&
    !documentHas(own.at(-1) as string, own, subject)
  )
    return [...before, own.slice(0, -1)];
  const action = actionOf(own, subject);
  return action === undefined ? chunks : [...before, ...action];
}

/** The path, the tags or what a person wrote have the word, too. */
function documentHas(
  word: string,
  own: readonly string[],
  { operation: { summary = "", tags }, pathParts: parts }: ClassifiedOperation,
): boolean {
  const said = splitWords(summary);
  const written = said.join(" ") === own.join(" ") ? [] : said;
  const words = [
    ...written,
    ...tags.flatMap(splitWords),
    ...parts.flatMap((part) => (part.kind === "words" ? part.words : splitWords(part.name))),
  ];
  return words.some((other) => singularize(other) === word);
}

/**
 * What stands before the suffix is the last piece of the path, and says what is done: then it is no
 * thing that is created.
 */
function actionOf(
  own: readonly string[],
  { operation: { method }, pathParts: parts }: ClassifiedOperation,
): string[][] | undefined {
  const suffix = Object.hasOwn(DJANGO_ACTIONS, method)
    ? (DJANGO_ACTIONS[method] as readonly string[])
    : [];
  const piece = segmentWords(parts, -1);
  const rest = own.slice(0, -suffix.length);
  if (
    suffix.length === 0 ||
    piece.length === 0 ||
    own.slice(-suffix.length).join(" ") !== suffix.join(" ")
  )
    return undefined;
  const doing = piece.some(isUnambiguousVerb) || (piece.length === 1 && isVerb(piece[0]));
  if (
    !doing ||
    rest.length <= piece.length ||
    rest.slice(-piece.length).join(" ") !== piece.join(" ")
  )
    return undefined;
  return [rest.slice(0, -piece.length), [...piece]];
}
