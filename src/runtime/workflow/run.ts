/** The run of a workflow: its requests, nested workflows, retries and deadlines. */
import type { ApiDefinition } from "../api-definition.js";
import { chooseCredentials, findOriginFailure } from "../auth/authenticate.js";
import {
  type CallContext,
  type RunningCall,
  exchangeFor,
  recordSuccess,
  sendAuthenticated,
} from "../call/send-authenticated.js";
import { revertingCall } from "../call/effects.js";
import { nestedDeadline, pauseFor } from "../client/limits.js";
import type { ApiCall, Deadline } from "../request/types.js";
import { bindRequest } from "../request/bind-request.js";
import { resolveBaseUrl } from "../request/base-url.js";
import { configuredSecrets } from "../response/redact.js";
import { contextOfApi } from "../server/api-contexts.js";
import type { ServerContext } from "../server/context.js";
import type { AnyTool } from "../tools/definitions.js";
import type { OperationBinding, ToolDefinition } from "../types.js";
import { WorkflowStoppedError } from "./explain-stop.js";
import {
  canRetry,
  ExecutionLog,
  MAX_STEPS,
  type NestedResult,
  requestOutcome,
  retryDelay,
  type RetryPolicy,
  type StepDefinition,
  type StepOutcome,
  type StepResult,
  unsentOutcome,
  WorkflowStates,
} from "./steps.js";
import { withoutUndefined } from "./values.js";

/** True for an API of the server itself, in a server of several. */
function isMember({ apis }: ServerContext, { name }: ApiDefinition): boolean {
  return apis?.has(name) === true;
}

/** A workflow as a function. */
export type Workflow<Inputs, Outputs> = (inputs: Inputs, run: WorkflowRun) => Promise<Outputs>;

/** Inputs of a workflow as other workflows pass them: their types are not known at generation. */
type UncheckedInputs<Inputs> = { readonly [Name in keyof Inputs]?: unknown };

/**
 * The run of a workflow and of all workflows that it calls, in one tool call. Generated workflow
 * functions use it to send requests and to record results. Everything that ends the run early is
 * thrown as a `WorkflowStoppedError`.
 */
export class WorkflowRun {
  readonly log = new ExecutionLog();
  /** Sentences for the agent about fallbacks and early ends. */
  readonly notes: string[] = [];
  /** Secrets of all requests, to be redacted from the result. */
  readonly secrets = new Set<string>();
  private readonly workflows = new WorkflowStates();
  private lastOutcome: StepOutcome | undefined;
  /** The step that runs, or whose inputs are computed. */
  currentStep: StepDefinition | undefined;
  private stepCount = 0;
  /** Deadlines of the tool call and of the steps that are in progress, outermost first. */
  private readonly deadlines: Deadline[];

  /** @param workflowCall the tool call that the run belongs to */
  constructor(private readonly workflowCall: RunningCall) {
    this.deadlines = [workflowCall.deadline];
  }

  private get deadline(): Deadline {
    return this.deadlines.at(-1) ?? this.workflowCall.deadline;
  }

  /** Sends the request of a step. The workflow checks the success criteria. */
  async send(step: StepDefinition, values: Readonly<Record<string, unknown>>): Promise<StepResult> {
    this.beginStep(step);
    const { info } = this.workflowCall;
    const inputs = withoutUndefined(values);
    const server = this.contextOf(step);
    const mapping = step.request as NonNullable<StepDefinition["request"]>;
    const bindResult = bindRequest(mapping, inputs, server.apiContext);
    if (!bindResult.ok) return (this.lastOutcome = unsentOutcome(inputs, bindResult.problems));
    const tool = info.tool as ToolDefinition;
    const { request } = bindResult;
    const findTool = server.tools.get;
    const earlier = server.successes.of({ mapping, request });
    const call: ApiCall = {
      api: server.api,
      tool,
      ...(step.api && { isOfSeveral: true as const }),
      input: info.input,
      mapping,
      request,
      findTool,
      earlier,
      ...(this.onlyReads(step) && { onlyReads: true }),
    };
    return (this.lastOutcome = await this.sendRequest(step, call, inputs, server));
  }

