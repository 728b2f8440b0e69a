import type { Diagnostic, SourceLocation } from "../diagnostics/index.js";
import type { JsonSchema, JsonValue } from "../json.js";
import type { ApiModel } from "../model/types.js";
import type { ApiDefinition, ToolDefinition } from "../runtime/types.js";
import type { StepDefinition } from "../runtime/workflow/types.js";
import type { LinkedAction, LinkedStep, Value } from "../workflow/index.js";

/**
 * Every decision about the server, taken once. Plain data; the renderer only writes it down.
 */
export interface ToolPlan {
  /** npm name of the generated package: `clinic-mcp-server`. Always legal. */
  readonly packageName: string;
  /** Base name of the document, for headers of generated files. */
  readonly source: string;
  readonly api: ApiDefinition;
  /** One line about the API for README and package.json. */
  readonly summary: string;
  /** Environment variables the server reads, in the order they should be shown. */
  readonly environment: readonly EnvironmentVariable[];
  readonly toolsets: readonly Toolset[];
  /** In `tools/list` order. Names are unique. */
  readonly tools: readonly PlannedTool[];
  /**
   * Named types that the tools use, transitively, in name order; model form, so `$ref` is
   * `#/$defs/<name>`.
   */
  readonly types: readonly { readonly name: string; readonly schema: JsonSchema }[];
  /** Operations that got no tool. */
  readonly omitted: readonly OmittedOperation[];
  readonly budget: BudgetPlan;
  /** What the embedded mock of the API serves: the selected operations in model form. */
  readonly mock: Pick<ApiModel, "operations" | "schemas" | "securitySchemes">;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * What weakens tools though nothing is wrong, each with what mends it. Not located, because most
   * runs only count them.
   */
  readonly lint: readonly Diagnostic[];
  /** What workflow tools run, callees first. Absent: there are none. */
  readonly workflows?: readonly PlannedWorkflow[];
  /** APIs that workflows call besides the document's. */
  readonly otherApis?: readonly OtherApi[];
}

/** An API of a source description, with servers and credentials of its own. */
export interface OtherApi {
  /** `^[a-z][a-z0-9_]*$`: its file. */
  readonly name: string;
  readonly definition: ApiDefinition;
}

/** A workflow as the function that it becomes. */
export interface PlannedWorkflow {
  /** `workflowId`. */
  readonly id: string;
  /** What it is kept by while it runs: its ID, or its name when several documents have the ID. */
  readonly stateKey: string;
  /** Base name of its document. */
  readonly source: string;
  /** `^[a-z][a-z0-9_]*$`, unique: its file. */
  readonly name: string;
  /** camelCase, unique: its function. */
  readonly identifier: string;
  /** One sentence. */
  readonly summary: string;
  /** Under the names that the workflow gives them. */
  readonly inputs: readonly WorkflowParameter[];
  /** Its own, and those of workflows that it may lead to. */
  readonly outputs: readonly WorkflowOutput[];
  readonly ownOutputNames: readonly string[];
  /** Names of the workflows that run before it, and their inputs. */
  readonly prerequisites: readonly PlannedWorkflow[];
  readonly steps: readonly PlannedStep[];
  /** `$self` of its document and the addresses of its sources, which expressions may name. */
  readonly constants: {
    readonly self: string;
    readonly sources: Readonly<Record<string, Readonly<Record<"name" | "url" | "type", string>>>>;
  };
}

/**
 * An input of a workflow. `defaults` stand for it, and for what is inside it, when they are not
 * given: by JSON pointer.
 */
export interface WorkflowParameter {
  readonly name: string;
  readonly type: JsonSchema;
  readonly required: boolean;
  readonly description: string;
  readonly defaults: Readonly<Record<string, JsonValue>>;
}

/** An output, and what it looks like in model form; `{}` when nobody knows. */
export interface WorkflowOutput {
  readonly name: string;
  readonly value: Value;
  readonly type: JsonSchema;
}

