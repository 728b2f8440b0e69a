import type { Deadline } from "./deadline.js";
import type { Collected, Incoming, Send } from "./incoming.js";
import { Pieces } from "./pieces.js";

/** Sends by the platform's own `fetch`. */
export const sendByFetch: Send = async ({ method, url, headers, body }, { deadline }) => {
  const init: RequestInit = {
    method,
    headers: headers as [string, string][],
    body: body as RequestInit["body"],
    redirect: "manual",
    signal: deadline.signal,
  };
  // Nobody tells when it has a connection.
  deadline.started();
  return incoming(await fetch(url, init), deadline);
};

function incoming(response: Response, deadline: Deadline): Incoming {
  const { status, statusText, headers, body } = response;
  return {
    status,
    statusText,
    headers,
    hasBody: body !== null,
    collect: (limit) =>
      untilOver(
        !body || lengthOf(response) <= limit ? whole(response) : pieces(body, limit),
        deadline,
      ),
    // fetch opens connections as it likes.
    pass: async () => void body?.cancel().catch(() => {}),
    discard: () => void body?.cancel().catch(() => {}),
  };
}

/**
 * What is read in one piece costs less. The length on the wire is that of the content only when it
 * is not compressed.
 */
function lengthOf({ headers }: Response): number {
  return headers.has("content-encoding")
    ? Infinity
    : Number(headers.get("content-length") ?? Infinity);
}

async function whole(response: Response): Promise<Collected> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { chunks: [bytes], size: bytes.byteLength };
}

async function pieces(body: ReadableStream<Uint8Array>, limit: number): Promise<Collected> {
  const read = new Pieces(limit);
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
function untilOver(collected: Promise<Collected>, deadline: Deadline): Promise<Collected> {
  return new Promise((resolve, reject) => {
    deadline.wake(() => reject(deadline.over));
    collected.then(resolve, reject);
  });
}
