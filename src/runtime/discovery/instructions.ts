/** The part of the server's instructions about the discovery tools. */
import { callAdvice, type DiscoveryNames } from "./names.js";

/**
 * Describes the use of the discovery tools.
 * @param listed number of other tools in the list
 */
export function discoveryInstructions(
  names: DiscoveryNames,
  toolCount: number,
  listed: number,
): string {
  const { search, describe } = names;
  const areListed = `of which ${listed} ${listed === 1 ? "is" : "are"} in the list`;
  const counts =
    listed === 0
      ? `This server has ${toolCount} tools, which are not in the list: find them`
      : `This server has ${toolCount} tools, ${areListed}. Find the others`;
  return (
    `${counts} with ${search} (one query may name several steps), ${callAdvice(names)}, and read ` +
    `more about their inputs with ${describe} where needed.`
  );
}
