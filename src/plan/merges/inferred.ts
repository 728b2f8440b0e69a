import { pushTo } from "../../groups.js";
import { isPlural } from "../../language/grammar.js";
import type { ClassifiedOperation } from "../operations/types.js";
import { operationKey, operationLabel } from "../operations/identity.js";
import { segmentWords } from "../operations/path.js";
import { type Collection, collectionsOf } from "../related-operations.js";
import type { Alternative } from "../text/parts.js";
import type { PlannedRequest, PlannedTask, ToolContext } from "../tool-context.js";
import { type FindResult, planFindResult } from "./find-tool.js";
import { type FindMerge, type MergeRejection, planFindMerge } from "./find.js";
import { rejectUpdate, type UpdateMerge, updatePairs } from "./update.js";

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

/**
 * Sentences in which related tools mention each other: that of the rejected tool, then that of its
 * base.
 */
const SIBLING_ADVICE = {
  search: ["To list without a search,", "To search,"],
  update: ["To change only some of it,", undefined],
} as const;

/**
 * Adds the reasons of rejected merges to both tools. Tools that are easily confused mention each
 * other.
 */
export function addRejectionNotes(
  tools: readonly PlannedTask[],
  rejections: readonly MergeRejection[],
  operations: readonly ClassifiedOperation[],
): readonly PlannedTask[] {
  const collectionPairs = collectionWrites(operations);
  if (rejections.length + collectionPairs.length === 0) return tools;
  const toolOf = new Map(
    tools.flatMap(({ tool }) =>
      tool.operations.map((operation) => [operationKey(operation), tool.definition.name] as const),
    ),
  );
  const notes = new Map<string, Note[]>();
  const relations: readonly Relation[] = [
    ...rejections.flatMap(relationsOf),
    ...collectionPairs.map(({ all, one }) => ({ from: all, to: one, advice: "For one of them" })),
  ];
  for (const relation of relations) {
    const key = operationKey(relation.from.operation);
    const sibling = toolOf.get(operationKey(relation.to.operation));
    const isSameTool = sibling !== undefined && sibling === toolOf.get(key);
    if (!isSameTool) pushTo(notes, key, noteAbout(relation, sibling));
  }
  return tools.map((task) =>
    addNotes(
      task,
      task.tool.operations.flatMap((operation) => notes.get(operationKey(operation)) ?? []),
    ),
  );
}

/** An operation that the tool of another one mentions. */
interface Relation {
  readonly from: ClassifiedOperation;
  readonly to: ClassifiedOperation;
  /** Reason against a merge. */
  readonly why?: string;
  /** Beginning of a sentence that recommends the other tool. */
  readonly advice?: string | undefined;
}

/** Relations of both operations of a rejected merge. */
function relationsOf({
  rejected,
  base,
  reason: why,
  siblings,
}: MergeRejection): readonly Relation[] {
  const [rejectedAdvice, baseAdvice] = siblings ? SIBLING_ADVICE[siblings] : [];
  // `Add a joke` by PUT changes no existing one.
  const isAddition = siblings === "update" && rejected.effects.effect === "adds";
  return [
    { from: rejected, to: base, why, advice: isAddition ? undefined : rejectedAdvice },
    { from: base, to: rejected, why, advice: baseAdvice },
  ];
}

/** A note for a tool about a related operation, which the tool `sibling` has. */
function noteAbout({ to, why, advice }: Relation, sibling: string | undefined): Note {
  return {
    ...(why !== undefined && { reason: `Not merged with ${operationLabel(to)}: ${why}.` }),
    ...(advice !== undefined &&
      sibling !== undefined && { alternative: { tool: sibling, when: advice } }),
  };
}

/**
 * Writes to a collection in addition to the same write to one item: `PUT /incidents` and `PUT
 * /incidents/{id}`.
 */
function collectionWrites(
  operations: readonly ClassifiedOperation[],
): readonly { readonly all: ClassifiedOperation; readonly one: ClassifiedOperation }[] {
  const itemWrites = new Map<string, ClassifiedOperation>();
  for (const classified of operations) {
    const { method, path } = classified.operation;
    if (/^(PUT|PATCH|DELETE)$/.test(method) && path.endsWith("}"))
      itemWrites.set(`${method} ${path.slice(0, path.lastIndexOf("/"))}`, classified);
  }
  return itemWrites.size === 0
    ? []
    : operations.flatMap((collectionWrite) => {
        const one = itemWrites.get(
          `${collectionWrite.operation.method} ${collectionWrite.operation.path}`,
        );
        return one && isPlural(segmentWords(collectionWrite.pathParts, -1).at(-1) ?? "")
          ? [{ all: collectionWrite, one }]
          : [];
      });
}

interface Note {
  readonly reason?: string;
  readonly alternative?: Alternative;
}

function addNotes(task: PlannedTask, notes: readonly Note[]): PlannedTask {
  if (notes.length === 0) return task;
  const { tool } = task;
  const { text, reasons } = tool;
  return {
    ...task,
    tool: {
      ...tool,
      text: {
        ...text,
        alternatives: [
          ...text.alternatives,
          ...notes.flatMap(({ alternative }) => alternative ?? []),
        ],
      },
      reasons: [...reasons, ...notes.flatMap(({ reason }) => reason ?? [])],
    },
  };
}
