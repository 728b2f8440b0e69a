import { type ShellText, trusted } from "./brand.js";
import { proseLine } from "./text.js";

/**
 * One word of a POSIX shell's command line: the text as it is, on one line. POSIX.1-2017, Shell
 * Command Language, section 2.2.2.
 */
export function shellWord(text: string): ShellText {
  const line = proseLine(text);
  return trusted(/^[\w./:@%+,=-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`);
}
