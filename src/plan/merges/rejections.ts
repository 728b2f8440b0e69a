import { MAX_DESCRIPTION_LENGTH } from "../descriptions/tool.js";
import { operationKey, operationLabel } from "../operation-ref.js";
import type { MergeRejection } from "./find.js";
import type { PlannedTask } from "../tool-context.js";
import type { ClassifiedOperation } from "../classified-operation.js";

/**
 * Sentences by which related tools mention each other: that of the rejected tool, then that of its
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
  const add = (
    { operation }: ClassifiedOperation,
    other: ClassifiedOperation,
    why: string | undefined,
    advice: string | undefined,
  ): void => {
    const sibling = toolOf.get(operationKey(other.operation));
    if (sibling !== undefined && sibling === toolOf.get(operationKey(operation))) return;
    const note = {
      ...(why !== undefined && { reason: `Not one tool with ${operationLabel(other)}: ${why}.` }),
      ...(advice !== undefined &&
        sibling !== undefined && { sentence: `${advice} use ${sibling}.` }),
    };
    notes.set(operationKey(operation), [...(notes.get(operationKey(operation)) ?? []), note]);
  };
  for (const rejection of rejections) {
    const [rejectedAdvice, baseAdvice] = rejection.siblings
      ? SIBLING_ADVICE[rejection.siblings]
      : [];
    add(rejection.rejected, rejection.base, rejection.reason, rejectedAdvice);
    add(rejection.base, rejection.rejected, rejection.reason, baseAdvice);
  }
  for (const { all: collectionWrite, one } of collectionPairs)
    add(collectionWrite, one, undefined, "For one of them");
  return tools.map((task) =>
    addNotes(
      task,
      task.tool.operations.flatMap((operation) => notes.get(operationKey(operation)) ?? []),
    ),
  );
}

/**
 * Writes to a collection beside the same write to one item: `PUT /incidents` and `PUT
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
        return one && !collectionWrite.operation.path.endsWith("}")
          ? [{ all: collectionWrite, one }]
          : [];
      });
}

interface Note {
  readonly reason?: string;
  /** For the tool's description. */
  readonly sentence?: string;
}

function addNotes(task: PlannedTask, notes: readonly Note[]): PlannedTask {
  if (notes.length === 0) return task;
  const { tool } = task;
  const description = [
    tool.definition.description,
    ...new Set(notes.flatMap(({ sentence }) => sentence ?? [])),
  ].join(" ");
  const definition =
    description.length <= MAX_DESCRIPTION_LENGTH
      ? { ...tool.definition, description }
      : tool.definition;
  return {
    ...task,
    tool: {
      ...tool,
      definition,
      reasons: [...tool.reasons, ...notes.flatMap(({ reason }) => reason ?? [])],
    },
  };
}
