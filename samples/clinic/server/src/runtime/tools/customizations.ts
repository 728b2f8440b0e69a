import type { Failure } from "../client/index.js";
import { nearestNames } from "../nearest-names.js";
import type { BoundRequest } from "../request/types.js";
import { coerceOutput } from "../response/coerce-output.js";
import type { DecodedContent } from "../response/decode.js";
import { project } from "../response/project.js";
import type { ToolResultOptions } from "../response/tool-result.js";
import type { ResponseMapping, ToolInput } from "../types.js";
import type { AnyHooks, AnyTool, CallInfo, Hooks, ToolHooks } from "./hooks.js";
import { deserializeTool, type StoredTool } from "./serialized-tools.js";

export type Customizations =
  | { readonly ok: true; readonly hooks: Hooks; readonly tools: readonly StoredTool[] }
  /** A sentence each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Puts the owner's tools and answers in the places of the generated ones. Hooks of a tool that is
 * not there are a problem: the API may have lost it, and what its hooks took care of must not get
 * lost silently.
 */
export function applyCustomizations(
  tools: readonly StoredTool[],
  custom: AnyHooks,
): Customizations {
  const hooks = custom as Hooks;
  const byName = new Map<string, StoredTool>(
    [...tools, ...(hooks.tools ?? []).map(withoutFingerprint)].map((tool) => [tool.name, tool]),
  );
  const problems = (hooks.tools ?? []).flatMap((tool) => definitionProblem(tool) ?? []);
  for (const [name, { run } = {}] of Object.entries(hooks.on ?? {})) {
    const tool = byName.get(name);
    if (!tool) problems.push(unknownToolProblem(name, byName.keys()));
    else if (run) byName.set(name, { ...deserializeTool(tool), run });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, hooks, tools: [...byName.values()] };
}

/**
 * Why a tool cannot be listed: one that clients cannot read costs them the whole list. MCP
 * 2026-07-28, Tools, "Data Types".
 */
function definitionProblem({ name, inputSchema, outputSchema }: AnyTool): string | undefined {
  if (!/^[\w.-]{1,128}$/.test(name))
    return `src/custom has a tool with the name ${JSON.stringify(name)}: a name has 1 to 128 letters, digits, "_", "-" and ".".`;
  const schemaName =
    inputSchema["type"] !== "object"
      ? "inputSchema"
      : outputSchema && outputSchema["type"] !== "object"
        ? "outputSchema"
        : undefined;
  if (schemaName)
    return `src/custom has a tool, ${name}, whose ${schemaName} is not of type "object"; clients require that.`;
  if (JSON.stringify(inputSchema).includes('"x-mcp-header":'))
    return `src/custom has a tool, ${name}, with x-mcp-header in its inputSchema: this server does not compare headers with inputs. Remove it.`;
  return undefined;
}

/** The request as the owner's hooks make it: that of the tool first. */
export function runBeforeRequest(
  hooks: Hooks,
  request: BoundRequest,
  info: CallInfo,
): BoundRequest | Promise<BoundRequest> {
  const toolHook = hooksFor(hooks, info.tool.name).beforeRequest;
  return toolHook || hooks.beforeRequest
    ? runRequestHooks(hooks, toolHook, request, info)
    : request;
}

async function runRequestHooks(
  hooks: Hooks,
  toolHook: ToolHooks<ToolInput, unknown>["beforeRequest"],
  request: BoundRequest,
  info: CallInfo,
): Promise<BoundRequest> {
  const changed = toolHook ? await toolHook(request, info) : request;
  return hooks.beforeRequest ? hooks.beforeRequest(changed, info) : changed;
}

/** What was read, and how it becomes the result. */
export interface ResponseContent {
  readonly content: Exclude<DecodedContent, { kind: "malformed" }>;
  readonly mapping: ResponseMapping;
  readonly next?: ToolResultOptions["next"];
}

/**
 * The answer as the tool's own hook makes it. The hook is given what the type of its parameter
 * promises.
 */
export function runAfterResponse(
  hooks: Hooks,
  response: ResponseContent,
  info: CallInfo,
): ResponseContent | Promise<ResponseContent> {
  const { content, mapping, next } = response;
  const { name, outputSchema } = info.tool;
  const toolHook = hooksFor(hooks, name).afterResponse;
  if (!toolHook || content.kind !== "json" || !outputSchema) return response;
  const output = coerceOutput(project(content.value, mapping, next), outputSchema);
  return output.ok ? replaceValue(content, toolHook(output.value, info)) : response;
}

async function replaceValue(
  content: Extract<DecodedContent, { kind: "json" }>,
  value: unknown,
): Promise<ResponseContent> {
  return { content: { ...content, isPlainAscii: false, value: await value }, mapping: {} };
}

/** What the agent is told about a failure, in the owner's words. */
export async function runMapError(
  hooks: Hooks,
  text: string,
  failure: Failure,
  info: CallInfo,
): Promise<string> {
  const toolHook = hooksFor(hooks, info.tool.name).mapError;
  const mapped = toolHook ? await toolHook(text, failure, info) : text;
  return hooks.mapError ? hooks.mapError(mapped, failure, info) : mapped;
}

/** The hooks of one tool. */
function hooksFor({ on = {} }: Hooks, name: string): ToolHooks<ToolInput, unknown> {
  return (Object.hasOwn(on, name) ? on[name] : undefined) ?? {};
}

/** One that was made from a generated tool is not what the lock says any more. */
function withoutFingerprint(tool: AnyTool): AnyTool {
  return tool.fingerprint === undefined ? tool : { ...tool, fingerprint: undefined };
}

function unknownToolProblem(name: string, known: Iterable<string>): string {
  const near = nearestNames(name, known);
  return `src/custom has hooks for ${name}, which is none of the tools.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`;
}
