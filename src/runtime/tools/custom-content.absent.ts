/** Stands in for prompts and resources of user code, which are left out. */
import { leftOut } from "../left-out.js";
import type { Hooks } from "./definitions.js";

/** Sentence for the user whose code has them. */
export const contentProblem: string | undefined = leftOut(
  "prompts and resources of src/custom",
  "prompts",
);

/** @throws always */
export function customPromptsFor<_Tools>(): (prompt: object) => never {
  throw new Error(contentProblem);
}

/** @throws always */
export function customResourcesFor<_Tools>(): (resource: object) => never {
  throw new Error(contentProblem);
}

export function contentProblems({ prompts = [], resources = [] }: Hooks): readonly string[] {
  return prompts.length + resources.length > 0 ? [contentProblem!] : [];
}
