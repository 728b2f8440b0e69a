import { isObject, typesOf } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { writeOpening } from "../descriptions/opening.js";
import { cleanProse } from "../descriptions/prose.js";
import { stripLeadingIdentifier } from "../../language/preamble.js";
import type { CrossReferences } from "../text/tool-marks.js";
import {
  type Condition,
  type Detail,
  type FindPurpose,
  type InputPhrase,
  purposeOnly,
  type ToolText,
} from "../text/parts.js";
import { capitalizeSentence, printPurpose } from "../descriptions/print.js";
import { withoutOutcome } from "../descriptions/repetition.js";
import { withoutErrorCodes } from "../documented-errors.js";
import { isSecretName } from "../secret-names.js";
import { memberOfFilter, sourceInput } from "../bound-parameters.js";
import { parseBound } from "../inputs/infer-description.js";
import { isParticiple, singularize } from "../../language/grammar.js";
import { displayWord, isIdentifier, toSentenceCase } from "../names/format-name.js";
import { splitWords } from "../../language/words.js";
import { inputNames, type Member, type Variant } from "./variants.js";
import { isNonEnglish, sentencesOf, toSentence } from "../text/sentences.js";
import type { FindMerge } from "./find.js";

const MAX_OPENING = 120;
const PRESENTATION_INPUT_ALTERNATIVES = [
  String.raw`with_\w+|include\w*|limit|offset|page|per_?page|page_?(size|number|token|limit)|size`,
  "count|cursor|after|before|starting_?after|ending_?before|next_?token|marker|sort",
  "sort_?(by|order|dir|direction)|order|ordering|order_?(by|dir|direction)?|direction|expand",
  "fields?|top|take|skip|max_?(results|items)|timezone|time_zone|locale|lang(uage)?",
  "accept_?language|format|pretty|total|include_totals?|since|until|around|use_?marker",
  String.raw`featured|query_\w+|alt|xgafv|key|quota_?user|user_?ip`,
  "upload_?(type|protocol)|oauth_?token|continue|allow_?watch_?bookmarks",
  String.raw`send_?initial_?events|resource_?version(_?match)?|timeout(_?\w+)?|watch|dry_?run`,
  "(row|total)_?count|first_?row|skip_?token|rows|start|start_?(index|row)",
  String.raw`(request|trace|correlation)_?id|if_\w+|x_\w+|(x_)?api_?version|\w+_version_header`,
  "consistent_?read|raw|pageable|paging|pagination|page_?request|(ascii|hateoas)_?mode",
  "current_?page|iterator|group_?by|sample|seed",
];
/** Inputs about the amount and form of a result, not about its content. */
const PRESENTATION_INPUT = new RegExp(
  `^(${PRESENTATION_INPUT_ALTERNATIVES.join("|")})(\\[\\])?$`,
  "i",
);

/** Texts of inputs about the order and the part of a result: `First index of results`. */
const PRESENTATION_TEXT =
  /^(?:(?:the )?(?:first|start(?:ing)?) index of|(?:the )?(?:amount|number) of \w+ to (?:return|skip)\b|(?:which |the )?fields? to (?:order|sort) by|which field to use when (?:order|sort)ing)/i;

/**
 * Writes the text of a `find_…` tool: its filters, the text of each operation beyond its name, and
 * the result.
 * @param name name of the tool without the namespace
 * @param returns names the content of the result
 */
export function findText(
  find: FindMerge,
  name: string,
  returns: string | undefined,
  { link }: CrossReferences,
): ToolText {
  const texts = find.members.map((member) => operationText(member, name, link));
  const [first] = texts;
  const foreign =
    first !== undefined && isNonEnglish(first.opening)
      ? [...new Set(texts.map(({ opening }) => opening))].join(" ")
      : undefined;
  const purpose =
    foreign !== undefined && foreign.length <= MAX_OPENING ? foreign : findPurpose(find, name);
  const needsSelection = find.variants.every(({ whenProvided }) => whenProvided.length > 0);
  return {
    ...purposeOnly(purpose),
    details: detailsOf(
      find,
      texts.map(({ more }) => more),
      printPurpose(purpose),
    ),
    limits: needsSelection ? [{ oneOf: find.variants.map((variant) => variant.whenProvided) }] : [],
    result: returns === undefined ? [] : [returns],
  };
}

/**
 * Texts of the operations: sentences that several have, then those of each under its condition, so
 * that no sentence about one operation is read as one about another.
 */
