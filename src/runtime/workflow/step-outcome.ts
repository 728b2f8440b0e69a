import type { InputProblem } from "../request/types.js";
import { type ApiCall, isWrite } from "../errors/explain-failure.js";
import { decodeResponse } from "../response/decode.js";
import { type ApiResponse, type Failure, isFailure, isSuccess } from "../client/index.js";
import type { StopReason } from "./explain-stop.js";
import type { StepDefinition, StepResult } from "./types.js";

/** The result of a step with what texts about it need. */
export interface StepOutcome extends StepResult {
  readonly call?: ApiCall;
  readonly response?: ApiResponse | Failure;
  /** Where the workflow that the step calls came to its end. */
  readonly stop?: StopReason;
  /** Why nothing was sent. */
  readonly problems?: readonly InputProblem[];
}

/** The result of a request that could not be put together. */
export function unsentOutcome(
  sent: StepOutcome["inputs"],
  problems: readonly InputProblem[],
): StepOutcome {
  return {
    hasResponse: false,
    ok: false,
    body: undefined,
    inputs: sent,
    url: "",
    method: "",
    header: () => undefined,
    requestHeader: () => undefined,
    problems,
  };
}

/** The result of a request. */
export function requestOutcome(
  call: ApiCall,
  sent: StepOutcome["inputs"],
  answer: ApiResponse | Failure,
): StepOutcome {
  const { url, method, headers } = call.request;
  const requestHeader = (name: string): string | undefined =>
    headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const base = { inputs: sent, url, method, call, response: answer, requestHeader };
  if (isFailure(answer))
    return { ...base, hasResponse: false, ok: false, body: undefined, header: () => undefined };
  return {
    ...base,
    hasResponse: true,
    ok: isSuccess(answer),
    status: answer.status,
    body: bodyOf(answer, method),
    header: (name) => answer.headers.get(name) ?? undefined,
  };
}

/** What the answer holds: JSON as data, else its text. */
function bodyOf(answer: ApiResponse, method: string): unknown {
  const content = decodeResponse(answer, false, method);
  if (content.kind === "json") return content.value;
  return content.kind === "text" ? content.text : undefined;
}

/** What became of one request of a workflow. */
export interface ExecutedStep {
  readonly step: StepDefinition;
  /** It changed something, or may have. */
  readonly effect: "none" | "done" | "maybe";
  /** The step counts as done. */
  readonly isDone: boolean;
  readonly outputs?: unknown;
}

/** Everything that a run of a workflow has done, in order. */
export class ExecutionLog {
  readonly entries: ExecutedStep[] = [];

  /** Notes a request and what it may have changed. */
  add(step: StepDefinition, call: ApiCall, answer: ApiResponse | Failure): void {
    this.entries.push({ step, effect: effectOf(call, answer), isDone: false });
  }

  /** The step is over. One that called a workflow has an entry only now. */
  finish(step: StepDefinition, outputs: unknown): void {
    const last = this.entries.findLastIndex((entry) => entry.step === step);
    const entry = this.entries[last];
    if (entry) this.entries[last] = { ...entry, isDone: true, outputs };
    else if (step.request === undefined)
      this.entries.push({ step, effect: "none", isDone: true, outputs });
  }
}

/**
 * What the API refused did not happen; what it did not answer, or answered with a fault of its own,
 * may have.
 */
function effectOf(call: ApiCall, answer: ApiResponse | Failure): ExecutedStep["effect"] {
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
