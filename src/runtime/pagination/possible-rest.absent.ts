/** Stands in for the hint about the rest of a list: no tool of this project returns one. */
import type { NextPageHint } from "./next-page.js";

export function possibleRest(..._: readonly unknown[]): NextPageHint | undefined {
  return undefined;
}
