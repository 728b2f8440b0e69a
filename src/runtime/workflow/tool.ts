import type { App } from "../app.js";
import type { CallContext } from "../call.js";
import { type Ended, failed } from "../ended.js";
import type { CallInfo, PerformingTool } from "../hooks.js";
import { redactResult } from "../redact.js";
import type { Deadline, Failure } from "../send/index.js";
import { clean, shape } from "../shape/index.js";
import type { ReadBinding, ToolDefinition } from "../types.js";
import { explainStop, type Stop, WorkflowStopped } from "./failure.js";
import { Flow, type Workflow } from "./flow.js";

/** A tool that runs a workflow. `read` says which of its outputs are kept. */
export interface WorkflowDefinition<Input, Output> extends Omit<ToolDefinition<Input, Output>, "requests"> {
  readonly read?: ReadBinding;
  run(input: Input, flow: Flow): Promise<Output>;
}

/** Makes a function a workflow: what it ran with, and what came of it, is kept for expressions of other workflows. */
export function workflow<Inputs, Outputs>(id: string, run: Workflow<Inputs, Outputs>): Workflow<Inputs, Outputs> {
  return (inputs, flow) => flow.within(id, inputs, () => run(inputs, flow));
}

/** A tool whose calls run a workflow. */
export function defineWorkflowTool<Input, Output>(definition: WorkflowDefinition<Input, Output>): PerformingTool<Input, Output> {
  const { run, read, ...tool } = definition;
  return { ...tool, perform: (app, call, deadline, context) => perform(app, call, deadline, context, { ...tool, ...(read && { read }), run: run as WorkflowDefinition<unknown, unknown>["run"] }) };
}

type Running = Pick<ToolDefinition, "name" | "onError" | "inputSchema" | "outputSchema"> & Pick<WorkflowDefinition<unknown, unknown>, "run" | "read">;

async function perform(app: App, info: CallInfo, deadline: Deadline, context: CallContext, tool: Running): Promise<Ended> {
  const flow = new Flow({ app, info, deadline, context });
  const ended = await tool.run(info.input, flow).then(
    (outputs) => succeed(outputs, flow, tool, app, info),
    (error: unknown) => {
      if (error instanceof WorkflowStopped) return stopped(error.stop, flow, tool, app, info);
      throw error;
    },
  );
  return { ...ended, result: redactResult(ended.result, app.redactorOf([...flow.secrets])) };
}

async function succeed(outputs: unknown, flow: Flow, tool: Running, app: App, info: CallInfo): Promise<Ended> {
  const note = flow.notes.join(" ") || undefined;
  const done = flow.journal.entries.filter((entry) => entry.done).map(({ step }) => `- ${step.id} (${step.calls})`);
  const content = tool.outputSchema
    ? ({ kind: "json", value: withoutAbsent(outputs), plain: false, ...(note !== undefined && { note }) } as const)
    : ({ kind: "text", text: ["Done:", ...done].join("\n"), ...(note !== undefined && { note }) } as const);
  const shaped = shape(content, { tool, read: tool.read ?? {}, maxCharacters: app.settings.maxResultCharacters, url: "", status: 200 });
  if (!shaped.ok) return failed("unusable", clean(`${tool.name} did all its steps, but its result is not what it promises: ${shaped.why}. Do not call it again.\n${done.join("\n")}`), shaped.content);
  return { outcome: "ok", result: app.hooks.afterResponse ? await app.hooks.afterResponse(shaped.result, info) : shaped.result };
}

/** Outputs of steps that did not run are not there, rather than null. */
function withoutAbsent(outputs: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(outputs) as Record<string, unknown>).filter(([, value]) => value !== undefined));
}

async function stopped(stop: Stop, flow: Flow, tool: Running, app: App, info: CallInfo): Promise<Ended> {
  const text = clean(explainStop(stop, tool, flow.journal.entries));
  const failure = failureOf(stop);
  const told = app.hooks.mapError && failure ? await app.hooks.mapError(text, failure, info) : text;
  return failed(failure === undefined || failure.kind === "status" ? "api_error" : failure.kind, told);
}

function failureOf({ result }: Stop): Failure | undefined {
  const answer = result?.answer;
  if (!answer) return undefined;
  return "kind" in answer ? answer : { kind: "status", response: answer };
}