function detailsOf(
  { members, variants }: FindMerge,
  texts: readonly string[],
  purpose: string,
): readonly Detail[] {
  const known = new Set(sentencesOf(purpose));
  const sentences = texts.map((text) => sentencesOf(text).filter((one) => !known.has(one)));
  const shared = new Set(
    sentences.flatMap((own, i) =>
      own.filter((one) => sentences.some((others, j) => j !== i && others.includes(one))),
    ),
  );
  const own = members.flatMap((member, i): readonly Detail[] => {
    const text = (sentences[i] ?? []).filter((one) => !shared.has(one)).join(" ");
    return text === "" ? [] : [{ text, condition: conditionOf(member, variants) }];
  });
  return [...(shared.size > 0 ? [{ text: [...shared].join(" ") }] : []), ...own];
}

/** Inputs that choose an operation. */
function conditionOf(member: Member, variants: readonly Variant[]): Condition {
  const given = variants.find((variant) => variant.member === member)?.whenProvided ?? [];
  const others = variants.flatMap(({ whenProvided }) => whenProvided);
  const omitted = given.length > 0 ? [] : [...new Set(others)];
  return { given, omitted: omitted.length > MAX_OMITTED ? [] : omitted };
}

const MAX_OMITTED = 2;

/** `Find pets by ID or by status, species.` */
function findPurpose(find: FindMerge, name: string): FindPurpose {
  const [verb = "", ...noun] = name.split("_");
  const phrases = find.variants.map((variant) => variantPhrases(variant, find));
  const isGet = find.variants[0]?.member.role === "get";
  const ids = isGet ? (phrases[0] ?? []) : [];
  const known = new Set(ids.map(({ phrase }) => phrase));
  return {
    verb: toSentenceCase([verb]),
    noun: noun.map(displayWord).join(" "),
    ids,
    filters: phrases
      .slice(isGet ? 1 : 0)
      .flat()
      .filter(({ phrase }) => !known.has(phrase)),
  };
}

function variantPhrases(
  { member, whenProvided }: Variant,
  { inputs, members, collection }: FindMerge,
): readonly InputPhrase[] {
  if (member.role === "get")
    return whenProvided.map((name) => {
      const text = inputs.inputs.find(({ input }) => input.name === name)?.input.description ?? "";
      return { input: name, phrase: idPhrase(name, collection.words, text) };
    });
  const required = inputs.inputs.flatMap(({ input }) => (input.required ? input.name : []));
  const ofItem = members.filter(({ role }) => role === "get").flatMap(inputNames);
  const noFilter = new Set([...required, ...ofItem, ...whenProvided]);
  return [...whenProvided, ...inputNames(member).filter((name) => !noFilter.has(name))]
    .filter((name, _, names) => isFilter(name, member) && !isOption(name, names, member))
    .map((name) => ({ input: name, phrase: filterPhrase(name, wireNameOf(name, member)) }));
}

/** Words that stand for a filter in a sentence. */
export const filterPhrase = (name: string, wireName: string): string =>
  /^(?:q|search)$/i.test(name) ? "words" : filterWords(wireName).map(displayWord).join(" ");

