import type { ServerContext } from "../server/context.js";
import type { CallContext } from "../call/prepared-call.js";
import { type CallOutcome, errorResult } from "../tools/outcome.js";
import type { CallInfo, WorkflowTool } from "../tools/hooks.js";
import { linkFullResult } from "../response/result-store/link.js";
import { runAfterResponse, runMapError } from "../tools/customizations.js";
import { redactResult } from "../response/redact.js";
import type { Deadline, Failure } from "../client/index.js";
import { sanitize, createToolResult } from "../response/tool-result.js";
import { createLookUp } from "../call/call-tool.js";
import { resolveNames } from "../call/resolve-names.js";
import type { ResponseMapping, OperationBinding, ToolDefinition } from "../types.js";
import { explainStop, type StopReason, WorkflowStoppedError } from "./explain-stop.js";
import { WorkflowRun, type Workflow } from "./run.js";
import type { StepDefinition } from "./types.js";

/**
 * A tool that runs a workflow. `read` says which of its outputs are kept, `resolve` which inputs
 * take names for IDs.
 */
export interface WorkflowDefinition<Input, Output>
  extends Omit<ToolDefinition<Input, Output>, "operations">, Pick<OperationBinding, "resolve"> {
  readonly response?: ResponseMapping;
  execute(input: Input, flow: WorkflowRun): Promise<Output>;
}

/**
 * Makes a function a workflow: what it ran with, and what came of it, is kept for expressions of
 * other workflows.
 */
export function defineWorkflow<Inputs, Outputs>(
  id: string,
  run: Workflow<Inputs, Outputs>,
): Workflow<Inputs, Outputs> {
  return (inputs, flow) => flow.track(id, inputs, () => run(inputs, flow));
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
): WorkflowTool<Input, Output> {
  const { execute: run, response: read, resolve, ...tool } = definition;
  const running: ExecutableWorkflow = {
    ...tool,
    ...(read && { response: read }),
    ...(resolve && { resolve }),
    execute: run as ExecutableWorkflow["execute"],
  };
  return {
    ...tool,
    perform: (server: ServerContext, call: CallInfo, deadline: Deadline, context: CallContext) =>
      perform(server, call, deadline, context, running),
  };
}

type ExecutableWorkflow = Pick<
  ToolDefinition,
  "name" | "onError" | "inputSchema" | "outputSchema"
> &
  Pick<WorkflowDefinition<unknown, unknown>, "execute" | "response" | "resolve">;

async function perform(
  app: ServerContext,
  given: CallInfo,
  deadline: Deadline,
  context: CallContext,
  tool: ExecutableWorkflow,
): Promise<CallOutcome> {
  const named = tool.resolve
    ? await resolveNames(
        app,
        tool,
        given.input,
        tool.resolve,
        createLookUp(app, given, deadline, context),
      )
    : { ok: true as const, input: given.input };
  if (!named.ok) return named.outcome;
  const info = { ...given, input: named.input };
  const flow = new WorkflowRun({ app, info, deadline, context });
  const run: WorkflowToolCall = { app, info, tool, flow };
  try {
    return await buildSuccess(await tool.execute(info.input, flow), run);
  } catch (error) {
    if (error instanceof WorkflowStoppedError) return await buildStopped(error.stop, run);
    throw error;
  }
}

interface WorkflowToolCall {
  readonly app: ServerContext;
  readonly info: CallInfo;
  readonly tool: ExecutableWorkflow;
  readonly flow: WorkflowRun;
}

async function buildSuccess(
  outputs: unknown,
  { app, info, tool, flow }: WorkflowToolCall,
): Promise<CallOutcome> {
  const note = flow.notes.join(" ") || undefined;
  const done = flow.log.entries
    .filter((entry) => entry.isDone)
    .map(({ step }) => `- ${step.id} (${step.target})`);
  const content = tool.outputSchema
    ? ({
        kind: "json",
        value: omitUndefined(outputs),
        isPlainAscii: false,
        ...(note !== undefined && { note }),
      } as const)
    : ({
        kind: "text",
        text: ["Done:", ...done].join("\n"),
        ...(note !== undefined && { note }),
      } as const);
  const answer = await runAfterResponse(app.hooks, { content, mapping: tool.response ?? {} }, info);
  const shaped = createToolResult(answer.content, {
    tool,
    mapping: answer.mapping,
    maxCharacters: app.settings.maxResultCharacters,
    url: "",
    status: 200,
  });
  if (!shaped.ok)
    return redactOutcome(
      errorResult(
        "unusable",
        sanitize(
          `${tool.name} did all its steps, but its result is not what it promises: ${shaped.reason}. Do not call it again.\n${done.join("\n")}`,
        ),
        shaped.content,
      ),
      app,
      flow,
    );
  const result = app.hooks.afterResponse
    ? await app.hooks.afterResponse(shaped.result, info)
    : shaped.result;
  const ended = redactOutcome({ outcome: "ok", result }, app, flow);
  const redact = app.redactorFor([...flow.secrets]);
  return shaped.fullResult
    ? {
        ...ended,
        result: await linkFullResult(ended.result, tool.name, shaped.fullResult, {
          ...(!app.hooks.afterResponse && { resultStore: app.resultStore, files: app.files }),
          redact,
          fileName: () => tool.name,
        }),
      }
    : ended;
}

/** Secrets leave no further than here. */
function redactOutcome(ended: CallOutcome, app: ServerContext, flow: WorkflowRun): CallOutcome {
  return { ...ended, result: redactResult(ended.result, app.redactorFor([...flow.secrets])) };
}

/** Outputs of steps that did not run are not there, rather than null. */
function omitUndefined(outputs: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(outputs) as Record<string, unknown>).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

async function buildStopped(
  stop: StopReason,
  { app, info, tool, flow }: WorkflowToolCall,
): Promise<CallOutcome> {
  const text = sanitize(explainStop(stop, tool, flow.log.entries, flow.notes));
  const failure = failureOf(stop);
  const told = failure ? await runMapError(app.hooks, text, failure, info) : text;
  return redactOutcome(
    errorResult(
      failure === undefined || failure.kind === "status" ? "api_error" : failure.kind,
      told,
    ),
    app,
    flow,
  );
}

function failureOf({ result }: StopReason): Failure | undefined {
  const answer = result?.response;
  if (!answer) return undefined;
  return "kind" in answer ? answer : { kind: "status", response: answer };
}
