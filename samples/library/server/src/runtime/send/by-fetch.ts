import type { Collected, Incoming, Send } from "./incoming.js";

/** Sends by the platform's own `fetch`. */
export const sendByFetch: Send = async ({ method, url, headers, body }, { deadline }) => {
  const init: RequestInit = { method, headers: headers as [string, string][], body: body as RequestInit["body"], redirect: "manual", signal: deadline.signal };
  return incoming(await fetch(url, init));
};

function incoming(response: Response): Incoming {
  const { status, statusText, headers, body } = response;
  return {
    status,
    statusText,
    headers,
    hasBody: body !== null,
    collect: (limit) => (!body || lengthOf(response) <= limit ? whole(response) : pieces(body, limit)),
    discard: () => void body?.cancel().catch(() => {}),
  };
}

/** What is read in one piece costs less. The length on the wire is that of the content only when it is not compressed. */
function lengthOf({ headers }: Response): number {
  return headers.has("content-encoding") ? Infinity : Number(headers.get("content-length") ?? Infinity);
}

async function whole(response: Response): Promise<Collected> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { chunks: [bytes], size: bytes.byteLength };
}

async function pieces(body: ReadableStream<Uint8Array>, limit: number): Promise<Collected> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  while (size <= limit) {
    const { done, value } = await reader.read();
    if (done) return { chunks, size };
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  return { chunks, size };
}
