/** Stands in for the settings of several APIs: this server has one. */
import type { HeadersOfApis } from "./member-settings.js";

export const prefixesOf = (prefix: string, _apis: unknown): readonly string[] => [prefix];

export function findSharedCredentials(..._: readonly unknown[]): readonly string[] {
  return [];
}

export function forwardHeadersOfApis(
  _apis: unknown,
  _read: (variable: string) => ReadonlyMap<string, string>,
): HeadersOfApis {
  return new Map();
}
