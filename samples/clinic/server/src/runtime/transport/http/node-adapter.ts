import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Reads a request of node:http into a web-standard one. The SDK has such an adapter in a package of
 * its own; it brings HTTP/2, whose loading would slow down every start over stdio too.
 * @param body what was read of it
 * @param signal aborted when the client goes away
 */
export function toRequest(
  incoming: IncomingMessage,
  body: Uint8Array | undefined,
  signal: AbortSignal,
): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as [string, string]),
  );
  const request = new Request(new URL(url, "http://localhost"), { method, headers: pairs, body });
  return withSignal(request, signal);
}

/**
 * The request with this very signal, and so its clones. A signal that is given to `new Request` is
 * followed by a signal of the request's own, which follows no more when the request is garbage,
 * even while somebody listens to it (Node 20 to 24): calls of clients that are gone would go on.
 */
function withSignal(request: Request, signal: AbortSignal): Request {
  const clone = (): Request => withSignal(Request.prototype.clone.call(request), signal);
  return Object.defineProperties(request, { signal: { value: signal }, clone: { value: clone } });
}

/**
 * Writes a web-standard response as fast as the client takes it, and stops when the client goes
 * away.
 */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await writeBody(response.body, outgoing);
  outgoing.end();
}

async function writeBody(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk))
      await new Promise<void>((resolve) => onceDrained(outgoing, resolve));
  }
}

function onceDrained(outgoing: ServerResponse, resume: () => void): void {
  const done = (): void => {
    outgoing.off("drain", done).off("close", done);
    resume();
  };
  outgoing.on("drain", done).on("close", done);
}
