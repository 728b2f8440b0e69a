import type { IncomingMessage } from "node:http";
import type { ClientCertificate } from "../bind/types.js";

/**
 * A `fetch` that presents a client certificate (mutual TLS), which Node's own cannot. As much of it as sending a bound request needs:
 * no redirects, no compression. https only: a certificate means nothing elsewhere.
 */
export async function fetchWithCertificate({ cert, key }: ClientCertificate, url: string, { method = "GET", headers, body, signal }: RequestInit): Promise<Response> {
  const { request: send } = await import("node:https");
  const content = Buffer.from((body ?? "") as string | Uint8Array);
  const framing = body === undefined ? [] : ["content-length", String(content.byteLength)];
  const flat = [...(headers as [string, string][]).flat(), "host", new URL(url).host, ...framing];
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method, headers: flat as never, cert, key, signal: signal ?? undefined });
    request.on("response", resolve).on("error", reject);
    request.end(content);
  });
  return toResponse(incoming);
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const { Readable } = await import("node:stream");
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) incoming.resume();
  return new Response(hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null, { status, statusText, headers });
}
