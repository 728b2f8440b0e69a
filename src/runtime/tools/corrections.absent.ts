/** Stands in for corrected tools: no operation of this project has a query or sends a body. */

export interface Corrections {
  add(..._: readonly unknown[]): void;
  offerOtherQuery(..._: readonly unknown[]): string | undefined;
  of<Tool extends object>(tool: Tool): Tool;
}

export function createCorrections(): Corrections {
  return { add: () => undefined, offerOtherQuery: () => undefined, of: (tool) => tool };
}

export function takesStructures(..._: readonly unknown[]): boolean {
  return false;
}
