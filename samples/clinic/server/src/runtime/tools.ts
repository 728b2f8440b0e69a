// tools: files of the runtime of mcp-gen as one module, each after those that it uses.

import {
  type CallToolResult, type ContentBlock, type ListToolsResult, type PromptMessage, ProtocolError,
  ProtocolErrorCode, type Tool,
} from "@modelcontextprotocol/server";
import { describeScopes } from "./auth.js";
import {
  addNewest, base64, beginningOf, canonicalJson, decodeBase64, estimateTokens, fnv1a, isForm,
  isMultipart, isNearMiss, isObject, joinFirst, leftOut, nearestNames, parseContainerText,
  runWithPauses, singularize, unlessUnavailable,
} from "./data.js";
import { type Demands, MAX_LISTED_PROBLEMS } from "./errors.js";
import {
  type ApiContext, type BoundRequest, type Deadline, type Env, type Failure, type Folder,
  type ForwardedHeader, inputOf, type InputProblem, jsonInputs,
} from "./request.js";
import {
  addValues, coercionFacts, createToolResultInSteps, type DecodedContent, linkFullResult, pickPaths,
  pickSchema, project, type Redact, redactWithNote, type ResultStore, sanitize, type StoredContents,
  type ToolResultOptions,
} from "./response.js";
import {
  coerceInput, coerceOutput, type Conversion, describeProblem, expandSchemas, formatPath,
  formatValue, type GivenValue, memberSchemas, type PathSegment, type Problem, propertiesOf,
  relevantProblems, schemasAt, targetOf, validatorFor,
} from "./schema.js";
import type {
  ApiDefinition, JsonSchema, OperationBinding, ParameterSource, RequestMapping, ResponseMapping,
  ToolAnnotations, ToolDefinition, ToolInput,
} from "./types.js";

// ---- tools/schema-types.ts ----
// TypeScript types of values that JSON Schemas describe, for the inputs of custom tools, and of
// schemas that describe the values of a type, for the inputs of generated ones.

/**
 * Type of the values of a schema that is written as a literal: `type`, `enum`, `const`,
 * `properties`, `required` and `items`. Anything else is `unknown`.
 */
export type ValueOf<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : Schema extends { readonly type: infer Type }
      ? ValueOfType<Type, Schema>
      : unknown;

type ValueOfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "integer" | "number"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? Schema extends { readonly items: infer Items }
            ? readonly ValueOf<Items>[]
            : readonly unknown[]
          : Type extends "object"
            ? ObjectOf<Schema>
            : Type extends readonly (infer One)[]
              ? ValueOfType<One, Schema>
              : unknown;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      {
        readonly [
          Name in keyof Properties as Name extends RequiredOf<Schema> ? Name : never
        ]: ValueOf<Properties[Name]>;
      } & {
        readonly [
          Name in keyof Properties as Name extends RequiredOf<Schema> ? never : Name
        ]?: ValueOf<Properties[Name]>;
      }
    >
  : Readonly<Record<string, unknown>>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

/** One object type in place of an intersection, which editors show. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** Any schema with a root of type `object`, as a literal. */
export type ObjectSchema = JsonSchema & { readonly type: "object" };

/**
 * Schema of a tool's input whose type is `Input`: it has the same properties, requires none that
 * may be absent, takes no kind of value that the type lacks, and not only one kind of several.
 */
export type SchemaOf<Input> = JsonSchema & {
  readonly properties?: {
    readonly [Name in keyof Input]-?: PropertySchema<TypeName<Exclude<Input[Name], undefined>>>;
  };
  readonly required?: readonly RequiredName<Input>[];
};

/** Schema of a property, which may also be a constant of `src/schemas.ts`. */
interface PropertySchema<Name> extends SchemaForm<Name> {
  readonly type?: OnlyName<Name> | readonly Name[];
}

/** One of the alternatives of a property, or all of it. */
interface SchemaForm<Name> {
  readonly [keyword: string]: unknown;
  readonly type?: Name | readonly Name[];
  readonly anyOf?: readonly SchemaForm<Name>[];
}

/** The only kind of value of a type; none if the type has several. */
type OnlyName<Names, All = Names> = [All] extends ["integer" | "number"]
  ? All
  : Names extends unknown
    ? [All] extends [Names]
      ? Names
      : never
    : never;

/**
 * Values of the keyword `type` for values of a type: any for `unknown`, and for `{…} & string`,
 * which a document leads to that contradicts itself.
 */
type TypeName<Value> = unknown extends Value
  ? string
  : Value extends object
    ? ObjectName<Value>
    : Value extends string
      ? "string"
      : Value extends number
        ? "integer" | "number"
        : Value extends boolean
          ? "boolean"
          : "null";

type ObjectName<Value> = Value extends string
  ? string
  : Value extends readonly unknown[]
    ? "array"
    : "object";

type RequiredName<Input> = {
  [Name in keyof Input]-?: object extends Pick<Input, Name> ? never : Name;
}[keyof Input];

// ---- tools/definitions.ts ----
// Definitions of tools: of the API, of a project, and built in; hooks, and outcomes of calls.

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

// ---- discovery/describe-listed.ts ----
// Stands in for `describe_tools` where no text of a tool is shortened.

/** No tool. */
export const createDescribeListed = (..._: readonly unknown[]): readonly [] => [];

// ---- discovery/listing.ts ----
// Stands in for the tool search, which is left out.

/** Sentence for the user who asks for the tool search. */
export const discoveryProblem: string | undefined = leftOut("the tool search", "discovery");

/** @throws always */
export function createDiscoveryListing(..._: readonly unknown[]): never {
  throw new Error(discoveryProblem);
}

// ---- tools/corrections.ts ----
// Tools as their API takes them, after it has contradicted its document.

/** A call that was refused before it was sent. */
export interface RefusedCall {
  /** Nobody else takes up what its caller is offered. */
  readonly caller: string;
  readonly tool: object;
  readonly args: unknown;
  readonly problems: readonly InputProblem[];
}

/** The corrections of a server process. They have names of inputs, never values. */
export interface Corrections {
  /** Records what an API demands of a request of a tool. */
  add(tool: ToolDefinition, request: RequestMapping, demands: Demands): void;
  /**
   * Offers a caller the bodies that the document of a tool lacks, after a call whose only problems
   * are unknown inputs: the agent may know better. Returns the advice, or undefined if the tool has
   * none.
   */
  offerBody(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send unknown inputs of a read in its query, after a call with no other
   * problem. Returns the advice, or undefined if the tool takes no parameters there.
   */
  offerQuery(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send inputs of other operations of a read in the query of the chosen one.
   * Returns the advice, or undefined if the same was offered before, so that they are sent.
   */
  offerOtherQuery(call: RefusedCall): string | undefined;
  /**
   * Offers a caller to send a call whose problems are only those that the document states. Returns
   * the advice to send it as it is, or undefined if it has another problem.
   */
  offerAsGiven(call: RefusedCall): string | undefined;
  /**
   * The tool as it was offered to the same caller for such a call: with a body, or without types.
   * A tool that removes nothing, or whose text tells of the body with these fields, has a body
   * without an offer. One that removes nothing takes objects and lists in a JSON body in place of
   * texts.
   */
  asOffered(call: RefusedCall): ToolDefinition | undefined;
  /** The tool with its corrections. */
  of<Tool extends object>(tool: Tool): Tool;
}

/** Creates corrections without any. The tools are those of the server, so that they are few. */
export function createCorrections(): Corrections {
  const corrected = new Map<string, ToolDefinition>();
  const offered = new Set<string>();
  return {
    add: (tool, request, demands) => {
      const { types, fields, body } = demands;
      if (types.length === 0 && fields.length === 0 && body === undefined) return;
      corrected.set(tool.name, correct(tool, request, demands));
    },
    offerBody: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || !lacksInputs(tool, call)) return undefined;
      addNewest(offered, bodyKey(tool, call), MAX_OFFERED);
      const [given, sent] = isWholeBody(call)
        ? ["it", "it is then sent as the body"]
        : ["these fields", "they are then sent as a JSON body"];
      return (
        `The documentation of ${tool.name} declares no body. If the API takes ${given} all the same, ` +
        `call ${tool.name} again with the same input: ${sent}.`
      );
    },
    offerQuery: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || !lacksParameters(tool, call)) return undefined;
      addNewest(offered, queryKey(tool, call), MAX_OFFERED);
      const [these, they] =
        call.problems.length === 1 ? ["this parameter", "it is"] : ["these parameters", "they are"];
      return (
        `If the API takes ${these} all the same, call ${tool.name} again with the same input: ` +
        `${they} then sent in the query.`
      );
    },
    offerOtherQuery: (call) => {
      const { tool } = call;
      if (!isOfApi(tool) || offered.has(queryKey(tool, call))) return undefined;
      addNewest(offered, queryKey(tool, call), MAX_OFFERED);
      const [these, they] = call.problems.length === 1 ? ["it", "it is"] : ["them", "they are"];
      return (
        `If the API takes ${these} here all the same, call ${tool.name} again with the same ` +
        `input: ${they} then sent in the query.`
      );
    },
    offerAsGiven: (call) => {
      const { tool, problems } = call;
      if (!isOfApi(tool) || !problems.every((one) => isDisputed(one, tool, call))) return undefined;
      addNewest(offered, callKey(tool, call), MAX_OFFERED);
      const values = problems.filter(({ isMissing }) => !isMissing);
      const these = values.length === 1 ? "this value" : "these values";
      const takes = values.length === 0 ? "the call" : these;
      return (
        `If the API takes ${takes} all the same, call ${tool.name} again with the same input: ` +
        "it is then sent as given."
      );
    },
    asOffered: (call) => {
      const { tool, problems } = call;
      if (!isOfApi(tool)) return undefined;
      if (offered.has(queryKey(tool, call)) && lacksParameters(tool, call))
        return withParameters(tool, problems);
      if (offered.has(callKey(tool, call)) || takesStructures(tool, problems))
        return withoutTypes(tool, problems);
      const isSent = offered.has(bodyKey(tool, call)) || !mayRemove(tool) || isToldOf(call, tool);
      return isSent && lacksInputs(tool, call)
        ? withLackingBodies(tool, isWholeBody(call))
        : undefined;
    },
    of: (tool) => {
      if (!("operations" in tool) || !("name" in tool)) return tool;
      const { inputSchema, operations } = corrected.get(tool.name as string) ?? {};
      return inputSchema ? { ...tool, inputSchema, operations } : tool;
    },
  };
}

/** Maximum number of offers, of all callers together. */
const MAX_OFFERED = 1_000;

/** Identifies a call of a caller by a number, so that nothing has its values. */
const callKey = ({ name }: ToolDefinition, { caller, args }: RefusedCall): string =>
  `${name} ${fnv1a(JSON.stringify(args) ?? "")} ${caller}`;

/** Identifies a body that a caller may send. */
const bodyKey = ({ name }: ToolDefinition, call: RefusedCall): string =>
  `${name} ${isWholeBody(call) ? "body" : "fields"} ${call.caller}`;

/** Identifies the parameters that a caller may send, also with other values and for other pages. */
const queryKey = ({ name }: ToolDefinition, { caller, problems }: RefusedCall): string =>
  `${name} query ${problems.map(({ input }) => input).join(" ")} ${caller}`;

const isWholeBody = ({ problems }: RefusedCall): boolean =>
  problems.every(({ input }) => input === "body");

/** True if the text of a tool tells of a body with each of the unknown inputs. */
function isToldOf({ problems }: RefusedCall, { description }: ToolDefinition): boolean {
  if (!/\bbody\b/i.test(description)) return false;
  const words = new Set(description.split(/[^\p{L}\p{N}_-]+/u));
  return problems.every(({ input }) => input !== "body" && words.has(input));
}

const isOfApi = (tool: object): tool is ToolDefinition =>
  "operations" in tool && "inputSchema" in tool && "name" in tool;

/** True for an input that is neither documented, nor part of one, nor spelled like one. */
function isUnknown(input: string, { inputSchema }: ToolDefinition): boolean {
  const known = Object.keys(propertiesOf(inputSchema));
  const isPart = known.some((name) => isPartOf(input, name));
  return input !== "" && !isPart && nearestNames(input, known, 1).length === 0;
}

/** True if a call is only refused for inputs of a body that the document lacks. */
const lacksInputs = (tool: ToolDefinition, { problems }: RefusedCall): boolean =>
  problems.every(({ input }) => isUnknown(input, tool)) &&
  tool.operations.some(({ request }) => lacksBody(request));

/**
 * True if a read of one operation is only refused for inputs that its document lacks. Only a query
 * with documented parameters gets more.
 */
function lacksParameters(tool: ToolDefinition, { problems, args }: RefusedCall): boolean {
  const [operation, ...others] = tool.operations;
  if (operation === undefined || others.length > 0 || !tool.annotations.readOnlyHint) return false;
  const { method, query = {}, isRaw } = operation.request;
  const isListed = Object.keys(query).length > 0 && isRaw !== true && method === "GET";
  return isListed && problems.every(({ input }) => isParameter(input, args, tool));
}

