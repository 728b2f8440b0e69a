/** Stands in for `run_steps`, which is left out. */
import { leftOut } from "../left-out.js";

/** Sentence for the user who asks for the tool. */
export const stepsProblem: string | undefined = leftOut("run_steps", "steps");

/** @throws always */
export function createRunSteps(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}

/** @throws always */
export function runStepsName(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}

/** @throws always */
export function stepsInstruction(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}
