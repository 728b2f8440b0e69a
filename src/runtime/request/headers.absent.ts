/** Stands in for parameters in headers, of which this project has none. */
import type { Header } from "./headers.js";

export function parameterHeader(..._: readonly unknown[]): readonly Header[] {
  return [];
}
