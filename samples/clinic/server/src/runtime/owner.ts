import type { BoundRequest } from "./bind/types.js";
import type { AnyHooks, AnyTool, CallInfo, Hooks, ToolHooks } from "./hooks.js";
import { nearest } from "./nearest.js";
import { type StoredTool, unpack } from "./packed.js";
import type { Content } from "./read/index.js";
import type { Failure } from "./send/index.js";
import { conform } from "./shape/conform.js";
import type { ShapeOptions } from "./shape/index.js";
import { project } from "./shape/project.js";
import type { ReadBinding } from "./types.js";
import type { Input } from "./validate.js";

export type OwnersPart =
  | { readonly ok: true; readonly hooks: Hooks; readonly tools: readonly StoredTool[] }
  /** A sentence each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Puts the owner's tools and answers in the places of the generated ones. Hooks of a tool that is
 * not there are a problem: the API may have lost it, and what its hooks took care of must not get
 * lost silently.
 */
export function withOwnersPart(tools: readonly StoredTool[], custom: AnyHooks): OwnersPart {
  const hooks = custom as Hooks;
  const byName = new Map<string, StoredTool>(
    [...tools, ...(hooks.tools ?? []).map(withoutFingerprint)].map((tool) => [tool.name, tool]),
  );
  const problems = (hooks.tools ?? []).flatMap((tool) => unlistable(tool) ?? []);
  for (const [name, { run } = {}] of Object.entries(hooks.on ?? {})) {
    const tool = byName.get(name);
    if (!tool) problems.push(unknownTool(name, byName.keys()));
    else if (run) byName.set(name, { ...unpack(tool), run });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, hooks, tools: [...byName.values()] };
}

/**
 * Why a tool cannot be listed: one that clients cannot read costs them the whole list. MCP
 * 2026-07-28, Tools, "Data Types".
 */
function unlistable({ name, inputSchema, outputSchema }: AnyTool): string | undefined {
  if (!/^[\w.-]{1,128}$/.test(name))
    return `src/custom has a tool with the name ${JSON.stringify(name)}: a name has 1 to 128 letters, digits, "_", "-" and ".".`;
  const which =
    inputSchema["type"] !== "object"
      ? "inputSchema"
      : outputSchema && outputSchema["type"] !== "object"
        ? "outputSchema"
        : undefined;
  if (which)
    return `src/custom has a tool, ${name}, whose ${which} is not of type "object"; clients want one.`;
  if (JSON.stringify(inputSchema).includes('"x-mcp-header":'))
    return `src/custom has a tool, ${name}, with x-mcp-header in its inputSchema: this server does not compare headers with inputs; leave it out.`;
  return undefined;
}

/** The request as the owner's hooks make it: that of the tool first. */
export function requestByOwner(
  hooks: Hooks,
  request: BoundRequest,
  info: CallInfo,
): BoundRequest | Promise<BoundRequest> {
  const own = hooksOf(hooks, info.tool.name).beforeRequest;
  return own || hooks.beforeRequest ? changedByOwner(hooks, own, request, info) : request;
}

async function changedByOwner(
  hooks: Hooks,
  own: ToolHooks<Input, unknown>["beforeRequest"],
  request: BoundRequest,
  info: CallInfo,
): Promise<BoundRequest> {
  const changed = own ? await own(request, info) : request;
  return hooks.beforeRequest ? hooks.beforeRequest(changed, info) : changed;
}

/** What was read, and how it becomes the result. */
export interface Answer {
  readonly content: Exclude<Content, { kind: "broken" }>;
  readonly read: ReadBinding;
  readonly next?: ShapeOptions["next"];
}

/**
 * The answer as the tool's own hook makes it. The hook is given what the type of its parameter
 * promises.
 */
export function answerByOwner(
  hooks: Hooks,
  answer: Answer,
  info: CallInfo,
): Answer | Promise<Answer> {
  const { content, read, next } = answer;
  const { name, outputSchema } = info.tool;
  const own = hooksOf(hooks, name).afterResponse;
  if (!own || content.kind !== "json" || !outputSchema) return answer;
  const output = conform(project(content.value, read, next), outputSchema);
  return output.ok ? withValue(content, own(output.value, info)) : answer;
}

async function withValue(
  content: Extract<Content, { kind: "json" }>,
  value: unknown,
): Promise<Answer> {
  return { content: { ...content, plain: false, value: await value }, read: {} };
}

/** What the agent is told about a failure, in the owner's words. */
export async function errorByOwner(
  hooks: Hooks,
  text: string,
  failure: Failure,
  info: CallInfo,
): Promise<string> {
  const own = hooksOf(hooks, info.tool.name).mapError;
  const told = own ? await own(text, failure, info) : text;
  return hooks.mapError ? hooks.mapError(told, failure, info) : told;
}

/** The hooks of one tool. */
function hooksOf({ on = {} }: Hooks, name: string): ToolHooks<Input, unknown> {
  return (Object.hasOwn(on, name) ? on[name] : undefined) ?? {};
}

/** One that was made from a generated tool is not what the lock says any more. */
function withoutFingerprint(tool: AnyTool): AnyTool {
  return tool.fingerprint === undefined ? tool : { ...tool, fingerprint: undefined };
}

function unknownTool(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return `src/custom has hooks for ${name}, which is none of the tools.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`;
}
