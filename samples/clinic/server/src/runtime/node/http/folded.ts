/**
 * Answers with header lines that are folded, which RFC 9112 (section 5.2) wants to be understood,
 * and Node's parser refuses.
 */
import type { BoundRequest } from "../../request/types.js";
import type { SendOptions } from "../../client/types.js";
import type { Answer } from "./answer.js";
import { Attempt, errorOf } from "./attempt.js";
import { type Client, sendOver } from "./client.js";

/** A parser's error at a folded line: with what had come of the answer, in one piece. */
export interface FoldedError {
  readonly rawPacket: Buffer;
}

/**
 * Sends so that these lines are understood. The parser that does takes much else, which is refused
 * here and gets no kept connection.
 */
export async function sendLeniently(
  client: Client,
  request: BoundRequest,
  url: URL,
  how: SendOptions,
): Promise<Answer> {
  const answer = await sendOver(client, request, url, how, true);
  if (isSound(answer)) return answer;
  answer.discard();
  throw errorOf("HPE_INVALID_HEADER_TOKEN");
}

/** No control characters, and one length. RFC 9110, section 5.5; RFC 9112, section 6.1. */
function isSound({ headers }: Answer): boolean {
  const isPlain = [...headers].every(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  return isPlain && !(headers.has("content-length") && headers.has("transfer-encoding"));
}

/**
 * Reads again what had come, with its lines unfolded: for what cannot be sent again.
 * @throws what was wrong, where that cannot have been all of the answer
 */
export async function reread(
  error: FoldedError,
  { method }: BoundRequest,
  { deadline }: SendOptions,
): Promise<Answer> {
  const head = wholeHead(error.rawPacket);
  if (head === undefined) throw error;
  const { request } = await import("node:http");
  const { Duplex } = await import("node:stream");
  const socket = new Duplex({ read() {}, write: (_, __, done) => done() });
  socket.push(head.replace(/\r\n[\t ]+/g, " "), "latin1");
  socket.push(error.rawPacket.subarray(head.length));
  socket.push(null);
  const again = request({ method, createConnection: () => socket });
  const { answered } = new Attempt(again, deadline);
  again.end();
  const answer = await answered;
  if (
    !answer.hasBody ||
    answer.headers.has("content-length") ||
    answer.headers.has("transfer-encoding")
  )
    return answer;
  answer.discard();
  throw error;
}

/** The head of an answer, if the packet begins with it and has all of it. */
function wholeHead(packet: Buffer): string | undefined {
  const head = packet.toString("latin1", 0, Math.max(0, packet.indexOf("\r\n\r\n")));
  return head.startsWith("HTTP/") ? head : undefined;
}
