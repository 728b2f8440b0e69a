/** Lists that may be incomplete although their response does not say so. */
import { propertySchema } from "../schema/subschemas.js";
import type { ApiCall, ResponseHeaders } from "../request/types.js";
import { isObject } from "../data/values.js";
import { queryInputs } from "../request/parameter-source.js";
import { ITEM_COUNT } from "../response/notes.js";
import type { OperationBinding, ToolInput } from "../types.js";
import { totalInHeaders } from "./list-notes.js";
import { findItems, nextInputsHint, type NextPageHint } from "./next-page.js";
import { OFFSET, onlyList, PAGE } from "./page-memory.js";
import { isRoundCount } from "./page-size.js";

/** Fields of a response that tell how many items or pages there are. */
const PAGING_FIELD =
  /^(?:total|has_?(?:more|next)|is_?(?:last|truncated)|more|next|(?:last|next|total)_?\w*|\w*cursor|page_?count|pages|count|links?|_links)$|_?total$|Total$/i;

/**
 * Hint about a list that has as many items as a page, if its operation documents no paging and the
 * response has no information about it.
 */
export function possibleRest(
  { call, operation }: { readonly call: ApiCall; readonly operation: OperationBinding },
  body: unknown,
  headers: Pick<ResponseHeaders, "get" | "has">,
): NextPageHint | undefined {
  const { pagination, response } = operation;
  if (pagination || response.next || headers.has("link")) return undefined;
  const inputs = queryInputs(call.mapping);
  const sizeInput = inputs.find((name) => ITEM_COUNT.test(name));
  const positions = [OFFSET, PAGE].flatMap((names) => inputs.filter((name) => names.test(name)));
  if (sizeInput === undefined && positions.length === 0) return undefined;
  const count = (findItems(body, response) ?? onlyList(body))?.length ?? 0;
  if (count === 0) return undefined;
  const total = totalInHeaders(headers)?.total;
  const isFirst = !positions.some((name) => isGiven(name, call));
  if (total !== undefined && total <= count) return undefined;
  const hasRest = isFirst && total !== undefined;
  if (!hasRest && (!isPageSize(count, sizeInput, call) || hasPagingFields(body))) return undefined;
  const given = positions.toSorted((a, b) => Number(isGiven(b, call)) - Number(isGiven(a, call)));
  const next = given.map((name) => nextPosition(name, count, call)).find((inputs) => inputs);
  if (next) return nextInputsHint({ call, operation }, next, !hasRest);
  const more = [...positions, sizeInput].filter((name) => name !== undefined).join(" or ");
  if (hasRest)
    return {
      facts: {
        notes: [
          `The list has ${count} ${count === 1 ? "item" : "items"}: use ${more} to see the others.`,
        ],
      },
    };
  const event =
    `The list has exactly ${count} ${count === 1 ? "item" : "items"}, ` +
    "and the API does not say whether these are all";
  return { facts: { notes: [`${event}. There may be more: use ${more} to see them.`] } };
}

/** True if a list is a full page of the requested or the default size, or of a usual one. */
function isPageSize(
  count: number,
  sizeInput: string | undefined,
  { input, tool }: ApiCall,
): boolean {
  if (count === 0) return false;
  const asked = sizeInput === undefined ? undefined : input[sizeInput];
  const known = Number(asked ?? propertySchema(tool.inputSchema, sizeInput ?? "")["default"]);
  if (!(known > 0)) return isRoundCount(count);
  if (count >= known) return count === known || isRoundCount(count);
  return asked !== undefined && count >= 100 && isRoundCount(count);
}

/** True if the body, or an object in it, has a field about the whole list. */
function hasPagingFields(body: unknown): boolean {
  if (!isObject(body)) return false;
  return Object.entries(body).some(
    ([name, value]) =>
      (!Array.isArray(value) && PAGING_FIELD.test(name)) ||
      (isObject(value) && Object.keys(value).some((inner) => PAGING_FIELD.test(inner))),
  );
}

function isGiven(name: string, { input }: ApiCall): boolean {
  return input[name] !== undefined;
}

/** Inputs of the next page; `undefined` if the number of this page is unknown. */
function nextPosition(
  name: string,
  count: number,
  { input, tool }: ApiCall,
): ToolInput | undefined {
  const isOffset = OFFSET.test(name);
  const given =
    input[name] ?? propertySchema(tool.inputSchema, name)["default"] ?? (isOffset ? 0 : undefined);
  const position = given === "" || given === undefined ? NaN : Number(given);
  if (!Number.isSafeInteger(position) || position < 0) return undefined;
  const next = position + (isOffset ? count : 1);
  return {
    [name]: propertySchema(tool.inputSchema, name)["type"] === "string" ? String(next) : next,
  };
}
