import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An address of the loopback interface that passes requests on to a Unix socket. */
export interface SocketProxy {
  readonly url: string;
  /** Requests in their order: method and path. */
  readonly seen: readonly string[];
  close(): void;
}

/** Starts a proxy for a server that listens on a Unix socket only. It answers 502 until that does. */
export async function startSocketProxy(socketPath: string): Promise<SocketProxy> {
  const seen: string[] = [];
  const server: Server = createServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    seen.push(`${method} ${url}`);
    const outgoing = request({ socketPath, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}
