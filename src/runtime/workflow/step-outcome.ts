import { retryAfter } from "../client/failures.js";
import {
  type ApiResponse,
  type Failure,
  type InputProblem,
  isFailure,
  isSuccess,
} from "../request/types.js";
import { type ApiCall, isWrite } from "../errors/api-call.js";
import { isEmbeddedError } from "../errors/embedded-error.js";
import { decodeResponse } from "../response/decode.js";
import type { RetryPolicy, StepDefinition, StepResult } from "./types.js";

/** The result of a step, with the data for its error text. */
export interface StepOutcome extends StepResult {
  readonly call?: ApiCall;
  readonly response?: ApiResponse | Failure;
  /** The stop of the workflow that the step called. */
  readonly stop?: StopReason;
  /** Problems because of which no request was sent. */
  readonly problems?: readonly InputProblem[];
}

/** The outcome of a step whose request could not be built. */
export function unsentOutcome(
  inputs: StepOutcome["inputs"],
  problems: readonly InputProblem[],
): StepOutcome {
  return {
    hasResponse: false,
    ok: false,
    body: undefined,
    inputs,
    url: "",
    method: "",
    header: () => undefined,
    requestHeader: () => undefined,
    problems,
  };
}

/** The outcome of a step whose request was sent. */
export function requestOutcome(
  call: ApiCall,
  inputs: StepOutcome["inputs"],
  response: ApiResponse | Failure,
): StepOutcome {
  const { url, method, headers } = call.request;
  const requestHeader = (name: string): string | undefined =>
    headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
  const base = { inputs, url, method, call, response, requestHeader };
  if (isFailure(response))
    return { ...base, hasResponse: false, ok: false, body: undefined, header: () => undefined };
  return {
    ...base,
    hasResponse: true,
    ok: isSuccess(response),
    status: response.status,
    body: bodyOf(response, method),
    header: (name) => response.headers.get(name) ?? undefined,
  };
}

function bodyOf(response: ApiResponse, method: string): unknown {
  const content = decodeResponse(response, false, method);
  if (content.kind === "json") return content.value;
  return content.kind === "text" ? content.text : undefined;
}

/** One step of a run: a request that was sent, or a workflow that completed. */
export interface ExecutedStep {
  readonly step: StepDefinition;
  /** `done`: the API was changed. `maybe`: it may have been changed. */
  readonly effect: "none" | "done" | "maybe";
  /** The step met its success criteria. */
  readonly isDone: boolean;
  readonly outputs?: unknown;
}

/** The steps of a workflow run in the order of their execution. */
export class ExecutionLog {
  readonly entries: ExecutedStep[] = [];

  /** Adds a request with its possible effect. */
  add(step: StepDefinition, call: ApiCall, response: ApiResponse | Failure): void {
    this.entries.push({ step, effect: effectOf(call, response), isDone: false });
  }

  /** Marks the last request of a step as done. A step that called a workflow is added here. */
  finish(step: StepDefinition, outputs: unknown): void {
    const index = this.entries.findLastIndex((entry) => entry.step === step);
    const entry = this.entries[index];
    if (entry) this.entries[index] = { ...entry, isDone: true, outputs };
    else if (step.request === undefined)
      this.entries.push({ step, effect: "none", isDone: true, outputs });
  }
}

/**
 * The effect of a request. A refused write (4xx, or an error inside a success) has none. A write
 * that got no response, or a server error, may have taken effect.
 */
function effectOf(call: ApiCall, response: ApiResponse | Failure): ExecutedStep["effect"] {
  if (!isWrite(call)) return "none";
  if (isFailure(response)) {
    if (response.kind === "credentials" || response.kind === "busy") return "none";
    return "sent" in response && !response.sent ? "none" : "maybe";
  }
  if (response.status < 400)
    return isEmbeddedError(bodyOf(response, call.mapping.method)) ? "none" : "done";
  const isRefusal = response.status < 500 && response.status !== 408;
  return isRefusal ? "none" : "maybe";
}

/** Milliseconds before a retry. */
export function retryDelay(result: StepResult, policy: RetryPolicy): number {
  const { response } = result as StepOutcome;
  const requested = response && "headers" in response ? retryAfter(response) : undefined;
  return requested ?? policy.retryAfter * 1000;
}

/** False for failures that a retry cannot resolve: invalid inputs, credentials, a wrong host. */
export function canRetry(result: StepResult): boolean {
  const { problems, response } = result as StepOutcome;
  if (problems !== undefined) return false;
  if (response === undefined || !("kind" in response)) return true;
  return response.kind !== "credentials" && !(response.kind === "connection" && response.permanent);
}

/** The step at which a workflow stopped, and the reason. */
export interface StopReason {
  readonly step: StepDefinition;
  /** Absent when the workflow was stopped from outside. */
  readonly result?: StepOutcome;
  /** Reason of a stop from outside, as a clause: `was cancelled`. */
  readonly reason?: string;
  /** True if a retry stops in the same way. */
  readonly isPermanent?: boolean;
  /** The action of the workflow that ended it. */
  readonly action?: string;
}

/** State of one workflow of the run. */
export interface WorkflowState {
  readonly inputs: unknown;
  /** Outputs of the completed steps, by step ID. */
  readonly steps: Map<string, unknown>;
  /** Number of retries of a step, by the name of the retry action. */
  readonly retries: Map<StepDefinition, Map<string, number>>;
  /** Steps that will be retried, possibly after other steps. */
  readonly retrying: Set<StepDefinition>;
  outputs?: unknown;
}
