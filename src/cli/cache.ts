import { formatCount, quoteText, toSingleLine } from "../diagnostics/index.js";
import { newProgram, parse, reportUsageError } from "./program.js";
import { type ExitCode, exitCodes, type Terminal } from "./terminal.js";
import { clearCache } from "./user-cache.js";

const NAME = "mcp-gen cache";

const afterHelp = `
  clear  removes what mcp-gen keeps in your cache folder: the plans of serve, and the digests by which
         a run finds that nothing has changed

The next runs plan again. To plan again once, add --no-cache to the command instead.
`;

/** `mcp-gen cache clear`: removes everything from the user's cache. */
export async function runCache(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = newProgram(NAME, "clear", [], terminal)
    .argument("[action]", "clear")
    .addHelpText("after", afterHelp);
  const action = parse(program, args, ({ args: [name] }) => ({ name }));
  if (typeof action === "number") return action;
  if (action.name === undefined) return reportUsageError(terminal, "Give an action: clear", NAME);
  if (action.name !== "clear")
    return reportUsageError(terminal, `Unknown action ${quoteText(action.name)}. Use clear`, NAME);
  const folders = clearCache();
  terminal.print(
    folders.length === 0
      ? "The cache is empty.\n"
      : `Removed ${formatCount(folders.length, "folder")}: ${toSingleLine(folders.join(", "))}\n`,
  );
  return exitCodes.done;
}
