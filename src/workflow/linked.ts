import type { ApiModel, Operation } from "../model/types.js";
import type { Action, Step, Workflow, WorkflowFile } from "./types.js";

/** An API that steps call. */
export interface Api {
  /** Name of its source description; `""` for the document that the server is made from. */
  readonly name: string;
  /** The file as messages call it. */
  readonly label: string;
  readonly model: ApiModel;
}

/** A file, and what its source descriptions lead to. */
export interface SourcedFile {
  readonly file: WorkflowFile;
  /** Its workflows become tools; those of a file that another refers to do not. */
  readonly isMain: boolean;
  readonly sources: ReadonlyMap<string, SourceTarget>;
}

export type SourceTarget =
  | { readonly kind: "openapi"; readonly api: Api }
  | { readonly kind: "arazzo"; readonly file: WorkflowFile }
  | { readonly kind: "asyncapi" };

/** A workflow whose steps know what they call. */
export interface LinkedWorkflow {
  readonly workflow: Workflow;
  readonly file: WorkflowFile;
  readonly isTool: boolean;
  /** Workflows that run before it, by `dependsOn` or because expressions want their outputs. */
  readonly before: readonly LinkedWorkflow[];
  /** In the order in which they run. */
  readonly steps: readonly LinkedStep[];
  /** Inputs that expressions name and the schema does not declare. */
  readonly undeclared: readonly string[];
}

export interface LinkedStep extends Step {
  readonly call: Call;
  readonly onSuccess: readonly LinkedAction[];
  readonly onFailure: readonly LinkedAction[];
}

export type Call =
  | { readonly kind: "operation"; readonly api: Api; readonly operation: Operation }
  | { readonly kind: "workflow"; readonly workflow: LinkedWorkflow };

export interface LinkedAction extends Action {
  /** Where a goto leads; what a retry does first. */
  readonly leadsTo?:
    | { readonly kind: "step"; readonly id: string }
    | { readonly kind: "workflow"; readonly workflow: LinkedWorkflow };
}
