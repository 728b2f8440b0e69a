import type { Diagnostic, SourceLocation } from "../diagnostics/index.js";

import type { JsonSchema, JsonValue } from "../json.js";
import type { ToolConfig } from "../configuration/types.js";
import type { ApiModel } from "../model/types.js";
import type { ToolText } from "./text/parts.js";
import type { OperationEffects, OperationRef } from "./operations/types.js";
import type { ApiDefinition } from "../runtime/api-definition.js";
import type { FieldPath } from "../runtime/data/field-paths.js";
import type { ToolDefinition } from "../runtime/types.js";
import type { StepDefinition } from "../runtime/workflow/steps.js";
import type { LinkedAction, LinkedStep, Value } from "../workflow/index.js";

/** All decisions about the server. Plain data, which the renderer writes down. */
export interface ToolPlan {
  /** npm name of the generated package: `clinic-mcp-server`. Always valid. */
  readonly packageName: string;
  /** Base name of the document, for headers of generated files. */
  readonly source: string;
  readonly api: ApiDefinition;
  /** One line about the API for README and package.json. */
  readonly summary: string;
  /** Environment variables of the server, in the order of the documentation. */
  readonly environment: readonly EnvironmentVariable[];
  /**
   * Variables with the credentials that most tools need, if there is a choice:
   * `SHOP_TOKEN, or SHOP_USER and SHOP_PASSWORD`.
   */
  readonly credentialChoice?: string;
  /** The same as sets of variables; that of a sign-in is `SHOP_CLIENT_ID (then login)`. */
  readonly credentialAlternatives?: readonly (readonly string[])[];
  readonly toolsets: readonly Toolset[];
  /** In `tools/list` order. Names are unique. */
  readonly tools: readonly PlannedTool[];
  /** Tools that only others call, in document order. Absent without any. */
  readonly hiddenTools?: readonly PlannedTool[];
  /** Named types that the tools use, transitively, in name order. */
  readonly types: readonly NamedType[];
  /**
   * Schemas that the definitions of tools share or that have a name of their own, in name order.
   * Definitions contain these very objects.
   */
  readonly sharedSchemas: readonly SharedSchema[];
  /** Operations without a tool. */
  readonly omitted: readonly OmittedOperation[];
  /** Inputs that inference hides, which `mcp-gen.yaml` can offer. */
  readonly hiddenInputs?: HiddenInputCost;
  /** Tools of the project's own code. Absent without any. */
  readonly customTools?: readonly CustomTool[];
  /** Present if the project's own code has prompts or resources. */
  readonly hasCustomContent?: true;
  readonly budget: BudgetPlan;
  /** Model of the embedded mock of the API: the selected operations in model form. */
  readonly mock: Pick<ApiModel, "operations" | "schemas" | "securitySchemes">;
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Weaknesses of tools, each with a suggested fix. Without locations, because most runs only count
   * them.
   */
  readonly lint: readonly Diagnostic[];
  /** Workflows that tools run, callees first. Absent without workflows. */
  readonly workflows?: readonly PlannedWorkflow[];
  /** APIs that workflows call in addition to the document's API. */
  readonly otherApis?: readonly OtherApi[];
  /** APIs of a server of several, each with its own plan. They are among `otherApis`. */
  readonly apis?: readonly MemberApi[];
}

/** The plan of one API of a server of several. */
interface MemberApi {
  /** Name of the API: `^[a-z][a-z0-9_]*$`. */
  readonly name: string;
  readonly plan: ToolPlan;
}

/** Number of hidden inputs, and their token cost in `tools/list`. */
export interface HiddenInputCost {
  readonly inputs: number;
  /** Estimated tokens of their schemas. */
  readonly tokens: number;
}

/** A named type. Model form: `$ref` is `#/$defs/<name>`. */
export interface NamedType {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The only toolset that uses it, or the schema of its name. Absent if there are several. */
  readonly toolset?: string;
}

/** A schema of the definitions that is written once, under a unique name. */
export interface SharedSchema {
  /** Name of its type, if it was made from a named one. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Names of the shared schemas that it contains. */
  readonly references: readonly string[];
  /** The only toolset that uses it, or the type of its name. Absent if there are several. */
  readonly toolset?: string;
}

/** API of a source description, with its own servers and credentials. */
export interface OtherApi {
  /** Name of its file: `^[a-z][a-z0-9_]*$`. */
  readonly name: string;
  readonly definition: ApiDefinition;
}

