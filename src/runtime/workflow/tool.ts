import type { App } from "../app.js";
import type { CallContext } from "../call.js";
import { type Ended, failed } from "../ended.js";
import type { CallInfo, PerformingTool } from "../hooks.js";
import { withWhole } from "../kept/link.js";
import { answerByOwner, errorByOwner } from "../owner.js";
import { redactResult } from "../redact.js";
import type { Deadline, Failure } from "../send/index.js";
import { clean, shape } from "../shape/index.js";
import { lookUpWith } from "../request.js";
import { resolveNames } from "../resolve.js";
import type { ReadBinding, RequestBinding, ToolDefinition } from "../types.js";
import { explainStop, type Stop, WorkflowStopped } from "./failure.js";
import { Flow, type Workflow } from "./flow.js";
import type { StepDefinition } from "./types.js";

/**
 * A tool that runs a workflow. `read` says which of its outputs are kept, `resolve` which inputs
 * take names for IDs.
 */
export interface WorkflowDefinition<Input, Output>
  extends Omit<ToolDefinition<Input, Output>, "requests">, Pick<RequestBinding, "resolve"> {
  readonly read?: ReadBinding;
  run(input: Input, flow: Flow): Promise<Output>;
}

/**
 * Makes a function a workflow: what it ran with, and what came of it, is kept for expressions of
 * other workflows.
 */
export function workflow<Inputs, Outputs>(
  id: string,
  run: Workflow<Inputs, Outputs>,
): Workflow<Inputs, Outputs> {
  return (inputs, flow) => flow.within(id, inputs, () => run(inputs, flow));
}

/** Ties constant data about steps to its type. Returns what it is given. */
export function defineSteps<Name extends string>(
  steps: Readonly<Record<Name, StepDefinition>>,
): Readonly<Record<Name, StepDefinition>> {
  return steps;
}

/** A tool whose calls run a workflow. */
export function defineWorkflowTool<Input, Output>(
  definition: WorkflowDefinition<Input, Output>,
): PerformingTool<Input, Output> {
  const { run, read, resolve, ...tool } = definition;
  const running: Running = {
    ...tool,
    ...(read && { read }),
    ...(resolve && { resolve }),
    run: run as Running["run"],
  };
  return {
    ...tool,
    perform: (app, call, deadline, context) => perform(app, call, deadline, context, running),
  };
}

type Running = Pick<ToolDefinition, "name" | "onError" | "inputSchema" | "outputSchema"> &
  Pick<WorkflowDefinition<unknown, unknown>, "run" | "read" | "resolve">;

async function perform(
  app: App,
  given: CallInfo,
  deadline: Deadline,
  context: CallContext,
  tool: Running,
): Promise<Ended> {
  const named = tool.resolve
    ? await resolveNames(
        app,
        tool,
        given.input,
        tool.resolve,
        lookUpWith(app, given, deadline, context),
      )
    : { ok: true as const, input: given.input };
  if (!named.ok) return named.ended;
  const info = { ...given, input: named.input };
  const flow = new Flow({ app, info, deadline, context });
  const run: Run = { app, info, tool, flow };
  try {
    return await succeed(await tool.run(info.input, flow), run);
  } catch (error) {
    if (error instanceof WorkflowStopped) return await stopped(error.stop, run);
    throw error;
  }
}

interface Run {
  readonly app: App;
  readonly info: CallInfo;
  readonly tool: Running;
  readonly flow: Flow;
}

async function succeed(outputs: unknown, { app, info, tool, flow }: Run): Promise<Ended> {
  const note = flow.notes.join(" ") || undefined;
  const done = flow.journal.entries
    .filter((entry) => entry.done)
    .map(({ step }) => `- ${step.id} (${step.calls})`);
  const content = tool.outputSchema
    ? ({
        kind: "json",
        value: withoutAbsent(outputs),
        plain: false,
        ...(note !== undefined && { note }),
      } as const)
    : ({
        kind: "text",
        text: ["Done:", ...done].join("\n"),
        ...(note !== undefined && { note }),
      } as const);
  const answer = await answerByOwner(app.hooks, { content, read: tool.read ?? {} }, info);
  const shaped = shape(answer.content, {
    tool,
    read: answer.read,
    maxCharacters: app.settings.maxResultCharacters,
    url: "",
    status: 200,
  });
  if (!shaped.ok)
    return redacted(
      failed(
        "unusable",
        clean(
          `${tool.name} did all its steps, but its result is not what it promises: ${shaped.why}. Do not call it again.\n${done.join("\n")}`,
        ),
        shaped.content,
      ),
      app,
      flow,
    );
  const result = app.hooks.afterResponse
    ? await app.hooks.afterResponse(shaped.result, info)
    : shaped.result;
  const ended = redacted({ outcome: "ok", result }, app, flow);
  const redact = app.redactorOf([...flow.secrets]);
  return shaped.whole
    ? {
        ...ended,
        result: await withWhole(ended.result, tool.name, shaped.whole, {
          ...(!app.hooks.afterResponse && app),
          redact,
          nameOf: () => tool.name,
        }),
      }
    : ended;
}

/** Secrets leave no further than here. */
function redacted(ended: Ended, app: App, flow: Flow): Ended {
  return { ...ended, result: redactResult(ended.result, app.redactorOf([...flow.secrets])) };
}

/** Outputs of steps that did not run are not there, rather than null. */
function withoutAbsent(outputs: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(outputs) as Record<string, unknown>).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

async function stopped(stop: Stop, { app, info, tool, flow }: Run): Promise<Ended> {
  const text = clean(explainStop(stop, tool, flow.journal.entries, flow.notes));
  const failure = failureOf(stop);
  const told = failure ? await errorByOwner(app.hooks, text, failure, info) : text;
  return redacted(
    failed(failure === undefined || failure.kind === "status" ? "api_error" : failure.kind, told),
    app,
    flow,
  );
}

function failureOf({ result }: Stop): Failure | undefined {
  const answer = result?.answer;
  if (!answer) return undefined;
  return "kind" in answer ? answer : { kind: "status", response: answer };
}
