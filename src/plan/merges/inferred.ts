import { collectionsOf, type Collection } from "../collections.js";
import { planFindMerge, type FindMerge, type MergeRejection } from "./find.js";
import { planFindResult, type FindResult } from "./find-tool.js";
import { rejectUpdate, updatePairs, type UpdateMerge } from "./update.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/** Operations that inference merges, and rejected merges with reasons. */
interface InferredMerges {
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
 * @param isSettled whether the configuration decides about an operation's tool; inference then only
 * reports relations to other operations
 */
export function inferMerges(
  operations: readonly ClassifiedOperation[],
  settled: (classified: ClassifiedOperation) => boolean,
  request: Request,
  context: ToolContext,
): InferredMerges {
  const finds = new Map<ClassifiedOperation, { find: FindMerge; result: FindResult }>();
  const rejections: MergeRejection[] = [];
  for (const collection of collectionsOf(operations)) {
    const inferred = planFindMerge(collection, request, context);
    rejections.push(...inferred.refusals);
    const find = collectionMembers(collection).some(settled)
      ? mergeUnsettled(collection, settled, request, context)
      : inferred.find;
    const reason = find && planFindResult(find, context);
    if (!find || reason === undefined) continue;
    const [base, ...others] = find.members.map((member) => member.request.classified) as [
      ClassifiedOperation,
      ...ClassifiedOperation[],
    ];
    if (typeof reason === "string")
      rejections.push(
        ...others.map((classified): MergeRejection => ({ rejected: classified, base, reason })),
      );
    else {
      const entry = { find, result: reason };
      for (const candidate of [base, ...others]) finds.set(candidate, entry);
    }
  }
  const pairs = updatePairs(operations).map((update) => ({
    update,
    refusal: rejectUpdate(update, request, context),
  }));
  rejections.push(...pairs.flatMap(({ refusal: rejection }) => rejection ?? []));
  const unsettled = pairs.filter(
    ({ update: { patch, put }, refusal: rejection }) =>
      !rejection && !settled(patch) && !settled(put),
  );
  return {
    finds,
    updates: new Map(
      unsettled.flatMap(({ update }) => [
        [update.patch, update] as const,
        [update.put, update] as const,
      ]),
    ),
    rejections,
  };
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
