/** Steps of a workflow: their definitions, and their outcomes. */
import type { ApiDefinition } from "../api-definition.js";
import { isWrite, retryAfter } from "../client/failures.js";
import { isEmbeddedError } from "../errors/embedded-error.js";
import {
  type ApiCall,
  type ApiResponse,
  type Failure,
  headerIn,
  type InputProblem,
  isFailure,
  isSuccess,
} from "../request/types.js";
import { decodeResponse } from "../response/decode.js";
import type { RequestMapping } from "../types.js";

/**
 * The constant part of one workflow step. The generator writes it next to the code that uses it.
 */
export interface StepDefinition {
  /** `stepId` of the workflow description. */
  readonly id: string;
  /** Purpose in a few words. */
  readonly title?: string;
  /** `POST /orders`, or the workflow that the step calls. */
  readonly target: string;
  /** The tool that performs the same operation, when the server has one. */
  readonly tool?: string;
  /** Absent when the step calls a workflow. */
  readonly request?: RequestMapping;
  /** The API of the operation, when it is not the server's own. */
  readonly api?: ApiDefinition;
  /** Required inputs of the request that other steps provide, each with its source. */
  readonly requiredInputs?: Readonly<Record<string, string>>;
  /** Success criteria of the workflow description, as text. */
  readonly successCriteria?: readonly string[];
  /** Timeout of this step. Default: the timeout of every request. */
  readonly timeoutMs?: number;
  /** The workflow retries this step itself, so the HTTP client must not. */
  readonly hasOwnRetries?: true;
  /** Redirects are results of this step and are not followed. */
  readonly keepRedirects?: true;
}

/** Retry action of a step. Arazzo, "Failure Action Object". */
export interface RetryPolicy {
  /** Maximum number of retries. */
  readonly retryLimit: number;
  /** Delay in seconds. */
  readonly retryAfter: number;
}

/** Result of a step, as the code of a workflow reads it. */
export interface StepResult {
  /** The API responded. For a called workflow: it completed. */
  readonly hasResponse: boolean;
  /** The response is a success. For a called workflow: it completed. */
  readonly ok: boolean;
  /**
   * Absent without a response. For a called workflow: the status of its last request. Conditions
   * may test several statuses in turn, so its type is one that a comparison does not narrow.
   */
  readonly status?: number & {};
  /** JSON as data, other text as a string, `undefined` for anything else. */
  readonly body: unknown;
  /** The values that the request was built from, by name. The request body is `body`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly method: string;
  /** A header of the response, by its name in any case. */
  header(name: string): string | undefined;
  requestHeader(name: string): string | undefined;
}

/** Result of a step that calls a workflow. */
export interface NestedResult<Outputs> extends StepResult {
  readonly outputs?: Outputs;
}

/** Maximum number of steps in one tool call, called workflows and retries included. */
export const MAX_STEPS = 100;

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
  const requestHeader = (name: string): string | undefined => headerIn(headers, name);
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
  const content = decodeResponse(response, "any", method);
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
  /** Call that reverts the effect. */
  readonly revert?: string | undefined;
}

/** The steps of a workflow run in the order of their execution. */
export class ExecutionLog {
  readonly entries: ExecutedStep[] = [];

  /** Adds a request with its possible effect. */
  add(
    step: StepDefinition,
    call: ApiCall,
    response: ApiResponse | Failure,
    revertOf: (response: ApiResponse, body: unknown) => string | undefined,
  ): void {
    const effect = effectOf(call, response);
    const isDone = effect === "done" && !isFailure(response);
    const revert = isDone ? revertOf(response, bodyOf(response, call.mapping.method)) : undefined;
    this.entries.push({ step, effect, isDone: false, revert });
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
    if (["credentials", "busy", "unavailable"].includes(response.kind)) return "none";
    return "sent" in response && !response.sent ? "none" : "maybe";
  }
  if (response.status === 304) return "none";
  if (response.status < 400) return effectOfSuccess(call, response);
  const isRefusal = response.status < 500 && response.status !== 408;
  return isRefusal ? "none" : "maybe";
}

/** A page, as of a proxy or a sign-in, and a redirect do not show what the API has done. */
function effectOfSuccess(call: ApiCall, response: ApiResponse): ExecutedStep["effect"] {
  if (isEmbeddedError(bodyOf(response, call.mapping.method))) return "none";
  const isPage = /\bhtml\b/i.test(response.headers.get("content-type") ?? "");
  return isSuccess(response) && !isPage ? "done" : "maybe";
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

interface WorkflowState {
  readonly inputs: unknown;
  /** Outputs of the completed steps, by step ID. */
  readonly steps: Map<string, unknown>;
  /** Number of retries of a step, by the name of the retry action. */
  readonly retries: Map<StepDefinition, Map<string, number>>;
  /** Steps that will be retried, possibly after other steps. */
  readonly retrying: Set<StepDefinition>;
  outputs?: unknown;
}

/** States of the workflows of a run: of those that have started, by ID, and of those that run. */
export class WorkflowStates {
  readonly #byId = new Map<string, WorkflowState>();
  readonly #running: WorkflowState[] = [];

  get(id: string): WorkflowState | undefined {
    return this.#byId.get(id);
  }

  /** State of the innermost workflow. */
  get current(): WorkflowState {
    return this.#running.at(-1) as WorkflowState;
  }

  /** Number of workflows that run, each called by the one before. */
  get depth(): number {
    return this.#running.length;
  }

  /** Runs a workflow with a state of its own. */
  async run<Outputs>(
    id: string,
    inputs: unknown,
    execute: () => Promise<Outputs>,
  ): Promise<Outputs> {
    const state: WorkflowState = {
      inputs,
      steps: new Map(),
      retries: new Map(),
      retrying: new Set(),
    };
    this.#byId.set(id, state);
    this.#running.push(state);
    const outputs = await execute();
    this.#running.pop();
    state.outputs = outputs;
    return outputs;
  }

  /** Leaves the workflows that failed inside of the one at a depth. */
  returnTo(depth: number): void {
    this.#running.length = depth;
  }
}
