/** Definitions of tools: of the API, of a project, and built in; hooks, and outcomes of calls. */
import type { CallToolResult, ContentBlock, PromptMessage } from "@modelcontextprotocol/server";
import type { ApiDefinition } from "../api-definition.js";
import type { BoundRequest, Deadline, Env, Failure, ForwardedHeader } from "../request/types.js";
import type { Folder } from "../files/files.js";
import type { Redact } from "../response/redact.js";
import type { ResultStore, StoredContents } from "../response/result-store.js";
import type { OperationBinding, ToolAnnotations, ToolDefinition, ToolInput } from "../types.js";
import type { ObjectSchema, SchemaOf, ValueOf } from "./schema-types.js";

/** The caller of a tool, as the transport knows it. */
export interface CallerInfo {
  /** Identity for limits and stored data. Empty: the only caller, or an unidentified one. */
  readonly id: string;
  /** Subject of its access token, if the server checks one: the user. */
  readonly user?: string;
  /** Scopes of its access token. */
  readonly scopes?: readonly string[];
}

/** Functions that call tools by name. A failure is thrown as a `ToolError`. */
export type ToolCalls<Tools> = {
  readonly [Name in keyof Tools]: Tools[Name] extends {
    readonly input: infer In;
    readonly output: infer Out;
  }
    ? (input: In) => Promise<Out>
    : never;
};

/** Writes lines about a call to the server's log, without secrets. */
export type CallLog = Readonly<
  Record<"debug" | "info" | "warn" | "error", (message: string) => void>
>;

/** The call of a hook or a custom tool. */
export interface CallInfo<In = ToolInput, Tools = SomeTools> {
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
  /**
   * Calls other tools by name, within the deadline of this call: `call.tools.find_books({…})`
   * returns the structured result, which is not truncated, or the text of a tool without one.
   * @throws ToolError with the text that an agent would read
   */
  readonly tools: ToolCalls<Tools>;
  readonly caller: CallerInfo;
  readonly log: CallLog;
}

/**
 * A tool of user code: defined like a generated tool, but served by a function instead of a
 * request. Its return value must satisfy the output schema. The agent reads the message of a
 * `ToolError`. Any other exception is logged, and the agent gets an internal error.
 */
export interface CustomTool<Input = never, Output = unknown> extends Omit<
  ToolDefinition<Input, Output>,
  "operations"
> {
  run(input: Input, call: CallInfo): Output | Promise<Output>;
}

type CustomToolDefinition<Input, Output> = Omit<CustomTool<Input, Output>, "annotations"> & {
  readonly annotations?: Partial<ToolAnnotations>;
};

/**
 * Types a custom tool by its input and output. Absent annotations have the defaults of MCP: the
 * tool may change and destroy data, and interacts with external systems.
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

/** A custom tool whose input and output are typed by its schemas. */
type TypedCustomTool<In, Out, Tools> = Omit<
  CustomToolDefinition<never, unknown>,
  "inputSchema" | "outputSchema" | "run"
> & {
  readonly inputSchema: In;
  readonly outputSchema?: Out;
  run(
    input: ValueOf<In>,
    call: CallInfo<ValueOf<In>, Tools>,
  ): ResultOf<Out> | Promise<ResultOf<Out>>;
};

type ResultOf<Out> = Out extends ObjectSchema ? ValueOf<Out> : unknown;

/**
 * Creates `defineCustomTool` for the tools of a server: inputs and results are typed by the
 * schemas, and `call.tools` by the tools.
 */
export function customToolsFor<Tools>(): <
  const In extends ObjectSchema,
  const Out extends ObjectSchema | undefined = undefined,
>(
  tool: TypedCustomTool<In, Out, Tools>,
) => CustomTool {
  return (tool) => defineCustomTool(tool as unknown as CustomToolDefinition<never, unknown>);
}

/**
 * A tool that sends several requests; see `workflow/`.
 *
 * The server's context and the call's context are opaque here, because both of them use the types
 * of tools.
 */
export interface WorkflowTool<Input = never, Output = unknown> extends Omit<
  ToolDefinition<Input, Output>,
  "operations"
