/** Context of the steps of one API, and the request of a step while it is bound. */
import type { Operation } from "../../model/types.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import type { Value } from "../../workflow/index.js";
import type { ParameterSource, InputSource } from "../../runtime/types.js";
import type { RoleContext } from "../inputs/role-context.js";
import type { ToolContext } from "../tool-context.js";

/** Context of the steps of one API. */
export type StepContext = Pick<
  ToolContext,
  "schemas" | "security" | "servers" | "hasBaseUrlOption" | "diagnostics"
> & { readonly roles: RoleContext };

/** An API of a server of several, as steps of workflows call it. */
export interface WorkflowMember {
  readonly definition: ApiDefinition;
  readonly context: StepContext;
  /** Tool of one of its operations. */
  readonly toolOf: (operation: Operation) => string | undefined;
}

/** Sections of a request with parameters. */
export type Section = "pathParams" | "query" | "headers" | "cookies";

/** Request under construction. */
export interface RequestDraft {
  readonly wires: Record<Section, Record<string, ParameterSource>>;
  readonly input: (readonly [string, Value])[];
  querystring?: InputSource;
}
