/** Names that a workflow module declares and imports. */
import type { PlannedStep, PlannedWorkflow } from "../../plan/types.js";
import { type Code, uniqueIdentifier, identifier } from "../code/index.js";

/** Functions of the runtime for workflow code. Used ones are imported. */
const runtimeNames = [
  "applyReplacements",
  "concatText",
  "defineSteps",
  "defineWorkflow",
  "embedInJson",
  "embedInJsonPath",
  "embedInQuery",
  "embedInXml",
  "equals",
  "greaterOrEqual",
  "greaterThan",
  "isTruthy",
  "lessOrEqual",
  "lessThan",
  "matchesPattern",
  "replaceSelected",
  "selectAll",
  "selectOne",
  "selectsAny",
  "valueAt",
] as const;
/** Name of a function of the runtime that workflow code calls. */
export type RuntimeName = (typeof runtimeNames)[number];

/** Functions of `runtime/workflow/json-path.ts`, which needs a package. */
export const jsonPathNames: ReadonlySet<RuntimeName> = new Set([
  "replaceSelected",
  "selectAll",
  "selectOne",
  "selectsAny",
]);

/** Names that every workflow module declares. */
const localNames = ["inputs", "run", "steps", "next", "back", "waiting", "loop", "result"];

/** The names of a workflow module. */
export class ModuleScope {
  readonly usedRuntimeNames = new Set<RuntimeName>();
  /** Functions of other workflows, by module name. */
  readonly calls = new Map<string, Code>();
  readonly apis = new Map<string, Code>();
  private readonly variables = new Map<string, Code>();
  private readonly takenNames = new Set<string>([...runtimeNames, ...localNames]);

  constructor(readonly workflow: PlannedWorkflow) {
    this.takenNames.add(workflow.identifier);
    for (const { step } of workflow.steps)
      this.variables.set(step.id, this.uniqueName(camelCase(step.id)));
  }

  /** Returns the name of a runtime function and imports it. */
  runtime(name: RuntimeName): Code {
    this.usedRuntimeNames.add(name);
    return identifier(name);
  }

  /** The variable of a step, which holds its outputs and names it in `steps`. */
  variable(step: string): Code {
    return this.variables.get(step) ?? identifier("undefined_");
  }

  call({ name, identifier: preferred }: PlannedWorkflow): Code {
    const existing = this.calls.get(name);
    if (existing) return existing;
    const code = this.takenNames.has(preferred)
      ? this.uniqueName(`${preferred}Workflow`)
      : this.uniqueName(preferred);
    this.calls.set(name, code);
    return code;
  }

  api(name: string): Code {
    const existing = this.apis.get(name);
    if (existing) return existing;
    const code = this.uniqueName(`${camelCase(name)}Api`);
    this.apis.set(name, code);
    return code;
  }

  uniqueName(preferred: string): Code {
    const name = uniqueIdentifier(preferred, this.takenNames);
    this.takenNames.add(name);
    return name;
  }

  stepOf(id: string): PlannedStep | undefined {
    return this.workflow.steps.find(({ step }) => step.id === id);
  }
}

/** Converts `find-pet` to `findPet`. Other scripts give a generic name. */
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
