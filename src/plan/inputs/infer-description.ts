import { isObject, type JsonSchema, typesOf } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { describeInputs } from "../bound-parameters.js";
import { isAdjective, isUnambiguousVerb, singularizeLast } from "../../language/grammar.js";
import { displayWord, toSentenceCase } from "../names/format-name.js";
import { VERBS_OF_RESOURCES } from "../../language/lexicon.js";
import { isVersion, splitWords } from "../../language/words.js";
import { successJsonContents, successResponses } from "../outputs/payload.js";
import { resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { splitSentence } from "../text/sentences.js";
import type { InputCandidate } from "./candidates.js";

/** True for texts that repeat the name, and for placeholders of generators. */
export function isUninformative(text: string, wireName: string): boolean {
  if (text.length > wireName.length * 2 + 24) return false;
  return (
    text.trim() === "" ||
    /^an enumeration\.?$/i.test(text.trim()) ||
    (text.length < 80 && splitWords(text).join("") === splitWords(wireName).join(""))
  );
}

/**
 * Describes an input that the document does not describe: from its type, its position in the path,
 * the fields of the response, and names with a common meaning. Undefined when only the name is
 * known.
 */
export function inferDescription(
  { in: location, wireName, schema, isWholeBody, file, required }: InputCandidate,
  operation: Operation,
  schemas: Schemas,
): string | undefined {
  const target = resolveSchema(schemas, schema);
  const type = typesOf(target).find((candidate) => candidate !== "null");
  if (file) return undefined;
  if (isWholeBody) return describeWholeBody(type, operation.method);
  const words = splitWords(wireName);
  if (type === "boolean") return describeFlag(words);
  if (location === "path")
    return (
      describeIdOfParent(wireName, operation) ?? describeIdentity(words, wireName, operation.path)
    );
  if (location === "header") return required ? `Value of the header ${wireName}.` : undefined;
  if (location !== "query" || (operation.method !== "GET" && operation.method !== "QUERY"))
    return undefined;
  return (
    describeListControl(words.join(""), type, target) ??
    describeBound(words, type, target) ??
    describeFilter(words, type, target, operation, schemas)
  );
}

function describeWholeBody(type: string | undefined, method: string): string | undefined {
  if (type === "object")
    return method === "PATCH"
      ? "Fields to change, with their values."
      : "Fields to send, with their values.";
  if (type === "array") return "Items to send.";
  return type === "string" ? "Text to send." : undefined;
}

/** `isMobile` → Whether it is mobile; `include_archived` → Whether to include archived. */
function describeFlag(words: readonly string[]): string | undefined {
  const [first = "", ...rest] = words.map(displayWord);
  if (rest.length === 0) return /^[a-z]{3,}ed$/.test(first) ? `Whether it is ${first}.` : undefined;
  const object = rest.join(" ");
  if (/^(?:is|was)$/.test(first) && rest.length > 1) return describeState(first, rest);
  if (/^(?:is|has|can|was|does|should|must|will)$/.test(first))
    return `Whether it ${first} ${object}.`;
  if (first === "with") return `Whether to return it with ${object}.`;
  if (first === "only") return `Whether to return only ${object}.`;
  return first === "use" || isUnambiguousVerb(first) ? `Whether to ${first} ${object}.` : undefined;
}

/** `isBodyCompressed` → Whether the body is compressed. `isBodyHtml` says less than its name. */
function describeState(verb: string, words: readonly string[]): string | undefined {
  const state = words.at(-1) ?? "";
  return isAdjective(state)
    ? `Whether the ${words.slice(0, -1).join(" ")} ${verb} ${state}.`
    : undefined;
}

const BARE_ID_NAME = /^_?(?:id|uuid|guid|key|name|slug|code|number|sid)$/i;

/** The value from which an operation finds something else. */
const SOURCE = /\bfrom (?:an?|the) (?:\w+ ){0,5}(id|uuid|guid|key|name|slug|code|number|sid)\b/i;

/**
 * `{id}` of `/users/{id}` → ID of the user. `Get the parent from a project or item UUID` of
 * `/parent/{uuid}` states another meaning.
 */
function describeIdOfParent(
  wireName: string,
  { path, summary = "", description = "" }: Operation,
): string | undefined {
  if (!BARE_ID_NAME.test(wireName)) return undefined;
  const [, source = ""] = SOURCE.exec(`${summary}. ${description}`) ?? [];
  if (source.toLowerCase() === wireName.toLowerCase()) return undefined;
  const parent = precedingSegment(wireName, withoutLabel(wireName, path));
  // `/convert-legacy-id/{id}` names an action.
  const isAction = parent.length > 1 && isUnambiguousVerb(parent[0]);
  return parent.length > 0 && parent.length < 4 && !isAction && !parent.some(isVersion)
    ? `${toSentenceCase(splitWords(wireName))} of the ${parent.join(" ")}.`
    : undefined;
}

/** `/owners/by/code/{code}` → `/owners/{code}`: the words before the value only label it. */
const withoutLabel = (wireName: string, path: string): string =>
  path
    .replace(`/${wireName}/{${wireName}}`, `/{${wireName}}`)
    .replace(`/by/{${wireName}}`, `/{${wireName}}`);

/**
 * `{account}` of `/accounts/{account}` → Identifies the account; `{idAction}` → ID of the action.
 */
function describeIdentity(
  words: readonly string[],
  wireName: string,
  path: string,
): string | undefined {
  const parent = precedingSegment(wireName, path).join(" ");
  if (parent === "") return undefined;
  if (words[0] === "id" && words.length > 1)
    return `ID of the ${words.slice(1).map(displayWord).join(" ")}.`;
  // `/username/{username}` labels the value.
  const isLabel = path.toLowerCase().includes(`/${wireName}/{${wireName}}`.toLowerCase());
  return words.join(" ") === parent && !isLabel ? `Identifies the ${parent}.` : undefined;
}

function precedingSegment(wireName: string, path: string): readonly string[] {
  const before = path.slice(0, Math.max(0, path.indexOf(`/{${wireName}}`))).split("/");
  // `/sessions/create/{name}` has the name of a session.
  const [verb = "", second] = splitWords(before.at(-1) ?? "");
  const isVerb = second === undefined && isUnambiguousVerb(verb) && !VERBS_OF_RESOURCES.has(verb);
  const segment = before.at(isVerb ? -2 : -1) ?? "";
  const isWord = !segment.includes("{") && segment.length > 1 && segment.length <= 60;
  return isWord ? singularizeLast(splitWords(segment)) : [];
}

/** Names with the same meaning in every list, each with its type. */
const LIST_CONTROLS: readonly (readonly [names: RegExp, type: string, says: string])[] = [
  [
    /^(?:limit|pagesize|perpage|pagelimit|maxresults|maxitems|maxrecords|top|size)$/,
    "integer",
    "Maximum number of items to return.",
  ],
  [/^(?:page|pagenumber|pageno|pageindex|currentpage)$/, "integer", "Page to return."],
  [/^(?:offset|skip)$/, "integer", "Number of items to skip."],
  [/^(?:q|search|searchterm|searchtext|keywords?)$/, "string", "Text to search for."],
  [/^(?:sort|sortby|orderby|order|ordering|sortfield|sortcolumn)$/, "string", "Sort criterion."],
];

function describeListControl(
  name: string,
  type: string | undefined,
  { enum: choice, ...schema }: JsonSchema,
): string | undefined {
  const isDirection =
    Array.isArray(choice) &&
    choice.length > 1 &&
    choice.every((value) => /^(?:asc|desc)(?:ending)?$/i.test(String(value)));
  if (isDirection) return "Sort direction.";
  const untyped = schema.anyOf || schema.oneOf ? undefined : "string";
  const normalizedType = type === "number" ? "integer" : (type ?? untyped);
  const control = LIST_CONTROLS.find(
    ([names, expectedType]) => expectedType === normalizedType && names.test(name),
  );
  const hasDirections =
    Array.isArray(choice) && choice.some((value) => /(?:asc|desc)/i.test(String(value)));
  return control && hasDirections ? "Sort criterion and direction." : control?.[2];
}

/** `start_date`, `minPayDate`, `max_price`: a bound of a range. */
function describeBound(
  words: readonly string[],
  type: string | undefined,
  { format }: JsonSchema,
): string | undefined {
  const [first = "", ...rest] = words;
  const isDate = type === "string" && (format === "date" || format === "date-time");
  const bound = /^(min|max)(?:imum)?$/.exec(first)?.[1] as "min" | "max" | undefined;
  if (bound && rest.length > 0 && (isDate || type === "integer" || type === "number")) {
    const adjective = (isDate ? DATE_BOUNDS : NUMBER_BOUNDS)[bound];
    return `${adjective} ${rest.map(displayWord).join(" ")}.`;
  }
  const period = isDate ? PERIOD.find(([names]) => names.test(words.join("")))?.[1] : undefined;
  if (period !== undefined) return period;
  const stated = parseBound(words.join("_"));
  const isBounded = isDate || stated?.isInclusive !== undefined || NUMBER.test(type ?? "");
  return stated && isBounded ? `${boundPhrase(stated)}.` : undefined;
}

const PERIOD: readonly (readonly [names: RegExp, says: string])[] = [
  [/^(?:from|since|(?:start|begin)(?:date|time)?|datefrom|fromdate)$/, "Start of the period."],
  [/^(?:to|until|till|(?:end|stop)(?:date|time)?|dateto|todate)$/, "End of the period."],
];
const NUMBER = /^(?:integer|number)$/;
const DATE_BOUNDS = { min: "Earliest", max: "Latest" } as const;
const NUMBER_BOUNDS = { min: "Lowest", max: "Highest" } as const;

/** Response fields about the amount of data. */
const AMOUNT_FIELD =
  /^(?:count|total|size|length|page|limit|offset|version|format|lang|language|locale)$/;

/** A filter by a field of the response. */
function describeFilter(
  words: readonly string[],
  type: string | undefined,
  { format }: JsonSchema,
  operation: Operation,
  schemas: Schemas,
): string | undefined {
  if (
    (type !== "string" && type !== "integer" && type !== "number") ||
    format === "date-time" ||
    AMOUNT_FIELD.test(words.join(""))
  )
    return undefined;
  return itemFields(operation, schemas).has(words.join(""))
    ? `Only those with this ${words.map(displayWord).join(" ")}.`
    : undefined;
}

const fieldsByOperation = new WeakMap<Operation, ReadonlySet<string>>();

/** Field names of the items that an operation lists; empty when it returns no list. */
function itemFields(operation: Operation, schemas: Schemas): ReadonlySet<string> {
  const cached = fieldsByOperation.get(operation);
  if (cached) return cached;
  const names = new Set<string>();
  const [content] = successJsonContents(successResponses(operation.responses), schemas);
  const items = content?.schema ? itemsOf(resolveSchema(schemas, content.schema), schemas) : [];
  for (const item of items) {
    for (const name of Object.keys(item.properties ?? {})) names.add(splitWords(name).join(""));
  }
  fieldsByOperation.set(operation, names);
  return names;
}

function itemsOf(schema: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
  if (isObject(schema.items)) return [resolveSchema(schemas, schema.items)];
  const lists = Object.values(schema.properties ?? {}).flatMap((property) => {
    const target = isObject(property) ? resolveSchema(schemas, property) : {};
    return isObject(target.items) ? [resolveSchema(schemas, target.items)] : [];
  });
  return lists.filter((item) => isObject(item.properties));
}

/** Shorter texts are not worth a reference. */
const MIN_LENGTH = 80;
/** Maximum number of words that differ between texts about the same value. */
const MAX_DIFFERENCES = 4;

/**
 * Explains the bounds of one value once: of `x_gte`, `x_gt`, `x_lte` and `x_lt` with nearly the
 * same long text, all but the first refer to the first.
 */
export function explainBoundsOnce(tool: PlannedTool): PlannedTool {
  const first = new Map<string, PlannedInput>();
  const descriptions = new Map<string, string>();
  for (const input of tool.inputs) {
    const bound = input.description.length < MIN_LENGTH ? undefined : boundOf(input);
    const key = bound?.stem.join(" ") ?? "";
    const known = first.get(key);
    if (bound && known && isSimilar(known.description, input.description))
      descriptions.set(input.name, referTo(known, input, bound));
    else if (bound && !known) first.set(key, input);
  }
  return describeInputs(tool, descriptions);
}

/** The own first sentence of a text, or the bound, and the input with the rest. */
function referTo(known: PlannedInput, input: PlannedInput, bound: Bound): string {
  const [first, rest] = splitSentence(input.description);
  const isOwn = first.length <= MAX_OWN_SENTENCE && first !== splitSentence(known.description)[0];
  if (!isOwn || first === `${boundPhrase(bound)}.`)
    return `${boundPhrase(bound)}; see ${known.name}.`;
  return rest === "" ? first : `${first} See ${known.name}.`;
}

/** Longer sentences explain the value, which the first input does. */
const MAX_OWN_SENTENCE = 120;

/** Bound of a value with an order. `commentTo` is the comment for a receiver. */
function boundOf({ name, description, type }: PlannedInput): Bound | undefined {
  const bound = parseBound(name);
  const isOrdered =
    bound?.isInclusive !== undefined ||
    typesOf(type).some((one) => NUMBER.test(one)) ||
    ORDERED.test(`${type.format ?? ""} ${description}`);
  return isOrdered ? bound : undefined;
}

const ORDERED =
  /\b(?:dates?|date-?times?|timestamps?|time|times|period|range|(?:greater|less|later|earlier) than|earliest|latest|since|until)\b/i;

function isSimilar(text: string, other: string): boolean {
  const words = new Set(text.toLowerCase().split(/\W+/));
  const differences = other
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => !words.has(word));
  return differences.length <= MAX_DIFFERENCES && other.length < text.length * 1.2;
}

