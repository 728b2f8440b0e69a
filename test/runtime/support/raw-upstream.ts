import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** An API of which a test decides every byte. */
export interface RawUpstream {
  readonly port: number;
  /** Received requests as Latin-1 text, in order. */
  readonly requests: readonly string[];
  /** Connections that were opened, and those that still are. */
  opened(): number;
  open(): number;
  close(): void;
}

/** Answers the `nth` request of all (from 0), the `nthOfConnection`th of its connection. */
export type RawAnswer = (socket: Socket, nth: number, nthOfConnection: number) => void;

/**
 * Starts it, over TLS where there are options. A request is what has its head, and as much content
 * as that says.
 */
export async function startRawUpstream(answer: RawAnswer, tls?: TlsOptions): Promise<RawUpstream> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const accept = (socket: Socket): void => {
    let [text, nthOfConnection] = ["", 0];
    opened++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.setEncoding("latin1").on("data", (data: string) => {
      text += data;
      if (!isWhole(text)) return;
      requests.push(text);
      text = "";
      answer(socket, requests.length - 1, nthOfConnection++);
    });
  };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    opened: () => opened,
    open: () => sockets.size,
    close,
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: (\d+)\r$/im.exec(text.slice(0, end + 2))?.[1] ?? 0);
  return end >= 0 && text.length >= end + 4 + length;
}
