import type { Code } from "../code.js";
import type { HeaderView, ToolFactsView } from "./views.js";

/** `src/workflows/[workflow].ts` */
export interface WorkflowView extends HeaderView {
  /** Values that it uses, by module: `{ at, workflow }` from `"../runtime/workflow/index.js"`. */
  readonly imports: readonly {
<<<<<<< HEAD
    /** With their braces. */
    readonly names: Code;
    /** String literal. */
=======
    /** `{ at, workflow }` */
    readonly names: Code;
    /** String literal of the module. */
>>>>>>> 317279e (Templates of workflows are documented; a failure inside a workflow that a step calls says which step of it)
    readonly module: Code;
  }[];
  /** Named types that it uses: `{ Order, Pet }`. Absent when it uses none. */
  readonly types: Code | undefined;
  /** `PlaceOrderInputs` */
  readonly inputsType: Code;
  /** `PlaceOrderOutputs` */
  readonly outputsType: Code;
  /** `export interface PlaceOrderInputs {…}` */
  readonly inputs: Code;
  /** `export interface PlaceOrderOutputs {…}` */
  readonly outputs: Code;
  /** What the steps give, a type each. */
  readonly results: readonly {
    /** JSDoc comment. */
    readonly doc: Code;
<<<<<<< HEAD
    /** `interface …` or `type …;` */
=======
    /** `interface FindPetResult {…}` */
>>>>>>> 317279e (Templates of workflows are documented; a failure inside a workflow that a step calls says which step of it)
    readonly declaration: Code;
  }[];
  /** Object literal: what is constant about each step. */
  readonly steps: Code;
  /** JSDoc comment of the function. */
  readonly doc: Code;
  /** `placeOrder` */
  readonly identifier: Code;
<<<<<<< HEAD
  /** The function of the runtime that runs a workflow. */
  readonly workflow: Code;
  /** The function of the runtime that types its steps. */
=======
  /** The function of the runtime that makes a workflow. */
  readonly workflow: Code;
  /** The function of the runtime that types the steps. */
>>>>>>> 317279e (Templates of workflows are documented; a failure inside a workflow that a step calls says which step of it)
  readonly defineSteps: Code;
  /** String literal of the workflow's ID. */
  readonly id: Code;
  /** `inputs, flow` */
  readonly parameters: Code;
  /** Statements, indented by two columns. */
  readonly body: Code;
}

/** `src/tools/[toolset]/[workflow].ts` */
export interface WorkflowToolView extends ToolFactsView {
  /** `{ placeOrder }` */
  readonly workflow: Code;
  /** String literal of its module. */
  readonly module: Code;
  /** What the workflow is given of the input, as an object. */
  readonly given: Code;
  /** Object literal: which outputs are kept. Absent: all. */
  readonly read: Code | undefined;
}
