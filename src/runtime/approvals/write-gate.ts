/** The gate before every write of a call: a write that it withholds is not sent. */
import type { ApiCall, BoundRequest, SentCredentials } from "../request/types.js";
import type { Redact } from "../response/redact.js";
import type { AnyTool, CallOutcome } from "../tools/definitions.js";
import type { ToolInput } from "../types.js";
import type { ShownRequest } from "./shown-request.js";

/** A write that is about to be sent. */
export interface PendingWrite {
  readonly call: ApiCall;
  /** With credentials, as hooks left it. */
  readonly request: BoundRequest;
  readonly credentials: SentCredentials;
  /** Redacts the credentials of the request. */
  readonly redact: Redact;
  /** Shows the request without credentials. */
  show(): ShownRequest;
}

/** Decides about the writes of one call, and of the calls within it. */
export interface WriteGate {
  /**
   * Decides about a tool whose code sends several requests, before it runs.
   * @returns the gate of its requests
   * @throws WithheldError if it must not run
   */
  enter(tool: AnyTool, input: ToolInput): Promise<WriteGate>;
  /** @throws WithheldError if the write must not be sent */
  pass(write: PendingWrite): void | Promise<void>;
  /** True if a write was withheld. Code of the project may have caught the error. */
  readonly hasWithheld: boolean;
  /**
   * The outcome of the whole call.
   * @param outcome what its parts made of it
   */
  settle(tool: Pick<AnyTool, "name"> & object, outcome: CallOutcome): CallOutcome;
}

/** Ends a call whose write is withheld. Its message is a text for the agent. */
export class WithheldError extends Error {
  override readonly name = "WithheldError";

  /** @param isRefusal true if the calls after it must not be made either */
  constructor(
    message: string,
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

/**
 * The outcome of a part of a call whose write was withheld, by a `WithheldError` of any copy of this
 * module; undefined for another error.
 */
export function withheldOutcome(error: unknown): CallOutcome | undefined {
  if (!(error instanceof Error) || error.name !== "WithheldError") return undefined;
  const { message, isRefusal } = error as WithheldError;
  const content = [{ type: "text" as const, text: message }];
  return { outcome: "withheld", result: { content, ...(isRefusal && { isError: true }) } };
}

/** @throws WithheldError after a withheld write: without its result, code cannot go on */
export function requireSent(gate: WriteGate | undefined, tool: string): void {
  if (gate?.hasWithheld) throw new WithheldError(`${tool} was not sent`);
}
