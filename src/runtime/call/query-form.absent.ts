/** Stands in for queries that an API wants in another form: no read of this project has such ones. */
import type { RepeatedCall } from "./rejected-call.js";

export function repeatInQueryForm(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}
