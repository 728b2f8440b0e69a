import type { Deadline } from "./deadline.js";
import type { CollectedBody, HttpResponse, SendFunction } from "./types.js";
import { BoundedBuffer } from "./bounded-body.js";

/** Sends by the platform's own `fetch`. */
export const sendByFetch: SendFunction = async ({ method, url, headers, body }, { deadline }) => {
  const init: RequestInit = {
    method,
    headers: headers as [string, string][],
    body: body as RequestInit["body"],
    redirect: "manual",
    signal: deadline.signal,
  };
  // Nobody tells when it has a connection.
  deadline.markSent();
  return toHttpResponse(await fetch(url, init), deadline);
};

function toHttpResponse(response: Response, deadline: Deadline): HttpResponse {
  const { status, statusText, headers, body } = response;
  return {
    status,
    statusText,
    headers,
    hasBody: body !== null,
    collect: (limit) =>
      rejectOnExpiry(
        !body || contentLength(response) <= limit
          ? collectWhole(response)
          : collectChunks(body, limit),
        deadline,
      ),
    // fetch opens connections as it likes.
    drain: async () => void body?.cancel().catch(() => {}),
    discard: () => void body?.cancel().catch(() => {}),
  };
}

/**
 * What is read in one piece costs less. The length on the wire is that of the content only when it
 * is not compressed.
 */
function contentLength({ headers }: Response): number {
  return headers.has("content-encoding")
    ? Infinity
    : Number(headers.get("content-length") ?? Infinity);
}

async function collectWhole(response: Response): Promise<CollectedBody> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { chunks: [bytes], size: bytes.byteLength };
}

async function collectChunks(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<CollectedBody> {
  const read = new BoundedBuffer(limit);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return read;
    if (!read.add(value)) break;
  }
  await reader.cancel();
  return read;
}

/**
 * `fetch` of Node 20 and 22 never says what became of a body that is broken in the second of its
 * codings, whatever its signal says.
 */
function rejectOnExpiry(
  collected: Promise<CollectedBody>,
  deadline: Deadline,
): Promise<CollectedBody> {
  return new Promise((resolve, reject) => {
    deadline.onExpire(() => reject(deadline.expired));
    collected.then(resolve, reject);
  });
}
