import type { ToolConsent } from "../auth/types.js";
import type { Deadline } from "../client/types.js";
import type { ApiCall } from "../errors/api-call.js";
import type { CallerExchange, ForwardedHeader } from "../request/types.js";
import type { ServerContext } from "../server/context.js";
import type { TraceCarrier } from "../server/telemetry.js";
import type { CallInfo } from "../tools/hooks.js";
import type { OperationBinding } from "../types.js";

/** Context of a call: the parts of the protocol request that matter beside its arguments. */
export interface CallContext {
  /** Aborted when the client cancels the call. */
  readonly signal?: AbortSignal;
  /** Reports progress to a client that asked for it. */
  progress?(message: string): void;
  /** Headers of the client's request that are passed on to the API. */
  readonly forwarded?: readonly ForwardedHeader[];
  /** Exchange of the caller's token for one of the API. */
  readonly exchange?: CallerExchange;
  /** Consent of the user behind the caller. */
  readonly consent?: ToolConsent;
  /** Trace context of the client. */
  readonly carrier?: TraceCarrier;
  /** Text of the tool's inputs, for an agent that has not read the schema. */
  signature?(): Promise<string>;
}

/** A call whose request is ready to be sent. */
export interface PreparedCall {
  readonly server: ServerContext;
  readonly info: CallInfo;
  readonly call: ApiCall;
  readonly operation: OperationBinding;
  readonly deadline: Deadline;
  readonly context: CallContext;
}
