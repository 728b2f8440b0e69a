import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { normalizeMessage } from "../../protocol/compatibility.js";

type ParsedMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly response: ErrorResponse };

/** One message, or several in a revision with batches. */
type ParsedLine = ParsedMessage | { readonly batch: readonly ParsedMessage[] };

/** Maximum number of messages in a batch, as in the SDK over HTTP. */
const maxBatchSize = 100;

/**
 * A JSON-RPC error response. The id is null if the request has none.
 * https://www.jsonrpc.org/specification#response_object
 */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Byte order mark before the first line, from programs that write text files. */
const byteOrderMark = "\ufeff";

/** Parses one line. Invalid messages get a response, so that their sender does not wait. */
export function parseLine(line: string, allowsBatches = false): ParsedLine {
  let value: unknown;
  try {
    value = normalizeMessage(JSON.parse(line.startsWith(byteOrderMark) ? line.slice(1) : line));
  } catch {
    return rejectMessage(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON.");
  }
  return Array.isArray(value) ? parseBatch(value, allowsBatches) : parseMessage(value);
}

function parseBatch(values: readonly unknown[], allowsBatches: boolean): ParsedLine {
  if (!allowsBatches)
    return rejectMessage(
      null,
      ProtocolErrorCode.InvalidRequest,
      "Invalid request: batches are not supported; send one message per line.",
    );
  if (values.length === 0 || values.length > maxBatchSize)
    return rejectMessage(
      null,
      ProtocolErrorCode.InvalidRequest,
      `Invalid request: a batch holds 1 to ${maxBatchSize} messages.`,
    );
  return { batch: values.map(parseMessage) };
}

function parseMessage(value: unknown): ParsedMessage {
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value))
    return { ok: true, message: value };
  return rejectMessage(
    readId(value),
    ProtocolErrorCode.InvalidRequest,
    "Invalid request: the line is not a JSON-RPC 2.0 message with a string or integer id, " +
      "with an object as `params`, if any, and a string or integer as `_meta.progressToken`, if any.",
  );
}

/** The response to a message above the maximum size. */
export function messageTooLarge(maxBytes: number): ErrorResponse {
  return errorResponse(
    null,
    ProtocolErrorCode.InvalidRequest,
    `Invalid request: the message is larger than ${maxBytes} bytes.`,
  );
}

function rejectMessage(id: ErrorResponse["id"], code: number, message: string): ParsedMessage {
  return { ok: false, response: errorResponse(id, code, message) };
}

function errorResponse(id: ErrorResponse["id"], code: number, message: string): ErrorResponse {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function readId(value: unknown): ErrorResponse["id"] {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/**
 * The only revision with batches.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const batchRevision = "2025-03-26";

type BatchResponse = JSONRPCMessage | ErrorResponse;

/**
 * Collects the responses to the messages of a batch. https://www.jsonrpc.org/specification#batch
 */
interface BatchTracker {
  /** Registers a batch before its messages are served. */
  start(messages: readonly ParsedMessage[]): void;
  /**
   * Registers the response to a request.
   * @param response `undefined` for a cancelled request
   * @returns whether the request belongs to a batch
   */
  complete(id: unknown, response?: BatchResponse): boolean;
}

interface Batch {
  /** Ids of requests without a response. */
  readonly pendingIds: unknown[];
  readonly responses: BatchResponse[];
}

/**
 * Creates a tracker.
 * @param write writes all responses to a batch after the last one
 */
export function createBatchTracker(
  write: (responses: readonly BatchResponse[]) => void,
): BatchTracker {
  const batches = new Set<Batch>();
  function writeIfComplete(batch: Batch): void {
    if (batch.pendingIds.length > 0) return;
    batches.delete(batch);
    if (batch.responses.length > 0) write(batch.responses);
  }
  return {
    start(messages) {
      const batch: Batch = { pendingIds: [], responses: [] };
      batches.add(batch);
      for (const entry of messages) {
        if (!entry.ok) batch.responses.push(entry.response);
        else if ("method" in entry.message && "id" in entry.message)
          batch.pendingIds.push(entry.message.id);
      }
      writeIfComplete(batch);
    },
    complete(id, response) {
      for (const batch of batches) {
        const index = batch.pendingIds.indexOf(id);
        if (index === -1) continue;
        batch.pendingIds.splice(index, 1);
        if (response) batch.responses.push(response);
        writeIfComplete(batch);
        return true;
      }
      return false;
    },
  };
}
