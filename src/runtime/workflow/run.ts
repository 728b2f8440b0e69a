import type { ServerContext } from "../server/context.js";
import { chooseAlternative } from "../auth/choice.js";
import { bindRequest } from "../request/bind-request.js";
import type { CallContext } from "../call/prepared-call.js";
import type { ApiCall } from "../errors/explain-failure.js";
import type { CallInfo } from "../tools/hooks.js";
import { configuredSecrets } from "../response/redact.js";
import { sendAuthenticated } from "../call/send-authenticated.js";
import { pause } from "../client/deadline.js";
import { type Deadline, retryAfter, startDeadline } from "../client/index.js";
import type { ToolDefinition } from "../types.js";
import { WorkflowStoppedError } from "./explain-stop.js";
import { ExecutionLog, requestOutcome, type StepOutcome, unsentOutcome } from "./step-outcome.js";
import type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./types.js";
import { withoutUndefined } from "./values.js";

/** A workflow as a function. */
export type Workflow<Inputs, Outputs> = (inputs: Inputs, flow: WorkflowRun) => Promise<Outputs>;

/**
 * A workflow may be called with values of which nobody knows the types; it is written for the ones
 * that it declares.
 */
export type UncheckedInputs<Inputs> = { readonly [Name in keyof Inputs]?: unknown };

/**
 * Steps in one call of a tool. A workflow that leads back to its own steps would otherwise run
 * until its deadline.
 */
const maxSteps = 100;

/** What the workflows of one call share. */
interface WorkflowCall {
  readonly app: ServerContext;
  readonly info: CallInfo;
  readonly deadline: Deadline;
  readonly context: CallContext;
}

/** What a workflow ran with, and what came of it. */
interface WorkflowState {
  readonly inputs: unknown;
  readonly steps: Map<string, unknown>;
  /** How often a step was tried again by each of its actions. */
  readonly retries: Map<StepDefinition, Map<string, number>>;
  /** Steps that are about to be tried again, perhaps after others. */
  readonly retrying: Set<StepDefinition>;
  outputs?: unknown;
}

/**
 * One run of a workflow, nested ones included: sends what its steps send, and keeps account of it.
 * Whatever ends the run is thrown as `WorkflowStopped`.
 */
export class WorkflowRun {
  readonly log = new ExecutionLog();
  readonly notes: string[] = [];
  /** What must not leave, from every request. */
  readonly secrets = new Set<string>();
  private readonly workflows = new Map<string, WorkflowState>();
  private readonly stack: WorkflowState[] = [];
  private lastOutcome: StepOutcome | undefined;
  private stepCount = 0;
  /** That of the whole call, and those of the steps around what runs now. */
  private readonly deadlines: Deadline[];

  constructor(private readonly workflowCall: WorkflowCall) {
    this.deadlines = [workflowCall.deadline];
  }

  private get deadline(): Deadline {
    return this.deadlines.at(-1) ?? this.workflowCall.deadline;
  }

  /**
   * Sends the request of a step. Whether the answer is what the step asks for is the workflow's to
   * say.
   */
  async send(step: StepDefinition, given: Readonly<Record<string, unknown>>): Promise<StepResult> {
    this.beginStep(step);
    const input = withoutUndefined(given);
    const app = this.contextOf(step);
    const mapping = step.request as NonNullable<StepDefinition["request"]>;
    const bound = bindRequest(mapping, input, app.apiContext);
    if (!bound.ok) return (this.lastOutcome = unsentOutcome(input, bound.problems));
    const tool = this.workflowCall.info.tool as ToolDefinition;
    const call: ApiCall = {
      api: app.api,
      tool,
      input: this.workflowCall.info.input,
      mapping,
      request: bound.request,
    };
    return (this.lastOutcome = await this.sendRequest(step, call, input, app));
  }

