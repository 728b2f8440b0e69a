/** Stands in for what an API demands of bodies: no operation of this project sends one. */

export interface Demands {
  readonly types: readonly (readonly [input: string, type: string])[];
  readonly fields: readonly string[];
  readonly body?: "needed" | "likely";
}

export function readDemands(..._: readonly unknown[]): Demands {
  return { types: [], fields: [] };
}

export function demandAdvice(..._: readonly unknown[]): string | undefined {
  return undefined;
}
