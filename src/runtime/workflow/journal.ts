import type { Call } from "../errors/index.js";
import { isWrite } from "../errors/index.js";
import type { ApiResponse, Failure } from "../send/index.js";
import { isFailure } from "../send/index.js";
import type { StepDefinition } from "./types.js";

/** What became of one request of a workflow. */
export interface Entry {
  readonly step: StepDefinition;
  /** It changed something, or may have. */
  readonly effect: "none" | "done" | "maybe";
  /** The step counts as done. */
  readonly done: boolean;
  readonly outputs?: unknown;
}

/** Everything that a run of a workflow has done, in order. */
export class Journal {
  readonly entries: Entry[] = [];

  /** Notes a request and what it may have changed. */
  add(step: StepDefinition, call: Call, answer: ApiResponse | Failure): void {
    this.entries.push({ step, effect: effectOf(call, answer), done: false });
  }

  /** The step is over. One that called a workflow has an entry only now. */
  finish(step: StepDefinition, outputs: unknown): void {
    const last = this.entries.findLastIndex((entry) => entry.step === step);
    const entry = this.entries[last];
    if (entry) this.entries[last] = { ...entry, done: true, outputs };
    else if (step.send === undefined)
      this.entries.push({ step, effect: "none", done: true, outputs });
  }
}

/**
 * What the API refused did not happen; what it did not answer, or answered with a fault of its own,
 * may have.
 */
function effectOf(call: Call, answer: ApiResponse | Failure): Entry["effect"] {
  if (!isWrite(call)) return "none";
  if (!isFailure(answer))
    return answer.status < 400
      ? "done"
      : answer.status < 500 && answer.status !== 408
        ? "none"
        : "maybe";
  if (answer.kind === "credentials" || answer.kind === "busy") return "none";
  return "sent" in answer && !answer.sent ? "none" : "maybe";
}
