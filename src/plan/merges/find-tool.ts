import { toSingleLine } from "../../diagnostics/text.js";
import { type JsonSchema, omitUndefined } from "../../json.js";
import { splitPointer } from "../../json-pointer.js";
import type { OperationBinding, PaginationMapping, ResponseMapping } from "../../runtime/types.js";
import { requestMapping, withoutNamespace } from "../tool.js";
import { operationLabel } from "../operations/identity.js";
import type { OutputPlan } from "../outputs/plan-output.js";
import { hasLinkHeader, pageInputs, splitPaginationFields } from "../pagination/detect.js";
import type { EnvelopeField } from "../pagination/envelope.js";
import { nextPageSentence } from "../pagination/follow-pages.js";
import { inputNames, type Member } from "./variants.js";
import { appendSentences } from "../text/sentences.js";
import { allFields } from "../schemas/flat-object.js";
import type { ToolContext } from "../tool-context.js";
import type { PlannedTool } from "../types.js";
import { findText } from "./find-description.js";
import type { FindMerge } from "./find.js";
import type { MergedInput } from "./merge-inputs.js";
import { buildMergedTool } from "./merged-tool.js";

/** Builds the tool of a collection. */
export function buildFindTool(
  find: FindMerge,
  result: FindResult,
  name: string,
  toolset: string,
  context: ToolContext,
): PlannedTool {
  const inputs = find.inputs.inputs.map((merged) => describeUsage(merged, find, result.nextInputs));
  const ownName = withoutNamespace(name, context);
  const { output } = result;
  const parts = {
    requests: find.members.map(({ request }) => request),
    inputs,
    defs: find.inputs.defs,
    output,
    bindings: find.variants.map(({ member, whenProvided }) =>
      buildOperation(member, whenProvided, result, context),
    ),
    text: findText(find, ownName, context.describeOutput(output), context.crossReferences),
    reason: findReason(find),
  };
  return { ...buildMergedTool(parts, name, toolset, context), ...listedFields(find, context) };
}

/** Fields of the items of the lists, where the result by ID has further ones. */
function listedFields(
  { members, item }: FindMerge,
  { schemas }: ToolContext,
): Pick<PlannedTool, "listedFields"> {
  const lists = members.filter(({ role }) => role !== "get");
  if (lists.length === 0 || lists.length === members.length) return {};
  const fields = lists.flatMap(({ envelope }) => [...allFields(envelope.item, schemas).keys()]);
  const isAll = new Set(fields).size >= allFields(item, schemas).size;
  return fields.length === 0 || isAll ? {} : { listedFields: [...new Set(fields)] };
}

/** Operation of one member, as data. */
export function buildOperation(
  member: Member,
  whenProvided: readonly string[],
  { responses, pagination }: FindResult,
  context: ToolContext,
): OperationBinding {
  const binding = pagination.get(member);
  return {
    whenProvided,
    request: requestMapping(member.request, context),
    response: responses.get(member) ?? {},
    ...(binding && { pagination: binding }),
  };
}

function findReason({ members, collection }: FindMerge): string {
  const names = members.map(({ request }) => operationLabel(request.classified)).join(", ");
  const path = toSingleLine(collection.path);
  return `Merges ${names}: they read ${path}, with the same credentials and the same result.`;
}

/**
 * Adds to an input the inputs it cannot be combined with, and the source of its value for the next
 * page.
 */
