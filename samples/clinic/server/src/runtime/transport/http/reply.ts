import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** A response in place of serving the request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonReply(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * A rejection as a JSON-RPC error. It has JSON-RPC's own codes, because -32000 to -32019 are
 * deprecated. MCP 2026-07-28, "Error Codes".
 */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return jsonReply(status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
}