/** True for an unknown input whose value a query has as a text. */
function isParameter(input: string, args: unknown, tool: ToolDefinition): boolean {
  const value = Object(args)[input] as unknown;
  return (
    isUnknown(input, tool) &&
    value !== null &&
    /^(?:bigint|boolean|number|string)$/.test(typeof value)
  );
}

/** The tool whose query has these inputs by their names. */
function withParameters(tool: ToolDefinition, problems: readonly InputProblem[]): ToolDefinition {
  const names = problems.map(({ input }) => input);
  const properties = {
    ...propertiesOf(tool.inputSchema),
    ...Object.fromEntries(names.map((name) => [name, {}])),
  };
  const operations = tool.operations.map((one) => ({
    ...one,
    request: {
      ...one.request,
      query: { ...one.request.query, ...Object.fromEntries(names.map((name) => [name, name])) },
    },
  }));
  return { ...tool, inputSchema: { ...tool.inputSchema, properties }, operations };
}

/** True if only the document says that a value is wrong, or that a field of a body is required. */
const isDisputed = (problem: InputProblem, tool: ToolDefinition, call: RefusedCall): boolean =>
  (problem.isDisputable === true && !isOutOfPath(problem, tool, call)) ||
  (problem.isMissing === true && isJsonField(problem, tool) && !mayRemove(tool));

/** True for a value that no path can have: an empty one, a list or an object. */
function isOutOfPath(
  { input }: InputProblem,
  { operations }: ToolDefinition,
  { args }: RefusedCall,
): boolean {
  const value = Object(args)[input] as unknown;
  if (value !== "" && typeof value !== "object") return false;
  return operations.some(({ request }) =>
    Object.values(request.pathParams ?? {}).some((source) => inputOf(source) === input),
  );
}

const isJsonField = ({ input }: InputProblem, { operations }: ToolDefinition): boolean =>
  operations.every(({ request }) => jsonInputs(request).has(/^[^.[]*/.exec(input)![0]));

/** True if all that is wrong with a call that removes nothing are structures in place of texts. */
export const takesStructures = (tool: ToolDefinition, problems: readonly InputProblem[]): boolean =>
  !mayRemove(tool) &&
  problems.every((problem) => problem.isStructure && isJsonField(problem, tool));

const withLackingBodies = (tool: ToolDefinition, isWhole: boolean): ToolDefinition =>
  tool.operations
    .filter(({ request }) => lacksBody(request))
    .reduce((open, { request }) => withBody(open, request, isWhole), tool);

/** True for a tool to whose call a field may matter that says how much is removed. */
const mayRemove = ({ annotations, operations }: ToolDefinition): boolean =>
  operations.some(
    ({ request: { method } }) =>
      method === "DELETE" || (method === "POST" && annotations.destructiveHint !== false),
  );

/** The tool with untyped inputs in place of those with problems, none of which is required. */
export function withoutTypes<Tool extends ToolDefinition>(
  tool: Tool,
  problems: readonly InputProblem[],
): Tool {
  const { required = [], ...schema } = tool.inputSchema as JsonSchema;
  const properties = { ...propertiesOf(schema) };
  const isWrong = (name: string): boolean => problems.some(({ input }) => isPartOf(input, name));
  for (const [name, one] of Object.entries(properties))
    if (isWrong(name)) properties[name] = untyped(one);
  const needed = (required as readonly string[]).filter((name) => !isWrong(name));
  return { ...tool, inputSchema: { ...schema, required: needed, properties } };
}

/** True for an input and its parts: `owner`, `owner.name` and `owner[0]`. */
const isPartOf = (input: string, name: string): boolean =>
  input === name || input.startsWith(`${name}.`) || input.startsWith(`${name}[`);

const lacksBody = ({ method, body, isRaw }: RequestMapping): boolean =>
  body === undefined && isRaw !== true && /^(?:DELETE|PATCH|POST|PUT)$/.test(method);

function correct(tool: ToolDefinition, request: RequestMapping, demands: Demands): ToolDefinition {
  const { inputSchema } = tool;
  const properties = { ...propertiesOf(inputSchema) };
  for (const [input] of demands.types) properties[input] = untyped(properties[input]);
  const typed = { ...tool, inputSchema: { ...inputSchema, properties } as JsonSchema };
  return demands.fields.length === 0 && demands.body === undefined
    ? typed
    : withBody(typed, request);
}

/** The tool with a body that takes fields, or as a whole the input `body`. */
function withBody(tool: ToolDefinition, request: RequestMapping, isWhole = false): ToolDefinition {
  const { additionalProperties: _, ...open } = tool.inputSchema;
  const operations = tool.operations.map((one) =>
    isOf(one, request) ? withOpenBody(one, isWhole) : one,
  );
  return { ...tool, inputSchema: open as JsonSchema, operations };
}

const untyped = ({ description }: JsonSchema = {}): JsonSchema => {
  return description === undefined ? {} : { description };
};

const isOf = ({ request }: OperationBinding, { method, path }: RequestMapping): boolean =>
  request.method === method && request.path === path;

/** The body takes what the document lacks: fields as JSON, and a text as it is. */
function withOpenBody(operation: OperationBinding, isWhole: boolean): OperationBinding {
  if (isWhole) {
    const body = { contentType: "text/plain, */*", from: "body" };
    return { ...operation, request: { ...operation.request, body } };
  }
  const body = operation.request.body ?? { contentType: "application/json", fields: {} };
  return { ...operation, request: { ...operation.request, body: { ...body, isOpen: true } } };
}

// ---- tools/custom-content.ts ----
// Stands in for prompts and resources of user code, which are left out.

/** Sentence for the user whose code has them. */
export const contentProblem: string | undefined = leftOut(
  "prompts and resources of src/custom",
  "prompts",
);

/** @throws always */
export function customPromptsFor<_Tools>(): (prompt: object) => never {
  throw new Error(contentProblem);
}

/** @throws always */
export function customResourcesFor<_Tools>(): (resource: object) => never {
  throw new Error(contentProblem);
}

export function contentProblems({ prompts = [], resources = [] }: Hooks): readonly string[] {
  return prompts.length + resources.length > 0 ? [contentProblem!] : [];
}

// ---- tools/customizations.ts ----
// Customizations of a project: hooks of generated tools, and custom tools.

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

// ---- tools/describe-apis.ts ----
// Stands in for the APIs of a server of several: this server has one.

export const describeApis = (..._: readonly unknown[]): string => "";

// ---- tools/describe-toolsets.ts ----
// The server's part of its instructions: its toolsets.

/** Tokens of the sentence about toolsets. */
const maxTokens = 250;

/** Verbs of each toolset, the most detailed first. The first that fits is used. */
const details = [5, 3, 0] as const;

/** Toolsets that are named at most. */
const maxToolsets = 60;

/** Words before what a name says of its thing: `find_pets_by_status`. */
const RELATION = /^(?:by|with|without|for|in|of|on|from|to|and)$/;

type NamedTool = Pick<StoredTool, "name" | "toolset" | "api">;

/** Verbs of the tools for the thing that a toolset is named after, most frequent first. */
interface ToolsetVerbs {
  readonly own: readonly string[];
  /** True if the toolset has tools for other things, too. */
  readonly hasOthers: boolean;
}

/**
 * Names the toolsets with the verbs of their tools, most frequent first: `Toolsets: pets (find,
 * create), owners (find).` A tool for another thing, such as `create_owner_token`, is only "…": its
 * verb would promise to create owners. Hosts that defer tools show models only names and
 * instructions.
 * @param namespace prefix of the tools' names, without the underscore
 * @returns an empty text for fewer than two toolsets
 */
export function describeToolsets(
  tools: readonly NamedTool[],
  namespace: string | undefined,
): string {
  const prefix = prefixOf(namespace);
  const bySet = groupBy(tools, ({ toolset = "" }) => toolset);
  bySet.delete("");
  if (bySet.size < 2) return "";
  const verbs = new Map([...bySet].map(([set, own]) => [set, verbsOf(set, own, prefix)]));
  const texts = details.map((count) => toolsetsText(verbs, count));
  return texts.find((text) => estimateTokens(text) <= maxTokens) ?? texts.at(-1)!;
}

function toolsetsText(verbs: ReadonlyMap<string, ToolsetVerbs>, count: number): string {
  const names = [...verbs].slice(0, maxToolsets).map(([toolset, { own, hasOthers }]) => {
    const shown = own.slice(0, count);
    if (shown.length === 0) return toolset;
    const isPartial = hasOthers || own.length > shown.length;
    return `${toolset} (${[...shown, ...(isPartial ? ["…"] : [])].join(", ")})`;
  });
  const rest = verbs.size > maxToolsets ? ` and ${verbs.size - maxToolsets} more` : "";
  return `Toolsets: ${names.join(", ")}${rest}.`;
}

/** A toolset without a tool for its own thing is an area, and all verbs are those of its tools. */
function verbsOf(toolset: string, tools: readonly NamedTool[], prefix: string): ToolsetVerbs {
  const parts = tools.map(({ name, api }) => {
    const [verb = "", ...object] = withoutPrefixes(name, [prefix, prefixOf(api)]).split("_");
    return { verb, object, thing: withoutPrefixes(toolset, [prefixOf(api)]) };
  });
  const own = parts.filter(({ object, thing }) => isNamedAfter(thing, object));
  const shown = own.length > 0 ? own : parts;
  const counts = groupBy(shown, ({ verb }) => verb);
  const ranked = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return { own: ranked.map(([verb]) => verb), hasOthers: shown.length < parts.length };
}

/** The prefix of a namespace, or of an API: before its toolsets, and names that others have, too. */
const prefixOf = (name: string | undefined): string => (name === undefined ? "" : `${name}_`);

const withoutPrefixes = (name: string, prefixes: readonly string[]): string =>
  prefixes.reduce((rest, one) => (rest.startsWith(one) ? rest.slice(one.length) : rest), name);

/** True for the object of a name that is the thing of a toolset: `pets_by_status` of `pets`. */
function isNamedAfter(toolset: string, object: readonly string[]): boolean {
  const end = object.findIndex((word) => RELATION.test(word));
  const thing = object.slice(0, end < 0 ? undefined : end);
  return normalize(thing) === normalize(toolset.split("_"));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const normalize = (words: readonly string[]): string => words.map(singularize).join("_");

/** The instructions of the API, its APIs, its toolsets and further texts as one; undefined without any. */
export function joinInstructions(
  { instructions, namespace, apis }: Pick<ApiDefinition, "instructions" | "namespace" | "apis">,
  tools: readonly Pick<StoredTool, "api" | "name" | "toolset">[],
  ...texts: readonly string[]
): string | undefined {
  const own = [instructions, describeApis(apis, tools), describeToolsets(tools, namespace)];
  return [...own, ...texts].filter(Boolean).join(" ") || undefined;
}

// ---- tools/identifiers.ts ----
// Texts that are identifiers.

/** A UUID of any version. */
export const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Digests and object IDs. */
const HEXADECIMAL = /^[\da-f]{16,128}$/i;

/** ULID, KSUID and CUID: letters and digits without a separator. */
const TOKEN = /^[\da-z]{20,64}$/i;

/** `usr_8f3k2m9q`: the kind of the thing, and a token. */
const PREFIXED = /^[a-z]{1,10}_(?:[a-z]{1,10}_)?([\da-z]{8,64})$/i;

/** Least number of digits in a token. A name in camel case has fewer. */
const MIN_DIGITS = 2;

/** True for texts that only identify: never for words, names, dates, or amounts with a unit. */
export function isIdentifier(text: string): boolean {
  if (UUID.test(text)) return true;
  const token = HEXADECIMAL.test(text) || TOKEN.test(text) ? text : PREFIXED.exec(text)?.[1];
  if (token === undefined) return false;
  const digits = token.replace(/\D/g, "").length;
  return digits >= MIN_DIGITS && digits < token.length;
}

// ---- tools/number-inputs.ts ----
// Texts where the API's description declares a number: identifiers, and digits that a number loses.

/**
 * True if a text stands where only a number is allowed, and is an identifier that cannot be one. An
 * API that declares its UUIDs as integers accepts it, and no number would be right.
 */
export function isIdentifierForNumber({ path, keyword, rule, value }: Problem): boolean {
  if (typeof value !== "string" || path.length === 0 || !isIdentifier(value)) return false;
  if (keyword === "type") return allowsNumber(rule);
  return (
    keyword === "anyOf" &&
    [rule].flat().some((form) => isObject(form) && allowsNumber(form["type"]))
  );
}

function allowsNumber(rule: unknown): boolean {
  return [rule].flat().some((type) => type === "integer" || type === "number");
}

/** True if a problem is a string with an integer that a number cannot represent. */
export function isLargeInteger({ path, keyword, rule, value }: Problem): boolean {
  if (
    path.length === 0 ||
    typeof value !== "string" ||
    !/^-?[1-9]\d{15,29}$/.test(value) ||
    Number.isSafeInteger(Number(value))
  )
    return false;
  if (keyword === "type") return [rule].flat().includes("integer");
  const alternatives = rule as readonly { type?: unknown }[];
  return keyword === "anyOf" && alternatives.some(({ type }) => type === "integer");
}

/**
 * Restores the digits of numbers that a call gave as text (`"1678901234.567890"`), where requests
 * write them as text, too. APIs use such numbers as IDs.
 * @param args arguments of the call before validation
 */
export function restoreDigits(
  input: ToolInput,
  args: unknown,
  operations: readonly OperationBinding[],
): ToolInput {
  if (!isObject(args)) return input;
  const texts = Object.entries(input).flatMap(([name, value]) => {
    const text = typeof value === "number" && Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof text === "string" && text.trim() !== String(value)
      ? [[name, text.trim()] as const]
      : [];
  });
  const restored = texts.filter(([name]) =>
    operations.every(({ request }) => isTextOnly(name, request)),
  );
  return restored.length === 0 ? input : { ...input, ...Object.fromEntries(restored) };
}

/** True if a request writes the input as text only: outside of JSON. */
function isTextOnly(input: string, { body, ...request }: RequestMapping): boolean {
  const { pathParams, query, headers, cookies, querystring } = request;
  const isInput = (source: ParameterSource): boolean => inputOf(source) === input;
  const isOther = (source: ParameterSource): boolean =>
    typeof source !== "string" &&
    "from" in source &&
    source.from === input &&
    source.contentType !== undefined;
  const sources = [pathParams, query, headers, cookies].flatMap((part) =>
    Object.values(part ?? {}),
  );
  if (sources.some(isOther) || querystring?.from === input || body?.from === input) return false;
  const isText = isForm(body?.contentType ?? "") || isMultipart(body?.contentType ?? "");
  return Object.entries(body?.fields ?? {}).every(
    ([name, source]) =>
      !isInput(source) || (isText && body?.encoding?.[name]?.contentType === undefined),
  );
}

// ---- tools/text-inputs.ts ----
// Inputs whose text has a form of its own: JSON as text, and bytes as base64.

/**
 * Serializes objects and lists that are given where the schema documents text that holds JSON: by
 * its description or by an example.
 */
export function stringifyJsonInputs(
  root: JsonSchema,
  problems: readonly Problem[],
): readonly Conversion[] {
  return problems.flatMap(({ path, keyword, rule, value }) => {
    const isTextExpected = keyword === "type" && [rule].flat().includes("string");
    if (!isTextExpected || typeof value !== "object" || value === null) return [];
    if (!schemasAt(root, path).some(holdsJson)) return [];
    return [{ path, part: JSON.stringify(value) }];
  });
}

function holdsJson({ description, examples, default: value }: JsonSchema): boolean {
  if (typeof description === "string" && /\bJSON\b/i.test(description)) return true;
  return [value, ...(Array.isArray(examples) ? examples : [])].some(isJsonText);
}

const isJsonText = (text: unknown): boolean => parseContainerText(text) !== undefined;

/** Inputs with their texts as base64. */
export interface EncodedInput<Input> {
  readonly input: Input;
  readonly problems: readonly InputProblem[];
  /** Paths of base64 that may have been meant as text, with their values. */
  readonly doubtful: readonly (readonly [path: string, text: string])[];
}

/** Marks plain text where base64 is expected. A colon is not a character of base64. */
const TEXT_PREFIX = "text:";

/** Maximum nesting, the same as that of inputs. */
const MAX_DEPTH = 64;

const schemasWithBytes = new WeakMap<JsonSchema, boolean>();

function hasBytes(root: JsonSchema): boolean {
  const known = schemasWithBytes.get(root);
  if (known !== undefined) return known;
  const found = /"format":"byte"|"contentEncoding":"base64"/.test(JSON.stringify(root));
  schemasWithBytes.set(root, found);
  return found;
}

/**
 * Encodes text after `text:` where the schema has base64. With `format: byte`, all other values
 * there are checked; files take other text as it is.
 */
export function encodeByteInputs<Input>(root: JsonSchema, input: Input): EncodedInput<Input> {
  const encoding: Encoding = { root, problems: [], doubtful: [] };
  if (!hasBytes(root)) return { ...encoding, input };
  const encoded = encode(input, expandSchemas([root], root), [], encoding);
  return { ...encoding, input: encoded as Input };
}

interface Encoding {
  readonly root: JsonSchema;
  readonly problems: InputProblem[];
  readonly doubtful: (readonly [string, string])[];
}

function encode(
  value: unknown,
  schemas: readonly JsonSchema[],
  path: readonly PathSegment[],
  encoding: Encoding,
): unknown {
  if (schemas.length === 0 || path.length > MAX_DEPTH) return value;
  if (typeof value === "string") return encodeText(value, schemas, path, encoding);
  const encodePart = (part: unknown, step: PathSegment): unknown =>
    encode(part, memberSchemas(schemas, step, encoding.root), [...path, step], encoding);
  if (Array.isArray(value)) return value.map(encodePart);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, encodePart(member, name)]),
  );
}

