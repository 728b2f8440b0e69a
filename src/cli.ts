#!/usr/bin/env node
import { exitCodes } from "./cli/exit-codes.js";
import { runProgram } from "./cli/run.js";
import { expectShortRun } from "./cli/short-run.js";
import { describeDefect, processTerminal } from "./cli/terminal.js";

expectShortRun();
// The only place that knows `process.exitCode`.
const terminal = processTerminal((code) => {
  process.exitCode = code;
});
const verbose = process.argv.includes("--verbose");
const fail = (error: unknown): void => {
  terminal.error(describeDefect(error, verbose));
  process.exitCode = exitCodes.defect;
};
process.once("uncaughtException", fail);

try {
  process.exitCode = await runProgram(process.argv.slice(2), terminal);
} catch (error) {
  fail(error);
}
