/** The state of planning: the result of every pass, and the types that they share. */
import type { ApiModel, Operation } from "../model/types.js";
import type { ServerDefinition } from "../runtime/api-definition.js";
import type { ClassifiedOperation } from "./operations/types.js";
import type { OperationsConfiguration } from "./configuration/index.js";
import { DiagnosticCollector } from "./diagnostics.js";
import type { StatusTexts } from "./documented-statuses.js";
import type { Environment } from "./server-names.js";
import type { ToolNames } from "./names/index.js";
import { type PlanOptions, validateOptions } from "./options.js";
import type { MethodDuplicates } from "./related-operations.js";
import type { SchemaGraph, SchemaOrigins } from "./schemas/refs.js";
import type { BudgetPlan, OmittedOperation, PlannedTool, Toolset } from "./types.js";
import type { PlannedWorkflows, WorkflowOptions } from "./workflow-planner.js";
import type { ToolContext, PlannedTask } from "./tool-context.js";

/** State before the first pass. */
export interface InitialState {
  readonly model: ApiModel;
  /** Valid options; invalid ones were reported and removed. */
  readonly options: PlanOptions & WorkflowOptions;
  readonly diagnostics: DiagnosticCollector;
}

/** Added by `classify`. */
export interface Classification {
  /** Every operation of the document. */
  readonly operations: readonly ClassifiedOperation[];
  /** Operations that another method of their path replaces. */
  readonly duplicates: MethodDuplicates;
}

/** Added by `name`; `configure operations` replaces it. */
export interface Naming {
  readonly names: ToolNames;
}

/** Added by `configure operations`. */
export interface OperationsConfigured {
  readonly configuration: OperationsConfiguration;
}

/** Added by `select`; `configure tools` adds to `omitted`. */
export interface SelectedOperations {
  readonly selected: readonly ClassifiedOperation[];
  readonly omitted: readonly OmittedOperation[];
  /** Operations that the server calls: the selected ones and those of workflow steps. */
  readonly called: readonly Operation[];
}

/** Added by `connect`: access to the API, and the planners that all tools share. */
export interface Connection {
  readonly environmentPrefix: string;
  readonly environment: Environment;
  readonly servers: readonly ServerDefinition[];
  readonly schemaGraph: SchemaGraph;
  readonly schemaOrigins: SchemaOrigins;
  readonly toolContext: ToolContext;
}

/** Added by `group`; `configure tools` replaces `toolsets`. */
export interface Grouping {
  readonly toolsets: readonly Toolset[];
  readonly toolsetByOperation: ReadonlyMap<Operation, string>;
}

/** Added by `merge`: one task for each tool, in the order of the document. */
export interface Tasks {
  readonly tasks: readonly PlannedTask[];
}

/** Added by `describe`; later passes replace it. */
export interface Tools {
  readonly tools: readonly PlannedTool[];
}

/** Added by `plan workflows`. */
export interface Workflows {
  /** Undefined without workflow documents. */
  readonly workflows: PlannedWorkflows | undefined;
}

/** Added by `finish`. */
export interface SharedStatuses {
  /** Meanings of response statuses that operations share. Undefined without any. */
  readonly statuses: StatusTexts | undefined;
}

/** Added by `print descriptions`. */
export interface SharedTexts {
  /** Sentences of many tools, which the server's instructions state. */
  readonly sharedSentences: readonly string[];
}

/** Added by `write instructions`. */
export interface Instructions {
  /** The API's part of the server's instructions. */
  readonly instructions: string | undefined;
}

/** Added by `check budget`. */
export interface Budget {
  readonly budget: BudgetPlan;
}

/** State after the last pass. */
export type FinalState = InitialState &
  Classification &
  Naming &
  OperationsConfigured &
  SelectedOperations &
  Connection &
  Grouping &
  Tasks &
  Tools &
  Workflows &
  SharedStatuses &
  SharedTexts &
  Instructions &
  Budget;

/** Validates the options and starts the collection of diagnostics. */
export function initialState(
  model: ApiModel,
  options: PlanOptions & WorkflowOptions = {},
): InitialState {
  const diagnostics = new DiagnosticCollector();
  return { model, options: validateOptions(options, diagnostics), diagnostics };
}

interface Pass {
  readonly name: string;
  run(state: object): object;
}

/** Ordered list of named passes. Each reads the state and returns the fields it adds or replaces. */
export class Passes<In extends object, Out extends object> {
  private constructor(private readonly list: readonly Pass[]) {}

  /** A list without passes. */
  static from<State extends object>(): Passes<State, State> {
    return new Passes([]);
  }

  /** The list with one more pass. */
  add<Added extends object>(
    name: string,
    run: (state: Out) => Added,
  ): Passes<In, Omit<Out, keyof Added> & Added> {
    return new Passes([...this.list, { name, run }]);
  }

  get names(): readonly string[] {
    return this.list.map(({ name }) => name);
  }

  run(state: In): Out {
    return this.list.reduce<object>(
      (current, pass) => ({ ...current, ...pass.run(current) }),
      state,
    ) as Out;
  }
}
