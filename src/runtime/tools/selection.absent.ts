/** Stands in for the tools of callers with scopes, which this server does not read. */
import type { SelectPermittedTools } from "./selection.js";

export function createPermittedTools(..._: readonly unknown[]): SelectPermittedTools {
  return () => undefined;
}
