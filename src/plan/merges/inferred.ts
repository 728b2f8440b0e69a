import type { ClassifiedOperation } from "../classify.js";
import { collectionsOf, type Collection } from "../collections.js";
import { planFindMerge, type FindMerge, type MergeRejection } from "./find.js";
import { planFindResult, type FindResult } from "./find-tool.js";
import { rejectUpdate, updatePairs, type UpdateMerge } from "./update.js";
import type { PlannedRequest, ToolContext } from "../tool-context.js";

/** Which operations are one tool by inference, and why others are not. */
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
 * @param settled operations whose tool people have decided on: of these, inference says only what
 *   they have to do with others
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
      for (const subjectOperation of [base, ...others]) finds.set(subjectOperation, entry);
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

/** What becomes of a collection without the operations that people have decided on. */
function mergeUnsettled(
  { list, get, searches, ...rest }: Collection,
  settled: (classified: ClassifiedOperation) => boolean,
  request: Request,
  context: ToolContext,
): FindMerge | undefined {
  const unsettled: Collection = {
    ...rest,
    ...(list && !settled(list) && { list }),
    ...(get && !settled(get) && { get }),
    searches: searches.filter((search) => !settled(search)),
  };
  return planFindMerge(unsettled, request, context).find;
}
