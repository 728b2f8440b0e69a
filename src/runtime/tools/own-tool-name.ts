/** Names of the tools of the server itself. */

/**
 * The first name that no tool of the API has, with the namespace in front; the last one if all are
 * taken.
 * @param isTaken whether another tool has a name
 */
export function ownToolName(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
  names: readonly [string, ...string[]],
): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  return prefix + (names.find((name) => !isTaken(prefix + name)) ?? names.at(-1)!);
}
