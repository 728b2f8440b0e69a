/** The origin of a call: its client, and the trace that it belongs to. */
/**
 * `_meta` of a request, where clients put their trace context (`traceparent`, `tracestate`,
 * `baggage`).
 */
export type TraceCarrier = Readonly<Record<string, unknown>>;

/** The connection of a client. */
export interface McpConnection {
  /** Revision of MCP; absent if it is not known. */
  readonly protocolVersion?: string | undefined;
  /** `pipe` for stdio, `tcp` for HTTP. */
  readonly transport: "pipe" | "tcp";
}

/** The origin of a call. */
export interface CallOrigin {
  readonly connection?: McpConnection;
  /** Trace context of the client. */
  readonly carrier?: TraceCarrier;
  /** Identity of the caller, for limits and the hash in the log. Absent: the only one. */
  readonly caller?: string;
  /** The caller as people know it. */
  readonly callerName?: string;
  /** A user that authentication names, or another client of HTTP. Absent: the process that started it. */
  readonly callerKind?: "user" | "client";
  readonly requestId?: string;
}
