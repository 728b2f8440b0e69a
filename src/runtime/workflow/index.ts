/**
 * Workflows: tasks of several requests. The generated code of a workflow is a function that sends
 * the requests of its steps through a `WorkflowRun` and determines the next step; see
 * `src/workflows`. This module makes tools from such functions, and exports the functions that they
 * call.
 */
import { callOperation } from "../call/call-tool.js";
import type { RunningCall } from "../call/send-authenticated.js";
import { createLookUp, resolveNames } from "../call/resolve-names.js";
import { type Failure, isFailure } from "../request/types.js";
import { runWithPauses } from "../data/steps.js";
import { omitUndefined } from "../data/values.js";
import { redactWithNote } from "../response/redaction-note.js";
import { linkFullResult } from "../response/result-store.js";
import { sanitize } from "../response/shape.js";
import { createToolResultInSteps, type ToolResult } from "../response/tool-result.js";
import type { ServerContext } from "../server/context.js";
import {
  type ResponseContent,
  runAfterResponse,
  runMapError,
  runResultHook,
  StoppedCall,
  stoppedOutcome,
} from "../tools/customizations.js";
import {
  type CallInfo,
  type CallOutcome,
  errorResult,
  type WorkflowTool,
} from "../tools/definitions.js";
import type { SchemaOf } from "../tools/schema-types.js";
import type { OperationBinding, ResponseMapping, ToolDefinition } from "../types.js";
import { explainStop, stopAtStep, WorkflowStoppedError } from "./explain-stop.js";
import { type Workflow, WorkflowRun } from "./run.js";
import type { StepDefinition, StopReason } from "./steps.js";

export { valueAt } from "../data/values.js";
export type { Workflow, WorkflowRun } from "./run.js";
export type { NestedResult, RetryPolicy, StepDefinition, StepResult } from "./steps.js";
export {
  applyReplacements,
  concatText,
  embedInJson,
  embedInJsonPath,
  embedInQuery,
  embedInXml,
  equals,
  greaterOrEqual,
  greaterThan,
  isTruthy,
  lessOrEqual,
  lessThan,
  matchesPattern,
} from "./values.js";

/** A tool that runs a workflow. */
export interface WorkflowDefinition<Input, Output>
  extends
    Omit<ToolDefinition<Input, Output>, "inputSchema" | "operations">,
    /** `resolve`: inputs that accept names in place of IDs. */
    Pick<OperationBinding, "resolve"> {
  /** Outputs of the workflow that the result keeps. Default: all. */
  readonly response?: ResponseMapping;
  readonly inputSchema: SchemaOf<Input>;
  execute(input: Input, run: WorkflowRun): Promise<Output>;
}

/** Makes a workflow of a function: its inputs and outputs are recorded for other workflows. */
export function defineWorkflow<Inputs, Outputs>(
  id: string,
  execute: Workflow<Inputs, Outputs>,
): Workflow<Inputs, Outputs> {
  return (inputs, run) => run.track(id, inputs, () => execute(inputs, run));
}

/** Types the constant parts of a workflow's steps. Returns its argument. */
export function defineSteps<Name extends string>(
  steps: Readonly<Record<Name, StepDefinition>>,
): Readonly<Record<Name, StepDefinition>> {
  return steps;
}

/** Makes a tool of a workflow. */
export function defineWorkflowTool<Input, Output>(
  definition: WorkflowDefinition<Input, Output>,
): WorkflowTool<Input, Output> {
  const { execute, response, resolve, ...tool } = definition;
  const workflow: ExecutableWorkflow = {
    ...tool,
    ...omitUndefined({ response, resolve }),
    execute: execute as ExecutableWorkflow["execute"],
  };
  return {
    ...tool,
    perform: (running: RunningCall) => performWorkflow(running, workflow),
  };
}

type ExecutableWorkflow = Pick<
  ToolDefinition,
  "name" | "onError" | "inputSchema" | "outputSchema"
> &
  Pick<WorkflowDefinition<unknown, unknown>, "execute" | "response" | "resolve">;

interface WorkflowToolCall {
  readonly server: ServerContext;
  readonly info: CallInfo;
  readonly tool: ExecutableWorkflow;
  readonly run: WorkflowRun;
}

