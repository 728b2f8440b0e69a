import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";

export type ParsedLine = { readonly ok: true; readonly message: JSONRPCMessage } | { readonly ok: false; readonly answer: ErrorAnswer };

/** A JSON-RPC error response. The id is null when the request's cannot be told. https://www.jsonrpc.org/specification#response_object */
export interface ErrorAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Reads one line. What is no message is answered, so that whoever sent it does not wait for ever. */
export function parseLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refused(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON.");
  }
  if (Array.isArray(value)) return refused(null, ProtocolErrorCode.InvalidRequest, "Invalid request: batches are not supported; send one message per line.");
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) return { ok: true, message: value };
  return refused(idOf(value), ProtocolErrorCode.InvalidRequest, "Invalid request: the line is not a JSON-RPC 2.0 message with a string or integer id.");
}

/** The answer to a line that was too long to be read. */
export function tooLong(maxBytes: number): ErrorAnswer {
  return answer(null, ProtocolErrorCode.InvalidRequest, `Invalid request: the message is larger than ${maxBytes} bytes.`);
}

function refused(id: ErrorAnswer["id"], code: number, message: string): ParsedLine {
  return { ok: false, answer: answer(id, code, message) };
}

function answer(id: ErrorAnswer["id"], code: number, message: string): ErrorAnswer {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function idOf(value: unknown): ErrorAnswer["id"] {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null;
}
