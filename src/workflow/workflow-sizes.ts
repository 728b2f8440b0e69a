import { quoteText } from "../diagnostics/text.js";
import { MAX_STEPS } from "../runtime/workflow/steps.js";
import type {
  Condition,
  Criterion,
  LinkedWorkflow,
  ReportDiagnostic,
  Step,
  Workflow,
} from "./types.js";

/** Maximum number of comparisons, actions and replacements of one workflow, so that it compiles. */
const MAX_PARTS = 300;

const EMPTY: Size = { steps: 0, prerequisites: new Set() };

/** Steps of a workflow, each counted once. */
interface Size {
  /** Own steps, and those of called workflows. */
  readonly steps: number;
  /** Workflows that run before it or before called ones, once in a call. */
  readonly prerequisites: ReadonlySet<Workflow>;
}

/** Sizes of workflows, which are checked after those that they call. */
export class WorkflowSizes {
  private readonly sizes = new Map<Workflow, Size>();

  /** Reports a workflow that cannot complete, or that the compiler would refuse. */
  check(linked: LinkedWorkflow, report: ReportDiagnostic): void {
    const { id, location, steps } = linked.workflow;
    const size = this.measure(linked);
    this.sizes.set(linked.workflow, size);
    const earlier = [...size.prerequisites].map((workflow) => this.sizes.get(workflow)?.steps ?? 0);
    const length = earlier.reduce((sum, count) => sum + count, size.steps);
    if (length > MAX_STEPS)
      report(
        "workflow-too-large",
        `The workflow ${quoteText(id)} has ${length} steps, called workflows included. ` +
          `One call runs at most ${MAX_STEPS}.`,
        location,
        "Split it into workflows that are called one after another.",
      );
    const parts = steps.reduce((sum, step) => sum + partsOf(step), 0);
    if (parts > MAX_PARTS)
      report(
        "workflow-too-large",
        `The workflow ${quoteText(id)} has ${parts} comparisons, actions and replacements. ` +
          `At most ${MAX_PARTS} can be compiled.`,
        location,
        "Split it into several workflows.",
      );
  }

  private measure({ prerequisites, steps }: LinkedWorkflow): Size {
    const sizeOf = ({ workflow }: LinkedWorkflow): Size => this.sizes.get(workflow) ?? EMPTY;
    const called = steps.flatMap(({ call }) =>
      call.kind === "workflow" ? sizeOf(call.workflow) : [],
    );
    // A goto to a workflow does not return, so that at most one of them runs.
    const destinations = steps.flatMap(({ onSuccess, onFailure }) =>
      [...onSuccess, ...onFailure].flatMap(({ type, destination }) =>
        type === "goto" && destination?.kind === "workflow" ? sizeOf(destination.workflow) : [],
      ),
    );
    const longest = Math.max(0, ...destinations.map((size) => size.steps));
    const before = [...prerequisites.map(sizeOf), ...called];
    return {
      steps: called.reduce((sum, size) => sum + size.steps, steps.length + longest),
      prerequisites: new Set([
        ...prerequisites.map(({ workflow }) => workflow),
        ...before.flatMap((size) => [...size.prerequisites]),
      ]),
    };
  }
}

function partsOf({ criteria = [], onSuccess, onFailure, body }: Step): number {
  const actions = [...onSuccess, ...onFailure];
  const tests = [...criteria, ...actions.flatMap((action) => action.criteria)];
  const parts = actions.length + (body?.replacements.length ?? 0);
  return tests.reduce((sum, test) => sum + comparisonsOf(test), parts);
}

/** Number of comparisons and single values of a criterion. */
function comparisonsOf(criterion: Criterion): number {
  if (criterion.kind !== "simple") return 1;
  let count = 0;
  const open: Condition[] = [criterion.condition];
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.kind === "and" || at.kind === "or") open.push(at.left, at.right);
    else if (at.kind === "not") open.push(at.of);
    else {
      count += 1;
      if (at.kind === "compare") open.push(...[at.left, at.right].filter(isCompound));
    }
  }
  return count;
}

function isCompound({ kind }: Condition): boolean {
  return kind !== "value" && kind !== "literal";
}