  private async sendRequest(
    step: StepDefinition,
    call: ApiCall,
    inputs: Readonly<Record<string, unknown>>,
    server: ServerContext,
  ): Promise<StepOutcome> {
    const { forwarded = [], exchanges, consent } = this.callerOf(step);
    const info = { ...this.workflowCall.info, forwarded };
    const context = { ...this.workflowCall.context, exchanges, consent };
    const deadline = nestedDeadline(this.deadline, step.timeoutMs ?? server.settings.timeoutMs);
    this.workflowCall.deadline.markSent();
    try {
      const { response, secrets, credentials } = await sendAuthenticated(
        { server, info, call, deadline, context },
        { retry: step.hasOwnRetries !== true, returnRedirects: step.keepRedirects === true },
      );
      for (const secret of secrets) this.secrets.add(secret);
      this.log.add(step, call, response, ({ headers }, body) =>
        revertingCall(server.tools, this.operationOf(step), {
          url: call.request.url,
          headers,
          body,
        }),
      );
      this.throwIfExpired(step);
      const answered = { ...call, credentials };
      const outcome = requestOutcome(answered, inputs, response);
      if (outcome.ok) recordSuccess({ server, info, call: answered, context, deadline });
      return outcome;
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Runs another workflow as a step of this one. Its failure is the result of the step. A timeout
   * or a cancellation of the whole call is thrown.
   */
  async callWorkflow<Inputs, Outputs>(
    step: StepDefinition,
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<NestedResult<Outputs>> {
    this.beginStep(step);
    const { depth } = this.workflows;
    const { timeoutMs } = step;
    const limit = timeoutMs === undefined ? undefined : nestedDeadline(this.deadline, timeoutMs);
    if (limit) this.deadlines.push(limit);
    try {
      const outputs = await workflow(inputs as Inputs, this);
      const outcome = this.lastOutcome ?? unsentOutcome({}, []);
      return { ...outcome, hasResponse: true, ok: true, outputs };
    } catch (error) {
      if (!this.isFailureOfStep(error, limit)) throw error;
      const { stop } = error;
      this.workflows.returnTo(depth);
      const outcome = { ...(stop.result ?? unsentOutcome({}, [])), stop };
      return { ...outcome, hasResponse: false, ok: false } as NestedResult<Outputs>;
    } finally {
      if (limit) this.deadlines.pop();
      limit?.dispose();
      this.currentStep = step;
    }
  }

  /** True if the tool of the same operation only reads. */
  private onlyReads(step: StepDefinition): boolean {
    return this.toolOf(step)?.annotations.readOnlyHint === true;
  }

  /** The tool of the same operation. */
  private toolOf({ tool, api }: StepDefinition): AnyTool | undefined {
    const { server } = this.workflowCall;
    return tool !== undefined && (!api || isMember(server, api))
      ? server.tools.get(tool)
      : undefined;
  }

  /** The operation of that tool that sends the same request. */
  private operationOf(step: StepDefinition): Partial<OperationBinding> {
    const tool = this.toolOf(step);
    const { method, path } = step.request ?? {};
    const operations = tool && "operations" in tool ? tool.operations : [];
    const isSame = ({ request }: OperationBinding): boolean =>
      request.method === method && request.path === path;
    return operations.find(isSame) ?? {};
  }

  /** Names the step whose inputs are computed next, for an error in them. */
  prepare(step: StepDefinition): void {
    this.currentStep = step;
  }

  /** True if an error ends only the step, and not the workflow around it. */
  private isFailureOfStep(
    error: unknown,
    limit: Deadline | undefined,
  ): error is WorkflowStoppedError {
    if (!(error instanceof WorkflowStoppedError)) return false;
    const isOwnTimeout = limit !== undefined && this.expiredDeadline() === limit;
    return error.stop.reason === undefined || isOwnTimeout;
  }

  /** Continues with another workflow. Its outputs become the outputs of this one. */
  async continueWith<Inputs, Outputs>(
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<Outputs> {
    return await workflow(inputs as Inputs, this);
  }

  /** Runs a workflow that this one depends on, unless it has completed already. */
  async runDependency<Inputs, Outputs>(
    id: string,
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<Outputs> {
    const state = this.workflows.get(id);
    if (state && "outputs" in state) return state.outputs as Outputs;
    return await workflow(inputs as Inputs, this);
  }

  complete<Outputs = undefined>(step: StepDefinition, outputs?: Outputs): Outputs {
    this.workflows.current.retries.delete(step);
    this.log.finish(step, outputs);
    this.workflows.current.steps.set(step.id, outputs);
    return outputs as Outputs;
  }

  /**
   * Waits before a retry. `Retry-After` of the response overrides the delay of the workflow.
   * RFC 9110, section 10.2.3.
   * @param action name of the retry action
   * @returns false when the step must not be retried
   */
  async retry(
    step: StepDefinition,
    result: StepResult,
    action: string,
    policy: RetryPolicy,
  ): Promise<boolean> {
    const { retries, retrying } = this.workflows.current;
    const counts = retries.get(step) ?? new Map<string, number>();
    const count = counts.get(action) ?? 0;
    const delay = retryDelay(result, policy);
    if (count >= policy.retryLimit || !canRetry(result)) return false;
    if (delay >= this.deadline.remainingMs()) return false;
    retries.set(step, counts.set(action, count + 1));
    retrying.add(step);
    const seconds = Math.ceil(delay / 1000);
    this.reportProgress(
      `${step.id}: retrying in ${seconds} s (${count + 1} of ${policy.retryLimit}).`,
    );
    await pauseFor(delay, this.deadline);
    this.throwIfExpired(step);
    return true;
  }

  /**
   * The error that ends the workflow at a failed step. The caller throws it.
   * @param action name of the action that ends the workflow
   */
  failure(step: StepDefinition, result: StepResult, action?: string): WorkflowStoppedError {
    return new WorkflowStoppedError({
      step,
      result: result as StepOutcome,
      ...(action !== undefined && { action }),
    });
  }

  /** Notes that a step failed and the workflow continues with a failure action. */
  noteFallback(step: StepDefinition, { status }: StepResult, action: string): void {
    const cause = status === undefined ? "" : ` (the API responded with ${status})`;
    this.addNote(
      `Step ${step.id} failed${cause}; the workflow continued with its action ${action}.`,
    );
  }

  /** Stops the workflow before its first request when the credentials of a step are missing. */
  async requireCredentials(...steps: readonly StepDefinition[]): Promise<void> {
    for (const step of steps) {
      const { exchanges, ...caller } = this.callerOf(step);
      const { api, apiContext } = this.contextOf(step);
      const context = { ...apiContext, ...caller, exchange: exchangeFor(api, exchanges) };
      const requirements = step.request?.security ?? context.api.security ?? [];
      const base = resolveBaseUrl(step.request?.servers ?? context.api.servers, context);
      const foreign = base.ok && findOriginFailure(requirements, base.url, context);
      const choice =
        foreign ||
        (await chooseCredentials(requirements, context, this.deadline).catch((error: unknown) => {
          this.throwIfExpired(step);
          throw error;
        }));
      if (choice.ok) continue;
      const response = { kind: "credentials", message: choice.message };
      throw this.failure(step, { ...unsentOutcome({}, []), response } as StepOutcome);
    }
  }

  /** Notes that an action ended the workflow successfully before its last step. */
  noteEarlyEnd(step: StepDefinition, action: string): void {
    const workflow = this.workflows.depth > 1 ? "The called workflow" : "The workflow";
    this.addNote(`${workflow} ended after step ${step.id} by its action ${action}.`);
  }

  /** Records the inputs and outputs of a workflow, for expressions of other workflows. */
  track<Outputs>(id: string, inputs: unknown, execute: () => Promise<Outputs>): Promise<Outputs> {
    return this.workflows.run(id, inputs, execute);
  }

  inputsOf(id: string): unknown {
    return this.workflows.get(id)?.inputs;
  }

  outputsOf(id: string): unknown {
    return this.workflows.get(id)?.outputs;
  }

  outputsOfStep(id: string, step: string): unknown {
    return this.workflows.get(id)?.steps.get(step);
  }

  /** A random key, for idempotency. */
  randomUuid(): string {
    return crypto.randomUUID();
  }

  /** The value of an environment variable. Undefined when it is empty. */
  env(name: string): string | undefined {
    return this.workflowCall.info.env[name] || undefined;
  }

  /** Adds a note once: steps in a loop would repeat it. */
  private addNote(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  private beginStep(step: StepDefinition): void {
    this.currentStep = step;
    this.throwIfExpired(step);
    if (++this.stepCount > MAX_STEPS)
      throw new WorkflowStoppedError({
        step,
        reason: `was stopped after ${MAX_STEPS} steps, because it repeats steps`,
      });
    const { retries, retrying } = this.workflows.current;
    if (!retrying.delete(step)) retries.delete(step);
    this.reportProgress(`Step ${this.stepCount}: ${step.title ?? step.id}`);
  }

  private throwIfExpired(step: StepDefinition): void {
    const failure = this.expiredDeadline()?.expired;
    if (!failure) return;
    const reason =
      failure.kind === "timeout"
        ? `did not complete within ${Math.ceil(failure.afterMs / 1000)} s`
        : "was cancelled";
    throw new WorkflowStoppedError({ step, reason });
  }

  /** The outermost expired deadline. The deadlines inside of it expire with it. */
  private expiredDeadline(): Deadline | undefined {
    return this.deadlines.find(({ expired }) => expired !== undefined);
  }

  private reportProgress(message: string): void {
    this.workflowCall.context.progress?.(message);
  }

  /** Credentials of the caller for the API of a step: none, unless it is one of the server's. */
  private callerOf({
    api,
  }: StepDefinition): Pick<CallContext, "forwarded" | "exchanges" | "consent"> {
    const { server, context } = this.workflowCall;
    if (!api) return context;
    if (!isMember(server, api)) return {};
    const forwarded = context.forwarded?.filter((header) => header.api === api.name);
    return { ...context, ...(forwarded && { forwarded }) };
  }

  private contextOf({ api }: StepDefinition): ServerContext {
    const { server } = this.workflowCall;
    if (!api) return server;
    if (isMember(server, api)) return contextOfApi(server, api.name);
    for (const secret of configuredSecrets(api, server.apiContext.env)) this.secrets.add(secret);
    // The scopes of the caller concern the server's own API.
    return { ...server, api, apiContext: { ...server.apiContext, api }, grantedScopes: undefined };
  }
}
