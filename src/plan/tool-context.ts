import type { Operation } from "../model/types.js";
import type { ClassifiedOperation } from "./classify.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import type { InputPlan, InputPlanner } from "./inputs/plan-inputs.js";
import type { RoleContext } from "./inputs/roles.js";
import type { OutputPlan, OutputPlanner } from "./outputs/plan-output.js";
import type { BodyPlan } from "./requests/body.js";
import type { Schemas } from "./schemas/refs.js";
import type { SecurityPlan } from "./security/index.js";
import type { ServerPlanner } from "./servers.js";
import type { PlannedTool } from "./types.js";

/** A tool with the operations it was made from, the most general first. */
export interface PlannedTask {
  readonly tool: PlannedTool;
  readonly requests: readonly PlannedRequest[];
}

/** Operations that people want as one tool, whether or not inference would put them together. */
export interface ConfiguredMerge {
  /** The tool's name, with the namespace. */
  readonly name: string;
  /** As the rule lists them. */
  readonly operations: readonly Operation[];
  /** Says at the rule, or at its entry for one operation, why they cannot be one. */
  readonly reject: (why: string, operation?: Operation) => void;
}

/** Operations whose pages people want to be followed, and how to say that one has none. */
export type PaginatedOperations = ReadonlyMap<Operation, (why: string) => void>;

/** What the tools of one plan share. */
export interface ToolContext {
  readonly schemas: Schemas;
  readonly diagnostics: DiagnosticCollector;
  readonly planOutput: OutputPlanner;
  /** `Returns …` for an output. */
  readonly describeOutput: (output: OutputPlan) => string | undefined;
  readonly planInputs: InputPlanner;
  readonly security: SecurityPlan;
  readonly servers: ServerPlanner;
  /** `--base-url` stands for every server, also those of single operations. */
  readonly hasBaseUrlOption: boolean;
  readonly namespace: string | undefined;
  /** What decides whether a value of a request is for a caller to give. */
  readonly roles: RoleContext;
  /** Operations that are never a part of a tool of several. */
  readonly neverMerged: ReadonlySet<Operation>;
  /** Operations that are a tool of several, whatever inference says. */
  readonly configuredMerges: readonly ConfiguredMerge[];
  /** Operations whose pages are to be followed. */
  readonly paginated: PaginatedOperations;
}

/** The part of one operation in a tool: its inputs, and the body that some of them go into. */
export interface PlannedRequest {
  readonly classified: ClassifiedOperation;
  readonly body: BodyPlan | undefined;
  readonly inputs: InputPlan;
}
