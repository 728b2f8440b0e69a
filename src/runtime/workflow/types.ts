import type { ApiDefinition } from "../api-definition.js";
import type { RequestMapping } from "../types.js";

/** The constant part of one workflow step. The generator writes it beside the code that uses it. */
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
  /** Timeout of this step. Default: that of every request. */
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
  /** Absent without a response. For a called workflow: the status of its last request. */
  readonly status?: number;
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
