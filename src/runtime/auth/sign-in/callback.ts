/** Redirect target on this machine. RFC 8252, section 7.3. */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A listener for one redirect. */
interface CallbackListener {
  readonly redirectUri: string;
  /** Parameters of the redirect with the expected state. Rejects after the deadline. */
  readonly parameters: Promise<URLSearchParams>;
  readonly close: () => void;
}

const DEADLINE_MS = 10 * 60_000;

const headers = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  Connection: "close",
};

/**
 * Listens on 127.0.0.1 for the redirect with a state. Requests with another state, path, method or
 * host are refused, and the listener goes on waiting.
 * @param port 0 for a free one
 */
export async function listenForCallback(state: string, port = 0): Promise<CallbackListener> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => void server.close();
  const parameters = new Promise<URLSearchParams>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("deadline")), DEADLINE_MS);
    timer.unref();
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const found = callbackParameters(request, host, state);
      respond(response, found !== undefined);
      if (!found) return;
      clearTimeout(timer);
      close();
      resolve(found);
    });
  });
  return { redirectUri: `http://${host}/callback`, parameters, close };
}

/** Parameters of the expected redirect; undefined for any other request. */
function callbackParameters(
  { method, url = "/", headers: { host } }: IncomingMessage,
  ownHost: string,
  state: string,
): URLSearchParams | undefined {
  if (method !== "GET" || host !== ownHost || !URL.canParse(url, `http://${ownHost}`)) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(url, `http://${ownHost}`);
  const [received = "", ...others] = searchParams.getAll("state");
  const isExpected = others.length === 0 && isSameText(received, state);
  return pathname === "/callback" && isExpected ? searchParams : undefined;
}

/** Compares two texts in a time that does not depend on their content. */
function isSameText(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function respond(response: ServerResponse, isAccepted: boolean): void {
  response.writeHead(isAccepted ? 200 : 400, headers);
  response.end(
    isAccepted
      ? "Return to the terminal to see the result. You can close this page.\n"
      : "This is not the answer to the sign-in that is waiting. Start again in the terminal.\n",
  );
}
