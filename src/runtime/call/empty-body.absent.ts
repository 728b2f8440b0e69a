/** Stands in for calls without their optional body: no operation of this project has one. */
import type { RepeatedCall } from "./rejected-call.js";

export function repeatWithEmptyBody(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}
