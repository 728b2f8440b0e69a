/**
 * The log where there is no stderr: the console is what platforms show. Over stdio nothing may use
 * it, because stdout belongs to the protocol.
 */
export function writeToConsole(lines: string): void {
  // oxlint-disable-next-line no-console
  console.error(lines.trimEnd());
}
