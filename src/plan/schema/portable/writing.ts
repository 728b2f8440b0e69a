import type { Where } from "../../findings.js";
import type { Draft, LeafContext } from "../leaf.js";
import type { AnySchema } from "../refs.js";
import type { Projection } from "./measured.js";

/** What is the same for all schemas of a direction. */
export interface Direction extends LeafContext {
  /** The annotation of properties that are not of this direction. */
  readonly hidden: "readOnly" | "writeOnly";
}

/** One schema that is being written. */
export interface Writing extends Direction {
  readonly out: Draft;
  /** Sentences for its description. */
  readonly said: string[];
  readonly where: Where;
  /** Projects what stands inside of it. @param cost levels that it takes */
  readonly below: (child: AnySchema, cost: number, label: string) => Projection;
}

/** Depth that a nested object or list costs; an alternative costs half of it. */
export const LEVEL = 2;