  private async sendRequest(
    step: StepDefinition,
    call: ApiCall,
    input: Readonly<Record<string, unknown>>,
    app: ServerContext,
  ): Promise<StepOutcome> {
    const { app: server, context } = this.workflowCall;
    const around = this.deadline;
    // What the client passes on is for the server's own API.
    const info = step.api ? { ...this.workflowCall.info, forwarded: [] } : this.workflowCall.info;
    const deadline = nestedDeadline(around, step.timeoutMs ?? server.settings.timeoutMs);
    this.workflowCall.deadline.markSent();
    try {
      const { response, secrets } = await sendAuthenticated(
        { server: app, info, call, deadline, context },
        { retry: step.hasOwnRetries !== true, returnRedirects: step.keepRedirects === true },
      );
      for (const secret of secrets) this.secrets.add(secret);
      this.log.add(step, call, response);
      this.throwIfExpired(step);
      return requestOutcome(call, input, response);
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Runs another workflow as a step of this one. That it does not end well is for the step to deal
   * with, unless the whole call is over.
   */
  async callWorkflow<Inputs, Outputs>(
    step: StepDefinition,
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<NestedResult<Outputs>> {
    this.beginStep(step);
    const depth = this.stack.length;
    const limit =
      step.timeoutMs === undefined ? undefined : nestedDeadline(this.deadline, step.timeoutMs);
    if (limit) this.deadlines.push(limit);
    try {
      const outputs = await workflow(inputs as Inputs, this);
      return {
        ...(this.lastOutcome ?? unsentOutcome({}, [])),
        hasResponse: true,
        ok: true,
        outputs,
      };
    } catch (error) {
      const isOfStep =
        error instanceof WorkflowStoppedError &&
        (error.stop.reason === undefined ||
          (limit !== undefined && this.expiredDeadline() === limit));
      if (!isOfStep) throw error;
      this.stack.length = depth;
      return {
        ...(error.stop.result ?? unsentOutcome({}, [])),
        hasResponse: false,
        ok: false,
        stop: error.stop,
      } as NestedResult<Outputs>;
    } finally {
      if (limit) this.deadlines.pop();
      limit?.dispose();
    }
  }

  /** Hands over to another workflow, for good. */
  async continueWith<Inputs, Outputs>(
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<Outputs> {
    return await workflow(inputs as Inputs, this);
  }

  /** Runs a workflow that must be over before this one begins, unless it ran already. */
  async runDependency<Inputs, Outputs>(
    id: string,
    workflow: Workflow<Inputs, Outputs>,
    inputs: UncheckedInputs<Inputs>,
  ): Promise<Outputs> {
    const known = this.workflows.get(id);
    return known && "outputs" in known
      ? (known.outputs as Outputs)
      : await workflow(inputs as Inputs, this);
  }

  /** The step is over, with these outputs. */
  complete<Outputs = undefined>(step: StepDefinition, outputs?: Outputs): Outputs {
    this.current.retries.delete(step);
    this.log.finish(step, outputs);
    this.current.steps.set(step.id, outputs);
    return outputs as Outputs;
  }

  /**
   * Waits and says whether the step is to be tried again. An API's `Retry-After` goes before what
   * the workflow says. RFC 9110, section 10.2.3.
   */
  async retry(
    step: StepDefinition,
    result: StepResult,
    action: string,
    { retryLimit: limit, retryAfter: after }: RetryPolicy,
  ): Promise<boolean> {
    const { retries, retrying } = this.current;
    const own = retries.get(step) ?? new Map<string, number>();
    const tries = own.get(action) ?? 0;
    const { problems, response: answer } = result as StepOutcome;
    const hopeless =
      problems !== undefined ||
      (answer !== undefined &&
        "kind" in answer &&
        (answer.kind === "credentials" || (answer.kind === "connection" && answer.permanent)));
    const wait = (answer && "headers" in answer ? retryAfter(answer) : undefined) ?? after * 1000;
    if (tries >= limit || hopeless || wait >= this.deadline.remainingMs()) return false;
    retries.set(step, own.set(action, tries + 1));
    retrying.add(step);
    this.reportProgress(
      `${step.id}: trying again in ${Math.ceil(wait / 1000)} s (${tries + 1} of ${limit}).`,
    );
    await pause(wait, this.deadline);
    this.throwIfExpired(step);
    return true;
  }

  /** What ends the workflow at a step: to be thrown. */
  failure(step: StepDefinition, result: StepResult, action?: string): WorkflowStoppedError {
    return new WorkflowStoppedError({
      step,
      result: result as StepOutcome,
      ...(action !== undefined && { action }),
    });
  }

  /** A step failed, and the workflow goes another way: kept for the result. */
  noteFallback(step: StepDefinition, result: StepResult, action: string): void {
    const { status } = result;
    this.addNote(
      `The step ${step.id} failed${status === undefined ? "" : ` (the API answered ${status})`}, so it went on by its action ${action}.`,
    );
  }

  /** Ends the workflow where the credentials of a step are missing, before anything is sent. */
  requireCredentials(...steps: readonly StepDefinition[]): void {
    for (const step of steps) {
      const { apiContext: context } = this.contextOf(step);
      const forwarded = step.api ? [] : this.workflowCall.info.forwarded;
      const choice = chooseAlternative(step.request?.security ?? context.api.security ?? [], {
        ...context,
        forwarded,
      });
      if (!choice.ok)
        throw this.failure(step, {
          ...unsentOutcome({}, []),
          response: { kind: "credentials", message: choice.message },
        } as StepOutcome);
    }
  }

  /** The workflow ends before its last step, and well. */
  noteEarlyEnd(step: StepDefinition, action: string): void {
    this.addNote(
      `${this.stack.length > 1 ? "That workflow" : "It"} ended after the step ${step.id}, by its action ${action}.`,
    );
  }

  /** Keeps what a workflow runs with, for expressions of others; see `workflow`. */
  async track<Outputs>(id: string, inputs: unknown, run: () => Promise<Outputs>): Promise<Outputs> {
    const ran: WorkflowState = {
      inputs,
      steps: new Map(),
      retries: new Map(),
      retrying: new Set(),
    };
    this.workflows.set(id, ran);
    this.stack.push(ran);
    const outputs = await run();
    this.stack.pop();
    ran.outputs = outputs;
    return outputs;
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

  /** A key that no other call has. */
  randomUuid(): string {
    return crypto.randomUUID();
  }

  /** A value that the owner of the server set. */
  env(name: string): string | undefined {
    return this.workflowCall.info.env[name] || undefined;
  }

  /** Steps that lead back to themselves may say the same a hundred times. */
  private addNote(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  private beginStep(step: StepDefinition): void {
    this.throwIfExpired(step);
    if (++this.stepCount > maxSteps)
      throw new WorkflowStoppedError({
        step,
        reason: `went through ${maxSteps} steps without coming to its end: its steps lead back to each other`,
      });
    const { retries, retrying } = this.current;
    if (!retrying.delete(step)) retries.delete(step);
    this.reportProgress(`Step ${this.stepCount}: ${step.title ?? step.id}`);
  }

  /** The run of the workflow that steps are taken in. */
  private get current(): WorkflowState {
    return this.stack.at(-1) as WorkflowState;
  }

  private throwIfExpired(step: StepDefinition): void {
    const failure = this.expiredDeadline()?.expired;
    if (!failure) return;
    throw new WorkflowStoppedError({
      step,
      reason:
        failure.kind === "timeout"
          ? `did not come to its end within ${Math.ceil(failure.afterMs / 1000)} s`
          : "was cancelled",
    });
  }

  /** The outermost deadline that has come: those inside of it ended with it. */
  private expiredDeadline(): Deadline | undefined {
    return this.deadlines.find(({ expired: over }) => over !== undefined);
  }

  private reportProgress(message: string): void {
    this.workflowCall.context.progress?.(message);
  }

  private contextOf({ api }: StepDefinition): ServerContext {
    const { app } = this.workflowCall;
    if (!api) return app;
    for (const secret of configuredSecrets(api, app.apiContext.env)) this.secrets.add(secret);
    return { ...app, api, apiContext: { ...app.apiContext, api } };
  }
}

/**
 * Milliseconds by which a deadline comes before those inside of it, so that what ended is told from
 * the outermost one.
 */
const deadlineMargin = 100;

/** A deadline that ends with the one around it. */
function nestedDeadline(around: Deadline, ms: number): Deadline {
  return startDeadline(
    Math.min(ms, Math.max(0, around.remainingMs()) + deadlineMargin),
    around.signal,
  );
}
