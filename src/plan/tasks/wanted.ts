import type { Operation } from "../../model/types.js";

/** Operations that people want as one tool, whether or not inference would put them together. */
export interface WantedMerge {
  /** The tool's name, with the namespace. */
  readonly name: string;
  /** As the rule lists them. */
  readonly operations: readonly Operation[];
  /** Says at the rule, or at its entry for one operation, why they cannot be one. */
  readonly refuse: (why: string, operation?: Operation) => void;
}
