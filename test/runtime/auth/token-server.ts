/** A token endpoint on the loopback interface: real HTTP, and a record of what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenRequest {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Answer nothing and close the connection. */
  readonly reset?: boolean;
}

export interface TokenServer {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
  /** Paths of the requests. */
  readonly paths: readonly string[];
  close(): void;
}

/** `answer` decides each reply; by default the n-th request gets `token-n`, good for an hour. */
export async function startTokenServer(
  answer: (request: TokenRequest, count: number) => Reply | Promise<Reply> = () => ({}),
): Promise<TokenServer> {
  const requests: TokenRequest[] = [];
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing);
  });
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await read(incoming);
    paths.push(incoming.url ?? "");
    const count = requests.push(request);
    reply(outgoing, {
      body: { access_token: `token-${count}`, token_type: "Bearer", expires_in: 3600 },
      ...(await answer(request, count)),
    });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/token`,
    requests,
    paths,
    close: () => void server.close(),
  };
}

async function read(incoming: IncomingMessage): Promise<TokenRequest> {
  let body = "";
  for await (const chunk of incoming) body += String(chunk);
  return {
    authorization: incoming.headers.authorization,
    form: Object.fromEntries(new URLSearchParams(body)),
  };
}

function reply(outgoing: ServerResponse, { status = 200, headers = {}, body, reset }: Reply): void {
  if (reset === true) return void outgoing.destroy();
  outgoing.writeHead(status, {
    "content-type": "application/json",
    connection: "close",
    ...headers,
  });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}
