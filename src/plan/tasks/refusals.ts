import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { Subject } from "../kind.js";
import { keyOf } from "../operation-key.js";
import type { Refusal } from "./find.js";
import type { TaskTool } from "./index.js";
import { labelOf } from "./words.js";

/**
 * What a tool says about the other one, when they stay apart: the refused one's word first, then
 * that of its base.
 */
const WHEN_OTHER = {
  search: ["To list without a search,", "To search,"],
  update: ["To change only some of it,", undefined],
} as const;

/**
 * The rule that stopped a merge stands with both sides of it; those that are near enough to be
 * mistaken name each other.
 */
export function withRefusals(
  tools: readonly TaskTool[],
  refusals: readonly Refusal[],
  subjects: readonly Subject[],
): readonly TaskTool[] {
  const many = writesOfMany(subjects);
  if (refusals.length + many.length === 0) return tools;
  const toolOf = new Map(
    tools.flatMap(({ tool }) =>
      tool.operations.map((operation) => [keyOf(operation), tool.definition.name] as const),
    ),
  );
  const notes = new Map<string, Note[]>();
  const add = (
    { operation }: Subject,
    other: Subject,
    why: string | undefined,
    use: string | undefined,
  ): void => {
    const sibling = toolOf.get(keyOf(other.operation));
    if (sibling !== undefined && sibling === toolOf.get(keyOf(operation))) return;
    const note = {
      ...(why !== undefined && { reason: `Not one tool with ${labelOf(other)}: ${why}.` }),
      ...(use !== undefined && sibling !== undefined && { sentence: `${use} use ${sibling}.` }),
    };
    notes.set(keyOf(operation), [...(notes.get(keyOf(operation)) ?? []), note]);
  };
  for (const refusal of refusals) {
    const [ofSubject, ofBase] = refusal.siblings ? WHEN_OTHER[refusal.siblings] : [];
    add(refusal.subject, refusal.base, refusal.why, ofSubject);
    add(refusal.base, refusal.subject, refusal.why, ofBase);
  }
  for (const { all, one } of many) add(all, one, undefined, "For one of them");
  return tools.map((task) =>
    noted(
      task,
      task.tool.operations.flatMap((operation) => notes.get(keyOf(operation)) ?? []),
    ),
  );
}

/**
 * A write to a collection, beside the same to one thing of it: `PUT /incidents` and `PUT
 * /incidents/{id}`.
 */
function writesOfMany(
  subjects: readonly Subject[],
): readonly { readonly all: Subject; readonly one: Subject }[] {
  const ofOne = new Map<string, Subject>();
  for (const subject of subjects) {
    const { method, path } = subject.operation;
    if (/^(PUT|PATCH|DELETE)$/.test(method) && path.endsWith("}"))
      ofOne.set(`${method} ${path.slice(0, path.lastIndexOf("/"))}`, subject);
  }
  return ofOne.size === 0
    ? []
    : subjects.flatMap((all) => {
        const one = ofOne.get(`${all.operation.method} ${all.operation.path}`);
        return one && !all.operation.path.endsWith("}") ? [{ all, one }] : [];
      });
}

interface Note {
  readonly reason?: string;
  /** For the tool's description. */
  readonly sentence?: string;
}

function noted(task: TaskTool, notes: readonly Note[]): TaskTool {
  if (notes.length === 0) return task;
  const { tool } = task;
  const description = [
    tool.definition.description,
    ...new Set(notes.flatMap(({ sentence }) => sentence ?? [])),
  ].join(" ");
  const definition =
    description.length <= MAX_DESCRIPTION ? { ...tool.definition, description } : tool.definition;
  return {
    ...task,
    tool: {
      ...tool,
      definition,
      reasons: [...tool.reasons, ...notes.flatMap(({ reason }) => reason ?? [])],
    },
  };
}
