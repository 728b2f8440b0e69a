import { type JsonSchema, omitUndefined } from "../../json.js";
import { splitPointer } from "../../json-pointer.js";
import type { OperationBinding, PaginationMapping } from "../../runtime/types.js";
import { describeInputs, inputProperties } from "../bound-parameters.js";
import type { Schemas } from "../schemas/refs.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedRequest } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import {
  detectPagination,
  hasLinkHeader,
  pageInputs,
  splitPaginationFields,
  takesPage,
} from "./detect.js";
import { type EnvelopeField, findListEnvelope } from "./envelope.js";
import { addNextInputs } from "./follow-pages.js";

/**
 * Adds hints about the next page to a tool that returns a list inside an unchanged envelope. Its
 * results then name the input to pass, and the description of the cursor input names the source of
 * the cursor. Hints depend on the response alone: a cursor, a link, or a field that announces
 * another page.
 */
export function addPaginationHints(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const [only, ...others] = tool.definition.operations;
  if (!only || tool.workflow || !tool.output) return tool;
  if (only.response.items !== undefined || only.response.item !== undefined)
    return addCountingHints(tool, schemas);
  if (others.length > 0 || only.pagination || Object.keys(only.response).length > 0) return tool;
  const list = embeddedList(tool, schemas);
  if (!list || list.otherFields === 0) return tool;
  const pagination = reportablePagination(
    detectPagination(list.request, list.tool, undefined, schemas),
  );
  if (!pagination) return tool;
  const isPaged = pagination.link !== undefined || !isSingle(only.request);
  if (!pagination.cursor && !(isPaged && takesPage(only.request))) return tool;
  const { definition } = tool;
  return describeCursorInput(
    {
      ...tool,
      definition: {
        ...definition,
        operations: [{ ...only, pagination: { list: list.pointer, ...pagination } }],
      },
    },
    pagination,
  );
}

/** True for a path that ends in a parameter: it selects one resource, which may contain lists. */
function isSingle({ path }: OperationBinding["request"]): boolean {
  return /\}[^/{}]*$/.test(path);
}

/** List inside an unchanged envelope, with its tool as if it returned `{items, next…}`. */
interface EmbeddedList {
  /** JSON pointer to the list in the response. */
  readonly pointer: string;
  readonly tool: PlannedTool;
  readonly request: OperationBinding;
  /** Number of fields next to the list. */
  readonly otherFields: number;
}

/** Finds the list inside the unchanged envelope that a tool of one operation returns. */
export function embeddedList(tool: PlannedTool, schemas: Schemas): EmbeddedList | undefined {
  const [only, ...others] = tool.definition.operations;
  if (!only || others.length > 0 || !tool.output) return undefined;
  if (!Object.keys(only.response).every((key) => key === "projection")) return undefined;
  const envelope = findListEnvelope(tool.output, [], schemas);
  if (!envelope) return undefined;
  const { next, otherFields } = splitPaginationFields(envelope.otherFields, tool.inputs, schemas);
  const output: JsonSchema = {
    type: "object",
    properties: {
      ...Object.fromEntries(otherFields.map(({ name, schema }) => [name, schema])),
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
        extraFields: pointersByName(otherFields),
      },
    },
    otherFields: envelope.otherFields.length,
  };
}

/**
 * Adds hints to a `find_…` tool that counts pages or items. Cursors and links are in its results
 * anyway, under `next`.
 */
function addCountingHints(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const { definition } = tool;
  const operations = definition.operations.map((operation): OperationBinding => {
    const list = operation.response.items;
    if (list === undefined || operation.pagination || !takesPage(operation.request))
      return operation;
    const pagination = reportablePagination(detectPagination(operation, tool, undefined, schemas));
    if (!pagination || pagination.cursor || pagination.link !== undefined) return operation;
    return { ...operation, pagination: { list, ...pagination } };
  });
  const isUnchanged = operations.every((candidate, i) => candidate === definition.operations[i]);
  return isUnchanged ? tool : { ...tool, definition: { ...definition, operations } };
}

const pointersByName = (fields: readonly EnvelopeField[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, pointer }) => [name, pointer]));

/**
 * Methods that a result can recommend. Counting needs a response field that announces another page,
 * because a full page may be the last one.
 */
function reportablePagination({
  linkHeader: _,
  ...pagination
}: PaginationMapping): PaginationMapping | undefined {
  const { cursor, link, page, offset, after, hasMore, total } = pagination;
  const isCounted = hasMore !== undefined || total !== undefined;
  if (!isCounted) return (cursor ?? link) ? omitUndefined({ link, cursor }) : undefined;
  return [cursor, link, page, offset, after].every((method) => method === undefined)
    ? undefined
    : omitUndefined(pagination);
}

/** Adds `For the next page: meta.next_cursor of the previous result.` */
function describeCursorInput(tool: PlannedTool, { cursor }: PaginationMapping): PlannedTool {
  if (!cursor) return tool;
  const path = splitPointer(cursor.pointer).join(".");
  const description = String(inputProperties(tool.definition)[cursor.input]?.description ?? "");
  const sentence = `For the next page: ${path} of the previous result.`;
  return describeInputs(tool, new Map([[cursor.input, appendSentences(description, sentence)]]));
}

/**
 * Adds the inputs of the next page, read from the `Link` header, to the `next` of a list's result.
 * A tool without inputs that select a page is not changed.
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
  const extended = addNextInputs(
    tool,
    inputs.map(({ name }) => name),
  );
  const operations = [{ ...only, pagination: { linkHeader: true as const } }];
  return { ...extended, definition: { ...extended.definition, operations } };
}
