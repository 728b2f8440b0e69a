import { readFileSync, statSync } from "node:fs";
import {
  type AgentRun,
  compareRuns,
  comparisonLines,
  EVAL_MARKER,
  junit,
  type NamedRun,
  scoreLines,
  titleOf,
  totalScores,
  transcriptPage,
} from "../../eval/index.js";
import { asciiJson } from "../json-output.js";
import { deliver } from "../pipeline.js";
import { type ExitCode, exitCodes, type Terminal } from "../terminal.js";
import { writeJunit } from "./check.js";
import type { EvalOptions } from "./options.js";

/** Runs of an agent: the first, and the one that it is compared with. */
export interface RunReport {
  /** Name of the server, or of the transcript. */
  readonly title: string;
  readonly runs: readonly AgentRun[];
  readonly options: EvalOptions;
}

/** Prints the scores of runs, and writes the files about them. @returns the exit code */
export function reportRuns({ title, runs, options }: RunReport, terminal: Terminal): ExitCode {
  const names = [options.transcript ? "transcript" : "this server", options.compare ?? ""];
  const named = runs.map((run, i): NamedRun => ({ name: names[i] as string, run }));
  const [first] = runs as readonly [AgentRun];
  const isEnough =
    first.stopped === undefined && (totalScores(first)?.done ?? 0) >= (options.min ?? 1);
  printScores(named, isEnough, options, terminal);
  const page = writePage(options.html, transcriptPage(title, named), terminal);
  if (page !== exitCodes.done) return page;
  const cases = first.tasks.map(({ task, attempts }) => ({
    name: titleOf(task),
    problems: attempts.flatMap(({ judgement }) => judgement.problems),
  }));
  return writeJunit(options.junit, junit(`${title}: tasks`, cases), isEnough, terminal);
}

function printScores(
  named: readonly NamedRun[],
  ok: boolean,
  { json }: EvalOptions,
  terminal: Terminal,
): void {
  const [first, second] = named as readonly [NamedRun, NamedRun?];
  const comparison = second && compareRuns(first.run, second.run);
  if (json)
    return terminal.print(asciiJson({ ok, runs: named, ...(comparison && { comparison }) }));
  const lines = [
    ...named.flatMap(({ name, run }) => ["", ...(second ? [`${name}:`] : []), ...scoreLines(run)]),
    ...(second ? ["", ...comparisonLines(second.name, comparison)] : []),
  ];
  terminal.print(lines.map((line) => `${line}\n`).join(""));
}

function writePage(file: string | undefined, text: string, terminal: Terminal): ExitCode {
  if (file === undefined) return exitCodes.done;
  if (isForeignFile(file)) {
    terminal.error(`error: ${file} exists and is not a page of this command. Give another file.\n`);
    return exitCodes.refused;
  }
  return deliver(text, file, "the transcripts.", { ...terminal, print: terminal.error });
}

function isForeignFile(file: string): boolean {
  return (
    statSync(file, { throwIfNoEntry: false })?.isFile() === true &&
    !readFileSync(file, "utf8").slice(0, 2000).includes(EVAL_MARKER)
  );
}