async function performWorkflow(
  running: RunningCall,
  tool: ExecutableWorkflow,
): Promise<CallOutcome> {
  const { server } = running;
  let { input } = running.info;
  if (tool.resolve) {
    const lookUp = createLookUp(running, callOperation);
    const resolved = await resolveNames(server, tool, input, tool.resolve, lookUp);
    if (!resolved.ok) return resolved.outcome;
    input = resolved.input;
  }
  const info = { ...running.info, input };
  const run = new WorkflowRun({ ...running, info });
  const toolCall: WorkflowToolCall = { server, info, tool, run };
  try {
    return await successOutcome(await tool.execute(input, run), toolCall);
  } catch (error) {
    const cause = stopAtStep(error, run.currentStep);
    if (cause instanceof WorkflowStoppedError) return await stopOutcome(cause.stop, toolCall);
    throw cause;
  }
}

async function successOutcome(outputs: unknown, call: WorkflowToolCall): Promise<CallOutcome> {
  const { server, info, tool } = call;
  const custom = await runAfterResponse(
    server.hooks,
    { content: contentOf(outputs, call), mapping: tool.response ?? {} },
    info,
  );
  if (custom instanceof StoppedCall) return stoppedOutcome(info.tool, custom);
  const options = {
    tool,
    mapping: custom.mapping,
    maxCharacters: server.settings.maxResultCharacters,
    url: "",
    status: 200,
  };
  const built = await runWithPauses(createToolResultInSteps(custom.content, options));
  if (!built.ok) return unusableOutcome(built, call);
  const { ok: _, fullResult, ...noted } = built;
  const completed = { outcome: "ok", ...noted };
  const outcome = await redactOutcome(await runResultHook(server.hooks, completed, info), call);
  if (!fullResult || outcome.outcome !== "ok") return outcome;
  return linkFullResult(outcome, fullResult, {
    tool,
    call: info,
    isWrite: !info.tool.annotations.readOnlyHint,
    ...(!server.hooks.afterResponse && {
      resultStore: server.resultStore,
      resultReader: server.resultReader,
      files: server.files,
    }),
    redact: redactorOf(call),
  });
}

/** The outputs of a workflow, or its completed steps when it has no output schema. */
function contentOf(outputs: unknown, { tool, run }: WorkflowToolCall): ResponseContent["content"] {
  const note = omitUndefined({ note: run.notes.join(" ") || undefined });
  if (!tool.outputSchema)
    return {
      kind: "text",
      text: ["Completed steps:", ...completedStepLines(run)].join("\n"),
      ...note,
    };
  // Outputs of steps that did not run are absent, not null.
  const value = omitUndefined(Object(outputs) as object);
  return { kind: "json", value, isPlainAscii: false, ...note };
}

function completedStepLines({ log }: WorkflowRun): readonly string[] {
  const completed = log.entries.filter(({ isDone }) => isDone);
  return completed.map(({ step }) => `- ${step.id} (${step.target})`);
}

/** The workflow completed, but its outputs do not match the output schema. */
function unusableOutcome(
  { reason, content }: Extract<ToolResult, { ok: false }>,
  call: WorkflowToolCall,
): Promise<CallOutcome> {
  const { name } = call.tool;
  const summary = `${name} completed all steps, but its result does not match its output schema: ${reason}.`;
  const text = [`${summary} Do not call it again.`, ...completedStepLines(call.run)].join("\n");
  return redactOutcome(errorResult("unusable", sanitize(text), content), call);
}

function redactorOf({ server, run }: WorkflowToolCall): ReturnType<ServerContext["redactorFor"]> {
  return server.redactorFor([...run.secrets]);
}

async function redactOutcome(outcome: CallOutcome, call: WorkflowToolCall): Promise<CallOutcome> {
  return redactWithNote(outcome, redactorOf(call), call.tool.outputSchema);
}

async function stopOutcome(stop: StopReason, call: WorkflowToolCall): Promise<CallOutcome> {
  const { server, info, tool, run } = call;
  const text = sanitize(explainStop(stop, tool, run.log.entries, run.notes));
  const failure = failureOf(stop);
  if (!failure) return redactOutcome(errorResult("api_error", text), call);
  const kind = failure.kind === "status" ? "api_error" : failure.kind;
  const outcome = await runMapError(server.hooks, errorResult(kind, text), failure, info);
  return redactOutcome(outcome, call);
}

function failureOf({ result }: StopReason): Failure | undefined {
  const response = result?.response;
  if (!response) return undefined;
  return isFailure(response) ? response : { kind: "status", response };
}
