/** Customizations of a project: hooks of generated tools, and custom tools. */
import type { BoundRequest, Failure } from "../request/types.js";
import { isObject, nearestNames } from "../data/values.js";
import { runWithPauses } from "../data/steps.js";
import { coerceOutput } from "../schema/coerce-output.js";
import type { DecodedContent } from "../response/decode.js";
import { coercionFacts } from "../response/notes.js";
import { addValues } from "../response/result-facts.js";
import { project } from "../response/project.js";
import { redactWithNote } from "../response/redaction-note.js";
import { contentProblems } from "./custom-content.js";
import { linkFullResult } from "../response/result-store.js";
import { createToolResultInSteps, type ToolResultOptions } from "../response/tool-result.js";
import type { ResponseMapping, ToolInput } from "../types.js";
import {
  type AnyHooks,
  type AnyTool,
  type CallInfo,
  type CallOutcome,
  type CustomTool,
  deserializeTool,
  errorResult,
  type Hooks,
  type ResultServer,
  type StoredTool,
  type ToolHooks,
} from "./definitions.js";

/** The tools of a server with the customizations applied, or the problems that prevent it. */
export type Customizations =
  | { readonly ok: true; readonly hooks: Hooks; readonly tools: readonly StoredTool[] }
  /** One sentence each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Applies custom tools and hooks to the generated tools. Hooks of a missing tool are a problem: the
 * API may have removed its operation, and the hooks must not be lost silently.
 */
export function applyCustomizations(
  tools: readonly StoredTool[],
  custom: AnyHooks,
): Customizations {
  const hooks = custom as Hooks;
  const byName = new Map<string, StoredTool>(
    [...tools, ...(hooks.tools ?? [])].map((tool) => [tool.name, tool]),
  );
  const problems = (hooks.tools ?? []).flatMap((tool) => definitionProblem(tool) ?? []);
  problems.push(...contentProblems(hooks));
  for (const [name, { run } = {}] of Object.entries(hooks.on ?? {})) {
    const tool = byName.get(name);
    if (!tool) problems.push(unknownToolProblem(name, byName.keys()));
    else if (run) byName.set(name, { ...deserializeTool(tool), run });
  }
  const apis = new Set(tools.flatMap(({ api }) => api ?? []));
  for (const name of Object.keys(hooks.apis ?? {}))
    if (!apis.has(name)) problems.push(unknownApiProblem(name, apis));
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, hooks, tools: [...byName.values()] };
}

function unknownApiProblem(name: string, apis: ReadonlySet<string>): string {
  const known = apis.size === 0 ? "This server has one API." : `APIs: ${[...apis].join(", ")}.`;
  return `src/custom has hooks for the API ${name}, but there is no API of this name. ${known}`;
}

/**
 * Describes an invalid tool definition. A client that cannot read one tool may reject the whole
 * list. MCP 2026-07-28, Tools, "Data Types".
 */
function definitionProblem({ name, inputSchema, outputSchema }: AnyTool): string | undefined {
  if (!/^[\w.-]{1,128}$/.test(name))
    return (
      `src/custom has a tool with the name ${JSON.stringify(name)}: ` +
      'a name has 1 to 128 letters, digits, "_", "-" and ".".'
    );
  const tool = `src/custom has a tool, ${name},`;
  for (const [field, schema] of Object.entries({ inputSchema, outputSchema })) {
    if (schema && schema["type"] !== "object")
      return `${tool} whose ${field} is not of type "object"; clients require that.`;
  }
  if (JSON.stringify(inputSchema).includes('"x-mcp-header":'))
    return (
      `${tool} with x-mcp-header in its inputSchema: ` +
      "this server does not compare headers with inputs. Remove it."
    );
  return undefined;
}

/**
 * Runs the request hooks: that of the tool, then that of the server. If they outlast the call, the
 * request is returned unchanged: it is not sent anymore.
 */
export function runBeforeRequest(
  hooks: Hooks,
  request: BoundRequest,
  info: CallInfo,
): BoundRequest | Promise<BoundRequest> {
  const toolHook = hooksFor(hooks, info.tool.name).beforeRequest;
  if (!toolHook && !hooks.beforeRequest) return request;
  const run = async (): Promise<BoundRequest> => {
    const changed = toolHook ? await toolHook(request, info) : request;
    return hooks.beforeRequest ? hooks.beforeRequest(changed, info) : changed;
  };
  return withinCall(run(), info.signal).then((changed) =>
    changed instanceof StoppedCall ? request : changed,
  );
}

/** Decoded content, with the mapping by which it becomes the result. */
export interface ResponseContent {
  readonly content: Exclude<DecodedContent, { kind: "malformed" }>;
  readonly mapping: ResponseMapping;
  readonly next?: ToolResultOptions["next"];
  readonly mayBeLast?: ToolResultOptions["mayBeLast"];
}

/**
 * Runs the tool's response hook. Its argument is coerced to the output type that it declares. Parts
 * that the type does not allow are in `unexpected`, so that the hook decides about them, too.
 */
export function runAfterResponse(
  hooks: Hooks,
  response: ResponseContent,
  info: CallInfo,
): ResponseContent | Promise<ResponseContent | StoppedCall> {
  const { content, mapping, next } = response;
  const { name, outputSchema } = info.tool;
  const toolHook = hooksFor(hooks, name).afterResponse;
  if (!toolHook || content.kind !== "json" || !outputSchema) return response;
  const output = coerceOutput(project(content.value, mapping, next), outputSchema);
  if (!output.ok) return response;
  const differences = coercionFacts(output);
  const value = toolHook(
    addValues(output.value as Record<string, unknown>, differences.values ?? {}, outputSchema),
    info,
  );
  const note = [content.note, ...(differences.notes ?? [])].filter(Boolean).join(" ");
  const changed = replaceValue({ ...content, ...(note !== "" && { note }) }, value);
  return withinCall(changed, info.signal);
}

