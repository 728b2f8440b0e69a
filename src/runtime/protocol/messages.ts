/** Messages of MCP: parsing, malformed messages, batches, and differences between revisions. */
import {
  type CallToolResult,
  type ContentBlock,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type ServerContext as RequestContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { isObject } from "../data/values.js";

/** Revisions that introduced types of content. */
const introducedIn: Partial<Record<ContentBlock["type"], string>> = {
  audio: "2025-03-26",
  resource_link: "2025-06-18",
};

/** Adapts a result to the client's revision. An older client rejects content of an unknown type. */
export function adaptToRevision(result: CallToolResult, revision = "2025-06-18"): CallToolResult {
  const isKnown = ({ type }: ContentBlock): boolean => revision >= (introducedIn[type] ?? "");
  if (result.content.every(isKnown)) return result;
  return {
    ...result,
    content: result.content.flatMap((block) => (isKnown(block) ? block : replacement(block))),
  };
}

/** Replaces audio by an embedded resource. A link is removed, because the text names it. */
function replacement(block: ContentBlock): ContentBlock[] {
  return block.type === "audio"
    ? [
        {
          type: "resource",
          resource: { uri: "result://audio", mimeType: block.mimeType, blob: block.data },
        },
      ]
    : [];
}

/** Unvalidated parameters of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** Schema that accepts any parameters. The handlers validate them. */
export const passThroughSchema: StandardSchemaV1<Params, Params> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (params) => ({ value: (params ?? {}) as Params }),
  },
};

/** True if a revision is stateless: 2026-07-28 or later. */
export function isModernRevision(revision: string | undefined): revision is string {
  return revision !== undefined && revision >= "2026-07-28";
}

/**
 * True if a request is of 2026-07-28 or later. Such requests carry the envelope that older clients
 * sent once.
 */
export function isModernRequest({ mcpReq }: RequestContext): boolean {
  return mcpReq.envelope !== undefined;
}

const knownMembers: ReadonlySet<string> = new Set(
  "jsonrpc id method params result error".split(" "),
);

/**
 * Removes harmless deviations from a message or batch that the SDK would reject.
 * @param message result of `JSON.parse`; may be changed in place
 */
export function normalizeMessage(message: unknown): unknown {
  return Array.isArray(message) ? message.map(normalizeOne) : normalizeOne(message);
}

function normalizeOne(message: unknown): unknown {
  return isObject(message) ? dropNullParams(dropUnknownMembers(message)) : message;
}

/** Drops unknown members, which MCP's schema allows. */
function dropUnknownMembers(message: Record<string, unknown>): Record<string, unknown> {
  return hasOnlyKnownMembers(message)
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => knownMembers.has(name)));
}

/** A loop, because it runs for every message. */
function hasOnlyKnownMembers(message: object): boolean {
  for (const name in message) if (!knownMembers.has(name)) return false;
  return true;
}

/** Drops `null` parameters, which some clients send for absent ones. */
function dropNullParams(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  if (params === null) delete message["params"];
  else if (isObject(params) && params["_meta"] === null) delete params["_meta"];
  return message;
}

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
      `Invalid request: a batch must have 1 to ${maxBatchSize} messages.`,
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
 * The only revision with batches. Its clients may omit the revision header over HTTP, but must send
 * it with a batch.
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