function encodeText(
  text: string,
  schemas: readonly JsonSchema[],
  path: readonly PathSegment[],
  { problems, doubtful }: Encoding,
): string {
  const isByte = schemas.some(({ format }) => format === "byte");
  if (!isByte && !schemas.some((one) => one["contentEncoding"] === "base64")) return text;
  if (text.startsWith(TEXT_PREFIX)) return base64(text.slice(TEXT_PREFIX.length));
  const bytes = decodePadded(text);
  if (bytes === undefined) {
    const problem = `${formatValue(text)} is not base64; put ${TEXT_PREFIX} before plain text`;
    if (isByte) problems.push({ input: formatPath(path), problem });
  } else if (isWord(text) && !isUtf8(bytes)) doubtful.push([formatPath(path), text]);
  return text;
}

/** Bytes of base64 or base64url with its padding. RFC 4648, sections 4 and 5. */
function decodePadded(text: string): Uint8Array | undefined {
  const standard = text
    .replace(/[\r\n]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const isPadded = standard.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(standard);
  return isPadded ? decodeBase64(standard) : undefined;
}

/** True for texts that are base64 by accident, such as `test`. */
function isWord(text: string): boolean {
  return text.length <= 32 && /^[A-Za-z0-9/_-]+$/.test(text);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// ---- tools/undocumented-inputs.ts ----
// Inputs that the schema of a tool leaves open: fields that the API may need and its document
// lacks. JSON Schema allows them by default. They are sent with a note; a near miss of a documented
// name is a problem.

/** Undocumented inputs of a call. */
export interface UndocumentedInputs {
  /** Paths of those that are sent, `rows[].color` for the items of a list. */
  readonly names: readonly string[];
  readonly problems: readonly InputProblem[];
}

const NONE: UndocumentedInputs = { names: [], problems: [] };

/** Maximum number of distinct paths that are inspected and reported. */
const MAX_PATHS = 200;

/** Maximum nesting, the same as that of inputs. */
const MAX_PATH_DEPTH = 64;

/**
 * Finds the inputs that a tool's schema accepts without declaring them.
 * @param isStrict true if all of them are problems
 */
export function findUndocumentedInputs(
  tool: Pick<ToolDefinition, "inputSchema" | "operations">,
  input: unknown,
  isStrict: boolean,
): UndocumentedInputs {
  if (!isObject(input)) return NONE;
  const found = new Map<string, Finding>();
  const root = tool.inputSchema;
  inspect(input, { root, found, path: [], schemas: expandSchemas([root], root) });
  if (found.size === 0) return NONE;
  const wireNames = renamedFields(tool);
  const names: string[] = [];
  const problems: InputProblem[] = [];
  for (const [path, finding] of found) {
    const problem = problemOf(finding, wireNames, isStrict);
    if (problem === undefined) names.push(path);
    else problems.push({ input: path, problem });
  }
  return { names, problems };
}

/** Names of the root that the schema does not declare. The request's body takes them as fields. */
export function undocumentedFields(
  { inputSchema }: Pick<ToolDefinition, "inputSchema">,
  input: ToolInput,
): readonly string[] {
  const declared = propertiesOf(inputSchema);
  return Object.keys(input).filter((name) => !Object.hasOwn(declared, name));
}

interface Finding {
  readonly path: readonly PathSegment[];
  readonly value: unknown;
  /** Documented names of the object, and those of them that the call has. */
  readonly declared: readonly string[];
  readonly given: ReadonlySet<string>;
}

/** Position of the inspection: a value's path and all schemas that describe the value. */
interface Position {
  readonly root: JsonSchema;
  readonly found: Map<string, Finding>;
  readonly path: readonly PathSegment[];
  readonly schemas: readonly JsonSchema[];
}

function inspect(value: unknown, position: Position): void {
  const { path, found, schemas } = position;
  if (typeof value !== "object" || value === null || schemas.length === 0) return;
  if (path.length >= MAX_PATH_DEPTH || found.size >= MAX_PATHS) return;
  if (Array.isArray(value)) {
    const items = below(position, 0);
    for (const item of value) inspect(item, items);
  } else inspectObject(value as ToolInput, position);
}

function inspectObject(value: ToolInput, position: Position): void {
  const { path, schemas, found } = position;
  const declared = [...new Set(schemas.flatMap((schema) => Object.keys(propertiesOf(schema))))];
  const isMap = declared.length === 0 ? path.length > 0 : schemas.some(hasOtherNames);
  const given = new Set(Object.keys(value));
  const names = new Set(declared);
  for (const [name, member] of Object.entries(value)) {
    if (names.has(name)) inspect(member, below(position, name));
    else if (!isMap && found.size < MAX_PATHS) {
      const finding = { path: [...path, name], value: member, declared, given };
      found.set(pathText(finding.path), finding);
    }
  }
}

/** The position of a member; of all items of a list, whose path ends with an empty step. */
function below(position: Position, step: string | 0): Position {
  const { root, path, schemas } = position;
  const text = step === 0 ? "" : step;
  return { ...position, path: [...path, text], schemas: memberSchemas(schemas, step, root) };
}

/** True if a schema documents that further names are welcome. */
function hasOtherNames({ additionalProperties, patternProperties }: JsonSchema): boolean {
  return (
    patternProperties !== undefined ||
    (additionalProperties !== undefined && additionalProperties !== false)
  );
}

function pathText(path: readonly PathSegment[]): string {
  return formatPath(path).replace(/\.(?=\.|$)/g, "[]");
}

/** The problem of an undocumented input; undefined if it is sent. */
function problemOf(
  { path, value, declared, given }: Finding,
  wireNames: ReadonlyMap<string, string>,
  isStrict: boolean,
): string | undefined {
  const name = String(path.at(-1));
  const renamed = path.length === 1 ? wireNames.get(name) : undefined;
  if (renamed !== undefined) return `unknown input; did you mean ${renamed}?`;
  const omitted = declared.filter((candidate) => !given.has(candidate));
  const [near] = nearestNames(
    name,
    omitted.filter((candidate) => isNearMiss(name, candidate)),
    1,
  );
  if (near !== undefined) return `unknown input; did you mean ${near}?`;
  if (!isStrict) return undefined;
  return describeProblem({ path, keyword: "additionalProperties", rule: declared, value });
}

/** Inputs by the name of their field, where that is another one. */
function renamedFields({
  operations,
}: Pick<ToolDefinition, "operations">): ReadonlyMap<string, string> {
  const entries = operations.flatMap(({ request }) => Object.entries(request.body?.fields ?? {}));
  return new Map(
    entries.flatMap(([name, source]) => {
      const input = inputOf(source);
      return input === undefined || input === name ? [] : [[name, input] as const];
    }),
  );
}

// ---- tools/unwrap-body.ts ----
// Fields that a call gives inside the object around them, or outside of it, as the API takes them.

/**
 * The arguments with the fields of the body in place of the object around them: `{issue_id,
 * subject}` for `{issue_id, issue: {subject}}`, where the body of a tool is `{issue: {subject}}` and
 * its inputs are the fields. Other arguments, and those that name a field twice, stay as they are.
 */
export function unwrapBody(tool: ToolDefinition, args: unknown): unknown {
  const [name, ...others] = new Set(tool.operations.map(({ request }) => envelopeOf(request)));
  if (name === undefined || others.length > 0 || !isObject(args)) return args;
  const { [name]: wrapped, ...rest } = args;
  if (!isObject(wrapped) || Object.hasOwn(propertiesOf(tool.inputSchema), name)) return args;
  const sources = Object.assign({}, ...tool.operations.map(({ request }) => request.body?.fields));
  const fields = Object.entries(wrapped).map(
    ([field, value]) => [inputOf(sources[field] ?? field) ?? field, value] as const,
  );
  if (fields.some(([input]) => Object.hasOwn(rest, input))) return args;
  return Object.fromEntries([...Object.entries(rest), ...fields]);
}

/** The only object around the fields of a body. */
const envelopeOf = ({
  body,
}: ToolDefinition["operations"][number]["request"]): string | undefined =>
  body?.envelope?.length === 1 ? body.envelope[0] : undefined;

/**
 * The arguments with unknown inputs as fields of the body: `{id, body: {subject}}` for `{id,
 * subject}`, where the body of a tool is one input that takes any field. Other arguments, and those
 * with a misspelt input, stay as they are.
 */
export function wrapFields({ operations, inputSchema }: ToolDefinition, args: unknown): unknown {
  const [name, ...others] = new Set(operations.map(({ request }) => request.body?.from));
  if (name === undefined || others.length > 0 || !isObject(args)) return args;
  const declared = propertiesOf(inputSchema);
  const { [name]: body = {}, ...rest } = args;
  const given = Object.entries(rest).filter(([input]) => Object.hasOwn(declared, input));
  const fields = Object.entries(rest).filter(([input]) => !Object.hasOwn(declared, input));
  const isMisspelt = fields.some(([field]) =>
    Object.keys(declared).some((input) => !Object.hasOwn(args, input) && isNearMiss(field, input)),
  );
  const isOpen = takesAnyField(declared[name]) || operations.every(hasUntypedJson(declared[name]));
  if (fields.length === 0 || isMisspelt || !isOpen) return args;
  if (!isObject(body) || fields.some(([field]) => Object.hasOwn(body, field))) return args;
  return { ...Object.fromEntries(given), [name]: { ...body, ...Object.fromEntries(fields) } };
}

/** A schema that states nothing about the type: `unknown` for an agent. */
const hasUntypedJson =
  (schema: unknown) =>
  ({ request: { body } }: ToolDefinition["operations"][number]): boolean =>
    isObject(schema) &&
    Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)) &&
    /json/i.test(body?.contentType ?? "");

