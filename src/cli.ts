import { exitCodes } from "./cli/exit-codes.js";
import { runProgram } from "./cli/run.js";
import { describeDefect, describeRefusal, processTerminal } from "./cli/terminal.js";

// The only place that knows `process.exitCode`.
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
 * Ends when the command has. `isCacheable` when it did some work, so that most of the program has
 * been compiled.
 */
export const completion = run();
