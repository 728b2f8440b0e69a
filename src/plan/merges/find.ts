import { isObject, isSameJson, type JsonSchema } from "../../json.js";
import type { Collection } from "../related-operations.js";
import { type Envelope, findListEnvelope, itemEnvelopeCandidates } from "../pagination/envelope.js";
import { objectFields } from "../schemas/flat-object.js";
import { refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";
import { type MergedInputs, mergeInputs, withSelectableId } from "./merge-inputs.js";
import { inferVariants, type Member, type Variant } from "./variants.js";
import { isUnavailable } from "../operations/availability.js";
import type { ClassifiedOperation } from "../operations/types.js";

/** Operations that become one `find_…` tool. */
export interface FindMerge {
  readonly collection: Collection;
  /** Most general first. It gives the tool its name and toolset. */
  readonly members: readonly Member[];
  readonly variants: readonly Variant[];
  readonly inputs: MergedInputs;
  /** Schema of one item: a union if a get returns more than the list. */
  readonly item: JsonSchema;
}

/** Operation that was not merged, with the reason. */
export interface MergeRejection {
  readonly rejected: ClassifiedOperation;
  readonly base: ClassifiedOperation;
  readonly reason: string;
  /** Related tools, which mention each other: list and search, or update and replace. */
  readonly siblings?: "search" | "update";
}

/**
 * Merges the operations of a collection, as long as nothing is lost. The list comes first, then the
 * get, then the searches. Each is merged separately, so a conflict does not affect the others.
 */
export function planFindMerge(
  collection: Collection,
  request: (classified: ClassifiedOperation) => PlannedRequest,
  context: ToolContext,
): { readonly find?: FindMerge; readonly rejections: readonly MergeRejection[] } {
  const { list, searches, get } = collection;
  const [base, ...searchesLeft] = [...(list ? [list] : []), ...searches];
  if (!base || (searchesLeft.length === 0 && !get)) return { rejections: [] };
  const others = [...(get ? [get] : []), ...searchesLeft];
  const body = responseSchema(base);
  const envelope = body && findListEnvelope(body, collection.words, context.schemas);
  if (!envelope) {
    const rejected = others[0] as ClassifiedOperation;
    return { rejections: [{ rejected, base, reason: AMBIGUOUS_LIST }] };
  }
  let find: FindMerge = {
    collection,
    members: [{ role: list ? "list" : "search", request: request(base), envelope }],
    variants: [],
    inputs: { inputs: [], defs: {} },
    item: envelope.item,
  };
  const rejections: MergeRejection[] = [];
  for (const rejected of others) {
    const extended = addMember(find, rejected, base, request, context);
    const isSibling = rejected !== get && base === list;
    if (typeof extended !== "string") find = extended;
    else
      rejections.push({
        rejected,
        base,
        reason: extended,
        ...(isSibling && { siblings: "search" }),
      });
  }
  return find.members.length > 1 ? { find, rejections } : { rejections };
}

const AMBIGUOUS_LIST = "the list in its response is ambiguous";

function addMember(
  find: FindMerge,
  classified: ClassifiedOperation,
  base: ClassifiedOperation,
  request: (candidate: ClassifiedOperation) => PlannedRequest,
  context: ToolContext,
): FindMerge | string {
  const conflict = preliminaryConflict(classified, base, context);
  if (conflict !== undefined) return conflict;
  const role = classified === find.collection.get ? "get" : "search";
  const match =
    role === "get" ? itemIn(classified, find, context) : listIn(classified, find, context);
  if (typeof match === "string") return match;
  const members = [
    ...find.members,
    {
      role,
      request: withSelectableId(role, request(classified)),
      envelope: match.envelope,
    } as const,
  ];
  const inputs = mergeInputs(members);
  if (typeof inputs === "string") return inputs;
  const variants = inferVariants(members);
  return typeof variants === "string"
    ? variants
    : { ...find, members, inputs, variants, item: match.item };
}

/** Conflict that is visible without inputs and results. */
function preliminaryConflict(
  { operation, successResponses }: ClassifiedOperation,
  { operation: base, successResponses: baseResponses }: ClassifiedOperation,
  { security }: ToolContext,
): string | undefined {
  if (!isSameJson(security.overrideOf(operation), security.overrideOf(base)))
    return "they need different credentials";
  if (!isSameJson(operation.servers, base.servers)) return "they are on different servers";
  if (operation.deprecated !== base.deprecated) return "one of them is deprecated";
  if (isUnavailable(operation) !== isUnavailable(base)) return "one of them is not available";
  if ([...successResponses, ...baseResponses].some(({ contents }) => contents.length === 0))
    return "one of them may return nothing";
  return undefined;
}

type ItemMatch = { readonly envelope: Envelope; readonly item: JsonSchema } | string;

function itemIn(
  classified: ClassifiedOperation,
  { item, collection }: FindMerge,
  { schemas }: ToolContext,
): ItemMatch {
  const responseBody = responseSchema(classified);
  if (!responseBody) return "its response is not one JSON object";
  let reason = "";
  for (const envelope of itemEnvelopeCandidates(responseBody, collection.words, schemas)) {
    const comparison = compareItems(item, envelope.item, schemas);
    if (comparison.same) return { envelope, item: comparison.item };
    reason ||= comparison.why;
  }
  return reason;
}

function listIn(
  classified: ClassifiedOperation,
  { item, collection }: FindMerge,
  { schemas }: ToolContext,
): ItemMatch {
  const responseBody = responseSchema(classified);
  const envelope = responseBody && findListEnvelope(responseBody, collection.words, schemas);
  if (!envelope) return AMBIGUOUS_LIST;
  const comparison = compareItems(envelope.item, item, schemas);
  return comparison.same ? { envelope, item: comparison.item } : comparison.why;
}

/** Common JSON schema of all success responses. */
export function responseSchema({ jsonContents }: ClassifiedOperation): JsonSchema | undefined {
  const [first, ...others] = jsonContents;
  return first?.schema && others.every(({ schema }) => isSameJson(schema, first.schema))
    ? first.schema
    : undefined;
}

type ItemComparison =
  | { readonly same: true; readonly item: JsonSchema }
  | { readonly same: false; readonly why: string };

/**
 * Compares the items of a list with the result of a get. They match if they have the same schema,
 * if one is an alternative of the other (a customer, or a deleted one), or if the get has all
 * fields of the items. The merged item is the union.
 */
export function compareItems(
  listItem: JsonSchema,
  getItem: JsonSchema,
  schemas: Schemas,
): ItemComparison {
  const [a, b] = [targetSchemaName(listItem, schemas), targetSchemaName(getItem, schemas)];
  if (a !== undefined && a === b) return { same: true, item: listItem };
  if (a === undefined && b === undefined && isSameJson(listItem, getItem))
    return { same: true, item: listItem };
  if (isAlternative(a, getItem, schemas)) return { same: true, item: getItem };
  if (isAlternative(b, listItem, schemas)) return { same: true, item: listItem };
  const [listFields, getFields] = [objectFields(listItem, schemas), objectFields(getItem, schemas)];
  if (!listFields || !getFields || listFields.size === 0 || getFields.size === 0)
    return { same: false, why: "their results have different schemas" };
  const missing = [...listFields.keys()].filter((name) => !getFields.has(name));
  if (missing.length > 0)
    return {
      same: false,
      why: `one item has fields that the other lacks (${missing.slice(0, 3).join(", ")})`,
    };
  return { same: true, item: { anyOf: [getItem, listItem] } };
}

/** Name of a schema behind aliases. */
function targetSchemaName(schema: JsonSchema, schemas: Schemas): string | undefined {
  let name = refName(schema);
  for (let hop = 0; name !== undefined && hop < 32; hop++) {
    const next: string | undefined = Object.hasOwn(schemas, name)
      ? refName(schemas[name] as JsonSchema)
      : undefined;
    if (next === undefined) return name;
    name = next;
  }
  return name;
}

function isAlternative(name: string | undefined, schema: JsonSchema, schemas: Schemas): boolean {
  if (name === undefined) return false;
  const { anyOf, oneOf, properties } = resolveSchema(schemas, schema);
  if (properties) return false;
  return [...(anyOf ?? []), ...(oneOf ?? [])].some(
    (part) => isObject(part) && targetSchemaName(part as JsonSchema, schemas) === name,
  );
}