/** Keywords that any value satisfies. */
const ANNOTATIONS = new Set(["description", "examples", "title"]);

const takesAnyField = (schema: unknown): boolean =>
  isObject(schema) && schema["type"] === "object" && schema["additionalProperties"] !== false;

// ---- tools/validate-input.ts ----
// Validation of the arguments of a call, and conversions to the types of the input schema.

/** Result of validation. The lists name inputs, or parts of them: `owner.name`. */
type ValidationResult =
  | {
      readonly ok: true;
      readonly input: ToolInput;
      /** Those that were `null` where the schema does not allow it. */
      readonly omittedNulls?: readonly string[];
      /** Those that were converted to text that may differ from what the caller meant. */
      readonly converted?: readonly string[];
      /** Booleans and numbers that became text, as given. */
      readonly givenValues?: readonly GivenValue[];
      /** Integers beyond 2^53 that the input has as texts, as `bigint`s. */
      readonly largeIntegers?: readonly GivenValue[];
      /** Those that are identifiers in place of the declared numbers, as given. */
      readonly identifiers?: readonly string[];
      /** IDs inside of inputs that the schema requires and the call lacks. */
      readonly omittedIds?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

interface ValidationOptions {
  /** True if integers beyond 2^53 may be strings, as in results. */
  readonly allowLargeIntegers?: boolean;
  /**
   * True if identifiers may stand in place of numbers, and IDs of parts may be missing, unless
   * validation is strict.
   */
  readonly allowIdentifiers?: boolean;
  /** True if values of another type are refused instead of converted. */
  readonly strict?: boolean;
}

/** Maximum rounds of conversions. A list of one may contain a list of one. */
const MAX_CONVERSIONS = 8;

/**
 * Validates a call's arguments against the tool's input schema and reports all problems at once. A
 * `null` that the schema does not allow counts as absent, because hosts that make every input
 * required ("strict" function calling) cannot omit it. An object or a list may be JSON text, as
 * some hosts send it. Other values are converted if only one conversion is possible.
 */
export function validateInput(
  schema: JsonSchema,
  args: unknown,
  options: ValidationOptions = {},
): ValidationResult {
  return validate(schema, args, options, []);
}

/** @param converted inputs that were converted so far, one list for each round */
function validate(
  schema: JsonSchema,
  args: unknown,
  options: ValidationOptions,
  converted: readonly (readonly Conversion[])[],
): ValidationResult {
  const input = parseContainerText(args) ?? args ?? {};
  if (!isObject(input))
    return invalid([
      { input: "", problem: `the arguments must be an object, got ${formatValue(input)}` },
    ]);
  const limitProblem = findLimitViolation(input);
  if (limitProblem !== undefined) return invalid([{ input: "", problem: limitProblem }]);
  const check = validatorFor(schema);
  const problems = withoutOneOf(check(input));
  if (problems.length === 0) return accept(input, converted);
  const reparsedInput = withParsedJson(input, problems);
  if (reparsedInput) return validate(schema, reparsedInput, options, converted);
  const nulls = problems.filter(isUnexpectedNull);
  if (nulls.length > 0) {
    const removals = nulls.map(({ path }) => ({ path, part: REMOVED }));
    const withoutNulls = replaceParts(input, removals, 0);
    return withOmittedNulls(validate(schema, withoutNulls, options, converted), nulls);
  }
  const canConvert = !options.strict && converted.length < MAX_CONVERSIONS;
  const texts = canConvert ? stringifyJsonInputs(schema, problems) : [];
  if (texts.length > 0)
    return validate(schema, replaceParts(input, texts), options, [...converted, []]);
  const conversions = canConvert ? coerceInput(problems) : [];
  if (conversions.length > 0) {
    const replaced = replaceParts(input, conversions);
    return validate(schema, replaced, options, [...converted, conversions]);
  }
  const allowsIdentifiers = options.allowIdentifiers === true && !options.strict;
  const identifiers = allowsIdentifiers ? problems.filter(isIdentifierForNumber) : [];
  const paths = new Set(identifiers.map(({ path }) => formatPath(path)));
  const omittedIds = allowsIdentifiers ? problems.filter(isOmittedId) : [];
  const isSettled = (problem: Problem): boolean =>
    omittedIds.includes(problem) ||
    (/^(?:type|anyOf)$/.test(problem.keyword) && paths.has(formatPath(problem.path)));
  const large = options.allowLargeIntegers ? problems.filter(isLargeInteger) : [];
  const others = problems.filter((problem) => !isSettled(problem) && !large.includes(problem));
  if (others.length === 0)
    return {
      ...accept(input, converted, [...paths]),
      ...(large.length > 0 && { largeIntegers: large.map(toBigInt) }),
      ...(omittedIds.length > 0 && { omittedIds: omittedIds.map(({ path }) => formatPath(path)) }),
    };
  return invalid(relevantProblems(others).map(toInputProblem));
}

const toBigInt = ({ path, value }: Problem): GivenValue => ({
  path,
  part: BigInt(value as string),
});

/** The input with its large integers as they are sent, where it still has their texts. */
export function withLargeIntegers(
  input: ToolInput,
  integers: readonly GivenValue[] = [],
): ToolInput {
  const current = integers.filter(
    ({ path, part }) =>
      path.reduce<unknown>((value, step) => Object(value)[step] as unknown, input) === String(part),
  );
  return current.length === 0 ? input : (replaceParts(input, current) as ToolInput);
}

function accept(
  input: ToolInput,
  converted: readonly (readonly Conversion[])[],
  identifiers: readonly string[] = [],
): ValidationResult {
  const conversions = converted.flat();
  const differing = conversions.filter(({ mayDiffer }) => mayDiffer);
  const names = [...new Set(differing.map(({ path }) => formatPath(path)))];
  const givenValues = conversions.flatMap(({ path, given }) =>
    given === undefined ? [] : [{ path, part: given }],
  );
  return {
    ok: true,
    input,
    ...(names.length > 0 && { converted: names }),
    ...(givenValues.length > 0 && { givenValues }),
    ...(identifiers.length > 0 && { identifiers }),
  };
}

/**
 * True for a missing ID of a part: documents describe a new thing with the schema of an existing
 * one, whose ID the API assigns.
 */
const isOmittedId = ({ path, keyword }: Problem): boolean =>
  keyword === "required" && path.length > 1 && /^(?:_?id|uuid|guid)$/.test(String(path.at(-1)));

/** Ignores `oneOf`. Documents often use it for overlapping alternatives, which the API accepts. */
function withoutOneOf(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ keyword }) => keyword !== "oneOf");
}

/** True if a known property is `null` against its schema. */
function isUnexpectedNull({ path, keyword, value }: Problem): boolean {
  return value === null && keyword !== "additionalProperties" && typeof path.at(-1) === "string";
}

function withOmittedNulls(
  validated: ValidationResult,
  nulls: readonly Problem[],
): ValidationResult {
  if (!validated.ok) return validated;
  const names = new Set([
    ...nulls.map(({ path }) => formatPath(path)),
    ...(validated.omittedNulls ?? []),
  ]);
  return { ...validated, omittedNulls: [...names] };
}

/**
 * Describes a problem. Only listed problems are described, because finding similar names takes
 * time.
 */
function toInputProblem(problem: Problem, i: number): InputProblem {
  return {
    input: formatPath(problem.path),
    problem: i < MAX_LISTED_PROBLEMS ? describeProblem(problem) : "",
    ...(isDisputable(problem) && { isDisputable: true }),
    ...(isStructure(problem) && { isStructure: true }),
    ...(problem.keyword === "required" && { isMissing: true }),
  };
}

/**
 * True for a value of which documents are often wrong: one of another type, that is not in a list
 * of values, that has another form, or that exceeds a limit.
 */
const isDisputable = ({ path, keyword }: Problem): boolean =>
  path.length > 0 && DISPUTABLE.test(keyword);

const isStructure = ({ path, keyword, rule, value }: Problem): boolean =>
  path.length > 0 && keyword === "type" && String(rule) === "string" && typeof value === "object";

const DISPUTABLE =
  /^(?:anyOf|const|enum|form(?:at|s)|pattern|(?:exclusive)?m(?:ax|in)imum|m(?:ax|in)(?:Items|Length|Properties)|multipleOf|type)$/i;

function invalid(problems: readonly InputProblem[]): ValidationResult {
  return { ok: false, problems };
}

/** Parses JSON texts that replace objects and lists; `undefined` when there are none. */
function withParsedJson(input: ToolInput, problems: readonly Problem[]): ToolInput | undefined {
  const replacements = problems.flatMap(({ path, keyword, rule, value }) => {
    // At the top level, any problem counts. Deeper, only text instead of an object or a list.
    const isWanted =
      path.length === 1 ||
      (path.length > 1 &&
        keyword === "type" &&
        [rule].flat().some((type) => type === "object" || type === "array"));
    const part = isWanted ? (parseContainerText(value) ?? value) : value;
    return Object.is(part, value) ? [] : [{ path, part }];
  });
  return replacements.length === 0
    ? undefined
    : (replaceParts(input, replacements, 0) as ToolInput);
}

/** Marks a property that is removed. */
const REMOVED = Symbol("absent");

/**
 * Copies a value with its replacements. `fromEntries` defines properties, so that __proto__ is a
 * key like any other.
 */
export function replaceParts(value: unknown, parts: readonly GivenValue[], depth = 0): unknown {
  const replacement = parts.find(({ path }) => path.length === depth);
  if (replacement) return replacement.part;
  const below = new Map<unknown, GivenValue[]>();
  for (const nested of parts) {
    const siblings = below.get(nested.path[depth]);
    if (siblings) siblings.push(nested);
    else below.set(nested.path[depth], [nested]);
  }
  const renewed = (step: string | number, item: unknown): unknown => {
    const inside = below.get(step);
    return inside ? replaceParts(item, inside, depth + 1) : item;
  };
  if (Array.isArray(value)) return value.map((item, i) => renewed(i, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, renewed(key, item)])
      .filter(([, item]) => item !== REMOVED),
  );
}

/** Limits of the arguments of a call, checked before any recursive function sees them. */
const maxDepth = 64;
const maxValues = 200_000;

/** Describes a violated limit; `undefined` when there is none. */
function findLimitViolation(input: object): string | undefined {
  const size = { values: 0 };
  const depth = measureDepth(input, 1, size);
  if (size.values > maxValues) return `the input has more than ${maxValues} values`;
  return depth > maxDepth ? `the input is nested more than ${maxDepth} levels deep` : undefined;
}

/** Measures the nesting and stops at the limits. */
function measureDepth(value: object, depth: number, size: { values: number }): number {
  if (depth > maxDepth) return depth;
  let reached = depth;
  for (const part of Object.values(value)) {
    if (++size.values > maxValues) break;
    if (typeof part === "object" && part !== null)
      reached = Math.max(reached, measureDepth(part as object, depth + 1, size));
  }
  return reached;
}

// ---- tools/prepare-input.ts ----
// The input of a call before its request: validated, with its texts encoded.

