/** Stands in for values in place of text: no operation of this project has a body. */
import type { BindResult } from "../request/types.js";
import type { GivenValue } from "../schema/coerce-input.js";
import type { CallOutcome } from "../tools/definitions.js";
import type { DemandedValues } from "./given-values.js";
import type { PreparedCall } from "./send-authenticated.js";

export function repeatAsGiven(
  _prepared: PreparedCall,
  _answered: PreparedCall,
  _failure: unknown,
  _bind: (values: readonly GivenValue[]) => BindResult,
): PreparedCall | undefined {
  return undefined;
}

export function parsedText(..._: readonly unknown[]): DemandedValues | undefined {
  return undefined;
}

export function addGivenValuesNote(
  outcome: CallOutcome,
  _values: readonly GivenValue[],
  _outputSchema: unknown,
): CallOutcome {
  return outcome;
}