/** Bound of a range that the name of an input expresses: `created_gte`, `price_max`. */
interface Bound {
  /** Words of the bounded value: `created`. */
  readonly stem: readonly string[];
  readonly side: "Lower" | "Upper";
  /** Known for `gt`, `gte`, `lt` and `lte` only. */
  readonly isInclusive?: boolean;
}

const SIDES: readonly (readonly [words: RegExp, side: Bound["side"]])[] = [
  [/^(?:gte?|min|minimum|from|after|since|start|on or after)$/, "Lower"],
  [/^(?:lte?|max|maximum|to|before|until|till|end|on or before)$/, "Upper"],
];

/** Reads the bound at the end or the start of a name. */
export function parseBound(name: string): Bound | undefined {
  const words = splitWords(name);
  const suffix = [3, 1]
    .map((length) => words.slice(-length).join(" "))
    .find((text) => sideOf(text));
  const prefix = /^(?:min|max)(?:imum)?$/.test(words[0] ?? "") ? (words[0] as string) : undefined;
  const operator = suffix ?? prefix ?? "";
  const side = sideOf(operator);
  const length = operator.split(" ").length;
  const stem = suffix === undefined ? words.slice(1) : words.slice(0, -length);
  if (side === undefined || stem.length === 0) return undefined;
  const isComparison = /^[gl]te?$/.test(operator);
  return { stem, side, ...(isComparison && { isInclusive: operator.endsWith("e") }) };
}

const sideOf = (words: string): Bound["side"] | undefined =>
  SIDES.find(([pattern]) => pattern.test(words))?.[1];

/** `Lower bound of created, inclusive`. */
export function boundPhrase({ stem, side, isInclusive }: Bound): string {
  const ending = isInclusive === undefined ? "" : isInclusive ? ", inclusive" : ", exclusive";
  return `${side} bound of ${stem.join(" ")}${ending}`;
}