export function describeUsage(
  { input, schema }: MergedInput,
  find: FindMerge,
  nextInputs: FindResult["nextInputs"],
): MergedInput {
  const sentence = [
    exclusionSentence(input.name, find),
    nextInputs.has(input.name) ? nextPageSentence(input.name) : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
  if (sentence === "") return { input, schema };
  const description = appendSentences(input.description, sentence);
  return { input: { ...input, description }, schema: { ...schema, description } };
}

function exclusionSentence(name: string, { variants, inputs }: FindMerge): string {
  const selecting = variants.filter(({ whenProvided }) => whenProvided.includes(name));
  if (selecting.length === 0) return "";
  const usable = new Set(selecting.flatMap(({ member }) => inputNames(member)));
  const others = inputs.inputs
    .map(({ input }) => input.name)
    .filter((candidate) => !usable.has(candidate));
  if (others.length === 0) return "";
  if (others.length <= 3) return `Not together with ${others.join(", ")}.`;
  const required = new Set(
    inputs.inputs.filter(({ input }) => input.required).map(({ input }) => input.name),
  );
  const partners = [...usable].filter((other) => other !== name && !required.has(other));
  return partners.length === 0
    ? required.size === 0
      ? "Give it alone."
      : "Give it without other filters."
    : partners.length <= 4
      ? `Goes only with ${partners.join(", ")}.`
      : `Not together with ${others.slice(0, 3).join(", ")} and other filters.`;
}

/** Result of a `find_…` tool, and the mapping of each member's response. */
export interface FindResult {
  readonly output: OutputPlan;
  readonly responses: ReadonlyMap<Member, ResponseMapping>;
  /** For responses with a link to the next page that inputs can follow. */
  readonly pagination: ReadonlyMap<Member, PaginationMapping>;
  /** Inputs with a value for the next page under `next`. */
  readonly nextInputs: ReadonlySet<string>;
}

/**
 * Plans the result of a `find_…` tool: `{items, next}` from any envelope, with all other fields of
 * the envelopes under their own names.
 */
export function planFindResult(find: FindMerge, context: ToolContext): FindResult | string {
  const next = new Map<string, JsonSchema>();
  const rest = new Map<string, JsonSchema>();
  const responses = new Map<Member, ResponseMapping>();
  const pagination = new Map<Member, PaginationMapping>();
  for (const member of find.members) {
    const paginationFields = splitPaginationFields(
      member.envelope.otherFields,
      member.request.inputs.inputs,
      context.schemas,
    );
    for (const field of paginationFields.next)
      next.set(field.name, unionSchema(next.get(field.name), field.schema));
    for (const field of paginationFields.otherFields) {
      if (field.name === "items" || field.name === "next")
        return `its response already has a field ${field.name}`;
      rest.set(field.name, unionSchema(rest.get(field.name), field.schema));
    }
    responses.set(
      member,
      findResponse(member, paginationFields.next, paginationFields.otherFields),
    );
    const binding = linkPagination(member, paginationFields.next);
    if (!binding) continue;
    pagination.set(member, binding);
    for (const { name, type } of pageInputs(member.request))
      if (!next.has(name)) next.set(name, type);
  }
  const inputs = new Set(find.inputs.inputs.map(({ input }) => input.name));
  return {
    output: findOutput(find, next, rest, context),
    responses,
    pagination,
    nextInputs: new Set([...next.keys()].filter((name) => inputs.has(name))),
  };
}

/** Link to the next page in a response or its `Link` header. Needs inputs that select a page. */
function linkPagination(
  member: Member,
  next: readonly EnvelopeField[],
): PaginationMapping | undefined {
  if (member.role === "get" || pageInputs(member.request).length === 0) return undefined;
  const inputs = new Set(inputNames(member));
  const link = next.find(({ name }) => !inputs.has(name));
  const header = hasLinkHeader(member.request.classified);
  return header || link
    ? { ...(header && { linkHeader: true as const }), ...(link && { link: link.pointer }) }
    : undefined;
}

function findResponse(
  { role, envelope }: Member,
  next: readonly EnvelopeField[],
  rest: readonly EnvelopeField[],
): ResponseMapping {
  const pointers = (fields: readonly EnvelopeField[]): Record<string, string> =>
    Object.fromEntries(fields.map(({ name, pointer }) => [name, pointer]));
  return omitUndefined({
    item: role === "get" ? envelope.pointer : undefined,
    items: role === "get" ? undefined : envelope.pointer,
    next: next.length > 0 ? pointers(next) : undefined,
    extraFields: rest.length > 0 ? pointers(rest) : undefined,
  });
}

function unionSchema(existing: JsonSchema | undefined, schema: JsonSchema): JsonSchema {
  return existing === undefined || JSON.stringify(existing) === JSON.stringify(schema)
    ? schema
    : { anyOf: [existing, schema] };
}

function findOutput(
  { item, members }: FindMerge,
  next: ReadonlyMap<string, JsonSchema>,
  rest: ReadonlyMap<string, JsonSchema>,
  context: ToolContext,
): OutputPlan {
  const items: JsonSchema = { type: "array", items: item };
  const envelope: JsonSchema = {
    type: "object",
    properties: {
      items,
      ...(next.size > 0 && { next: { type: "object", properties: Object.fromEntries(next) } }),
      ...Object.fromEntries(rest),
    },
    required: ["items"],
  };
  const { request, envelope: listEnvelope } = members[0] as Member;
  const { classified } = request;
  const listName = splitPointer(listEnvelope.pointer).at(-1);
  const content = {
    mediaType: "application/json",
    schema: envelope,
    location: classified.operation.location,
  };
  const planned = context.planOutput({
    ...classified,
    successResponses: [{ status: "200", contents: [content], headers: [] }],
    jsonContents: [content],
  }) as OutputPlan;
  return {
    ...planned,
    // Describes the common fields of the items. A get may return more.
    responseSchema: { type: "array", items: listEnvelope.item },
    wrap: "items",
    ...(listName !== undefined && { listName }),
    schema: requireItems(planned.schema),
  };
}

/** The list is always there, whatever its items are. */
function requireItems(schema: JsonSchema): JsonSchema {
  const { items = {}, ...others } = schema.properties ?? {};
  return {
    ...schema,
    properties: { items: { ...(items as JsonSchema), type: "array" }, ...others },
    required: ["items"],
  };
}
