import type { Subject } from "../../kind.js";
import { isArticle, isManyWord } from "../function-words.js";
import { unglued } from "../glued.js";
import { joinPhrasal } from "../phrasal.js";
import { wordsAt } from "../path.js";
import { imperativeOf, isStrongVerb, isVerb } from "../verbs.js";
import { isVersion, wordsOf } from "../words.js";
import { cleanId } from "./clean.js";
import { withoutSuffixes } from "./suffixes.js";

/**
 * The words of an operationId, in the chunks that its punctuation parts: `issues/list-for-repo` →
 * [issues], [list, for, repo]. What tools put into it, versions and numbers are left out; every
 * chunk has a word, and there may be no chunk.
 */
export function chunksOf(id: string, subject: Subject): string[][] {
  const plain =
    dottedMethod(id, subject) ?? withoutPathSuffix(cleanId(id, subject.operation.method), subject);
  const texts = splitAtMarks(plain).filter((chunk) => !/^\d+$/.test(chunk));
  const chunks = texts.map((chunk) =>
    joinPhrasal(
      unglue(
        asSummary(
          wordsOf(chunk).filter((word) => !isVersion(word)),
          subject,
        ),
      ),
    ),
  );
  return withoutMethodChunk(
    withoutSuffixes(
      chunks.filter((words) => words.length > 0),
      plain,
      subject,
    ),
    subject,
  );
}

/** `chat_postMessage` of `/chat.postMessage`: the path says where the group ends. */
function dottedMethod(id: string, { parts }: Subject): string | undefined {
  const last = parts.at(-1);
  return last?.kind === "words" &&
    last.text.includes(".") &&
    wordsOf(id).join(" ") === last.words.join(" ")
    ? last.text
    : undefined;
}

/** FastAPI names are function, path and method in one: `read_item_items__id__get`. */
function withoutPathSuffix(id: string, { operation }: Subject): string {
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
function asSummary(own: string[], { operation: { summary = "", tags } }: Subject): string[] {
  const words = own.some((word) => unglued(word, tags))
    ? own.flatMap((word) => unglued(word, tags) ?? word)
    : own;
  // Hardly any word starts as the summary does and goes on: only then is it read.
  if (summary === "" || summary.length > 60 || !words.some((word) => word.length > 8)) return words;
  const first = summary.slice(0, Math.max(summary.indexOf(" "), 0)).toLowerCase();
  if (
    first === "" ||
    !words.some((word) => word.length > 8 && word.length > first.length && word.startsWith(first))
  )
    return words;
  const said = wordsOf(summary);
  const glued = [said, said.filter((word) => !isArticle(word))].find(
    (one) => one.length > 1 && words.includes(one.join("")),
  );
  return glued ? words.flatMap((word) => (word === glued.join("") ? glued : word)) : words;
}

/**
 * `getuser`, `GETUSER`: a first word that starts with a plain verb is two words; `re-run` is one;
 * `deletes a pet` is told, not asked.
 */
function unglue(words: string[]): string[] {
  const [first, second] = words;
  if (first === undefined || isVerb(first)) return words;
  const told = isArticle(second) || isManyWord(second) ? imperativeOf(first) : undefined;
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
function withoutMethodChunk(chunks: string[][], { operation, parts }: Subject): string[][] {
  const [before, last] = [chunks.at(-2), chunks.at(-1)];
  const [verb] = wordsAt(parts, -1);
  const isMethod = operation.method === "POST" && last?.length === 1 && last[0] === "post";
  return isMethod && isStrongVerb(verb) && before?.includes(verb as string)
    ? chunks.slice(0, -1)
    : chunks;
}
