import { isObject, type JsonSchema } from "../../json.js";
import type { OperationBinding, PaginationMapping } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import type { ClassifiedOperation } from "../classify.js";
import { inputProperties } from "../input-properties.js";
import { splitWords } from "../names/words.js";
import { allFields, listItems, objectFields, pointerStep } from "../schema-fields.js";
import { type AnySchema, resolveSchema, type Schemas, typesOf } from "../schemas/refs.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import type { EnvelopeField } from "./envelope.js";
import {
  AFTER_ID,
  CURSOR_INPUTS,
  HAS_MORE,
  OFFSET,
  PAGE_NUMBER,
  PAGE_POSITION,
  PAGE_SIZE,
  PAGINATION_OBJECT,
  TOTAL_COUNT,
} from "./vocabulary.js";
import { escapePointerToken } from "../../json-pointer.js";

/**
 * What of an answer leads to the next page, by the name of the input that wants it, and what else
 * there is.
 */
export interface PaginationFields {
  readonly next: readonly EnvelopeField[];
  readonly otherFields: readonly EnvelopeField[];
}

/**
 * Recognises cursors and links for the next page, at the top of an answer or in `meta`, `paging`
 * and their like.
 * @param inputs names of the inputs of the list
 */
export function splitPaginationFields(
  fields: readonly EnvelopeField[],
  inputs: readonly string[],
  schemas: Schemas,
): PaginationFields {
  const next: EnvelopeField[] = [];
  const rest: EnvelopeField[] = [];
  const take = (field: EnvelopeField): boolean => {
    const name = nextFieldName(field.name, inputs);
    if (name === undefined || next.some((known) => known.name === name)) return false;
    next.push({ ...field, name });
    return true;
  };
  for (const field of fields) {
    if (take(field)) continue;
    const inner = PAGINATION_OBJECT.test(field.name)
      ? [...(objectFields(field.schema, schemas) ?? [])]
      : [];
    const left = inner.filter(
      ([name, schema]) => !take({ name, pointer: field.pointer + pointerStep(name), schema }),
    );
    if (inner.length === 0 || left.length > 0) rest.push(field);
  }
  return { next, otherFields: rest };
}

/**
 * The input that a field of an answer is for; the field's own name when it leads to the next page
 * by itself; else undefined.
 */
function nextFieldName(name: string, inputs: readonly string[]): string | undefined {
  const words = splitWords(name);
  const isCursor =
    words.join(" ") === "cursor" ||
    words.join(" ") === "end cursor" ||
    words.join(" ") === "continuation token";
  if (!words.includes("next") && !isCursor) return undefined;
  if (/^(has|is|more)$/.test(words[0] ?? "")) return undefined;
  const bare = words.filter((word) => word !== "next" && word !== "end").join(" ");
  const same =
    inputs.find((input) => splitWords(input).join(" ") === bare) ??
    inputs.find((input) => input === name);
  if (same !== undefined) return same;
  const isLink = /\b(url|uri|link|href|page)\b/.test(bare);
  return (isLink ? undefined : CURSOR_INPUTS.find((input) => inputs.includes(input))) ?? name;
}

/** The document says how the next page is asked for. */
export function hasNextPage({
  linkHeader,
  link,
  cursor,
  page,
  offset,
  after,
}: PaginationMapping): boolean {
  return [linkHeader, link, cursor, page, offset, after].some((way) => way !== undefined);
}

/** An input by what it does for paging. */
export interface PageInput {
  readonly input: string;
  readonly schema: JsonSchema;
}

