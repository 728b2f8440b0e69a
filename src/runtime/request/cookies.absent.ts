/** Stands in for parameters in cookies, of which this project has none. */
import type { Pair } from "./styles.js";

export function parameterCookies(..._: readonly unknown[]): readonly Pair[] {
  return [];
}
