/** Stands in for scopes, which no request of this project requires. */
import type { ScopeAlternatives } from "./scopes.js";

export function scopeAlternatives(..._: readonly unknown[]): ScopeAlternatives {
  return [[]];
}

export function ungrantedScopes(..._: readonly unknown[]): readonly string[] | undefined {
  return undefined;
}

export function describeScopes(_: readonly string[]): string {
  return "";
}
