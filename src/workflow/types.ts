import type { DiagnosticCode, SourceLocation } from "../diagnostics/index.js";
import type { JsonValue } from "../json.js";
import type { ApiModel, Operation } from "../model/types.js";

/**
 * A checked Arazzo document (1.0, 1.1) with reusable objects resolved and all expressions and
 * conditions parsed. `linkWorkflows` resolves its references.
 */
export interface WorkflowFile {
  /** File name for messages. */
  readonly label: string;
  /** Base name, for headers of generated files. */
  readonly name: string;
  readonly title: string;
  /** `$self`, as written. */
  readonly self?: string;
  readonly sources: readonly SourceDescription[];
  readonly workflows: readonly Workflow[];
  /** `components.inputs`: raw JSON Schemas. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
}

export interface SourceDescription {
  readonly name: string;
  readonly url: string;
  readonly type: "openapi" | "arazzo" | "asyncapi";
  readonly location: SourceLocation;
}

export interface Workflow {
  readonly id: string;
  readonly summary?: string;
  readonly description?: string;
  /** Raw JSON Schema. */
  readonly inputs?: JsonValue;
  /** Declared input names, without following references to other files. */
  readonly inputNames: readonly string[];
  readonly dependsOn: readonly Reference[];
  readonly steps: readonly Step[];
  readonly outputs: readonly Output[];
  readonly location: SourceLocation;
}

/** A name or expression that refers to something, with its location. */
export interface Reference {
  readonly text: string;
  readonly location: SourceLocation;
}

export interface Step {
  readonly id: string;
  readonly description?: string;
  readonly target: CallTarget;
  /** Includes the workflow's arguments that the step does not override. */
  readonly arguments: readonly Argument[];
  readonly body?: StepBody;
  /** Absent: any 2xx status, or success of the called workflow. */
  readonly criteria?: readonly Criterion[];
  readonly onSuccess: readonly Action[];
  readonly onFailure: readonly Action[];
  readonly outputs: readonly Output[];
  readonly timeoutMs?: number;
  readonly dependsOn: readonly Reference[];
  readonly location: SourceLocation;
}

export type CallTarget = {
  readonly kind: "operationId" | "operationPath" | "workflow" | "channel";
} & Reference;

export interface Argument {
  readonly name: string;
  /** Absent for arguments of a workflow. */
  readonly in?: ArgumentLocation;
  readonly value: Value;
  /** The argument is the workflow's and applies only to steps that can use it. */
  readonly inherited?: true;
  readonly location: SourceLocation;
}

export const argumentLocations = ["path", "query", "querystring", "header", "cookie"] as const;
export type ArgumentLocation = (typeof argumentLocations)[number];

export interface StepBody {
  readonly contentType?: string;
  /** Absent: the replacements provide everything. */
  readonly payload?: Value;
  readonly replacements: readonly Replacement[];
  readonly location: SourceLocation;
}

export interface Replacement {
  readonly target: string;
  readonly language: "jsonpointer" | "jsonpath";
  readonly value: Value;
  readonly location: SourceLocation;
}

export interface Output {
  readonly name: string;
  readonly value: Value;
  readonly location: SourceLocation;
}

/** A possible action after a step. The first action whose criteria all hold is taken. */
export interface Action {
  readonly name: string;
  readonly type: "end" | "goto" | "retry";
  readonly step?: Reference;
  readonly workflow?: Reference;
  readonly arguments: readonly Argument[];
  readonly criteria: readonly Criterion[];
  /** Seconds. */
  readonly retryAfter: number;
  readonly retryLimit: number;
  readonly location: SourceLocation;
}

/** A constant, or a value computed when the step runs. */
export type Value =
  | { readonly kind: "literal"; readonly value: JsonValue }
  | {
      readonly kind: "expression";
      readonly expression: Expression;
      readonly location: SourceLocation;
    }
  | ({ readonly kind: "template" } & TextTemplate)
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "record"; readonly entries: readonly (readonly [string, Value])[] }
  /** A payload computed at run time, with replaced parts. */
  | {
      readonly kind: "replaced";
      readonly payload: Value;
      readonly replacements: readonly Replacement[];
    }
  | {
      readonly kind: "selector";
      readonly context: Expression;
      readonly language: "jsonpath" | "jsonpointer";
      readonly selector: string;
      readonly location: SourceLocation;
    };

