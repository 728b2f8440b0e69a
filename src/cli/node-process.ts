import { setFlagsFromString } from "node:v8";

/** Lowest supported version of Node: major and minor. Also in `engines` of package.json. */
const MINIMUM = [20, 19] as const;

/**
 * Describes a version of Node that is too old.
 * @param version as in `process.versions.node`
 * @param program name of the program that needs Node
 * @returns a sentence; undefined for a supported version
 */
export function describeOldNode(version: string, program: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1]);
  return isOld
    ? `${program} needs Node ${MINIMUM.join(".")} or newer; this is ${version}.`
    : undefined;
}

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

/**
 * Compiles regular expressions to machine code at once. V8 would make bytecode for their first use,
 * whose optimizer takes several times as long: 10 ms for one pattern of many alternatives.
 */
const REGULAR_EXPRESSIONS = "--no-regexp-tier-up";

/**
 * Grows the new space early, and marks the old space only when it is full: a small run then ends
 * before its first full garbage collection, and has six minor ones instead of twelve.
 */
const GARBAGE_COLLECTION = [
  "--semi-space-growth-factor=8",
  "--incremental-marking-hard-trigger=100",
];

/** Sets V8's options for a short-lived process. Only the program does so, not the library. */
export function setEngineOptions(v8 = process.versions.v8): void {
  const option = optimizationDelay[v8.split(".", 1)[0] ?? ""];
  if (option === undefined) return;
  for (const one of [option, REGULAR_EXPRESSIONS, ...GARBAGE_COLLECTION]) setFlagsFromString(one);
}
