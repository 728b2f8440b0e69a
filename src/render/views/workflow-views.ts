import type { Code } from "../code.js";
import type { HeaderView, ToolView } from "./views.js";

/** `src/workflows/[workflow].ts` */
export interface WorkflowView extends HeaderView {
  /** Values that it uses, by module: `{ at, workflow }` from `"../runtime/workflow/index.js"`. */
  readonly imports: readonly {
    /** With their braces. */
    readonly names: Code;
    /** String literal. */
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
    /** `interface …` or `type …;` */
    readonly declaration: Code;
  }[];
  /** Object literal: what is constant about each step. */
  readonly steps: Code;
  /** JSDoc comment of the function. */
  readonly doc: Code;
  /** `placeOrder` */
  readonly identifier: Code;
  /** The function of the runtime that runs a workflow. */
  readonly workflow: Code;
  /** The function of the runtime that types its steps. */
  readonly defineSteps: Code;
  /** String literal of the workflow's ID. */
  readonly id: Code;
  /** `inputs, flow` */
  readonly parameters: Code;
  /** Statements, indented by two columns. */
  readonly body: Code;
}

/** `src/tools/[toolset]/[workflow].ts` */
export interface WorkflowToolView extends Omit<ToolView, "requests"> {
  /** `{ placeOrder }` */
  readonly workflow: Code;
  /** String literal of its module. */
  readonly module: Code;
  /** What the workflow is given of the input, as an object. */
  readonly given: Code;
  /** Object literal: which outputs are kept. Absent: all. */
  readonly read: Code | undefined;
  /** Object literal: how names become IDs, by input. Absent: none does. */
  readonly resolve: Code | undefined;
}
