/** The gate before every write of a call: a write that it withholds is not sent. */
import { isWrite } from "../client/failures.js";
import type { ApiCall, BoundRequest, SentCredentials } from "../request/types.js";
import type { ShownRequest } from "./shown-request.js";

/** A write that is about to be sent. */
export interface PendingWrite {
  readonly call: ApiCall;
  /** With credentials, as hooks left it. */
  readonly request: BoundRequest;
  readonly credentials: SentCredentials;
  /** Shows the request without credentials. */
  show(): ShownRequest;
}

/** Decides about the writes of one call, and of the calls within it. */
export interface WriteGate {
  /** @throws WithheldError if the write must not be sent */
  pass(write: PendingWrite): void;
  /** True if a write was withheld. Code of the project may have caught the error. */
  readonly hasWithheld: boolean;
}

/** Ends a call whose write is withheld. It is not a failure. */
export class WithheldError extends Error {
  override readonly name = "WithheldError";
}

/** True for a `WithheldError`, also of another copy of this module. */
export const isWithheld = (error: unknown): error is WithheldError =>
  error instanceof Error && error.name === "WithheldError";

/** True if a request may change something: its tool does not only read, and neither does it. */
export function isPossibleWrite(call: ApiCall): boolean {
  return isWrite(call) && call.onlyReads !== true && !call.tool.annotations.readOnlyHint;
}
