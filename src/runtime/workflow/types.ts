import type { RequestMapping, ApiDefinition } from "../types.js";

/**
 * What is constant about one step of a workflow: written by the generator, beside the code that
 * uses it.
 */
export interface StepDefinition {
  /** `stepId` of the workflow description. */
  readonly id: string;
  /** What it is for, in a few words. */
  readonly title?: string;
  /** `POST /orders`, or the workflow that it calls. */
  readonly target: string;
  /** The tool that does the same alone, when the server has one. */
  readonly tool?: string;
  /** Absent: it calls a workflow. */
  readonly request?: RequestMapping;
  /** The API that it calls, when it is not the server's own. */
  readonly api?: ApiDefinition;
  /** What it cannot be sent without, and the outputs of other steps that give it. */
  readonly requiredInputs?: Readonly<Record<string, string>>;
  /** What must hold for it to count as done. */
  readonly successCriteria?: readonly string[];
  /** Its own deadline, when it is not that of every request. */
  readonly timeoutMs?: number;
  /** The workflow says itself when it is tried again, so that nobody else does. */
  readonly hasOwnRetries?: true;
  /** The workflow wants to see a redirect. */
  readonly keepRedirects?: true;
}

/** How often a step is tried again, and after how many seconds. */
export interface RetryPolicy {
  readonly retryLimit: number;
  readonly retryAfter: number;
}

/** What came of a step. */
export interface StepResult {
  /** There was an answer; with a workflow, it ended well. */
  readonly hasResponse: boolean;
  /** The API said that it did what was asked; with a workflow, it ended well. */
  readonly ok: boolean;
  /** Absent when there was no answer. With a workflow, that of its last request. */
  readonly status?: number;
  /** JSON as data, other text, `undefined` for anything else. */
  readonly body: unknown;
  /** What the request was made from, by name; the body is `body`. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly method: string;
  /** One header of the answer; names know no case. */
  header(name: string): string | undefined;
  requestHeader(name: string): string | undefined;
}

/** What came of a step that calls a workflow. */
export interface NestedResult<Outputs> extends StepResult {
  readonly outputs?: Outputs;
}
