/** Detection of pagination: the inputs that select a page, and the response fields about other pages. */
import { anyOfPatterns } from "../../language/patterns.js";
import { isObject, type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import type { OperationBinding, PaginationMapping, ResponseMapping } from "../../runtime/types.js";
import { inputProperties, requestParameters, sourceInput } from "../bound-parameters.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { splitWords } from "../../language/words.js";
import { allFields, listItems, objectFields, pointerStep } from "../schemas/flat-object.js";
import { type AnySchema, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import type { EnvelopeField } from "./envelope.js";
import { firstPage, numericDefault } from "./first-page.js";

// Patterns without the flag `i` match names that are split into lower-case words.

/** Inputs that take the number of a page. */
const PAGE_NUMBER = /^(page|p|page (number|no|num|index)|current page)$/;

/** Inputs that take the number of items to skip. */
const OFFSET = /^(offset|skip|start|start (index|at|from|row)|from|first result|page offset)$/;

/** Inputs about pages that are numbers even where their type is text. */
const COUNTED_TEXT =
  /^(page|page (number|no|num|index|size)|current page|offset|skip|limit|per page|max results)$/;

/** Inputs that take the number of items of a page. */
const PAGE_SIZE =
  /^(limit|per page|page (size|limit)|size|count|max|max results|results per page|take|top|rows|page items)$/;

/** Inputs that take the ID of the last item of a page. */
const AFTER_ID = /^(starting after|start after|after|after id|last id|since id)$/;

/** Response fields that are true when another page follows. */
const HAS_MORE =
  /^(has (more|next)|has next page|more|is truncated|truncated|has more (items|results|pages))$/;

/**
 * Response fields with the number of items, best first: those that the filters let through, all,
 * and a count that may be that of the page.
 */
const TOTAL_COUNTS: readonly RegExp[] = [
  new RegExp(
    `^(${anyOfPatterns(
      /filter(ed)? (count|total|records|items)/,
      /(total|records|count|items) filtered|total filtered (count|items|records)/,
    )})$`,
  ),
  /^(total|total (count|items|results|records|size|hits|elements|rows)|total item count|records total)$/,
  /^count$/,
];

const PAGE_POSITION_ALTERNATIVES = [
  "page|p|page (number|no|num|index|token|cursor)|current page",
  "(next |start |end )?cursor|(next|continuation) (token|key|page token)",
  "(starting |start |end )?(after|before)|offset|skip|start( index)?|marker|since",
  "last id|after id",
];
/** Inputs that select a page; not those for its size. */
const PAGE_POSITION = new RegExp(`^(${PAGE_POSITION_ALTERNATIVES.join("|")})$`);

/** Objects that contain cursors and links. */
const PAGINATION_OBJECT =
  /^(_?links?|meta(data)?|view|paging|pagination|page_?info|cursors?|response_?metadata)$/i;

/** Inputs that take a cursor, most common first. */
const CURSOR_INPUTS = (
  "cursor page_token next_token pageToken nextToken continuation_token marker after " +
  "start_cursor page_cursor"
).split(" ");

/** Fields of a response, split by their part in pagination. */
interface PaginationFields {
  /** Cursors and links, by the name of their input. */
  readonly next: readonly EnvelopeField[];
  readonly otherFields: readonly EnvelopeField[];
}

/**
 * Separates cursors and links to the next page from all other fields of a response. They may be at
 * its top level or in an object such as `meta` or `paging`.
 * @param inputs inputs of the list
 */
export function splitPaginationFields(
  fields: readonly EnvelopeField[],
  inputs: readonly Pick<PlannedInput, "name" | "type">[],
  schemas: Schemas,
): PaginationFields {
  const next: EnvelopeField[] = [];
  const otherFields: EnvelopeField[] = [];
  const take = (field: EnvelopeField, objectName: string): boolean => {
    // The cursor is inside: `cursor: {previous, next}`.
    if (isCursorObject(field, schemas)) return false;
    const name = nextFieldName(field.name, isUrl(field.schema, objectName, schemas), () =>
      inputs
        .filter((input) => canPass(field.schema, input.type, schemas))
        .map((input) => input.name),
    );
    if (name === undefined || next.some((known) => known.name === name)) return false;
    next.push({ ...field, name });
    return true;
  };
  /** True if nothing else is in the object. */
  const takeInside = (object: EnvelopeField, depth: number): boolean => {
    const objectName = withoutPrefix(object.name);
    if (depth > 2 || !PAGINATION_OBJECT.test(objectName)) return false;
    const inner = [...(objectFields(object.schema, schemas) ?? [])];
    const remaining = inner.filter(([name, schema]) => {
      const field = { name, pointer: object.pointer + pointerStep(name), schema };
      return !take(field, objectName) && !takeInside(field, depth + 1);
    });
    return inner.length > 0 && remaining.length === 0;
  };
  for (const field of fields)
    if (!take(field, "") && !takeInside(field, 1)) otherFields.push(field);
  return { next, otherFields };
}

const isCursorObject = ({ name, schema }: EnvelopeField, schemas: Schemas): boolean =>
  /^cursors?$/i.test(name) && objectFields(schema, schemas)?.has("next") === true;

/** True for a URL, by the first example of the field, else by its format or the object around it. */
function isUrl(field: AnySchema, objectName: string, schemas: Schemas): boolean {
  if (!isObject(field)) return false;
  const { format, examples } = { ...resolveSchema(schemas, field as JsonSchema), ...field };
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  if (typeof example === "string") return /^(?:https?:\/)?\/|^\?/.test(example);
  return /^(?:ur[il]|uri-reference)$/.test(String(format)) || /links?$/i.test(objectName);
}

/** A string is not a number: `next_page` is a link if `page` takes a number. */
function canPass(field: AnySchema, input: JsonSchema, schemas: Schemas): boolean {
  const types = isObject(field) ? typesOf(resolveSchema(schemas, field as JsonSchema)) : [];
  const isText = types.includes("string") && !types.some((type) => NUMBERS.includes(type));
  const taken = typesOf(resolveSchema(schemas, input));
  const isNumber = taken.length > 0 && taken.every((type) => NUMBERS.includes(type));
  return !(isText && isNumber);
}

const NUMBERS: readonly string[] = ["integer", "number"];

/** `@odata.nextLink` and `hydra:next` without the name of their vocabulary. */
const withoutPrefix = (name: string): string => name.replace(/^(?:@?odata\.|hydra:)/, "");

/**
 * Name of the input that takes the value of a response field on the next page. A field without such
 * an input, a link for example, keeps its own name. Undefined for fields that are not about the
 * next page.
 * @param isAddress no input but one of the same name can take the value
 * @param takers lists the inputs that can take the value
 */
function nextFieldName(
  name: string,
  isAddress: boolean,
  takers: () => readonly string[],
): string | undefined {
  const words = splitWords(withoutPrefix(name));
  const isCursor = /^(cursor|end cursor|continuation token)$/.test(words.join(" "));
  if (!words.includes("next") && !isCursor) return undefined;
  if (/^(has|is|more)$/.test(words[0] ?? "")) return undefined;
  const bare = words.filter((word) => word !== "next" && word !== "end").join(" ");
  const inputs = takers();
  const sameInput =
    inputs.find((input) => splitWords(input).join(" ") === bare) ??
    inputs.find((input) => input === name);
  if (sameInput !== undefined) return sameInput;
  const isLink = isAddress || /\b(url|uri|link|href|page)\b/.test(bare);
  return (isLink ? undefined : CURSOR_INPUTS.find((input) => inputs.includes(input))) ?? name;
}

/** Tests whether the document declares a way to request the next page. */
export function hasNextPage({
  linkHeader,
  link,
  cursor,
  page,
  offset,
  after,
}: PaginationMapping): boolean {
  return [linkHeader, link, cursor, page, offset, after].some((method) => method !== undefined);
}

/** Input of a list, with the words of its name on the wire. */
interface PageInput {
  readonly input: string;
  readonly schema: JsonSchema;
  readonly words: string;
}

/** Finds all methods to get from one page of a list to the next, by its inputs and its response. */
export function detectPagination(
  { request, response, pagination }: OperationBinding,
  tool: PlannedTool,
  maxItems: number | undefined,
  schemas: Schemas,
): PaginationMapping {
  const properties = inputProperties(tool.definition);
  const inputs = listInputs(request, properties);
  const next = Object.entries(response.next ?? {});
  const cursor = next.find(([name]) => inputs.some(({ input }) => input === name));
  const link = next.find(([name]) => name !== cursor?.[0] && !Object.hasOwn(properties, name))?.[1];
  const fields = continuationFields(response, tool.output, schemas);
  const page = findInteger(inputs, PAGE_NUMBER);
  const offset = findInteger(inputs, OFFSET);
  const size = page || offset ? findInteger(inputs, PAGE_SIZE) : undefined;
  const canPassId = fields.hasMore !== undefined && !cursor && itemFields(tool, schemas).has("id");
  const after = canPassId ? inputs.find(({ words }) => AFTER_ID.test(words)) : undefined;
  return omitUndefined({
    maxItems,
    linkHeader: pagination?.linkHeader ? (true as const) : undefined,
    link,
    cursor: cursor && { input: cursor[0], pointer: cursor[1] },
    page: page && { input: page.input, ...firstPage(page.schema, 1) },
    offset: offset && !page ? { input: offset.input, ...firstPage(offset.schema, 0) } : undefined,
    after: after && { input: after.input, pointer: "/id" },
    pageSize: size && omitUndefined({ input: size.input, default: numericDefault(size.schema) }),
    ...fields,
  });
}

/** Inputs of a list, except those of its path. */
function listInputs(
  request: OperationBinding["request"],
  properties: Readonly<Record<string, JsonSchema>>,
): readonly PageInput[] {
  return requestParameters(request).flatMap(({ location, wireName, source }) => {
    const input = sourceInput(source);
    if (input === undefined || wireName === undefined || location === "path") return [];
    return [{ input, schema: properties[input] ?? {}, words: splitWords(wireName).join(" ") }];
  });
}

function findInteger(inputs: readonly PageInput[], words: RegExp): PageInput | undefined {
  return inputs.find((input) => words.test(input.words) && takesNumber(input));
}

/** True for numbers, and for text that can only be one. */
function takesNumber({ schema, words }: PageInput): boolean {
  const types = typesOf(schema);
  if (types.includes("integer") || types.includes("number")) return true;
  const isText = types.includes("string") && !schema.enum && schema.format === undefined;
  return isText && COUNTED_TEXT.test(words);
}

/** A response that becomes the `items` of a result. */
export function returnsItems({ items, wrap }: ResponseMapping): boolean {
  return items !== undefined || wrap === "items";
}

/** Pointers to response fields that announce another page or the total, at most one object deep. */
function continuationFields(
  response: ResponseMapping,
  output: JsonSchema | undefined,
  schemas: Schemas,
): Pick<PaginationMapping, "hasMore" | "total" | "unfilteredTotal"> {
  const pointerTo = fieldFinder(response, output, schemas);
  const totals = TOTAL_COUNTS.map((words) => pointerTo(words, NUMBERS));
  const total = totals.find(Boolean);
  const [filtered, all] = totals;
  return omitUndefined({
    hasMore: pointerTo(HAS_MORE, ["boolean"]),
    total,
    unfilteredTotal: filtered === undefined ? undefined : all,
  });
}

/** Pointer to the number of all items of a list; undefined if it may be that of a page. */
export function totalOfList(
  response: ResponseMapping,
  output: JsonSchema | undefined,
  schemas: Schemas,
): string | undefined {
  const pointerTo = fieldFinder(response, output, schemas);
  const [filtered, all] = TOTAL_COUNTS;
  return pointerTo(filtered!, NUMBERS) ?? pointerTo(all!, NUMBERS);
}

/** Finds the pointer to a response field beside the list by its words and type. */
function fieldFinder(
  { extraFields = {} }: ResponseMapping,
  output: JsonSchema | undefined,
  schemas: Schemas,
): (words: RegExp, types: readonly string[]) => string | undefined {
  const outputFields = output ? allFields(output, schemas) : new Map<string, AnySchema>();
  const candidates = Object.entries(extraFields).flatMap(([name, pointer]) => {
    const field = outputFields.get(name);
    const inner = isObject(field) ? [...allFields(field as JsonSchema, schemas)] : [];
    const innerFields = inner.map(([key, innerField]) => ({
      name: key,
      pointer: `${pointer}${pointerStep(key)}`,
      field: innerField,
    }));
    return [{ name, pointer, field }, ...innerFields];
  });
  const named = candidates.map((candidate) => ({
    ...candidate,
    wordsOfName: splitWords(withoutPrefix(candidate.name)).join(" "),
  }));
  return (words, types) =>
    named.find(
      ({ wordsOfName, field }) =>
        words.test(wordsOfName) &&
        isObject(field) &&
        typesOf(resolveSchema(schemas, field as JsonSchema)).some((type) => types.includes(type)),
    )?.pointer;
}

/** The input with the number of items of a page. */
export function pageSizeInput(
  request: OperationBinding["request"],
  tool: PlannedTool,
): PageInput | undefined {
  return findInteger(listInputs(request, inputProperties(tool.definition)), PAGE_SIZE);
}

function itemFields({ output }: PlannedTool, schemas: Schemas): ReadonlyMap<string, AnySchema> {
  const items = output && listItems(allFields(output, schemas).get("items"), schemas);
  return items === undefined ? new Map() : allFields(items, schemas);
}

/** Inputs sent as query parameters that select a page. */
export function pageInputs({ inputs }: PlannedRequest): readonly PlannedInput[] {
  const names = new Set(
    inputs.sources.flatMap(([{ in: location, wireName }, source]) => {
      const isPageInput =
        location === "query" && PAGE_POSITION.test(splitWords(wireName).join(" "));
      return isPageInput ? (sourceInput(source) ?? []) : [];
    }),
  );
  return inputs.inputs.filter(({ name }) => names.has(name));
}

/** Tests whether a request has a query parameter that selects a page. */
export function takesPage({ query = {} }: OperationBinding["request"]): boolean {
  return Object.keys(query).some((name) => {
    const words = splitWords(name).join(" ");
    return [PAGE_POSITION, OFFSET, AFTER_ID].some((position) => position.test(words));
  });
}

/** Tests whether a success response declares a `Link` header (RFC 8288). */
export function hasLinkHeader({ successResponses }: ClassifiedOperation): boolean {
  return successResponses.some(({ headers }) =>
    headers.some(({ name }) => name.toLowerCase() === "link"),
  );
}