/** True for inputs that select items, unlike inputs for pages or the format, and headers. */
function isFilter(name: string, member: Member): boolean {
  const { inputs } = member.request;
  const { type, description = "" } = inputs.inputs.find((input) => input.name === name) ?? {};
  const isDate =
    type !== undefined && /^date/.test(String(type.format)) && !/^(?:since|until)$/i.test(name);
  const isHeader = inputs.sources.some(
    ([parameter, source]) => parameter.in === "header" && sourceInput(source) === name,
  );
  const isProjection = /^(?:fields|limit)\[/.test(wireNameOf(name, member));
  const isPresentation = PRESENTATION_INPUT.test(name) || PRESENTATION_TEXT.test(description);
  return isDate || !(isHeader || isProjection || isPresentation || isSecretName(name));
}

/** Switches of the form of a result: `no_body` and `minimal`. */
const FORM_SWITCH = /^(?:(?:no|without|omit)_\w+|minimal|verbose|brief|compact|details|detailed)$/;

/**
 * A switch that selects no items: one of the form of the result, or `search_exact` beside `search`,
 * which changes how another filter selects.
 */
function isOption(name: string, names: readonly string[], { request }: Member): boolean {
  const { type } = request.inputs.inputs.find((input) => input.name === name) ?? {};
  const isSwitch = type !== undefined && typesOf(type).includes("boolean");
  const words = splitWords(name).join("_");
  return (
    isSwitch &&
    (FORM_SWITCH.test(words) ||
      names.some((other) => other !== name && words.startsWith(`${splitWords(other).join("_")}_`)))
  );
}

/** Name that the document gives to an input. */
const wireNameOf = (name: string, { request: { inputs } }: Member): string =>
  inputs.sources.find(([, source]) => sourceInput(source) === name)?.[0].wireName ?? name;

/**
 * Words of a filter: `filter[cuisine]` and `q[cuisine_cont]` are the cuisine. The bounds of one
 * value are one filter: `created_gte`, `created_lte` and `created_at`. `only_dry` and `is_dry`
 * select by dry.
 */
function filterWords(wireName: string): readonly string[] {
  const name = wireName.includes("[") ? memberOfFilter(wireName) : wireName;
  const all = parseBound(name)?.stem ?? splitWords(name.replace(/[._]in$/, ""));
  const isOperator = all.length > 1 && OPERATOR.test(all.at(-1) ?? "");
  const words = all.slice(
    all[0] === "filter" && all.length > 1 ? 1 : 0,
    isOperator ? -1 : undefined,
  );
  const isOption = words.length > 1 && /^(?:is|only)$/.test(words[0] ?? "");
  const isTime = words.length > 1 && words.at(-1) === "at" && isParticiple(words.at(-2));
  return words.slice(isOption ? 1 : 0, isTime ? -1 : undefined);
}

/** Last words of filters: `filter_name_contains`. */
const OPERATOR = /^(?:contains|eq|ne|neq|like|ilike|starts|gt|gte|lt|lte)$/;

/**
 * `petId` is an ID, and so is the `charge` of charges, unless its text calls it a name. `username`
 * is a user name.
 */
function idPhrase(name: string, collection: readonly string[], text: string): string {
  const words = splitWords(name);
  const last = words.at(-1) ?? "";
  if (/^(id|uuid|guid|uid)$/.test(last)) return displayWord(last);
  if (last === "sid") return "SID";
  const isThing = collection.some((word) => singularize(word) === singularize(last));
  if (!isThing) return words.map(displayWord).join(" ");
  return /\bname\b/i.test(text) ? "name" : "ID";
}

/** Text of an operation beyond the tool's name. */
function operationText(
  member: Member,
  name: string,
  link: CrossReferences["link"],
): { readonly opening: string; readonly more: string } {
  const { operation } = member.request.classified;
  const { summary, description, forAgents } = agentText(operation, link);
  const { first: sentence, rest } = writeOpening(
    name,
    stripLeadingIdentifier(cleanProse(summary), operation.operationId),
    cleanProse(stripLeadingIdentifier(description, operation.operationId)),
  );
  const first = sentence.startsWith(`${toSentenceCase(name.split("_"))}: `)
    ? sentence.slice(name.length + 2)
    : sentence;
  const inputs = inputNames(member).flatMap((input) => splitWords(input));
  const ignored = new Set([...[...name.split("_"), ...inputs].map(singularize), ...STOP_WORDS]);
  const informative = (first.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => !ignored.has(singularize(word)),
  );
  const isTold =
    !isIdentifier(first.replace(/\.$/, "")) &&
    (forAgents ||
      informative.length > 0 ||
      isNonEnglish(first) ||
      refersBack(sentencesOf(rest)[0]));
  const lead = isTold ? first : "";
  return {
    opening: first,
    more: [lead, rest === "" ? "" : toSentence(rest)]
      .filter((part) => part !== "")
      .map(capitalizeSentence)
      .join(" "),
  };
}

/** `You can use it to …` needs the sentence before it. */
const refersBack = (sentence = ""): boolean => /\b(?:it|they|them)\b/i.test(sentence);

/** Words of openings that add nothing to the name of a tool that finds one thing or several. */
const STOP_WORDS = (
  "a an the of for by with all one single list get find return retrieve fetch read show view " +
  "search detail information info data id ids identifier uuid given specific specified particular " +
  "individual existing available matching its this that your in on to from and or as is are " +
  "current object resource record item collection array set paginated identified using based " +
  "provided query it associated related which filter filtered belonging api endpoint has have " +
  "optionally full complete multiple unique about inspect enumerate accessible any"
).split(" ");

/** Text of an operation. A description for agents (`x-mcp`) replaces summary and description. */
export function agentText(
  operation: Operation,
  link: CrossReferences["link"],
): { readonly summary: string; readonly description: string; readonly forAgents: boolean } {
  const { xMcp, summary = "" } = operation;
  const description = link(withoutOutcome(operation.description ?? ""), operation);
  const own =
    isObject(xMcp) && typeof xMcp.description === "string" && xMcp.description.trim() !== ""
      ? xMcp.description
      : undefined;
  return own === undefined
    ? { summary, description: withoutErrorCodes(description), forAgents: false }
    : { summary: "", description: own, forAgents: true };
}