/** Parts of an input that are sent in another form than given, or without being documented. */
export interface InputChanges {
  /** Those that were `null` where the schema does not allow it. */
  readonly omittedNulls?: readonly string[];
  /** Those that were converted to the type of the schema. */
  readonly converted?: readonly string[];
  /** Booleans and numbers that were converted to text, as given. */
  readonly givenValues?: readonly GivenValue[];
  /** Integers beyond 2^53 that the input has as texts. */
  readonly largeIntegers?: readonly GivenValue[];
  /** Identifiers that were sent where the API's description declares a number. */
  readonly identifiers?: readonly string[];
  /** IDs of parts that the API's description requires and the call lacks. */
  readonly omittedIds?: readonly string[];
  /** Objects and lists that were sent where the API's description declares a text. */
  readonly structures?: readonly string[];
  /** Names that the tool does not declare. */
  readonly undocumented?: readonly string[];
  /** Inputs that the API's description has for other calls of the tool. */
  readonly otherQuery?: readonly string[];
  /** Base64 that may have been meant as text, with its value. */
  readonly doubtfulBytes?: readonly (readonly [path: string, text: string])[];
}

/** An input that can be sent. */
export interface ValidInput {
  readonly ok: true;
  readonly input: ToolInput;
  readonly changes: InputChanges;
}

/** An input that can be sent, or its problems. */
export type PreparedInput =
  | ValidInput
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Validates the input of a call. That of a tool of the API may have undocumented fields and plain
 * text in place of base64.
 * @param strict true if values of another type and undocumented fields are refused
 */
export function prepareInput(
  tool: AnyTool | BuiltInTool,
  args: unknown,
  strict: boolean,
): PreparedInput {
  if ("operations" in tool) return prepareApiInput(tool, args, strict);
  const validated = validateInput(tool.inputSchema, args, { strict });
  return validated.ok ? { ok: true, input: validated.input, changes: validated } : validated;
}

function prepareApiInput(tool: ToolDefinition, args: unknown, strict: boolean): PreparedInput {
  const schema = tool.inputSchema;
  const fields = strict ? args : wrapFields(tool, args);
  const given = encodeByteInputs(schema, unwrapBody(tool, fields)).input;
  const validated = validateInput(schema, given, {
    allowLargeIntegers: true,
    allowIdentifiers: true,
    strict,
  });
  const undocumented = findUndocumentedInputs(tool, validated.ok ? validated.input : given, strict);
  if (!validated.ok) {
    const known = new Set(validated.problems.map(({ input }) => input));
    const others = undocumented.problems.filter((problem) => !known.has(problem.input));
    return { ok: false, problems: [...validated.problems, ...others] };
  }
  const encoded = encodeByteInputs(schema, validated.input);
  const problems = [...undocumented.problems, ...encoded.problems];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    input:
      "run" in tool
        ? withLargeIntegers(encoded.input, validated.largeIntegers)
        : restoreDigits(encoded.input, given, tool.operations),
    changes: { ...validated, undocumented: undocumented.names, doubtfulBytes: encoded.doubtful },
  };
}

// ---- tools/doubtful-input.ts ----
// Inputs that the document forbids and the API may take, sent as given where that is wanted.

/** The parts of a server that decide about doubtful inputs. */
export interface DoubtContext {
  readonly corrections: Corrections;
  readonly settings: { readonly strictInputs: boolean };
}

/**
 * Validates the input of a call. A call that its caller was offered to be sent as it is, and an
 * update of nothing but nulls, have no types for the inputs in doubt.
 * @returns the tool with the schema that holds for the call
 */
export function prepareDoubtful(
  { corrections, settings: { strictInputs } }: DoubtContext,
  tool: AnyTool | BuiltInTool,
  args: unknown,
  caller: string,
): { readonly tool: AnyTool | BuiltInTool; readonly prepared: PreparedInput } {
  const prepared = prepareInput(tool, args, strictInputs);
  const untyped = prepared.ok
    ? withNulls(tool, prepared.input, prepared.changes.omittedNulls)
    : strictInputs
      ? undefined
      : corrections.asOffered({ caller, tool, args, problems: prepared.problems });
  if (!untyped) return { tool, prepared };
  const again = prepareInput(untyped, args, strictInputs);
  return {
    tool: untyped,
    prepared: again.ok
      ? withAddedParameters(withStructures(again, prepared), tool, untyped)
      : again,
  };
}

/** The input with the parameters that the document of the tool lacks, which a note names. */
function withAddedParameters(
  input: ValidInput,
  documented: AnyTool | BuiltInTool,
  { inputSchema }: AnyTool,
): ValidInput {
  const known = propertiesOf(documented.inputSchema);
  const added = Object.keys(propertiesOf(inputSchema)).filter(
    (name) => !Object.hasOwn(known, name),
  );
  const { changes } = input;
  if (added.length === 0) return input;
  return {
    ...input,
    changes: { ...changes, undocumented: [...(changes.undocumented ?? []), ...added] },
  };
}

/** The way for its caller to send a call whose only problems are those that its document states. */
export function offerFor(
  { corrections, settings: { strictInputs } }: DoubtContext,
  call: RefusedCall,
): string | undefined {
  if (strictInputs) return undefined;
  return (
    corrections.offerBody(call) ?? corrections.offerQuery(call) ?? corrections.offerAsGiven(call)
  );
}

/** The input with the objects and lists that the documented types refused. */
function withStructures(input: ValidInput, refused: PreparedInput): ValidInput {
  const structures = (refused.ok ? [] : refused.problems).flatMap((problem) =>
    problem.isStructure ? [problem.input] : [],
  );
  return structures.length === 0 ? input : { ...input, changes: { ...input.changes, structures } };
}

/** True for a tool that updates a part of a thing, where null may remove a value. */
export const isPartialUpdate = (tool: object): tool is ToolDefinition =>
  "operations" in tool &&
  (tool as ToolDefinition).operations.some(({ request }) => request.method === "PATCH");

/**
 * The tool that takes nulls, if an update has nothing else to change: the nulls are what it is
 * about, although the document allows none.
 */
function withNulls(
  tool: AnyTool | BuiltInTool,
  input: ToolInput,
  nulls: readonly string[] = [],
): (AnyTool & ToolDefinition) | undefined {
  if (nulls.length === 0 || !isPartialUpdate(tool)) return undefined;
  const inPath = tool.operations.flatMap(({ request }) => Object.values(request.pathParams ?? {}));
  const ids = new Set(inPath.map(inputOf));
  const hasChange = Object.entries(input).some(([name, value]) => !ids.has(name) && !isVoid(value));
  const problems = nulls.map((name) => ({ input: name, problem: "" }));
  return hasChange ? undefined : withoutTypes(tool, problems);
}

/** True for an absent value, and for an object of none. */
const isVoid = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isVoid));

// ---- tools/shown-definition.ts ----
// Stands in for the shortening of input schemas: no tool of this project has equal nested ones.

export function listedInputSchema(schema: JsonSchema): JsonSchema {
  return schema;
}

// ---- tools/fingerprint.ts ----

/** Fingerprints by tool. Definitions do not change. */
const known = new WeakMap<ToolListing, Promise<string>>();

/**
 * Returns the fingerprint of a definition as `tools/list` sends it, without `_meta`: `sha256:` and
 * the hash of its canonical form (RFC 8785). Clients can compute it from parsed JSON in any member
 * order, to detect a changed tool.
 */
export function fingerprintOf(tool: ToolListing): Promise<string> {
  const fingerprint = known.get(tool) ?? hashDefinition(tool);
  known.set(tool, fingerprint);
  return fingerprint;
}

async function hashDefinition(tool: ToolListing): Promise<string> {
  const { name, title, description, annotations, outputSchema } = tool;
  const inputSchema = listedInputSchema(tool.inputSchema);
  const listed = { name, title, description, annotations, inputSchema, outputSchema };
  const bytes = new TextEncoder().encode(canonicalJson(listed));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// ---- tools/tool-registry.ts ----
// The tools of a server, by name and in pages.

/**
 * Number of tools per page. It is large, because many clients read only the first page. Measured
 * with 1,087 tools, 500 per page take no longer than 100.
 */
const pageSize = 500;

/** A tool of the server itself. */
export type OwnTool = BuiltInTool | CustomTool;

/** A tool of the API, a custom tool or a discovery tool. */
export type ServedTool = AnyTool | DiscoveryTool;

/** The tools of a server, in a fixed order. */
export interface ToolRegistry {
  /**
   * Lists one page.
   * @throws ProtocolError -32602 for a cursor that is not of this list
   */
  listPage(cursor: unknown): Promise<ListToolsResult>;
  /** All listed definitions as JSON text, without fingerprints. */
  serializeList(): string;
  /**
   * Finds a tool.
   * @throws ProtocolError -32602 with the nearest names for an unknown name
   */
  find(name: string): ServedTool;
  /** Returns a tool, without an error for an unknown name. */
  lookUp(name: string): ServedTool | undefined;
  /**
   * Returns a tool of the API or a custom tool for a call of another tool: also a hidden one,
   * without an error for an unknown name.
   */
  get(name: string): AnyTool | undefined;
}

interface ToolRegistryOptions {
  /** Reasons, by name, why tools of the API are excluded. */
  readonly excluded?: ReadonlyMap<string, string>;
  /** Tools that only other tools call. */
  readonly hidden?: readonly StoredTool[];
  /** Creates the discovery tools, which are listed instead of all tools that `listed` lacks. */
  discovery?(lookup: ToolLookup): readonly DiscoveryTool[];
  /** Names of tools that hosts should always show, and that are listed beside the discovery tools. */
  readonly listed?: readonly string[];
  /** Creates the tools of the server itself, which are listed after all others. */
  builtIn?(lookup: ToolLookup): readonly OwnTool[];
  /** Hint where an agent finds the names of tools. */
  readonly namesHint?: string;
}

/**
 * Creates a registry. Definitions are complete; no work is done for a tool before its first use.
 */
export function createToolRegistry(
  tools: readonly StoredTool[],
  {
    excluded,
    hidden = [],
    discovery,
    listed: always = [],
    builtIn: createBuiltIn = () => [],
    namesHint = "See tools/list.",
  }: ToolRegistryOptions = {},
): ToolRegistry {
  let byName: Map<string, StoredTool> | undefined;
  const getIndex = (): Map<string, StoredTool> => (byName ??= indexByName(tools));
  const isOffered = (name: string): boolean => getIndex().has(name);
  const find = preparedTools(getIndex, isOffered);
  const hiddenByName = indexByName(hidden);
  const findHidden = preparedTools(() => hiddenByName, isOffered);
  const explainMissing = (name: string): string => {
    if (ownTools.some((tool) => tool.name === name)) return describeOwnTool(name);
    return excluded?.get(name) ?? describeUnknownTool(name, getIndex().keys(), namesHint);
  };
  const lookup = { tools, find, explainMissing };
  const discoveryTools = discovery?.(lookup);
  const builtIn = createBuiltIn(lookup);
  const ownTools = [...(discoveryTools ?? []), ...builtIn];
  const lookUp = (name: string): ServedTool | undefined =>
    ownTools.find((tool) => tool.name === name) ?? find(name);
  const shown = new Set(always);
  const listed: readonly (StoredTool | DiscoveryTool)[] = discoveryTools
    ? [...discoveryTools, ...tools.filter(({ name }) => shown.has(name)), ...builtIn]
    : [...tools, ...builtIn];
  for (const { name } of discoveryTools ?? []) shown.add(name);
  return {
    async listPage(cursor) {
      const start = parseCursor(cursor, listed.length);
      const end = start + pageSize;
      const page = {
        tools: await Promise.all(
          listed.slice(start, end).map((tool) => toListEntry(tool, shown.has(tool.name))),
        ),
      };
      return end < listed.length ? { ...page, nextCursor: String(end) } : page;
    },
    serializeList: () =>
      JSON.stringify(
        listed.map((tool) =>
          toDefinition(isSerialized(tool) ? deserializeTool(tool) : tool, shown.has(tool.name)),
        ),
      ),
    find(name) {
      const tool = lookUp(name);
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, explainMissing(name));
      return tool;
    },
    lookUp,
    get: (name) => find(name) ?? findHidden(name),
  };
}

const indexByName = (tools: readonly StoredTool[]): Map<string, StoredTool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

/** Finds the tools of an index, each parsed at its first use. */
function preparedTools(
  getIndex: () => Map<string, StoredTool>,
  isOffered: (name: string) => boolean,
): (name: string) => AnyTool | undefined {
  const prepared = new Set<string>();
  return (name) => {
    const stored = getIndex().get(name);
    if (!stored || prepared.has(name)) return stored as AnyTool | undefined;
    const tool = isSerialized(stored) ? deserializeTool(stored) : stored;
    const offered = withOfferedProducers(tool, isOffered);
    prepared.add(name);
    getIndex().set(name, offered);
    return offered;
  };
}

/** Removes producers that this server excludes, so that no text names them. */
function withOfferedProducers(tool: AnyTool, isOffered: (name: string) => boolean): AnyTool {
  const { producers = {} } = tool;
  if (Object.values(producers).flat().every(isOffered)) return tool;
  const entries = Object.entries(producers).map(([input, names]) => [
    input,
    names.filter(isOffered),
  ]);
  return { ...tool, producers: Object.fromEntries(entries) as typeof producers };
}

