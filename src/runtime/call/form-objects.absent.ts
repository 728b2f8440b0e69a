/** Stands in for objects in forms that an API wants with brackets: no form of this project has one. */
import type { RepeatedCall } from "./rejected-call.js";

export function repeatWithFormFields(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}
