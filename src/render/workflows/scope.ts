import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { type Code, freeIdentifier, identifier } from "../code.js";

/** Names of the runtime that the code of a workflow may use; those that it does are imported. */
const known = [
  "at",
  "atLeast",
  "atMost",
  "defineSteps",
  "encoded",
  "equals",
  "escaped",
  "holds",
  "lessThan",
  "matches",
  "moreThan",
  "quoted",
  "replaced",
  "text",
  "workflow",
  "xml",
  "everywhere",
  "select",
  "selectOne",
  "selects",
] as const;
export type RuntimeName = (typeof known)[number];

/** Names of `runtime/workflow/json-path.ts`, which brings a package with it. */
export const ofJsonPath: ReadonlySet<RuntimeName> = new Set([
  "everywhere",
  "select",
  "selectOne",
  "selects",
]);

/** What the module of a workflow declares itself. */
const own = ["inputs", "flow", "steps", "next", "back", "waiting", "run", "result"];

/** The names of one module. */
export class ModuleScope {
  readonly used = new Set<RuntimeName>();
  /** Functions of other workflows, by the name of their modules. */
  readonly calls = new Map<string, Code>();
  readonly apis = new Map<string, Code>();
  private readonly variables = new Map<string, Code>();
  private readonly taken = new Set<string>([...known, ...own]);

  constructor(readonly workflow: PlannedWorkflow) {
    this.taken.add(workflow.identifier);
    for (const { step } of workflow.steps)
      this.variables.set(step.id, this.free(camelCase(step.id)));
  }

  /** A name of the runtime; it is imported from now on. */
  runtime(name: RuntimeName): Code {
    this.used.add(name);
    return identifier(name);
  }

  /** The variable of a step: of its outputs, and in `steps`. */
  variable(step: string): Code {
    return this.variables.get(step) ?? identifier("undefined_");
  }

  call({ name, identifier: wanted }: PlannedWorkflow): Code {
    const before = this.calls.get(name);
    if (before) return before;
    const code = this.taken.has(wanted) ? this.free(`${wanted}Workflow`) : this.free(wanted);
    this.calls.set(name, code);
    return code;
  }

  api(name: string): Code {
    const before = this.apis.get(name);
    if (before) return before;
    const code = this.free(`${camelCase(name)}Api`);
    this.apis.set(name, code);
    return code;
  }

  free(wanted: string): Code {
    const name = freeIdentifier(wanted, this.taken);
    this.taken.add(name);
    return name;
  }

  stepOf(id: string): PlannedStep | undefined {
    return this.workflow.steps.find(({ step }) => step.id === id);
  }
}

/** `find-pet` → `findPet`; other scripts give a plain name. */
export function camelCase(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  const name = words
    .map((word, i) =>
      i === 0
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join("");
  return /^[A-Za-z]/.test(name) ? name : `step${name}`;
}
