import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallOutcome } from "./outcome.js";
import type { Deadline, Failure } from "../client/types.js";
import type { BoundRequest, Env, ForwardedHeader } from "../request/types.js";
import type { ToolAnnotations, ToolDefinition, ToolInput } from "../types.js";

/** The call that a hook or a custom tool takes part in. */
export interface CallInfo<In = ToolInput> {
  readonly tool: ToolDefinition;
  /** Validated against the tool's input schema. */
  readonly input: In;
  readonly env: Env;
  /** Aborted when the client cancels the call or the deadline expires. */
  readonly signal: AbortSignal;
  /** Headers that the client passes on to the API, such as credentials. */
  readonly forwarded: readonly ForwardedHeader[];
  /** Reports progress to a client that asked for it. */
  readonly progress: (message: string) => void;
  /**
   * Calls another tool within the deadline of this call. A failure is a result with `isError`.
   * @throws when no tool has this name
   */
  readonly callTool: (name: string, input: ToolInput) => Promise<CallToolResult>;
}

/**
 * A tool of user code: defined like a generated tool, but served by a function instead of a
 * request. Its return value must satisfy the output schema. An exception is logged, and the agent
 * gets an internal error.
 */
export interface CustomTool<Input = never, Output = unknown> extends Omit<
  ToolDefinition<Input, Output>,
  "operations"
> {
  run(input: Input, call: CallInfo): Output | Promise<Output>;
}

/** A custom tool whose annotations may be incomplete. */
type CustomToolDefinition<Input, Output> = Omit<CustomTool<Input, Output>, "annotations"> & {
  readonly annotations?: Partial<ToolAnnotations>;
};

/**
 * Types a custom tool by its input and output. Absent annotations have the defaults of MCP: the
 * tool may change and destroy things, and reaches beyond the server.
 */
export function defineCustomTool<Input, Output>(
  tool: CustomToolDefinition<Input, Output>,
): CustomTool<Input, Output> {
  return {
    ...tool,
    annotations: {
      readOnlyHint: false,
      destructiveHint: !tool.annotations?.readOnlyHint,
      idempotentHint: false,
      openWorldHint: true,
      ...tool.annotations,
    },
  };
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

/** Any tool: generated, a workflow, or of user code. */
export type AnyTool = ToolDefinition | WorkflowTool | CustomTool;

/** Types of the input and the output of a tool: `ToolTypes<typeof findPets>`. */
export type ToolTypes<Tool> = Tool extends
  | ToolDefinition<infer In, infer Out>
  | WorkflowTool<infer In, infer Out>
  ? { readonly input: In; readonly output: Out }
  : never;

/** Customizations of one generated tool. */
export interface ToolHooks<In, Out> {
  /** Serves the call instead of a request to the API. The definition of the tool is unchanged. */
  readonly run?: (input: In, call: CallInfo<In>) => Out | Promise<Out>;
  /** Changes a request, with its credentials, before it is sent. */
  readonly beforeRequest?: (
    request: BoundRequest,
    call: CallInfo<In>,
  ) => BoundRequest | Promise<BoundRequest>;
  /**
   * Changes the structured result before it is truncated. The return value must satisfy the output
   * schema.
   */
  readonly afterResponse?: [Out] extends [void]
    ? undefined
    : (output: Out, call: CallInfo<In>) => Out | Promise<Out>;
  /** Changes the text for the agent about a failure. */
  readonly mapError?: (
    text: string,
    failure: Failure,
    call: CallInfo<In>,
  ) => string | Promise<string>;
}

/** Hooks by tool name. */
type HooksByTool<Tools> = {
  readonly [Name in keyof Tools]?: Tools[Name] extends {
    readonly input: infer In;
    readonly output: infer Out;
  }
    ? ToolHooks<In, Out>
    : never;
};

/** Tools whose types the runtime does not know. */
type SomeTools = Readonly<Record<string, { readonly input: ToolInput; readonly output: unknown }>>;

/**
 * Customizations of a server, in `src/custom`. `Tools` are the types of the generated tools by
 * name; see `src/tools`.
 */
export interface Hooks<Tools = SomeTools> {
  /** Additional tools. They replace generated tools of the same name. */
  readonly tools?: readonly AnyTool[];
  /** Hooks of single tools. They run before the hooks below. */
  readonly on?: HooksByTool<Tools>;
  /** Changes a request, with its credentials, before it is sent. */
  beforeRequest?(request: BoundRequest, call: CallInfo): BoundRequest | Promise<BoundRequest>;
  /** Changes a successful result before it is returned. */
  afterResponse?(result: CallToolResult, call: CallInfo): CallToolResult | Promise<CallToolResult>;
  /** Changes the text for the agent about a failure. */
  mapError?(text: string, failure: Failure, call: CallInfo): string | Promise<string>;
}

/** Hooks of any tools, as generated code passes them to the runtime. */
export type AnyHooks = Omit<Hooks, "on"> & { readonly on?: object };