> {
  perform(running: {
    readonly server: object;
    readonly info: CallInfo;
    readonly deadline: Deadline;
    readonly context: object;
  }): Promise<CallOutcome>;
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
export interface ToolHooks<In, Out, Tools = SomeTools> {
  /** Serves the call instead of a request to the API. The definition of the tool is unchanged. */
  readonly run?: (input: In, call: CallInfo<In, Tools>) => Out | Promise<Out>;
  /** Changes a request, with its credentials, before it is sent. */
  readonly beforeRequest?: (
    request: BoundRequest,
    call: CallInfo<In, Tools>,
  ) => BoundRequest | Promise<BoundRequest>;
  /**
   * Changes the structured result before it is truncated. The return value must satisfy the output
   * schema.
   */
  readonly afterResponse?: [Out] extends [void]
    ? undefined
    : (output: Out, call: CallInfo<In, Tools>) => Out | Promise<Out>;
  /** Changes the text for the agent about a failure. */
  readonly mapError?: (
    text: string,
    failure: Failure,
    call: CallInfo<In, Tools>,
  ) => string | Promise<string>;
}

/**
 * A prompt, which users choose in their client. Clients send each input as a text. A text that it
 * returns is a message of the user.
 */
export interface CustomPrompt<Input = never, Tools = never> {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: ObjectSchema;
  run(input: Input, call: CallInfo<Input, Tools>): PromptContent | Promise<PromptContent>;
}

/** Content of a prompt. */
export type PromptContent = string | readonly PromptMessage[];

/**
 * A resource, which clients read by its URI. One with variables, such as `books://{id}`, is a
 * template; `run` gets their values. A value other than a text becomes JSON.
 */
export interface CustomResource<Input = never, Tools = never> {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  run(input: Input, call: CallInfo<Input, Tools>): unknown;
}

type HooksByTool<Tools> = {
  readonly [Name in keyof Tools]?: Tools[Name] extends {
    readonly input: infer In;
    readonly output: infer Out;
  }
    ? ToolHooks<In, Out, Tools>
    : never;
};

/** Tools whose types the runtime does not know. */
type SomeTools = Readonly<Record<string, { readonly input: ToolInput; readonly output: unknown }>>;

/**
 * Customizations of a server, in `src/custom`. `Tools` are the types of the generated tools by
 * name; see `src/tools`.
 */
export interface Hooks<Tools = SomeTools> extends ServerHooks {
  /** Additional tools. They replace generated tools of the same name. */
  readonly tools?: readonly AnyTool[];
  /** Prompts, which users choose in their client. */
  readonly prompts?: readonly CustomPrompt[];
  /** Resources, which clients read by their URIs. */
  readonly resources?: readonly CustomResource[];
  /** Hooks of single tools. They run before the hooks below. */
  readonly on?: HooksByTool<Tools>;
  /** Hooks of the APIs of a server of several, by name. They run after those of the tool. */
  readonly apis?: Readonly<Record<string, ServerHooks>>;
}

/** Hooks of all tools, or of those of an API. */
export interface ServerHooks {
  /** Changes a request, with its credentials, before it is sent. */
  beforeRequest?(request: BoundRequest, call: CallInfo): BoundRequest | Promise<BoundRequest>;
  /** Changes a successful result before it is returned. */
  afterResponse?(result: CallToolResult, call: CallInfo): CallToolResult | Promise<CallToolResult>;
  /** Changes the text for the agent about a failure. */
  mapError?(text: string, failure: Failure, call: CallInfo): string | Promise<string>;
}

/** Hooks of any tools, as generated code passes them to the runtime. */
export type AnyHooks = Omit<Hooks, "on"> & { readonly on?: object };

/** Outcome of a tool call: the client's result and the figures for the log. */
export interface CallOutcome {
  /** `ok`, `invalid`, or the kind of failure. */
  readonly outcome: string;
  readonly result: CallToolResult;
  /** Key of the notes in the structured content; absent without notes. */
  readonly notesKey?: string;
  /** HTTP status of the API's response. */
  readonly status?: number;
  /** True if the API sent text, which the result shows as it came. */
  readonly isText?: true;
  /** Bytes of the API's decoded response body. */
  readonly bytes?: number;
  /** True if the API may have more items than the result. */
  readonly isPartial?: true;
  /** True if the result has only a part of the response, because that is too large. */
  readonly isTruncated?: true;
  /** Number of requests that were sent again. */
  readonly retries?: number;
}

/** Outcome of a call that waits for the user. It is measured when it goes on after the answer. */
export const ASKED = "asked";

/**
 * Builds the outcome of a failed call. An error result has no structured content, because that
 * would have to satisfy the output schema.
 */
export function errorResult(
  outcome: string,
  text: string,
  content: readonly ContentBlock[] = [],
): CallOutcome {
  return { outcome, result: { isError: true, content: [{ type: "text", text }, ...content] } };
}

/**
 * A tool in a bundle: the fields that a start needs, and all others as JSON text. `serializeTool`
 * makes them for `bundle.mjs`, because unused definitions would take most of the time and memory of
 * a start.
 */
export interface SerializedTool extends Pick<
  AnyTool,
  "name" | "toolset" | "api" | "annotations" | "hidden"
> {
  readonly fingerprint: string;
  /** The other fields of its `ToolDefinition`. */
  readonly json: string;
}

/** A tool in a registry. In a bundle, a tool without functions is serialized. */
export type StoredTool = AnyTool | SerializedTool;

/** The complete tool. A serialized one is parsed on each call. */
export function deserializeTool(tool: StoredTool): AnyTool {
  if (!isSerialized(tool)) return tool;
  const { json, fingerprint: _, ...rest } = tool;
  return { ...rest, ...(JSON.parse(json) as Omit<AnyTool, keyof typeof rest>) } as AnyTool;
}

/** True if a tool is serialized. */
export function isSerialized(tool: object): tool is SerializedTool {
  return "json" in tool;
}

/** The part of a tool's definition that `tools/list` returns. */
export type ToolListing = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool that the server implements itself, without a request to the API. */
export interface BuiltInTool extends ToolListing {
  /** @param caller the results of the caller */
  handle(input: ToolInput, caller: CallerResults): CallOutcome | Promise<CallOutcome>;
}

/** The part of a server that shows results of code. */
export interface ResultServer {
  readonly settings: { readonly maxResultCharacters: number };
  readonly redact: Redact;
  readonly resultStore?: ResultStore;
  readonly resultReader?: string;
  readonly files?: Folder;
}

/** Results that a caller can read. */
export interface CallerResults {
  readonly resultStore?: ResultStore;
  /**
   * Reads a result by repeating the call that its URI states. Returns `undefined` if the URI states
   * none that only reads.
   */
  repeatCall?(uri: string): Promise<RepeatedResult | undefined>;
}

/** The full result of a repeated call, or the result of its failure. */
export type RepeatedResult =
  | {
      readonly ok: true;
      /** The URI of the result as it is now. */
      readonly contents: StoredContents;
      /** Name of the tool that was called. */
      readonly tool: string;
      readonly hasChanged: boolean;
    }
  | { readonly ok: false; readonly result: CallToolResult };

interface ForwardedCall {
  readonly tool: AnyTool;
  readonly arguments: unknown;
  /** Text of the inputs, for an agent that has not read the schema. */
  signature(): Promise<string>;
  /** Shows a part of the result, which is not truncated. Absent: the result is shown as it is. */
  show?(result: CallToolResult, server: ResultServer): Promise<CallToolResult>;
}

/** A tool whose call is replaced by the call of another tool. */
export interface ForwardingTool extends ToolListing {
  /** Returns the tool to call with its arguments, or an error text for the agent. */
  forward(input: unknown): ForwardedCall | { readonly problem: string };
}

/** A tool that searches, describes or calls the tools of the API. */
export type DiscoveryTool = BuiltInTool | ForwardingTool;

/** The tools that the discovery tools search, describe and call. */
export interface ToolLookup {
  /** In the order of the registry. */
  readonly tools: readonly StoredTool[];
  find(name: string): AnyTool | undefined;
  /** One or two sentences for an unknown name, with the nearest known names. */
  explainMissing(name: string): string;
}

/**
 * A tool as a module states it: its schema fits the type of its input, and empty conditions and
 * empty mappings of responses are left out.
 */
interface WrittenTool<Input, Output> extends Omit<
  ToolDefinition<Input, Output>,
  "inputSchema" | "operations"
> {
  readonly inputSchema: SchemaOf<Input>;
  readonly operations: readonly (Omit<OperationBinding, "whenProvided" | "response"> &
    Partial<Pick<OperationBinding, "whenProvided" | "response">>)[];
}

/** Types a tool's data by its input and output, and completes its operations. */
export function defineTool<Input, Output>(
  tool: WrittenTool<Input, Output>,
): ToolDefinition<Input, Output> {
  return {
    ...tool,
    operations: tool.operations.map(({ whenProvided = [], response = {}, ...operation }) => ({
      whenProvided,
      ...operation,
      response,
    })),
  };
}

/** Version of package.json, which only a bundle defines. */
declare const PACKAGE_VERSION: string | undefined;

/** Types the description of the API. In a bundle, the version of the package replaces its version. */
export function defineApi(api: ApiDefinition): ApiDefinition {
  return typeof PACKAGE_VERSION === "string" ? { ...api, version: PACKAGE_VERSION } : api;
}
