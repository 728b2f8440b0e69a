/** Context in which candidates for inputs get their roles. */
import type { SecuritySchemeDefinition } from "../../runtime/security-schemes.js";
import type { InputLocation } from "../operations/types.js";
import type { Schemas } from "../schemas/refs.js";
import type { InputCandidate, InputRole, HiddenInputs } from "./candidates.js";

/** Context in which a candidate gets its role. */
export interface RoleContext {
  readonly schemas: Schemas;
  readonly securitySchemes: Readonly<Record<string, SecuritySchemeDefinition>>;
  /** Version of the API. */
  readonly version?: string;
  /** Headers of every request, from mcp-gen.yaml, in lower case. */
  readonly configuredHeaders?: ReadonlySet<string>;
  /** Role from mcp-gen.yaml, for every occurrence of a parameter. */
  readonly configuredRole?: (candidate: InputCandidate) => InputRole | undefined;
  /** Role of API keys without a security scheme. */
  readonly undeclaredKeyRole?: (candidate: InputCandidate) => InputRole | undefined;
  readonly usage?: InputUsage;
  readonly hiddenInputs?: HiddenInputs;
  /** Names that would not be inputs without a rule, which are added as they are found. */
  readonly shownInputs?: Set<string>;
}

/** True when a request carries the credentials of a scheme. */
export type IsAuthenticated = (scheme: string) => boolean;

/** Number of operations that have each parameter and field. */
export interface InputUsage {
  /**
   * True when at least half of the operations have it, or half of those with a body and a quarter
   * of all.
   */
  readonly isCommon: (location: InputLocation, name: string) => boolean;
  /** True when a name at this location is common and satisfies the test. */
  readonly hasCommon: (location: InputLocation, test: (name: string) => boolean) => boolean;
}
