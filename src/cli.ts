#!/usr/bin/env node
import { exitCodes } from "./cli/exit-codes.js";
import { parseArguments } from "./cli/program.js";
import { expectShortRun } from "./cli/short-run.js";
import { describeDefect, processTerminal } from "./cli/terminal.js";

expectShortRun();
// The only place that knows `process.exitCode`. What a command needs is loaded when it is asked for: `--help` loads commander alone.
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
  const command = parseArguments(process.argv.slice(2), terminal);
  process.exitCode = typeof command === "number" ? command : await (await import("./cli/generate.js")).runGenerate(command, terminal);
} catch (error) {
  fail(error);
}