function parseCursor(cursor: unknown, length: number): number {
  if (isFirstPage(cursor)) return 0;
  const start =
    typeof cursor === "string" && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (start % pageSize === 0 && start < length) return start;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid cursor: pass the nextCursor of the previous page, or none for the first page.",
  );
}

/**
 * Fields of a tool in `_meta`, which costs a model no tokens: the fingerprint, and the data with
 * which clients search and group tools themselves. Discovery tools have no fingerprint. The prefix
 * `dev.mcp-gen` belongs to this project, `anthropic` to Claude Code, which shows models only the
 * names of most tools. MCP 2026-07-28, "_meta".
 */
function metaOf(
  tool: ServedTool,
  isAlwaysShown: boolean,
  fingerprint: string | undefined,
): Tool["_meta"] {
  const { toolset, effect, keywords } = tool as Partial<AnyTool>;
  const entries = Object.entries({
    "dev.mcp-gen/fingerprint": fingerprint,
    "dev.mcp-gen/toolset": toolset,
    "dev.mcp-gen/effect": effect,
    "dev.mcp-gen/keywords": keywords,
    "anthropic/alwaysLoad": isAlwaysShown || undefined,
    "anthropic/searchHint": searchHint(tool),
  }).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Words of users by which a host finds a tool: its keywords, and the sentence about its use. */
function searchHint(tool: ServedTool): string | undefined {
  const { keywords = [] } = tool as Partial<AnyTool>;
  const useWhen = useSentence(tool.description);
  return (
    [...(useWhen === undefined ? [] : [useWhen]), keywords.join(", ")].join(" ").trim() || undefined
  );
}

/** The sentence of a description that begins with "Use when". */
function useSentence(description: string): string | undefined {
  const start = description.search(/(?<!\S)Use when /);
  const end = description.indexOf(".", start);
  return start < 0 || end < 0 ? undefined : description.slice(start, end + 1);
}

/**
 * An entry of the list. A serialized tool is parsed while the response is written, one at a time,
 * because a whole page of new objects would fill the memory.
 */
function toListEntry(
  tool: StoredTool | DiscoveryTool,
  isAlwaysShown: boolean,
): Tool | Promise<Tool> {
  if ("handle" in tool || "forward" in tool) return toDefinition(tool, isAlwaysShown);
  if (!isSerialized(tool))
    return fingerprintOf(tool).then((fingerprint) =>
      toDefinition(tool, isAlwaysShown, fingerprint),
    );
  const toJSON = (): Tool => toDefinition(deserializeTool(tool), isAlwaysShown, tool.fingerprint);
  return { toJSON } as unknown as Tool;
}

function toDefinition(served: ServedTool, isAlwaysShown: boolean, fingerprint?: string): Tool {
  const { name, title, description, annotations, inputSchema, outputSchema } = served;
  const _meta = metaOf(served, isAlwaysShown, fingerprint);
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: listedInputSchema(inputSchema),
    ...(outputSchema && { outputSchema }),
    ...(_meta && { _meta }),
  } as unknown as Tool;
}

/** Why no other tool calls one of the server itself. */
const describeOwnTool = (name: string): string =>
  `${name} is a tool of this server: call it by itself.`;

function describeUnknownTool(
  name: string,
  knownNames: Iterable<string>,
  namesHint: string,
): string {
  const suggestions = nearestNames(name, knownNames);
  const quotedName = JSON.stringify(beginningOf(name, 64));
  return suggestions.length > 0
    ? `Unknown tool ${quotedName}. Did you mean ${suggestions.join(", ")}?`
    : `Unknown tool ${quotedName}. ${namesHint}`;
}

/** True if a cursor means the first page. Some clients send `null` or an empty string. */
export function isFirstPage(cursor: unknown): boolean {
  return cursor === undefined || cursor === null || cursor === "";
}

// ---- tools/selection.ts ----
// Selection of tools: by settings, by the scopes of a caller; and the scopes that a sign-in
// requests.

export function createPermittedTools(..._: readonly unknown[]): SelectPermittedTools {
  return () => undefined;
}

/** Settings that narrow the tools of a server. */
interface SelectionSettings {
  /** Toolsets to offer; empty offers all. */
  readonly toolsets: readonly string[];
  /** True if only read-only tools are listed. */
  readonly readOnly: boolean;
}

/** The tools that a server offers, by its settings. */
export type ToolSelection =
  | {
      readonly ok: true;
      /** Selected tools in their order. Others can neither be listed nor called. */
      readonly tools: readonly StoredTool[];
      /** Selected tools that only other tools call. */
      readonly hidden: readonly StoredTool[];
      /** Reasons, by name, why other tools are excluded, as sentences for the agent. */
      readonly excluded: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Selects the tools of some toolsets, or those that only read. A tool without a toolset, as custom
 * tools are, belongs to all.
 */
export function selectTools(
  tools: readonly StoredTool[],
  { toolsets, readOnly }: SelectionSettings,
  prefix: string,
): ToolSelection {
  const visible = tools.filter((tool) => !tool.hidden);
  const hidden = tools.filter((tool) => tool.hidden);
  if (toolsets.length === 0 && !readOnly)
    return { ok: true, tools: visible, hidden, excluded: new Map() };
  const problems = findUnknownToolsets(visible, toolsets, prefix);
  if (problems.length > 0) return { ok: false, problems };
  const excluded = new Map(visible.flatMap((tool) => exclusionOf(tool, toolsets, readOnly) ?? []));
  const selected = visible.filter(({ name }) => !excluded.has(name));
  const callable = hidden.filter((tool) => !readOnly || tool.annotations.readOnlyHint);
  if (selected.length > 0) return { ok: true, tools: selected, hidden: callable, excluded };
  const scope = toolsets.length > 0 ? ` of ${toolsets.join(", ")}` : "";
  const flag = `--read-only (${prefix}_READ_ONLY)`;
  return {
    ok: false,
    problems: [`${flag} leaves no tool${scope}: all of them can change something.`],
  };
}

/** The part of a selection with the tools of one API or of one toolset; undefined without any. */
export function narrowSelection(
  { tools, hidden, excluded }: SelectedTools,
  name: string,
): SelectedTools | undefined {
  const isOwn = ({ api, toolset }: StoredTool): boolean => api === name || toolset === name;
  if (!tools.some(isOwn)) return undefined;
  const others = tools.filter((tool) => tool.toolset !== undefined && !isOwn(tool));
  const reasons = others.map(
    (tool) =>
      [
        tool.name,
        `${tool.name} is not available here: this address has the tools of ${name}.`,
      ] as const,
  );
  return {
    tools: tools.filter((tool) => !others.includes(tool)),
    hidden: hidden.filter(
      ({ api }) => api === undefined || tools.some((tool) => isOwn(tool) && tool.api === api),
    ),
    excluded: new Map([...excluded, ...reasons]),
  };
}

function exclusionOf(
  { name, toolset, api, annotations }: StoredTool,
  toolsets: readonly string[],
  readOnly: boolean,
): readonly [readonly [string, string]] | undefined {
  const prefix = `${name} is not available: this server was started`;
  const isNamed = [toolset, api].some((one) => one !== undefined && toolsets.includes(one));
  if (toolsets.length > 0 && toolset !== undefined && !isNamed) {
    const reason = `with the toolsets ${toolsets.join(", ")}, and it belongs to ${toolset}`;
    return [[name, `${prefix} ${reason}.`]];
  }
  if (!readOnly || annotations.readOnlyHint) return undefined;
  return [[name, `${prefix} read-only, and it can change something.`]];
}

/**
 * Names of `--listed` that no tool has, as sentences.
 * @param tools all tools, also those that other settings exclude
 */
export function findUnknownTools(
  tools: readonly StoredTool[],
  listed: readonly string[] = [],
  prefix: string,
): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  return listed
    .filter((name) => !names.has(name))
    .map((name) => {
      const suggestions = nearestNames(name, names);
      const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : ".";
      return `--listed (${prefix}_LISTED) names no tool: ${JSON.stringify(name)}${hint}`;
    });
}

/** Maximum number of toolsets in a message. */
const maxShown = 30;

function findUnknownToolsets(
  tools: readonly StoredTool[],
  requested: readonly string[],
  prefix: string,
): readonly string[] {
  const toolsets = listViews(tools);
  const knownSentence = `The toolsets: ${joinFirst(toolsets, maxShown)}.`;
  const flag = `--toolsets (${prefix}_TOOLSETS)`;
  return requested
    .filter((toolset) => !toolsets.includes(toolset))
    .map((toolset) => {
      const suggestions = nearestNames(toolset, toolsets);
      const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : ".";
      const problem = `${flag} names no toolset of this server: ${JSON.stringify(toolset)}`;
      return `${problem}${hint} ${knownSentence}`;
    });
}

/** Names of the APIs and toolsets of tools, each of which has an address of its own. */
export function listViews(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set([...listApis(tools), ...listToolsets(tools)])];
}

/** APIs of tools, in their order; none in a server of one API. */
export function listApis(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ api }) => api ?? []))];
}

/** Toolsets of tools, in their order. */
export function listToolsets(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))];
}

/** The selected tools, and the reasons for the exclusion of others. */
export type SelectedTools = Omit<Extract<ToolSelection, { ok: true }>, "ok">;

/** The registry of some tools, and the instructions for it. */
interface ListedTools {
  readonly tools: ToolRegistry;
  readonly instructions?: string;
}

/** The tools for callers with some scopes. */
export interface PermittedTools extends ListedTools {
  /** Scopes of the caller that the API knows. */
  readonly grantedScopes: ReadonlySet<string>;
}

/**
 * Returns the tools for a caller; undefined if its scopes do not limit them, because the API knows
 * none of them.
 * @param isStrict true if such a caller has no permissions at all
 */
export type SelectPermittedTools = (
  scopes: readonly string[],
  isStrict: boolean,
) => PermittedTools | undefined;

/** Tells an agent why a caller may not use a tool. */
export function describeLackingScopes(
  tool: string,
  scopes: readonly string[],
  granted: ReadonlySet<string>,
): string {
  const names = describeScopes(scopes.filter((scope) => !granted.has(scope)));
  return (
    `${tool} needs ${names}, which this client's access token for this server lacks. ` +
    "Tell the user to authorize the client again with more permissions; do not retry."
  );
}

// ---- tools/listing.ts ----
// Decisions about the tool list: all tools, or some of them and the discovery tools.

export function listModeOf(_api: unknown, _tools: unknown, { listMode }: ListSettings): ListMode {
  return listMode ?? "tools";
}

/**
 * Contents of a tool list: every tool, tools that find and call the others together with those that
 * most work starts with, or only the former.
 */
export const listModes = ["tools", "hybrid", "discovery"] as const;
export type ListMode = (typeof listModes)[number];

/** Settings of the tool list. */
export interface ListSettings {
  readonly listMode?: ListMode;
  readonly listed?: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** Names of the tools that hosts should not defer: by setting, else as generated. */
export function configuredListed(
  api: Pick<ApiDefinition, "listed">,
  tools: readonly StoredTool[],
  { listed }: ListSettings,
): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  return (listed ?? api.listed ?? []).filter((name) => names.has(name));
}

/** Tests whether a tool of the API has a name. */
export function nameTest({ tools, hidden, excluded }: SelectedTools): (name: string) => boolean {
  const names = new Set([...[...tools, ...hidden].map(({ name }) => name), ...excluded.keys()]);
  return (name) => names.has(name);
}

// ---- tools/read-documentation.ts ----
// Stands in for `read_documentation` where the instructions have all that is documented.

/** No tool. */
export const createReadDocumentation = (..._: readonly unknown[]): readonly [] => [];

// ---- tools/own-tool-name.ts ----
// Names of the tools of the server itself.

/**
 * The first name that no tool of the API has, with the namespace in front; the last one if all are
 * taken.
 * @param isTaken whether another tool has a name
 */
export function ownToolName(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
  names: readonly [string, ...string[]],
): string {
  const prefix = namespace === undefined ? "" : `${namespace}_`;
  return prefix + (names.find((name) => !isTaken(prefix + name)) ?? names.at(-1)!);
}

// ---- tools/read-result.ts ----
// `read_result`: reads a stored result in parts. Results that are too large to be shown are MCP
// resources, but most hosts do not let a model read resources.

/** Maximum number of places that a search returns. */
const MAX_MATCHES = 20;

/** Characters before and after a found text. */
const MATCH_CONTEXT = 150;

/**
 * Name of the tool.
 * @param isTaken true if a tool of the API has the name
 */
export function readResultName(
  namespace: string | undefined,
  isTaken: (name: string) => boolean,
): string {
  return ownToolName(namespace, isTaken, [
    "read_result",
    "read_stored_result",
    "read_rest_of_result",
  ]);
}

/**
 * Creates the tool. A part has at most `maxCharacters`.
 * @param openWorldHint whether a tool that stores results has the hint
 */
