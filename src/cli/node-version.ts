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
