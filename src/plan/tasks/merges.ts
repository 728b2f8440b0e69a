import type { Subject } from "../kind.js";
import type { PlannedRequest, ToolContext } from "../tool.js";
import { collectionsOf, type Collection } from "./collections.js";
import { formFind, type Find, type Refusal } from "./find.js";
import { planFindResult, type FindResult } from "./find-result.js";
import { refuseUpdate, updatePairs, type Update } from "./update.js";

/** Which operations are one tool by inference, and why others are not. */
export interface Merges {
  readonly finds: ReadonlyMap<Subject, { readonly find: Find; readonly result: FindResult }>;
  readonly updates: ReadonlyMap<Subject, Update>;
  readonly refusals: readonly Refusal[];
}

export const NO_MERGES: Merges = { finds: new Map(), updates: new Map(), refusals: [] };

type Request = (subject: Subject) => PlannedRequest;

/**
 * @param settled operations whose tool people have decided on: of these, inference says only what
 *   they have to do with others
 */
export function mergesOf(
  subjects: readonly Subject[],
  settled: (subject: Subject) => boolean,
  request: Request,
  context: ToolContext,
): Merges {
  const finds = new Map<Subject, { find: Find; result: FindResult }>();
  const refusals: Refusal[] = [];
  for (const collection of collectionsOf(subjects)) {
    const formed = formFind(collection, request, context);
    refusals.push(...formed.refusals);
    const find = membersOf(collection).some(settled)
      ? openPart(collection, settled, request, context)
      : formed.find;
    const result = find && planFindResult(find, context);
    if (!find || result === undefined) continue;
    const [base, ...others] = find.members.map((member) => member.request.subject) as [
      Subject,
      ...Subject[],
    ];
    if (typeof result === "string")
      refusals.push(...others.map((subject) => ({ subject, base, why: result })));
    else {
      const entry = { find, result };
      for (const subject of [base, ...others]) finds.set(subject, entry);
    }
  }
  const pairs = updatePairs(subjects).map((update) => ({
    update,
    refusal: refuseUpdate(update, request, context),
  }));
  refusals.push(...pairs.flatMap(({ refusal }) => refusal ?? []));
  const open = pairs.filter(
    ({ update: { patch, put }, refusal }) => !refusal && !settled(patch) && !settled(put),
  );
  return {
    finds,
    updates: new Map(
      open.flatMap(({ update }) => [
        [update.patch, update] as const,
        [update.put, update] as const,
      ]),
    ),
    refusals,
  };
}

function membersOf({ list, get, searches }: Collection): readonly Subject[] {
  return [...(list ? [list] : []), ...(get ? [get] : []), ...searches];
}

/** What becomes of a collection without the operations that people have decided on. */
function openPart(
  { list, get, searches, ...rest }: Collection,
  settled: (subject: Subject) => boolean,
  request: Request,
  context: ToolContext,
): Find | undefined {
  const open: Collection = {
    ...rest,
    ...(list && !settled(list) && { list }),
    ...(get && !settled(get) && { get }),
    searches: searches.filter((search) => !settled(search)),
  };
  return formFind(open, request, context).find;
}
