import type { DiagnosticCode, SourceLocation } from "../diagnostics/index.js";
import type { JsonValue } from "../json.js";
import type { ApiModel, Operation } from "../model/types.js";

/**
 * An Arazzo document (1.0, 1.1) as the rooms after this one see it: checked, reusable objects put
 * in their places, and every expression and condition parsed. What it refers to is found by `link`.
 */
export interface WorkflowFile {
  /** The file as messages call it. */
  readonly label: string;
  /** Base name, for headers of generated files. */
  readonly name: string;
  readonly title: string;
  /** `$self`, as written. */
  readonly self?: string;
  readonly sources: readonly SourceDescription[];
  readonly workflows: readonly Workflow[];
  /** `components.inputs`: JSON Schemas, raw. */
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
  /** JSON Schema, raw. */
  readonly inputs?: JsonValue;
  /**
   * Names of the inputs that the schema declares, as far as that shows without following references
   * out of the file.
   */
  readonly inputNames: readonly string[];
  readonly dependsOn: readonly Reference[];
  readonly steps: readonly Step[];
  readonly outputs: readonly Output[];
  readonly location: SourceLocation;
}

/** A name or an expression that stands for something else, and where it stands. */
export interface Reference {
  readonly text: string;
  readonly location: SourceLocation;
}

export interface Step {
  readonly id: string;
  readonly description?: string;
  readonly target: CallTarget;
  /** Those of the workflow among them, unless the step has its own of the same name. */
  readonly arguments: readonly Argument[];
  readonly body?: StepBody;
  /** Absent: any status of 2xx; for a workflow: that it ended well. */
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
  /** Absent where the value goes to a workflow. */
  readonly in?: ArgumentLocation;
  readonly value: Value;
  /** It is the workflow's, for whatever of its steps has a use for it. */
  readonly inherited?: true;
  readonly location: SourceLocation;
}

export const argumentLocations = ["path", "query", "querystring", "header", "cookie"] as const;
export type ArgumentLocation = (typeof argumentLocations)[number];

export interface StepBody {
  readonly contentType?: string;
  /** Absent: the replacements make all of it. */
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

/** What a step does next; the first whose criteria all hold. */
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

/** A value that is known at once, or one that is put together when the step runs. */
export type Value =
  | { readonly kind: "literal"; readonly value: JsonValue }
  | {
      readonly kind: "expression";
      readonly expression: Expression;
      readonly location: SourceLocation;
    }
  | ({ readonly kind: "template" } & Template)
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "record"; readonly entries: readonly (readonly [string, Value])[] }
  /** A payload that is known only when the step runs, with other values at some of its places. */
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

/** Text with expressions in braces: `https://{$inputs.host}/`. */
export interface Template {
  readonly parts: readonly (string | Expression)[];
  /**
   * It stands in quotes of a text that is JSON: a list or an object in the place of all of it stays
   * what it is.
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
      readonly pattern: Template;
      readonly text: string;
      readonly location: SourceLocation;
    };

/**
 * A runtime expression. Arazzo 1.1, "Runtime Expressions". Steps into a value, by pointer or by
 * dots, are in `path`.
 */
export type Expression = ExpressionKind & {
  /** How it is to be written, where it is not: it can mean one thing only. */
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
  /**
   * `name` holds the dots that names may have; `declared` tells which of them lead into a value.
   */
  | { readonly kind: "inputs" | "outputs"; readonly name: string; readonly path: readonly string[] }
  | {
      readonly kind: "steps";
      readonly step: string;
      readonly name: string;
      readonly path: readonly string[];
      readonly workflow?: string;
    }
  /** `source` where the workflow of another document is named by it. */
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
      readonly operator: Comparison;
      readonly left: Condition;
      readonly right: Condition;
    };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** An API that steps call. */
export interface SourceApi {
  /** Name of its source description; `""` for the document that the server is made from. */
  readonly name: string;
  /** The file as messages call it. */
  readonly label: string;
  readonly model: ApiModel;
}

/** A file, and what its source descriptions lead to. */
export interface ResolvedWorkflowFile {
  readonly file: WorkflowFile;
  /** Its workflows become tools; those of a file that another refers to do not. */
  readonly isMain: boolean;
  readonly sources: ReadonlyMap<string, ResolvedSource>;
}

export type ResolvedSource =
  | { readonly kind: "openapi"; readonly api: SourceApi }
  | { readonly kind: "arazzo"; readonly file: WorkflowFile }
  | { readonly kind: "asyncapi" };

/** A workflow whose steps know what they call. */
export interface LinkedWorkflow {
  readonly workflow: Workflow;
  readonly file: WorkflowFile;
  readonly isTool: boolean;
  /** Workflows that run before it, by `dependsOn` or because expressions want their outputs. */
  readonly prerequisites: readonly LinkedWorkflow[];
  /** In the order in which they run. */
  readonly steps: readonly LinkedStep[];
  /** Inputs that expressions name and the schema does not declare. */
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
  /** Where a goto leads; what a retry does first. */
  readonly destination?:
    | { readonly kind: "step"; readonly id: string }
    | { readonly kind: "workflow"; readonly workflow: LinkedWorkflow };
}

/** Notes a finding; gives nothing, so that a function can report and return at once. */
export type ReportDiagnostic = (
  code: DiagnosticCode,
  message: string,
  location: SourceLocation,
  hint?: string,
) => undefined;
