import { concatBytes } from "../../bytes.js";
import { maxRequestBytes, requestTooLarge } from "./guard.js";
import { errorReply, type Reply } from "./reply.js";
import { normalizeMessage } from "../../server/normalize-message.js";
import { isObject } from "../../json.js";

/**
 * Values that a message may hold. What it takes to read and check one grows with their number, not
 * with its bytes: 10 MB may be a file, or five million zeros.
 */
const maxValues = 250_000;

/**
 * Values beside the arguments of a call, which have bounds of their own: the envelope, what a
 * client says of itself. The SDK checks each by itself.
 */
const maxEnvelopeValues = 2_000;

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * The message of a request, refused or read; without `message`, the body is no JSON, for which the
 * SDK has answers.
 */
export type MessageResult =
  | { readonly reply: Reply }
  | {
      readonly reply?: undefined;
      readonly body: Uint8Array<ArrayBuffer>;
      readonly message?: unknown;
    };

/**
 * The only revision with batches. Its clients need not say that they are of it, but those that send
 * batches must: all others mean none.
 */
const batchRevision = "2025-03-26";

/**
 * Reads the body of a request, once. What holds too much is refused before it is parsed, or before
 * anything looks into it.
 * @param revision what the request says of it
 */
export async function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  revision?: string,
): Promise<MessageResult> {
  const body = await readBody(chunks);
  if (!body) return { reply: requestTooLarge() };
  if (isBatch(body) && revision !== batchRevision)
    return { reply: invalidRequest("batches are not supported; send one message per request") };
  if (countSeparators(body) > maxValues)
    return { reply: invalidRequest(`the message holds more than ${maxValues} values`) };
  const message = parseMessage(body);
  if (exceedsEnvelopeLimit(message))
    return {
      reply: invalidRequest(
        `the message holds more than ${maxEnvelopeValues} values beside its arguments`,
      ),
    };
  return message === undefined ? { body } : { body, message };
}

function invalidRequest(why: string): Reply {
  return errorReply(400, `Invalid request: ${why}.`);
}

/** Undefined when it is larger than any that is read. */
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

/** JSON whose first character is that of a list. */
function isBatch(body: Uint8Array): boolean {
  const first = body.find(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d,
  );
  return first === openList;
}

/**
 * Commas and openings outside of strings: about as many as there are values. Stops counting when
 * there are too many.
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
  for (let seen = 0; pending.length > 0;) {
    const value = pending.pop();
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    seen += parts.length;
    if (seen > maxEnvelopeValues) return true;
    for (const part of parts) pending.push(part);
  }
  return false;
}
