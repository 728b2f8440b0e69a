import { type JsonSchema, stepsOf } from "../json.js";
import type { PageBinding, RequestBinding } from "../runtime/types.js";
import { pagesOf } from "./curation/pagination.js";
import { ended } from "./describe/sentences.js";
import type { Schemas } from "./schema/refs.js";
import { type Field, listEnvelope } from "./tasks/envelope.js";
import { pagingOf } from "./tasks/paging.js";
import { propertiesOf, withDescriptions } from "./tool-inputs.js";
import type { PlannedTool } from "./types.js";

/** A word that only inputs about pages have in their names. */
const PAGING = /page|cursor|offset|skip|after|marker|token|start|next/i;

/**
 * The way to the next page of a list whose envelope is the result as it is: the result then says,
 * in words, what to pass; and the input that takes a cursor says where it stands. Only what the
 * answer itself tells is told: a cursor, a link, or that there is more.
 */
export function withPageWays(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const [only, ...others] = tool.definition.requests;
  if (!only || tool.workflow || !tool.output) return tool;
  if (only.read.items !== undefined || only.read.item !== undefined)
    return withCounting(tool, schemas);
  if (others.length > 0 || only.pages || Object.keys(only.read).length > 0) return tool;
  if (!Object.keys(only.send.query ?? {}).some((name) => PAGING.test(name))) return tool;
  const inside = listInside(tool, schemas);
  if (!inside || inside.rest === 0) return tool;
  const ways = tellable(pagesOf(inside.request, inside.tool, undefined, schemas));
  if (!ways) return tool;
  const { definition } = tool;
  return withCursorWord(
    {
      ...tool,
      definition: {
        ...definition,
        requests: [{ ...only, pages: { list: inside.pointer, ...ways } }],
      },
    },
    ways,
  );
}

/**
 * The list in an envelope that is the result as it is, seen as the tool would be if it returned
 * `{items, next…}`.
 */
export interface ListInside {
  /** JSON pointer to the list in the answer. */
  readonly pointer: string;
  readonly tool: PlannedTool;
  readonly request: RequestBinding;
  /** Fields beside the list. */
  readonly rest: number;
}

export function listInside(tool: PlannedTool, schemas: Schemas): ListInside | undefined {
  const [only, ...others] = tool.definition.requests;
  const envelope =
    only &&
    others.length === 0 &&
    Object.keys(only.read).every((key) => key === "keep") &&
    tool.output
      ? listEnvelope(tool.output, [], schemas)
      : undefined;
  if (!only || !envelope) return undefined;
  const { next, rest } = pagingOf(
    envelope.rest,
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
      read: { items: envelope.pointer, next: pointers(next), rest: pointers(rest) },
    },
    rest: envelope.rest.length,
  };
}

/**
 * A `find_…` tool says cursors under `next`; of one that counts, only the number in its answers
 * says that there is more.
 */
function withCounting(tool: PlannedTool, schemas: Schemas): PlannedTool {
  const { definition } = tool;
  const requests = definition.requests.map((request): RequestBinding => {
    if (
      request.read.items === undefined ||
      request.pages ||
      !Object.keys(request.send.query ?? {}).some((name) => PAGING.test(name))
    )
      return request;
    const ways = tellable(pagesOf(request, tool, undefined, schemas));
    return !ways || ways.cursor || ways.link !== undefined
      ? request
      : { ...request, pages: { list: request.read.items, ...ways } };
  });
  return requests.some((request, i) => request !== definition.requests[i])
    ? { ...tool, definition: { ...definition, requests } }
    : tool;
}

const pointers = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, pointer }) => [name, pointer]));

/** Counting needs the API's word that there is more: a full page may be the last one. */
function tellable({
  cursor,
  link,
  page,
  offset,
  after,
  size,
  more,
  total,
}: PageBinding): PageBinding | undefined {
  const leads = { ...(link !== undefined && { link }), ...(cursor && { cursor }) };
  if (more === undefined && total === undefined) return (cursor ?? link) ? leads : undefined;
  const counted = {
    ...(page && { page }),
    ...(offset && { offset }),
    ...(after && { after }),
    ...(size && { size }),
  };
  if (Object.keys(leads).length === 0 && !page && !offset && !after) return undefined;
  return {
    ...leads,
    ...counted,
    ...(more !== undefined && { more }),
    ...(total !== undefined && { total }),
  };
}

/** `For the next page: meta.next_cursor of the previous result.` */
function withCursorWord(tool: PlannedTool, { cursor }: PageBinding): PlannedTool {
  if (!cursor) return tool;
  const at = stepsOf(cursor.at).join(".");
  const said = String(propertiesOf(tool.definition)[cursor.input]?.description ?? "");
  return withDescriptions(
    tool,
    new Map([[cursor.input, `${ended(said)} For the next page: ${at} of the previous result.`]]),
  );
}