/** A workflow as a function. */
export interface PlannedWorkflow {
  /** `workflowId`. */
  readonly id: string;
  /** Key of its state while it runs: its ID, or its name if several documents use the ID. */
  readonly stateKey: string;
  /** Base name of its document. */
  readonly source: string;
  /** Unique name of its file: `^[a-z][a-z0-9_]*$`. */
  readonly name: string;
  /** Unique name of its function, in camelCase. */
  readonly identifier: string;
  /** One sentence. */
  readonly summary: string;
  /** Under the names of the workflow document. */
  readonly inputs: readonly WorkflowParameter[];
  /** Its own outputs, and those of workflows that it may continue with. */
  readonly outputs: readonly WorkflowOutput[];
  readonly ownOutputNames: readonly string[];
  /** Workflows that run before it. */
  readonly prerequisites: readonly PlannedWorkflow[];
  readonly steps: readonly PlannedStep[];
  /** `$self` of its document and the URLs of its sources, for expressions. */
  readonly constants: {
    readonly self: string;
    readonly sources: Readonly<Record<string, Readonly<Record<"name" | "url" | "type", string>>>>;
  };
}

/**
 * Input of a workflow. `defaults` has the defaults of the input and of values inside it, by JSON
 * pointer.
 */
interface WorkflowParameter {
  readonly name: string;
  readonly type: JsonSchema;
  readonly required: boolean;
  readonly description: string;
  readonly defaults: Readonly<Record<string, JsonValue>>;
}

/** Output with its schema in model form; `{}` if unknown. */
export interface WorkflowOutput {
  readonly name: string;
  readonly value: Value;
  readonly type: JsonSchema;
}

export interface PlannedStep {
  readonly step: LinkedStep;
  /** Constant data of the step. `api` names its API, unless it is the document's API. */
  readonly definition: StepDefinition;
  readonly api?: string;
  /**
   * Key of the credentials of its request: equal for steps with equal credentials. Absent without
   * credentials and for calls of workflows.
   */
  readonly credentials?: string;
  /** Values for its request or for the called workflow, by name. */
  readonly input: readonly (readonly [string, Value])[];
  /** Workflow that the step calls. */
  readonly calledWorkflow?: PlannedWorkflow;
  readonly outputs: readonly WorkflowOutput[];
  readonly onSuccess: readonly PlannedAction[];
  readonly onFailure: readonly PlannedAction[];
}

export interface PlannedAction {
  readonly action: LinkedAction;
  /** Workflow with which the action continues. */
  readonly calledWorkflow?: PlannedWorkflow;
}

/**
 * Cost of the tools in a model's context, compared with the limits. Tokens are estimates, for what
 * models read of a tool: name, description and input schema.
 */
export interface BudgetPlan {
  readonly limits: {
    readonly tools: number;
    readonly listTokens: number;
    readonly resultTokens: number;
  };
  /** Tokens of all tools and of the instructions. */
  readonly listTokens: number;
  /** Tokens of the instructions. */
  readonly instructionTokens: number;
  /** Bytes of the whole `tools/list`, with the parts that hosts do not show to models. */
  readonly listBytes: number;
  /** Costs in the order of the tools. */
  readonly costs: readonly ToolCost[];
  /** Exceeded limits. */
  readonly exceeded: readonly ("tools" | "listTokens")[];
  /**
   * Default content of `tools/list`: every tool, or tools that find, describe and call the others,
   * alone or together with `listed`.
   */
  readonly mode: "tools" | "hybrid" | "discovery";
  /** Names of the tools that hosts should always show. Empty in the mode `discovery`. */
  readonly listed: readonly string[];
  /** Sentences about the largest tools and the ways to trim them. Empty within the budget. */
  readonly advice: readonly string[];
}

export interface ToolCost {
  readonly tool: string;
  /** Tokens of name, description and input schema. */
  readonly tokens: number;
  /** Bytes of the whole definition in `tools/list`. */
  readonly bytes: number;
  /** Tokens of the output schema, which models usually do not see. */
  readonly outputTokens: number;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly description: string;
  /** True when the server cannot work without it. */
  readonly required: boolean;
  readonly secret: boolean;
  /** Shown in `.env.example`. Never a secret. */
  readonly example?: string;
}

