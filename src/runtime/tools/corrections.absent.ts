/** Stands in for corrected tools: no operation of this project sends a body. */

export interface Corrections {
  add(..._: readonly unknown[]): void;
  offerBody(..._: readonly unknown[]): undefined;
  offerAsGiven(..._: readonly unknown[]): undefined;
  asGiven(..._: readonly unknown[]): undefined;
  of<Tool extends object>(tool: Tool): Tool;
}

export function createCorrections(): Corrections {
  const none = (): undefined => undefined;
  return { add: none, offerBody: none, offerAsGiven: none, asGiven: none, of: (tool) => tool };
}
