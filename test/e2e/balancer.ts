import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A plain TCP balancer: it knows connections, and nothing of HTTP. */
export interface Balancer {
  readonly url: URL;
  /** Replicas to which each call was forwarded, by its number. It is read from the bytes. */
  readonly forwarded: ReadonlyMap<number, readonly number[]>;
  close(): void;
}

/** Header by which a test recognizes a call in the bytes of a connection. */
export const CALL_HEADER = "x-test-call";

/**
 * Distributes connections over ports, one after the other. A port that refuses a connection is
 * passed over; once a connection is made, its bytes are only copied.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const forwarded = new Map<number, readonly number[]>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, async (client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    const first = turn++;
    for (let i = 0; i < ports.length; i++) {
      const replica = (first + i) % ports.length;
      const upstream = await connectTo(ports[replica]!);
      if (!upstream) continue;
      sockets.add(upstream);
      observe(client, (call) => forwarded.set(call, [...(forwarded.get(call) ?? []), replica]));
      return join(client, upstream);
    }
    client.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    forwarded,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function connectTo(port: number): Promise<Socket | undefined> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  return isConnected ? socket : undefined;
}

/** Copies bytes both ways. The end or the loss of one connection is that of the other. */
function join(client: Socket, upstream: Socket): void {
  upstream.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  client.pipe(upstream).pipe(client);
  client.resume();
}

function observe(client: Socket, onCall: (call: number) => void): void {
  let text = "";
  client.on("data", (bytes: Buffer) => {
    text += bytes.toString("latin1");
    text = text.replace(new RegExp(`${CALL_HEADER}: (\\d+)\\r\\n`, "gi"), (_, call: string) => {
      onCall(Number(call));
      return "";
    });
    text = text.slice(-CALL_HEADER.length - 24);
  });
}
