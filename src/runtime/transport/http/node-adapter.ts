import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Converts a request of `node:http` to a web-standard one. The package of the SDK for this loads
 * HTTP/2, which would slow down every start.
 * @param body the body, if it has been read
 * @param signal aborted when the client disconnects
 */
export function toRequest(
  incoming: IncomingMessage,
  body: Uint8Array | undefined,
  signal: AbortSignal,
): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line) => [name, line] as [string, string]),
  );
  const request = new Request(new URL(url, "http://localhost"), { method, headers: pairs, body });
  return withSignal(request, signal);
}

/**
 * Gives a request and its clones a signal. A signal that is passed to `new Request` is followed by
 * an own signal of the request, which stops following once the request is garbage, even if it has
 * listeners (Node 20 to 24). Calls of disconnected clients would go on.
 */
function withSignal(request: Request, signal: AbortSignal): Request {
  const clone = (): Request => withSignal(Request.prototype.clone.call(request), signal);
  return Object.defineProperties(request, { signal: { value: signal }, clone: { value: clone } });
}

/**
 * Writes a web-standard response at the speed of the client, until the client disconnects. Its
 * `Connection` is left out, because the server decides when a connection ends.
 */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, headers);
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