export function createReadResult(
  name: string,
  maxCharacters: number,
  openWorldHint: boolean,
): BuiltInTool {
  return {
    name,
    title: "Read a stored result",
    description:
      "Read a result that was too large to be shown: the next part, or the places of a text in it. " +
      "Its resource is in the notes of that result.",
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint,
    },
    inputSchema: {
      type: "object",
      properties: {
        resource: {
          type: "string",
          minLength: 1,
          maxLength: 1000,
          description: "URI from the note: result://….",
        },
        offset: {
          type: "integer",
          minimum: 0,
          description: "Characters to skip. Default: 0.",
        },
        find: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description:
            "Text to look for, in any case. " +
            `Returns up to ${MAX_MATCHES} places after offset instead of a part.`,
        },
        pick: pickSchema,
      },
      required: ["resource"],
      additionalProperties: false,
    },
    handle: (input, caller) => read(name, input, caller, maxCharacters),
  };
}

async function read(
  name: string,
  { resource, offset = 0, find, pick }: ToolInput,
  caller: CallerResults,
  maxCharacters: number,
): Promise<CallOutcome> {
  const uri = String(resource);
  const found = await findResult(uri, caller);
  if ("outcome" in found) return found;
  const { contents, notes } = found;
  if (!("text" in contents))
    return errorResult("invalid", `The stored result is a file (${contents.mimeType}), not text.`);
  const picked = pickText(contents.text, pick as readonly string[] | undefined);
  const { text = contents.text, value } = picked;
  const whole = { name, resource: uri, notes: [...notes, ...picked.notes] };
  const isShort = value !== undefined && text.length <= maxCharacters;
  if (isShort && Number(offset) === 0 && find === undefined) return pickedResult(value, whole);
  const inputs = picked.text === undefined ? {} : { pick };
  const part = { ...whole, text, inputs, start: Math.min(Number(offset), text.length) };
  return find === undefined ? partOf(part, maxCharacters) : placesOf(part, String(find));
}

/** The picked fields of a stored result, with their JSON; notes alone if there are none. */
interface PickedText {
  readonly text?: string;
  readonly value?: unknown;
  readonly notes: readonly string[];
}

function pickText(text: string, pick: readonly string[] = []): PickedText {
  if (pick.length === 0) return { notes: [] };
  const whole = parseContainerText(text);
  if (whole === undefined) return { notes: ["pick has no effect: the result is not JSON."] };
  const { value, notes, isPicked } = pickPaths(whole, pick);
  return isPicked ? { text: JSON.stringify(value), value, notes } : { notes };
}

const pickedResult = (value: unknown, { notes }: Pick<RequestedPart, "notes">): CallOutcome =>
  result({ result: value, ...(notes.length > 0 && { notes }) });

/** A result that is read, with notes about it. */
interface FoundResult {
  readonly contents: StoredContents;
  readonly notes: readonly string[];
}

/** Finds a stored result, or reads it again; the outcome of a failure. */
async function findResult(
  uri: string,
  { resultStore, repeatCall }: CallerResults,
): Promise<FoundResult | CallOutcome> {
  const stored = await Promise.resolve(resultStore?.read(uri)).catch(
    unlessUnavailable(UNAVAILABLE),
  );
  if (typeof stored === "object") return { contents: stored, notes: [] };
  const repeated = await repeatCall?.(uri);
  if (repeated?.ok) return { contents: repeated.contents, notes: [repeatedNote(repeated)] };
  if (repeated) return { outcome: "failed", result: repeated.result };
  if (stored === UNAVAILABLE) return errorResult("unavailable", UNAVAILABLE);
  const lifetime = resultStore?.lifetimeText;
  const period = lifetime === undefined ? "" : `: results are stored for ${lifetime}`;
  return errorResult(
    "invalid",
    `There is no stored result ${JSON.stringify(uri)}${period}. Call the tool that returned it ` +
      "again only if it just reads, and request less.",
  );
}

function repeatedNote({ tool, hasChanged }: Extract<RepeatedResult, { ok: true }>): string {
  const change = hasChanged ? ", and its result has changed since then" : "";
  return `${tool} was called again for it${change}.`;
}

const UNAVAILABLE =
  "The store of this server cannot be reached, so that stored results cannot be read now.\n" +
  "Next: wait a few seconds, then call again.";

interface RequestedPart extends Pick<FoundResult, "notes"> {
  /** Name of the tool that reads it. */
  readonly name: string;
  /** URI of the result. */
  readonly resource: string;
  readonly text: string;
  /** Further inputs of the call of the next part. */
  readonly inputs: ToolInput;
  readonly start: number;
}

/** Returns the characters from an offset on. A part does not end inside of a surrogate pair. */
function partOf(
  { name, resource, text, inputs, notes, start }: RequestedPart,
  maxCharacters: number,
): CallOutcome {
  const limit = start + maxCharacters;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  const end = Math.min(text.length, isInsidePair ? limit - 1 : limit);
  const isLast = end === text.length;
  const range = `These are the characters ${start} to ${end} of ${text.length}.`;
  const next = isLast ? "" : ` Call ${name} with offset ${end} for the next part.`;
  return result({
    text: text.slice(start, end),
    total: text.length,
    ...(!isLast && { next: { resource, offset: end, ...inputs } }),
    notes: [`${range}${next}`, ...notes],
  });
}

function placesOf(
  { name, resource, text, inputs, notes, start }: RequestedPart,
  find: string,
): CallOutcome {
  const { places: shown, count: all } = placesIn(text, find, start);
  const isLast = all <= MAX_MATCHES;
  const next = (shown.at(-1) ?? 0) + 1;
  const of = isLast ? "" : ` of ${all}`;
  const count = `${shown.length}${of} place${all === 1 ? "" : "s"} in ${text.length} characters.`;
  const more = isLast ? "" : ` Call ${name} with offset ${next} for the next ones.`;
  return result({
    places: shown.map((offset) => ({
      offset,
      text: text.slice(Math.max(0, offset - MATCH_CONTEXT), offset + find.length + MATCH_CONTEXT),
    })),
    total: text.length,
    count: all,
    ...(!isLast && { next: { resource, offset: next, find, ...inputs } }),
    notes: [`${count}${more}`, ...notes],
  });
}

/**
 * The first offsets of a text, and the number of all. In JSON the text may be given as it is or as
 * JSON has it, with `\\t` for a tab.
 */
function placesIn(
  text: string,
  find: string,
  start: number,
): { readonly places: readonly number[]; readonly count: number } {
  const escaped = offsetsOf(text, JSON.stringify(find).slice(1, -1), start);
  return escaped.count > 0 ? escaped : offsetsOf(text, find, start);
}

function offsetsOf(text: string, find: string, start: number): ReturnType<typeof placesIn> {
  const places: number[] = [];
  let count = 0;
  const [whole, part] = withoutCase(text, find);
  for (let at = whole.indexOf(part, start); at >= 0; at = whole.indexOf(part, at + part.length)) {
    count++;
    if (places.length < MAX_MATCHES) places.push(at);
  }
  return { places, count };
}

/** Both texts in lower case, unless that would move offsets: `İ` becomes two characters. */
function withoutCase(text: string, find: string): readonly [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, find.toLowerCase()] : [text, find];
}

function result(structuredContent: Record<string, unknown>): CallOutcome {
  const text = sanitize(JSON.stringify(structuredContent));
  return { outcome: "ok", result: { content: [{ type: "text", text }], structuredContent } };
}

// ---- tools/run-steps.ts ----
// Stands in for `run_steps`, which is left out.

/** Sentence for the user who asks for the tool. */
export const stepsProblem: string | undefined = leftOut("run_steps", "steps");

/** @throws always */
export function createRunSteps(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}

/** @throws always */
export function runStepsName(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}

/** @throws always */
export function stepsInstruction(..._: readonly unknown[]): never {
  throw new Error(stepsProblem);
}

// ---- tools/send-request.ts ----
// Stands in for `send_request`, which is left out.

/** Sentence for the user who asks for raw requests. */
export const rawRequestsProblem: string | undefined = leftOut("raw requests", "raw-requests");

/** @throws always */
export function createSendRequest(
  _context: Pick<ApiContext, "api" | "env">,
  _redact: Redact,
  _isTaken: (name: string) => boolean,
): ToolDefinition {
  throw new Error(rawRequestsProblem);
}

// ---- tools/step-tools.ts ----
// The tools that one call may call as its steps.

/** Tools that can be steps of one call: those that only read, or all that destroy nothing. */
export type StepTools = "reads" | "all";

/** The same, or `byMode`: only reads where each tool is listed, both where one tool calls them. */
export type StepSetting = StepTools | "byMode";

/**
 * The steps of each tool that a list has for them. A host remembers permissions by name: who always
 * allows `call_tool` has allowed the writes of `run_steps`, and where each write is listed, nobody
 * has.
 */
export function stepToolsIn(
  setting: StepSetting | undefined,
  mode: ListMode,
  tools: readonly Pick<StoredTool, "annotations">[],
): readonly StepTools[] {
  if (setting !== "byMode") return setting === undefined ? [] : [setting];
  const hasWrites = tools.some(
    ({ annotations: { readOnlyHint, destructiveHint } }) => !readOnlyHint && !destructiveHint,
  );
  return mode !== "tools" && hasWrites ? ["reads", "all"] : ["reads"];
}

// ---- tools/tool-error.ts ----
// Failures that code of the project throws, and that agents read.

/**
 * A failure of a call with a text for the agent. Thrown by a custom tool or a hook, its message is
 * what the agent reads. `call.tools` throws it for a tool whose call failed, with that tool's text.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";

  /**
   * @param message text for the agent: what happened, and what to do next
   * @param result result of the tool whose call failed
   */
  constructor(
    message: string,
    readonly result?: CallToolResult,
  ) {
    super(message);
  }
}

/** True for a `ToolError`, also one of another copy of the runtime, as hot reload loads it. */
export const isToolError = (error: unknown): error is ToolError =>
  error instanceof Error && error.name === "ToolError";