async function replaceValue(content: JsonContent, value: unknown): Promise<ResponseContent> {
  return { content: { ...content, isPlainAscii: false, value: await value }, mapping: {} };
}

type JsonContent = Extract<DecodedContent, { kind: "json" }>;

/** Runs the result hook of the server on the outcome of a successful call. */
export async function runResultHook(
  { afterResponse }: Hooks,
  outcome: CallOutcome,
  info: CallInfo,
): Promise<CallOutcome> {
  if (!afterResponse) return outcome;
  const result = await withinCall(afterResponse(outcome.result, info), info.signal);
  if (result instanceof StoppedCall) return stoppedOutcome(info.tool, result);
  return { ...outcome, result };
}

/** Milliseconds that error hooks have after the end of a call, which may be the failure. */
const mapErrorGraceMs = 500;

/**
 * Runs the error hooks on the outcome of a failed call: that of the tool, then that of the server.
 * If they do not end, their text is replaced, because it may be meant to hide the original one.
 */
export async function runMapError(
  hooks: Hooks,
  outcome: CallOutcome,
  failure: Failure,
  info: CallInfo,
): Promise<CallOutcome> {
  const toolHook = hooksFor(hooks, info.tool.name).mapError;
  const [block, ...rest] = outcome.result.content;
  if ((!toolHook && !hooks.mapError) || block?.type !== "text") return outcome;
  const run = async (): Promise<string> => {
    const mapped = toolHook ? await toolHook(block.text, failure, info) : block.text;
    return hooks.mapError ? hooks.mapError(mapped, failure, info) : mapped;
  };
  const text = await withinCall(run(), info.signal, mapErrorGraceMs);
  if (text instanceof StoppedCall) return stoppedOutcome(info.tool, text);
  const content = [{ type: "text" as const, text }, ...rest];
  return { ...outcome, result: { ...outcome.result, content } };
}

function hooksFor({ on = {} }: Hooks, name: string): ToolHooks<ToolInput, unknown> {
  return (Object.hasOwn(on, name) ? on[name] : undefined) ?? {};
}

function unknownToolProblem(name: string, knownNames: Iterable<string>): string {
  const near = nearestNames(name, knownNames);
  const hint = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : "";
  return `src/custom has hooks for ${name}, but there is no tool of this name.${hint}`;
}

/**
 * Runs a custom tool. Its result is sanitized, truncated and validated like that of a request.
 * @throws any exception of the tool, and an error when its result violates the output schema
 */
export async function runCustomTool(
  server: ResultServer,
  tool: CustomTool,
  info: CallInfo,
): Promise<CallOutcome> {
  const output = await withinCall(tool.run(info.input as never, info), info.signal);
  if (output instanceof StoppedCall) return stoppedOutcome(tool, output);
  if (tool.outputSchema && !isObject(output))
    throw new Error(`The result of ${tool.name} is not an object, but it has an output schema`);
  const content =
    typeof output === "string"
      ? ({ kind: "text", text: output } as const)
      : ({ kind: "json", value: output, isPlainAscii: false } as const);
  const { maxResultCharacters: maxCharacters } = server.settings;
  const options = { tool, mapping: {}, maxCharacters, url: "", status: 200 };
  const toolResult = await runWithPauses(createToolResultInSteps(content, options));
  if (!toolResult.ok)
    throw new Error(`The result of ${tool.name} violates its output schema: ${toolResult.reason}`);
  const { resultStore, resultReader, files, redact } = server;
  const { ok: _, fullResult, ...noted } = toolResult;
  const redacted = await redactWithNote({ outcome: "ok", ...noted }, redact, tool.outputSchema);
  if (!fullResult) return redacted;
  const linking = {
    tool,
    call: info,
    isWrite: !tool.annotations.readOnlyHint,
    ...{ resultStore, resultReader, files, redact },
  };
  return linkFullResult(redacted, fullResult, linking);
}

/** The end of a call before the code of the project had returned. */
export class StoppedCall {
  constructor(readonly failure: Failure) {}
}

/**
 * The result of code of the project, which must not outlast the call.
 * @param graceMs milliseconds that it has after the end of the call
 */
async function withinCall<Result>(
  result: Result | Promise<Result>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Result | StoppedCall> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  const stopped = new Promise<StoppedCall>((resolve) => {
    const stop = (): void => resolve(new StoppedCall(signal.reason as Failure));
    onAbort = () => (timer = setTimeout(stop, graceMs));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([result, stopped]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

function stopEvent(failure: Failure): string {
  if (failure.kind === "timeout") return `timed out after ${Math.ceil(failure.afterMs / 1000)} s`;
  return failure.kind === "interrupted"
    ? "was interrupted: this server is stopping"
    : "was cancelled";
}

/** The outcome of a call that ended before the code of the project had returned. */
export function stoppedOutcome(
  { name, annotations }: Pick<AnyTool, "name" | "annotations">,
  { failure }: StoppedCall,
): CallOutcome {
  const event = stopEvent(failure);
  const advice = annotations.readOnlyHint
    ? "Wait a little, then call it again. If it fails again, tell the user."
    : "It may or may not have taken effect: check before you call it again.";
  return errorResult(failure.kind, `${name} ${event}. ${advice}`);
}
