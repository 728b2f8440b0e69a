import { collectionsOf, type Collection } from "../collections.js";
import { planFindMerge, type FindMerge, type MergeRejection } from "./find.js";
import { planFindResult, type FindResult } from "./find-tool.js";
import { rejectUpdate, updatePairs, type UpdateMerge } from "./update.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** Operations that inference merges, and rejected merges with reasons. */
export interface InferredMerges {
  readonly finds: ReadonlyMap<
    ClassifiedOperation,
    { readonly find: FindMerge; readonly result: FindResult }
  >;
  readonly updates: ReadonlyMap<ClassifiedOperation, UpdateMerge>;
  readonly rejections: readonly MergeRejection[];
}

export const NO_MERGES: InferredMerges = { finds: new Map(), updates: new Map(), rejections: [] };

type Request = (classified: ClassifiedOperation) => PlannedRequest;

/**
 * Infers merges from the resources of the operations.
 * @param isSettled whether the configuration decides about an operation's tool; inference then only
 * reports relations to other operations
 */
export function inferMerges(
  operations: readonly ClassifiedOperation[],
  isSettled: (classified: ClassifiedOperation) => boolean,
  request: Request,
  context: ToolContext,
): InferredMerges {
  const { finds, rejections } = inferFinds(operations, isSettled, request, context);
  const pairs = updatePairs(operations).map((update) => ({
    update,
    rejection: rejectUpdate(update, request, context),
  }));
  const updates = pairs.flatMap(({ update, rejection }) =>
    rejection || isSettled(update.patch) || isSettled(update.put)
      ? []
      : [[update.patch, update] as const, [update.put, update] as const],
  );
  return {
    finds,
    updates: new Map(updates),
    rejections: [...rejections, ...pairs.flatMap(({ rejection }) => rejection ?? [])],
  };
}

/** Infers the `find_…` tools of collections. */
function inferFinds(
  operations: readonly ClassifiedOperation[],
  isSettled: (classified: ClassifiedOperation) => boolean,
  request: Request,
  context: ToolContext,
): Pick<InferredMerges, "finds" | "rejections"> {
  const finds = new Map<ClassifiedOperation, { find: FindMerge; result: FindResult }>();
  const rejections: MergeRejection[] = [];
  for (const collection of collectionsOf(operations)) {
    const inferred = planFindMerge(collection, request, context);
    rejections.push(...inferred.rejections);
    const find = collectionMembers(collection).some(isSettled)
      ? mergeUnsettled(collection, isSettled, request, context)
      : inferred.find;
    const result = find && planFindResult(find, context);
    if (!find || result === undefined) continue;
    const members = find.members.map((member) => member.request.classified);
    if (typeof result === "string") rejections.push(...rejectionsOf(members, result));
    else {
      const entry = { find, result };
      for (const member of members) finds.set(member, entry);
    }
  }
  return { finds, rejections };
}

/** Rejections of all members but the first, which is the base of the merge. */
function rejectionsOf(
  members: readonly ClassifiedOperation[],
  reason: string,
): readonly MergeRejection[] {
  const [base, ...others] = members as [ClassifiedOperation, ...ClassifiedOperation[]];
  return others.map((rejected) => ({ rejected, base, reason }));
}

function collectionMembers({ list, get, searches }: Collection): readonly ClassifiedOperation[] {
  return [...(list ? [list] : []), ...(get ? [get] : []), ...searches];
}

/** Merges a collection without settled operations. */
function mergeUnsettled(
  { list, get, searches, ...rest }: Collection,
  isSettled: (classified: ClassifiedOperation) => boolean,
  request: Request,
  context: ToolContext,
): FindMerge | undefined {
  const unsettled: Collection = {
    ...rest,
    ...(list && !isSettled(list) && { list }),
    ...(get && !isSettled(get) && { get }),
    searches: searches.filter((search) => !isSettled(search)),
  };
  return planFindMerge(unsettled, request, context).find;
}
