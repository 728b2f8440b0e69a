import { chooseAlternative } from "../auth/choose.js";
import { bind } from "../bind/index.js";
import type { App } from "../app.js";
import type { CallContext } from "../call.js";
import type { Call } from "../errors/index.js";
import type { CallInfo } from "../hooks.js";
import { configuredSecrets } from "../redact.js";
import { exchange } from "../request.js";
import { pause } from "../send/deadline.js";
import { type Deadline, retryAfter, startDeadline } from "../send/index.js";
import type { ToolDefinition } from "../types.js";
import { type Answered, answered, unsent } from "./answer.js";
import { WorkflowStopped } from "./failure.js";
import { Journal } from "./journal.js";
import { present } from "./values.js";
import type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./types.js";

/** A workflow as a function. */
export type Workflow<Inputs, Outputs> = (inputs: Inputs, flow: Flow) => Promise<Outputs>;

/**
 * A workflow may be called with values of which nobody knows the types; it is written for the ones
 * that it declares.
 */
export type Loose<Inputs> = { readonly [Name in keyof Inputs]?: unknown };

/**
 * Steps in one call of a tool. A workflow that leads back to its own steps would otherwise run
 * until its deadline.
 */
const mostSteps = 100;

/** What the workflows of one call share. */
interface Started {
  readonly app: App;
  readonly info: CallInfo;
  readonly deadline: Deadline;
  readonly context: CallContext;
}

/** What a workflow ran with, and what came of it. */
interface Ran {
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
export class Flow {
  readonly journal = new Journal();
  readonly notes: string[] = [];
  /** What must not leave, from every request. */
  readonly secrets = new Set<string>();
  private readonly ran = new Map<string, Ran>();
  private readonly inside: Ran[] = [];
  private last: Answered | undefined;
  private steps = 0;
  /** That of the whole call, and those of the steps around what runs now. */
  private readonly deadlines: Deadline[];

  constructor(private readonly started: Started) {
    this.deadlines = [started.deadline];
  }

  private get deadline(): Deadline {
    return this.deadlines.at(-1) ?? this.started.deadline;
  }

  /**
   * Sends the request of a step. Whether the answer is what the step asks for is the workflow's to
   * say.
   */
  async send(step: StepDefinition, given: Readonly<Record<string, unknown>>): Promise<StepResult> {
    this.enter(step);
    const input = present(given);
    const app = this.appOf(step);
    const send = step.send as NonNullable<StepDefinition["send"]>;
    const bound = bind(send, input, app.context);
    if (!bound.ok) return (this.last = unsent(input, bound.problems));
    const tool = this.started.info.tool as ToolDefinition;
    const call: Call = {
      api: app.api,
      tool,
      input: this.started.info.input,
      send,
      request: bound.request,
    };
    return (this.last = await this.exchange(step, call, input, app));
  }

  private async exchange(
    step: StepDefinition,
    call: Call,
    input: Readonly<Record<string, unknown>>,
    app: App,
  ): Promise<Answered> {
    const { app: server, context } = this.started;
    const around = this.deadline;
    // What the client passes on is for the server's own API.
    const info = step.api ? { ...this.started.info, forwarded: [] } : this.started.info;
    const deadline = inside(around, step.timeoutMs ?? server.settings.timeoutMs);
    this.started.deadline.started();
    try {
      const { answer, secrets } = await exchange(
        { app, info, call, deadline, context },
        { retries: step.retriesItself !== true, keepRedirects: step.keepRedirects === true },
      );
      for (const secret of secrets) this.secrets.add(secret);
      this.journal.add(step, call, answer);
      this.stopIfOver(step);
      return answered(call, input, answer);
    } finally {
      deadline.end();
    }
  }

  /**
   * Runs another workflow as a step of this one. That it does not end well is for the step to deal
   * with, unless the whole call is over.
   */
  async call<Inputs, Outputs>(
    step: StepDefinition,
    workflow: Workflow<Inputs, Outputs>,
    inputs: Loose<Inputs>,
  ): Promise<NestedResult<Outputs>> {
    this.enter(step);
    const depth = this.inside.length;
    const limit = step.timeoutMs === undefined ? undefined : inside(this.deadline, step.timeoutMs);
    if (limit) this.deadlines.push(limit);
    try {
      const outputs = await workflow(inputs as Inputs, this);
      return { ...(this.last ?? unsent({}, [])), came: true, ok: true, outputs };
    } catch (error) {
      const isOfStep =
        error instanceof WorkflowStopped &&
        (error.stop.why === undefined || (limit !== undefined && this.ended() === limit));
      if (!isOfStep) throw error;
      this.inside.length = depth;
      return {
        ...(error.stop.result ?? unsent({}, [])),
        came: false,
        ok: false,
        stop: error.stop,
      } as NestedResult<Outputs>;
    } finally {
      if (limit) this.deadlines.pop();
      limit?.end();
    }
  }

  /** Hands over to another workflow, for good. */
  async lead<Inputs, Outputs>(
    workflow: Workflow<Inputs, Outputs>,
    inputs: Loose<Inputs>,
  ): Promise<Outputs> {
    return await workflow(inputs as Inputs, this);
  }

  /** Runs a workflow that must be over before this one begins, unless it ran already. */
  async first<Inputs, Outputs>(
    id: string,
    workflow: Workflow<Inputs, Outputs>,
    inputs: Loose<Inputs>,
  ): Promise<Outputs> {
    const known = this.ran.get(id);
    return known && "outputs" in known
      ? (known.outputs as Outputs)
      : await workflow(inputs as Inputs, this);
  }

