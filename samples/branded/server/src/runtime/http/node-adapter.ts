import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Reads a request of node:http into a web-standard one. The SDK has such an adapter in a package of its own; it brings HTTP/2, whose
 * loading would slow down every start over stdio too.
 * @param signal aborted when the client goes away
 * @returns `undefined` when the body is larger than `maxBytes`
 */
export async function toRequest(incoming: IncomingMessage, signal: AbortSignal, maxBytes: number): Promise<Request | undefined> {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await readBody(incoming, maxBytes) : undefined;
  if (hasBody && body === undefined) return undefined;
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as [string, string]));
  return new Request(new URL(url, "http://localhost"), { method, headers: pairs, body, signal });
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Writes a web-standard response as fast as the client takes it, and stops when the client goes away. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await writeBody(response.body, outgoing);
  outgoing.end();
}

async function writeBody(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await new Promise<void>((resolve) => onceDrained(outgoing, resolve));
  }
}

function onceDrained(outgoing: ServerResponse, resume: () => void): void {
  const done = (): void => {
    outgoing.off("drain", done).off("close", done);
    resume();
  };
  outgoing.on("drain", done).on("close", done);
}
