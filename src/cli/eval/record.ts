import { readFileSync } from "node:fs";
import { toSingleLine } from "../../diagnostics/index.js";
import { CallRecorder } from "../../eval/record.js";
import { tapServer } from "../../try/tap-server.js";
import { type ExitCode, exitCodes, pathKind, type Terminal } from "../terminal.js";
import { deliver } from "../pipeline.js";

const NO_WORDS = "(what the user said)";

/** Serves a host, and adds the calls of the conversation to a file of tasks. */
export async function record(
  file: string,
  say = NO_WORDS,
  command: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const recorder = new CallRecorder();
  try {
    await tapServer(command, {
      request: (line) => recorder.request(line),
      response: (line) => recorder.response(line),
    });
  } catch (error) {
    terminal.error(
      `error: The server cannot be started: ${toSingleLine((error as Error).message)}.\n`,
    );
    return exitCodes.usage;
  }
  const { calls } = recorder;
  if (calls.length === 0) {
    terminal.error("No call succeeded, so there is no task to record.\n");
    return exitCodes.different;
  }
  const { stringify } = await import("yaml");
  const before = pathKind(file) === undefined ? "" : readFileSync(file, "utf8");
  const task = stringify([{ say, expect: calls, ordered: true }], { lineWidth: 100 });
  const separator = before === "" || before.endsWith("\n") ? "" : "\n";
  // stdout holds protocol only.
  return deliver(before + separator + task, file, "a task was added.", {
    ...terminal,
    print: terminal.error,
  });
}
