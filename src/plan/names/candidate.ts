import type { ClassifiedOperation } from "../operations/types.js";

/** An operation with the name that it gets when no other operation has it. */
export interface NameCandidate {
  readonly classified: ClassifiedOperation;
  /** Empty without one, and if only a number distinguishes it from another one. */
  readonly operationId: string;
  /** Name derived from the operation alone. */
  readonly base: string;
  /** All words of the name before it was shortened. */
  readonly words: readonly string[];
  /** Groups of the operationId that the name leaves out. They can follow the verb. */
  readonly omittedGroup?: readonly string[];
  readonly source: "operationId" | "path";
  /** True for an operation that another one replaces, and for a further path of a function. */
  readonly yields?: boolean;
  /**
   * Name of the merged tool that this operation may lead (`find_pets`). It is reserved together
   * with the operation's name.
   */
  readonly mergedNameOf?: (name: string) => string | undefined;
}
