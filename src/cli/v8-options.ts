import { setFlagsFromString } from "node:v8";

/**
 * By the major version of V8: the option that says how much a function must have run before it is
 * optimised. A run is over within a second, and much of V8's best code would be ready when nobody
 * calls it any more: for large documents half of the processor time went into making it. Other
 * versions are left as they are: they may have other options.
 */
const optimizationDelay: Readonly<Record<string, string>> = {
  11: "--interrupt-budget=1200000",
  12: "--invocation-count-for-turbofan=40000",
  13: "--invocation-count-for-turbofan=40000",
};

/**
 * Tells the engine that the process is short-lived. The program's own affair: the library leaves
 * the engine alone.
 */
export function delayOptimization(v8 = process.versions.v8): void {
  const option = optimizationDelay[v8.split(".", 1)[0] ?? ""];
  if (option !== undefined) setFlagsFromString(option);
}
