/** Context that all tools of a plan share, and the requests of one tool. */
import type { Operation } from "../model/types.js";
import type { WholeTexts } from "./text/whole-texts.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { InputPlanner, InputPlan } from "./inputs/plan-inputs.js";
import type { RoleContext } from "./inputs/role-context.js";
import type { ClassifiedOperation } from "./operations/types.js";
import type { OutputPlanner, OutputPlan } from "./outputs/plan-output.js";
import type { BodyPlan } from "./requests/body.js";
import type { Schemas } from "./schemas/refs.js";
import type { SecurityPlan } from "./security/index.js";
import type { ServerPlanner } from "./servers.js";
import type { CrossReferences } from "./text/tool-marks.js";
import type { PlannedTool } from "./types.js";

/** A tool with its requests, the most general operation first. */
export interface PlannedTask {
  readonly tool: PlannedTool;
  readonly requests: readonly PlannedRequest[];
}

/** Operations that the configuration merges into one tool. */
export interface ConfiguredMerge {
  /** Name of the tool, with the namespace. */
  readonly name: string;
  /** In the order of the rule. */
  readonly operations: readonly Operation[];
  /** The input that chooses the operation, and the value of each. Absent: the inputs choose it. */
  readonly choice?: { readonly input: string; readonly values: readonly string[] };
  /** New names of inputs of single operations. */
  readonly names: ReadonlyMap<Operation, ConfiguredNames>;
  /** Reports at the rule, or at its entry for one operation, that they cannot be merged. */
  readonly reject: (reason: string, operation?: Operation) => void;
}

/** New names of the inputs of one operation. */
export interface ConfiguredNames {
  readonly names: Readonly<Record<string, string>>;
  /** Reports a key that is not an input, or a new name that another input has. */
  readonly reject: (key: string, known: readonly string[], taken?: string) => void;
}

/** Operations whose pages are followed, each with a function that reports the reason against it. */
export type PaginatedOperations = ReadonlyMap<Operation, (reason: string) => void>;

/** Context that all tools of a plan share. */
export interface ToolContext {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
  readonly planOutput: OutputPlanner;
  /** Writes `Returns …` for an output. */
  readonly describeOutput: (output: OutputPlan) => string | undefined;
  readonly planInputs: InputPlanner;
  /** Marks the operations that texts refer to. */
  readonly crossReferences: CrossReferences;
  /** Whole texts of shortened descriptions in input schemas. */
  readonly wholeTexts: WholeTexts;
  readonly security: SecurityPlan;
  readonly servers: ServerPlanner;
  /** `--base-url` replaces every server, including those of single operations. */
  readonly hasBaseUrlOption: boolean;
  readonly namespace: string | undefined;
  /** Context that decides whether a value is an input. */
  readonly roles: RoleContext;
  /** Operations that are never merged. */
  readonly neverMerged: ReadonlySet<Operation>;
  /** Merges of the configuration. */
  readonly configuredMerges: readonly ConfiguredMerge[];
  /** Operations whose pages are followed. */
  readonly paginated: PaginatedOperations;
}

/** Part of one operation in a tool: its inputs and its body. */
export interface PlannedRequest {
  readonly classified: ClassifiedOperation;
  readonly body: BodyPlan | undefined;
  readonly inputs: InputPlan;
}
