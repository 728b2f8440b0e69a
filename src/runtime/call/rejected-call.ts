/** Calls that the API rejected without an effect, and that are sent once more in another form. */
import type { ApiResponse, BindResult } from "../request/types.js";
import type { GivenValue } from "../schema/coerce-input.js";
import type { PreparedCall } from "./send-authenticated.js";

export interface RejectedCall {
  readonly prepared: PreparedCall;
  /** The same call with the credentials that were sent. */
  readonly answered: PreparedCall;
  readonly response: ApiResponse;
}

/** The call in another form, with a note for its result. */
export interface RepeatedCall {
  readonly prepared: PreparedCall;
  readonly note: string;
  /** True if values were sent in the types in which they were given. */
  readonly isAsGiven?: true;
}

/** Binds the inputs of a call with other values. */
export type BindValues = (values: readonly GivenValue[]) => BindResult;