/** A text with expressions in braces: `https://{$inputs.host}/`. */
export interface TextTemplate {
  readonly parts: readonly (string | Expression)[];
  /**
   * The template is a quoted string in JSON text. An array or object that replaces the whole string
   * is inserted as JSON.
   */
  readonly inJson?: true;
  readonly location: SourceLocation;
}

export type Criterion =
  | {
      readonly kind: "simple";
      readonly condition: Condition;
      readonly text: string;
      readonly location: SourceLocation;
    }
  | {
      readonly kind: "regex" | "jsonpath";
      readonly context: Expression;
      readonly pattern: TextTemplate;
      readonly text: string;
      readonly location: SourceLocation;
    };

/**
 * A runtime expression. `path` has the steps into its value, from a pointer or dots. Arazzo 1.1,
 * "Runtime Expressions".
 */
export type Expression = ExpressionKind & {
  /** The correct spelling of an unambiguously misspelled expression. */
  readonly correction?: string;
};

type ExpressionKind =
  | { readonly kind: "url" | "method" | "statusCode" | "self" }
  | {
      readonly kind: "header" | "query" | "path";
      readonly of: "request" | "response";
      readonly name: string;
    }
  | { readonly kind: "body"; readonly of: "request" | "response"; readonly path: readonly string[] }
  | { readonly kind: "message" }
  /** `name` may contain dots; `matchDeclaredName` tells which of them lead into a value. */
  | { readonly kind: "inputs" | "outputs"; readonly name: string; readonly path: readonly string[] }
  | {
      readonly kind: "steps";
      readonly step: string;
      readonly name: string;
      readonly path: readonly string[];
      readonly workflow?: string;
    }
  /** `source` names the document of another document's workflow. */
  | {
      readonly kind: "workflows";
      readonly workflow: string;
      readonly source?: string;
      readonly field: "inputs" | "outputs";
      readonly name: string;
      readonly path: readonly string[];
    }
  | { readonly kind: "source"; readonly source: string; readonly reference: string }
  | { readonly kind: "component"; readonly type: string; readonly name: string };

/** A `simple` condition. Arazzo 1.1, "Criterion Object". */
export type Condition =
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  | { readonly kind: "value"; readonly expression: Expression }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | {
      readonly kind: "compare";
      readonly operator: ComparisonOperator;
      readonly left: Condition;
      readonly right: Condition;
    };

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** An API that steps call. */
export interface SourceApi {
  /** Name of its source description; `""` for the document that the server is made from. */
  readonly name: string;
  /** File name for messages. */
  readonly label: string;
  readonly model: ApiModel;
}

/** A workflow file and its resolved source descriptions. */
export interface ResolvedWorkflowFile {
  readonly file: WorkflowFile;
  /** Workflows of main files become tools; those of referenced files do not. */
  readonly isMain: boolean;
  readonly sources: ReadonlyMap<string, ResolvedSource>;
}

export type ResolvedSource =
  | { readonly kind: "openapi"; readonly api: SourceApi }
  | { readonly kind: "arazzo"; readonly file: WorkflowFile }
  | { readonly kind: "asyncapi" };

/** A workflow whose steps have resolved calls. */
export interface LinkedWorkflow {
  readonly workflow: Workflow;
  readonly file: WorkflowFile;
  readonly isTool: boolean;
  /** Workflows that must run before it, by `dependsOn` or because expressions use their outputs. */
  readonly prerequisites: readonly LinkedWorkflow[];
  /** In execution order. */
  readonly steps: readonly LinkedStep[];
  /** Inputs that expressions use but the schema does not declare. */
  readonly undeclaredInputs: readonly string[];
}

export interface LinkedStep extends Step {
  readonly call: StepCall;
  readonly onSuccess: readonly LinkedAction[];
  readonly onFailure: readonly LinkedAction[];
}

export type StepCall =
  | { readonly kind: "operation"; readonly api: SourceApi; readonly operation: Operation }
  | { readonly kind: "workflow"; readonly workflow: LinkedWorkflow };

export interface LinkedAction extends Action {
  /** The target of a goto, or the step or workflow that a retry runs first. */
  readonly destination?:
    | { readonly kind: "step"; readonly id: string }
    | { readonly kind: "workflow"; readonly workflow: LinkedWorkflow };
}

/**
 * Reports a diagnostic. Returns undefined, so that a function can report and return in one
 * statement.
 */
export type ReportDiagnostic = (
  code: DiagnosticCode,
  message: string,
  location: SourceLocation,
  hint?: string,
) => undefined;
