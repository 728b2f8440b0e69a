/** Stands in for parameters in headers and cookies, of which this project has none. */
import type { Header } from "./headers.js";
import type { Pair } from "./styles.js";

export function parameterHeader(..._: readonly unknown[]): readonly Header[] {
  return [];
}

export function parameterCookies(..._: readonly unknown[]): readonly Pair[] {
  return [];
}
