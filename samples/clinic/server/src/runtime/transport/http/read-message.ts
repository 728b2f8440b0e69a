import { concatBytes, isObject } from "../../data/values.js";
import { maxRequestBytes, requestTooLarge } from "./guard.js";
import { errorReply, type Reply } from "./reply.js";
import { normalizeMessage } from "../../protocol/compatibility.js";

/**
 * Maximum number of values of a message. The cost of parsing and checking grows with the number of
 * values, not of bytes: 10 MB may be one file or five million zeros.
 */
const maxValues = 250_000;

/**
 * Maximum number of values beside the arguments of a call, which have limits of their own. The SDK
 * validates the envelope and the client information itself.
 */
const maxEnvelopeValues = 2_000;

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * A rejected or a parsed message. Without `message`, the body is not JSON; the SDK responds to
 * that.
 */
interface MessageResult {
  readonly reply?: Reply;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly message?: unknown;
}

/**
 * The only revision with batches. Its clients may omit the revision header, but must send it with a
 * batch.
 */
const batchRevision = "2025-03-26";

/**
 * Reads the body of a request once. Messages above the limits are rejected before they are parsed
 * or validated.
 * @param revision value of the `MCP-Protocol-Version` header
 */
export async function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  revision?: string,
): Promise<MessageResult> {
  const body = await readBody(chunks);
  if (!body) return { reply: requestTooLarge() };
  if (isBatch(body) && revision !== batchRevision) {
    return { reply: invalidRequest("batches are not supported; send one message per request") };
  }
  if (countSeparators(body) > maxValues) {
    return { reply: invalidRequest(`the message holds more than ${maxValues} values`) };
  }
  const message = parseMessage(body);
  if (exceedsEnvelopeLimit(message)) {
    const limit = `${maxEnvelopeValues} values beside its arguments`;
    return { reply: invalidRequest(`the message holds more than ${limit}`) };
  }
  return message === undefined ? { body } : { body, message };
}

function invalidRequest(reason: string): Reply {
  return errorReply(400, `Invalid request: ${reason}.`);
}

/** The body, or `undefined` if it is too large. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const received: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxRequestBytes) return undefined;
    received.push(chunk);
  }
  return concatBytes(received, size);
}

/** True if JSON text is an array. */
function isBatch(body: Uint8Array): boolean {
  const first = body.find(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return first === openList;
}

/**
 * Counts commas and opening brackets outside of strings, which is about the number of values. Stops
 * at the limit.
 */
function countSeparators(body: Uint8Array): number {
  let count = 0;
  let inString = false;
  for (let i = 0; i < body.length && count <= maxValues; i++) {
    const byte = body[i];
    if (byte === quote) inString = !inString;
    else if (inString) i += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openList || byte === openObject) count++;
  }
  return count;
}

function parseMessage(body: Uint8Array): unknown {
  try {
    return normalizeMessage(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

function exceedsEnvelopeLimit(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const envelope = isObject(params)
    ? { ...(message as object), params: { ...params, arguments: null } }
    : message;
  const pending: unknown[] = [envelope];
  for (let valueCount = 0; pending.length > 0;) {
    const value = pending.pop();
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    valueCount += parts.length;
    if (valueCount > maxEnvelopeValues) return true;
    for (const part of parts) pending.push(part);
  }
  return false;
}
