/** Stands in for values in place of text: no operation of this project has a body. */
import type { DemandedValues } from "./given-values.js";
import type { GivenValue } from "../schema/coerce-input.js";
import type { RepeatedCall } from "./rejected-call.js";

export function repeatAsGiven(..._: readonly unknown[]): RepeatedCall | undefined {
  return undefined;
}

export function booleansAsGiven(..._: readonly unknown[]): readonly GivenValue[] {
  return [];
}

export function booleansNote(..._: readonly unknown[]): string | undefined {
  return undefined;
}

export function parsedText(..._: readonly unknown[]): DemandedValues | undefined {
  return undefined;
}
