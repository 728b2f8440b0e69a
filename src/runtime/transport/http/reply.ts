import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** An answer given instead of serving the request. */
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
 * A refusal, in the words of the protocol: of JSON-RPC's codes, because those from -32000 to -32019
 * are not to be used any more. MCP 2026-07-28, "Error Codes".
 */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return jsonReply(status, { jsonrpc: "2.0", error: { code, message }, id: null }, headers);
}