/** Text of the result of a failed call. */
export function textOfResult({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

// ---- discovery/rank-tools.ts ----
// Stands in for the ranking of tools, which is left out with the tool search.

/** Filters by the words, in any form of their ends: the tools with most of them first. */
export async function rankTools(
  tools: readonly StoredTool[],
  query: string,
): Promise<readonly StoredTool[]> {
  const stems = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = tools.map((tool) => {
    const { name, title = "", description } = deserializeTool(tool);
    const text = `${name} ${title} ${description}`.toLowerCase();
    const isFound = (word: string): boolean => text.includes(word.replace(/(?<=...)(?:es|s)$/, ""));
    return { tool, score: stems.filter(isFound).length };
  });
  const found = scored.filter(({ score }) => score > 0);
  return found.sort((a, b) => b.score - a.score).map(({ tool }) => tool);
}

// ---- tools/full-description.ts ----
// Whole texts of tools, which `tools/list` has shortened.

/** Whole description of a tool. */
export const fullDescriptionOf = (tool: AnyTool): string =>
  ("fullDescription" in tool ? tool.fullDescription : undefined) ?? tool.description;

/** Input schema of a tool with the whole descriptions. */
export function fullInputSchemaOf(tool: AnyTool): JsonSchema {
  const texts = "fullInputDescriptions" in tool ? tool.fullInputDescriptions : undefined;
  return Object.entries(texts ?? {}).reduce(
    (schema, [pointer, text]) => describeAt(schema, pointer.split("/").slice(1), text),
    tool.inputSchema,
  );
}

/** A copy with another description in one place. A place without a shortened one stays as it is. */
function describeAt(node: JsonSchema, path: readonly string[], description: string): JsonSchema {
  const [token, ...rest] = path;
  if (token === undefined)
    return String(node["description"]).includes("\u2026") ? { ...node, description } : node;
  const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
  const child = Object.hasOwn(node, key) ? node[key] : undefined;
  if (typeof child !== "object" || child === null) return node;
  const changed = describeAt(child as JsonSchema, rest, description);
  return Array.isArray(node)
    ? (Object.assign([...node], { [key]: changed }) as unknown as JsonSchema)
    : { ...node, [key]: changed };
}

// ---- discovery/signature.ts ----

/** Characters of a signature, about 120 tokens. Required inputs are never left out. */
const maxSignature = 420;

/** Detail of types, the fullest first. The first whose required inputs fit is used. */
const typeDetails: readonly Omit<TypeTextOptions, "root">[] = [
  { depth: 3, maxValues: 12, maxMembers: 6 },
  { depth: 2, maxValues: 6, maxMembers: 3 },
  { depth: 1, maxValues: 4, maxMembers: 0 },
  { depth: 0, maxValues: 3, maxMembers: 0 },
];

/** Characters of the names of inputs that a signature leaves out. */
const maxOmittedNames = 400;

/**
 * Writes the call of a tool on one line:
 * `replace_status(userId: string, action: "activate" | "deactivate", reason?: string)`.
 * @param namesAll true to name the optional inputs that do not fit, at the end
 */
export function callSignature({ name, inputSchema: root }: AnyTool, namesAll = true): string {
  const members = membersOf(root);
  const required = members.filter(({ isRequired }) => isRequired);
  const optional = members.filter(({ isRequired }) => !isRequired);
  const text = (list: readonly Member[], detail: Omit<TypeTextOptions, "root">) =>
    list.map((member) => memberText(member, { root, ...detail }));
  const least = typeDetails.length - 1;
  const level = typeDetails.findIndex((detail) => lengthOf(text(required, detail)) <= maxSignature);
  const shown = [...text(required, typeDetails[level < 0 ? least : level]!)];
  const brief = typeDetails[Math.max(level < 0 ? least : level, 1)]!;
  const rest = text(optional, brief);
  while (rest.length > 0 && lengthOf([...shown, rest[0]!]) <= maxSignature)
    shown.push(rest.shift()!);
  if (rest.length > 0) shown.push(omittedInputs(optional.slice(-rest.length), namesAll));
  return `${name}(${shown.join(", ")})`;
}

/** `…3 more optional: color, size, weight` */
function omittedInputs(members: readonly Member[], namesAll: boolean): string {
  if (!namesAll) return `\u2026${members.length} more optional`;
  const names = members.map((member) => member.name);
  while (lengthOf(names) > maxOmittedNames) names.pop();
  const rest = names.length < members.length ? ", \u2026" : "";
  return `\u2026${members.length} more optional: ${names.join(", ")}${rest}`;
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length + 2, 0);

const fullDetail = { depth: 6, maxValues: 50, maxMembers: 100 } as const;

/** Characters of the comments of nested fields of a result, and of a concise declaration. */
const maxNestedComments = 4000;
/** Characters of the comment of one of these fields. */
const maxNestedComment = 160;
/** Characters of a comment that is written at every field which has it. */
const maxRepeatedComment = 60;

/**
 * Detail of a declaration. The whole one has every text as the document has it. The concise one has
 * the listed texts, and those of nested fields are shortened, and left out after
 * `maxNestedComments` characters. The brief one has only comments of inputs. The compact one has
 * their beginnings, and fewer nested fields.
 */
export type DeclarationForm = "whole" | "concise" | "brief" | "compact";

const compactDetail = { depth: 4, maxValues: 12, maxMembers: 6 } as const;

/** Characters of the comment of an input in the compact form. */
const maxCompactComment = 90;

/**
 * Writes a tool as a TypeScript function with comments: its description, each input and nested
 * field with its type, constraints and description, and the type of the result on request.
 */
export function toolDeclaration(
  tool: AnyTool,
  withResult: boolean,
  form: DeclarationForm = "whole",
): string {
  const { name, outputSchema } = tool;
  const isWhole = form === "whole";
  const description = isWhole ? fullDescriptionOf(tool) : tool.description;
  const inputSchema = isWhole ? fullInputSchemaOf(tool) : tool.inputSchema;
  const options: TypeTextOptions = {
    root: inputSchema,
    ...(form === "compact" ? compactDetail : fullDetail),
    ...(isWhole && { comments: { remaining: Infinity, longest: Infinity, written: new Set() } }),
    ...(form === "concise" && { comments: boundedComments() }),
  };
  const inputs = membersOf(inputSchema).flatMap((member) => {
    const text = commentOf(member.schema);
    const comment = form === "compact" ? shortened(text, maxCompactComment) : text;
    const lines = comment === "" ? [] : [`  /** ${comment} */`];
    return [...lines, `  ${memberText(member, options)};`];
  });
  if (inputSchema["additionalProperties"] === undefined) inputs.push("  [key: string]: unknown;");
  const result =
    withResult && outputSchema
      ? `: ${typeText(outputSchema, {
          root: outputSchema,
          ...fullDetail,
          comments: boundedComments(),
        })}`
      : "";
  const parameters = inputs.length > 0 ? `{\n${inputs.join("\n")}\n}` : "{}";
  return `/** ${inComment(description)} */\n${name}(${parameters})${result};`;
}

const boundedComments = () => ({
  remaining: maxNestedComments,
  longest: maxNestedComment,
  written: new Set<string>(),
});

/** Description and constraints of an input, on one line. */
function commentOf(schema: JsonSchema): string {
  const { description } = schema;
  const text = typeof description === "string" ? description.trim() : "";
  const added = constraintsOf(schema);
  const end = added.length > 0 && /[\p{L}\p{N})\]"'`]$/u.test(text) ? "." : "";
  return inComment([text + end, ...added].filter(Boolean).join(" "));
}

/** A text in a comment, on one line unless it has code blocks or tables. */
const inComment = (text: string): string =>
  (BLOCK_LINE.test(text) ? text : text.replace(/(?<!\s)\s*\n\s*/g, " ")).replaceAll("*/", "* /");

const BLOCK_LINE = /^[ \t]*(?:```|~~~|\||<(?:pre|table)\b)/m;

/** Constraints that the type does not show, unless the description has the number. */
function constraintsOf(schema: JsonSchema): readonly string[] {
  const text = typeof schema["description"] === "string" ? schema["description"] : "";
  return constraints.flatMap(([keyword, label]) => {
    const value = schema[keyword];
    const isStated = typeof value === "number" && hasNumber(text, value);
    if (value === undefined || typeof value === "object" || isStated) return [];
    return [`${label} ${String(value)}.`];
  });
}

const hasNumber = (text: string, value: number): boolean =>
  text.split(/[^\d.-]+/).some((word) => Number(word.replace(/\.$/, "")) === value && word !== "");

const constraints = [
  ["minimum", "At least"],
  ["exclusiveMinimum", "Above"],
  ["maximum", "At most"],
  ["exclusiveMaximum", "Below"],
  ["multipleOf", "A multiple of"],
  ["minItems", "Least number of items:"],
  ["maxItems", "Most items:"],
  ["maxLength", "Most characters:"],
  ["pattern", "Pattern:"],
] as const;

interface TypeTextOptions {
  /** Schema whose `$defs` are referred to. */
  readonly root: JsonSchema;
  /** Levels of objects that are written out. Deeper ones are `object`. */
  readonly depth: number;
  /** Values of an enum that are written out. */
  readonly maxValues: number;
  /** Members of an object that are written out; required ones always are. */
  readonly maxMembers: number;
  /**
   * Characters that the comments of fields may still take, and those of one of them. Absent for
   * types without comments.
   */
  readonly comments?: {
    remaining: number;
    readonly longest: number;
    /** Long comments that were written, with the names of their fields. */
    readonly written: Set<string>;
  };
}

/** A schema as a TypeScript type on one line: `"a" | "b"`, `{id: string, tags?: string[]}`. */
function typeText(schema: unknown, options: TypeTextOptions): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const { $ref, enum: values, const: value, anyOf, oneOf, allOf, type } = schema as JsonSchema;
  if (typeof $ref === "string") return typeText(targetOf($ref, options.root), deeper(options));
  if (Array.isArray(values)) return unionText(valueTexts(values, options.maxValues));
  if (value !== undefined) return JSON.stringify(value);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) {
    const forms = alternatives.map((one) => typeText(withType(one, type), options));
    return withOwnFields(schema as JsonSchema, forms, " | ", options);
  }
  if (Array.isArray(allOf)) {
    const parts = allOf.map((one) => typeText(one, options));
    return withOwnFields(schema as JsonSchema, parts, " & ", options);
  }
  if (Array.isArray(type))
    return unionText(type.map((one) => typeText({ ...(schema as object), type: one }, options)));
  return plainText(schema as JsonSchema, options);
}

/** Alternatives or parts of an object, with the fields that the object itself has. */
function withOwnFields(
  schema: JsonSchema,
  forms: readonly string[],
  operator: " & " | " | ",
  options: TypeTextOptions,
): string {
  const text = operator === " | " ? unionText(forms) : forms.join(operator);
  if (membersOf(schema).length === 0) return text;
  // An alternative without fields of its own only says which of the others it needs.
  if (forms.every((one) => one === "object" || one === "unknown"))
    return objectText(schema, options);
  const group = operator === " | " && forms.length > 1 ? `(${text})` : text;
  return `${objectText(schema, options)} & ${group}`;
}

const deeper = (options: TypeTextOptions): TypeTextOptions => ({
  ...options,
  depth: options.depth - 1,
});

/** An alternative often has its type in the enclosing schema. */
function withType(alternative: unknown, type: unknown): unknown {
  if (type === undefined || typeof alternative !== "object" || alternative === null)
    return alternative;
  return Object.keys(alternative).some((key) => typeKeywords.has(key))
    ? alternative
    : { ...alternative, type };
}

const typeKeywords = new Set(["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"]);

function valueTexts(values: readonly unknown[], max: number): readonly string[] {
  const shown = values.slice(0, max).map((value) => JSON.stringify(value));
  return values.length > max ? [...shown, `\u2026${values.length - max} more`] : shown;
}

function unionText(types: readonly string[]): string {
  if (types.length === 0) return "unknown";
  // Several alternatives may be null.
  const others = types.map((one) => (one === "null" ? "" : one.replace(/ \| null$/, "")));
  const isNullable = others.some((one, i) => one !== types[i]);
  const unique = new Set(others.filter((one) => one !== ""));
  return [...unique, ...(isNullable ? ["null"] : [])].join(" | ");
}

function plainText(schema: JsonSchema, options: TypeTextOptions): string {
  const { type, items, format, maxLength } = schema;
  switch (type) {
    case "string":
      // A parameter without a value, such as `?effective`.
      if (maxLength === 0) return '""';
      return typeof format === "string" && statedFormats.has(format)
        ? `string<${format}>`
        : "string";
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "array":
      return items === undefined ? "unknown[]" : arrayText(typeText(items, options));
    default:
      return "properties" in schema || type === "object" ? objectText(schema, options) : "unknown";
  }
}

/** Formats that a value of a plain string would miss. */
const statedFormats = new Set(["date", "date-time", "time", "duration", "email", "uri", "uuid"]);

const arrayText = (item: string): string => (/[ |&]/.test(item) ? `(${item})[]` : `${item}[]`);

function objectText(schema: JsonSchema, options: TypeTextOptions): string {
  const { additionalProperties } = schema;
  const members = membersOf(schema);
  if (members.length === 0)
    return typeof additionalProperties === "object" && options.depth > 0
      ? `Record<string, ${typeText(additionalProperties, deeper(options))}>`
      : "object";
  if (options.depth <= 0) return "object";
  const shown = members.filter(({ isRequired }, i) => isRequired || i < options.maxMembers);
  const texts = shown.map(
    (member) => nestedComment(member, options) + memberText(member, deeper(options)),
  );
  const omitted = members.length - shown.length;
  return `{${[...texts, ...(omitted > 0 ? [`\u2026${omitted} more`] : [])].join(", ")}}`;
}

/**
 * Comment in front of a nested field; empty without a text, without room for it, and for a long one
 * that a field of the same name has had.
 */
function nestedComment({ name, schema }: Member, { comments, root }: TypeTextOptions): string {
  if (!comments) return "";
  const { $ref } = schema;
  const text = commentOf({ ...targetOf($ref, root), ...schema });
  const short = shortened(text, comments.longest);
  if (text === "" || short.length > comments.remaining) return "";
  const key = `${name} ${text}`;
  if (text.length > maxRepeatedComment && comments.written.has(key)) return "";
  comments.written.add(key);
  comments.remaining -= short.length;
  return `/** ${short} */ `;
}

/** A text or its beginning with a mark, without half of a surrogate pair. */
const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;

/** An input or a field of an object. */
interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Properties of a schema, required ones first. */
function membersOf(object: JsonSchema): readonly Member[] {
  const { required } = object;
  const names = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const members = Object.entries(propertiesOf(object)).map(([name, schema]): Member => ({
    name,
    schema,
    isRequired: names.includes(name),
  }));
  return [...members.filter((one) => one.isRequired), ...members.filter((one) => !one.isRequired)];
}

/** `limit?: integer = 20` */
function memberText({ name, schema, isRequired }: Member, options: TypeTextOptions): string {
  const key = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
  const initial = schema["default"];
  const isShort = initial !== undefined && JSON.stringify(initial).length <= 24;
  const preset = isShort ? ` = ${JSON.stringify(initial)}` : "";
  return `${key}${isRequired ? "" : "?"}: ${typeText(schema, options)}${preset}`;
}

// ---- tools/bind-tools.ts ----
// The tools of an API in a server of several APIs.

/** Name of a toolset in the server: `<api>_<toolset>`, or `<api>` if the API has only one. */
export function serverToolset(api: string, toolset: string | undefined, isOnly: boolean): string {
  return toolset === undefined || isOnly ? api : `${api}_${toolset}`;
}

/** Binds tools to their API, under the names that its toolsets have in the server. */
export function bindTools<Tool extends StoredTool>(
  api: string,
  tools: readonly Tool[],
): readonly Tool[] {
  const isOnly = new Set(tools.map(({ toolset }) => toolset)).size === 1;
  return tools.map((tool) => ({
    ...tool,
    toolset: serverToolset(api, tool.toolset, isOnly),
    api,
  }));
}
