import type { JsonSchema } from "../../json.js";
import type { Subject } from "../kind.js";
import { sameJson } from "../schema/values.js";
import type { PlannedRequest, ToolContext } from "../tool.js";
import type { Collection } from "./collections.js";
import { itemEnvelopes, listEnvelope, type Envelope } from "./envelope.js";
import { mergeInputs, type MergedInputs } from "./merge-inputs.js";
import type { Member, Variant } from "./member.js";
import { sameItem } from "./same-item.js";
import { variantsOf } from "./variants.js";

/** Operations that are one `find_…` tool. */
export interface Find {
  readonly collection: Collection;
  /** The most general first: it gives the tool its name and toolset. */
  readonly members: readonly Member[];
  readonly variants: readonly Variant[];
  readonly inputs: MergedInputs;
  /** Schema of one item: the union where a get returns more than the list. */
  readonly item: JsonSchema;
}

/** An operation that could not join, and the rule that stopped it. */
export interface Refusal {
  readonly subject: Subject;
  readonly base: Subject;
  readonly why: string;
  /** A list and a search of the same things: each should speak of the other. */
  readonly siblings?: "search" | "update";
}

/**
 * Puts the operations of a collection together, as far as nothing of them is lost. The list comes
 * first, then the get, then the searches; each joins on its own, so that one which does not fit
 * leaves the others alone.
 */
export function formFind(
  collection: Collection,
  request: (subject: Subject) => PlannedRequest,
  context: ToolContext,
): { readonly find?: Find; readonly refusals: readonly Refusal[] } {
  const { list, searches, get } = collection;
  const [base, ...rest] = [...(list ? [list] : []), ...searches];
  if (!base || (rest.length === 0 && !get)) return { refusals: [] };
  const envelope =
    answerOf(base) && listEnvelope(answerOf(base) as JsonSchema, collection.words, context.schemas);
  const others = [...(get ? [get] : []), ...rest];
  if (!envelope)
    return {
      refusals: [
        { subject: others[0] as Subject, base, why: "the list in its answer cannot be told" },
      ],
    };
  let find: Find = {
    collection,
    members: [{ role: list ? "list" : "search", request: request(base), envelope }],
    variants: [],
    inputs: { inputs: [], defs: {} },
    item: envelope.item,
  };
  const refusals: Refusal[] = [];
  for (const subject of others) {
    const joined = join(find, subject, base, request, context);
    if (typeof joined === "string")
      refusals.push({
        subject,
        base,
        why: joined,
        ...(subject !== get && base === list && { siblings: "search" as const }),
      });
    else find = joined;
  }
  return find.members.length > 1 ? { find, refusals } : { refusals };
}

function join(
  find: Find,
  subject: Subject,
  base: Subject,
  request: (subject: Subject) => PlannedRequest,
  context: ToolContext,
): Find | string {
  const obstacle = obstacleTo(subject, base, context);
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
  const variants = variantsOf(members);
  return typeof variants === "string"
    ? variants
    : { ...find, members, inputs, variants, item: found.item };
}

/** What keeps two operations apart before their inputs and results are looked at. */
function obstacleTo(
  { operation, success }: Subject,
  { operation: base, success: baseSuccess }: Subject,
  { security }: ToolContext,
): string | undefined {
  if (!sameJson(security.ownOf(operation), security.ownOf(base)))
    return "they need different credentials";
  if (!sameJson(operation.servers, base.servers)) return "they are on different servers";
  if (operation.deprecated !== base.deprecated) return "one of them is deprecated";
  if ([...success, ...baseSuccess].some(({ contents }) => contents.length === 0))
    return "one of them may answer with nothing";
  return undefined;
}

type Found = { readonly envelope: Envelope; readonly item: JsonSchema } | string;

function itemIn(subject: Subject, { item, collection }: Find, { schemas }: ToolContext): Found {
  const answer = answerOf(subject);
  if (!answer) return "its answer is not one JSON object";
  let why = "";
  for (const envelope of itemEnvelopes(answer, collection.words, schemas)) {
    const sameness = sameItem(item, envelope.item, schemas);
    if (sameness.same) return { envelope, item: sameness.item };
    why ||= sameness.why;
  }
  return why;
}

function listIn(subject: Subject, { item, collection }: Find, { schemas }: ToolContext): Found {
  const answer = answerOf(subject);
  const envelope = answer && listEnvelope(answer, collection.words, schemas);
  if (!envelope) return "the list in its answer cannot be told";
  const sameness = sameItem(envelope.item, item, schemas);
  return sameness.same ? { envelope, item: sameness.item } : sameness.why;
}

/** The one JSON schema of a success. */
export function answerOf({ json }: Subject): JsonSchema | undefined {
  const [first, ...others] = json;
  return first?.schema && others.every(({ schema }) => sameJson(schema, first.schema))
    ? first.schema
    : undefined;
}
