import { joined } from "../bytes.js";
import { maxRequestBytes, tooLarge } from "./guard.js";
import { refuse, type Reply } from "./reply.js";
import { leniently } from "../leniency.js";
import { isObject } from "../object.js";

/**
 * Values that a message may hold. What it takes to read and check one grows with their number, not
 * with its bytes: 10 MB may be a file, or five million zeros.
 */
const mostValues = 250_000;

/**
 * Values beside the arguments of a call, which have bounds of their own: the envelope, what a
 * client says of itself. The SDK checks each by itself.
 */
const mostBeside = 2_000;

const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * The message of a request, refused or read; without `message`, the body is no JSON, for which the
 * SDK has answers.
 */
export type ReadMessage =
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
): Promise<ReadMessage> {
  const body = await readBody(chunks);
  if (!body) return { reply: tooLarge() };
  if (isBatch(body) && revision !== batchRevision)
    return { reply: invalid("batches are not supported; send one message per request") };
  if (separators(body) > mostValues)
    return { reply: invalid(`the message holds more than ${mostValues} values`) };
  const message = parsed(body);
  if (isOverfullBeside(message))
    return {
      reply: invalid(`the message holds more than ${mostBeside} values beside its arguments`),
    };
  return message === undefined ? { body } : { body, message };
}

function invalid(why: string): Reply {
  return refuse(400, `Invalid request: ${why}.`);
}

/** Undefined when it is larger than any that is read. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxRequestBytes) return undefined;
    read.push(chunk);
  }
  return joined(read, size);
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
function separators(body: Uint8Array): number {
  let found = 0;
  let inString = false;
  for (let i = 0; i < body.length && found <= mostValues; i++) {
    const byte = body[i];
    if (byte === quote) inString = !inString;
    else if (inString) i += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openList || byte === openObject) found++;
  }
  return found;
}

function parsed(body: Uint8Array): unknown {
  try {
    return leniently(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

function isOverfullBeside(message: unknown): boolean {
  const params = isObject(message) ? message["params"] : undefined;
  const besides = isObject(params)
    ? { ...(message as object), params: { ...params, arguments: null } }
    : message;
  const open: unknown[] = [besides];
  for (let seen = 0; open.length > 0;) {
    const value = open.pop();
    const parts = typeof value === "object" && value !== null ? Object.values(value) : [];
    seen += parts.length;
    if (seen > mostBeside) return true;
    for (const part of parts) open.push(part);
  }
  return false;
}
