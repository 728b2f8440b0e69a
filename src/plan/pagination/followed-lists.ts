/** Lists whose pages a call follows without configuration, while its result is small. */
import { omitUndefined } from "../../json.js";
import { splitWords } from "../../language/words.js";
import type { OperationBinding, PaginationMapping } from "../../runtime/types.js";
import { requestParameters, sourceInput } from "../bound-parameters.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { detectPagination, hasNextPage, returnsItems } from "./detect.js";

/** Words of parameters that select a page of a list and nothing else, such as a time. */
const PLAIN_POSITION = /^(?:page|page (?:number|no|num)|offset|skip)$/;

/**
 * Marks the lists of a tool that only reads as followed, where the document says how to request the
 * next page: by a link, a cursor, or a number beside a field that announces more. A list without
 * further fields is followed by a number whose name says so; its items show where it ends.
 */
export function markFollowedLists(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const { definition, workflow, followPages = true } = tool;
  if (!definition.annotations.readOnlyHint || workflow || !followPages) return tool;
  const operations = definition.operations.map((operation): OperationBinding => {
    const pagination = followedPagination(operation, tool, schemas);
    return pagination
      ? { ...operation, pagination: { ...pagination, isFollowed: true } }
      : operation;
  });
  return { ...tool, definition: { ...definition, operations } };
}

function followedPagination(
  operation: OperationBinding,
  tool: PlannedTool,
  schemas: Schemas,
): PaginationMapping | undefined {
  const { pagination, response, request } = operation;
  if (pagination?.maxItems !== undefined || request.isRaw || request.unsafe) return undefined;
  if (pagination?.list !== undefined && !returnsItems(response)) return pagination;
  if (!returnsItems(response)) return undefined;
  const detected = detectPagination(operation, tool, undefined, schemas);
  const { page, offset, after, ...announced } = detected;
  const counted = canCount(operation, detected) ? omitUndefined({ page, offset, after }) : {};
  const usable = { ...announced, ...counted };
  if (!hasNextPage(usable)) return undefined;
  const isCounted = Object.keys(counted).length > 0;
  const list =
    isCounted && !usable.cursor && usable.link === undefined ? listOf(response) : undefined;
  return omitUndefined({ list: pagination?.list ?? list, ...usable });
}

/** Position of the list, for results that only describe the next page. */
const listOf = ({ items }: OperationBinding["response"]): string => items ?? "";

/** True if pages can be counted: the response announces more, or it is the list and nothing else. */
function canCount(
  { request, response }: OperationBinding,
  { linkHeader, page, offset, hasMore, total }: PaginationMapping,
): boolean {
  // Without a link in the header, a page is the last one.
  if (linkHeader) return false;
  if (hasMore !== undefined || total !== undefined) return true;
  const input = page?.input ?? offset?.input;
  const isBare = (response.items ?? "") === "" && response.extraFields === undefined;
  return (
    isBare &&
    requestParameters(request).some(
      ({ wireName, source }) =>
        wireName !== undefined &&
        sourceInput(source) === input &&
        PLAIN_POSITION.test(splitWords(wireName).join(" ")),
    )
  );
}
