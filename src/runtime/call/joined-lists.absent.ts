/** Stands in for lists that an API wants in another form: no query of this project joins one. */
import type { RepeatedCall } from "./rejected-call.js";

export function repeatWithSeparateItems(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}
