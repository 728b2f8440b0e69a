import { type JsonSchema } from "../../json.js";
import type { OperationBinding, PaginationMapping } from "../../runtime/types.js";
import { describeInputs, inputProperties } from "../input-properties.js";
import type { Schemas } from "../schemas/refs.js";
import { toSentence } from "../text/sentences.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import { detectPagination, hasLinkHeader, pageInputs, splitPaginationFields } from "./detect.js";
import { type EnvelopeField, findListEnvelope } from "./envelope.js";
import { addNextInputs } from "./next-inputs.js";
import { PAGE_PARAMETER } from "./vocabulary.js";
import { splitPointer } from "../../json-pointer.js";

/**
 * The way to the next page of a list whose envelope is the result as it is: the result then says,
 * in words, what to pass; and the input that takes a cursor says where it stands. Only what the
 * answer itself tells is told: a cursor, a link, or that there is more.
 */
export function addPaginationHints(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const [only, ...others] = tool.definition.operations;
  if (!only || tool.workflow || !tool.output) return tool;
  if (only.response.items !== undefined || only.response.item !== undefined)
    return addCountingHints(tool, schemas);
  if (others.length > 0 || only.pagination || Object.keys(only.response).length > 0) return tool;
  if (!Object.keys(only.request.query ?? {}).some((name) => PAGE_PARAMETER.test(name))) return tool;
  const inside = embeddedList(tool, schemas);
  if (!inside || inside.otherFields === 0) return tool;
  const ways = reportablePagination(
    detectPagination(inside.request, inside.tool, undefined, schemas),
  );
  if (!ways) return tool;
  const { definition } = tool;
  return describeCursorInput(
    {
      ...tool,
      definition: {
        ...definition,
        operations: [{ ...only, pagination: { list: inside.pointer, ...ways } }],
      },
    },
    ways,
  );
}

/**
 * The list in an envelope that is the result as it is, seen as the tool would be if it returned
 * `{items, next…}`.
 */
export interface EmbeddedList {
  /** JSON pointer to the list in the answer. */
  readonly pointer: string;
  readonly tool: PlannedTool;
  readonly request: OperationBinding;
  /** Fields beside the list. */
  readonly otherFields: number;
}

export function embeddedList(tool: PlannedTool, schemas: Schemas): EmbeddedList | undefined {
  const [only, ...others] = tool.definition.operations;
  const envelope =
    only &&
    others.length === 0 &&
    Object.keys(only.response).every((key) => key === "projection") &&
    tool.output
      ? findListEnvelope(tool.output, [], schemas)
      : undefined;
  if (!only || !envelope) return undefined;
  const { next, otherFields: rest } = splitPaginationFields(
    envelope.otherFields,
    tool.inputs.map(({ name }) => name),
    schemas,
  );
  const output: JsonSchema = {
    type: "object",
    properties: {
      ...Object.fromEntries(rest.map(({ name, schema }) => [name, schema])),
      items: { type: "array", items: envelope.item },
    },
  };
  return {
    pointer: envelope.pointer,
    tool: { ...tool, output },
    request: {
      ...only,
      response: {
        items: envelope.pointer,
        next: pointersByName(next),
        extraFields: pointersByName(rest),
      },
    },
    otherFields: envelope.otherFields.length,
  };
}

/**
 * A `find_…` tool says cursors under `next`; of one that counts, only the number in its answers
 * says that there is more.
 */
function addCountingHints(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const { definition } = tool;
  const requests = definition.operations.map((request): OperationBinding => {
    if (
      request.response.items === undefined ||
      request.pagination ||
      !Object.keys(request.request.query ?? {}).some((name) => PAGE_PARAMETER.test(name))
    )
      return request;
    const ways = reportablePagination(detectPagination(request, tool, undefined, schemas));
    return !ways || ways.cursor || ways.link !== undefined
      ? request
      : { ...request, pagination: { list: request.response.items, ...ways } };
  });
  return requests.some((request, i) => request !== definition.operations[i])
    ? { ...tool, definition: { ...definition, operations: requests } }
    : tool;
}

const pointersByName = (fields: readonly EnvelopeField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, pointer }) => [name, pointer]));

/** Counting needs the API's word that there is more: a full page may be the last one. */
function reportablePagination({
  cursor,
  link,
  page,
  offset,
  after,
  pageSize,
  hasMore,
  total,
}: PaginationMapping): PaginationMapping | undefined {
  const leads = { ...(link !== undefined && { link }), ...(cursor && { cursor }) };
  if (hasMore === undefined && total === undefined) return (cursor ?? link) ? leads : undefined;
  const counted = {
    ...(page && { page }),
    ...(offset && { offset }),
    ...(after && { after }),
    ...(pageSize && { pageSize }),
  };
  if (Object.keys(leads).length === 0 && !page && !offset && !after) return undefined;
  return {
    ...leads,
    ...counted,
    ...(hasMore !== undefined && { hasMore }),
    ...(total !== undefined && { total }),
  };
}

/** `For the next page: meta.next_cursor of the previous result.` */
function describeCursorInput(tool: PlannedTool, { cursor }: PaginationMapping): PlannedTool {
  if (!cursor) return tool;
  const at = splitPointer(cursor.pointer).join(".");
  const said = String(inputProperties(tool.definition)[cursor.input]?.description ?? "");
  return describeInputs(
    tool,
    new Map([
      [cursor.input, `${toSentence(said)} For the next page: ${at} of the previous result.`],
    ]),
  );
}

/**
 * A list whose next page stands in the `Link` header: its result says under `next` which inputs
 * lead there. Without an input that could, the tool stays as it is.
 */
export function addLinkHeaderPagination(tool: PlannedTool, request: PlannedRequest): PlannedTool {
  const { definition, output } = tool;
  const [only, ...others] = definition.operations;
  if (
    !only ||
    others.length > 0 ||
    only.response.wrap !== "items" ||
    !output ||
    !definition.outputSchema ||
    !hasLinkHeader(request.classified)
  )
    return tool;
  const inputs = pageInputs(request);
  if (inputs.length === 0) return tool;
  const told = addNextInputs(
    tool,
    inputs.map(({ name }) => name),
  );
  return {
    ...told,
    definition: { ...told.definition, operations: [{ ...only, pagination: { linkHeader: true } }] },
  };
}
