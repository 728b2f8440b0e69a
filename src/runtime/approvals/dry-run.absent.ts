/** Stands in for dry runs: no tool of this project writes. */
import type { WriteGate } from "./write-gate.js";

/** All requests are sent. */
export function createDryRunGate(_envPrefix: string): WriteGate | undefined {
  return undefined;
}