  /** The step is over, with these outputs. */
  done<Outputs = undefined>(step: StepDefinition, outputs?: Outputs): Outputs {
    this.current.retries.delete(step);
    this.journal.finish(step, outputs);
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
    { limit, after }: RetryPolicy,
  ): Promise<boolean> {
    const { retries, retrying } = this.current;
    const own = retries.get(step) ?? new Map<string, number>();
    const tries = own.get(action) ?? 0;
    const { problems, answer } = result as Answered;
    const hopeless =
      problems !== undefined ||
      (answer !== undefined &&
        "kind" in answer &&
        (answer.kind === "credentials" || (answer.kind === "connection" && answer.lasting)));
    const wait = (answer && "headers" in answer ? retryAfter(answer) : undefined) ?? after * 1000;
    if (tries >= limit || hopeless || wait >= this.deadline.left()) return false;
    retries.set(step, own.set(action, tries + 1));
    retrying.add(step);
    this.tell(
      `${step.id}: trying again in ${Math.ceil(wait / 1000)} s (${tries + 1} of ${limit}).`,
    );
    await pause(wait, this.deadline);
    this.stopIfOver(step);
    return true;
  }

  /** What ends the workflow at a step: to be thrown. */
  failed(step: StepDefinition, result: StepResult, action?: string): WorkflowStopped {
    return new WorkflowStopped({
      step,
      result: result as Answered,
      ...(action !== undefined && { action }),
    });
  }

  /** A step failed, and the workflow goes another way: kept for the result. */
  turn(step: StepDefinition, result: StepResult, action: string): void {
    const { status } = result;
    this.note(
      `The step ${step.id} failed${status === undefined ? "" : ` (the API answered ${status})`}, so it went on by its action ${action}.`,
    );
  }

  /** Ends the workflow where the credentials of a step are missing, before anything is sent. */
  ready(...steps: readonly StepDefinition[]): void {
    for (const step of steps) {
      const { context } = this.appOf(step);
      const forwarded = step.api ? [] : this.started.info.forwarded;
      const choice = chooseAlternative(step.send?.security ?? context.api.security ?? [], {
        ...context,
        forwarded,
      });
      if (!choice.ok)
        throw this.failed(step, {
          ...unsent({}, []),
          answer: { kind: "credentials", message: choice.message },
        } as Answered);
    }
  }

  /** The workflow ends before its last step, and well. */
  end(step: StepDefinition, action: string): void {
    this.note(
      `${this.inside.length > 1 ? "That workflow" : "It"} ended after the step ${step.id}, by its action ${action}.`,
    );
  }

  /** Keeps what a workflow runs with, for expressions of others; see `workflow`. */
  async within<Outputs>(
    id: string,
    inputs: unknown,
    run: () => Promise<Outputs>,
  ): Promise<Outputs> {
    const ran: Ran = { inputs, steps: new Map(), retries: new Map(), retrying: new Set() };
    this.ran.set(id, ran);
    this.inside.push(ran);
    const outputs = await run();
    this.inside.pop();
    ran.outputs = outputs;
    return outputs;
  }

  inputsOf(id: string): unknown {
    return this.ran.get(id)?.inputs;
  }

  outputsOf(id: string): unknown {
    return this.ran.get(id)?.outputs;
  }

  outputsOfStep(id: string, step: string): unknown {
    return this.ran.get(id)?.steps.get(step);
  }

  /** A key that no other call has. */
  uuid(): string {
    return crypto.randomUUID();
  }

  /** A value that the owner of the server set. */
  env(name: string): string | undefined {
    return this.started.info.env[name] || undefined;
  }

  /** Steps that lead back to themselves may say the same a hundred times. */
  private note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  private enter(step: StepDefinition): void {
    this.stopIfOver(step);
    if (++this.steps > mostSteps)
      throw new WorkflowStopped({
        step,
        why: `went through ${mostSteps} steps without coming to its end: its steps lead back to each other`,
      });
    const { retries, retrying } = this.current;
    if (!retrying.delete(step)) retries.delete(step);
    this.tell(`Step ${this.steps}: ${step.title ?? step.id}`);
  }

  /** The run of the workflow that steps are taken in. */
  private get current(): Ran {
    return this.inside.at(-1) as Ran;
  }

  private stopIfOver(step: StepDefinition): void {
    const failure = this.ended()?.over;
    if (!failure) return;
    throw new WorkflowStopped({
      step,
      why:
        failure.kind === "timeout"
          ? `did not come to its end within ${Math.ceil(failure.afterMs / 1000)} s`
          : "was cancelled",
    });
  }

  /** The outermost deadline that has come: those inside of it ended with it. */
  private ended(): Deadline | undefined {
    return this.deadlines.find(({ over }) => over !== undefined);
  }

  private tell(message: string): void {
    this.started.context.progress?.(message);
  }

  private appOf({ api }: StepDefinition): App {
    const { app } = this.started;
    if (!api) return app;
    for (const secret of configuredSecrets(api, app.context.env)) this.secrets.add(secret);
    return { ...app, api, context: { ...app.context, api } };
  }
}

/**
 * Milliseconds by which a deadline comes before those inside of it, so that what ended is told from
 * the outermost one.
 */
const ahead = 100;

/** A deadline that ends with the one around it. */
function inside(around: Deadline, ms: number): Deadline {
  return startDeadline(Math.min(ms, Math.max(0, around.left()) + ahead), around.signal);
}
