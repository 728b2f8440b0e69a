/** Stands in for credentials: the API has no security schemes. */

export function missingCredentials(..._: readonly unknown[]): undefined {
  return undefined;
}

export function challengesOf(..._: readonly unknown[]): string {
  return "";
}

export function apiKeyNames(..._: readonly unknown[]): ReadonlySet<string> {
  return new Set();
}
