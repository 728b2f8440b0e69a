/** Drafts of workflows as an Arazzo document: chains of tools that end in a write, the best first. */
import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { createAndAct } from "./create-and-act.js";
import { comment, scalar } from "./suggestions.js";
import { lookUpAndAct } from "./workflows.js";
import { type Draft, ONLY_SOURCE } from "./workflow-text.js";

/** Maximum numbers of drafts, of those in a proposed configuration, and of those about one thing. */
const [MAX_DRAFTS, MAX_SUGGESTED, MAX_OF_SUBJECT] = [10, 3, 2];

/** A document with drafts, and their number. */
export interface WorkflowDrafts {
  readonly text: string;
  readonly count: number;
}

/**
 * Drafts workflows that replace several calls by one: look up a thing by its name and act on it, or
 * create a thing and act on it.
 * @param specs path of the document, or those of the APIs by name
 */
export function draftWorkflows({ tools, source }: ToolPlan, specs: Specs): WorkflowDrafts {
  const drafts = rankDrafts([...lookUpAndAct(tools), ...createAndAct(tools)], tools);
  const head = comment(
    "Drafts of tasks, the most likely first. Keep those that your users ask for, and give the " +
      "file with workflows: or --workflow.",
    0,
  );
  const lines = [...head, ...documentLines(drafts, source, specs)];
  return { text: `${lines.join("\n")}\n`, count: drafts.length };
}

/** The same, as a comment of a proposed configuration. */
export function suggestWorkflows({ tools, source }: ToolPlan, spec: string): readonly string[] {
  const found = lookUpAndAct(tools).slice(0, MAX_SUGGESTED);
  if (found.length === 0) return [];
  return [
    "",
    ...comment(
      "Workflows that replace two calls by one. To add them, uncomment these lines " +
        "in a file tasks.arazzo.yaml, and set workflows: [./tasks.arazzo.yaml]",
      0,
    ),
    ...documentLines(found, source, spec).map((line) => `# ${line}`),
  ];
}

/** Path of the document, or those of the APIs by name. */
type Specs = string | Readonly<Record<string, string>>;

function documentLines(drafts: readonly Draft[], source: string, specs: Specs): readonly string[] {
  const documents = typeof specs === "string" ? { [ONLY_SOURCE]: specs } : specs;
  return [
    "arazzo: 1.1.0",
    `info: {title: ${scalar(`Tasks of ${source}`)}, version: 1.0.0}`,
    "sourceDescriptions:",
    ...Object.entries(documents).map(
      ([name, url]) => `  - {name: ${name}, type: openapi, url: ${scalar(url)}}`,
    ),
    drafts.length === 0 ? "workflows: []" : "workflows:",
    ...drafts.flatMap(({ lines }) => lines),
  ];
}

/** The drafts about the things that most operations are about; few of each. */
function rankDrafts(drafts: readonly Draft[], tools: readonly PlannedTool[]): readonly Draft[] {
  const paths = tools.flatMap(({ operations }) => operations.map(({ path }) => path));
  const importance = (subject: string): number =>
    Math.log2(1 + paths.filter((path) => path.startsWith(subject)).length);
  const ranked = drafts
    .map((draft) => ({ draft, weight: draft.weight + importance(draft.subject) }))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ draft }) => draft);
  const counts = new Map<string, number>();
  return ranked
    .filter(({ subject }) => {
      const count = (counts.get(subject) ?? 0) + 1;
      counts.set(subject, count);
      return count <= MAX_OF_SUBJECT;
    })
    .slice(0, MAX_DRAFTS);
}
