import type { Deadline, CollectedBody, HttpResponse, SendFunction } from "./types.js";
import { BoundedBuffer } from "./bounded-body.js";

/** Sends with the platform's `fetch`. */
export const sendByFetch: SendFunction = async ({ method, url, headers, body }, { deadline }) => {
  const init: RequestInit = {
    method,
    headers: headers as [string, string][],
    body: body as RequestInit["body"],
    redirect: "manual",
    signal: deadline.signal,
  };
  // `fetch` does not say when it has a connection.
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
    // `fetch` decides about connections by itself.
    drain: async () => void body?.cancel().catch(() => {}),
    discard: () => void body?.cancel().catch(() => {}),
  };
}

/**
 * The length of the content, which is the length on the wire only without a content coding. A body
 * of known length is read at once, which costs less.
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
  const buffer = new BoundedBuffer(limit);
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return buffer;
    if (!buffer.add(value)) break;
  }
  await reader.cancel();
  return buffer;
}

/**
 * Rejects when the deadline expires. In Node 20 and 22, a body that is corrupt in the second of its
 * codings never ends, whatever its signal says.
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
