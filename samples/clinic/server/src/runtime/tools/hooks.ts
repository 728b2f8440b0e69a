import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallOutcome } from "./outcome.js";
import type { Deadline, Failure } from "../client/index.js";
import type { BoundRequest, Env, ForwardedHeader } from "../request/types.js";
import type { ToolDefinition, ToolInput } from "../types.js";

/** What a hook is told about the call it takes part in. */
export interface CallInfo<In = ToolInput> {
  readonly tool: ToolDefinition;
  /** Checked against the tool's input schema. */
  readonly input: In;
  readonly env: Env;
  /** Aborted when the client takes the call back or the deadline is over. */
  readonly signal: AbortSignal;
  /** What the client passes on to the API, where it may; credentials, most likely. */
  readonly forwarded: readonly ForwardedHeader[];
  /** Tells the client, if it wants to know, how far the call is. */
  readonly progress: (message: string) => void;
  /**
   * Calls another tool, within the time of this call. What goes wrong is a result with `isError`.
   * @throws for a name that no tool has
   */
  readonly callTool: (name: string, input: ToolInput) => Promise<CallToolResult>;
}

/**
 * A tool of the owner's own: defined like the generated ones, but answered by a function instead of
 * a request. What it returns must satisfy the output schema; what it throws is logged, and the
 * agent is told of an internal error.
 */
export interface CustomTool<Input = never, Output = unknown> extends Omit<
  ToolDefinition<Input, Output>,
  "operations"
> {
  run(input: Input, call: CallInfo): Output | Promise<Output>;
}

/** Ties a custom tool to its input and output types. Returns what it is given. */
export function defineCustomTool<Input, Output>(
  tool: CustomTool<Input, Output>,
): CustomTool<Input, Output> {
  return tool;
}

/**
 * A tool that sends several requests in an order of its own; see `workflow/`.
 *
 * The server's context and the call's context are opaque here, because both of them know the types
 * of tools.
 */
export interface WorkflowTool<Input = never, Output = unknown> extends Omit<
  ToolDefinition<Input, Output>,
  "operations"
> {
  perform(
    server: object,
    call: CallInfo,
    deadline: Deadline,
    context: object,
  ): Promise<CallOutcome>;
}

/** Any tool: one that sends a request, one that takes several, or the owner's own. */
export type AnyTool = ToolDefinition | WorkflowTool | CustomTool;

/** The input and the output of a tool, as types: `ToolTypes<typeof findPets>`. */
export type ToolTypes<Tool> = Tool extends
  | ToolDefinition<infer In, infer Out>
  | WorkflowTool<infer In, infer Out>
  ? { readonly input: In; readonly output: Out }
  : never;

/** What the owner adds to one generated tool. Each part is optional. */
export interface ToolHooks<In, Out> {
  /** Answers the call instead of a request to the API. The tool stays as it is for agents. */
  readonly run?: (input: In, call: CallInfo<In>) => Out | Promise<Out>;
  /** Changes a request before it is sent; it has its credentials by then. */
  readonly beforeRequest?: (
    request: BoundRequest,
    call: CallInfo<In>,
  ) => BoundRequest | Promise<BoundRequest>;
  /**
   * Changes the structured result, before it is cut to size. What it gives must satisfy the output
   * schema.
   */
  readonly afterResponse?: [Out] extends [void]
    ? undefined
    : (output: Out, call: CallInfo<In>) => Out | Promise<Out>;
  /** Changes what the agent is told about a failure. */
  readonly mapError?: (
    text: string,
    failure: Failure,
    call: CallInfo<In>,
  ) => string | Promise<string>;
}

/** Hooks by the name of their tool. */
type HooksByTool<Tools> = {
  readonly [Name in keyof Tools]?: Tools[Name] extends {
    readonly input: infer In;
    readonly output: infer Out;
  }
    ? ToolHooks<In, Out>
    : never;
};

/** Any tools: what the runtime itself knows of them. */
type SomeTools = Readonly<Record<string, { readonly input: ToolInput; readonly output: unknown }>>;

/**
 * What the owner of a server adds to it, in `src/custom`. `Tools`: the types of the generated
 * tools, by name; see `src/tools`.
 */
export interface Hooks<Tools = SomeTools> {
  /** Tools that replace the generated ones of the same name, or stand beside them. */
  readonly tools?: readonly AnyTool[];
  /** Hooks of single tools, typed by their inputs and outputs. They come before the ones below. */
  readonly on?: HooksByTool<Tools>;
  /** Changes a request before it is sent; it has its credentials by then. */
  beforeRequest?(request: BoundRequest, call: CallInfo): BoundRequest | Promise<BoundRequest>;
  /** Changes a successful result before the agent gets it. */
  afterResponse?(result: CallToolResult, call: CallInfo): CallToolResult | Promise<CallToolResult>;
  /** Changes what the agent is told about a failure. */
  mapError?(text: string, failure: Failure, call: CallInfo): string | Promise<string>;
}

/** Hooks of whatever tools: how they are handed to the runtime. */
export type AnyHooks = Omit<Hooks, "on"> & { readonly on?: object };