/** Every way from one page of a list to the next that its inputs and answers show. */
export function detectPagination(
  { request, response, pagination }: OperationBinding,
  tool: PlannedTool,
  maxItems: number | undefined,
  schemas: Schemas,
): PaginationMapping {
  const properties = inputProperties(tool.definition);
  const inputs = requestParameters(request).flatMap(({ place, wireName, source: wire }) => {
    const input = sourceInput(wire);
    return input === undefined || wireName === undefined || place === "path"
      ? []
      : [{ input, schema: properties[input] ?? {}, words: splitWords(wireName).join(" ") }];
  });
  const find = (words: RegExp, type?: "integer"): PageInput | undefined =>
    inputs.find(
      (one) =>
        words.test(one.words) &&
        (type === undefined ||
          typesOf(one.schema).some((own) => own === "integer" || own === "number")),
    );
  const next = Object.entries(response.next ?? {});
  const cursor = next.find(([name]) => inputs.some(({ input }) => input === name));
  const link = next.find(([name]) => name !== cursor?.[0] && !Object.hasOwn(properties, name))?.[1];
  const flags = continuationFields(response, tool.output, schemas);
  const [page, offset, size] = [
    find(PAGE_NUMBER, "integer"),
    find(OFFSET, "integer"),
    find(PAGE_SIZE, "integer"),
  ];
  const after =
    flags.hasMore !== undefined && !cursor && itemFields(tool, schemas).has("id")
      ? find(AFTER_ID)
      : undefined;
  return {
    ...(maxItems !== undefined && { maxItems }),
    ...(pagination?.linkHeader && { linkHeader: true }),
    ...(link !== undefined && { link }),
    ...(cursor && { cursor: { input: cursor[0], pointer: cursor[1] } }),
    ...(page && { page: { input: page.input, first: firstPage(page.schema, 1) } }),
    ...(offset && !page && { offset: { input: offset.input, first: firstPage(offset.schema, 0) } }),
    ...(after && { after: { input: after.input, pointer: "/id" } }),
    ...(size &&
      (page ?? offset) && {
        pageSize: {
          input: size.input,
          ...(typeof size.schema.default === "number" && { default: size.schema.default }),
        },
      }),
    ...flags,
  };
}

/** The first page is 0 where the document says so; most count from 1. */
export function firstPage({ default: usual, minimum }: JsonSchema, otherwise: number): number {
  return typeof usual === "number"
    ? usual
    : typeof minimum === "number" && minimum > otherwise
      ? minimum
      : minimum === 0 && otherwise === 1
        ? 0
        : otherwise;
}

/**
 * Where an answer says whether there is more, and how much there is: beside its list, or in an
 * object there.
 */
export function continuationFields(
  { extraFields = {} }: OperationBinding["response"],
  output: JsonSchema | undefined,
  schemas: Schemas,
): Pick<PaginationMapping, "hasMore" | "total"> {
  const own = output ? allFields(output, schemas) : new Map<string, AnySchema>();
  const found = Object.entries(extraFields).flatMap(([name, pointer]) => {
    const schema = own.get(name);
    const inner = isObject(schema)
      ? [...allFields(schema as JsonSchema, schemas)].map(([key, field]) => ({
          name: key,
          pointer: `${pointer}/${escapePointerToken(key)}`,
          field,
        }))
      : [];
    return [{ name, pointer, field: schema }, ...inner];
  });
  const at = (words: RegExp, types: readonly string[]): string | undefined =>
    found.find(
      ({ name, field }) =>
        words.test(splitWords(name).join(" ")) &&
        isObject(field) &&
        typesOf(resolveSchema(schemas, field as JsonSchema)).some((type) => types.includes(type)),
    )?.pointer;
  const [more, total] = [at(HAS_MORE, ["boolean"]), at(TOTAL_COUNT, ["integer", "number"])];
  return { ...(more !== undefined && { hasMore: more }), ...(total !== undefined && { total }) };
}

export function itemFields(
  { output }: PlannedTool,
  schemas: Schemas,
): ReadonlyMap<string, AnySchema> {
  const items = output && listItems(allFields(output, schemas).get("items"), schemas);
  return items === undefined ? new Map() : allFields(items, schemas);
}

/** Query parameters that lead to another page, with the inputs that fill them. */
export function pageInputs({ inputs }: PlannedRequest): readonly PlannedInput[] {
  const names = new Set(
    inputs.sources.flatMap(([{ in: place, wireName }, wire]) =>
      place === "query" && PAGE_POSITION.test(splitWords(wireName).join(" "))
        ? typeof wire === "string"
          ? [wire]
          : "from" in wire
            ? [wire.from]
            : []
        : [],
    ),
  );
  return names.size === 0 ? [] : inputs.inputs.filter(({ name }) => names.has(name));
}

/** The document declares that successful answers have a `Link` header. RFC 8288. */
export function hasLinkHeader({ successResponses: success }: ClassifiedOperation): boolean {
  return success.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "link"));
}
