import { setFlagsFromString } from "node:v8";

/**
 * Options by major version of V8 that delay optimization. A run ends within a second, before most
 * optimized code pays off: for large documents half of the CPU time went into optimizing. Other
 * versions may have other options and are left alone.
 */
const optimizationDelay: Readonly<Record<string, string>> = {
  11: "--interrupt-budget=1200000",
  12: "--invocation-count-for-turbofan=40000",
  13: "--invocation-count-for-turbofan=40000",
};

/** Delays optimization for a short-lived process. Only the program does so, not the library. */
export function delayOptimization(v8 = process.versions.v8): void {
  const option = optimizationDelay[v8.split(".", 1)[0] ?? ""];
  if (option !== undefined) setFlagsFromString(option);
}
