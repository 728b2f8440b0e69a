/** Stands in for corrected tools: no operation of this project sends a body. */

export interface Corrections {
  add(..._: readonly unknown[]): void;
  offerBody(..._: readonly unknown[]): undefined;
  of<Tool extends object>(tool: Tool): Tool;
}

export function createCorrections(): Corrections {
  return { add: () => {}, offerBody: () => undefined, of: (tool) => tool };
}
