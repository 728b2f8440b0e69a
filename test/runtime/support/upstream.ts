import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An API on this machine. */
export interface Upstream {
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** Requests that are neither answered in full nor given up by the client. */
  open(): number;
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

/**
 * Starts an API that answers every request by `answer`, which is told how many requests came
 * before, from 0. At a free port, or at that of one that is gone.
 */
export async function startUpstream(answer: Answer, port = 0): Promise<Upstream> {
  const requests: ReceivedRequest[] = [];
  let open = 0;
  // On a machine that is busy, a connection that is closed, for idleness or for a long header, can
  // meet the request on its way.
  const server = createServer(
    { keepAliveTimeout: 60_000, maxHeaderSize: 4_000_000 },
    (incoming, response) => {
      const chunks: Buffer[] = [];
      open++;
      response.on("close", () => open--).on("error", () => {});
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const request = {
          method: incoming.method ?? "",
          url: incoming.url ?? "",
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString(),
        };
        requests.push(request);
        answer(response, request, requests.length - 1);
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a status, a body and headers. JSON when the body is no text. */
export function reply(
  status: number,
  body: unknown = "",
  headers: Record<string, string> = {},
): Answer {
  const [text, type] =
    typeof body === "string" || body instanceof Uint8Array
      ? [body, "text/plain"]
      : [JSON.stringify(body), "application/json"];
  return (response) => response.writeHead(status, { "content-type": type, ...headers }).end(text);
}
