/** Stands in for corrected tools: no operation of this project has a query or sends a body. */

export interface Corrections {
  add(..._: readonly unknown[]): void;
  offerBody(..._: readonly unknown[]): undefined;
  offerQuery(..._: readonly unknown[]): undefined;
  offerOtherQuery(..._: readonly unknown[]): string | undefined;
  offerAsGiven(..._: readonly unknown[]): undefined;
  asOffered(..._: readonly unknown[]): undefined;
  of<Tool extends object>(tool: Tool): Tool;
}

export function createCorrections(): Corrections {
  const none = (): undefined => undefined;
  return {
    add: none,
    offerBody: none,
    offerQuery: none,
    offerOtherQuery: none,
    offerAsGiven: none,
    asOffered: none,
    of: (tool) => tool,
  };
}

export function takesStructures(..._: readonly unknown[]): boolean {
  return false;
}
