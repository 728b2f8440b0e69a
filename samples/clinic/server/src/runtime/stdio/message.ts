import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { leniently } from "../leniency.js";

export type ParsedMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly answer: ErrorAnswer };

/** A line holds one message, or several in a revision that has batches. */
export type ParsedLine = ParsedMessage | { readonly batch: readonly ParsedMessage[] };

/** Messages in a batch; as many as the SDK takes over HTTP. */
const mostInBatch = 100;

/**
 * A JSON-RPC error response. The id is null when the request's cannot be told.
 * https://www.jsonrpc.org/specification#response_object
 */
export interface ErrorAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Before the first line, from programs that write text files. */
const byteOrderMark = "\ufeff";

/**
 * Reads one line. What is no message is answered, so that whoever sent it does not wait for ever.
 */
export function parseLine(line: string, takesBatches = false): ParsedLine {
  let value: unknown;
  try {
    value = leniently(JSON.parse(line.startsWith(byteOrderMark) ? line.slice(1) : line));
  } catch {
    return refused(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON.");
  }
  return Array.isArray(value) ? parseBatch(value, takesBatches) : parseMessage(value);
}

function parseBatch(values: readonly unknown[], takesBatches: boolean): ParsedLine {
  if (!takesBatches)
    return refused(
      null,
      ProtocolErrorCode.InvalidRequest,
      "Invalid request: batches are not supported; send one message per line.",
    );
  if (values.length === 0 || values.length > mostInBatch)
    return refused(
      null,
      ProtocolErrorCode.InvalidRequest,
      `Invalid request: a batch holds 1 to ${mostInBatch} messages.`,
    );
  return { batch: values.map(parseMessage) };
}

function parseMessage(value: unknown): ParsedMessage {
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value))
    return { ok: true, message: value };
  return refused(
    idOf(value),
    ProtocolErrorCode.InvalidRequest,
    "Invalid request: the line is not a JSON-RPC 2.0 message with a string or integer id, with an object as `params`, if any, and a string or integer as `_meta.progressToken`, if any.",
  );
}

/** The answer to a line that was too long to be read. */
export function tooLong(maxBytes: number): ErrorAnswer {
  return answer(
    null,
    ProtocolErrorCode.InvalidRequest,
    `Invalid request: the message is larger than ${maxBytes} bytes.`,
  );
}

function refused(id: ErrorAnswer["id"], code: number, message: string): ParsedMessage {
  return { ok: false, answer: answer(id, code, message) };
}

function answer(id: ErrorAnswer["id"], code: number, message: string): ErrorAnswer {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function idOf(value: unknown): ErrorAnswer["id"] {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