/** Named group of tools, by default the first tag of their operations. */
export interface Toolset {
  /** Folder-safe: `^[a-z][a-z0-9_]{0,47}$`. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
}

/** The part of a definition that clients see. */
export type ToolListing = Pick<
  ToolDefinition,
  "name" | "title" | "description" | "annotations" | "inputSchema" | "outputSchema"
>;

/** A tool of the project's own code. One with the name of a generated tool replaces it. */
export interface CustomTool {
  readonly listing: ToolListing;
  readonly toolset?: string;
  /** Fields of the definition that only the running code knows. Absent without any. */
  readonly computed?: readonly string[];
}

/** The key `job` of a rule, and where the rule stands. */
export interface JobRule {
  readonly config: NonNullable<ToolConfig["job"]>;
  /** True for `x-mcp`, whose mistakes are warnings. */
  readonly isOfDocument: boolean;
  /** Location of a key of the rule. */
  readonly locationOf: (...path: readonly string[]) => SourceLocation;
}

/** The lists of a rule that a read returns with a thing, by name: the tool of each. */
export interface ListsRule {
  readonly lists: Readonly<Record<string, string>>;
  /** Location of a list in the rule. */
  readonly locationOf: (...path: readonly string[]) => SourceLocation;
}

export interface PlannedTool {
  /**
   * Definition for the runtime, without the phantom types. Its description is empty until the text
   * is printed.
   */
  readonly definition: ToolDefinition;
  /** The definition that clients see, if it was edited and marked `@keep`. */
  readonly edited?: ToolListing;
  /** Text of the description, in parts. */
  readonly text: ToolText;
  /** Name of its toolset. */
  readonly toolset: string;
  /**
   * Unique identifier in camelCase, not a reserved word: `findPets`. Also the base of
   * `FindPetsInput` and `FindPetsOutput`.
   */
  readonly identifier: string;
  readonly inputs: readonly PlannedInput[];
  /** False if names are not looked up for its inputs, as configured. */
  readonly takesNames?: false;
  /** Inputs that would take names if no rule turned it off. */
  readonly namesTurnedOff?: readonly string[];
  /**
   * Schema of the result in model form, for the TypeScript type. Absent without a structured
   * result.
   */
  readonly output?: JsonSchema;
  /** Fields of the items of its list, of a tool whose result by ID has further fields. */
  readonly listedFields?: readonly string[];
  /** Operations of the tool in order of importance: `GET /pets/{petId}`. */
  readonly operations: readonly OperationRef[];
  /** True or the default names if calls choose the fields of its result, as configured. */
  readonly fields?: boolean | readonly FieldPath[];
  /** True if its result has fields that the document lacks, as configured. */
  readonly hasUndocumentedFields?: true;
  /** False if its pages are not followed, as configured. */
  readonly followPages?: boolean;
  /** False if it returns no lists of parts, or the lists that it returns, as configured. */
  readonly includeLists?: boolean | ListsRule;
  /** False if calls cannot ask for the total of the list alone. */
  readonly countOnly?: false;
  /** True if it takes several IDs although it writes, false if it takes only one, as configured. */
  readonly bulk?: boolean;
  /** How work that it starts is followed, or false if a call does not wait, as configured. */
  readonly job?: JobRule;
  /**
   * Workflow that the tool runs. Its only operation is never sent: the body maps inputs of the tool
   * to inputs of the workflow.
   */
  readonly workflow?: PlannedWorkflow;
  /** Effects of its operations, with the evidence in the document. Absent for workflows. */
  readonly effects?: readonly OperationEffects[];
  /**
   * Explanations of the plan, one line per applied rule (name, merge, hidden inputs). Shown in
   * reports.
   */
  readonly reasons: readonly string[];
}

/** Property of the tool's input. */
export interface PlannedInput {
  /** Unique in the tool: `^[a-zA-Z0-9_]{1,64}$`. */
  readonly name: string;
  /** Text in the input schema. */
  readonly description: string;
  readonly required: boolean;
  /** Schema in model form, for the TypeScript type. */
  readonly type: JsonSchema;
  /** Tools whose results contain a value for it, best first. */
  readonly producers?: readonly string[];
  /** Field of the results of a producer that has the value, where `links` names it. */
  readonly producerFields?: Readonly<Record<string, string>>;
  /** Tools that may return it, for an input that most calls leave out. They count if names are looked up. */
  readonly possibleProducers?: readonly string[];
  /** False if names are not looked up for it, as configured. */
  readonly takesName?: false;
}

export interface OmittedOperation extends OperationRef {
  readonly reason: string;
  /** True if no rule is about it, and the configuration excludes such operations. */
  readonly isUnselected?: true;
}
