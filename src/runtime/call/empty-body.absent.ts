/** Stands in for calls without their optional body: no operation of this project has one. */
import type { CallOutcome } from "../tools/definitions.js";
import type { OperationBinding } from "../types.js";
import type { BindResult } from "../request/types.js";
import type { PreparedCall } from "./send-authenticated.js";

export function repeatWithEmptyBody(
  _prepared: PreparedCall,
  _answered: PreparedCall,
  _failure: unknown,
  _bind: (operation: OperationBinding) => BindResult,
): PreparedCall | undefined {
  return undefined;
}

export function addEmptyBodyNote(outcome: CallOutcome, _: unknown): CallOutcome {
  return outcome;
}
