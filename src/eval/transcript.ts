/** Attempts of agents that others ran and logged. */
import type { AgentRun, JudgedAttempt } from "./agent/run-tasks.js";
import type { TranscriptEntry } from "./agent/run-task.js";
import { isObject } from "../json.js";
import { judge } from "./judge.js";
import { unwrapLoggedCall } from "./record.js";
import { stepCalls } from "./step-calls.js";
import type { Inputs, MadeCall, Task } from "./types.js";

/** A log cannot be judged. The message is a sentence. */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
}

/** A line about a call or an answer. */
interface LogEntry {
  /** Number of the task, from 1. */
  readonly task: number;
  readonly call?: Extract<TranscriptEntry, { readonly kind: "call" }>;
  readonly answer?: string;
}

/**
 * Judges logs, each of which is an attempt at all tasks. A log has one JSON object per line: a call
 * `{"task": 1, "name": …, "args": {…}, "isError": false, "text": …}` or the final text of the agent
 * `{"task": 1, "answer": …}`. Other lines are ignored.
 * @throws TranscriptError for a log without calls, or with calls of an unknown task
 */
export function judgeTranscripts(logs: readonly string[], tasks: readonly Task[]): AgentRun {
  const attempts = logs.map((log) => {
    const entries = readLog(log, tasks.length);
    return tasks.map((task, i) =>
      judgeEntries(
        task,
        entries.filter((entry) => entry.task === i + 1),
      ),
    );
  });
  return {
    tasks: tasks.map((task, i) => ({
      task,
      attempts: attempts.map((attempt) => attempt[i] as JudgedAttempt),
    })),
  };
}

function readLog(log: string, taskCount: number): readonly LogEntry[] {
  const entries = log.split("\n").flatMap((line, i) => readLine(line, i + 1, taskCount));
  if (!entries.some(({ call }) => call))
    throw new TranscriptError(
      "The transcript has no calls: one JSON object per line, with name and args",
    );
  return entries;
}

function readLine(line: string, number: number, taskCount: number): readonly LogEntry[] {
  const value = parseLine(line);
  const call = value && readCall(value);
  const answer = typeof value?.answer === "string" ? value.answer : undefined;
  if (!value || (!call && answer === undefined)) return [];
  const { task = taskCount === 1 ? 1 : undefined } = value;
  // Task 0 is what an agent did before the first one.
  if (typeof task !== "number" || !Number.isInteger(task) || task < 0 || task > taskCount)
    throw new TranscriptError(
      `Line ${number} of the transcript does not name its task: "task" is a number from 1 to ${taskCount}`,
    );
  return [{ task, ...(call && { call }), ...(answer !== undefined && { answer }) }];
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readCall(value: Readonly<Record<string, unknown>>): LogEntry["call"] {
  const { name, args, arguments: given = args, input = given, isError = false } = value;
  const text = value.text ?? value.result ?? "";
  // Requests for the list of tools have a name, too.
  if (typeof name !== "string" || !isObject(input)) return undefined;
  const result = typeof text === "string" ? text : JSON.stringify(text);
  return { kind: "call", name, input, result, isError: isError === true };
}

function judgeEntries(task: Task, entries: readonly LogEntry[]): JudgedAttempt {
  const transcript = entries.flatMap(({ call }) => call ?? []);
  const answer = entries.flatMap((entry) => entry.answer ?? []).at(-1);
  const calls = transcript.flatMap((entry): readonly MadeCall[] => {
    if (entry.kind !== "call") return [];
    const { name, input, isError, result } = entry;
    const steps = stepCalls(name, input as Inputs, { isError, result });
    if (steps) return steps;
    const call = unwrapLoggedCall(name, input as Inputs);
    return call ? [{ ...call, isError, ...(isError && { text: result }) }] : [];
  });
  return {
    calls,
    transcript: [
      ...transcript,
      ...(answer === undefined ? [] : [{ kind: "text" as const, text: answer }]),
    ],
    ...(answer !== undefined && { answer }),
    usage: { input: 0, output: 0 },
    turns: 0,
    judgement: judge(task, calls, answer),
  };
}
