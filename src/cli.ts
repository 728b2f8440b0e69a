import { describeDefect, describeRefusal, exitCodes, processTerminal } from "./cli/terminal.js";
import { runProgram } from "./cli/run.js";

// No other module sets `process.exitCode`.
const terminal = processTerminal((code) => {
  process.exitCode = code;
});
const args = process.argv.slice(2);
const fail = (error: unknown): void => {
  const refusal = describeRefusal(error);
  terminal.error(refusal ?? describeDefect(error, args.includes("--verbose")));
  process.exitCode = refusal === undefined ? exitCodes.defect : exitCodes.document;
};
process.once("uncaughtException", fail);

async function run(): Promise<{ readonly isCacheable: boolean }> {
  try {
    const code = await runProgram(args, terminal);
    process.exitCode = code;
    return { isCacheable: code === exitCodes.done && args.some((arg) => !arg.startsWith("-")) };
  } catch (error) {
    fail(error);
    return { isCacheable: false };
  }
}

/**
 * Resolves when the command ends. `isCacheable` is true after a run that executed most of the
 * program, so that its compiled code is worth keeping.
 */
export const completion = run();
