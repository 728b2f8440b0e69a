import { isObject, type JsonSchema } from "../../json.js";
import type { ClassifiedOperation } from "../classify.js";
import type { Collection } from "../collections.js";
import { type Envelope, findListEnvelope, itemEnvelopeCandidates } from "../pagination/envelope.js";
import { objectFields } from "../schema-fields.js";
import { refName, resolveSchema, type Schemas } from "../schemas/refs.js";
import { isSameJson } from "../schemas/values.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";
import { type MergedInputs, mergeInputs } from "./merge-inputs.js";
import { inferVariants, type Member, type Variant } from "./variants.js";

/** Operations that are one `find_…` tool. */
export interface FindMerge {
  readonly collection: Collection;
  /** The most general first: it gives the tool its name and toolset. */
  readonly members: readonly Member[];
  readonly variants: readonly Variant[];
  readonly inputs: MergedInputs;
  /** Schema of one item: the union where a get returns more than the list. */
  readonly item: JsonSchema;
}

/** An operation that could not join, and the rule that stopped it. */
export interface MergeRejection {
  readonly rejected: ClassifiedOperation;
  readonly base: ClassifiedOperation;
  readonly reason: string;
  /** A list and a search of the same things: each should speak of the other. */
  readonly siblings?: "search" | "update";
}

/**
 * Puts the operations of a collection together, as far as nothing of them is lost. The list comes
 * first, then the get, then the searches; each joins on its own, so that one which does not fit
 * leaves the others alone.
 */
export function planFindMerge(
  collection: Collection,
  request: (subject: ClassifiedOperation) => PlannedRequest,
  context: ToolContext,
): { readonly find?: FindMerge; readonly refusals: readonly MergeRejection[] } {
  const { list, searches, get } = collection;
  const [base, ...rest] = [...(list ? [list] : []), ...searches];
  if (!base || (rest.length === 0 && !get)) return { refusals: [] };
  const envelope =
    responseSchema(base) &&
    findListEnvelope(responseSchema(base) as JsonSchema, collection.words, context.schemas);
  const others = [...(get ? [get] : []), ...rest];
  if (!envelope)
    return {
      refusals: [
        {
          rejected: others[0] as ClassifiedOperation,
          base,
          reason: "the list in its answer cannot be told",
        },
      ],
    };
  let find: FindMerge = {
    collection,
    members: [{ role: list ? "list" : "search", request: request(base), envelope }],
    variants: [],
    inputs: { inputs: [], defs: {} },
    item: envelope.item,
  };
  const refusals: MergeRejection[] = [];
  for (const subject of others) {
    const reason = addMember(find, subject, base, request, context);
    if (typeof reason === "string")
      refusals.push({
        rejected: subject,
        base,
        reason,
        ...(subject !== get && base === list && { siblings: "search" as const }),
      });
    else find = reason;
  }
  return find.members.length > 1 ? { find, refusals } : { refusals };
}

function addMember(
  find: FindMerge,
  subject: ClassifiedOperation,
  base: ClassifiedOperation,
  request: (subject: ClassifiedOperation) => PlannedRequest,
  context: ToolContext,
): FindMerge | string {
  const obstacle = preliminaryConflict(subject, base, context);
  if (obstacle !== undefined) return obstacle;
  const role = subject === find.collection.get ? "get" : "search";
  const found = role === "get" ? itemIn(subject, find, context) : listIn(subject, find, context);
  if (typeof found === "string") return found;
  const members = [
    ...find.members,
    { role, request: request(subject), envelope: found.envelope } as const,
  ];
  const inputs = mergeInputs(members);
  if (typeof inputs === "string") return inputs;
  const variants = inferVariants(members);
  return typeof variants === "string"
    ? variants
    : { ...find, members, inputs, variants, item: found.item };
}

/** What keeps two operations apart before their inputs and results are looked at. */
function preliminaryConflict(
  { operation, successResponses }: ClassifiedOperation,
  { operation: base, successResponses: baseSuccess }: ClassifiedOperation,
  { security }: ToolContext,
): string | undefined {
  if (!isSameJson(security.overrideOf(operation), security.overrideOf(base)))
    return "they need different credentials";
  if (!isSameJson(operation.servers, base.servers)) return "they are on different servers";
  if (operation.deprecated !== base.deprecated) return "one of them is deprecated";
  if ([...successResponses, ...baseSuccess].some(({ contents }) => contents.length === 0))
    return "one of them may answer with nothing";
  return undefined;
}

type ItemMatch = { readonly envelope: Envelope; readonly item: JsonSchema } | string;

function itemIn(
  subject: ClassifiedOperation,
  { item, collection }: FindMerge,
  { schemas }: ToolContext,
): ItemMatch {
  const answer = responseSchema(subject);
  if (!answer) return "its answer is not one JSON object";
  let why = "";
  for (const envelope of itemEnvelopeCandidates(answer, collection.words, schemas)) {
    const sameness = compareItems(item, envelope.item, schemas);
    if (sameness.same) return { envelope, item: sameness.item };
    why ||= sameness.why;
  }
  return why;
}

function listIn(
  subject: ClassifiedOperation,
  { item, collection }: FindMerge,
  { schemas }: ToolContext,
): ItemMatch {
  const answer = responseSchema(subject);
  const envelope = answer && findListEnvelope(answer, collection.words, schemas);
  if (!envelope) return "the list in its answer cannot be told";
  const sameness = compareItems(envelope.item, item, schemas);
  return sameness.same ? { envelope, item: sameness.item } : sameness.why;
}

/** The one JSON schema of a success. */
export function responseSchema({ jsonContents }: ClassifiedOperation): JsonSchema | undefined {
  const [first, ...others] = jsonContents;
  return first?.schema && others.every(({ schema }) => isSameJson(schema, first.schema))
    ? first.schema
    : undefined;
}

export type ItemComparison =
  | { readonly same: true; readonly item: JsonSchema }
  | { readonly same: false; readonly why: string };

/**
 * Whether the items of a list and what a get returns are one kind of thing. They are when they have
 * the same schema, when one is an alternative of the other (a customer, or a deleted one), or when
 * the get has every field of the list's items and more. Then the result is the union of both, so
 * that nothing is lost.
 */
export function compareItems(
  listed: JsonSchema,
  got: JsonSchema,
  schemas: Schemas,
): ItemComparison {
  const [a, b] = [targetSchemaName(listed, schemas), targetSchemaName(got, schemas)];
  if (a !== undefined && a === b) return { same: true, item: listed };
  if (a === undefined && b === undefined && isSameJson(listed, got))
    return { same: true, item: listed };
  if (isAlternative(a, got, schemas)) return { same: true, item: got };
  if (isAlternative(b, listed, schemas)) return { same: true, item: listed };
  const [less, more] = [objectFields(listed, schemas), objectFields(got, schemas)];
  if (!less || !more || less.size === 0 || more.size === 0)
    return { same: false, why: "their results are not of one kind" };
  const missing = [...less.keys()].filter((name) => !more.has(name));
  if (missing.length > 0)
    return {
      same: false,
      why: `one item has fields that another has not (${missing.slice(0, 3).join(", ")})`,
    };
  return { same: true, item: { anyOf: [got, listed] } };
}

/** The name of a schema, behind names that only stand for others. */
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
