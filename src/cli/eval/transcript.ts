import { attemptLines, judgeTranscripts, TranscriptError, type Task } from "../../eval/index.js";
import { readTextFile } from "../../load/index.js";
import { reportUsageError } from "../program.js";
import type { ExitCode, Terminal } from "../terminal.js";
import type { EvalOptions } from "./options.js";
import { reportRuns } from "./report-runs.js";

/** Judges the calls in logs of agents, and prints their scores. No server runs. */
export async function judgeLogs(
  files: readonly string[],
  tasks: readonly Task[],
  options: EvalOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const logs: string[] = [];
  for (const file of files) {
    const text = await readTextFile(file);
    if (text.problem) return reportUsageError(terminal, text.problem.message, "mcp-gen eval");
    logs.push(text.value);
  }
  try {
    const run = judgeTranscripts(logs, tasks);
    if (!options.json)
      for (const { task, attempts } of run.tasks)
        for (const attempt of attempts)
          terminal.print(
            attemptLines(task, attempt)
              .map((line) => `${line}\n`)
              .join(""),
          );
    noteUncheckedRequests(tasks, terminal);
    return reportRuns({ title: files.join(", "), runs: [run], options }, terminal);
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    return reportUsageError(terminal, error.message, "mcp-gen eval");
  }
}

function noteUncheckedRequests(tasks: readonly Task[], terminal: Terminal): void {
  const count = tasks.filter(({ then = [] }) => then.length > 0).length;
  if (count > 0)
    terminal.error(
      `then of ${count} of ${tasks.length} tasks was not checked: a transcript has no requests.\n`,
    );
}