export interface PlannedStep {
  readonly step: LinkedStep;
  /** Constant data of the step. Its API, when it is not the document's, is named by `api`. */
  readonly definition: StepDefinition;
  readonly api?: string;
  /**
   * Which credentials its request needs: steps with the same text need the same. Absent: none, or
   * it calls a workflow.
   */
  readonly credentials?: string;
  /** What its request, or the workflow that it calls, is given, by name. */
  readonly input: readonly (readonly [string, Value])[];
  /** The workflow that it calls. */
  readonly calledWorkflow?: PlannedWorkflow;
  readonly outputs: readonly WorkflowOutput[];
  readonly onSuccess: readonly PlannedAction[];
  readonly onFailure: readonly PlannedAction[];
}

export interface PlannedAction {
  readonly action: LinkedAction;
  /** The workflow that it leads to. */
  readonly calledWorkflow?: PlannedWorkflow;
}

/** What the tools cost the context of a model, against what they may. Tokens are estimates. */
export interface BudgetPlan {
  readonly limits: {
    readonly tools: number;
    readonly listTokens: number;
    readonly resultTokens: number;
  };
  /** Of the whole `tools/list`. */
  readonly listTokens: number;
  /** Of each tool, in the order of the tools. */
  readonly costs: readonly ToolCost[];
  /** The limits that the tools do not keep. */
  readonly exceeded: readonly ("tools" | "listTokens")[];
  /**
   * What `tools/list` gives by default: every tool, or three that find, describe and call all
   * others.
   */
  readonly mode: "tools" | "discovery";
  /** Over budget: the largest contributors, and how to trim them. A sentence each. */
  readonly advice: readonly string[];
}

export interface ToolCost {
  readonly tool: string;
  readonly tokens: number;
  /** How many of them the output schema costs. */
  readonly outputTokens: number;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly description: string;
  /** The server cannot work without it. */
  readonly required: boolean;
  readonly secret: boolean;
  /** Shown in `.env.example`; never a secret. */
  readonly example?: string;
}

/** A named group of tools, by default the first tag of their operations. */
export interface Toolset {
  /** Folder-safe: `^[a-z][a-z0-9_]{0,47}$`. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
}

export interface PlannedTool {
  /** Exactly what the runtime will be given, less the phantom types. */
  readonly definition: ToolDefinition;
  /** `name` of its toolset. */
  readonly toolset: string;
  /**
   * camelCase, not a reserved word, unique: `findPets`. Also the base of `FindPetsInput`,
   * `FindPetsOutput`.
   */
  readonly identifier: string;
  readonly inputs: readonly PlannedInput[];
  /**
   * What the result looks like, in model form, for the TypeScript type. Absent when there is no
   * structured result.
   */
  readonly output?: JsonSchema;
  /** The operations it stands for, in order of importance: `GET /pets/{petId}`. */
  readonly operations: readonly OperationRef[];
  /**
   * The workflow that it runs. Its one request is none that is sent: its body says which of the
   * workflow's inputs comes from where.
   */
  readonly workflow?: PlannedWorkflow;
  /**
   * Why the plan is as it is, one line per rule that fired (name, merge, hidden inputs). Shown in
   * reports.
   */
  readonly reasons: readonly string[];
}

export interface OperationRef {
  readonly operationId?: string;
  readonly method: string;
  readonly path: string;
  readonly location: SourceLocation;
}

/** One property of the tool's input. */
export interface PlannedInput {
  /** `^[a-zA-Z0-9_]{1,64}$`, unique in the tool. */
  readonly name: string;
  /** As the model reads it, in the input schema. */
  readonly description: string;
  readonly required: boolean;
  /** Model form, for the TypeScript type. */
  readonly type: JsonSchema;
  /** Tools whose results hold a value for it, the best first. */
  readonly producers?: readonly string[];
}

export interface OmittedOperation extends OperationRef {
  readonly reason: string;
}
