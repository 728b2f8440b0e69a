import { checkTasks, junit, titleOf } from "../../eval/index.js";
import type { Task } from "../../eval/index.js";
import { checkLines, checkSummary } from "../../eval/report/table.js";
import { asciiJson } from "../json-output.js";
import { deliver } from "../pipeline.js";
import { type ExitCode, exitCodes, type Terminal } from "../terminal.js";
import type { Generated } from "./generated-server.js";
import type { EvalOptions } from "./options.js";

interface CheckRun {
  readonly tasks: readonly Task[];
  readonly generated: Generated;
  readonly options: EvalOptions;
}

/** Checks tasks without a model, and prints the results. */
export async function checkAll(
  { tasks, generated: { plan, files }, options }: CheckRun,
  terminal: Terminal,
): Promise<ExitCode> {
  const print = (lines: readonly string[]): void => {
    if (!options.json) terminal.print(lines.map((line) => `${line}\n`).join(""));
  };
  const checks = await checkTasks(tasks, plan, files, (check) => print(checkLines(check)));
  print(checkSummary(checks));
  const right = checks.filter(({ problems }) => problems.length === 0).length;
  const isEnough = right / checks.length >= (options.min ?? 1);
  if (options.json) terminal.print(asciiJson({ ok: isEnough, tasks: checks }));
  const cases = checks.map(({ task, ...rest }) => ({ name: titleOf(task), ...rest }));
  return writeJunit(options.junit, junit(`${plan.api.title}: tasks`, cases), isEnough, terminal);
}

/** Writes the JUnit file, if there is one. @returns the exit code of the run */
export function writeJunit(
  file: string | undefined,
  text: string,
  isEnough: boolean,
  terminal: Terminal,
): ExitCode {
  const quiet = { ...terminal, print: () => undefined };
  const written = file === undefined ? exitCodes.done : deliver(text, file, "", quiet);
  if (written !== exitCodes.done) return written;
  return isEnough ? exitCodes.done : exitCodes.different;
}
